# ---
# jupyter:
#   jupytext:
#     text_representation: {extension: .py, format_name: percent}
# ---

# %% [markdown]
# # An environment of Gymnasium
# A cart on a rail with a pole that hangs from it, to be swung up. Equal seeds give equal bits.

# %%
import math

import numpy as np
from engine2d import gym

env = gym.CartPole(render_mode="svg")
seen, info = env.reset(seed=3)
print(env.action_space, env.observation_space.shape, info["digest"])

# %% [markdown]
# A hand-made controller: push so that the pole gains energy.


# %%
def push(seen):
    x, vx, cosine, sine, spin = seen
    if abs(x) > 1.2:
        return -math.copysign(0.6, x)
    return math.copysign(0.6, spin * cosine) if cosine < 0.0 else 0.0


def episode(seed):
    seen, _ = env.reset(seed=seed)
    total, highest = 0.0, -1.0
    while True:
        seen, reward, ended, truncated, _ = env.step(np.array([push(seen)]))
        total, highest = total + reward, max(highest, float(seen[2]))
        if ended or truncated:
            return total, highest, env.world.digest


for seed in range(3):
    print(seed, episode(seed))

# %%
assert episode(1) == episode(1)
assert max(episode(seed)[1] for seed in range(3)) > 0.5, "the pole comes above the rail"

# %% [markdown]
# Many at a time: their worlds advance on threads.

# %%
many = gym.VectorEnvironment(lambda: gym.Walker(discrete=True, longest=50), 4)
many.action_space.seed(0)
seen, _ = many.reset(seed=0)
for _ in range(20):
    seen, rewards, ended, truncated, _ = many.step(many.action_space.sample())
print(seen.shape, rewards)
many.close()
