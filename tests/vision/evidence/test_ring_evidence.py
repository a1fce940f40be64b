"""The evidence of a ring and of the trunk adds up: a counter may have a similar ring."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from vision.evidence.bases import Stand, ring_kinds
from vision.evidence.figures import figure_evidence, figure_model
from vision.evidence.occupancy import Occupancy
from vision.evidence.rings import RingSighting


@pytest.fixture(scope="module")
def log_odds_of(photographed: Any) -> Any:
    """The log odds of a figure on a cell, by the log odds of a ring there and the trunk's chance of an empty cell."""
    board, roster = photographed.reading.seen.board, photographed.reader.roster
    shape, color = next((shape, color) for shape, color in ring_kinds(roster) if shape.size_cells == (1, 1))
    cell = sorted(board.cells)[len(board.cells) // 2]

    def log_odds(ring: float, empty: float) -> float:
        sighting = RingSighting(Stand(shape, cell), color, ring, 1.0, (0.0, 0.0))
        chances = {other: (empty, 1 - empty, 0.0) if other == cell else (1.0, 0.0, 0.0) for other in board.cells}
        found = figure_evidence(
            board, roster, Occupancy({cell: (0.5, 0.5, 0.0)}, hidden=Occupancy(chances)), [sighting]
        )
        features = next(one for one in found if one.figure_class == "small").features
        return float(figure_model().weights["small"] @ features)

    return log_odds


def test_a_ring_where_the_trunk_sees_an_empty_cell_says_little(log_odds_of: Any) -> None:
    assert log_odds_of(5.5, 0.8) < 1.5
    assert log_odds_of(5.5, 0.01) > 4.5
    assert log_odds_of(-3.0, 0.8) < -2.5


def test_each_unit_of_a_ring_counts_the_same_whatever_else_is_seen(log_odds_of: Any) -> None:
    steps = [log_odds_of(ring + 1, empty) - log_odds_of(ring, empty) for ring in (-2.0, 4.0) for empty in (0.05, 0.9)]
    assert steps == pytest.approx(np.full(4, figure_model().weights["small"][1]))
