"""A base of several cells without a known ring: both networks are heard."""

from __future__ import annotations

from typing import Any

from assistant.table.lattice import Cell
from assistant.table.roster import DoorSpec, Roster, RosterFigure
from vision.evidence.figures import figure_evidence, figure_model
from vision.evidence.occupancy import Occupancy

HOUND = RosterFigure("hound-1", "hound", "foes", (2, 1), 20.0, 30.0, None, "rectangle", (46.0, 20.0))
ROSTER = Roster((HOUND,), DoorSpec(0, 1, 30.0, 2.0))
EMPTY, ONE, PART = (0.99, 0.005, 0.005), (0.05, 0.9, 0.05), (0.02, 0.03, 0.95)


def log_odds_of(photographed: Any, cells: tuple[Cell, ...], by_trunk: tuple[float, float, float]) -> float:
    """Return the log odds of a base on these cells. The patch network takes its last cell for a smaller base."""
    board = photographed.reading.seen.board
    likely = {cell: PART if cell in cells else EMPTY for cell in board.cells} | {cells[-1]: ONE}
    hidden = Occupancy({cell: by_trunk if cell in cells else EMPTY for cell in board.cells})
    prints = {cell: (0.2, 0.5) for cell in cells}
    found = figure_evidence(board, ROSTER, Occupancy(likely, prints, hidden=hidden), [])
    [features] = [one.features for one in found if one.cells == cells]
    return float(figure_model().weights["plain large"] @ features)


def test_the_trunk_finds_a_large_base_that_the_patches_split(photographed: Any) -> None:
    cells = next(
        there
        for c, r in sorted(photographed.reading.seen.board.cells)
        if {*(there := ((c, r), (c + 1, r)))} <= photographed.reading.seen.board.cells
    )
    base, small_ones = (log_odds_of(photographed, cells, by_trunk) for by_trunk in (PART, ONE))
    assert base > small_ones + 1
