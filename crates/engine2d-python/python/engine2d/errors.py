"""What can go wrong: exceptions that tell where it is and what the value was."""

from __future__ import annotations

from typing import Any, NamedTuple

__all__ = [
    "Engine2dError",
    "GeometryError",
    "LcpError",
    "MechanismError",
    "Mistake",
    "SceneError",
    "SimulationError",
    "SweepError",
]


class Mistake(NamedTuple):
    """One mistake of a scene."""

    path: str
    """Where it is, like ``bodies[3].mass``; empty for the scene itself."""
    message: str
    """What is wrong there."""


class Engine2dError(Exception):
    """What all exceptions of this package are."""

    message: str
    """What is wrong, where, and what is allowed."""
    path: str | None
    """Path of the field concerned, if it is one: ``bodies[3].mass``."""
    value: Any
    """The value found there, if it is one."""

    def __init__(self, message: str, path: str | None = None, value: Any = None) -> None:
        super().__init__(message, path, value)
        self.message, self.path, self.value = message, path, value

    def __str__(self) -> str:
        return self.message


class SceneError(Engine2dError):
    """A scene that cannot be read or simulated, with every mistake."""

    mistakes: tuple[Mistake, ...]
    """All mistakes in order of their places; empty where the text is no JSON."""

    def __init__(
        self,
        message: str,
        path: str | None = None,
        value: Any = None,
        mistakes: list[tuple[str, str]] | tuple[Mistake, ...] = (),
    ) -> None:
        super().__init__(message, path, value)
        self.args = (message, path, value, mistakes)
        self.mistakes = tuple(Mistake(*mistake) for mistake in mistakes)


class SimulationError(Engine2dError):
    """A world that refuses a value or cannot go on."""


class MechanismError(Engine2dError):
    """A mechanism that cannot be built, assembled or solved."""


class LcpError(Engine2dError):
    """A complementarity problem that is none."""


class GeometryError(Engine2dError):
    """A shape that cannot be, or a question about it that has no answer."""


class SweepError(Engine2dError):
    """A sweep that cannot be read or run."""
