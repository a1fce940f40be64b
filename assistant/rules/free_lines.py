"""A free table in whole numbers, and the straight lines between the figures on it.

A line runs from a figure's eye, above the middle of its base, to the top of another one. The scale is the least common
denominator of the table's measures, so every corner, middle and radius is an integer.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import chain
from math import isqrt, lcm
from typing import NamedTuple

from assistant.rules.surd import Surd
from assistant.table.free_table import FreeFigure, FreeTable, Terrain
from assistant.table.plane import ExactPoint, doubled_area, sign

SurdPoint = tuple[Surd, Surd]

Units = tuple[int, int]
"""A place in the table's own unit. Every corner, middle and radius is a whole number of units."""


class Stretch(NamedTuple):
    """A piece of a line, as shares of its length: 0 at its start, 1 at its end."""

    start: Surd
    end: Surd


WHOLE = Stretch(Surd(0), Surd(1))


class Box(NamedTuple):
    """An axis-parallel box, borders included."""

    left: int
    top: int
    right: int
    bottom: int

    def meets(self, other: Box) -> bool:
        return (
            self.left <= other.right
            and other.left <= self.right
            and self.top <= other.bottom
            and other.top <= self.bottom
        )


@dataclass(frozen=True)
class Outline:
    """A piece of terrain in units; ``turn`` is the sign of its area."""

    piece: Terrain
    corners: tuple[Units, ...]
    box: Box
    turn: int
    height: int


@dataclass(frozen=True)
class FreeBase:
    """A base in units: a circle of that radius, or corners; ``turn`` is the sign of their area.

    ``foot`` and ``top`` are the heights of the figure's bottom and top over the table.
    """

    figure: FreeFigure
    center: Units
    radius: int
    foot: int
    top: int
    corners: tuple[Units, ...] = ()
    turn: int = 1

    @cached_property
    def box(self) -> Box:
        if self.corners:
            columns, rows = zip(*self.corners, strict=True)
            return Box(min(columns), min(rows), max(columns), max(rows))
        (x, y), radius = self.center, self.radius
        return Box(x - radius, y - radius, x + radius, y + radius)

    def outermost_corners(self, viewer: Units) -> tuple[Units, Units]:
        """Return the corners farthest to either side of the line from a viewer to the middle; the nearer of a tie."""
        dx, dy = self.center[0] - viewer[0], self.center[1] - viewer[1]

        def aside_and_ahead(corner: Units) -> tuple[int, int]:
            x, y = corner[0] - viewer[0], corner[1] - viewer[1]
            return dx * y - dy * x, dx * x + dy * y

        sides = sorted((aside_and_ahead(corner), corner) for corner in self.corners)
        low = sides[0][1]
        high = min(sides, key=lambda side: (-side[0][0], side[0][1]))[1]
        return low, high


@dataclass(frozen=True)
class Line:
    """A line over the table, with its start and end heights.

    ``direction`` is the vector from its start to its end, ``multiple`` times as long to keep its parts whole numbers.
    ``box`` contains the line, and may be larger.
    """

    start: Units
    direction: SurdPoint
    multiple: int
    box: Box
    start_height: int
    end_height: int

    @cached_property
    def is_point(self) -> bool:
        return self.direction[0].sign == 0 and self.direction[1].sign == 0

    def to_height(self, height: int) -> Line:
        """Return the line that ends at another height over the same place."""
        return Line(self.start, self.direction, self.multiple, self.box, self.start_height, height)

    def below(self, height: int, *, or_level: bool = False) -> Stretch | None:
        """Return the open stretch in which the line is lower than a height, or None if there is none.

        A level line at that height counts as below it only with ``or_level``.
        """
        if height > self.start_height and height > self.end_height:
            return WHOLE
        rise, room = self.end_height - self.start_height, height - self.start_height
        if rise == 0:
            return WHOLE if or_level and room == 0 else None
        if height <= self.start_height and height <= self.end_height:
            return None
        share = Surd(Fraction(room, rise))
        return Stretch(WHOLE.start, share) if rise > 0 else Stretch(share, WHOLE.end)


