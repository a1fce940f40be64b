"""Snaps walls that leave the grid onto lattice edges that separate the same cells.

A wall crosses some cells. Its path on the lattice uses only sides of these cells, so every uncrossed cell stays on its
side. Ends that meet in the map also meet on the lattice, so no gap opens between two walls.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from assistant.table.lattice import Edge, Point

XY = tuple[float, float]

TOUCH_CELLS = 0.12
"""Distance in cells below which a wall's end touches another wall, since people draw that closely."""

FREE_END_CELLS = 0.75
"""Length in cells by which a wall's free end is extended before rounding: rather too long than too short."""

SPUR_CELLS = 0.2
"""Distance in cells of a corner from its lattice point beyond which an edge is added towards the corner."""

WIDER_CELLS = 0.4
"""Limit in cells on how much wider an opening may become on the lattice."""

SMOOTH = math.cos(math.radians(40))
"""Cosine of the largest turn between two lines of a curve."""

SHORTEST_DOOR_CELLS = 0.4
"""Length in cells from which a door gets an edge even if both its ends round to one point."""


@dataclass(frozen=True, slots=True)
class LooseLine:
    """A straight line of a map in cells. ``name`` is the object that it belongs to."""

    a: XY
    b: XY
    name: str
    is_door: bool = False
    is_opening: bool = False
    """Whether it lets sight through, as an open door or a window."""

    @property
    def is_window(self) -> bool:
        return self.is_opening and not self.is_door

    @property
    def length(self) -> float:
        return math.dist(self.a, self.b)


def edges_along(lines: Sequence[LooseLine], fixed: Iterable[tuple[XY, XY]] = ()) -> Iterator[tuple[str, list[Edge]]]:
    """Yield the edges for each line, in the order of the lines, with an empty list for one shorter than a cell.

    Args:
        lines: lines off the lattice.
        fixed: lines on the lattice, which the others may touch.
    """
    fixed_lines = tuple(fixed)
    ends = _Ends([*(end for line in lines for end in (line.a, line.b)), *(end for two in fixed_lines for end in two)])
    ends.note_touched([*((line.a, line.b) for line in lines), *fixed_lines])
    places = _Places(lines)
    windows = {edge for line in lines if line.is_window for edge in _stair_of(line, places)}
    for line in lines:
        pieces = list(_split(line, ends))
        found: list[Edge] = []
        for number, (a, b) in enumerate(pieces):
            is_first, is_last = number == 0, number == len(pieces) - 1
            start = _outward(a, b) if is_first and not line.is_door and ends.is_free(a) else a
            stop = _outward(b, a) if is_last and not line.is_door and ends.is_free(b) else b
            found += stair(start, stop, places.of(start), places.of(stop))
        if not line.is_door:
            corners = [end for end in (line.a, line.b) if not places.is_smooth(end)]
            found += (spur for end in corners for spur in _spurs(end, places.of(end)))
            if not line.is_window:
                found += (jamb for jamb in _jambs(line, places) if jamb not in windows)
        yield line.name, found


def _stair_of(line: LooseLine, places: _Places) -> Iterator[Edge]:
    """Yield the edges of a line that is not extended."""
    return stair(line.a, line.b, places.of(line.a), places.of(line.b))


def _jambs(line: LooseLine, places: _Places) -> Iterator[Edge]:
    """Yield edges across a wall at its windows, towards the wall's true place: they block oblique views there."""
    is_flat = abs(line.b[0] - line.a[0]) >= abs(line.b[1] - line.a[1])
    for end in (line.a, line.b):
        if places.is_at_window(end):
            yield from (spur for spur in _spurs(end, places.of(end)) if spur.is_horizontal != is_flat)


def _spurs(end: XY, point: Point) -> Iterator[Edge]:
    """Yield edges from a moved corner towards its true place, if that is far, to keep what it hides hidden."""
    for along in (0, 1):
        off = end[along] - point[along]
        if abs(off) > SPUR_CELLS:
            step = 1 if off > 0 else -1
            there = (point[0] + step, point[1]) if along == 0 else (point[0], point[1] + step)
            yield Edge.between(point, there)


