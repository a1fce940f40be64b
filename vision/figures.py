"""Miniatures: bases with a known ring (``vision.rings``), and whatever else stands in a cell (``vision.occupancy``).

The two kinds of evidence are added as log odds. A base whose ring is none of the roster's is reported without a kind.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from assistant.table.lattice import Cell
from assistant.table.roster import Roster, RosterFigure
from vision.bases import Stand, ring_kinds, shapes_of, stands
from vision.board_view import BoardView
from vision.occupancy import Occupancy, find_occupancy
from vision.rings import RingSighting, find_rings

_COMPETITION = 1.2
_OCCUPIED_RIM, _ONE_SMALL_BASE, _ONE_LARGE_BASE = 0.9, 0.3, 0.8
"""Weights beside the ring's own evidence, from the same logistic fit; the fit counts every colour at every place, of
which only the best is ever asked about, hence the shift."""

_OCCUPANCY_WEIGHT = 0.8
_NO_RING_ODDS = 0.6
_ALL_HAVE_RINGS_ODDS = 2.0
"""Log odds against a base without a known ring: it needs more evidence where every figure of the roster has one."""

_FAINT = -3.5
"""Log odds from which on a ring, on a place that is occupied beyond doubt, is rather this one than none."""

_PLAIN = 0.5
"""Share of the rim that is enough there, even where the print has the same colour."""

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
    rings = find_rings(board, roster, occupancy.possible)
    return _without_overlap([*_with_ring(rings, roster, occupancy), *_without_ring(board, roster, occupancy, rings)])


def _with_ring(rings: Iterable[RingSighting], roster: Roster, occupancy: Occupancy) -> Iterator[FigureSighting]:
    kinds = ring_kinds(roster)
    for ring in rings:
        cells = ring.stand.cells
        evidence = _COMPETITION + ring.evidence + _OCCUPIED_RIM * max(occupancy.log_odds(cells), 0.0) * ring.rim
        one = occupancy.log_odds_of_one(cells)
        # Each half of a base two cells long looks much like a small one: against a large base that says nothing.
        evidence += _ONE_SMALL_BASE * one if len(cells) == 1 else _ONE_LARGE_BASE * max(one, 0.0)
        yield FigureSighting(kinds[ring.stand.shape, ring.color][0], cells, ring.center_px, evidence)


def _without_ring(
    board: BoardView, roster: Roster, occupancy: Occupancy, rings: Iterable[RingSighting]
) -> Iterator[FigureSighting]:
    """A base on every place that looks occupied, of the kind whose ring is there faintly, or of unknown kind."""
    kinds = ring_kinds(roster)
    faint = {
        ring.stand: kinds[ring.stand.shape, ring.color][0]
        for ring in rings
        if ring.evidence > _FAINT or ring.rim > _PLAIN
    }
    against = _ALL_HAVE_RINGS_ODDS if all(figure.ring for figure in roster.figures) else _NO_RING_ODDS
    for shape in dict.fromkeys(shape for figure in roster.figures for shape in shapes_of(figure)):
        for stand in stands(shape, board.cells):
            evidence = _OCCUPANCY_WEIGHT * occupancy.log_odds_of_one(stand.cells) - against
            if evidence > 0:
                yield FigureSighting(faint.get(stand), stand.cells, _middle_px(board, stand), evidence)


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
