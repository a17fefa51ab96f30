"""Worlds: the same bits as the command, states, forces, events, pickling, threads."""

import copy
import csv
import json
import pickle
import subprocess
import threading
import time
from statistics import median

import engine2d
import numpy as np
import pytest

DROP = {
    "format": "engine2d-scene",
    "version": 1,
    "name": "drop",
    "bodies": [
        engine2d.wall(10.0, 1.0, at=(0.0, -0.5), elasticity=0.0, friction=0.5, name="floor"),
        engine2d.block(2.0, 1.0, at=(0.0, 0.5), mass=3.0, elasticity=0.0, friction=0.5, name="crate"),
    ],
    "force_laws": [{"type": "gravity", "strength": 10.0}],
}


def run_command(command, scene, until, folder):
    """What the command writes."""
    arguments = [command, "run", scene, "--until", str(until), "--out", str(folder)]
    subprocess.run(arguments, check=True, capture_output=True)
    with open(folder / "trajectory.csv", newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file))
    with open(folder / "summary.json", encoding="utf-8") as file:
        summary = json.load(file)
    with open(folder / "events.jsonl", encoding="utf-8") as file:
        events = [json.loads(line) for line in file]
    return rows, summary, events


@pytest.mark.parametrize("scene", ["pile", "suspended_car", "chain"])
def test_a_run_has_the_bits_of_the_command(command, scene, tmp_path):
    rows, summary, events = run_command(command, scene, 1.5, tmp_path)
    world = engine2d.World.from_scene(scene)
    seen, happened = [], []

    def note():
        energy = world.energy
        free = [body.index for body in world.bodies if not body.fixed]
        numbers = [world.time, energy.kinetic, energy.potential, energy.total, *world.state[free].ravel()]
        seen.append([float(number) for number in numbers])

    def look(_, report):
        note()
        happened.extend(report.events)

    note()
    world.run(1.5, [look])
    assert world.digest == summary["digest"]
    assert seen == [[float(number) for number in row] for row in rows[1:]]
    for key in ("event", "time", "bodies", "impulse", "contact"):
        assert [event.get(key) for event in happened] == [event.get(key) for event in events]


def test_a_run_without_observers_is_the_same():
    watched, alone = engine2d.World.from_scene("pile"), engine2d.World.from_scene("pile")
    reports = []
    watched.run(1.0, [lambda world, report: reports.append(report)])
    last = alone.run(1.0)
    assert watched.digest == alone.digest and len(reports) == 40
    assert last.time == reports[-1].time == alone.time == 1.0
    assert last.energy == reports[-1].energy == alone.energy.total


def test_states_are_arrays_of_their_moment():
    world = engine2d.World.from_scene(DROP)
    before = world.state
    assert before.shape == (2, 6) and before.dtype == np.float64
    assert before[1].tolist() == [0.0, 0.5, 0.0, 0.0, 0.0, 0.0]
    with pytest.raises(ValueError):
        before[0, 0] = 1.0
    assert world.state is before
    kicked = before.copy()
    kicked[1, 3:] = (1.0, 0.0, 0.25)
    world.set_state(kicked)
    assert world.state.tolist() == kicked.tolist() and before[1, 3] == 0.0
    assert world.velocities[1].tolist() == [1.0, 0.0] and world.angular_velocities[1] == 0.25
    assert world.body("crate").velocity == (1.0, 0.0)
    with pytest.raises(ValueError, match="shape"):
        world.set_state(kicked[:1])


def test_contacts_hold_up_the_crate():
    world = engine2d.World.from_scene(DROP)
    report = world.advance(0.1)
    contacts = report.contacts
    assert len(contacts) == 2 and not contacts.bilateral.any()
    assert contacts.names == [("crate", "floor")] * 2
    assert contacts.bodies.tolist() == [[1, 0]] * 2
    assert contacts.force.sum() == pytest.approx(30.0, abs=1e-9)
    assert contacts.vectors.sum(axis=0) == pytest.approx([0.0, 30.0], abs=1e-9)
    assert sorted(contacts.points[:, 0]) == pytest.approx([-1.0, 1.0], abs=1e-6)
    assert 0.0 <= report.certificate <= 1e-8 and report.lcp_solves > 0
    assert world.certificate == report.certificate
    world.apply_force("crate", (6.0, 0.0), (0.0, 0.0))
    friction = world.advance(0.01).contacts
    assert friction.vectors[:, 0].sum() == pytest.approx(-6.0, abs=1e-9)
    assert world.advance(0.01).contacts.vectors[:, 0].sum() == pytest.approx(0.0, abs=1e-9)


