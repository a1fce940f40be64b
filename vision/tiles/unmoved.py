"""Detect unmoved tiles, so that only the things on them need a new reading.

It keeps a small picture of the table from above, with contrast evened so that light does not matter. Tiles count as
unmoved while each shows some of its print and nothing as large as a tile has appeared beside them.
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
from vision.tiles.cells import CLEAR_PRINT, COMPARED_PX
from vision.tiles.keypoints import even_contrast
from vision.tiles.lattice_fit import Lattice
from vision.tiles.placements import AROUND_CELLS, Pose, TilePlacement, lattice_frame, span_of

_STILL_PX = 0.7
"""Largest motion of a board corner in the photo of a resting camera."""

_CHANGED = 24.0
"""Mean change of a half cell that counts, in levels of evened contrast."""

_LARGE_CELLS = 2.0
"""Area of a change that may be a tile. The smallest have two cells, and a figure beside the board changes fewer."""


@dataclass(frozen=True, eq=False)
class KeptTiles:
    """The tiles of a reading, and the table's picture.

    Args:
        view: the camera.
        lattice: their lattice.
        placements: the tiles on it.
        poses: the true pose of each.
        cells: the cells of each tile, in the same order.
        clear: whether each tile shows its print anywhere.
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
        """Return whether the photo from ``view`` shows nothing new as large as a tile beside the known tiles."""
        width, height = self._frame.size_wh
        corners = self._frame.table_from_frame(np.array([[0, 0], [width, 0], [width, height], [0, height]], float))
        off_px = self.view.image_from_table(corners) - view.image_from_table(corners)
        if not bool((np.linalg.norm(off_px, axis=1) < _STILL_PX).all()):
            return False
        off = np.abs(_looks(photo, self.view, self._frame, self._thickness_mm) - self._looks)
        columns, rows = (side // (COMPARED_PX // 2) for side in self._frame.size_wh)
        changed = cv2.resize(off, (columns, rows), interpolation=cv2.INTER_AREA) > _CHANGED
        beside_board = changed & ~self._on_board(changed.shape)
        _, _, stats, _ = cv2.connectedComponentsWithStats(beside_board.astype(np.uint8), connectivity=4)
        # A picture of half cells: four of them are one cell.
        return float(stats[1:, cv2.CC_STAT_AREA].max(initial=0)) / 4 < _LARGE_CELLS

    def show_in(self, board: BoardView) -> bool:
        """Return whether every tile with visible print before still shows some of it."""
        return all(now or not before for before, now in zip(self.clear, _clear(board, self.cells), strict=True))

    def _on_board(self, shape: tuple[int, ...]) -> Mask:
        mask = np.zeros(shape, dtype=bool)
        for cells in self.cells:
            for cell in cells:
                left, top = 2 * (cell[0] - self._first[0]), 2 * (cell[1] - self._first[1])
                mask[top : top + 2, left : left + 2] = True
        return mask


def keep_tiles(board: BoardView, placements: Sequence[TilePlacement], cells: Sequence[frozenset[Cell]]) -> KeptTiles:
    """Collect the state to keep of a reading: the board, its tiles and each tile's cells."""
    first, last = span_of(board.cells, AROUND_CELLS)
    frame = lattice_frame(board.lattice, first, last, COMPARED_PX / board.lattice.cell_mm)
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
    return [any(board.likeness[cell] > CLEAR_PRINT for cell in of_tile) for of_tile in cells]


def _looks(photo: BgrImage, view: CameraView, frame: PlaneFrame, thickness_mm: float) -> FloatImage:
    """Return the table from above at a small scale, with evened contrast."""
    seen = rectify(photo, view, frame, thickness_mm).image
    gray = np.asarray(cv2.GaussianBlur(gray_from_bgr(seen), (0, 0), 0.8), dtype=np.uint8)
    return even_contrast(gray, frame.px_per_mm).astype(np.float32)
