"""The edges of a board that stop a line, as bits and by name.

A sight line is a taut string: it may touch the end of a barrier but not cut it. In mid-line, a lattice point stops it
only if barriers leave the point on both sides of the line. At each end, the line stays in the gap between barriers that
holds the figure's own cell.

A **spoke** is a barrier edge seen from one of its two points. Four bits, one each for east, south, west and north,
describe a point completely. So every question about it is a look-up or a mask over the whole board.
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
    """Return the direction from a corner of a cell into that cell."""
    return direction(2 * (cell[0] - point[0]) + 1, 2 * (cell[1] - point[1]) + 1)


def _sector(spokes: int, start: int) -> int:
    """Return the directions that a line can reach from one quadrant without crossing a spoke, as bits.

    Quadrants are the odd directions, spokes the even ones between them. The walk turns both ways from the start. Each
    step takes a spoke and the next quadrant, and the walk ends at the first spoke with a barrier.
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
    """The edges of one board that stop a line, rim included; ``upright`` ones run along y, ``level`` ones along x."""

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
        """Return the barriers of a board.

        Args:
            grid: the board.
            kinds: the kinds that count, out of wall, obstacle, impassable, door (closed) and cell (the sides of
              blocking cells).
            ignore: edges that count only with a wall or a closed door on them.
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
        """Return whether a barrier lies across a line along the lattice: on both sides of a point between its ends."""
        (x, y), (u, v) = sorted((start, end))
        east, south, west, north = self._spokes
        across = (north & south) if y == v else (east & west)
        between = ((i, y) for i in range(x + 1, u)) if y == v else ((x, j) for j in range(y + 1, v))
        return any(across & self.frame.bit(point) for point in between)

    def planes(self, touch: Touch = "graze", *, pinch_open: bool = False) -> Planes:
        """Return ``plane`` for each of the four lies of a line."""
        return tuple(self.plane(lie, touch, pinch_open=pinch_open) for lie in range(4))

    def plane(self, lie: int, touch: Touch = "graze", *, pinch_open: bool = False, solid: Bits = 0) -> EdgeBits:
        """Return the barriers as a bit mask for lines of one lie.

        Args:
            lie: falling, rising, level or upright.
            touch: when a point in mid-line stops a line: if barriers lie on both sides of it (``graze``), never
              (``always_clear``), or if any barrier touches it (``strict``).
            pinch_open: a slanted line may pass a point where two pairs of barriers meet.
            solid: cells that also count as barriers on their side of a point.
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
        """Return the points with barriers on both sides of a line.

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
        """Return the directions in which barriers leave a point, as bits."""
        bit = self.frame.bit(point)
        return sum(1 << (2 * i) for i, spokes in enumerate(self._spokes) if spokes & bit)

    def sector(self, point: Point, cell: Cell) -> int:
        """Return the directions in which a line may leave a cell's corner, or arrive at it, as bits."""
        return _SECTORS[self.spokes_at(point)][quadrant(point, cell)]

    def stops(self, step: LineEvent) -> bool:
        """Return whether an edge that a line crosses, or a point that it passes, has any barrier."""
        if step.plane == VERTEX:
            return self.spokes_at((step.x, step.y)) != 0
        return step.plane in (VERTICAL, HORIZONTAL)

    @cached_property
    def _names(self) -> dict[LineEvent, Blocker]:
        return {}  # many lines stop at the same edge

    def _name(self, edge: Edge) -> Blocker:
        """Return the thing on a barrier edge; the rim counts as a wall."""
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
        """Name the barrier that stopped a line at this step: an edge, or one at the pinching point."""
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
        """Name the first barrier edge at a point, clockwise from the east."""
        return self.name_of_step(LineEvent(VERTEX, *point))

    def _name_at(self, point: Point) -> Blocker:
        x, y = point
        spokes = self.spokes_at(point)
        edges = {EAST: ((x, y), (x + 1, y)), SOUTH: ((x, y), (x, y + 1))}
        edges |= {WEST: ((x - 1, y), (x, y)), NORTH: ((x, y - 1), (x, y))}
        towards = next(d for d in (EAST, SOUTH, WEST, NORTH) if spokes >> d & 1)
        return self._name(Edge(*edges[towards]))


Planes = tuple[EdgeBits, ...]
"""One bit mask per lie of a line."""

_QUADRANTS = (SOUTH_EAST, SOUTH_WEST, NORTH_WEST, NORTH_EAST)

_SECTORS: Mapping[int, Mapping[int, int]] = {
    spokes: {start: _sector(spokes, start) for start in _QUADRANTS} for spokes in range(256) if not spokes & 0xAA
}
"""The reachable directions by the spokes of a point and the starting quadrant."""
