"""A ring counts for a figure only as far as a base or a body hides print: a counter may have a similar ring."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from vision.evidence.bases import Stand, ring_kinds
from vision.evidence.figures import figure_evidence, figure_model
from vision.evidence.occupancy import Occupancy
from vision.evidence.rings import RingSighting


@pytest.fixture(scope="module")
def features_of(photographed: Any) -> Any:
    """The features of a plain ring on a cell: by its chance of being empty, the print seen round it, and leaning."""
    board, roster = photographed.reading.seen.board, photographed.reader.roster
    shape, color = next((shape, color) for shape, color in ring_kinds(roster) if shape.size_cells == (1, 1))
    cell = sorted(board.cells)[len(board.cells) // 2]
    ring = RingSighting(Stand(shape, cell), color, 5.5, 1.0, (0.0, 0.0), 0.8, 0.75, 0.06, 0.0)

    def features(empty: float, around: float, leaned_over: float = 0.0) -> Any:
        chances = {other: (empty, 1 - empty, 0.0) if other == cell else (1.0, 0.0, 0.0) for other in board.cells}
        prints = {cell: (0.2, around)}
        hidden = Occupancy(chances, prints, {cell: leaned_over})
        found = figure_evidence(board, roster, Occupancy(chances, prints, hidden=hidden), [ring])
        return next(one for one in found if one.figure_class == "small").features

    return features


def test_a_ring_round_which_all_print_is_seen_says_little(features_of: Any) -> None:
    weights = figure_model().weights["small"]
    counter, figure = (float(weights @ features_of(empty, 0.8)) for empty in (0.8, 0.01))
    assert counter < 1.5
    assert figure > 5.5


def test_a_ring_says_all_where_a_body_hides_the_print_round_it(features_of: Any) -> None:
    assert features_of(0.8, 0.0)[1] == pytest.approx(5.5)
    assert features_of(0.8, 0.75)[1] == pytest.approx((1 - 0.8 * 0.75) * 5.5)


def test_what_a_body_before_it_hides_speaks_against_nobody(features_of: Any) -> None:
    change = features_of(0.3, 0.2, leaned_over=0.6) - features_of(0.3, 0.2)
    assert np.flatnonzero(change).tolist() == [19]
    assert float(figure_model().weights["small"] @ change) > 0.4