def test_energy_is_the_sum_of_its_parts():
    world = engine2d.World.from_scene(DROP)
    world.set_velocity("crate", (3.0, 4.0), 2.0)
    energy = world.energy
    assert energy.translational == pytest.approx(0.5 * 3.0 * 25.0)
    assert energy.rotational == pytest.approx(0.5 * world.body("crate").moment * 4.0)
    assert energy.total == energy.kinetic + energy.potential
    assert world.momentum[0] == (9.0, 12.0)


def test_questions_about_places():
    world = engine2d.World.from_scene(DROP)
    name, distance, point, normal = world.ray((0.0, 10.0), (0.0, -2.0))
    assert (name, distance, point, normal) == ("crate", 9.0, (0.0, 1.0), (0.0, 1.0))
    assert world.ray((0.0, 10.0), (0.0, 1.0)) is None
    assert world.at_point((0.9, 0.9)) == ["crate"]
    assert world.in_region(-0.1, 0.1, 0.1, 0.2) == ["crate"]
    assert world.nearest((0.0, 3.0))[:2] == ("crate", 2.0)
    gap, _, _, normal = world.distance("crate", "floor")
    assert abs(gap) < 1e-12 and normal == pytest.approx((0.0, 1.0))


def test_mistakes_have_paths_and_values():
    scene = copy.deepcopy(DROP)
    scene["bodies"][1]["mass"] = -1.0
    scene["bodies"][0]["frictoin"] = 0.3
    with pytest.raises(engine2d.SceneError) as caught:
        engine2d.World.from_scene(scene)
    paths = [mistake.path for mistake in caught.value.mistakes]
    assert paths == ["bodies[0].frictoin", "bodies[1].mass"] and caught.value.path == paths[0]
    assert "did you mean" in str(caught.value)
    world = engine2d.World.from_scene(DROP)
    with pytest.raises(engine2d.SimulationError) as caught:
        world.advance(-1.0)
    assert (caught.value.path, caught.value.value) == ("step", -1.0)
    with pytest.raises(engine2d.SimulationError) as caught:
        world.body("creat")
    assert caught.value.value == "creat"
    with pytest.raises(engine2d.SceneError):
        engine2d.World.from_scene("{")
    with pytest.raises(FileNotFoundError, match="pile"):
        engine2d.World.from_scene("no_such_scene")
    again = pickle.loads(pickle.dumps(caught.value))
    assert (str(again), again.value) == (str(caught.value), "creat")


@pytest.mark.parametrize("scene", [name for name, _ in engine2d.scenes()])
def test_a_pickled_world_goes_on_bit_for_bit(scene):
    world = engine2d.World.from_scene(scene)
    step = world.time_step
    world.run(world.time + 6 * step)
    again = pickle.loads(pickle.dumps(world))
    assert isinstance(again, engine2d.World) and again.digest == world.digest
    for _ in range(4):
        world.advance(step)
        again.advance(step)
        assert again.digest == world.digest


def test_what_was_changed_is_pickled_too():
    scene = {
        "format": "engine2d-scene",
        "version": 1,
        "bodies": [engine2d.ball(0.5, name="wheel")],
        "connectors": [
            {"type": "pin", "body_a": "ground", "body_b": "wheel", "point_a": [0, 0], "point_b": [0, 0], "name": "hub"},
            {"type": "motor", "body_a": "ground", "body_b": "wheel", "speed": 1.0, "limit": 50.0, "name": "drive"},
        ],
    }
    world = engine2d.World.from_scene(scene)
    assert "drive" in world.joints
    world.set_motor("drive", speed=3.0)
    world.apply_force("wheel", (0.0, 5.0), (0.3, 0.0))
    again = world.copy()
    for one in (world, again):
        one.advance(1.0)
        assert one.body("wheel").angular_velocity == pytest.approx(3.0, abs=1e-6)
    assert again.digest == world.digest
    with pytest.raises(engine2d.SimulationError):
        world.set_motor("no such motor", speed=1.0)


def test_snapshots_return():
    world = engine2d.World.from_scene("pile")
    world.run(0.5)
    saved, digest = world.snapshot(), world.digest
    world.run(1.0)
    later = world.digest
    world.restore(saved)
    assert world.digest == digest != later
    world.run(1.0)
    assert world.digest == later
    with pytest.raises(ValueError):
        world.restore(b"{}")


