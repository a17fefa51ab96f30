"""What the command wrote: the tables of a run."""

from __future__ import annotations

import json
import os
import pathlib
from dataclasses import dataclass
from typing import Any

__all__ = ["Run", "read_run"]


@dataclass
class Run:
    """The tables of a run, of the kind that was asked for."""

    trajectory: Any
    """One row a step: time, energies, and x, y, angle, vx, vy, spin of each movable body."""
    contacts: Any
    """One row for each contact at the end of each step; ``None`` unless the run was written with ``--format parquet``."""
    events: Any
    """One row an event."""
    summary: dict[str, Any]
    """The figures of the run, its digest among them."""


def read_run(folder: str | os.PathLike[str], kind: str = "pandas") -> Run:
    """Reads the folder of ``engine2d run``.

    ``kind``: ``"pandas"``, ``"polars"`` or ``"pyarrow"`` tables. Parquet files are preferred; without them
    ``trajectory.csv`` and ``events.jsonl`` are read, to the same bits. The units of a column are in the metadata of its field under
    ``unit``, with pyarrow and Parquet. Raises ``FileNotFoundError`` for a folder that is none of a run.
    """
    if kind not in ("pandas", "polars", "pyarrow"):
        raise ValueError(f"kind: {kind!r} is none of pandas, polars, pyarrow")
    place = pathlib.Path(folder)
    summary = json.loads((place / "summary.json").read_text(encoding="utf-8"))
    if (place / "trajectory.parquet").is_file():
        import pyarrow.parquet

        tables = [pyarrow.parquet.read_table(place / f"{name}.parquet") for name in ("trajectory", "contacts", "events")]
    else:
        tables = [_csv(place / "trajectory.csv"), None, _lines(place / "events.jsonl")]
    trajectory, contacts, events = (None if table is None else _as(table, kind) for table in tables)
    return Run(trajectory, contacts, events, summary)


def _csv(path: pathlib.Path) -> Any:
    import csv

    import pyarrow

    # The reader of Python gives each number its nearest bits.
    with open(path, newline="", encoding="utf-8") as file:
        heading, *rows = csv.reader(file)
    columns = zip(*rows) if rows else [[] for _ in heading]
    return pyarrow.table([pyarrow.array([float(number) for number in column]) for column in columns], names=heading)


def _lines(path: pathlib.Path) -> Any:
    """Events in the columns of ``events.parquet``."""
    import pyarrow

    texts = ("event", "body_a", "body_b", "contact", "name")
    names = ["event", "time", "body_a", "body_b", "contact", "x", "y", "impulse"]
    names += ["velocity_before", "velocity_after", "energy", "name"]
    rows = []
    for line in path.read_text(encoding="utf-8").splitlines():
        event = json.loads(line)
        event["body_a"], event["body_b"] = event.get("bodies") or (None, None)
        event["x"], event["y"] = event.get("point") or (None, None)
        rows.append(event)
    kinds = {name: pyarrow.string() if name in texts else pyarrow.float64() for name in names}
    columns = [pyarrow.array([row.get(name) for row in rows], kinds[name]) for name in names]
    return pyarrow.table(columns, names=names)


def _as(table: Any, kind: str) -> Any:
    if kind == "pandas":
        return table.to_pandas()
    if kind == "polars":
        import polars

        return polars.from_arrow(table)
    return table
