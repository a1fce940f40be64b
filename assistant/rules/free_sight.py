"""Lines and outlines on a free table: where a line enters or only touches an outline, by signs alone.

Terrain blocks a line only where the line is lower than the terrain.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

from assistant.rules.free_lines import WHOLE, FreeBase, Line, Outline, Stretch, Units
from assistant.rules.surd import Surd, surd_sign
from assistant.table.free_table import Terrain


class Contact(NamedTuple):
    """A stretch in which a line touches an outline without entering it, and the outline's side of the line."""

    stretch: Stretch
    side: int


def find_first_blocking(line: Line, outlines: Iterable[Outline]) -> Terrain | None:
    """Return the piece of terrain that stops the line first, or None for a clear line.

    A line stops where it enters the inside of an outline below its height. It also stops where outlines pinch it: they
    touch it from both sides at the same place. Touching a corner or running along one side is clear. Of two pieces that
    stop it at the same place, the first in the list counts.
    """
    stops: list[tuple[Surd, Terrain]] = []
    contacts: list[tuple[Contact, Terrain]] = []
    for outline in outlines:
        if not line.box.meets(outline.box) or line.is_point:
            continue
        stretch = line.below(outline.height)
        if stretch is None:
            continue
        found = _Meeting(line, outline, stretch)
        entry = found.entry()
        if entry is not None:
            stops.append((entry, outline.piece))
        contacts += [(contact, outline.piece) for contact in found.contacts()]
    stops += _pinches(contacts)
    first: tuple[Surd, Terrain] | None = None
    for stop in stops:
        if first is None or stop[0] < first[0]:
            first = stop
    return first[1] if first else None


def measure_share_inside(line: Line, outline: Outline) -> Surd:
    """Return the share of the line inside an outline, seen from above."""
    share = Surd(0)
    if not line.is_point and line.box.meets(outline.box):
        for stretch in _Meeting(line, outline, WHOLE).inside():
            share = share + stretch.end - stretch.start
    return share


def crosses(line: Line, outline: Outline) -> bool:
    """Return whether the line passes through the inside of an outline, seen from above."""
    return not line.is_point and line.box.meets(outline.box) and _Meeting(line, outline, WHOLE).entry() is not None


def meets_figure(line: Line, base: FreeBase) -> bool:
    """Return whether the line passes through a figure's base below its top. Mere contact does not count.

    A level line at the height of the top counts as below it: figures of the same height hide each other.
    """
    if not line.box.meets(base.box) or line.is_point:
        return False
    stretch = line.below(base.top, or_level=True)
    if stretch is None:
        return False
    if base.corners:
        return _Meeting(line, base, stretch).entry() is not None
    if _passes_by(line, base):
        return False
    dx, dy = line.direction
    length_squared = dx * dx + dy * dy
    to_middle = (base.center[0] - line.start[0], base.center[1] - line.start[1])
    nearest = (dx * to_middle[0] + dy * to_middle[1]) * line.multiple / length_squared
    share = _earlier(_later(nearest, stretch.start), stretch.end) * Fraction(1, line.multiple)
    away = (dx * share - to_middle[0], dy * share - to_middle[1])
    return away[0] * away[0] + away[1] * away[1] < base.radius**2


def _passes_by(line: Line, base: FreeBase) -> bool:
    """Return whether the infinite line misses the inside of a round base, seen from above.

    Plain numbers instead of Surds: most lines miss most bases, and this test suffices for them.
    """
    dx, dy = line.direction
    radicand = dx.radicand if dx.part else dy.radicand
    x, y = base.center[0] - line.start[0], base.center[1] - line.start[1]
    whole, part = dx.whole * y - dy.whole * x, dx.part * y - dy.part * x
    length_whole = dx.whole * dx.whole + dy.whole * dy.whole + (dx.part * dx.part + dy.part * dy.part) * radicand
    length_part = 2 * (dx.whole * dx.part + dy.whole * dy.part)
    reach = base.radius * base.radius
    away_whole = whole * whole + part * part * radicand - reach * length_whole
    return surd_sign(away_whole, 2 * whole * part - reach * length_part, radicand) >= 0


