"""Sight from cell centre to cell centre."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from math import gcd

from assistant.rules.barriers import Barriers, Planes
from assistant.rules.bitboard import Bits, EdgeBits, lines_of
from assistant.rules.line_walks import CELL, LineEvent, walk_line
from assistant.table.lattice import Cell

Plane = Callable[[int, Bits], EdgeBits]
"""Returns the barriers for lines of one lie that pass points, with the corners of solid cells."""


class CenterSight:
    """The lines between cell centres on one board.

    Args:
        barriers: the edges that stop a line.
        planes: the same as bits, under one reading of the rules.
        cornered: the bits for lines through points, if the corners of solid cells count too; None if they never do. The
          bits differ from pair to pair, so only such lines need them.
    """

    def __init__(self, barriers: Barriers, planes: Planes, cornered: Plane | None = None) -> None:
        self.barriers = barriers
        self._frame = barriers.frame
        self._lines = lines_of(barriers.frame.stride, centered=True)
        self._planes = planes
        self._cornered = cornered

    def is_clear(self, start: Cell, end: Cell, solid: Bits) -> bool:
        """Return whether the line between two different cells is clear; ``solid`` cells stop it, except its ends."""
        line = self._lines.between(end[0] - start[0], end[1] - start[1])
        top = start if line.is_down else end
        if solid >> self._frame.cell_shift(top) & line.cells:
            return False
        shift = self._frame.edge_shift(top)
        if self._planes[line.lie] >> shift & line.edges:
            return False
        if self._cornered is None or not _passes_points(end[0] - start[0], end[1] - start[1]):
            return True
        return not self._cornered(line.lie, solid) >> shift & line.edges

    def stops(self, start: Cell, end: Cell, solid: Bits) -> Iterator[LineEvent]:
        """Yield the barriers and solid cells that stop the line between two different cells, from its start on."""
        dx, dy = end[0] - start[0], end[1] - start[1]
        line = self._lines.between(dx, dy)
        top = start if line.is_down else end
        plane = self._planes[line.lie]
        if self._cornered is not None and _passes_points(dx, dy):
            plane = self._cornered(line.lie, solid)
        edges = self._lines.steps_of(plane >> self._frame.edge_shift(top) & line.edges, dx, dy)
        found: Iterable[LineEvent] = edges
        if solid >> self._frame.cell_shift(top) & line.cells:
            found = self._with_cells(edges, start, (dx, dy), solid)
        for step in found:
            yield step._replace(x=step.x + start[0], y=step.y + start[1])

    def _with_cells(
        self, edges: Iterable[LineEvent], start: Cell, ends: tuple[int, int], solid: Bits
    ) -> Iterator[LineEvent]:
        known = set(edges)
        for step in walk_line(*ends, centered=True):
            if step.plane != CELL:
                is_hit = step in known
            else:
                is_hit = bool(solid & self._frame.bit((step.x + start[0], step.y + start[1])))
            if is_hit:
                yield step


def _passes_points(dx: int, dy: int) -> bool:
    """Return whether a line between centres passes a lattice point: both shortest differences are odd."""
    shortest = gcd(dx, dy)
    return bool(dx // shortest & dy // shortest & 1)
