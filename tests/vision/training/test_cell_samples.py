"""Boards in all directions for the fit of the cell networks."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.evidence.hidden_print import PLACES
from vision.tiles.prints import PX_PER_CELL
from vision.training.cell_samples import CellBoard, in_all_directions

_ROWS, _COLUMNS = 2 * PLACES, 3 * PLACES
_PX = PX_PER_CELL // PLACES


def _shown_in(board: CellBoard) -> NDArray[np.uint8]:
    """Return the colour of each place of the board's windows."""
    return board.seen[::_PX, ::_PX].reshape(-1, 3)[board.windows]


def test_windows_show_the_same_places_in_all_directions() -> None:
    places = np.arange(_ROWS * _COLUMNS, dtype=np.uint8).reshape(_ROWS, _COLUMNS, 1)
    seen = places.repeat(3, 2).repeat(_PX, 0).repeat(_PX, 1)
    windows = np.random.default_rng(3).integers(0, _ROWS * _COLUMNS, (5, 4, 4)).astype(np.int32)
    none, mask = np.zeros((5, 1), np.float32), seen[..., 0]
    board = CellBoard("set", seen, seen, mask, windows, none, none, np.zeros(5, int))
    first, *turned = in_all_directions(board)
    assert first is board
    assert [one.seen.shape[:2] for one in turned] == [seen.shape[1::-1], seen.shape[:2], seen.shape[1::-1]]
    for one in turned:
        assert not np.array_equal(one.seen.ravel(), seen.ravel())
        assert np.array_equal(_shown_in(one), _shown_in(board))
        assert np.array_equal(one.mask, one.seen[..., 0])
        assert np.array_equal(one.printed, one.seen)
