"""What a sweep costs on a Dask cluster beside Rust alone: ``python tools/sweep_cost.py [COMMAND] --runs 1000 --workers 2``.

Rust alone is the command, or without one threads of this process, which run outside the interpreter's lock. Runs of the pile of 12 over the elasticity of its floor, a simulated second each. Both ways have as many processors. Each is run as
often as ``--repeat`` says, by turns; the least times count, which neighbours on the machine disturb least. Processor time tells
whether the workers were busy: of what their processors had while the sweep ran, the part that they used.
"""

import argparse
import json
import os
import pathlib
import resource
import subprocess
import tempfile
import time

import engine2d
from distributed import Client, LocalCluster


def sweep_of(runs):
    """A sweep of so many runs."""
    return {
        "format": "engine2d-sweep",
        "version": 1,
        "scene": "pile",
        "parameters": [{"path": "bodies[floor].elasticity", "range": [0.0, 0.9]}],
        "sampling": {"method": "random", "count": runs, "seed": 1},
        "until": 1.0,
        "measures": [{"of": "kinetic_energy", "reduce": "last"}, {"of": "events[collision]", "reduce": "count"}],
    }


def by_command(command, sweep, workers):
    """Seconds and processor seconds of the command, and the digest of its table."""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "sweep.json"
        file.write_text(json.dumps(sweep), encoding="utf-8")
        line = [command, "sweep", str(file), "--out", str(pathlib.Path(folder) / "out"), "--jobs", str(workers)]
        before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        output = subprocess.run(line, check=True, capture_output=True, text=True).stdout
        seconds, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return seconds, used, output.split()[-1]


def by_threads(sweep, workers):
    """Seconds and processor seconds of threads of this process, and the digest of the table."""
    before, start = time.process_time(), time.perf_counter()
    result = engine2d.sweep(sweep, jobs=workers)
    assert not result.failed
    return time.perf_counter() - start, time.process_time() - before, result.digest


def by_cluster(client, sweep):
    """Seconds of the cluster, processor seconds of its workers, and the digest of the table."""
    before, start = sum(client.run(time.process_time).values()), time.perf_counter()
    result = engine2d.sweep(sweep, client)
    seconds = time.perf_counter() - start
    assert not result.failed
    return seconds, sum(client.run(time.process_time).values()) - before, result.digest


def main():
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("command", nargs="?")
    parser.add_argument("--runs", type=int, default=10_000)
    parser.add_argument("--workers", type=int, default=os.cpu_count())
    parser.add_argument("--repeat", type=int, default=3)
    asked = parser.parse_args()
    sweep = sweep_of(asked.runs)
    options = {"n_workers": asked.workers, "threads_per_worker": 1, "processes": True, "dashboard_address": None}
    alone, clusters = [], []
    with LocalCluster(**options) as cluster, Client(cluster) as client:
        engine2d.sweep(sweep_of(4 * asked.workers), client)
        for _ in range(asked.repeat):
            if asked.command:
                alone.append(by_command(asked.command, sweep, asked.workers))
            else:
                alone.append(by_threads(sweep, asked.workers))
            clusters.append(by_cluster(client, sweep))
    digests = {digest for _, _, digest in alone + clusters}
    assert len(digests) == 1, f"the tables differ: {digests}"
    for name, figures in [("Rust alone", alone), ("cluster", clusters)]:
        seconds, used, _ = min(figures)
        busy = used / (seconds * asked.workers)
        print(f"{name}: {seconds:.2f} s, {used:.2f} s of processors, busy {100 * busy:.0f} %, {asked.runs / seconds:.0f} runs/s")
    wall, work = min(clusters)[0] / min(alone)[0], min(c[1] for c in clusters) / min(c[1] for c in alone)
    print(f"cluster over Rust alone: {wall:.3f} of the time, {work:.3f} of the processor time; digest {digests.pop()}")


if __name__ == "__main__":
    main()
