"""Scenes built in Python: each function gives a dictionary of the scene format, so that what is built can be saved as a file."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from typing import Any

from .world import World

__all__ = ["SceneBuilder", "ball", "block", "body", "polygon", "wall"]

Fields = dict[str, Any]


def body(shape: Fields, *, at: Sequence[float] = (0.0, 0.0), mass: float | None = None, **fields: Any) -> Fields:
    """A body of any shape of the scene format.

    ``at``: position (length). ``mass``: the scene's default, 1, if none. Other ``fields`` are those of the format: ``name``,
    ``angle`` (radians), ``velocity``, ``angular_velocity``, ``friction``, ``elasticity``, ``fixed`` and so on.
    """
    described = {"shape": shape, "position": list(at), **fields}
    if mass is not None:
        described["mass"] = mass
    elif not fields.get("fixed"):
        described["mass"] = 1.0
    return described


def ball(radius: float, **fields: Any) -> Fields:
    """A disc of a radius (length); ``fields`` as for ``body``."""
    return body({"type": "ball", "radius": radius}, **fields)


def block(width: float, height: float, **fields: Any) -> Fields:
    """A rectangle about its centre (length); ``fields`` as for ``body``."""
    return body({"type": "block", "width": width, "height": height}, **fields)


def polygon(corners: Sequence[Sequence[float]], **fields: Any) -> Fields:
    """A polygon by its corners, counter-clockwise (length); ``fields`` as for ``body``."""
    return body({"type": "polygon", "points": [list(corner) for corner in corners]}, **fields)


def wall(width: float, height: float, **fields: Any) -> Fields:
    """An immovable rectangle (length); ``fields`` as for ``body``."""
    return body({"type": "wall", "width": width, "height": height}, fixed=True, **fields)


class SceneBuilder:
    """Collects a scene; each function returns the builder.

    >>> import engine2d
    >>> world = (
    ...     engine2d.SceneBuilder("drop")
    ...     .gravity(9.81)
    ...     .add(engine2d.wall(10.0, 1.0, at=(0.0, -0.5)))
    ...     .add(engine2d.ball(0.5, at=(0.0, 3.0), name="ball"))
    ...     .build()
    ... )
    >>> world.names[1]
    'ball'
    """

    def __init__(self, name: str = "scene", *, duration: float | None = None) -> None:
        self.fields: Fields = {"format": "engine2d-scene", "version": 1, "name": name, "bodies": []}
        if duration is not None:
            self.fields["duration"] = duration

    def _into(self, place: str, entry: Fields) -> SceneBuilder:
        self.fields.setdefault(place, []).append(entry)
        return self

    def add(self, *bodies: Fields) -> SceneBuilder:
        """Adds bodies, as ``ball``, ``block``, ``polygon``, ``wall`` and ``body`` give them."""
        for one in bodies:
            self._into("bodies", one)
        return self

    def gravity(self, strength: float) -> SceneBuilder:
        """Adds uniform gravity on every movable body (length/time²)."""
        return self.force_law("gravity", strength=strength)

    def force_law(self, kind: str, **fields: Any) -> SceneBuilder:
        """Adds a force law of the scene format."""
        return self._into("force_laws", {"type": kind, **fields})

    def connect(self, kind: str, **fields: Any) -> SceneBuilder:
        """Adds a connector of the scene format: ``pin``, ``rod``, ``rope``, ``motor`` and so on."""
        return self._into("connectors", {"type": kind, **fields})

    def material(self, name: str, **fields: Any) -> SceneBuilder:
        """Adds a material: ``friction``, ``elasticity``."""
        self.fields.setdefault("materials", {})[name] = fields
        return self

    def settings(self, **fields: Any) -> SceneBuilder:
        """Sets settings of the scene format: ``time_step``, ``clock``, ``seed`` and so on."""
        self.fields.setdefault("settings", {}).update(fields)
        return self

    def scene(self) -> Fields:
        """A copy of the scene as a dictionary."""
        return json.loads(json.dumps(self.fields))

    def save(self, path: str | os.PathLike[str]) -> SceneBuilder:
        """Writes the scene to a file."""
        with open(path, "w", encoding="utf-8") as file:
            json.dump(self.fields, file, indent=2)
            file.write("\n")
        return self

    def build(self) -> World:
        """The world of the scene. Raises ``SceneError`` with every mistake and its path."""
        return World.from_scene(self.fields)
