"""Sets of cells, edges and points of a board as the bits of one integer: a bitboard without a fixed size.

A single operation on Python's integers tests a whole board against a whole line, or moves it one step in one direction.
That is a few dozen machine words for a table of 1,400 cells. Chess programs do the same in 64 bits.

The layout is row-major with a margin of one cell on every side. The margin is the trick: a shift by 1 moves a set one
column, and a bit that leaves the board lands in the margin of the next row instead of wrapping onto a cell. The edges
and points lie in three planes, interleaved row by row, so that a line's mask spans only the rows that the line meets.

A line's mask depends on the difference of its ends alone. So each difference gets one mask, shifted into place.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from assistant.rules.line_walks import CELL, HORIZONTAL, VERTICAL, LineEvent, walk_line
from assistant.table.lattice import Cell, Point

Bits = int
"""Bit ``row * stride + column`` of a frame; rows and columns count from the frame's corner."""

EdgeBits = int
"""Three planes of bits, row by row: the edges along y, the edges along x, the points."""

EDGE_PLANES = 3

EAST, SOUTH_EAST, SOUTH, SOUTH_WEST, WEST, NORTH_WEST, NORTH, NORTH_EAST = range(8)
"""Directions from a point, clockwise on the page (y grows downwards): even ones along edges, odd ones into cells."""

FALLING, RISING, LEVEL, UPRIGHT = range(4)
"""The four lies of a line; each has its own pair of sides at a point."""

_DIRECTIONS = {
    (1, 0): EAST,
    (1, 1): SOUTH_EAST,
    (0, 1): SOUTH,
    (-1, 1): SOUTH_WEST,
    (-1, 0): WEST,
    (-1, -1): NORTH_WEST,
    (0, -1): NORTH,
    (1, -1): NORTH_EAST,
}

LIE = (LEVEL, FALLING, UPRIGHT, RISING, LEVEL, FALLING, UPRIGHT, RISING)
"""The lie of a line by its direction."""

_BUDGET_BYTES = 64 << 20
"""Memory limit for the masks. 1,400 cells and 40 figures need about 5 MB; the largest boards need more."""


def direction(dx: int, dy: int) -> int:
    """Return the direction of a line by the signs of its differences, not both zero."""
    return _DIRECTIONS[(dx > 0) - (dx < 0), (dy > 0) - (dy < 0)]


