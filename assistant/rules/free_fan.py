"""All lines from a viewer to a base: to every place of the stretch between its outermost points.

This is an angular sweep. Visibility changes only at **events**: a line passes a corner, touches a round base, dips
below a top, or ends within an outline. Nothing changes between two neighbouring events. So one line at each event, and
one between each two, answer for all. Corners and outlines are exact. Tangents of round bases are accurate to ``1 /
FINE``, and the sweep ignores narrower gaps.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import isqrt

from assistant.rules.free_lines import Box, FreeBase, Line, Outline, Units
from assistant.rules.surd import Surd

FINE = 10**12
"""Resolution along the stretch for irrational places."""

_Place = tuple[Fraction, Fraction]


@dataclass(frozen=True)
class FanLine:
    """A line to a place of the stretch, and the share of the stretch that it represents; 0 for a line at an event."""

    line: Line
    share: Fraction


@dataclass(frozen=True)
class _Stretch:
    """The viewer's side of a base: from ``origin + low * way`` to ``origin + high * way``."""

    start: Units
    origin: Units
    way: Units
    low: Fraction
    high: Fraction

    @property
    def to_origin(self) -> Units:
        return self.origin[0] - self.start[0], self.origin[1] - self.start[1]

    def nearness(self, place: _Place) -> Fraction:
        """Return the depth of a place from the viewer: 0 beside him, 1 on the stretch."""
        x, y = place[0] - self.start[0], place[1] - self.start[1]
        return Fraction(x * self.way[1] - y * self.way[0]) / _cross(self.to_origin, self.way)

    def along(self, place: _Place) -> Fraction | None:
        """Return where a line through a place meets the stretch; None unless the place lies in front of the stretch."""
        x, y = place[0] - self.start[0], place[1] - self.start[1]
        ahead = self.nearness(place)
        if not 0 < ahead <= 1:
            return None
        q = self.to_origin
        return (q[0] * y - q[1] * x) / (ahead * _cross(q, self.way))

    def line_to(self, at: Fraction, box: Box, heights: tuple[int, int]) -> Line:
        q, times = self.to_origin, at.denominator
        direction = Surd(q[0] * times + at.numerator * self.way[0]), Surd(q[1] * times + at.numerator * self.way[1])
        return Line(self.start, direction, times, box, *heights)


def fan_between(
    viewer: FreeBase, target: FreeBase, box: Box, outlines: Sequence[Outline], others: Sequence[FreeBase]
) -> tuple[FanLine, ...]:
    """Return the lines that represent all places between a base's outermost points, from one side to the other.

    There are none between bases with the same middle, nor to a rectangle seen edge-on.

    Args:
        viewer: the viewing base; it looks from the top of its middle.
        target: the base in view, at its top.
        box: a box round all lines between the two.
        outlines: the terrain that may block, or gives low cover.
        others: the bases that may block.
    """
    stretch = _stretch(viewer, target)
    if stretch is None:
        return ()
    falls = [(viewer.top, target.top), (viewer.top, target.foot)]
    met = {at for at in _borders(stretch, falls, outlines, others) if stretch.low < at < stretch.high}
    marks = [stretch.low, *sorted(met), stretch.high]
    lines = [FanLine(stretch.line_to(at, box, falls[0]), Fraction(0)) for at in marks[1:-1]]
    whole = stretch.high - stretch.low
    for before, after in pairwise(marks):
        middle = stretch.line_to((before + after) / 2, box, falls[0])
        lines.append(FanLine(middle, (after - before) / whole))
    return tuple(lines)


def _stretch(viewer: FreeBase, target: FreeBase) -> _Stretch | None:
    start, middle = viewer.center, target.center
    dx, dy = middle[0] - start[0], middle[1] - start[1]
    if not (dx or dy):
        return None
    if target.corners:
        a, b = target.outermost_corners(start)
        found = _Stretch(start, a, (b[0] - a[0], b[1] - a[1]), Fraction(0), Fraction(1))
        return found if _cross(found.to_origin, found.way) else None
    reach = Fraction(isqrt(target.radius**2 * FINE**2 // (dx * dx + dy * dy)), FINE)
    return _Stretch(start, middle, (-dy, dx), -reach, reach)


def _borders(
    stretch: _Stretch, falls: Iterable[tuple[int, int]], outlines: Sequence[Outline], others: Sequence[FreeBase]
) -> Iterator[Fraction]:
    """Yield the events: places on the stretch where something may begin or stop to block."""
    shapes = [(outline.corners, outline.height) for outline in outlines]
    shapes += [(base.corners, base.top) for base in others if base.corners]
    rounds = [base for base in others if not base.corners]
    for corners, _ in shapes:
        yield from _along(stretch, ((Fraction(x), Fraction(y)) for x, y in corners))
    for base in rounds:
        yield from _along(stretch, _touching(stretch.start, base))
    for corners, height in shapes:
        for share in _shares_where_lines_change(falls, height):
            yield from _along(stretch, _edges_at(stretch, corners, share))
    for base in rounds:
        for share in _shares_where_lines_change(falls, base.top):
            yield from _along(stretch, _round_at(stretch, base, share))


def _along(stretch: _Stretch, places: Iterable[_Place]) -> Iterator[Fraction]:
    return (at for at in map(stretch.along, places) if at is not None)


def _shares_where_lines_change(falls: Iterable[tuple[int, int]], height: int) -> frozenset[Fraction]:
    """Return the shares of a line's length at which it passes a height, and its end."""
    dips = (Fraction(height - a, b - a) for a, b in falls if min(a, b) < height < max(a, b))
    return frozenset((*dips, Fraction(1)))


def _edges_at(stretch: _Stretch, corners: Sequence[Units], share: Fraction) -> Iterator[_Place]:
    """Yield the places of an outline's sides at that depth."""
    for (ax, ay), (bx, by) in pairwise([*corners, corners[0]]):
        here, there = (stretch.nearness((Fraction(x), Fraction(y))) for x, y in ((ax, ay), (bx, by)))
        if here != there and min(here, there) <= share <= max(here, there):
            part = (share - here) / (there - here)
            yield ax + part * (bx - ax), ay + part * (by - ay)


def _touching(start: Units, base: FreeBase) -> Iterator[_Place]:
    """Yield the two tangent points of a round base."""
    x, y = base.center[0] - start[0], base.center[1] - start[1]
    square, radius = x * x + y * y, base.radius
    beyond = square - radius * radius
    if beyond < 0:
        return
    near, aside = Fraction(beyond, square), Fraction(isqrt(beyond * radius * radius * FINE**2), FINE * square)
    if beyond == 0:  # viewed from its edge: along it
        aside = Fraction(1)
    for side in (-1, 1):
        yield start[0] + near * x - side * aside * y, start[1] + near * y + side * aside * x


def _round_at(stretch: _Stretch, base: FreeBase, share: Fraction) -> Iterator[_Place]:
    """Yield the places of a round base's edge at that depth."""
    (qx, qy), (px, py) = stretch.to_origin, stretch.way
    x, y = stretch.start[0] + share * qx - base.center[0], stretch.start[1] + share * qy - base.center[1]
    square = px * px + py * py
    half = (x * px + y * py) / square
    inside = half * half - (x * x + y * y - base.radius**2) / square
    if inside < 0:
        return
    root = Fraction(math.isqrt(int(inside * FINE**2)), FINE)
    for at in (-half - root, -half + root):
        yield base.center[0] + x + at * px, base.center[1] + y + at * py


def _cross(a: Units, b: Units) -> int:
    return a[0] * b[1] - a[1] * b[0]
