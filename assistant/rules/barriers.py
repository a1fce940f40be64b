"""The edges of a board that stop a line, as bits and by name.

A sight line is a taut string: it may touch the end of a barrier but not cut it. At a lattice point in mid-line it is
stopped only where barriers leave the point on both sides of it. At its two ends it starts and arrives in the gap
between barriers in which the figure's own cell lies.

A **spoke** is a barrier edge seen from one of its two points. Four bits, one for each of east, south, west and north,
say all about a point, so every question about it is a look-up or a mask over the whole board.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from assistant.rules.bitboard import (
    EAST,
    FALLING,
    LEVEL,
    NORTH,
    NORTH_EAST,
    NORTH_WEST,
    RISING,
    SOUTH,
    SOUTH_EAST,
    SOUTH_WEST,
    WEST,
    BitLayout,
    Bits,
    EdgeBits,
    direction,
)
from assistant.rules.grid import EdgeSet, Grid
from assistant.rules.line_walks import HORIZONTAL, VERTEX, VERTICAL, LineEvent
from assistant.rules.ruling import Blocker
from assistant.table.lattice import Cell, Edge, Point

Touch = Literal["graze", "always_clear", "strict"]

ALL_DIRECTIONS = 0xFF

_HARD = frozenset({"wall", "door"})


def quadrant(point: Point, cell: Cell) -> int:
    """The direction from a corner of a cell into that cell."""
    return direction(2 * (cell[0] - point[0]) + 1, 2 * (cell[1] - point[1]) + 1)


def _sector(spokes: int, start: int) -> int:
    """The directions that can be reached from one quadrant without crossing a spoke, as bits.

    Quadrants are the odd directions and spokes the even ones between them. Turning either way from the start, the walk
    takes a spoke and the next quadrant in one step, and ends at the first spoke with a barrier.
    """
    reached = 1 << start
    for turn in (1, -1):
        at = start
        for _ in range(4):
            if spokes >> ((at + turn) % 8) & 1:
                break
            reached |= 1 << ((at + turn) % 8) | 1 << ((at + 2 * turn) % 8)
            at += 2 * turn
    return reached


@dataclass(frozen=True, eq=False)
class Barriers:
    """The edges of one board that stop a line; ``upright`` ones run along y, ``level`` ones along x, rim included."""

    grid: Grid
    kinds: frozenset[str]
    upright: Bits
    level: Bits

    @classmethod
    def of(
        cls,
        grid: Grid,
        kinds: frozenset[str],
        *,
        ignore: frozenset[Edge] = frozenset(),
        opened: frozenset[str] = frozenset(),
    ) -> Barriers:
        """The barriers of a board.

        Args:
            grid: the board.
            kinds: those of wall, obstacle, impassable, door (closed) and cell (the sides of blocking cells) that count.
            ignore: edges that do not count unless a wall or a closed door stands on them.
            opened: doors that count as open.
        """
        hard, soft = grid.rim, EdgeSet()
        for kind in kinds:
            if kind in _HARD:
                hard |= grid.edges(kind, opened)
            else:
                soft |= grid.edges(kind)
        if ignore:
            soft = soft.without(grid.edge_set(ignore))
        return cls(grid, kinds, *(hard | soft))

    @property
    def frame(self) -> BitLayout:
        return self.grid.frame

    @cached_property
    def _spokes(self) -> tuple[Bits, Bits, Bits, Bits]:
        """The points from which a barrier leaves to the east, south, west and north."""
        return self.level, self.upright, self.level << 1, self.upright << self.frame.stride

    @cached_property
    def crossing(self) -> Bits:
        """The points from which barriers leave in all four directions."""
        east, south, west, north = self._spokes
        return east & south & west & north

    @cached_property
    def touched(self) -> Bits:
        """The points that any barrier touches."""
        east, south, west, north = self._spokes
        return east | south | west | north

    def cut_along(self, start: Point, end: Point) -> bool:
        """Whether barriers lie across a line along the lattice: on both sides of a point between its ends."""
        (x, y), (u, v) = sorted((start, end))
        east, south, west, north = self._spokes
        across = (north & south) if y == v else (east & west)
        between = ((i, y) for i in range(x + 1, u)) if y == v else ((x, j) for j in range(y + 1, v))
        return any(across & self.frame.bit(point) for point in between)

    def planes(self, touch: Touch = "graze", *, pinch_open: bool = False) -> Planes:
        """``plane`` for each of the four ways in which a line lies."""
        return tuple(self.plane(lie, touch, pinch_open=pinch_open) for lie in range(4))

    def plane(self, lie: int, touch: Touch = "graze", *, pinch_open: bool = False, solid: Bits = 0) -> EdgeBits:
        """The barriers as bits to test the lines against that lie one way.

        Args:
            lie: falling, rising, level or upright.
            touch: a point in mid-line stops a line if barriers lie on both sides of it (``graze``), never
                (``always_clear``), or if any barrier touches it (``strict``).
            pinch_open: a slanted line may pass where two pairs of barriers meet only in the point.
            solid: cells that count as barriers on their side of a point, too.
        """
        points: Bits
        if touch == "always_clear":
            points = 0
        elif touch == "strict":
            beside = solid | solid << 1
            points = self.touched | beside | beside << self.frame.stride
        else:
            points = self._pinches(lie, solid)
            if pinch_open and lie in (FALLING, RISING):
                points &= ~self.crossing
        return self.frame.interleave(self.upright, self.level, points)

    def _pinches(self, lie: int, solid: Bits) -> Bits:
        """The points at which barriers lie on both sides of a line.

        A falling line has the spokes north and east, and the cell between them, on its upper side; west and south on
        the lower one. The cell up and right of a point is named by its own upper left point, hence the shifts.
        """
        east, south, west, north = self._spokes
        down = self.frame.stride
        if lie == FALLING:
            return (north | east | solid << down) & (west | south | solid << 1)
        if lie == RISING:
            return (north | west | solid << down + 1) & (east | south | solid)
        return north & south if lie == LEVEL else east & west

    def has(self, edge: Edge) -> bool:
        bits = self.level if edge.is_horizontal else self.upright
        return bool(bits & self.frame.bit(edge.start))

    def spokes_at(self, point: Point) -> int:
        """The directions in which barriers leave a point, as bits."""
        bit = self.frame.bit(point)
        return sum(1 << (2 * i) for i, spokes in enumerate(self._spokes) if spokes & bit)

    def sector(self, point: Point, cell: Cell) -> int:
        """The directions in which a line may leave a cell's corner, or arrive at it from, as bits."""
        return _SECTORS[self.spokes_at(point)][quadrant(point, cell)]

    def stops(self, step: LineEvent) -> bool:
        """Whether an edge that a line crosses, or a point that it passes, has any barrier."""
        if step.plane == VERTEX:
            return self.spokes_at((step.x, step.y)) != 0
        return step.plane in (VERTICAL, HORIZONTAL)

    @cached_property
    def _names(self) -> dict[LineEvent, Blocker]:
        return {}  # many lines stop at the same edge

    def _name(self, edge: Edge) -> Blocker:
        """The thing on a barrier edge; the rim counts as a wall."""
        board = self.grid.board
        if all(cell in board.cells for cell in edge.cells):
            if "door" in self.kinds and edge in board.closed_door_at:
                return Blocker("door", id=board.closed_door_at[edge].id)
            kind = board.edges.get(edge)
            if kind is not None and kind in self.kinds:
                return Blocker(kind, edge=edge)
            filled = [cell for cell in edge.cells if cell in board.blocking]
            if filled and "cell" in self.kinds:
                return Blocker("cell", cell=filled[0])
        return Blocker("wall", edge=edge)

    def name_of_step(self, step: LineEvent) -> Blocker:
        """The thing that stopped a line at this step: an edge, or one at the point that pinched it."""
        found = self._names.get(step)
        if found is None:
            found = self._names[step] = self._named(step)
        return found

    def _named(self, step: LineEvent) -> Blocker:
        plane, x, y = step
        if plane == VERTICAL:
            return self._name(Edge((x, y), (x, y + 1)))
        if plane == HORIZONTAL:
            return self._name(Edge((x, y), (x + 1, y)))
        assert plane == VERTEX
        return self._name_at((x, y))

    def name_at(self, point: Point) -> Blocker:
        """The thing on the first barrier edge at a point, clockwise from the east."""
        return self.name_of_step(LineEvent(VERTEX, *point))

    def _name_at(self, point: Point) -> Blocker:
        x, y = point
        spokes = self.spokes_at(point)
        edges = {EAST: ((x, y), (x + 1, y)), SOUTH: ((x, y), (x, y + 1))}
        edges |= {WEST: ((x - 1, y), (x, y)), NORTH: ((x, y - 1), (x, y))}
        towards = next(d for d in (EAST, SOUTH, WEST, NORTH) if spokes >> d & 1)
        return self._name(Edge(*edges[towards]))


Planes = tuple[EdgeBits, ...]
"""The bits to test a line against, by the way it lies."""

_QUADRANTS = (SOUTH_EAST, SOUTH_WEST, NORTH_WEST, NORTH_EAST)

_SECTORS: Mapping[int, Mapping[int, int]] = {
    spokes: {start: _sector(spokes, start) for start in _QUADRANTS} for spokes in range(256) if not spokes & 0xAA
}
"""The reachable directions by the spokes of a point and the quadrant one starts in."""
