"""Line of sight and cover on a free table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property

from assistant.rules.free_fan import FanLine, fan_between
from assistant.rules.free_lines import Line, LineGeometry, SurdPoint
from assistant.rules.free_sight import crosses, find_first_blocking, meets_figure
from assistant.rules.ruling import Blocker
from assistant.table.free_table import FreeFigure, Terrain


@dataclass(frozen=True)
class Traced:
    """A traced line: its end, its blocker, or the low cover under a free line.

    ``share`` is the part of the target's width that a line of an area represents, or 0 for a single line.
    """

    end_mm: SurdPoint
    blocker: Blocker | None = None
    low_cover: Blocker | None = None
    share: Fraction = Fraction(0)


@dataclass(frozen=True)
class Sight:
    """The result of all lines from one figure to another.

    Args:
        lines: between the centres first, then to the outermost points.
        area: lines for all places between the outermost points, if the house looks at areas.
    """

    lines: tuple[Traced, ...]
    area: tuple[Traced, ...] = ()

    @property
    def is_clear(self) -> bool:
        """Whether the target is in sight: one free line is enough."""
        return any(traced.blocker is None for traced in (*self.lines, *self.area))

    @property
    def gives_cover(self) -> bool:
        """Whether a target in sight has cover: low cover on a line, or a hidden part."""
        wide = [traced for traced in self.area if traced.share] or self.lines
        return any(traced.low_cover or traced.blocker for traced in wide)

    @property
    def visible_share(self) -> Fraction | None:
        """The visible share of the target's width, or None if the house looks at single lines."""
        if not self.area:
            return None
        return sum((traced.share for traced in self.area if traced.blocker is None), Fraction(0))

    @property
    def lines_to_draw(self) -> tuple[Traced, ...]:
        """The lines to draw: to the centre and the outermost points and, if none of these is free, a free one."""
        free = [traced for traced in self.area if traced.blocker is None]
        if not free or any(traced.blocker is None for traced in self.lines):
            return self.lines
        return (*self.lines, max(free, key=lambda traced: traced.share))


class BaseLines:
    """The lines from one figure to another. Each finds its obstacles once, for all house options."""

    def __init__(self, ground: LineGeometry, viewer: FreeFigure, target: FreeFigure) -> None:
        self._ground, self._viewer = ground, ground.bases[viewer.id]
        self._target = ground.bases[target.id]
        self._lines = ground.lines_between(ground.bases[viewer.id], self._target)
        box = self._lines[0].box  # holds all lines
        near = [outline for outline in ground.outlines if box.meets(outline.box)]
        self._walls = tuple(outline for outline in near if outline.piece.kind == "wall")
        self._low = tuple(outline for outline in near if outline.piece.kind == "cover")
        others = (base for name, base in ground.bases.items() if name not in (viewer.id, target.id))
        self._others = tuple(base for base in others if box.meets(base.box))
        self._wall = cache(self._find_first_wall)
        self._figure = cache(self._find_first_figure)
        self._cover = cache(self._find_first_cover)

    def sight(self, options: Mapping[str, str]) -> Sight:
        """Return sight and cover under the house's options.

        All of it is inferred: the known fragment of the rules does not define sight and cover.
        """
        count = 1 if options["sight_lines"] == "center" else len(self._lines)
        lines = tuple(self._trace(i, options) for i in range(count))
        if options["sight_lines"] != "area":
            return Sight(lines)
        fan = enumerate(self._fan, len(self._lines))
        return Sight(lines, tuple(self._trace(i, options, line.share) for i, line in fan))

    @cached_property
    def _fan(self) -> tuple[FanLine, ...]:
        """Lines to all places of the target between its outermost points."""
        terrain = (*self._walls, *self._low)
        return fan_between(self._viewer, self._target, self._lines[0].box, terrain, self._others)

    def _line(self, i: int) -> Line:
        return self._lines[i] if i < len(self._lines) else self._fan[i - len(self._lines)].line

    def _trace(self, i: int, options: Mapping[str, str], share: Fraction = Fraction(0)) -> Traced:
        stop: Terrain | FreeFigure | None = self._wall(i)
        if stop is None and options["sight_figures"] == "block":
            stop = self._figure(i)
        low = self._cover(i, options["cover_height"]) if stop is None else None
        return Traced(self._ground.end_mm(self._line(i)), _name_blocker(stop), _name_blocker(low), share)

    def _find_first_wall(self, i: int) -> Terrain | None:
        return find_first_blocking(self._line(i), self._walls)

    def _find_first_figure(self, i: int) -> FreeFigure | None:
        return next((base.figure for base in self._others if meets_figure(self._line(i), base)), None)

    def _find_first_cover(self, i: int, cover_height: str) -> Terrain | None:
        line = self._line(i)
        if cover_height == "hides_foot":
            return find_first_blocking(line.to_height(self._target.foot), (*self._low, *self._walls))
        return next((outline.piece for outline in self._low if crosses(line, outline)), None)


def _name_blocker(thing: Terrain | FreeFigure | None) -> Blocker | None:
    if thing is None:
        return None
    return Blocker("terrain" if isinstance(thing, Terrain) else "figure", id=thing.id)
