"""Common code for the readers and writers of foreign maps: lattice lines, floors, and losses.

No other format holds everything of a board, and each holds more than a board does. Each kind of loss is reported in one
sentence. Nothing is guessed.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from assistant.documents.loose_walls import LooseLine, edges_along
from assistant.errors import BadValue
from assistant.table.board import MAX_CELLS, MAX_SIDE, Board, Door, EdgeKind
from assistant.table.fields import MAX_NAME
from assistant.table.lattice import Cell, Edge, Point, sides
from assistant.translations.messages import Said, counted, said

SNAP_CELLS = 0.2
"""Tolerance in cells for the end of a line beside a lattice point."""

STRENGTH: Mapping[EdgeKind, int] = {"impassable": 0, "obstacle": 1, "wall": 2}
"""Strength of each kind. The stronger one stays where walls of two kinds share an edge."""

MAX_LINES = 200_000
MAX_EDGES = 500_000
"""Cap on the edges along all lines of a map, since even a few lines may be very long."""
MAX_PIXELS = 1 << 28
"""Cap on the pixels of a map's picture, 268 million."""

XY = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Brought:
    """A board imported from another program's map, with the losses."""

    board: Board
    lost: tuple[Said, ...]
    sight_lines: tuple[tuple[XY, XY], ...] = ()
    """The map's own walls and closed doors, in cells, if some leave the grid."""


@dataclass
class GridLines:
    """Lines of a map as lattice edges. ``settle`` snaps lines off the lattice onto it."""

    document: str
    edges: dict[Edge, EdgeKind] = field(default_factory=dict)
    doors: dict[str, tuple[list[Edge], bool]] = field(default_factory=dict)
    sight_lines: list[tuple[XY, XY]] = field(default_factory=list)
    loose: list[tuple[LooseLine, EdgeKind]] = field(default_factory=list)
    fixed: list[tuple[XY, XY]] = field(default_factory=list)
    moved: set[Edge] = field(default_factory=set)
    moved_count: int = 0
    off_count: int = 0
    off_floor_count: int = 0
    rim_count: int = 0
    walked_count: int = 0

    def add(self, a: XY, b: XY, kind: EdgeKind) -> None:
        """Add a straight line. Where two kinds meet, the first one stays."""
        found = self._note(a, b, kind, stops_sight=kind != "impassable")
        for edge in found:
            self.edges.setdefault(edge, kind)

    def add_door(self, a: XY, b: XY, name: str, *, is_open: bool) -> None:
        """Add a part of a door. All parts of one name form one door."""
        edges, _ = self.doors.setdefault(name, ([], is_open))
        edges.extend(self._note(a, b, "wall", stops_sight=not is_open, door=name))

    def _note(self, a: XY, b: XY, kind: EdgeKind, *, stops_sight: bool, door: str = "") -> list[Edge]:
        found = self.walk(a, b)
        if stops_sight:
            self.sight_lines.append((a, b))
        if found:
            self.fixed.append((a, b))
        elif max(map(abs, (*a, *b))) < MAX_SIDE * 4:
            self.loose.append((LooseLine(a, b, door, is_door=bool(door), is_opening=not stops_sight), kind))
        else:
            self.off_count += 1
        return found

    def settle(self) -> None:
        """Snap the lines off the lattice onto edges that separate the same cells.

        Raises:
            BadValue: all lines together exceed ``MAX_EDGES``.
        """
        length = sum(line.length for line, _ in self.loose)
        if self.walked_count + 2 * length > MAX_EDGES:
            raise self._too_long()
        lines = [line for line, _ in self.loose]
        for (line, kind), (name, edges) in zip(self.loose, edges_along(lines, self.fixed), strict=True):
            self.moved_count += bool(edges)
            if line.is_door:
                self.doors[name][0].extend(edges)
                continue
            for edge in edges:
                self.moved.add(edge)
                known = self.edges.get(edge)
                if known is None or STRENGTH[kind] > STRENGTH[known]:
                    self.edges[edge] = kind

    def walk(self, a: XY, b: XY) -> list[Edge]:
        """Return the edges along a line, without adding it.

        Raises:
            BadValue: all lines together exceed ``MAX_EDGES``.
        """
        found = list(edges_of_line(a, b))
        self.walked_count += len(found)
        if self.walked_count > MAX_EDGES:
            raise self._too_long()
        return found

    def _too_long(self) -> BadValue:
        text = said("its lines cover more than {most} edges; no map has that many", most=MAX_EDGES)
        return BadValue(text, document=self.document)

    @property
    def lines_to_check(self) -> tuple[tuple[XY, XY], ...]:
        """Every line that blocks sight, if some were moved, or nothing otherwise."""
        return tuple(self.sight_lines) if self.loose else ()

    def between(self, cells: frozenset[Cell]) -> dict[Edge, EdgeKind]:
        """Return the edges between two of the cells. Others are counted, except walls on the rim, which are implied."""
        inner: dict[Edge, EdgeKind] = {}
        beyond: list[Edge] = []
        for edge, kind in self.edges.items():
            touching = sum(cell in cells for cell in edge.cells)
            if touching > 1:
                inner[edge] = kind
            elif not touching:
                beyond += () if edge in self.moved else (edge,)
            elif kind != "wall":
                self.rim_count += 1
        self.off_floor_count += len(runs_of(beyond))
        return inner

    @property
    def lost(self) -> list[Said]:
        found: list[Said] = []
        if n := self.moved_count:
            found.append(
                counted(
                    "{n} line leaves the grid and was moved onto it, by a space at most",
                    "{n} lines leave the grid and were moved onto it, by a space at most",
                    n,
                )
            )
        if n := self.off_count:
            found.append(
                counted("{n} line far from the map was left out", "{n} lines far from the map were left out", n)
            )
        if n := self.off_floor_count:
            found.append(counted("{n} wall off the floor was left out", "{n} walls off the floor were left out", n))
        return [*found, *rim_walls(self.rim_count)]


