"""Environments: the checker of Gymnasium, equal seeds give equal bits, torques are torques, vectors."""

import math

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium")

from engine2d import gym  # noqa: E402
from gymnasium.utils.env_checker import check_env  # noqa: E402

KINDS = [(kind, discrete) for kind in (gym.CartPole, gym.Walker) for discrete in (False, True)]


@pytest.mark.parametrize("kind, discrete", KINDS)
@pytest.mark.filterwarnings("ignore")
def test_the_checker_of_gymnasium_is_content(kind, discrete):
    check_env(kind(discrete=discrete), skip_render_check=True)


def episode(make, seed, steps):
    env = make()
    env.action_space.seed(seed)
    rows = [env.reset(seed=seed)[0]]
    for _ in range(steps):
        seen, reward, ended, truncated, info = env.step(env.action_space.sample())
        assert "error" not in info, info
        rows.append(np.append(seen, reward))
        if ended or truncated:
            break
    return [row.tobytes() for row in rows], env.world.digest


@pytest.mark.parametrize("kind", [gym.CartPole, gym.Walker])
def test_equal_seeds_give_equal_bits_and_others_do_not(kind):
    first, again, other = episode(kind, 3, 60), episode(kind, 3, 60), episode(kind, 4, 60)
    assert first == again
    assert first[1] != other[1]


def test_a_torque_is_a_torque():
    # 10 N on a cart and pole of 1.1 kg in all: their momentum grows by 10 N times the time.
    env = gym.CartPole()
    env.reset(seed=0)
    for k in range(4):
        env.step(np.array([1.0]))
        (along, _), _ = env.world.momentum
        assert along == pytest.approx(10.0 * 0.025 * (k + 1), rel=1e-6)
    env.step(np.array([-0.5]))
    assert env.world.momentum[0][0] == pytest.approx(10.0 * 0.025 * 3.5, rel=1e-6)


def test_a_speed_is_a_speed():
    scene = {
        "format": "engine2d-scene",
        "version": 1,
        "bodies": [{"name": "wheel", "shape": {"type": "ball", "radius": 0.5}, "mass": 1.0}],
        "connectors": [
            {"type": "pin", "body_a": "ground", "body_b": "wheel", "name": "axle"},
            {"type": "motor", "body_a": "ground", "body_b": "wheel", "speed": 0, "name": "drive"},
        ],
    }
    motors = [gym.Motor("drive", 4.0, "speed", (-1.0, 0.5))]
    env = gym.Environment(scene, motors, ["bodies[wheel].spin", "time"], lambda seen, parts: seen["time"], longest=2)
    env.reset()
    seen, reward, _, truncated, _ = env.step(1)
    assert seen[0] == pytest.approx(2.0) and reward == pytest.approx(0.025) and not truncated
    seen, _, _, truncated, _ = env.step(0)
    assert seen[0] == pytest.approx(-4.0) and truncated


def test_the_pole_can_be_swung_up():
    # Pushing so that the pole gains energy while it hangs brings it above the rail.
    env = gym.CartPole()
    seen, _ = env.reset(seed=1)
    highest = -1.0
    for _ in range(400):
        x, vx, cosine, sine, spin = seen
        push = math.copysign(0.6, spin * cosine) if cosine < 0 else 0.0
        seen, _, _, _, _ = env.step(np.array([push if abs(x) < 1.2 else -math.copysign(0.6, x)]))
        highest = max(highest, seen[2])
    assert highest > 0.5


def test_a_vector_is_its_members():
    vector = gym.VectorEnvironment(lambda: gym.CartPole(longest=5), 3)
    seen, _ = vector.reset(seed=10)
    alone = [gym.CartPole(longest=5) for _ in range(3)]
    assert np.array_equal(seen, np.stack([env.reset(seed=10 + k)[0] for k, env in enumerate(alone)]))
    for step in range(5):
        actions = np.full((3, 1), 0.2 * step)
        seen, rewards, _, truncated, _ = vector.step(actions)
        own = [env.step(action) for env, action in zip(alone, actions)]
        assert np.array_equal(seen, np.stack([one[0] for one in own]))
        assert np.array_equal(rewards, [one[1] for one in own])
    assert truncated.all()
    _, rewards, _, truncated, _ = vector.step(actions)
    assert not truncated.any() and not rewards.any()
    vector.close()


def test_mistakes_are_told():
    def make(motors, observe):
        return gym.Environment("suspended_car", motors, observe, lambda seen, parts: 0.0)

    with pytest.raises(ValueError, match="at least one"):
        make([], ["time"])
    with pytest.raises(ValueError, match="neither 'torque' nor 'speed'"):
        make([gym.Motor("drive", 1.0, "power")], ["time"])
    with pytest.raises(ValueError, match="bodies.NAME..FIELD is needed"):
        make([gym.Motor("drive", 1.0)], ["bodies[chassis].colour"]).reset()
    with pytest.raises(gymnasium.error.ResetNeeded):
        make([gym.Motor("drive", 1.0)], ["time"]).step(np.zeros(1))
