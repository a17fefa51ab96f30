"""Environments of Gymnasium: motors act, quantities by path are observed. Needs ``gymnasium``: ``pip install engine2d[gym]``."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Union

import gymnasium
import numpy as np

from .errors import SimulationError
from .world import Scene, World

__all__ = ["CartPole", "Environment", "Motor", "VectorEnvironment", "Walker"]

_FAST = 1e6
"""Speed that no motor of a limited force reaches in a step: its force is its limit."""

_PATH = re.compile(r"bodies\[(?P<body>.+)\]\.(?P<field>x|y|angle|vx|vy|spin|speed)")
_FIELDS = {"x": 0, "y": 1, "angle": 2, "vx": 3, "vy": 4, "angular_velocity": 5, "spin": 5}


@dataclass(frozen=True)
class Motor:
    """What an action does to a motor of the scene.

    ``joint``: its name. ``largest``: the largest torque or force, or the largest speed. ``drives``: ``"torque"`` (also the force of a
    travel) or ``"speed"``. ``levels``: the parts of ``largest`` to choose from, −1 to 1, for discrete actions.
    """

    joint: str
    largest: float
    drives: str = "torque"
    levels: tuple[float, ...] | None = None

    def apply(self, world: World, part: float) -> None:
        """Does a part of the largest, −1 to 1, from the next step on."""
        value = float(part) * self.largest
        if self.drives == "speed":
            world.set_motor(self.joint, speed=value)
        else:
            # A motor that cannot reach its speed pushes with all the force it has.
            world.set_motor(self.joint, speed=math.copysign(_FAST, value), limit=abs(value))


Observed = Union[str, tuple[str, Callable[[float], float]]]
"""A path, or a path and a function of its value."""


def _reader(world: World, path: str) -> Callable[[World, np.ndarray], float]:
    """How a quantity is read of a world and its state."""
    if path == "time":
        return lambda world, state: world.time
    if path == "energy":
        return lambda world, state: world.energy.total
    found = _PATH.fullmatch(path)
    if found is None:
        fields = ", ".join([*_FIELDS, "speed"])
        raise ValueError(f"observation {path!r}: time, energy or bodies[NAME].FIELD is needed, FIELD one of {fields}")
    index, field = world.body(found["body"]).index, found["field"]
    if field == "speed":
        return lambda world, state: math.hypot(state[index, 3], state[index, 4])
    column = _FIELDS[field]
    return lambda world, state: float(state[index, column])


class Environment(gymnasium.Env):
    """A scene as an environment.

    ``scene``: a scene, or a function that makes one of a generator of random numbers, called at each reset. ``motors``: what the
    action is; all of them with ``levels``, or none. ``observe``: paths as in sweeps, ``bodies[NAME].angle`` and so on. ``reward`` and
    ``ended`` are functions of the observations by path (and of the action, an array of parts of the largest). ``time_step``: time
    between actions. ``longest``: steps after which an episode is truncated. Equal seeds and actions give equal bits.
    """

    metadata = {"render_modes": ["svg"], "render_fps": 40}

    def __init__(
        self,
        scene: Scene | Callable[[np.random.Generator], Scene],
        motors: Sequence[Motor],
        observe: Sequence[Observed],
        reward: Callable[[Mapping[str, float], np.ndarray], float],
        *,
        ended: Callable[[Mapping[str, float]], bool] = lambda seen: False,
        time_step: float = 0.025,
        longest: int = 400,
        render_mode: str | None = None,
    ) -> None:
        if render_mode not in (None, "svg"):
            raise ValueError(f"render_mode: {render_mode!r} is neither None nor 'svg'")
        self._scene, self._motors = scene, list(motors)
        self._observe = [(one, None) if isinstance(one, str) else one for one in observe]
        self._reward, self._ended = reward, ended
        self._time_step, self._longest = float(time_step), int(longest)
        self.render_mode = render_mode
        self.world: World | None = None
        self._steps = 0
        discrete = [motor.levels is not None for motor in self._motors]
        if not self._motors or any(discrete) != all(discrete):
            raise ValueError("motors: at least one is needed, and all with levels or none")
        for motor in self._motors:
            if motor.drives not in ("torque", "speed"):
                raise ValueError(f"motor {motor.joint}: {motor.drives!r} is neither 'torque' nor 'speed'")
        self._discrete = discrete[0]
        if not self._discrete:
            self.action_space = gymnasium.spaces.Box(-1.0, 1.0, (len(self._motors),), np.float64)
        elif len(self._motors) == 1:
            self.action_space = gymnasium.spaces.Discrete(len(self._motors[0].levels))
        else:
            self.action_space = gymnasium.spaces.MultiDiscrete([len(motor.levels) for motor in self._motors])
        self.observation_space = gymnasium.spaces.Box(-np.inf, np.inf, (len(self._observe),), np.float64)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[np.ndarray, dict[str, Any]]:
        """A new world; ``seed`` starts the random numbers of the scene anew."""
        super().reset(seed=seed)
        self.world = World.from_scene(self._scene(self.np_random) if callable(self._scene) else self._scene)
        self._readers = [_reader(self.world, path) for path, _ in self._observe]
        self._steps = 0
        return self._look(), {"digest": self.world.digest}

    def _look(self) -> np.ndarray:
        state = self.world.state
        self._values = {path: read(self.world, state) for (path, _), read in zip(self._observe, self._readers)}
        seen = [self._values[path] if of is None else of(self._values[path]) for path, of in self._observe]
        return np.array(seen, dtype=np.float64)

    def parts(self, action: Any) -> np.ndarray:
        """The parts of the largest torque or speed that an action means."""
        if not self._discrete:
            return np.clip(np.asarray(action, dtype=np.float64).reshape(len(self._motors)), -1.0, 1.0)
        chosen = np.atleast_1d(action)
        return np.array([motor.levels[int(k)] for motor, k in zip(self._motors, chosen)])

    def step(self, action: Any) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        """Acts for a time step. A step that the engine cannot take truncates the episode: ``info["error"]`` says why."""
        if self.world is None:
            raise gymnasium.error.ResetNeeded("call reset before step")
        parts, info = self.parts(action), {}
        for motor, part in zip(self._motors, parts):
            motor.apply(self.world, part)
        try:
            self.world.advance(self._time_step)
        except SimulationError as error:
            info["error"] = str(error)
        self._steps += 1
        seen = self._look()
        truncated = self._steps >= self._longest or "error" in info
        return seen, float(self._reward(self._values, parts)), bool(self._ended(self._values)), truncated, info

    def render(self) -> str | None:
        """The world as an SVG picture, in the mode ``"svg"``."""
        return self.world.svg() if self.render_mode == "svg" and self.world is not None else None


class VectorEnvironment(gymnasium.vector.VectorEnv):
    """Environments side by side: their worlds advance on threads, outside the interpreter's lock.

    An environment that has ended is reset at the next step, which then has no reward.
    """

    metadata = {"autoreset_mode": gymnasium.vector.AutoresetMode.NEXT_STEP}

    def __init__(self, make: Callable[[], Environment], count: int, *, threads: int | None = None) -> None:
        self.envs = [make() for _ in range(count)]
        self.num_envs = count
        one = self.envs[0]
        self.single_observation_space, self.single_action_space = one.observation_space, one.action_space
        self.observation_space = gymnasium.vector.utils.batch_space(one.observation_space, count)
        self.action_space = gymnasium.vector.utils.batch_space(one.action_space, count)
        self._pool = ThreadPoolExecutor(threads)
        self._over = np.zeros(count, dtype=bool)

    def reset(self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None) -> Any:
        """New worlds; of one ``seed``, each has the next."""
        if seed is None or isinstance(seed, int):
            seed = [None if seed is None else seed + k for k in range(self.num_envs)]
        seen = [env.reset(seed=own, options=options)[0] for env, own in zip(self.envs, seed)]
        self._over[:] = False
        return np.stack(seen), {}

    def step(self, actions: Any) -> Any:
        """Acts in all worlds for a time step."""

        def one(k: int) -> tuple[Any, ...]:
            if self._over[k]:
                return (self.envs[k].reset()[0], 0.0, False, False, {})
            return self.envs[k].step(actions[k])

        seen, rewards, ended, truncated, infos = zip(*self._pool.map(one, range(self.num_envs)))
        ended, truncated = np.array(ended), np.array(truncated)
        self._over = ended | truncated
        info: dict[str, Any] = {}
        for k, own in enumerate(infos):
            info = self._add_info(info, own, k)
        return np.stack(seen), np.array(rewards), ended, truncated, info

    def close_extras(self, **kwargs: Any) -> None:
        """Ends the threads."""
        self._pool.shutdown()


def _cart_pole(random: np.random.Generator) -> dict[str, Any]:
    """A pole that hangs from a cart on a rail, a little out of rest."""
    angle = math.pi + random.uniform(-0.1, 0.1)
    x, y = -0.5 * math.sin(angle), 0.5 * math.cos(angle)
    return {
        "format": "engine2d-scene",
        "version": 1,
        "name": "cart and pole",
        "bodies": [
            {"name": "cart", "shape": {"type": "block", "width": 0.4, "height": 0.2}, "mass": 1.0},
            {
                "name": "pole",
                "shape": {"type": "block", "width": 0.05, "height": 1.0},
                "mass": 0.1,
                "position": [x, y],
                "angle": angle,
            },
        ],
        "force_laws": [{"type": "gravity", "strength": 9.81}],
        "connectors": [
            {"type": "prismatic", "body_a": "ground", "body_b": "cart", "axis": [1, 0], "name": "rail"},
            {"type": "pin", "body_a": "cart", "body_b": "pole", "point_b": [0, -0.5], "name": "hinge"},
            {
                "type": "motor",
                "drive": "travel",
                "axis": [1, 0],
                "body_a": "ground",
                "body_b": "cart",
                "speed": 0,
                "limit": 1,
                "name": "drive",
            },
            {"type": "slide_limit", "body_a": "ground", "body_b": "cart", "axis": [1, 0], "low": -2.4, "high": 2.4},
        ],
    }


class CartPole(Environment):
    """A pole to be swung up and held by pushing its cart, at most by 10 N. ``discrete``: left, nothing or right.

    Observed: place and speed of the cart, cosine and sine of the pole's angle (0 upright), its angular velocity.
    """

    def __init__(self, *, discrete: bool = False, longest: int = 400, render_mode: str | None = None) -> None:
        levels = (-1.0, 0.0, 1.0) if discrete else None
        observe = [
            "bodies[cart].x",
            "bodies[cart].vx",
            ("bodies[pole].angle", math.cos),
            ("bodies[pole].angle", math.sin),
            "bodies[pole].spin",
        ]

        def reward(seen: Mapping[str, float], parts: np.ndarray) -> float:
            upright = (1.0 + math.cos(seen["bodies[pole].angle"])) / 2.0
            return upright - 0.01 * seen["bodies[cart].x"] ** 2 - 0.001 * float(parts @ parts)

        super().__init__(
            _cart_pole,
            [Motor("drive", 10.0, levels=levels)],
            observe,
            reward,
            longest=longest,
            render_mode=render_mode,
        )


def _walker(random: np.random.Generator) -> dict[str, Any]:
    """A body on two legs of two parts each, a little above the ground."""
    surface = {"friction": 0.9, "elasticity": 0.0}
    lift = 0.02 + random.uniform(0.0, 0.02)
    bodies = [
        {
            "name": "floor",
            "shape": {"type": "block", "width": 100, "height": 1},
            "fixed": True,
            "position": [0, -0.5],
            **surface,
        },
        {
            "name": "torso",
            "shape": {"type": "block", "width": 0.3, "height": 0.5},
            "mass": 5.0,
            "position": [0, 1.25 + lift],
            **surface,
        },
    ]
    connectors = []
    for side, x in (("left", -0.08), ("right", 0.08)):
        for part, y, above, from_y in (("thigh", 0.75, "torso", -0.25), ("shin", 0.25, f"{side} thigh", -0.25)):
            name = f"{side} {part}"
            bodies.append(
                {
                    "name": name,
                    "shape": {"type": "block", "width": 0.1, "height": 0.5},
                    "mass": 1.0,
                    "position": [x, y + lift],
                    "collides_with": ["ground"],
                    "groups": ["legs"],
                    **surface,
                }
            )
            point = [x, from_y] if above == "torso" else [0, from_y]
            joint = {"body_a": above, "body_b": name}
            low, high = (-0.6, 0.6) if part == "thigh" else (-1.0, 0.05)
            connectors += [
                {"type": "pin", **joint, "point_a": point, "point_b": [0, 0.25], "name": f"{name} pin"},
                {"type": "motor", **joint, "speed": 0, "limit": 1, "name": name},
                {"type": "angle_limit", **joint, "low": low, "high": high},
            ]
    bodies[0] |= {"groups": ["ground"], "collides_with": ["ground", "legs"]}
    bodies[1] |= {"groups": ["ground"], "collides_with": ["ground"]}
    return {
        "format": "engine2d-scene",
        "version": 1,
        "name": "walker",
        "bodies": bodies,
        "force_laws": [{"type": "gravity", "strength": 9.81}],
        "connectors": connectors,
    }


class Walker(Environment):
    """A walker of five bodies with motors in hips and knees, rewarded for its way to the right. It ends when the torso falls."""

    def __init__(self, *, discrete: bool = False, longest: int = 400, render_mode: str | None = None) -> None:
        levels = (-1.0, 0.0, 1.0) if discrete else None
        legs = [f"{side} {part}" for side in ("left", "right") for part in ("thigh", "shin")]
        observe = [f"bodies[torso].{field}" for field in ("y", "angle", "vx", "vy", "spin")]
        observe += [f"bodies[{leg}].{field}" for leg in legs for field in ("angle", "spin")]

        def reward(seen: Mapping[str, float], parts: np.ndarray) -> float:
            return seen["bodies[torso].vx"] + 0.1 - 0.01 * float(parts @ parts)

        def fallen(seen: Mapping[str, float]) -> bool:
            return seen["bodies[torso].y"] < 0.8 or abs(seen["bodies[torso].angle"]) > 1.0

        motors = [Motor(leg, 30.0 if "thigh" in leg else 15.0, levels=levels) for leg in legs]
        super().__init__(
            _walker, motors, observe, reward, ended=fallen, longest=longest, render_mode=render_mode
        )
