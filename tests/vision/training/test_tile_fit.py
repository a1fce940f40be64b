"""Evidence of cells from counts of true and false placements."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("sklearn", reason="only there where something is fitted")
from vision.tiles.cells import CELL_SHAPE
from vision.training.tile_fit import cell_log_odds


def test_bins_that_were_never_seen_say_little() -> None:
    true_counts, false_counts = np.zeros((2, *CELL_SHAPE))
    true_counts[8, 2, 3, 0], false_counts[0, 2, 3, 0] = 100, 100
    odds = cell_log_odds(true_counts, false_counts).reshape(CELL_SHAPE)
    assert odds[8, 2, 3, 0] > 2
    assert odds[0, 2, 3, 0] < -0.5
    assert abs(odds[4, 0, 0, 0]) < 1e-6