def stair(a: XY, b: XY, first: Point, last: Point) -> Iterator[Edge]:
    """Yield the edges from one lattice point to another along a straight line, on sides of cells that it crosses."""
    is_flat = abs(b[0] - a[0]) >= abs(b[1] - a[1])
    along, across = (0, 1) if is_flat else (1, 0)
    step = 1 if last[along] >= first[along] else -1
    points = [first]
    for place in range(first[along] + step, last[along] + step, step) if first[along] != last[along] else ():
        points.append(_point(place, points[-1][across], is_flat=is_flat))
        goal = last[across] if place == last[along] else _round(_at(a, b, place, along))
        points += _aside(points[-1], goal, across)
    points += _aside(points[-1], last[across], across)
    for here, there in pairwise(points):
        yield Edge.between(here, there)


def _aside(here: Point, goal: int, across: int) -> list[Point]:
    """Return the points from here to a goal perpendicular to the line, without the first."""
    step = 1 if goal > here[across] else -1
    places = range(here[across] + step, goal + step, step) if goal != here[across] else ()
    return [(here[0], place) if across == 1 else (place, here[1]) for place in places]


def _at(a: XY, b: XY, place: float, along: int) -> float:
    """Return the cross coordinate of the line at a place along it, clamped at its ends."""
    length = b[along] - a[along]
    share = min(max((place - a[along]) / length, 0.0), 1.0) if length else 0.0
    return a[1 - along] + share * (b[1 - along] - a[1 - along])


def _point(along: int, across: int, *, is_flat: bool) -> Point:
    return (along, across) if is_flat else (across, along)


def _round(number: float) -> int:
    return math.floor(number + 0.5)


def _outward(end: XY, other: XY) -> XY:
    """Extend a line by moving this end away from the other one."""
    length = math.dist(end, other) or 1.0
    dx, dy = (end[0] - other[0]) / length, (end[1] - other[1]) / length
    return (end[0] + FREE_END_CELLS * dx, end[1] + FREE_END_CELLS * dy)


class _Places:
    """The lattice point of each end. Ends of short doors are separated, also for walls that meet them."""

    def __init__(self, lines: Sequence[LooseLine]) -> None:
        self._moved: dict[XY, Point] = {}
        self._ways: dict[XY, list[XY]] = defaultdict(list)
        self._at_windows = {_key(end) for line in lines if line.is_window for end in (line.a, line.b)}
        for line in lines:
            ahead = (line.b[0] - line.a[0], line.b[1] - line.a[1])
            self._ways[_key(line.a)].append(ahead)
            self._ways[_key(line.b)].append((-ahead[0], -ahead[1]))
            first, last = self.of(line.a), self.of(line.b)
            if line.is_door and first == last and line.length >= SHORTEST_DOOR_CELLS:
                self._part(line, first)
            elif line.is_opening and _steps(first, last) > max(1.0, line.length + WIDER_CELLS):
                self._narrow(line, first, last)

    def is_smooth(self, end: XY) -> bool:
        """Return whether exactly two lines meet here nearly straight, as on a curve."""
        ways = self._ways[_key(end)]
        if len(ways) != 2:
            return False
        (ax, ay), (bx, by) = ways
        return ax * bx + ay * by < -SMOOTH * math.hypot(ax, ay) * math.hypot(bx, by)

    def is_at_window(self, end: XY) -> bool:
        return _key(end) in self._at_windows

    def of(self, end: XY) -> Point:
        return self._moved.get(_key(end), (_round(end[0]), _round(end[1])))

    def _narrow(self, line: LooseLine, first: Point, last: Point) -> None:
        """Move one end of an opening inwards: the one nearer to its new place."""
        along = 0 if abs(last[0] - first[0]) >= abs(last[1] - first[1]) else 1
        step = 1 if last[along] > first[along] else -1
        inner = [(p[0] + by, p[1]) if along == 0 else (p[0], p[1] + by) for p, by in ((first, step), (last, -step))]
        if math.dist(inner[0], line.a) <= math.dist(inner[1], line.b):
            self._moved[_key(line.a)] = inner[0]
        else:
            self._moved[_key(line.b)] = inner[1]

    def _part(self, line: LooseLine, point: Point) -> None:
        along = 0 if abs(line.b[0] - line.a[0]) >= abs(line.b[1] - line.a[1]) else 1
        step = 1 if line.b[along] >= line.a[along] else -1

        def moved(by: int) -> Point:
            return (point[0] + by, point[1]) if along == 0 else (point[0], point[1] + by)

        if abs(moved(step)[along] - line.b[along]) <= abs(moved(-step)[along] - line.a[along]):
            self._moved[_key(line.b)] = moved(step)
        else:
            self._moved[_key(line.a)] = moved(-step)