def edges_of_line(a: XY, b: XY) -> Iterator[Edge]:
    """Yield the edges along a line, or nothing if it is off the lattice."""
    first, last = _lattice_point(a), _lattice_point(b)
    if first is None or last is None or first == last:
        return
    dx, dy = last[0] - first[0], last[1] - first[1]
    if dx and dy:
        return
    step = (_sign(dx), _sign(dy))
    here = first
    for _ in range(abs(dx) + abs(dy)):
        there = (here[0] + step[0], here[1] + step[1])
        yield Edge.between(here, there)
        here = there


def runs_of(edges: Iterable[Edge]) -> list[tuple[Point, Point]]:
    """Return the longest straight lines of these edges, sorted, to give few walls instead of many."""
    runs: list[tuple[Point, Point]] = []
    for is_horizontal in (True, False):
        along = sorted(
            (edge for edge in edges if edge.is_horizontal == is_horizontal),
            key=lambda edge: (edge.start[1], edge.start[0]) if is_horizontal else edge.start,
        )
        for edge in along:
            if runs and runs[-1][1] == edge.start and _goes_on(runs[-1], edge):
                runs[-1] = (runs[-1][0], edge.end)
            else:
                runs.append((edge.start, edge.end))
    return sorted(runs)


def rim_of(cells: frozenset[Cell]) -> set[Edge]:
    """Return the edges between a cell and no cell, which are always walls."""
    return {edge for cell in cells for edge in sides(cell) if not all(side in cells for side in edge.cells)}


def rim_walls(n: int) -> Iterable[Said]:
    """Return the loss of ``n`` other edges on the rim."""
    if n:
        yield counted("{n} edge on the rim becomes a wall", "{n} edges on the rim become walls", n)


def left_out(lights: int, lost_doors: int, *, picture: bool) -> Iterable[Said]:
    """Return the losses that occur in every format."""
    if lights:
        yield counted("{n} light was left out", "{n} lights were left out", lights)
    if picture:
        yield said("the picture of the map was left out")
    if lost_doors:
        yield counted(
            "{n} door stands on no edge and was left out", "{n} doors stand on no edge and were left out", lost_doors
        )


