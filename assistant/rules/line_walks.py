"""The edges, lattice points and cells on a straight line, in order; integers only.

A line runs from lattice point to lattice point (corner to corner) or from cell centre to cell centre. Its walk depends
on the difference of the two ends alone, so it is relative to the start and cached.

This is the supercover of a line (Amanatides and Woo 1987 step through a grid the same way) with one difference. A point
exactly on the line is an event of its own, because a rule decides there. So nothing may be rounded. The times at which
the line meets the next column and the next row are compared as products over their common denominator.

Only the octants to the lower right are walked. The others are mirrored from them, so no direction can differ from
another.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

VERTICAL = 0
"""Plane of the edges along y: ``(x, y)`` names the edge from ``(x, y)`` to ``(x, y + 1)``."""
HORIZONTAL = 1
"""Plane of the edges along x: ``(x, y)`` names the edge from ``(x, y)`` to ``(x + 1, y)``."""
VERTEX = 2
"""Plane of the lattice points."""
CELL = 3
"""Plane of the cells; for a line along edges, plane of the borders under it."""

_GAPS = {VERTICAL: (0, 1), HORIZONTAL: (1, 0), VERTEX: (0, 0), CELL: (1, 1)}
"""For each plane, whether an event lies in the gap between two lines of points (1) or on one (0), in x and y."""


class LineEvent(NamedTuple):
    """An event on a line: it crosses or follows an edge, passes a point, or enters a cell."""

    plane: int
    x: int
    y: int


@lru_cache(maxsize=1 << 14)
def walk_line(dx: int, dy: int, centered: bool = False) -> tuple[LineEvent, ...]:
    """Return every event on a line between its ends, in order, relative to its start.

    The ends themselves are left out. A line along edges lists these edges as followed, and the same borders in the
    plane of the cells.

    Args:
        dx: difference of the columns of the two ends.
        dy: difference of the rows.
        centered: whether the ends are cell centres, named by their cells, instead of lattice points.
    """
    a, b = abs(dx), abs(dy)
    along = not centered and (a == 0 or b == 0)
    if along:
        steps = _walk_along(a, b)
    elif a == 0 or b == 0:
        steps = _walk_between_centers(a, b)
    else:
        steps = _walk_slanted(a, b, 1 if centered else 0)
    cell_gap = _GAPS[HORIZONTAL if a else VERTICAL] if along else _GAPS[CELL]
    turn = 1 if centered else 0
    return tuple(
        _mirror(step, cell_gap if step.plane == CELL else _GAPS[step.plane], dx < 0, dy < 0, turn) for step in steps
    )


def _walk_along(a: int, b: int) -> Iterator[LineEvent]:
    """Yield the events of a line on the lattice itself, which follows every edge between its ends."""
    edge = HORIZONTAL if a else VERTICAL
    ux, uy = (1, 0) if a else (0, 1)
    for k in range(a + b):
        if k:
            yield LineEvent(VERTEX, k * ux, k * uy)
        yield LineEvent(edge, k * ux, k * uy)
        yield LineEvent(CELL, k * ux, k * uy)


def _walk_between_centers(a: int, b: int) -> Iterator[LineEvent]:
    """Yield the events of a line along a row or a column of cells, which crosses every edge between them."""
    edge = VERTICAL if a else HORIZONTAL
    ux, uy = (1, 0) if a else (0, 1)
    yield LineEvent(CELL, 0, 0)
    for k in range(1, a + b + 1):
        yield LineEvent(edge, k * ux, k * uy)
        yield LineEvent(CELL, k * ux, k * uy)


def _walk_slanted(a: int, b: int, half: int) -> Iterator[LineEvent]:
    """Yield the events of a line to the lower right; ``half`` is 1 if it starts half a cell inside.

    The next column of points lies at ``(2x + 2 - half) / 2a`` of the line, the next row at ``(2y + 2 - half) / 2b``.
    """
    # Invariant: the line is in cell (x, y); both products are its times at the next column and row, times 2ab.
    x = y = 0
    yield LineEvent(CELL, 0, 0)
    while True:
        to_column = (2 * x + 2 - half) * b
        to_row = (2 * y + 2 - half) * a
        if min(to_column, to_row) >= 2 * a * b:
            return
        if to_column < to_row:
            x += 1
            yield LineEvent(VERTICAL, x, y)
        elif to_row < to_column:
            y += 1
            yield LineEvent(HORIZONTAL, x, y)
        else:  # exactly through the corner: the line does not enter the two cells beside it
            x += 1
            y += 1
            yield LineEvent(VERTEX, x, y)
        yield LineEvent(CELL, x, y)


def _mirror(step: LineEvent, gap: tuple[int, int], flip_x: bool, flip_y: bool, turn: int) -> LineEvent:
    """Return the event of the mirrored line.

    A line of points at ``i`` goes to ``turn - i``. A gap between ``i`` and ``i + 1`` goes to ``turn - i - 1``.
    """
    plane, x, y = step
    return LineEvent(plane, turn - x - gap[0] if flip_x else x, turn - y - gap[1] if flip_y else y)