def _steps(first: Point, last: Point) -> int:
    return abs(first[0] - last[0]) + abs(first[1] - last[1])


def _key(end: XY) -> XY:
    return (round(end[0], 3), round(end[1], 3))


class _Ends:
    """All ends of lines, by cell."""

    def __init__(self, ends: Iterable[XY]) -> None:
        self._in_cell: dict[Point, dict[XY, int]] = defaultdict(lambda: defaultdict(int))
        for end in ends:
            self._in_cell[(math.floor(end[0]), math.floor(end[1]))][end] += 1
        self._touched: set[XY] = set()

    def note_touched(self, lines: Iterable[tuple[XY, XY]]) -> None:
        """Record the ends that lie on the inner part of some line."""
        self._touched = {end for a, b in lines for end in self.near_line(a, b)}

    def near_line(self, a: XY, b: XY) -> Iterator[XY]:
        """Yield the ends near the inner part of a line."""
        cells = _cells_beside(a, b)
        for cell in cells:
            for end in self._in_cell.get(cell, ()):
                if _distance(end, a, b) <= TOUCH_CELLS and min(math.dist(end, a), math.dist(end, b)) > TOUCH_CELLS:
                    yield end

    def is_free(self, end: XY) -> bool:
        """Return whether nothing else touches this end, neither an end nor a line."""
        near = 0
        cell = (math.floor(end[0]), math.floor(end[1]))
        for x in (-1, 0, 1):
            for y in (-1, 0, 1):
                beside = self._in_cell.get((cell[0] + x, cell[1] + y), {})
                near += sum(count for other, count in beside.items() if math.dist(end, other) <= TOUCH_CELLS)
        return near <= 1 and end not in self._touched


def _split(line: LooseLine, ends: _Ends) -> Iterator[tuple[XY, XY]]:
    """Split the line where other lines end on it."""
    cuts = sorted({end for end in ends.near_line(line.a, line.b)}, key=lambda end: math.dist(line.a, end))
    points = [line.a, *cuts, line.b]
    yield from pairwise(points)


def _cells_beside(a: XY, b: XY) -> set[Point]:
    """Return the cells along a line and beside it."""
    count = max(1, math.ceil(math.dist(a, b) * 2))
    cells: set[Point] = set()
    for number in range(count + 1):
        x, y = (p + (q - p) * number / count for p, q in zip(a, b, strict=True))
        cells |= {(math.floor(x + dx), math.floor(y + dy)) for dx in (-0.6, 0.0, 0.6) for dy in (-0.6, 0.0, 0.6)}
    return cells


def _distance(point: XY, a: XY, b: XY) -> float:
    """Return the distance from a point to a segment."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    square = dx * dx + dy * dy
    share = 0.0 if square == 0 else min(max(((point[0] - a[0]) * dx + (point[1] - a[1]) * dy) / square, 0.0), 1.0)
    return math.dist(point, (a[0] + share * dx, a[1] + share * dy))
