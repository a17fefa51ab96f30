"""The figures of Box2D, Munk2D (the Chipmunk that pymunk brings) and MuJoCo in docs/comparison.md.

    python3 -m venv peers && peers/bin/pip install -r xtask/peers/requirements.txt
    peers/bin/python xtask/peers/comparison.py            # the scenes of exactness
    peers/bin/python xtask/peers/comparison.py --speed    # milliseconds of processor time a step

The scenes are those of `xtask/src/bench_steps/exactness.rs` and of `cargo xtask bench sim`: steps of 1/60 s, sleeping off. The
engines have their own settings but for those that forbid what a scene asks for: the speed from which they let bodies bounce is 0, and
Chipmunk's slop, made for pixels, is 5 mm. MuJoCo has no restitution coefficient; its elastic contacts are stiff springs without
damping. Coefficients are those of the pair.
"""

import argparse
import math
import statistics
import time
from importlib.metadata import version

import mujoco
import numpy as np
import pyb2d3
import pymunk

G = 9.81
STEP = 1.0 / 60.0
# Sub-steps of Box2D, as its documentation has it.
SUBSTEPS = 4


class Box2D:
    """Discs, boxes and pins in a world of Box2D."""

    name = f"Box2D 3 (pyb2d3 {version('pyb2d3')})"

    def __init__(self, gravity=0.0):
        self.world = pyb2d3.World(gravity=(0.0, -gravity), restitution_threshold=0.0, maximum_linear_speed=1e5)
        self.world.sleeping_enabled = False
        self.bodies = []

    def _add(self, fixed, at, angle, velocity):
        make = self.world.create_static_body if fixed else self.world.create_dynamic_body
        body = make(position=at, rotation=angle)
        if not fixed:
            body.linear_velocity = velocity
        self.bodies.append(body)
        return body

    @staticmethod
    def _shape(density, mu, e):
        return pyb2d3.shape_def(density=density, material=pyb2d3.surface_material(friction=mu, restitution=e))

    def disc(self, radius, at, velocity=(0.0, 0.0), mu=0.0, e=0.0, mass=None, fixed=False):
        density = 1.0 if mass is None else mass / (math.pi * radius**2)
        body = self._add(fixed, at, 0.0, velocity)
        body.create_shape(self._shape(density, mu, e), pyb2d3.circle(center=(0.0, 0.0), radius=radius))

    def box(self, width, height, at, angle=0.0, mu=0.0, e=0.0, mass=None, fixed=False):
        density = 1.0 if mass is None else mass / (width * height)
        body = self._add(fixed, at, angle, (0.0, 0.0))
        body.create_shape(self._shape(density, mu, e), pyb2d3.box(hx=width / 2, hy=height / 2))

    def pin(self, a, b, anchor_a, anchor_b):
        """The first body is number `a`, or the ground if that is None."""
        if a is None:
            self._add(True, (0.0, 0.0), 0.0, (0.0, 0.0))
            ground = self.bodies.pop()
            self.world.create_revolute_joint(
                body_a=ground, body_b=self.bodies[b], local_anchor_a=anchor_a, local_anchor_b=anchor_b
            )
        else:
            self.world.create_revolute_joint(
                body_a=self.bodies[a], body_b=self.bodies[b], local_anchor_a=anchor_a, local_anchor_b=anchor_b
            )

    def step(self, h=STEP):
        self.world.step(h, SUBSTEPS)

    def place(self, k):
        p = self.bodies[k].position
        return p[0], p[1], self.bodies[k].angle

    def velocity(self, k):
        v = self.bodies[k].linear_velocity
        return v[0], v[1], self.bodies[k].angular_velocity


