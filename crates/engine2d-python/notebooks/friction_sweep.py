# ---
# jupyter:
#   jupytext:
#     text_representation: {extension: .py, format_name: percent}
# ---

# %% [markdown]
# # How far does it slide? A sweep with confidence bands
# A box slides on a floor whose friction is varied; its speed is drawn anew in each run. The way is `v² / 2 μ g`: what the sweep finds, with
# its mean and a band of 95 %.

# %%
import math

import engine2d

scene = {
    "format": "engine2d-scene",
    "version": 1,
    "bodies": [
        engine2d.block(200.0, 1.0, at=(0.0, -0.5), fixed=True, friction=1.0, elasticity=0.0, name="floor"),
        engine2d.block(1.0, 0.2, at=(0.0, 0.1), velocity=[3.0, 0.0], friction=0.3, elasticity=0.0, name="box"),
    ],
    "force_laws": [{"type": "gravity", "strength": 9.81}],
    "settings": {"friction_rule": "product"},
}
sweep = {
    "format": "engine2d-sweep",
    "version": 1,
    "scene": scene,
    "parameters": [
        {"path": "bodies[box].friction", "name": "friction", "values": [0.2, 0.4, 0.8]},
        {"path": "bodies[box].velocity[0]", "name": "speed", "range": [2.0, 4.0]},
    ],
    "sampling": {"method": "sobol", "count": 32, "seed": 5},
    "until": 3.0,
    "measures": [{"name": "way", "of": "bodies[box].x", "reduce": "last"}],
}
result = engine2d.sweep(sweep)
table = result.to_pandas()
print(f"{len(table)} runs, {len(result.failed)} failed, digest {result.digest}")

# %%
bands = table.groupby("friction")["way"].agg(["mean", "std", "count"])
bands["band"] = 1.96 * bands["std"] / bands["count"] ** 0.5
print(bands)

# %%
expected = table["speed"] ** 2 / (2.0 * table["friction"] * 9.81)
worst = ((table["way"] - expected) / expected).abs().max()
print(f"largest difference from the formula {worst:.1e}")
assert worst < 1e-9
# The mean of the square of a speed from 2 to 4 is 28/3.
for friction, row in bands.iterrows():
    assert abs(row["mean"] - 28.0 / 3.0 / (2.0 * friction * 9.81)) < row["band"]
assert math.isfinite(bands["band"].sum())
