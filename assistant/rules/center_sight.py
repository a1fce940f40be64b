"""Sight from cell centre to cell centre."""

from __future__ import annotations

from collections.abc import Iterator

from assistant.rules.barriers import Barriers, Planes
from assistant.rules.bitboard import Bits, lines_of
from assistant.rules.walks import CELL, LineEvent, walk
from assistant.table.lattice import Cell


class CenterSight:
    """The lines between cell centres on one board.

    Args:
        barriers: the edges that stop a line.
        planes: the same as bits, under one reading of the rules.
    """

    def __init__(self, barriers: Barriers, planes: Planes) -> None:
        self.barriers = barriers
        self._frame = barriers.frame
        self._lines = lines_of(barriers.frame.stride, centered=True)
        self._planes = planes

    def is_clear(self, start: Cell, end: Cell, solid: Bits) -> bool:
        """Whether nothing stops the line between two different cells.

        Args:
            start: the cell it starts in.
            end: the cell it goes to.
            solid: the cells that stop a line that enters them, the two ends not among them.
        """
        line = self._lines.between(end[0] - start[0], end[1] - start[1])
        top = start if line.is_down else end
        if solid >> self._frame.cell_shift(top) & line.cells:
            return False
        return not self._planes[line.lie] >> self._frame.edge_shift(top) & line.edges

    def stops(self, start: Cell, end: Cell, solid: Bits) -> Iterator[LineEvent]:
        """Everything that stops the line between two different cells, from its start on.

        Edges and points are barriers; a cell is one of the solid ones.
        """
        dx, dy = end[0] - start[0], end[1] - start[1]
        line = self._lines.between(dx, dy)
        top = start if line.is_down else end
        edge_hits = self._planes[line.lie] >> self._frame.edge_shift(top) & line.edges
        for step in walk(dx, dy, centered=True):
            x, y = step.x + start[0], step.y + start[1]
            if step.plane == CELL:
                is_hit = bool(solid & self._frame.bit((x, y)))
            else:
                index = self._lines.edge_index(step.plane, x - top[0], y - top[1])
                is_hit = bool(edge_hits >> index & 1)
            if is_hit:
                yield step._replace(x=x, y=y)
