"""The cells that give cover to a line through them: difficult terrain and other figures."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from assistant.rules.bitboard import LEVEL, UPRIGHT, BitLayout, Bits, EdgeBits
from assistant.rules.grid import Grid
from assistant.rules.line_walks import CELL, VERTEX, LineEvent
from assistant.rules.ruling import Blocker
from assistant.table.lattice import Cell

ByLie = tuple[Bits, ...]
"""Masks by a line's lie: cells for a slanted line, borders of cells for a line along edges."""


class CoverScreen(NamedTuple):
    """The cells that give cover between two figures, as bits.

    Args:
        by_lie: the cells; for level and upright lines the borders within one area or one figure.
        edges: further edges and points that give cover, or 0 unless an option asks for them.
        cells: the cells.
        difficult: the cells of difficult terrain among them.
    """

    by_lie: ByLie
    edges: EdgeBits
    cells: Bits
    difficult: Bits


class CoverCells:
    """The difficult terrain and the figures of one board.

    Args:
        grid: the board.
        difficult_border: whether a line on the border of difficult terrain, or touching it, counts too.
        figure_edges: whether a line along the side of a figure's cell counts too.
    """

    def __init__(self, grid: Grid, *, difficult_border: bool, figure_edges: bool) -> None:
        self._board = grid.board
        self._frame = grid.frame
        self._difficult_border = difficult_border
        self._figure_edges = figure_edges
        self._difficult = grid.difficult
        self._bits = grid.figures
        self._all = grid.occupied
        self._large = {f.id: collect_inner(self._bits[f.id], grid.frame) for f in grid.board.figures if f.is_large}

    def between(self, ends: Sequence[str], spared: Iterable[Cell] = ()) -> CoverScreen:
        """Return the cover between two figures, which are in ``ends``; ``spared`` difficult cells do not count."""
        difficult = self._difficult
        for cell in spared:
            difficult &= ~self._frame.bit(cell)
        figures = self._all
        for name in ends:
            figures &= ~self._bits.get(name, 0)
        _, _, level, upright = collect_inner(difficult, self._frame)
        for name, borders in self._large.items():
            if name not in ends:
                level |= borders[LEVEL]
                upright |= borders[UPRIGHT]
        inside = difficult | figures
        edges = self._edges(difficult, figures) if self._difficult_border or self._figure_edges else 0
        return CoverScreen((inside, inside, level, upright), edges, inside, difficult)

    def name(self, screen: CoverScreen, steps: Iterable[LineEvent], lie: int) -> Blocker | None:
        """Return the first figure or difficult cell on a line that gives cover."""
        for step in steps:
            for cell in self._met(screen, step, lie):
                bit = self._frame.bit(cell)
                if screen.cells & bit & ~screen.difficult:
                    return Blocker("figure", id=self._board.figure_at[cell].id)
                if screen.cells & bit:
                    return Blocker("difficult", cell=cell)
        return None

    def _met(self, screen: CoverScreen, step: LineEvent, lie: int) -> Iterator[Cell]:
        plane, x, y = step
        slanted = lie not in (LEVEL, UPRIGHT)
        if plane == CELL and slanted:
            yield (x, y)
        elif plane == CELL and (screen.by_lie[lie] & self._frame.bit((x, y)) or screen.edges):
            yield from ((x, y - 1), (x, y)) if lie == LEVEL else ((x - 1, y), (x, y))
        elif plane == VERTEX and self._difficult_border:
            around = ((x - 1, y - 1), (x, y - 1), (x - 1, y), (x, y))
            yield from (cell for cell in around if screen.difficult & self._frame.bit(cell))

    def _edges(self, difficult: Bits, figures: Bits) -> EdgeBits:
        down, right = self._frame.stride, 1
        level = upright = points = 0
        if self._figure_edges:
            level, upright = figures | figures << down, figures | figures << right
        if self._difficult_border:
            beside = difficult | difficult << right
            level, upright, points = level | difficult | difficult << down, upright | beside, beside | beside << down
        return self._frame.interleave(upright, level, points)


def collect_inner(cells: Bits, frame: BitLayout) -> ByLie:
    """Return the parts of an area that a line must not meet: its cells, and the borders inside it."""
    return (cells, cells, cells & cells << frame.stride, cells & cells << 1)
