"""What a running world is made of, changed."""

import pickle

import engine2d
import numpy as np
import pytest


def yard(clock="located"):
    return (
        engine2d.SceneBuilder("yard", duration=5.0)
        .settings(clock={"type": clock}, time_step=0.02)
        .gravity(9.81)
        .add(engine2d.wall(40.0, 1.0, at=(0.0, -0.5), name="floor"))
        .add(engine2d.block(1.0, 1.0, at=(-3.0, 0.5), name="crate"))
        .add(engine2d.block(2.0, 0.2, at=(6.0, 3.0), name="swing"))
        .connect("motor", name="drive", body_a="ground", body_b="swing", speed=1.0, limit=5.0)
        .connect("pin", name="hook", body_a="ground", body_b="swing", point_a=[6.0, 3.0])
        .build()
    )


@pytest.mark.parametrize("clock", ["located", "time_stepping"])
def test_bodies_joints_and_forces_come_and_go(clock):
    world = yard(clock)
    world.run(0.2)
    before = world.body("crate").position
    assert world.add_body(engine2d.ball(0.4, at=(0.0, 5.0), name="first", friction=0.3)) == "first"
    assert world.add_body(engine2d.ball(0.4), position=[3.0, 5.0], name="second", mass=2.0) == "second"
    assert world.add_body(engine2d.ball(0.4, at=(9.0, 9.0))) == "body5"
    assert world.names == ["floor", "crate", "swing", "first", "second", "body5"] and len(world) == 6
    assert world.state.shape == (6, 6) and world.body("second").mass == 2.0
    assert world.add_connector("rod", name="bar", body_a="first", body_b="second") == "bar"
    push = world.add_force_law("constant_force", body="second", force=[1.0, 0.0])
    world.run(0.6)
    first, second = world.body("first").position, world.body("second").position
    assert np.hypot(first[0] - second[0], first[1] - second[1]) == pytest.approx(3.0, abs=1e-5)
    assert world.body("crate").position == pytest.approx(before, abs=1e-4)
    world.remove_force_law(push)
    world.remove_body("first")
    assert world.connectors == ["drive", "hook"] and world.force_laws == [0]
    # Others keep names and places; rows close up.
    assert world.body("second").index == 4 and world.places == [0, 1, 2, 4, 5]
    assert world.names == ["floor", "crate", "swing", "second", "body5"]
    row = world.names.index("second")
    assert tuple(world.positions[row]) == world.body("second").position
    with pytest.raises(engine2d.SimulationError, match="first"):
        world.body("first")
    assert world.body(world.add_body(engine2d.ball(0.4, at=(0.0, 9.0), name="first"))).index == 3
    world.set_pose("first", (0.0, 7.0), 0.0)
    world.set_velocity("first", (0.5, 0.0), 1.0)
    state = np.array(world.state)
    world.set_state(state)
    assert world.state.tolist() == state.tolist()
    report = world.run(1.0)
    assert report.contacts.names and all("" not in pair for pair in report.contacts.names)
    world.remove_connector("hook")
    world.remove_connector("drive")
    world.run(3.0)
    assert world.joints == [] and world.body("swing").position[1] < 2.0


def test_an_edited_world_is_pickled_and_copied_to_the_same_bits():
    world = yard()
    world.run(0.1)
    for k in range(4):
        world.add_body(engine2d.ball(0.3, at=(2.0 * k - 2.0, 4.0), name=f"ball {k}", elasticity=0.4))
    world.add_connector("weld", name="glue", body_a="ball 1", point_a=[1.0, 0.0], body_b="ball 2", point_b=[-1.0, 0.0])
    world.run(0.4)
    world.remove_body("ball 0")
    world.remove_body("swing")
    world.set_velocity("ball 3", (1.0, 2.0), 3.0)
    world.apply_force("ball 3", (5.0, 0.0), world.body("ball 3").position)
    others = [pickle.loads(pickle.dumps(world)), world.copy()]
    others.append(pickle.loads(pickle.dumps(others[0])))
    for other in others:
        assert other.digest == world.digest and other.names == world.names and other.places == world.places
        assert other.connectors == world.connectors == ["glue"]
    for one in [world, *others]:
        one.advance(0.02)
        one.add_body(engine2d.block(0.5, 0.5, at=(-8.0, 3.0), name="late"))
        one.run(1.0)
    assert {other.digest for other in others} == {world.digest}
    assert world.scene["name"] == "yard" and len(world.scene["bodies"]) == 3


def test_mistakes_of_edits_have_paths_and_change_nothing():
    world = yard()
    world.run(0.1)
    digest = world.digest
    with pytest.raises(engine2d.SceneError) as caught:
        world.add_body({"mas": 1.0})
    assert any(mistake.path == "bodies[0].mas" for mistake in caught.value.mistakes)
    with pytest.raises(engine2d.SceneError, match="connectors\\[0\\].body_a"):
        world.add_connector("rod", body_a="crat", body_b="swing")
    with pytest.raises(engine2d.SimulationError, match="Crate 2"):
        world.add_body(engine2d.ball(0.1, at=(9.0, 9.0), name="Crate"))
    with pytest.raises(engine2d.SimulationError):
        world.add_body(engine2d.ball(0.4, at=(-3.0, 0.6), name="inside"))
    with pytest.raises(engine2d.SimulationError, match="nobody"):
        world.remove_body("nobody")
    with pytest.raises(engine2d.SimulationError):
        world.remove_force_law(7)
    with pytest.raises(engine2d.SimulationError):
        world.remove_connector("bar")
    with pytest.raises(engine2d.SimulationError):
        world.set_motor("bar", speed=1.0)
    assert world.digest == digest and world.edits() is None