class Munk:
    """The same in a space of Munk2D."""

    name = f"Munk2D (pymunk {pymunk.version})"

    def __init__(self, gravity=0.0):
        self.space = pymunk.Space()
        self.space.gravity = (0.0, -gravity)
        self.space.collision_slop = 0.005
        self.bodies = []

    def _add(self, body, shape, at, angle, velocity, mu, e):
        body.position, body.angle = at, angle
        if body.body_type == pymunk.Body.DYNAMIC:
            body.velocity = velocity
        # The engine multiplies the coefficients of a pair.
        shape.friction, shape.elasticity = math.sqrt(mu), math.sqrt(e)
        self.space.add(body, shape)
        self.bodies.append(body)

    def disc(self, radius, at, velocity=(0.0, 0.0), mu=0.0, e=0.0, mass=None, fixed=False):
        mass = math.pi * radius**2 if mass is None else mass
        body = pymunk.Body(mass, mass * radius**2 / 2) if not fixed else pymunk.Body(body_type=pymunk.Body.STATIC)
        self._add(body, pymunk.Circle(body, radius), at, 0.0, velocity, mu, e)

    def box(self, width, height, at, angle=0.0, mu=0.0, e=0.0, mass=None, fixed=False):
        mass = width * height if mass is None else mass
        inertia = mass * (width**2 + height**2) / 12
        body = pymunk.Body(mass, inertia) if not fixed else pymunk.Body(body_type=pymunk.Body.STATIC)
        self._add(body, pymunk.Poly.create_box(body, (width, height)), at, angle, (0.0, 0.0), mu, e)

    def pin(self, a, b, anchor_a, anchor_b):
        first = self.space.static_body if a is None else self.bodies[a]
        joint = pymunk.PivotJoint(first, self.bodies[b], anchor_a, anchor_b)
        joint.collide_bodies = False
        self.space.add(joint)

    def step(self, h=STEP):
        self.space.step(h)

    def place(self, k):
        body = self.bodies[k]
        return body.position.x, body.position.y, body.angle

    def velocity(self, k):
        body = self.bodies[k]
        return body.velocity.x, body.velocity.y, body.angular_velocity


class MuJoCo:
    """The same in a model of MuJoCo, each body with two slides and a hinge, or a hinge alone where it hangs on a pin."""

    name = f"MuJoCo {mujoco.__version__}"
    # Stiff springs without damping stand for restitution 1 (negative: stiffness and damping as such).
    elastic = 'solref="-1e4 0"'
    # A step that follows them.
    fine = 1e-3

    def __init__(self, gravity=0.0, method="implicitfast"):
        self.gravity, self.method = gravity, method
        self.parts, self.fixed, self.places, self.speeds, self.model = [], [], [], [], None
        self.excluded = []

    def _geom(self, kind, size, mass, mu, e):
        contact = f'friction="{mu} 0 0" condim="{3 if mu > 0 else 1}" '
        if e > 0:
            contact += self.elastic
        return f'<geom type="{kind}" size="{size}" mass="{mass}" {contact}/>'

    def _add(self, geom, at, angle, velocity, fixed):
        turned = f'pos="{at[0]} {at[1]} 0" euler="0 0 {angle}"'
        if fixed:
            self.fixed.append(geom.replace("<geom", f"<geom {turned}"))
        else:
            joints = "".join(f'<joint type="slide" axis="{axis}"/>' for axis in ("1 0 0", "0 1 0"))
            self.parts.append([turned, joints + '<joint type="hinge" axis="0 0 1"/>', geom])
            self.speeds += [velocity[0], velocity[1], 0.0]
        self.places.append(None if fixed else len(self.parts) - 1)

    def disc(self, radius, at, velocity=(0.0, 0.0), mu=0.0, e=0.0, mass=None, fixed=False):
        mass = math.pi * radius**2 if mass is None else mass
        # Contacts of spheres: a cylinder's are those of a general convex body.
        inertia = f'<inertial pos="0 0 0" mass="{mass}" diaginertia="{mass} {mass} {mass * radius**2 / 2}"/>'
        self._add(inertia + self._geom("sphere", radius, 0, mu, e), at, 0.0, velocity, fixed)

    def box(self, width, height, at, angle=0.0, mu=0.0, e=0.0, mass=None, fixed=False):
        mass = width * height if mass is None else mass
        # Thick: the contacts of its corners lie on both sides of the plane.
        self._add(self._geom("box", f"{width / 2} {height / 2} 0.5", mass, mu, e), at, angle, (0.0, 0.0), fixed)

    def rods(self, angle):
        """Two rods on pins: in coordinates of the joints, which is what the engine is for."""
        inertia = (0.05**2 + 1.0) / 12
        rod = f'<inertial pos="0 -0.5 0" mass="1" diaginertia="1 1 {inertia}"/>'
        hinge = '<joint type="hinge" axis="0 0 1"/>'
        self.tree = (
            f'<body euler="0 0 {angle}">{hinge}{rod}<body pos="0 -1 0">{hinge}{rod}</body></body>'
        )

    def start(self):
        bodies = getattr(self, "tree", None) or "".join(
            f"<body {turned}>{joints}{geom}</body>" for turned, joints, geom in self.parts
        )
        text = f"""<mujoco><compiler angle="radian" autolimits="true"/>
          <option timestep="{STEP}" gravity="0 {-self.gravity} 0" integrator="{self.method}" cone="elliptic" solver="Newton"/>
          <worldbody>{"".join(self.fixed)}{bodies}</worldbody></mujoco>"""
        self.model = mujoco.MjModel.from_xml_string(text)
        self.data = mujoco.MjData(self.model)
        self.origin = np.array([self.model.body_pos[k + 1][:2] for k in range(self.model.nbody - 1)])
        if self.speeds:
            self.data.qvel[:] = self.speeds
        mujoco.mj_forward(self.model, self.data)

    def step(self, h=STEP):
        if self.model is None:
            self.start()
        self.model.opt.timestep = h
        mujoco.mj_step(self.model, self.data)

    def place(self, k):
        if self.model is None:
            self.start()
        k = self.places[k]
        q = self.data.qpos[3 * k : 3 * k + 3]
        return self.origin[k][0] + q[0], self.origin[k][1] + q[1], q[2]

    def velocity(self, k):
        if self.model is None:
            self.start()
        k = self.places[k]
        return tuple(self.data.qvel[3 * k : 3 * k + 3])


