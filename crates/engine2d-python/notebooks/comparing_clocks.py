# ---
# jupyter:
#   jupytext:
#     text_representation: {extension: .py, format_name: percent}
# ---

# %% [markdown]
# # Comparing clocks
# The same bouncing ball with events located in time and with steps of a fixed length. Theory: after falling from a height `h` it returns to
# `e² h`, at the time `(1 + e) √(2h/g)` after the start.

# %%
import math

import engine2d

HEIGHT, RESTITUTION, GRAVITY, TOLERANCE = 2.0, 0.8, 10.0, 1e-6
exact = RESTITUTION**2 * HEIGHT


def highest(clock, step):
    scene = {
        "format": "engine2d-scene",
        "version": 1,
        "bodies": [
            engine2d.block(10.0, 1.0, at=(0.0, -0.5), fixed=True, elasticity=1.0, name="floor"),
            engine2d.ball(0.5, at=(0.0, HEIGHT + 0.5), elasticity=RESTITUTION, name="ball"),
        ],
        "force_laws": [{"type": "gravity", "strength": GRAVITY}],
        "settings": {"clock": clock, "time_step": step, "distance_tolerance": TOLERANCE},
    }
    world = engine2d.World.from_scene(scene)
    fall = math.sqrt(2.0 * HEIGHT / GRAVITY)
    tops = []

    def look(world, report):
        if world.time > fall + step:
            tops.append(world.body("ball").position[1] - 0.5)

    world.run(until=fall * (1.0 + 1.9 * RESTITUTION), observers=[look])
    return max(tops)


# %%
errors = {}
for clock in ("located", "backtracking", "time_stepping"):
    for step in (0.02, 0.005, 0.00125):
        errors[clock, step] = abs(highest(clock, step) - exact)
        print(f"{clock:>14} {step:<8} error of the height {errors[clock, step]:.1e}")

# %% [markdown]
# The located clock has the same motion for each step; what is left is how close to the top a step ends. Fixed steps at the level of
# velocities have an error of their own, that goes down with their length.

# %%
assert errors["located", 0.00125] < 1e-4
assert errors["time_stepping", 0.00125] < errors["time_stepping", 0.02]
assert errors["located", 0.005] < errors["time_stepping", 0.005]
