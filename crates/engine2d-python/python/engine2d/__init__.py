"""Exact 2D rigid-body physics: contact forces with certificates, located collisions, mechanisms.

Units are any consistent ones, nominally metres, kilograms, seconds and radians.
"""

from . import errors
from ._native import Body, Contacts, Energy, LcpSolution, Report, Shape, distance, scenes
from .builder import SceneBuilder, ball, block, body, polygon, wall
from .errors import (
    Engine2dError,
    GeometryError,
    LcpError,
    MechanismError,
    Mistake,
    SceneError,
    SimulationError,
    SweepError,
)
from .lcp import solve_lcp
from .mechanism import Mechanism
from .runs import Run, read_run
from .sweeps import RunResult, SweepResult, sweep
from .world import Observer, Replay, World

__all__ = [
    "Body",
    "Contacts",
    "Energy",
    "Engine2dError",
    "GeometryError",
    "LcpError",
    "LcpSolution",
    "Mechanism",
    "MechanismError",
    "Mistake",
    "Observer",
    "Replay",
    "Report",
    "Run",
    "RunResult",
    "SceneBuilder",
    "SceneError",
    "Shape",
    "SimulationError",
    "SweepError",
    "SweepResult",
    "World",
    "ball",
    "block",
    "body",
    "distance",
    "errors",
    "polygon",
    "read_run",
    "scenes",
    "solve_lcp",
    "sweep",
    "wall",
]
