"""Whether the tiles still lie as they were read: then only what stands on them needs to be read again.

A small picture of the table from above is kept, evened out so that light does not matter. Tiles are taken to lie
as they were while each shows some of its print and nothing as large as a tile has appeared beside them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from assistant.table.lattice import Cell
from calibration.arrays import BgrImage, FloatImage, Mask
from calibration.color import gray_from_bgr
from calibration.pose import CameraView
from vision.photo.rectify import PlaneFrame, rectify
from vision.tiles.board_view import BoardView
from vision.tiles.keypoints import even_contrast
from vision.tiles.lattice_fit import Lattice
from vision.tiles.placements import Pose, TilePlacement, lattice_frame

_PX_PER_CELL = 12
_ROUND_CELLS = 6
"""Further tiles may be laid that far from the board."""

_STILL_PX = 0.7
"""The camera has not moved when no corner of the board is seen further from where it was."""

_CHANGED = 24.0
"""Levels of evened contrast by which a half cell must differ on average to have changed."""

_LIKE_PRINT = 0.5
"""Correlation from which on a cell shows its print."""

_LARGE_CELLS = 2.0
"""The smallest tiles have two cells; a figure set down beside the board changes fewer."""


@dataclass(frozen=True, eq=False)
class KeptTiles:
    """The tiles of a reading, with what the table looked like.

    Args:
        view: where the camera was.
        lattice: their lattice.
        placements: the tiles on it.
        poses: where each really lies.
        cells: the cells of each tile, in the same order.
        clear: whether each of them shows its print anywhere.
    """

    view: CameraView
    lattice: Lattice
    placements: Sequence[TilePlacement]
    poses: Sequence[Pose]
    cells: Sequence[frozenset[Cell]]
    clear: Sequence[bool]
    _frame: PlaneFrame
    _first: Cell
    _thickness_mm: float
    _looks: FloatImage

    def still_lie(self, photo: BgrImage, view: CameraView) -> bool:
        """Whether the photo, taken from ``view``, shows nothing as large as a tile beside those that lie there."""
        if not self._stands_still(view):
            return False
        off = np.abs(_looks(photo, self.view, self._frame, self._thickness_mm) - self._looks)
        columns, rows = (side // (_PX_PER_CELL // 2) for side in self._frame.size_wh)
        changed = cv2.resize(off, (columns, rows), interpolation=cv2.INTER_AREA) > _CHANGED
        return _largest(changed & ~self._on_board(changed.shape)) / 4 < _LARGE_CELLS

    def show_in(self, board: BoardView) -> bool:
        """Whether every tile that showed its print shows some of it still."""
        return all(now or not before for before, now in zip(self.clear, _clear(board, self.cells), strict=True))

    def _stands_still(self, view: CameraView) -> bool:
        width, height = self._frame.size_wh
        corners = self._frame.table_from_frame(np.array([[0, 0], [width, 0], [width, height], [0, height]], float))
        off_px = self.view.image_from_table(corners) - view.image_from_table(corners)
        return bool((np.linalg.norm(off_px, axis=1) < _STILL_PX).all())

    def _on_board(self, shape: tuple[int, ...]) -> Mask:
        mask = np.zeros(shape, dtype=bool)
        for cells in self.cells:
            for cell in cells:
                mask[self._box(cell)] = True
        return mask

    def _box(self, cell: Cell) -> tuple[slice, slice]:
        """The half cells of a cell."""
        left, top = 2 * (cell[0] - self._first[0]), 2 * (cell[1] - self._first[1])
        return slice(top, top + 2), slice(left, left + 2)


def keep_tiles(board: BoardView, placements: Sequence[TilePlacement], cells: Sequence[frozenset[Cell]]) -> KeptTiles:
    """What is kept of a reading.

    Args:
        board: the board that was read.
        placements: its tiles.
        cells: the cells of each of them.
    """
    columns, rows = [c for c, _ in board.cells], [r for _, r in board.cells]
    first = (min(columns) - _ROUND_CELLS, min(rows) - _ROUND_CELLS)
    last = (max(columns) + 1 + _ROUND_CELLS, max(rows) + 1 + _ROUND_CELLS)
    frame = lattice_frame(board.lattice, first, last, _PX_PER_CELL / board.lattice.cell_mm)
    looks = _looks(board.photo, board.view, frame, board.thickness_mm)
    return KeptTiles(
        board.view,
        board.lattice,
        placements,
        board.poses,
        cells,
        _clear(board, cells),
        frame,
        first,
        board.thickness_mm,
        looks,
    )


def _clear(board: BoardView, cells: Iterable[frozenset[Cell]]) -> list[bool]:
    return [any(board.likeness[cell] > _LIKE_PRINT for cell in of_tile) for of_tile in cells]


def _looks(photo: BgrImage, view: CameraView, frame: PlaneFrame, thickness_mm: float) -> FloatImage:
    """The table from above at a small scale, evened out."""
    seen = rectify(photo, view, frame, thickness_mm).image
    gray = np.asarray(cv2.GaussianBlur(gray_from_bgr(seen), (0, 0), 0.8), dtype=np.uint8)
    return even_contrast(gray, frame.px_per_mm).astype(np.float32)


def _largest(changed: Mask) -> float:
    """Half cells of the largest patch that has changed."""
    _, _, stats, _ = cv2.connectedComponentsWithStats(changed.astype(np.uint8), connectivity=4)
    return float(stats[1:, cv2.CC_STAT_AREA].max(initial=0))