def passes(world, seconds, look=lambda: None, h=STEP):
    for _ in range(round(seconds / h)):
        world.step(h)
        look()


def fine(engine):
    """The step for elastic contacts."""
    return getattr(engine, "fine", STEP)


def note(engine):
    return f" in steps of {engine.fine} s" if hasattr(engine, "fine") else ""


def cradle(engine):
    world = engine()
    for x, v in [(-2.5, 2.0), (0.0, 0.0), (1.0, 0.0), (2.0, 0.0), (3.0, 0.0)]:
        world.disc(0.5, (x, 0.0), (v, 0.0), e=1.0, mass=1.0)
    passes(world, 1.5, h=fine(engine))
    return " ".join(f"{world.velocity(k)[0] / 2:.2f}" for k in range(5)) + note(engine)


def bounce(engine):
    world = engine(gravity=G)
    world.box(20.0, 1.0, (0.0, -0.5), e=1.0, fixed=True)
    world.disc(0.1, (0.0, 1.1), e=1.0, mass=1.0)
    passes(world, 60.0, h=fine(engine))
    v = world.velocity(1)
    energy = 0.5 * (v[0] ** 2 + v[1] ** 2) + G * (world.place(1)[1] - 0.1)
    return f"{energy / G - 1.0:+.1e}" + note(engine)


class Random:
    """A linear congruential generator; any will do."""

    def __init__(self, seed):
        self.state = seed

    def unit(self):
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % 2**64
        return (self.state >> 11) / 2.0**53


