"""Mechanisms analysed without time stepping: assembly, degrees of freedom, accelerations, reactions, inverse dynamics."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _native

__all__ = ["Mechanism"]


class Mechanism(_native.Mechanism):
    """Bodies and constraints with a state.

    Bodies and constraints go by the places that adding them returns; ``None`` in place of a body is the ground. Points are in
    the axes of their bodies.

    >>> import engine2d
    >>> pendulum = engine2d.Mechanism()
    >>> pendulum.set_gravity((0.0, -9.81))
    >>> rod = pendulum.add_body(1.0, 1.0 / 12.0, center=(0.5, 0.0))
    >>> pin = pendulum.revolute((rod, (0.0, 0.0)), (None, (0.0, 0.0)))
    >>> round(float(pendulum.solve_accelerations()[rod, 2] + 1.5 * 9.81), 12)
    0.0
    """

    def set_coordinates(self, coordinates: Any) -> None:
        """Sets x, y (length) and angle (radians) of all bodies, shape (n, 3)."""
        self.put_coordinates(np.asarray(coordinates, dtype=np.float64).ravel().tolist())

    def set_velocities(self, velocities: Any) -> None:
        """Sets velocities (length/time) and angular velocities (radians/time) of all bodies, shape (n, 3)."""
        self.put_velocities(np.asarray(velocities, dtype=np.float64).ravel().tolist())
