"""Sweeps: many runs of one scene, here, on the processors of this machine, or on a Dask cluster; always the same table."""

from __future__ import annotations

import concurrent.futures
import json
import math
import os
import pathlib
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Union

from . import _native
from .errors import SweepError
from .world import scene_text

__all__ = ["RunResult", "SweepResult", "sweep"]

Source = Union[str, "os.PathLike[str]", Mapping[str, Any]]

BATCH_SECONDS = 2.0
"""How long a batch should take: long against the cost of sending it, short against that of losing it."""

LARGEST_BATCH = 4096
"""Most runs of a batch."""

WAITING = 3
"""Batches that are given out for each processor: one that runs, and others that wait for it."""

RETRIES = 5
"""How often a batch is given out again when its worker is lost."""


@dataclass(frozen=True)
class RunResult:
    """A run of a sweep as a function that measures it sees it: ``k`` states of ``n`` bodies, the first that of the start."""

    run: int
    """Number of the run."""
    parameters: dict[str, Any]
    """Values of the parameters by the names of their columns."""
    names: list[str]
    """The names of the bodies, by their places."""
    times: Any
    """Simulated times, shape (k,) (time)."""
    states: Any
    """Shape (k, n, 6): x, y (length), angle (radians), vx, vy (length/time), angular velocity (radians/time)."""
    kinetic: Any
    """Kinetic energy, shape (k,)."""
    potential: Any
    """Potential energy, shape (k,)."""
    energy: Any
    """Their sum, shape (k,)."""
    reports: list[_native.Report]
    """What each step reported, as ``World.advance`` does: k − 1 of them."""

    def body(self, name: str) -> Any:
        """The states of one body, shape (k, 6). Raises ``KeyError`` for a name that is none."""
        if name not in self.names:
            raise KeyError(f"no body {name!r}; there are {', '.join(self.names)}")
        return self.states[:, self.names.index(name), :]

    @property
    def events(self) -> list[dict[str, Any]]:
        """The events of all steps in order, as ``Report.events``."""
        return [event for report in self.reports for event in report.events]


Measure = Callable[[RunResult], float]
"""A function that measures a run."""