@dataclass(frozen=True, slots=True)
class BitLayout:
    """The bit layout of a board: its cells with a margin of one on each side.

    ``stride`` is a multiple of 8, so that rows are whole bytes and boards of similar size share masks.
    """

    left: int
    top: int
    stride: int
    rows: int

    @classmethod
    def around(cls, cells: Collection[Cell]) -> BitLayout:
        """Return a layout that covers these cells, their corners and the sides around them."""
        columns, rows = {x for x, _ in cells}, {y for _, y in cells}
        left, top = min(columns) - 1, min(rows) - 1
        width = max(columns) - left + 3
        return cls(left, top, (width + 7) // 8 * 8, max(rows) - top + 3)

    def bit(self, place: Cell | Point) -> Bits:
        return 1 << ((place[1] - self.top) * self.stride + place[0] - self.left)

    def bits_of_few(self, places: Iterable[Cell | Point]) -> Bits:
        """Return the same as ``bits``, faster for a handful of places."""
        return sum(self.bit(place) for place in places)

    def bits(self, places: Iterable[Cell | Point]) -> Bits:
        # Fill bytes: or-ing thousands of growing integers would copy each of them whole.
        found = bytearray(self.stride * self.rows // 8)
        for x, y in places:
            index = (y - self.top) * self.stride + x - self.left
            found[index >> 3] |= 1 << (index & 7)
        return int.from_bytes(found, "little")

    def places(self, bits: Bits) -> Iterator[Cell]:
        """Yield the cells or points of these bits, row by row, lowest set bit first."""
        row = self.top
        while bits:
            empty_rows = ((bits & -bits).bit_length() - 1) // self.stride
            bits >>= empty_rows * self.stride
            row += empty_rows
            line = bits & (1 << self.stride) - 1
            bits ^= line
            while line:
                low = line & -line
                yield (low.bit_length() - 1 + self.left, row)
                line ^= low

    def interleave(self, upright: Bits, level: Bits, points: Bits) -> EdgeBits:
        """Return the three planes as one integer, interleaved row by row."""
        width = self.stride // 8
        planes = [plane.to_bytes(width * self.rows, "little") for plane in (upright, level, points)]
        starts = range(0, width * self.rows, width)
        return int.from_bytes(b"".join(plane[s : s + width] for s in starts for plane in planes), "little")

    def cell_shift(self, top: Cell | Point) -> int:
        """Return the right shift that aligns cell bits with a line's mask, which begins at the line's upper end."""
        return (top[1] - self.top - 1) * self.stride + top[0] - self.left

    def edge_shift(self, top: Cell | Point) -> int:
        """``cell_shift`` for the three planes of edges and points."""
        return (top[1] - self.top - 1) * EDGE_PLANES * self.stride + top[0] - self.left


class LinePattern(NamedTuple):
    """The masks of all lines with one difference of ends.

    The masks begin one row above the upper end, so that no bit has a negative index.

    Args:
        leaves: the bit of the direction in which the line leaves its start.
        arrives: the bit of the direction from its end back to it.
        lie: falling, rising, level or upright.
        is_down: whether its start is its upper end (the left one, if it is level).
        edges: every edge that the line crosses or follows, and every point that it passes.
        cells: every cell that it enters; for a level or upright line between points, every edge that it follows.
    """

    leaves: int
    arrives: int
    lie: int
    is_down: bool
    edges: EdgeBits
    cells: Bits


class Lines:
    """The lines of all differences on layouts of one stride, cached in ``known`` within a memory budget."""

    def __init__(self, stride: int, centered: bool) -> None:
        self._stride = stride
        self._centered = centered
        self.known: dict[tuple[int, int], LinePattern] = {}
        self._kept_bytes = 0

    def between(self, dx: int, dy: int) -> LinePattern:
        """Return the line whose ends differ by ``dx`` columns and ``dy`` rows, not both zero."""
        found = self.known.get((dx, dy))
        if found is None:
            found = self._made(dx, dy)
            size_bytes = (found.edges.bit_length() + found.cells.bit_length()) // 8
            self._kept_bytes += size_bytes
            if self._kept_bytes > _BUDGET_BYTES:
                self.known.clear()
                self._kept_bytes = size_bytes
            self.known[dx, dy] = found
        return found

    def _made(self, dx: int, dy: int) -> LinePattern:
        leaves = direction(dx, dy)
        is_down = (dy, dx) > (0, 0)
        # A line and its reverse meet the same things, so only one of the two is built.
        turned = None if is_down else self.between(-dx, -dy)
        return LinePattern(
            leaves=1 << leaves,
            arrives=1 << (leaves + 4) % 8,
            lie=LIE[leaves],
            is_down=is_down,
            edges=turned.edges if turned else self._edges(dx, dy),
            cells=turned.cells if turned else self._cells(dx, dy),
        )

    def _edges(self, dx: int, dy: int) -> EdgeBits:
        indices = (self.edge_index(s.plane, s.x, s.y) for s in walk_line(dx, dy, self._centered) if s.plane != CELL)
        return _with_bits(indices, (dy + 3) * EDGE_PLANES * self._stride)

    def _cells(self, dx: int, dy: int) -> Bits:
        indices = ((s.y + 1) * self._stride + s.x for s in walk_line(dx, dy, self._centered) if s.plane == CELL)
        return _with_bits(indices, (dy + 3) * self._stride)

    def edge_index(self, plane: int, x: int, y: int) -> int:
        return ((y + 1) * EDGE_PLANES + plane) * self._stride + x

    def steps_of(self, hits: EdgeBits, dx: int, dy: int) -> list[LineEvent]:
        """Return the edges and points of these bits in the order of the line, relative to its start.

        The cost depends on the number of hits, not on the length of the line.

        Args:
            hits: some of the bits of the line's mask of edges and points.
            dx: difference of the columns of the line's two ends.
            dy: difference of the rows.
        """
        # The trap: a line that leans left has negative columns from its upper end, which borrow from the row above.
        # ``lean`` shifts all columns until none is negative before row and column are taken apart.
        is_down = (dy, dx) > (0, 0)
        top_x, top_y, lean = (0, 0, min(dx, 0) - 1) if is_down else (dx, dy, min(-dx, 0) - 1)
        found: list[LineEvent] = []
        while hits:
            low = hits & -hits
            hits ^= low
            row, column = divmod(low.bit_length() - 1 - lean, self._stride)
            y, plane = divmod(row, EDGE_PLANES)
            found.append(LineEvent(plane, column + lean + top_x, y - 1 + top_y))
        if len(found) > 1:
            found.sort(key=lambda step: self._way_to(step, dx, dy))
        return found

    def _way_to(self, step: LineEvent, dx: int, dy: int) -> int:
        """Return the position of a step along the line, as an integer in a unit of that line.

        A slanted line meets row y at the share (y - half/2) / dy of its length, and column x at (x - half/2) / dx. Both
        are scaled by 2 dx² dy², which is positive.
        """
        plane, x, y = step
        half = 1 if self._centered else 0
        if not dy:
            return (2 * x + (plane == HORIZONTAL)) * (1 if dx > 0 else -1)
        if not dx:
            return (2 * y + (plane == VERTICAL)) * (1 if dy > 0 else -1)
        if plane == HORIZONTAL:
            return (2 * y - half) * dx * dx * dy
        return (2 * x - half) * dx * dy * dy


def _with_bits(indices: Iterable[int], size_bits: int) -> int:
    found = bytearray(size_bits // 8)
    for index in indices:
        found[index >> 3] |= 1 << (index & 7)
    return int.from_bytes(found, "little")


@lru_cache(maxsize=8)
def lines_of(stride: int, *, centered: bool) -> Lines:
    """Return the cache shared by all boards of this stride."""
    return Lines(stride, centered)