class LineGeometry:
    """A table in units, for many lines."""

    def __init__(self, table: FreeTable) -> None:
        corners = (corner for piece in table.terrain for corner in piece.outline_mm)
        rounds = ((*figure.center_mm, figure.radius_mm) for figure in table.figures)
        bases = (corner for figure in table.figures for corner in figure.core_mm)
        heights = ((figure.elevation_mm, figure.top_mm) for figure in table.figures)
        tops = ((piece.height_mm,) for piece in table.terrain)
        measures = chain(corners, rounds, bases, heights, tops)
        self.units_per_mm = lcm(*(value.denominator for part in measures for value in part))
        self.outlines = tuple(self._outline(piece) for piece in table.terrain)
        self.bases = {figure.id: self._base(figure) for figure in table.figures}

    def lines_between(self, viewer: FreeBase, target: FreeBase) -> tuple[Line, ...]:
        """Return the lines from the middle of a base to the middle and both outermost points of another.

        They run from the top of the viewer to the top of the target. The outermost points lie at right angles to the
        line of the middles, the one on its negative side first (left of a viewer who looks along x, since y runs
        towards the near edge). A rectangle's outermost points are the corners farthest to either side of that line.
        Bases with the same middle have one line of zero length.
        """
        start, middle, radius = viewer.center, target.center, target.radius
        dx, dy = middle[0] - start[0], middle[1] - start[1]
        reach = target.box
        box = Box(
            min(start[0], reach.left), min(start[1], reach.top), max(start[0], reach.right), max(start[1], reach.bottom)
        )
        heights = viewer.top, target.top
        lines = [Line(start, (Surd(dx), Surd(dy)), 1, box, *heights)]
        if target.corners and (dx or dy):
            for x, y in target.outermost_corners(start):
                lines.append(Line(start, (Surd(x - start[0]), Surd(y - start[1])), 1, box, *heights))
        elif dx or dy:
            for side in (-1, 1):
                # The step from (dx, dy) along the normal is radius * (-dy, dx) / sqrt(square).
                square, across = dx * dx + dy * dy, side * radius
                whole = isqrt(square)
                if whole * whole == square:
                    direction = Surd(whole * dx - across * dy), Surd(whole * dy + across * dx)
                    lines.append(Line(start, direction, whole, box, *heights))
                else:
                    direction = Surd(square * dx, -across * dy, square), Surd(square * dy, across * dx, square)
                    lines.append(Line(start, direction, square, box, *heights))
        return tuple(lines)

    def start_mm(self, line: Line) -> ExactPoint:
        return Fraction(line.start[0], self.units_per_mm), Fraction(line.start[1], self.units_per_mm)

    def end_mm(self, line: Line) -> SurdPoint:
        shrink = Fraction(1, line.multiple * self.units_per_mm)
        start_mm = self.start_mm(line)
        return line.direction[0] * shrink + start_mm[0], line.direction[1] * shrink + start_mm[1]

    def _outline(self, piece: Terrain) -> Outline:
        corners = tuple(self._units(point) for point in piece.outline_mm)
        columns, rows = [x for x, _ in corners], [y for _, y in corners]
        box = Box(min(columns), min(rows), max(columns), max(rows))
        height = int(piece.height_mm * self.units_per_mm)
        return Outline(piece, corners, box, sign(doubled_area(piece.outline_mm)), height)

    def _base(self, figure: FreeFigure) -> FreeBase:
        measures = figure.radius_mm, figure.elevation_mm, figure.top_mm
        radius, foot, top = (int(measure * self.units_per_mm) for measure in measures)
        corners = tuple(map(self._units, figure.core_mm)) if figure.base_size_mm else ()
        return FreeBase(figure, self._units(figure.center_mm), radius, foot, top, corners)

    def _units(self, point_mm: ExactPoint) -> Units:
        return int(point_mm[0] * self.units_per_mm), int(point_mm[1] * self.units_per_mm)