def gas(engine):
    random, world = Random(7), engine()
    for w, h, at in [(22.0, 1.0, (0.0, -10.5)), (22.0, 1.0, (0.0, 10.5)), (1.0, 20.0, (-10.5, 0.0)), (1.0, 20.0, (10.5, 0.0))]:
        world.box(w, h, at, e=1.0, fixed=True)
    for k in range(100):
        turn = 2 * math.pi * random.unit()
        at = (k % 10 * 1.9 - 8.55, k // 10 * 1.9 - 8.55)
        world.disc(0.2, at, (5 * math.cos(turn), 5 * math.sin(turn)), e=1.0, mass=1.0)
    passes(world, 60.0, h=fine(engine))
    kinetic = sum(0.5 * (v[0] ** 2 + v[1] ** 2) for v in map(world.velocity, range(4, 104)))
    return f"{kinetic / 1250.0 - 1.0:+.1e}" + note(engine)


def mass(engine):
    world = engine(gravity=G)
    world.box(40.0, 1.0, (0.0, -0.5), mu=0.6, fixed=True)
    world.box(1.0, 1.0, (0.0, 0.5), mu=0.6, mass=1.0)
    world.box(1.0, 1.0, (0.0, 1.5), mu=0.6, mass=1e4)
    deepest = 0.0

    def look():
        nonlocal deepest
        low, high = world.place(1), world.place(2)
        # Where they stand straight above each other: what has fallen beside is told as it is.
        deepest = max(deepest, 0.5 - low[1], 1.0 - (high[1] - low[1]) if abs(high[0] - low[0]) < 0.9 else 0.0)

    passes(world, 5.0, look)
    fell = abs(world.place(2)[2]) > 0.5 or abs(world.place(2)[0]) > 0.5
    return f"{deepest:.2f}" + (" (falls)" if fell else "")


def pendulum(engine, angle):
    s, c = math.sin(angle), math.cos(angle)
    scale = 2.0 * G * (1.0 - c)
    worst, start = 0.0, -2.0 * G * c
    if engine is MuJoCo:
        world = MuJoCo(gravity=G, method="RK4")
        world.rods(angle)
        world.start()
        world.model.opt.enableflags |= mujoco.mjtEnableBit.mjENBL_ENERGY
        mujoco.mj_forward(world.model, world.data)
        start = float(sum(world.data.energy))
        for _ in range(600):
            mujoco.mj_step(world.model, world.data)
            # What the step leaves there is of a stage within it.
            mujoco.mj_forward(world.model, world.data)
            worst = max(worst, abs(float(sum(world.data.energy)) - start) / scale)
        return f"{worst:.1e} with Runge-Kutta 4"
    world = engine(gravity=G)
    for length in (0.5, 1.5):
        world.box(0.05, 1.0, (length * s, -length * c), angle, mass=1.0)
    world.pin(None, 0, (0.0, 0.0), (0.0, 0.5))
    world.pin(0, 1, (0.0, -0.5), (0.0, 0.5))

    def look():
        nonlocal worst
        energy = 0.0
        for k in range(2):
            v = world.velocity(k)
            energy += 0.5 * (v[0] ** 2 + v[1] ** 2 + (0.05**2 + 1.0) / 12 * v[2] ** 2) + G * world.place(k)[1]
        worst = max(worst, abs(energy - start) / scale)

    passes(world, 10.0, look)
    return f"{worst:.1e}"


def slope(engine):
    mu = 0.5
    alpha = math.atan(mu) * 1.005
    s, c = math.sin(alpha), math.cos(alpha)
    world = engine(gravity=G)
    world.box(40.0, 1.0, (0.0, 0.0), -alpha, mu=mu, fixed=True)
    world.box(1.0, 0.5, (0.75 * s, 0.75 * c), -alpha, mu=mu, mass=1.0)
    speed = lambda: math.hypot(*world.velocity(1)[:2])
    passes(world, 1.0)
    before = speed()
    passes(world, 4.0)
    return f"{(speed() - before) / 4.0 / (G * (s - mu * c)) - 1.0:+.1e}"


def roll(engine):
    world = engine(gravity=G)
    world.box(400.0, 1.0, (0.0, -0.5), mu=0.5, fixed=True)
    world.disc(0.5, (-100.0, 0.5), (10.0, 0.0), mu=0.5, mass=1.0)
    passes(world, 5.0)
    return f"{world.velocity(1)[0] / (20.0 / 3.0) - 1.0:+.1e}"


EXACTNESS = [
    ("cradle: speeds of five discs in a row, of the first one's before", cradle),
    ("bounce: restitution 1, energy after 60 s, relative change", bounce),
    ("gas: 100 elastic discs, energy after 60 s, relative change", gas),
    ("mass: 10,000 kg on 1 kg for 5 s, deepest overlap (m)", mass),
    ("pendulum: double, from 0.5 rad, largest energy error in 10 s", lambda e: pendulum(e, 0.5)),
    ("pendulum: double, from pi/2, largest energy error in 10 s", lambda e: pendulum(e, math.pi / 2)),
    ("slope: 0.5 % above the angle of friction, relative error of the acceleration", slope),
    ("roll: a thrown disc, relative error of its speed after 5 s", roll),
]


def ground(world):
    world.box(2000.0, 20.0, (0.0, -10.0), mu=0.6, fixed=True)


def pyramid(engine, rows):
    world = engine(gravity=G)
    ground(world)
    for r in range(rows):
        for c in range(rows - r):
            world.box(1.0, 1.0, ((c - (rows - r - 1) / 2) * 1.1, 0.5 + r), mu=0.6, mass=1.0)
    return world, 300, 150


def stack(engine, blocks):
    world = engine(gravity=G)
    ground(world)
    for k in range(blocks):
        world.box(1.0, 1.0, (0.0, 0.5 + k), mu=0.6, mass=1.0)
    return world, 1200, 600


def pile(engine, bodies):
    random, world = Random(12345), engine(gravity=G)
    columns = math.ceil(math.sqrt(bodies))
    width = columns * 1.2
    height = 5.0 * width
    world.box(width + 10.0, 5.0, (0.0, -2.5), mu=0.5, fixed=True)
    for side in (-1, 1):
        world.box(5.0, height, (side * (width / 2 + 2.5), height / 2), mu=0.5, fixed=True)
    for k in range(bodies):
        x = (k % columns + 0.5) * 1.2 - width / 2 + 0.2 * random.unit() - 0.1
        y = (k // columns + 0.5) * 1.2 + 0.2 * random.unit() - 0.1
        if k % 2 == 0:
            half = [0.8 * (0.25 + 0.25 * random.unit()) for _ in range(2)]
            world.box(2 * half[0], 2 * half[1], (x, y), mu=0.5)
        else:
            world.disc(0.25 + 0.25 * random.unit(), (x, y), mu=0.5)
    return world, 900 if bodies < 10_000 else 1200, 100


def chain(engine, links):
    world = engine(gravity=G)
    for k in range(links):
        world.box(0.5, 0.1, (0.25 + 0.5 * k, 0.0), mass=1.0)
        if k == 0:
            world.pin(None, 0, (0.0, 0.0), (-0.25, 0.0))
        else:
            world.pin(k - 1, k, (0.25, 0.0), (-0.25, 0.0))
    world.disc(0.25, (0.5 * links, 0.0), mass=100.0)
    world.pin(links - 1, links, (0.25, 0.0), (0.0, 0.0))
    return world, 600, 300


def sparse(engine, bodies):
    random, world = Random(777), engine()
    side = math.ceil(math.sqrt(bodies))
    for k in range(bodies):
        velocity = (2 * random.unit() - 1, 2 * random.unit() - 1)
        world.disc(0.5, (k % side * 4.0, k // side * 4.0), velocity, mass=1.0)
    return world, 120, 60


SPEED = [
    ("pyramid of 210 blocks", lambda e: pyramid(e, 20)),
    ("pyramid of 820", lambda e: pyramid(e, 40)),
    ("pyramid of 3,240", lambda e: pyramid(e, 80)),
    ("stack of 50", lambda e: stack(e, 50)),
    ("pile of 1,000", lambda e: pile(e, 1_000)),
    ("pile of 5,000", lambda e: pile(e, 5_000)),
    ("pile of 10,000", lambda e: pile(e, 10_000)),
    ("chain of 100 with 100 kg", lambda e: chain(e, 100)),
    ("10,000 sparse discs", lambda e: sparse(e, 10_000)),
]


def milliseconds(scene, engine):
    """Of a step in the last part of a run: tenth percentile and median of the processor time."""
    world, steps, last = scene(engine)
    taken = []
    for _ in range(steps):
        begun = time.thread_time()
        world.step()
        taken.append(1e3 * (time.thread_time() - begun))
    taken = sorted(taken[-last:])
    return f"{taken[len(taken) // 10]:.3f} / {statistics.median(taken):.3f}"


def main():
    parser = argparse.ArgumentParser(description="Measures other engines on the scenes of docs/comparison.md")
    parser.add_argument("--speed", action="store_true", help="milliseconds of processor time a step instead")
    arguments = parser.parse_args()
    engines = [Box2D, Munk] if arguments.speed else [Box2D, Munk, MuJoCo]
    for name, scene in SPEED if arguments.speed else EXACTNESS:
        print(name)
        for engine in engines:
            told = milliseconds(scene, engine) if arguments.speed else scene(engine)
            print(f"  {engine.name:28} {told}", flush=True)


if __name__ == "__main__":
    main()