@dataclass
class SweepResult:
    """The rows of a sweep, in the order of the runs."""

    rows: list[dict[str, Any]]
    """Each with ``run``, ``repeat``, ``parameters``, ``measures``, ``digest``, ``error``."""
    digest: str
    """Fingerprint of the table: the same whoever ran it in whatever order, and that which the command prints."""
    facts: dict[str, str]
    """Version of the engine, fingerprints of scene and sweep."""
    _stream: bytes = field(repr=False)

    @property
    def failed(self) -> list[dict[str, Any]]:
        """The rows of runs that failed, each with its message in ``error``."""
        return [row for row in self.rows if row["error"] is not None]

    def to_arrow(self) -> Any:
        """The table as a ``pyarrow.Table``: ``run``, ``repeat``, the parameters, the measures, ``digest``, ``error``."""
        import pyarrow

        return pyarrow.ipc.open_stream(self._stream).read_all()

    def to_pandas(self) -> Any:
        """The table as a ``pandas.DataFrame``."""
        return self.to_arrow().to_pandas()

    def to_polars(self) -> Any:
        """The table as a ``polars.DataFrame``."""
        import polars

        return polars.from_arrow(self.to_arrow())

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the table to a Parquet file."""
        import pyarrow.parquet

        pyarrow.parquet.write_table(self.to_arrow(), path)


def sweep(
    file: Source,
    client: Any = None,
    *,
    jobs: int | None = None,
    runs: Iterable[int] | None = None,
    progress: bool = False,
    measures: Mapping[str, Measure] | None = None,
) -> SweepResult:
    """Runs a sweep and returns its table.

    ``file``: the path of a sweep file, its JSON text, or a dictionary. ``client``: a ``dask.distributed.Client``, or the address
    of a scheduler, to run it on a cluster; nothing runs it on the threads of this process. ``jobs``: how many of these
    (the processors there are). ``runs``: only these runs. ``progress`` shows a bar by tqdm. ``measures``: functions that are given
    each run (``RunResult``) and return a number, by the names of their columns, which follow those of the file; ``None`` means that
    there is nothing to measure. On a cluster they are pickled with what they refer to, as Dask does (lambdas too).

    Runs are given out in batches of about two seconds, by the cost measured so far; only a few batches wait at a time, and
    a batch whose worker is lost is given out again. The table has the same bits whatever the number of workers or the order
    of arrival; so it has with functions, if they return the same for the same run. A run that fails is a row with its
    message, and so is one that a function raises an exception at, or returns no finite number for. Raises ``SweepError`` for a
    mistake in the sweep.
    """
    work = _Work(*_texts(file), _checked(measures))
    plan = work.plan()
    wanted = list(range(len(plan))) if runs is None else list(runs)
    bar = _bar(len(wanted)) if progress else None
    try:
        if client is None:
            rows = _on_threads(work, wanted, jobs or os.cpu_count() or 1, bar)
        else:
            rows = _on_cluster(client, work, wanted, bar)
    finally:
        if bar is not None:
            bar.close()
    read = sorted((json.loads(row) for row in rows), key=lambda row: row["run"])
    return SweepResult(read, plan.rows_digest(rows), plan.facts, plan.table(rows))


def _texts(file: Source) -> tuple[str, str | None]:
    """The text of a sweep, and that of the scene it names."""
    beside = pathlib.Path()
    if isinstance(file, Mapping):
        text = json.dumps(file)
    elif isinstance(file, str) and file.lstrip().startswith("{"):
        text = file
    else:
        text = pathlib.Path(file).read_text(encoding="utf-8")
        beside = pathlib.Path(file).parent
    try:
        named = json.loads(text).get("scene")
    except (ValueError, AttributeError) as error:
        raise SweepError(f"sweep is not JSON: {error}") from None
    if not isinstance(named, str):
        return text, None
    found = beside / named
    # A scene is read and written anew, as the command does, so that both run the same text.
    return text, found.read_text(encoding="utf-8") if found.is_file() else scene_text(named)


class _Batches:
    """Runs that are given out in batches of about equal cost."""

    def __init__(self, runs: Sequence[int], workers: int) -> None:
        self.runs, self.next, self.workers = runs, 0, max(workers, 1)
        self.seconds, self.done = 0.0, 0

    def take(self) -> list[int]:
        """The next batch; none is left if it is empty."""
        size = 1
        if self.done:
            size = int(BATCH_SECONDS * self.done / max(self.seconds, 1e-9))
        # The last batches become smaller, so that all workers end together.
        fair = (len(self.runs) - self.next) // (2 * self.workers)
        size = max(1, min(size, fair, LARGEST_BATCH))
        batch = list(self.runs[self.next : self.next + size])
        self.next += len(batch)
        return batch

    def note(self, count: int, seconds: float) -> None:
        """What a batch has cost."""
        self.done += count
        self.seconds += seconds


def _on_threads(work: _Work, runs: Sequence[int], jobs: int, bar: Any) -> list[str]:
    batches, rows = _Batches(runs, jobs), []
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        open_ones = {pool.submit(_timed, work.run, batch) for _ in range(jobs) if (batch := batches.take())}
        while open_ones:
            ended, open_ones = concurrent.futures.wait(open_ones, return_when=concurrent.futures.FIRST_COMPLETED)
            for future in ended:
                found, seconds = future.result()
                _gather(found, seconds, rows, batches, bar)
                if batch := batches.take():
                    open_ones.add(pool.submit(_timed, work.run, batch))
    return rows


def _on_cluster(client: Any, work: _Work, runs: Sequence[int], bar: Any) -> list[str]:
    try:
        from distributed import Client, as_completed
    except ImportError as error:
        raise ImportError("sweeps on a cluster need Dask: pip install engine2d[sweep]") from error
    if isinstance(client, str):
        with Client(client) as own:
            return _on_cluster(own, work, runs, bar)
    threads = sum(client.nthreads().values())
    batches, rows = _Batches(runs, threads), []

    def submit(batch: list[int]) -> Any:
        return client.submit(_work, work, batch, pure=False, retries=RETRIES)

    first = [submit(batch) for _ in range(WAITING * max(threads, 1)) if (batch := batches.take())]
    ended = as_completed(first, with_results=False)
    for future in ended:
        found, seconds = future.result()
        _gather(found, seconds, rows, batches, bar)
        future.release()
        if batch := batches.take():
            ended.add(submit(batch))
    return rows


def _gather(found: list[str], seconds: float, rows: list[str], batches: _Batches, bar: Any) -> None:
    rows.extend(found)
    batches.note(len(found), seconds)
    if bar is not None:
        bar.update(len(found))


def _timed(work: Callable[[list[int]], list[str]], batch: list[int]) -> tuple[list[str], float]:
    start = time.perf_counter()
    return work(batch), time.perf_counter() - start


@dataclass
class _Work:
    """A sweep as it is sent to workers."""

    text: str
    scene: str | None
    measures: dict[str, Measure]

    def plan(self) -> _native.Sweep:
        """The sweep, read once by each process."""
        key = (self.text, self.scene, *self.measures)
        if key not in _PLANS:
            _PLANS.clear()
            _PLANS[key] = _native.Sweep(self.text, self.scene, list(self.measures))
        return _PLANS[key]

    def run(self, batch: list[int]) -> list[str]:
        """The rows of a batch."""
        plan = self.plan()
        if not self.measures:
            return plan.run(batch)
        return [self._measured(plan, run) for run in batch]

    def _measured(self, plan: _native.Sweep, run: int) -> str:
        text, recording = plan.record(run)
        row = json.loads(text)
        if row["error"] is not None:
            return text
        count = len(recording.names)
        energies = recording.energies
        result = RunResult(
            run,
            dict(zip(plan.parameters, row["parameters"])),
            recording.names,
            recording.times,
            recording.states.reshape(-1, count, 6),
            energies[:, 0],
            energies[:, 1],
            energies[:, 2],
            recording.reports,
        )
        first = len(row["measures"]) - len(self.measures)
        for place, (name, measure) in enumerate(self.measures.items(), first):
            try:
                row["measures"][place] = _finite(measure(result))
            except Exception as error:
                row["error"] = f"measure {name!r}: {type(error).__name__}: {error}"
                row["measures"] = [None] * len(row["measures"])
                break
        return json.dumps(row)


def _finite(value: Any) -> float | None:
    if value is None:
        return None
    number = float(value)
    if not math.isfinite(number):
        raise ValueError(f"{number} is no finite number")
    return number


def _checked(measures: Mapping[str, Measure] | None) -> dict[str, Measure]:
    checked = dict(measures or {})
    for name, measure in checked.items():
        if not isinstance(name, str) or not callable(measure):
            path = f"measures[{name}]"
            raise SweepError(f"{path}: a function by the name of its column is needed, not {measure!r}", path, measure)
    return checked


_PLANS: dict[tuple[str | None, ...], _native.Sweep] = {}
"""The sweep that a process has read."""


def _work(work: _Work, batch: list[int]) -> tuple[list[str], float]:
    """A batch on a worker."""
    return _timed(work.run, batch)


def _bar(total: int) -> Any:
    try:
        from tqdm.auto import tqdm
    except ImportError as error:
        raise ImportError("progress bars need tqdm: pip install engine2d[progress]") from error
    return tqdm(total=total, unit="run")
