"""What sight lines on a free table come to: who is seen, and who has cover."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from assistant.rules.free_lines import LineGeometry, SurdPoint
from assistant.rules.free_sight import crosses, find_first_blocking, meets_figure
from assistant.rules.ruling import Blocker
from assistant.table.free_table import FreeFigure, Terrain


@dataclass(frozen=True)
class Traced:
    """Where a line ends, what stops it, and the low cover that a free one passes over."""

    end_mm: SurdPoint
    blocker: Blocker | None = None
    low_cover: Blocker | None = None


@dataclass(frozen=True)
class Sight:
    """What all lines from one figure to another come to; the first is the one between the middles."""

    lines: tuple[Traced, ...]

    @property
    def is_clear(self) -> bool:
        """Whether the target is seen: one free line is enough."""
        return any(traced.blocker is None for traced in self.lines)

    @property
    def gives_cover(self) -> bool:
        """Whether a seen target has cover: low cover on a line, or a part of it hidden."""
        return any(traced.low_cover or traced.blocker for traced in self.lines)


class BaseLines:
    """The lines from one figure to another; what each meets is found when it is first asked for.

    So the same lines answer under every option of the house.
    """

    def __init__(self, ground: LineGeometry, viewer: FreeFigure, target: FreeFigure) -> None:
        self._target = ground.bases[target.id]
        self._lines = ground.lines_between(ground.bases[viewer.id], self._target)
        self._ends = tuple(ground.end_mm(line) for line in self._lines)
        box = self._lines[0].box  # which holds them all
        near = [outline for outline in ground.outlines if box.meets(outline.box)]
        self._walls = tuple(outline for outline in near if outline.piece.kind == "wall")
        self._low = tuple(outline for outline in near if outline.piece.kind == "cover")
        others = (base for name, base in ground.bases.items() if name not in (viewer.id, target.id))
        self._others = tuple(base for base in others if box.meets(base.box))
        self._wall = cache(self._first_wall)
        self._figure = cache(self._first_figure)
        self._cover = cache(self._first_cover)

    def sight(self, options: Mapping[str, str]) -> Sight:
        """What the lines come to under the house's options.

        The whole of sight and cover is inferred: the known fragment of the rules does not say how they are found.
        """
        count = 1 if options["sight_lines"] == "center" else len(self._lines)
        return Sight(tuple(self._traced(i, options) for i in range(count)))

    def _traced(self, i: int, options: Mapping[str, str]) -> Traced:
        stop: Terrain | FreeFigure | None = self._wall(i)
        if stop is None and options["sight_figures"] == "block":
            stop = self._figure(i)
        low = self._cover(i, options["cover_height"]) if stop is None else None
        return Traced(self._ends[i], _name_blocker(stop), _name_blocker(low))

    def _first_wall(self, i: int) -> Terrain | None:
        return find_first_blocking(self._lines[i], self._walls)

    def _first_figure(self, i: int) -> FreeFigure | None:
        return next((base.figure for base in self._others if meets_figure(self._lines[i], base)), None)

    def _first_cover(self, i: int, cover_height: str) -> Terrain | None:
        line = self._lines[i]
        if cover_height == "hides_foot":
            return find_first_blocking(line.to_height(self._target.foot), (*self._low, *self._walls))
        return next((outline.piece for outline in self._low if crosses(line, outline)), None)


def _name_blocker(thing: Terrain | FreeFigure | None) -> Blocker | None:
    if thing is None:
        return None
    return Blocker("terrain" if isinstance(thing, Terrain) else "figure", id=thing.id)