class _Meeting:
    """One line and one outline, by each corner's side of the line."""

    def __init__(self, line: Line, outline: Outline | FreeBase, stretch: Stretch) -> None:
        self.line = line
        self.corners = outline.corners
        self.turn = outline.turn
        self.stretch = stretch
        self.dx, self.dy = line.direction
        self.sides = [self._side(corner) for corner in self.corners]

    def entry(self) -> Surd | None:
        """Return the share of the line at which it first enters the outline within the stretch."""
        first = next(self.inside(), None)
        return first.start if first else None

    def inside(self) -> Iterator[Stretch]:
        """Yield the stretches of the line inside the outline, in order.

        The trap is a line along a side or through a corner, where counting crossings fails. So the method follows two
        lines infinitely close to it, on the left and on the right. Each is inside after an odd number of crossings; a
        corner on the line itself counts as being on the far side. The line is inside where both are.
        """
        if 1 not in self.sides or -1 not in self.sides:
            return
        left = right = False
        start = Surd(0)
        for place, turns_left, turns_right in self._crossings():
            if left and right:
                inner = Stretch(_later(start, self.stretch.start), _earlier(place, self.stretch.end))
                if inner.start < inner.end:
                    yield inner
            start, left, right = place, left ^ turns_left, right ^ turns_right

    def contacts(self) -> Iterator[Contact]:
        """Yield the places in the stretch where the line runs along a side or touches a corner that points at it."""
        count = len(self.corners)
        for i in range(count):
            if self.sides[i]:
                continue
            before, after, here = self.sides[i - 1], self.sides[(i + 1) % count], self._share(self.corners[i])
            if after == 0:
                there = self._share(self.corners[(i + 1) % count])
                touched, side = (
                    (Stretch(here, there), self.turn) if here < there else (Stretch(there, here), -self.turn)
                )
                yield from self._within(touched, side)
            elif before == after:
                yield from self._within(Stretch(here, here), before)

    def _within(self, touched: Stretch, side: int) -> Iterator[Contact]:
        start, end = _later(touched.start, self.stretch.start), _earlier(touched.end, self.stretch.end)
        if start <= end:
            yield Contact(Stretch(start, end), side)

    def _side(self, corner: Units) -> int:
        """Return the corner's side of the line, in plain whole numbers: most outlines need no more."""
        x, y = corner[0] - self.line.start[0], corner[1] - self.line.start[1]
        whole = self.dx.whole * y - self.dy.whole * x
        return surd_sign(whole, self.dx.part * y - self.dy.part * x, self.dx.radicand)

    def _crossings(self) -> list[tuple[Surd, bool, bool]]:
        """Return the shares at which the outline meets the line, in order, with crossings on its left and right."""
        found: list[tuple[Surd, bool, bool]] = []
        for i, (a, b) in enumerate(pairwise([*self.corners, self.corners[0]])):
            here, there = self.sides[i], self.sides[(i + 1) % len(self.sides)]
            turns = ((here >= 0) != (there >= 0), (here > 0) != (there > 0))
            if any(turns):
                place = self._crossing(a, b) if here * there else self._share(b if here else a)
                _insert(found, (place, *turns))
        return found

    def _crossing(self, a: Units, b: Units) -> Surd:
        x, y = b[0] - a[0], b[1] - a[1]
        area = (a[0] - self.line.start[0]) * y - (a[1] - self.line.start[1]) * x
        return Surd(area * self.line.multiple) / (self.dx * y - self.dy * x)

    def _share(self, corner: Units) -> Surd:
        """Return the share of the line nearest to a corner."""
        along = self.dx * (corner[0] - self.line.start[0]) + self.dy * (corner[1] - self.line.start[1])
        return along * self.line.multiple / (self.dx * self.dx + self.dy * self.dy)


def _pinches(contacts: Sequence[tuple[Contact, Terrain]]) -> Iterator[tuple[Surd, Terrain]]:
    """Yield places between the ends of the line where outlines touch it from both sides."""
    for (left, piece), (right, other) in ((a, b) for a in contacts for b in contacts if a[0].side < 0 < b[0].side):
        start = _later(left.stretch.start, right.stretch.start)
        end = _earlier(left.stretch.end, right.stretch.end)
        if start <= end and end > 0 and start < 1:
            yield start, piece if left.stretch.start <= right.stretch.start else other


def _later(a: Surd, b: Surd) -> Surd:
    return b if a < b else a


def _earlier(a: Surd, b: Surd) -> Surd:
    return a if a < b else b


def _insert(found: list[tuple[Surd, bool, bool]], item: tuple[Surd, bool, bool]) -> None:
    """Insertion sort: there are few crossings, and comparing Surds is expensive."""
    place = len(found)
    while place and item[0] < found[place - 1][0]:
        place -= 1
    found.insert(place, item)
