"""Boards in other colours for the fit of the cell networks."""

from __future__ import annotations

import numpy as np
import pytest

from vision.training.cell_samples import CellBoard
from vision.training.recolored import recolored


@pytest.fixture
def board() -> CellBoard:
    """An empty board of loud colours with a rim without print, and a photo that equals its print."""
    printed = np.random.default_rng(1).integers(1, 256, (12, 12, 3)).repeat(8, 0).repeat(8, 1).astype(np.uint8)
    printed[:8] = 0
    none = np.zeros((1, 1), np.float32)
    return CellBoard(
        "set", printed, printed, np.ones((96, 96), np.uint8), none.astype(np.int32), none, none, np.zeros(1, int)
    )


@pytest.mark.parametrize("seed", range(8))
def test_photo_and_print_change_alike(board: CellBoard, seed: int) -> None:
    other = recolored(board, np.random.default_rng(seed))
    inner = (slice(8, None), slice(None))
    seen, printed = (image[inner].astype(float).ravel() for image in (other.seen, other.printed))
    assert np.corrcoef(seen, printed)[0, 1] > 0.8
    assert np.abs(printed - board.printed[inner].ravel()).mean() > 10
    assert not other.printed[:8].any()
    assert other.mask is board.mask
    assert other.labels is board.labels


def test_the_same_seed_gives_the_same_colours(board: CellBoard) -> None:
    first, second = (recolored(board, np.random.default_rng(5)) for _ in range(2))
    assert np.array_equal(first.seen, second.seen)
    assert np.array_equal(first.printed, second.printed)
