"""Sweeps: one table, whoever runs them."""

import copy
import json
import os
import random
import signal
import subprocess
import threading
import time

import engine2d
import pytest

SWEEP = {
    "format": "engine2d-sweep",
    "version": 1,
    "scene": "pile",
    "parameters": [
        {"path": "bodies[floor].elasticity", "values": [0.0, 0.3, 0.6]},
        {"path": "force_laws[0].strength", "name": "g", "range": [5.0, 15.0]},
    ],
    "sampling": {"method": "sobol", "count": 8, "seed": 3},
    "until": 0.5,
    "measures": [
        {"name": "hits", "of": "events[collision]", "reduce": "count"},
        {"name": "hardest", "of": "events[collision].impulse", "reduce": "max"},
        {"name": "lowest", "of": "potential_energy", "reduce": "min"},
        {"name": "when", "of": "kinetic_energy", "reduce": "time_of_max"},
    ],
}


def command_digest(command, sweep, folder, *arguments):
    file = folder / "sweep.json"
    file.write_text(json.dumps(sweep), encoding="utf-8")
    line = [command, "sweep", str(file), "--out", str(folder / "out"), *arguments]
    return subprocess.run(line, check=True, capture_output=True, text=True).stdout.split()[-1]


def test_threads_order_and_the_command_give_one_table(command, tmp_path):
    alone = engine2d.sweep(SWEEP, jobs=1)
    assert len(alone.rows) == 24 and not alone.failed
    assert engine2d.sweep(SWEEP, jobs=4).digest == alone.digest
    shuffled = list(range(24))
    random.Random(1).shuffle(shuffled)
    other = engine2d.sweep(SWEEP, jobs=2, runs=shuffled)
    assert other.digest == alone.digest and other.rows == alone.rows
    assert command_digest(command, SWEEP, tmp_path) == alone.digest
    assert engine2d.sweep(SWEEP, runs=range(23)).digest != alone.digest


def test_the_rows_are_what_a_world_does():
    result = engine2d.sweep(SWEEP, runs=[5])
    row = result.rows[0]
    scene = engine2d.World.from_scene("pile").scene
    floor = next(body for body in scene["bodies"] if body.get("name") == "floor")
    floor["elasticity"], scene["force_laws"][0]["strength"] = row["parameters"]
    world = engine2d.World.from_scene(scene)
    impulses, lowest, kinetic = [], [world.energy.potential], [(world.energy.kinetic, 0.0)]

    def look(world, report):
        impulses.extend(event["impulse"] for event in report.events if event["event"] == "collision")
        lowest.append(world.energy.potential)
        kinetic.append((world.energy.kinetic, world.time))

    world.run(0.5, [look])
    most = max(energy for energy, _ in kinetic)
    when = next(time for energy, time in kinetic if energy == most)
    assert row["measures"] == [len(impulses), max(impulses), min(lowest), when]
    assert row["digest"] == world.digest


def test_samples_of_sobol_are_those_of_the_literature():
    qmc = pytest.importorskip("scipy.stats").qmc
    count, dimensions = 64, 21
    sweep = {
        "format": "engine2d-sweep",
        "version": 1,
        "scene": {"format": "engine2d-scene", "version": 1, "bodies": []},
        "parameters": [{"path": f"x{k}", "range": [0.0, 1.0]} for k in range(dimensions)],
        "sampling": {"method": "sobol", "count": count},
    }
    drawn = [row["parameters"] for row in engine2d.sweep(sweep).rows]
    assert drawn == qmc.Sobol(dimensions, scramble=False).random(count).tolist()


def test_failures_are_rows_and_mistakes_have_paths():
    failing = copy.deepcopy(SWEEP)
    failing["parameters"][0]["values"] = [0.0, "bouncy"]
    result = engine2d.sweep(failing)
    assert len(result.rows) == 16 and len(result.failed) == 8
    assert "elasticity" in result.failed[0]["error"] and result.failed[0]["measures"] == [None] * 4
    wrong = copy.deepcopy(SWEEP)
    wrong["measures"][1]["of"] = "events[collision].impuls"
    with pytest.raises(engine2d.SweepError) as caught:
        engine2d.sweep(wrong)
    assert caught.value.path == "measures[1].of"
    with pytest.raises(engine2d.SweepError, match="no run 24"):
        engine2d.sweep(SWEEP, runs=[24])


def settled(run):
    """The first time from which on nothing is faster than 0.4."""
    fast = (run.states[:, :, 3] ** 2 + run.states[:, :, 4] ** 2).max(axis=1) > 0.4**2
    return run.times[int(fast.nonzero()[0].max())] if fast.any() else None


MEASURES = {
    "settled": settled,
    "hits too": lambda run: sum(event["event"] == "collision" for event in run.events),
    "lowest too": lambda run: run.potential.min(),
    "x": lambda run: run.parameters["g"] * run.body("plank")[-1, 0] if "plank" in run.names else run.energy[-1],
}