def floor_within(corner: Cell, size: tuple[int, int], barriers: Iterable[Edge]) -> frozenset[Cell]:
    """Return the cells of a rectangle that a flood fill from outside misses, or all if it reaches every cell.

    ``barriers`` stop the flood, including open doors and windows. The flood passes around barriers that leave the
    rectangle, up to the rectangle's own size away.
    """
    shut = set(barriers)
    points = [point for edge in shut for point in (edge.start, edge.end)]
    low, high = list[int](), list[int]()
    for axis in (0, 1):
        first, last = corner[axis], corner[axis] + size[axis]
        reached = [point[axis] for point in points] or [first]
        low.append(max(min(first, *reached), first - size[axis]) - 1)
        high.append(min(max(last, *reached), last + size[axis]))
    columns, rows = range(low[0], high[0] + 1), range(low[1], high[1] + 1)
    waiting = [(x, y) for x in columns for y in (low[1], high[1])] + [(x, y) for y in rows for x in (low[0], high[0])]
    outside = set(waiting)
    while waiting:
        for edge in sides(waiting.pop()):
            for cell in edge.cells:
                if cell[0] in columns and cell[1] in rows and cell not in outside and edge not in shut:
                    outside.add(cell)
                    waiting.append(cell)
    every = {(corner[0] + x, corner[1] + y) for x in range(size[0]) for y in range(size[1])}
    return frozenset(every - outside or every)


def check_map_size(columns: float, rows: float, px: float, document: str) -> tuple[int, int]:
    """Return the size of a map in cells.

    Raises:
        BadValue: no table has this size, or its picture is too large.
    """
    numbers = (columns, rows, px)
    if not all(math.isfinite(number) for number in numbers):
        raise BadValue(said("The size of the map must be a finite number."), document=document, field="size")
    if columns * rows * px * px > MAX_PIXELS:
        raise BadValue(
            said("the map's picture would have over {mp} megapixels", mp=MAX_PIXELS >> 20), document=document
        )
    if not (1 <= columns <= MAX_SIDE and 1 <= rows <= MAX_SIDE and columns * rows <= MAX_CELLS):
        text = said(
            "A map of {columns} by {rows} cells does not fit any table.", columns=round(columns), rows=round(rows)
        )
        raise BadValue(text, document=document)
    return math.ceil(columns - SNAP_CELLS), math.ceil(rows - SNAP_CELLS)


def checked_points(numbers: Sequence[float], document: str, field_name: str) -> None:
    """Check that coordinates are finite and within limits.

    Raises:
        BadValue: one is not.
    """
    if not all(math.isfinite(number) and abs(number) < 1e9 for number in numbers):
        raise BadValue(
            said("A coordinate must be a finite number within the map."), document=document, field=field_name
        )


def too_many(what: str, document: str) -> BadValue:
    """Build the refusal of a list that is too long for a map."""
    return BadValue(
        said("there are over {most} entries, more than any map has", most=MAX_LINES), document=document, field=what
    )


def doors_on(runs: Mapping[str, tuple[Iterable[Edge], bool]], cells: frozenset[Cell]) -> tuple[tuple[Door, ...], int]:
    """Return the doors at these cells, and the count of others. Of two doors on one edge, the first stays."""
    taken: set[Edge] = set()
    found: list[Door] = []
    lost = 0
    for name, (edges, is_open) in runs.items():
        free = tuple(e for e in dict.fromkeys(edges) if e not in taken and any(cell in cells for cell in e.cells))
        if free:
            taken.update(free)
            found.append(Door(name[:MAX_NAME], tuple(sorted(free)), is_open))
        else:
            lost += 1
    return tuple(found), lost


def _goes_on(run: tuple[Point, Point], edge: Edge) -> bool:
    return (run[0][0] == edge.end[0]) or (run[0][1] == edge.end[1])


def _lattice_point(point: XY) -> Point | None:
    near = (round(point[0]), round(point[1]))
    is_near = abs(point[0] - near[0]) <= SNAP_CELLS and abs(point[1] - near[1]) <= SNAP_CELLS
    return near if is_near and max(abs(near[0]), abs(near[1])) < MAX_SIDE * 4 else None


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)
