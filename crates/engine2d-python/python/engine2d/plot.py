"""Plots of a run on matplotlib; each function takes what ``read_run`` gives with pandas tables, and returns the axes."""

from __future__ import annotations

from typing import Any

from .runs import Run

__all__ = ["contacts", "energy", "events", "forces", "phase", "trajectory"]


def _axes(axes: Any, x: str, y: str) -> Any:
    if axes is None:
        import matplotlib.pyplot

        _, axes = matplotlib.pyplot.subplots()
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    return axes


def _column(run: Run, body: str, name: str) -> Any:
    column = f"{body}.{name}"
    if column not in run.trajectory:
        known = sorted({name.rsplit(".", 1)[0] for name in run.trajectory.columns if "." in name})
        raise KeyError(f"no movable body is named {body!r} (there are: {', '.join(known)})")
    return run.trajectory[column]


def energy(run: Run, *, axes: Any = None) -> Any:
    """Kinetic, potential and total energy against time."""
    axes = _axes(axes, "time", "energy")
    for name in ("kinetic_energy", "potential_energy", "total_energy"):
        axes.plot(run.trajectory["time"], run.trajectory[name], label=name.replace("_", " "))
    axes.legend()
    return axes


def trajectory(run: Run, body: str, *, axes: Any = None) -> Any:
    """The way of a body's centre of mass."""
    axes = _axes(axes, "x (length)", "y (length)")
    axes.plot(_column(run, body, "x"), _column(run, body, "y"), label=body)
    axes.set_aspect("equal", adjustable="datalim")
    return axes


def phase(run: Run, body: str, coordinate: str = "angle", *, axes: Any = None) -> Any:
    """A coordinate of a body, ``x``, ``y`` or ``angle``, against its rate."""
    rate = {"x": "vx", "y": "vy", "angle": "spin"}[coordinate]
    axes = _axes(axes, coordinate, rate)
    axes.plot(_column(run, body, coordinate), _column(run, body, rate), label=body)
    return axes


def _contacts(run: Run, body: str | None) -> Any:
    if run.contacts is None:
        raise ValueError("the run has no table of contacts: write it with `engine2d run --format parquet`")
    table = run.contacts[~run.contacts["joint"]]
    return table if body is None else table[(table["body_a"] == body) | (table["body_b"] == body)]


def contacts(run: Run, body: str | None = None, *, axes: Any = None) -> Any:
    """The number of contacts against time, of a body or of all."""
    axes = _axes(axes, "time", "contacts")
    count = _contacts(run, body).groupby("time").size().reindex(run.trajectory["time"], fill_value=0)
    axes.step(count.index, count.to_numpy(), where="post")
    return axes


def forces(run: Run, body: str | None = None, *, axes: Any = None) -> Any:
    """The normal force of each contact against time, of a body or of all."""
    axes = _axes(axes, "time", "force")
    for (first, second), table in _contacts(run, body).groupby(["body_a", "body_b"]):
        axes.plot(table["time"], table["force"], ".", label=f"{first}, {second}")
    axes.legend()
    return axes


def events(run: Run, body: str | None = None, *, axes: Any = None) -> Any:
    """Events against time, a line for each kind; of a body or of all."""
    axes = _axes(axes, "time", "event")
    table = run.events
    if body is not None:
        table = table[(table["body_a"] == body) | (table["body_b"] == body)]
    for kind, rows in table.groupby("event"):
        axes.plot(rows["time"], [kind] * len(rows), "|", markersize=12)
    return axes