def test_functions_measure_what_the_file_measures():
    result = engine2d.sweep(SWEEP, jobs=1, measures=MEASURES)
    assert not result.failed
    for row in result.rows:
        hits, hardest, lowest, when, settled_at, hits_too, lowest_too, x = row["measures"]
        assert hits == hits_too and lowest == lowest_too and (settled_at is None or 0.0 <= settled_at <= 0.5)
    plain = engine2d.sweep(SWEEP, jobs=1)
    assert [row["measures"][:4] for row in result.rows] == [row["measures"] for row in plain.rows]
    assert [row["digest"] for row in result.rows] == [row["digest"] for row in plain.rows]
    shuffled = list(range(24))
    random.Random(2).shuffle(shuffled)
    other = engine2d.sweep(SWEEP, jobs=3, runs=shuffled, measures=MEASURES)
    assert other.digest == result.digest and other.rows == result.rows
    assert other.facts["engine2d.sweep"] != plain.facts["engine2d.sweep"]
    pytest.importorskip("pyarrow")
    assert result.to_arrow().column_names[8:12] == list(MEASURES)


def test_what_a_function_sees_is_what_a_world_does():
    seen = []
    result = engine2d.sweep(SWEEP, runs=[5], measures={"seen": lambda run: seen.append(run) or len(run.reports)})
    run, row = seen[0], result.rows[0]
    scene = engine2d.World.from_scene("pile").scene
    floor = next(body for body in scene["bodies"] if body.get("name") == "floor")
    floor["elasticity"], scene["force_laws"][0]["strength"] = row["parameters"]
    world = engine2d.World.from_scene(scene)
    states, times = [world.state], [0.0]
    world.run(0.5, [lambda world, report: (states.append(world.state), times.append(world.time))])
    assert run.states.tolist() == [state.tolist() for state in states] and run.times.tolist() == times
    assert run.parameters == {"bodies[floor].elasticity": row["parameters"][0], "g": row["parameters"][1]}
    assert run.names == world.names and len(run.reports) == len(times) - 1 == row["measures"][4]
    with pytest.raises(KeyError, match="no body 'nobody'"):
        run.body("nobody")


def test_functions_that_fail_are_rows_with_their_message():
    def picky(run):
        if run.run == 1:
            raise RuntimeError("too hot")
        return float("nan") if run.run == 2 else 1

    result = engine2d.sweep(SWEEP, runs=range(4), measures={"picky": picky})
    assert [row["error"] for row in result.rows] == [
        None,
        "measure 'picky': RuntimeError: too hot",
        "measure 'picky': ValueError: nan is no finite number",
        None,
    ]
    assert result.rows[1]["measures"] == [None] * 5 and result.rows[3]["measures"][4] == 1.0
    with pytest.raises(engine2d.SweepError, match="a function by the name"):
        engine2d.sweep(SWEEP, measures={"x": 3})
    for name in ["hits", "g", "error", ""]:
        with pytest.raises(engine2d.SweepError, match="is no name, or that of another column"):
            engine2d.sweep(SWEEP, measures={name: settled})


def test_tables_are_arrow_and_pandas(command, tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    pytest.importorskip("pandas")
    result = engine2d.sweep(SWEEP, runs=range(4))
    table = result.to_arrow()
    names = ["run", "repeat", "bodies[floor].elasticity", "g", "hits", "hardest", "lowest", "when", "digest", "error"]
    assert table.column_names == names and table.num_rows == 4
    assert table.schema.metadata[b"engine2d.scene"].decode() == result.facts["engine2d.scene"]
    assert result.to_pandas()["hits"].tolist() == [row["measures"][0] for row in result.rows]
    result.save(tmp_path / "table.parquet")
    assert parquet.read_table(tmp_path / "table.parquet").equals(table)
    command_digest(command, SWEEP, tmp_path)
    written = parquet.read_table(tmp_path / "out" / "part-1-of-1.parquet")
    assert written.equals(engine2d.sweep(SWEEP).to_arrow())
    facts = parquet.read_metadata(tmp_path / "out" / "part-1-of-1.parquet").metadata
    assert facts[b"engine2d.sweep"].decode() == result.facts["engine2d.sweep"]


def test_a_cluster_that_loses_a_worker_gives_the_same_table():
    distributed = pytest.importorskip("distributed")
    long = copy.deepcopy(SWEEP)
    long["sampling"]["count"], long["until"] = 16, 1.0
    expected = engine2d.sweep(long)
    options = {"n_workers": 2, "threads_per_worker": 1, "processes": True, "dashboard_address": None}
    with distributed.LocalCluster(**options) as cluster, distributed.Client(cluster) as client:
        victim = client.run(os.getpid)
        killed = []

        def kill():
            time.sleep(0.3)
            killed.append(next(iter(victim.values())))
            os.kill(killed[0], signal.SIGKILL)

        thread = threading.Thread(target=kill)
        thread.start()
        start = time.perf_counter()
        result = engine2d.sweep(long, client)
        seconds = time.perf_counter() - start
        thread.join()
        assert killed[0] not in client.run(os.getpid).values()
        assert seconds > 0.4, "the worker was killed while runs were under way"
        measured = engine2d.sweep(SWEEP, client, measures=MEASURES)
        again = engine2d.sweep(SWEEP, cluster.scheduler_address)
    assert result.digest == expected.digest and result.rows == expected.rows
    assert again.digest == engine2d.sweep(SWEEP).digest
    assert measured.digest == engine2d.sweep(SWEEP, measures=MEASURES).digest and not measured.failed
