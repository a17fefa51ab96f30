# ---
# jupyter:
#   jupytext:
#     text_representation: {extension: .py, format_name: percent}
# ---

# %% [markdown]
# # A first world
# A plank and a ball fall into a room. Each step has a certificate: the largest violation of the contact laws.

# %%
import engine2d

scene = (
    engine2d.SceneBuilder("first world", duration=4.0)
    .gravity(9.81)
    .add(engine2d.wall(12.0, 1.0, at=(0.0, -0.5), friction=0.4, name="floor"))
    .add(engine2d.block(3.0, 0.4, at=(0.0, 2.0), mass=2.0, angle=0.3, elasticity=0.2, friction=0.4, name="plank"))
    .add(engine2d.ball(0.5, at=(1.0, 5.0), elasticity=0.6, friction=0.4, name="ball"))
)
world = scene.build()
world

# %% [markdown]
# One advance is a step of the record; between them the engine finds the moments of collisions by itself.

# %%
heights, certificates = [], []


def look(world, report):
    heights.append((world.time, world.body("ball").position[1]))
    certificates.append(report.certificate)


report = world.run(until=4.0, observers=[look])
print(f"{len(heights)} steps; largest certificate {max(certificates):.1e}; digest {world.digest}")
print(f"the ball is at {world.body('ball').position}, the plank's angle is {world.body('plank').angle:.4f}")

# %%
assert max(certificates) < 1e-8
assert min(height for _, height in heights) > 0.49, "the ball does not sink into the floor"
again = scene.build()
again.run(until=4.0)
assert again.digest == world.digest, "the same scene gives the same bits"
