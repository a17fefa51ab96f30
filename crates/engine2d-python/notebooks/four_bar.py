# ---
# jupyter:
#   jupytext:
#     text_representation: {extension: .py, format_name: percent}
# ---

# %% [markdown]
# # A four-bar linkage and its reactions
# A crank of 1 m turns at 2 rad/s; a coupler of 3 m and a rocker of 2 m follow, on a base of 3 m. No time steps: position, velocity,
# acceleration and forces at each angle of the crank.

# %%
import math

import engine2d
import numpy as np

CRANK, COUPLER, ROCKER, BASE, RATE = 1.0, 3.0, 2.0, 3.0, 2.0


def rod(mechanism, length, mass, place, angle):
    return mechanism.add_body(mass, mass * length**2 / 12.0, position=place, angle=angle, center=(length / 2.0, 0.0))


def closed(angle):
    """Angles of coupler and rocker: the joint between them is where two circles meet."""
    x, y = CRANK * math.cos(angle), CRANK * math.sin(angle)
    along, up = BASE - x, -y
    apart = math.hypot(along, up)
    bend = math.acos((COUPLER**2 + apart**2 - ROCKER**2) / (2 * COUPLER * apart))
    coupler = math.atan2(up, along) + bend
    return coupler, math.atan2(y + COUPLER * math.sin(coupler), x + COUPLER * math.cos(coupler) - BASE)


def linkage(angle):
    m = engine2d.Mechanism()
    m.set_gravity((0.0, -9.81))
    coupler_angle, rocker_angle = closed(angle)
    tip = (CRANK * math.cos(angle), CRANK * math.sin(angle))
    crank = rod(m, CRANK, 1.0, (0.0, 0.0), angle)
    coupler = rod(m, COUPLER, 3.0, tip, coupler_angle)
    rocker = rod(m, ROCKER, 2.0, (BASE, 0.0), rocker_angle)
    m.revolute((None, (0.0, 0.0)), (crank, (0.0, 0.0)), name="A")
    m.revolute((crank, (CRANK, 0.0)), (coupler, (0.0, 0.0)), name="B")
    m.revolute((coupler, (COUPLER, 0.0)), (rocker, (ROCKER, 0.0)), name="C")
    m.revolute((None, (BASE, 0.0)), (rocker, (0.0, 0.0)), name="D")
    return m, crank


# %%
m, crank = linkage(1.0)
print(m.mobility())

# %% [markdown]
# The torque of the drive at each angle, by inverse dynamics. The work of a turn is nothing: what the crank takes it gives back.

# %%
angles = np.linspace(0.0, 2.0 * math.pi, 181)[:-1]
torques = []
for angle in angles:
    m, crank = linkage(angle)
    drive = m.prescribe_angle(crank, None)
    torques.append(float(np.ravel(list(m.inverse_dynamics({drive: (angle, RATE, 0.0)}).values()))[0]))
print(f"torque from {min(torques):.2f} to {max(torques):.2f} N m; mean {np.mean(torques):.2e}")
assert abs(np.mean(torques)) < 1e-6 * max(torques)
