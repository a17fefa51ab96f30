# ---
# jupyter:
#   jupytext:
#     text_representation: {extension: .py, format_name: percent}
# ---

# %% [markdown]
# # Reading contact forces
# A crate of 3 kg on a slope of 15 degrees that holds it by friction. What holds it is its weight: the sum of the contact forces.

# %%
import math

import engine2d
import numpy as np

angle, mass, gravity = math.radians(15.0), 3.0, 9.81
up = (-math.sin(angle), math.cos(angle))
world = (
    engine2d.SceneBuilder("slope")
    .gravity(gravity)
    .add(engine2d.block(10.0, 1.0, angle=angle, fixed=True, friction=0.5, elasticity=0.0, name="slope"))
    .add(
        engine2d.block(
            1.0, 0.6, at=(0.8 * up[0], 0.8 * up[1]), angle=angle, mass=mass, friction=0.5, elasticity=0.0, name="crate"
        )
    )
    .build()
)
report = world.run(until=1.0)

# %%
contacts = report.contacts
for (first, second), point, force, friction in zip(contacts.names, contacts.points, contacts.force, contacts.friction):
    print(f"{first} on {second} at {point}: {force:.6f} along the normal, {friction:.6f} across")
total = contacts.vectors.sum(axis=0)
print("sum", total)

# %% [markdown]
# Along the slope friction holds `m g sin`, across it the normal forces hold `m g cos`; the ratio is below the coefficient.

# %%
crate = 1.0 if contacts.names[0][0] == "crate" else -1.0
assert np.allclose(crate * total, [0.0, mass * gravity], rtol=1e-6, atol=1e-6)
assert abs(contacts.force.sum() - mass * gravity * math.cos(angle)) < 1e-6
assert abs(abs(contacts.friction.sum()) - mass * gravity * math.sin(angle)) < 1e-6
assert report.certificate < 1e-8
