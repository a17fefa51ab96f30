"""Worlds: made of scenes, advanced in time, looked at."""

from __future__ import annotations

import html
import json
import os
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Protocol, Union, runtime_checkable

from . import _native
from .errors import SceneError

__all__ = ["Observer", "Replay", "Scene", "World"]

Scene = Union[str, "os.PathLike[str]", Mapping[str, Any]]
"""A scene: a dictionary, JSON text, the path of a file, or the name of a built-in scene."""


@runtime_checkable
class Observer(Protocol):
    """Who looks on at a run. A function ``(world, report)`` will do too; it sees the steps only."""

    def start(self, world: World) -> None:
        """The world before the first step."""

    def step(self, world: World, report: _native.Report) -> None:
        """The world after a step, and what happened in it."""


class Replay:
    """A page that plays a run; a notebook shows it in place."""

    def __init__(self, page: str) -> None:
        self.page = page

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the page to a file, which any browser opens without a network."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.page)

    def _repr_html_(self) -> str:
        source = html.escape(self.page, quote=True)
        return f'<iframe srcdoc="{source}" width="100%" height="560" style="border:0"></iframe>'


def scene_text(source: Scene) -> str:
    """The JSON text of a scene.

    Raises ``SceneError`` for what is no scene and ``FileNotFoundError`` for what is neither a file nor a built-in scene.
    """
    if isinstance(source, Mapping):
        return json.dumps(source)
    if isinstance(source, str):
        if source.lstrip().startswith("{"):
            return source
        try:
            return _native.built_in(source)
        except IndexError:
            if not os.path.exists(source):
                names = ", ".join(name for name, _ in _native.scenes())
                message = f"no file or built-in scene is named {source!r} (built-in: {names})"
                raise FileNotFoundError(message) from None
    try:
        with open(source, encoding="utf-8") as file:
            return file.read()
    except TypeError:
        found = type(source).__name__
        raise SceneError(f"scene: {found} found; a dictionary, JSON text, a path or a name is needed") from None


class World(_native.World):
    """A world: bodies, force laws and joints, advanced in time.

    Units are any consistent ones, nominally metres, kilograms, seconds and radians; x points right, y up, angles are
    counter-clockwise. Equal scenes give equal bits, here, in Rust and in the command.
    """

    @classmethod
    def from_scene(cls, source: Scene) -> World:
        """The world that a scene describes, at its start.

        ``source``: a dictionary, JSON text, the path of a scene file, or the name of a built-in scene. Raises ``SceneError``
        with every mistake and its path.
        """
        return cls(scene_text(source))

    def run(
        self,
        until: float | None = None,
        observers: Iterable[Observer | Callable[[World, _native.Report], None]] = (),
        *,
        time_step: float | None = None,
        progress: bool = False,
    ) -> _native.Report | None:
        """Advances until a simulated time (time; the scene's end if none), and returns the last report.

        ``observers`` see the start and every step; without any, Python waits outside the interpreter's lock. ``time_step``
        is the scene's unless given. ``progress`` shows a bar by tqdm. The run ends early at an event of the scene that stops.
        """
        until = self.end_time if until is None else float(until)
        step_length = self.time_step if time_step is None else float(time_step)
        watching = list(observers)
        if not watching and not progress:
            return self.advance_until(until, step_length)
        for observer in watching:
            if hasattr(observer, "start"):
                observer.start(self)
        bar = _bar(until - self.time) if progress else None
        last = None
        try:
            while (step := self.next_step(until, step_length)) is not None:
                last = self.advance(step)
                if bar is not None:
                    bar.update(step)
                for observer in watching:
                    getattr(observer, "step", observer)(self, last)
                if last.stopped_by is not None:
                    break
        finally:
            if bar is not None:
                bar.close()
        return last

    @property
    def scene(self) -> dict[str, Any]:
        """The scene of the start, with all defaults written out."""
        return json.loads(self.scene_text)

    @property
    def positions(self) -> Any:
        """Centres of mass of all bodies, shape (n, 2) (length); read-only."""
        return self.state[:, 0:2]

    @property
    def angles(self) -> Any:
        """Angles of all bodies, shape (n,) (radians); read-only."""
        return self.state[:, 2]

    @property
    def velocities(self) -> Any:
        """Velocities of all centres of mass, shape (n, 2) (length/time); read-only."""
        return self.state[:, 3:5]

    @property
    def angular_velocities(self) -> Any:
        """Angular velocities of all bodies, shape (n,) (radians/time); read-only."""
        return self.state[:, 5]

    def replay(self, until: float | None = None) -> Replay:
        """A page that plays the run from now until a time (the scene's end if none). This world stays as it is."""
        return Replay(self.replay_page(self.end_time if until is None else float(until)))

    def add_body(self, body: Mapping[str, Any] | None = None, **fields: Any) -> str:
        """Adds a body while the world runs, and returns its name.

        ``body``: what ``ball``, ``block``, ``polygon``, ``wall`` or ``body`` give, an entry of ``bodies`` of the scene format; ``fields``
        go over it. One without a name gets one. All others keep their names, places and contacts. Raises ``SceneError`` for
        mistakes, with paths that begin with ``bodies[0]``, and ``SimulationError`` for a name that is taken or a body inside another.
        """
        return self.add_body_text(json.dumps({**(body or {}), **fields}))

    def add_connector(self, kind: str, **fields: Any) -> str:
        """Adds a connector of the scene format between bodies as they stand now, and returns its name.

        ``kind``: ``pin``, ``rod``, ``rope``, ``weld``, ``motor`` and so on; ``fields`` are those of the format, among them ``name``. Lengths
        and angles that are not told are those of now. Raises as ``add_body`` does.
        """
        return self.add_connector_text(json.dumps({"type": kind, **fields}))

    def add_force_law(self, kind: str, **fields: Any) -> int:
        """Adds a force law of the scene format, and returns its number, by which ``remove_force_law`` takes it away."""
        return self.add_force_law_text(json.dumps({"type": kind, **fields}))

    def copy(self) -> World:
        """Another world in the same state, which goes on by itself."""
        return _made_again(type(self), *self.__reduce__()[1][1:])

    def __reduce__(self) -> tuple[Any, ...]:
        return _made_again, (type(self), self.scene_text, self.snapshot(), self.changes(), self.edits())

    def _repr_svg_(self) -> str:
        return self.svg()


def _made_again(kind: type[World], text: str, snapshot: bytes, changes: Any, edits: str | None = None) -> World:
    """A world that was pickled."""
    world = kind(text)
    if edits is not None:
        world.take_up_edits(edits)
    world.take_up(snapshot, changes)
    return world


def _bar(total: float) -> Any:
    try:
        from tqdm.auto import tqdm
    except ImportError as error:
        raise ImportError("progress bars need tqdm: pip install engine2d[progress]") from error
    return tqdm(total=total, unit="s", bar_format="{l_bar}{bar}| {n:.2f}/{total:.2f} s [{elapsed}<{remaining}]")
