"""Miniatures: bases with a known ring (``vision.rings``), and whatever else stands in a cell (``vision.occupancy``).

The two kinds of evidence are added as log odds. A base whose ring is none of the roster's is reported without a kind.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from assistant.table.lattice import Cell
from assistant.table.roster import Roster, RosterFigure
from vision.bases import Stand, ring_kinds, shapes_of, stands
from vision.board_view import BoardView
from vision.occupancy import Occupancy, find_occupancy
from vision.rings import find_rings

_RING_WEIGHT, _OCCUPANCY_WEIGHT = 1.0, 0.8
"""How much the two kinds of evidence count, see ``FigureSighting.confidence``."""

_NO_RING_ODDS = 0.6
_ALL_HAVE_RINGS_ODDS = 2.0
"""Log odds against a base without a known ring: it needs more evidence where every figure of the roster has one."""

_ACCEPT = 0.5


@dataclass(frozen=True)
class FigureSighting:
    """A figure on its cells.

    Args:
        model: one of the roster's figures that look like it; None where none does.
        cells: the cells under its base, sorted.
        center_px: the centre of the base in the board's frame.
        log_odds: the evidence for it.
    """

    model: RosterFigure | None
    cells: tuple[Cell, ...]
    center_px: tuple[float, float]
    log_odds: float

    @property
    def confidence(self) -> float:
        """The chance that this figure really stands there."""
        return 1 / (1 + math.exp(-self.log_odds))


def find_figures(board: BoardView, roster: Roster) -> list[FigureSighting]:
    """The figures on the board, the surest first; no two share a cell."""
    occupancy = find_occupancy(board)
    return _without_overlap([*_with_ring(board, roster, occupancy), *_without_ring(board, roster, occupancy)])


def _with_ring(board: BoardView, roster: Roster, occupancy: Occupancy) -> Iterator[FigureSighting]:
    kinds = ring_kinds(roster)
    for ring in find_rings(board, roster):
        evidence = _RING_WEIGHT * ring.evidence + _OCCUPANCY_WEIGHT * occupancy.log_odds(ring.stand.cells)
        yield FigureSighting(kinds[ring.stand.shape, ring.color][0], ring.stand.cells, ring.center_px, evidence)


def _without_ring(board: BoardView, roster: Roster, occupancy: Occupancy) -> Iterator[FigureSighting]:
    """A base on every place that looks occupied; where a ring is seen as well, that sighting is the stronger one."""
    against = _ALL_HAVE_RINGS_ODDS if all(figure.ring for figure in roster.figures) else _NO_RING_ODDS
    for shape in dict.fromkeys(shape for figure in roster.figures for shape in shapes_of(figure)):
        for stand in stands(shape, board.cells):
            evidence = _OCCUPANCY_WEIGHT * occupancy.log_odds(stand.cells) - against
            if evidence > 0:
                yield FigureSighting(None, stand.cells, _middle_px(board, stand), evidence)


def _middle_px(board: BoardView, stand: Stand) -> tuple[float, float]:
    x, y = board.frame_from_lattice(np.array([stand.middle]))[0]
    return float(x), float(y)


def _without_overlap(found: Sequence[FigureSighting]) -> list[FigureSighting]:
    """The best sightings, large bases before small ones of equal odds; what shares a cell with a better one goes."""
    taken: set[Cell] = set()
    kept = []
    for figure in sorted(found, key=lambda f: (-f.log_odds * len(f.cells) ** 0.5, f.cells)):
        if figure.confidence >= _ACCEPT and not taken.intersection(figure.cells):
            taken.update(figure.cells)
            kept.append(figure)
    return kept
