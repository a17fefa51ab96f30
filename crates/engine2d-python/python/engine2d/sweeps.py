"""Sweeps: many runs of one scene, here, on the processors of this machine, or on a Dask cluster; always the same table."""

from __future__ import annotations

import concurrent.futures
import json
import os
import pathlib
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Union

from . import _native
from .errors import SweepError
from .world import scene_text

__all__ = ["SweepResult", "sweep"]

Source = Union[str, "os.PathLike[str]", Mapping[str, Any]]

BATCH_SECONDS = 2.0
"""How long a batch should take: long against the cost of sending it, short against that of losing it."""

LARGEST_BATCH = 4096
"""Most runs of a batch."""

WAITING = 3
"""Batches that are given out for each processor: one that runs, and others that wait for it."""

RETRIES = 5
"""How often a batch is given out again when its worker is lost."""


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
) -> SweepResult:
    """Runs a sweep and returns its table.

    ``file``: the path of a sweep file, its JSON text, or a dictionary. ``client``: a ``dask.distributed.Client``, or the address
    of a scheduler, to run it on a cluster; nothing runs it on the threads of this process. ``jobs``: how many of these
    (the processors there are). ``runs``: only these runs. ``progress`` shows a bar by tqdm.

    Runs are given out in batches of about two seconds, by the cost measured so far; only a few batches wait at a time, and
    a batch whose worker is lost is given out again. The table has the same bits whatever the number of workers or the order
    of arrival. A run that fails is a row with its message. Raises ``SweepError`` for a mistake in the sweep.
    """
    text, scene = _texts(file)
    plan = _native.Sweep(text, scene)
    wanted = list(range(len(plan))) if runs is None else list(runs)
    bar = _bar(len(wanted)) if progress else None
    try:
        if client is None:
            rows = _on_threads(plan, wanted, jobs or os.cpu_count() or 1, bar)
        else:
            rows = _on_cluster(client, (text, scene), wanted, bar)
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


def _on_threads(plan: _native.Sweep, runs: Sequence[int], jobs: int, bar: Any) -> list[str]:
    batches, rows = _Batches(runs, jobs), []
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        open_ones = {pool.submit(_timed, plan.run, batch) for _ in range(jobs) if (batch := batches.take())}
        while open_ones:
            ended, open_ones = concurrent.futures.wait(open_ones, return_when=concurrent.futures.FIRST_COMPLETED)
            for future in ended:
                found, seconds = future.result()
                _gather(found, seconds, rows, batches, bar)
                if batch := batches.take():
                    open_ones.add(pool.submit(_timed, plan.run, batch))
    return rows


def _on_cluster(client: Any, texts: tuple[str, str | None], runs: Sequence[int], bar: Any) -> list[str]:
    try:
        from distributed import Client, as_completed
    except ImportError as error:
        raise ImportError("sweeps on a cluster need Dask: pip install engine2d[sweep]") from error
    if isinstance(client, str):
        with Client(client) as own:
            return _on_cluster(own, texts, runs, bar)
    threads = sum(client.nthreads().values())
    batches, rows = _Batches(runs, threads), []

    def submit(batch: list[int]) -> Any:
        return client.submit(_work, texts, batch, pure=False, retries=RETRIES)

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


_PLANS: dict[tuple[str, str | None], _native.Sweep] = {}
"""Sweeps that a worker has read."""


def _work(texts: tuple[str, str | None], batch: list[int]) -> tuple[list[str], float]:
    """A batch on a worker."""
    if texts not in _PLANS:
        _PLANS.clear()
        _PLANS[texts] = _native.Sweep(*texts)
    return _timed(_PLANS[texts].run, batch)


def _bar(total: int) -> Any:
    try:
        from tqdm.auto import tqdm
    except ImportError as error:
        raise ImportError("progress bars need tqdm: pip install engine2d[progress]") from error
    return tqdm(total=total, unit="run")
