"""Cells, points and edges of the square lattice, in integers only.

Cell ``(col, row)`` is the square between lattice points ``(col, row)`` and ``(col + 1, row + 1)``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

Cell = tuple[int, int]
"""``(col, row)``."""

Point = tuple[int, int]
"""A lattice point ``(x, y)``."""

LIMIT = 1 << 15
"""Bound on coordinates, so that every product of two differences fits in 64 bits."""


class Edge(NamedTuple):
    """The unit edge between two neighbouring lattice points, the smaller point first."""

    start: Point
    end: Point

    @classmethod
    def between(cls, a: Point, b: Point) -> Edge:
        """Return the edge that joins two neighbouring lattice points, in either order.

        Raises:
            ValueError: the points are not neighbours.
        """
        if abs(a[0] - b[0]) + abs(a[1] - b[1]) != 1:
            raise ValueError(f"an edge joins two neighbouring lattice points, not {list(a)} and {list(b)}")
        return cls(a, b) if a < b else cls(b, a)

    @property
    def is_horizontal(self) -> bool:
        return self.start[1] == self.end[1]

    @property
    def cells(self) -> tuple[Cell, Cell]:
        """The two cells beside the edge, the one with the smaller coordinates first."""
        x, y = self.start
        return ((x, y - 1), (x, y)) if self.is_horizontal else ((x - 1, y), (x, y))


def sides(cell: Cell) -> tuple[Edge, Edge, Edge, Edge]:
    """Return the four edges of a cell: top, bottom, left, right."""
    x, y = cell
    return (
        Edge((x, y), (x + 1, y)),
        Edge((x, y + 1), (x + 1, y + 1)),
        Edge((x, y), (x, y + 1)),
        Edge((x + 1, y), (x + 1, y + 1)),
    )


def corners(cell: Cell) -> tuple[Point, Point, Point, Point]:
    """Return the four corners of a cell, row by row."""
    x, y = cell
    return ((x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1))


def edge_between(a: Cell, b: Cell) -> Edge:
    """Return the edge that two cells share.

    Raises:
        ValueError: the cells do not share an edge.
    """
    dx, dy = b[0] - a[0], b[1] - a[1]
    if abs(dx) + abs(dy) != 1:
        raise ValueError(f"cells {list(a)} and {list(b)} share no edge")
    x, y = max(a[0], b[0]), max(a[1], b[1])
    return Edge((x, y), (x, y + 1)) if dx else Edge((x, y), (x + 1, y))


def grow(cells: Iterable[Cell], by: int = 1) -> frozenset[Cell]:
    """Return the cells grown by ``by`` in all directions, across corners too."""
    steps = range(-by, by + 1)
    return frozenset((column + x, row + y) for column, row in cells for x in steps for y in steps)


def neighbors(cell: Cell) -> tuple[Cell, Cell, Cell, Cell]:
    """Return the cells that share an edge with a cell."""
    x, y = cell
    return ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1))


def connected_groups(cells: Iterable[Cell], reach: int = 0) -> Iterator[frozenset[Cell]]:
    """Yield groups of cells connected by common edges or, with ``reach``, within that distance, across corners too."""
    left = set(cells)
    while left:
        group, rim = set[Cell](), {left.pop()}
        while rim:
            group |= rim
            rim = left.intersection(
                grow(rim, reach) if reach else (beside for cell in rim for beside in neighbors(cell))
            )
            left -= rim
        yield frozenset(group)


def is_rectangle(cells: frozenset[Cell]) -> bool:
    """Return whether the cells fill a whole rectangle."""
    if not cells:
        return False
    columns = [c for c, _ in cells]
    rows = [r for _, r in cells]
    width = max(columns) - min(columns) + 1
    height = max(rows) - min(rows) + 1
    return width * height == len(cells)


def list_inner_edges(cells: frozenset[Cell]) -> list[Edge]:
    """Return the edges between two of the cells, sorted."""
    return sorted({edge for cell in cells for edge in sides(cell) if all(c in cells for c in edge.cells)})
