"""Complementarity problems by themselves: find forces with ``a = A f + b`` that give each row what it demands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Union

import numpy as np

from . import _native
from .errors import LcpError

__all__ = ["Kind", "solve_lcp"]

Kind = Union[str, Sequence[Any]]
"""What a row demands: ``"bilateral"``, ``"unilateral"``, ``("boxed", lo, hi)``, ``("friction", normal, mu)``,
``("friction_limits", normal, mu_minus, mu_plus)`` or ``("sliding", normal, mu, sign)``."""


@dataclass
class _Options:
    method: str
    tolerance: float
    min_norm: bool
    psd_slack: float
    symmetric: bool
    time_limit: float | None
    forces: list[float] | None


def solve_lcp(
    problem: Any,
    b: Any,
    kinds: Kind | Sequence[Kind] | None = None,
    *,
    method: str = "auto",
    tolerance: float = 1e-8,
    min_norm: bool = False,
    psd_slack: float = 0.0,
    symmetric: bool = True,
    time_limit: float | None = None,
    compliance: Any = None,
    forces: Any = None,
) -> _native.LcpSolution:
    """Solves a mixed linear complementarity problem to a certificate.

    ``problem``: a symmetric positive semidefinite ``A``, shape (n, n), as an array or any sparse matrix of SciPy; or a pair
    ``(J, inv_mass)`` of a Jacobian, shape (n, m), array or sparse, and inverse masses, shape (m,), for
    ``A = J diag(inv_mass) Jᵀ``. ``b``: accelerations without forces, shape (n,). ``kinds``: what each row demands, one word for
    all of them, or nothing for unilateral rows. ``compliance``: with a Jacobian, shape (n,), added to the diagonal. ``forces``:
    an earlier answer, near which one with friction is sought. ``min_norm`` picks the least forces where rows are redundant.
    ``symmetric=False`` takes any square ``A``, whose problem may have several answers or none. ``time_limit``: seconds after which
    the ``status`` is ``"time_limit"``.

    Returns forces ``f``, accelerations ``a``, ``status``, ``certificate``. A problem without solution is no exception: its
    ``status`` is ``"infeasible"`` and ``ray`` proves it. Raises ``LcpError`` for what is no problem.
    """
    bias = _numbers(b, "b", 1)
    rows = _kinds(kinds, bias.shape[0])
    wanted = None if forces is None else _numbers(forces, "forces", 1).tolist()
    options = _Options(
        method,
        float(tolerance),
        bool(min_norm),
        float(psd_slack),
        bool(symmetric),
        None if time_limit is None else float(time_limit),
        wanted,
    )
    if isinstance(problem, tuple):
        jacobian, inverse_mass = problem
        soft = [] if compliance is None else _numbers(compliance, "compliance", 1).tolist()
        places = _entries(jacobian, "J")
        return _native.solve_jacobian(places, _numbers(inverse_mass, "inv_mass", 1), soft, bias, rows, options)
    if compliance is not None:
        raise LcpError("compliance: needs a problem given by its Jacobian", "compliance")
    if hasattr(problem, "tocoo"):
        return _native.solve_sparse(_entries(problem, "A"), bias, rows, options)
    return _native.solve_dense(_numbers(problem, "A", 2), bias, rows, options)


def _numbers(values: Any, path: str, dimensions: int) -> Any:
    try:
        array = np.ascontiguousarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise LcpError(f"{path}: {error}", path, values) from None
    if array.ndim != dimensions:
        message = f"{path}: an array of {array.ndim} dimensions found, {dimensions} needed"
        raise LcpError(message, path, array.shape)
    return array


def _entries(matrix: Any, path: str) -> tuple[Any, Any, Any]:
    """Rows, columns and values of the entries of a matrix, dense or sparse."""
    if hasattr(matrix, "tocoo"):
        entries = matrix.tocoo()
        row, column, value = entries.row, entries.col, entries.data
    else:
        dense = _numbers(matrix, path, 2)
        row, column = np.nonzero(dense)
        value = dense[row, column]
    return row.astype(np.int64), column.astype(np.int64), np.ascontiguousarray(value, dtype=np.float64)


def _kinds(kinds: Kind | Sequence[Kind] | None, count: int) -> list[tuple[str, list[float]]]:
    if kinds is None:
        return []
    if isinstance(kinds, str):
        return [(kinds, [])] * count
    rows = []
    for place, kind in enumerate(kinds):
        if isinstance(kind, str):
            rows.append((kind, []))
            continue
        try:
            word, *numbers = kind
            rows.append((str(word), [float(number) for number in numbers]))
        except (TypeError, ValueError):
            path = f"kinds[{place}]"
            raise LcpError(f"{path}: {kind!r} is no kind of row", path, kind) from None
    return rows