def test_threads_run_side_by_side():
    def final(out, place):
        world = engine2d.World.from_scene("pile")
        world.run(1.0)
        out[place] = world.digest

    digests = [None] * 4
    threads = [threading.Thread(target=final, args=(digests, place)) for place in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    alone = [None]
    final(alone, 0)
    assert digests == alone * 4


def test_the_lock_of_the_interpreter_is_free_meanwhile():
    world = engine2d.World.from_scene("pile")
    thread = threading.Thread(target=world.run, args=(3.0,))
    thread.start()
    ticks = 0
    while thread.is_alive():
        ticks += 1
        time.sleep(0.001)
    thread.join()
    assert world.time == 3.0 and ticks >= 10


def test_states_are_handed_over_without_a_copy():
    bodies = [engine2d.ball(0.1, at=(k % 100, k // 100)) for k in range(10_000)]
    scene = {"format": "engine2d-scene", "version": 1, "bodies": bodies, "settings": {"clock": "time_stepping"}}
    world = engine2d.World.from_scene(scene)

    def seconds(work):
        start = time.perf_counter()
        result = work()
        return time.perf_counter() - start, result

    handed, copied, kept = [], [], []
    for _ in range(20):
        world.advance(1e-3)
        once, state = seconds(lambda: world.state)
        handed.append(once)
        once, twin = seconds(state.copy)
        copied.append(once)
        assert state.shape == (10_000, 6)
        # To give memory back costs time too, which is not what is measured.
        kept += [state, twin]
    # Medians: a copy into new memory takes several times as long as one into memory that was used before, which the least time is of.
    handed, copied = median(handed), median(copied)
    print(f"state of 10,000 bodies: {handed * 1e6:.1f} µs, a copy of it {copied * 1e6:.1f} µs")
    assert handed < 0.5 * copied, f"{handed * 1e6:.1f} µs, a copy takes {copied * 1e6:.1f}"


def test_a_call_costs_as_little_as_one_of_numpy():
    step, count = 2.0**-7, 4_000
    settings = {"clock": "time_stepping", "time_step": step}
    scene = {"format": "engine2d-scene", "version": 1, "bodies": [engine2d.ball(0.1)], "settings": settings}

    def seconds(calls):
        """Of the same steps, in so many calls: what the calls cost is the difference."""
        world = engine2d.World.from_scene(scene)
        world.advance(step)
        start = time.perf_counter()
        for _ in range(calls):
            world.advance(step * (count // calls))
        return time.perf_counter() - start, world.digest

    def peer():
        numbers = np.zeros(1)
        start = time.perf_counter()
        for _ in range(count):
            np.add(numbers, step, out=numbers)
        return (time.perf_counter() - start) / count

    extra, least = float("inf"), float("inf")
    for _ in range(5):
        (many, one), (few, other) = seconds(count), seconds(1)
        assert one == other
        extra, least = min(extra, (many - few) / count), min(least, peer())
    print(f"a call of advance: {extra * 1e6:.2f} µs, one of numpy {least * 1e6:.2f} µs")
    assert extra < 1.5 * least, f"{extra * 1e6:.2f} µs, a call of numpy {least * 1e6:.2f}"


def test_pictures_for_notebooks():
    world = engine2d.World.from_scene(DROP)
    assert world._repr_svg_().startswith("<svg")
    before = world.digest
    page = world.replay(0.5)
    assert world.digest == before
    assert "<html" in page.page and page._repr_html_().startswith("<iframe")


def test_progress_is_shown_when_asked(capsys):
    pytest.importorskip("tqdm")
    world = engine2d.World.from_scene(DROP)
    world.run(0.5, progress=True)
    assert world.time == 0.5 and "0.50/0.50" in capsys.readouterr().err


def test_a_scene_is_built_and_saved(tmp_path):
    builder = (
        engine2d.SceneBuilder("built", duration=2.0)
        .gravity(9.81)
        .material("ice", friction=0.0)
        .add(engine2d.wall(10.0, 1.0, at=(0.0, -0.5)), engine2d.ball(0.5, at=(0.0, 3.0), name="ball"))
        .add(engine2d.polygon([(0, 0), (1, 0), (0, 1)], at=(3.0, 2.0), name="wedge"))
        .settings(time_step=0.01)
    )
    world = builder.save(tmp_path / "built.json").build()
    again = engine2d.World.from_scene(tmp_path / "built.json")
    world.run()
    again.run()
    assert world.digest == again.digest and world.time == 2.0 and len(world) == 3
    assert again.scene["name"] == "built" and world.names[2] == "wedge"
