# ---
# jupyter:
#   jupytext:
#     text_representation: {extension: .py, format_name: percent}
# ---

# %% [markdown]
# # Complementarity alone
# Find `f ≥ 0` with `a = A f + b ≥ 0` and `f a = 0`. Nothing of bodies is needed: an elastic string over an obstacle is such a problem.

# %%
import engine2d
import numpy as np
from scipy import sparse

n = 199
x = np.linspace(-1.0, 1.0, n + 2)[1:-1]
h = x[1] - x[0]
obstacle = 0.5 - 2.0 * x**2
stiffness = sparse.diags([-1.0, 2.0, -1.0], [-1, 0, 1], shape=(n, n), format="csr") / h**2
# The string is u = obstacle + gap; the gap is what the force on the obstacle is complementary to.
solution = engine2d.solve_lcp(stiffness, stiffness @ obstacle)
string = obstacle + solution.f
print(solution.status, solution.method, f"certificate {solution.certificate:.1e}")

# %% [markdown]
# Where the string leaves the obstacle it is a tangent from the end: at `x` with `0.5 − 2x² = 4x (1 − x)`, which is `1 − √3/2`.

# %%
touching = x[solution.f < 1e-9]
print(f"it touches from {touching[0]:.3f} to {touching[-1]:.3f}")
assert solution.solved and solution.certificate < 1e-8
assert abs(touching[-1] - (1.0 - np.sqrt(3.0) / 2.0)) < 2.0 * h
assert (string >= obstacle - 1e-12).all()

# %% [markdown]
# What has no solution is proven: two blocks pressed together with nothing to hold them.

# %%
none = engine2d.solve_lcp([[1.0, -1.0], [-1.0, 1.0]], [-1.0, -1.0])
print(none.status, none.ray)
assert none.status == "infeasible"
