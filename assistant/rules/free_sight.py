"""Straight lines across a free table: where they enter an outline and where they only touch, by sign alone.

A line runs from a figure's eye, above the middle of its base, to the top of another one. A piece of
terrain stands in its way only where the line is lower than the terrain is high.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

from assistant.rules.surd import Surd, rational_root
from assistant.table.free_table import FreeFigure, Terrain
from assistant.table.plane import ExactPoint, doubled_area, sign

SurdPoint = tuple[Surd, Surd]


class Stretch(NamedTuple):
    """A piece of a line, as shares of its length: 0 at its start, 1 at its end."""

    start: Surd
    end: Surd


class Contact(NamedTuple):
    """Where a line touches an outline without entering it, and on which side of the line that lies."""

    stretch: Stretch
    side: int


@dataclass(frozen=True)
class Line:
    """A line over the table: its ends from above, and how high over the table it starts and ends."""

    start: ExactPoint
    end: SurdPoint
    start_height_mm: Fraction
    end_height_mm: Fraction

    @property
    def direction(self) -> SurdPoint:
        """From start to end."""
        return self.end[0] - self.start[0], self.end[1] - self.start[1]

    def below(self, height_mm: Fraction, *, or_level: bool = False) -> Stretch | None:
        """The open stretch in which the line is lower than a height, or None; a level line at it only if asked."""
        rise_mm = self.end_height_mm - self.start_height_mm
        room_mm = height_mm - self.start_height_mm
        low, high = Fraction(0), Fraction(1)
        if rise_mm == 0:
            high = Fraction(1 if room_mm > 0 or (or_level and room_mm == 0) else 0)
        elif rise_mm > 0:
            high = min(high, room_mm / rise_mm)
        else:
            low = max(low, room_mm / rise_mm)
        return Stretch(Surd(low), Surd(high)) if low < high else None


def lines_between(viewer: FreeFigure, target: FreeFigure, *, to_height_mm: Fraction) -> tuple[Line, ...]:
    """The lines from the middle of a base to the middle and to both outermost points of another.

    The outermost points are those at right angles to the line of the middles, the one on its negative
    side first (left of a viewer who looks along x, since y runs towards the near edge). Bases with the
    same middle have one line, of no length.
    """
    start, middle = viewer.center_mm, target.center_mm
    dx, dy = middle[0] - start[0], middle[1] - start[1]
    square = dx * dx + dy * dy
    ends = [(Surd(middle[0]), Surd(middle[1]))]
    if square:
        known = rational_root(square)
        # The step along the normal of length 1 is (-dy, dx) / sqrt(square) = (-dy, dx) * sqrt(square) / square.
        unit = Surd(known / square) if known is not None else Surd(Fraction(0), 1 / square, square)
        across = unit * target.radius_mm
        ends += [(across * (-dy * side) + middle[0], across * (dx * side) + middle[1]) for side in (-1, 1)]
    return tuple(Line(start, end, viewer.top_mm, to_height_mm) for end in ends)


def first_blocking(line: Line, pieces: Iterable[Terrain]) -> Terrain | None:
    """The piece of terrain that the line runs into first, or None for a clear line.

    A line is stopped where it enters the inside of an outline below its height, and where it is pinched
    between outlines that touch it from both sides at the same place. Touching a corner or running along
    one side is clear. Of two pieces that stop it at the same place the first in the list is named.
    """
    stops: list[tuple[Surd, Terrain]] = []
    contacts: list[tuple[Contact, Terrain]] = []
    for piece in pieces:
        stretch = line.below(piece.height_mm)
        if stretch is None or not _boxes_meet(line, piece.outline_mm):
            continue
        found = _Meeting(line, piece.outline_mm, stretch)
        entry = found.entry()
        if entry is not None:
            stops.append((entry, piece))
        contacts += [(contact, piece) for contact in found.contacts()]
    stops += _pinches(contacts)
    first: tuple[Surd, Terrain] | None = None
    for stop in stops:
        if first is None or stop[0] < first[0]:
            first = stop
    return first[1] if first else None


def crosses(line: Line, piece: Terrain) -> bool:
    """Whether the line, seen from above, passes through the inside of an outline."""
    whole = Stretch(Surd(Fraction(0)), Surd(Fraction(1)))
    return _boxes_meet(line, piece.outline_mm) and _Meeting(line, piece.outline_mm, whole).entry() is not None


def meets_figure(line: Line, figure: FreeFigure) -> bool:
    """Whether the line passes through a figure's base, seen from above, below the figure's top; touching is free.

    A level line at the height of the top counts as below it: figures of the same height hide each other.
    """
    stretch = line.below(figure.top_mm, or_level=True)
    dx, dy = line.direction
    length_squared = dx * dx + dy * dy
    if stretch is None or length_squared.sign == 0:
        return False
    to_middle = (figure.center_mm[0] - line.start[0], figure.center_mm[1] - line.start[1])
    nearest = (dx * to_middle[0] + dy * to_middle[1]) / length_squared
    share = _earlier(_later(nearest, stretch.start), stretch.end)
    away = (dx * share - to_middle[0], dy * share - to_middle[1])
    return away[0] * away[0] + away[1] * away[1] < figure.radius_mm**2


def _boxes_meet(line: Line, outline: Sequence[ExactPoint]) -> bool:
    """Whether the boxes round a line and an outline meet; most pieces of a table are left out by this."""
    for k in (0, 1):
        low, high = min(p[k] for p in outline), max(p[k] for p in outline)
        ends = (line.end[k], Surd(line.start[k]))
        if all(end < low for end in ends) or all(end > high for end in ends):
            return False
    return True


class _Meeting:
    """One line and one outline: on which side of the line each corner lies, and what follows from that."""

    def __init__(self, line: Line, outline: Sequence[ExactPoint], stretch: Stretch) -> None:
        self.line = line
        self.outline = outline
        self.stretch = stretch
        self.dx, self.dy = line.direction
        self.length_squared = self.dx * self.dx + self.dy * self.dy
        self.offsets = [self._offset(corner) for corner in outline]
        self.sides = [offset.sign for offset in self.offsets]

    def entry(self) -> Surd | None:
        """Where the line first gets into the inside of the outline within the stretch, or None."""
        if 1 not in self.sides or -1 not in self.sides or self.length_squared.sign == 0:
            return None
        for start, end in pairwise(self._cuts()):
            if start < end and self._is_inside((start + end) * Fraction(1, 2)):
                return start
        return None

    def contacts(self) -> Iterator[Contact]:
        """Where the line runs along a side, or touches a corner that points at it, within the stretch."""
        if 0 not in self.sides or self.length_squared.sign == 0:
            return
        turn = sign(doubled_area(self.outline))
        count = len(self.outline)
        for i in range(count):
            if self.sides[i]:
                continue
            before, after, here = self.sides[i - 1], self.sides[(i + 1) % count], self._share(self.outline[i])
            if after == 0:
                there = self._share(self.outline[(i + 1) % count])
                forward = here < there
                yield from self._within(
                    Stretch(here, there) if forward else Stretch(there, here), turn * (1 if forward else -1)
                )
            elif before == after:
                yield from self._within(Stretch(here, here), before)

    def _within(self, touched: Stretch, side: int) -> Iterator[Contact]:
        start, end = _later(touched.start, self.stretch.start), _earlier(touched.end, self.stretch.end)
        if start <= end:
            yield Contact(Stretch(start, end), side)

    def _cuts(self) -> list[Surd]:
        """The ends of the stretch and every place between them where the line meets the outline, in order."""
        low, high = self.stretch
        cuts = [low, high]
        count = len(self.outline)
        for i in range(count):
            j = (i + 1) % count
            if self.sides[i] * self.sides[j] < 0:
                share = self.offsets[i] / (self.offsets[i] - self.offsets[j])
                a, b = self.outline[i], self.outline[j]
                cuts.append(self._share_of((share * (b[0] - a[0]) + a[0], share * (b[1] - a[1]) + a[1])))
            elif self.sides[i] == 0:
                cuts.append(self._share(self.outline[i]))
        return _sorted([cut for cut in cuts if low <= cut <= high])

    def _is_inside(self, share: Surd) -> bool:
        """Whether the place at that share of the line is in the inside; it is never one of the cuts."""
        if any(self._runs_along(i, share) for i in range(len(self.outline))):
            return False
        x, y = self.dx * share + self.line.start[0], self.dy * share + self.line.start[1]
        inside = False
        for (ax, ay), (bx, by) in pairwise([*self.outline, self.outline[0]]):
            if (y < ay) == (y < by):
                continue
            # A ray along x leaves through this side if the place lies on the side's left.
            turn = ((y - ay) * (bx - ax) - (x - ax) * (by - ay)).sign
            inside ^= turn == (1 if by > ay else -1)
        return inside

    def _runs_along(self, i: int, share: Surd) -> bool:
        j = (i + 1) % len(self.outline)
        if self.sides[i] or self.sides[j]:
            return False
        ends = self._share(self.outline[i]), self._share(self.outline[j])
        return _earlier(*ends) <= share <= _later(*ends)

    def _offset(self, corner: ExactPoint) -> Surd:
        """Twice the signed area of the triangle of the line and the corner."""
        return self.dx * (corner[1] - self.line.start[1]) - self.dy * (corner[0] - self.line.start[0])

    def _share(self, corner: ExactPoint) -> Surd:
        return self._share_of((Surd(corner[0]), Surd(corner[1])))

    def _share_of(self, place: SurdPoint) -> Surd:
        along = self.dx * (place[0] - self.line.start[0]) + self.dy * (place[1] - self.line.start[1])
        return along / self.length_squared


def _pinches(contacts: Sequence[tuple[Contact, Terrain]]) -> Iterator[tuple[Surd, Terrain]]:
    """Places between the ends of the line that are touched from both sides at once."""
    for (left, piece), (right, other) in ((a, b) for a in contacts for b in contacts if a[0].side < 0 < b[0].side):
        start = _later(left.stretch.start, right.stretch.start)
        end = _earlier(left.stretch.end, right.stretch.end)
        if start <= end and end > 0 and start < 1:
            yield start, piece if left.stretch.start <= right.stretch.start else other


def _later(a: Surd, b: Surd) -> Surd:
    return b if a < b else a


def _earlier(a: Surd, b: Surd) -> Surd:
    return a if a < b else b


def _sorted(shares: list[Surd]) -> list[Surd]:
    """The shares in order; insertion, since there are few and Surds are compared by sign."""
    result: list[Surd] = []
    for share in shares:
        place = len(result)
        while place and share < result[place - 1]:
            place -= 1
        result.insert(place, share)
    return result
