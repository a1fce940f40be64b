"""Patches of print as vectors, nine a cell: figures leave some of a tile's patches open, and these identify it.

They are compared by normalised correlation of four by four pixels: brightness of evened contrast, and colour, which
survives a shine or a faded print better than brightness.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import product

import cv2
import numpy as np
from jaxtyping import Bool, Float32, Int

from assistant.table.lattice import Cell
from calibration.arrays import BgrImage, ColorImage, Flags, Mask, Numbers, Singles
from calibration.color import lab_from_bgr, light_from_gamma
from vision.photo.paper_light import LIFTED_DARK
from vision.photo.rectify import rectify
from vision.tiles.board_view import BoardView
from vision.tiles.cells import SEEN_PX_PER_CELL, Shift
from vision.tiles.keypoints import even_contrast
from vision.tiles.placements import lattice_frame
from vision.tiles.prints import Print, TilePrints

PER_SIDE = 3
"""Patches along the side of a cell. With two, a crowd leaves too few of them clear: of 20 missed tiles 6 were
distinguished from others, with three 14."""

_PX = 4
"""Pixels along the side of a patch in the comparison, 2 mm each."""

_EVENED_CELL_MM = 25.4
"""Cell size by which contrast is evened out, over a quarter of it, whatever the set's own cells."""

_LESS_MEAN = (np.eye(3 * _PX**2) - np.kron(np.ones((_PX**2, _PX**2)) / _PX**2, np.eye(3))).astype(np.float32)
"""Matrix that takes the mean of each channel off a patch's pixels in a row."""

_COLOR = 2.0
"""Weight of a step of colour next to one of evened brightness."""

_NOISE = 3.0
"""Levels of contrast in a patch that count as none."""

_STEPS_PX = (-4, -2, 0, 2, 4)
"""Shifts tried along each axis. A tile laid by hand, or beside a single one, is up to 4 mm off; others half of that."""


@dataclass(frozen=True, eq=False)
class SeenPatches:
    """The patches of a part of the photo, from lattice cell ``first`` on.

    Args:
        first: the lattice cell of row 0, column 0.
        size_cells: columns and rows of cells.
        shifts: the tried shifts, in millimetres.
        coarse: indices of the shifts of a first look.
        vectors: for each shift the pixels of each patch less their mean, at unit length, row by row.
        log_colors: logarithm of the mean colour of each in linear light.
        in_view: whether the photo shows it.
    """

    first: Cell
    size_cells: tuple[int, int]
    shifts: tuple[Shift, ...]
    coarse: Int[Numbers, " c"]
    vectors: Float32[Singles, "s m 48"]
    log_colors: Float32[Singles, "m 3"]
    in_view: Bool[Flags, " m"]

    def index_of(self, patches: PrintPatches, corners: Int[Numbers, "k 2"]) -> Int[Numbers, "k n"]:
        """Which patches belong to each placement of a print, by the cell of its upper left corner."""
        column, row = (corners - self.first).T * PER_SIDE
        return np.asarray(
            (row[:, None] + patches.rows) * (PER_SIDE * self.size_cells[0]) + column[:, None] + patches.columns
        )


@dataclass(frozen=True, eq=False)
class PrintPatches:
    """The patches of a print at one of the four turns.

    Args:
        size_cells: columns and rows that it takes.
        rows: the row of each patch.
        columns: the column of each.
        vectors: as in ``SeenPatches``.
        contrast: levels of contrast in each.
        log_colors: as in ``SeenPatches``.
    """

    size_cells: tuple[int, int]
    rows: Int[Numbers, " n"]
    columns: Int[Numbers, " n"]
    vectors: Float32[Singles, "n 48"]
    contrast: Float32[Singles, " n"]
    log_colors: Float32[Singles, "n 3"]


def seen_patches(board: BoardView, first: Cell, last: Cell, *, loosely: bool) -> SeenPatches:
    """The patches of the photo from cell ``first`` up to and without ``last``, on the board's lattice.

    ``loosely`` allows tiles that lie far off the lattice.
    """
    shifts_px = tuple(product(_STEPS_PX if loosely else _STEPS_PX[1:-1], repeat=2))
    coarse = np.flatnonzero([right % 4 == down % 4 == 0 for right, down in shifts_px])
    columns, rows = last[0] - first[0], last[1] - first[1]
    frame = lattice_frame(board.lattice, first, last, SEEN_PX_PER_CELL / board.lattice.cell_mm)
    seen = rectify(board.photo, board.view, frame, board.thickness_mm)
    picture = _picture(seen.image)
    size_wh = (PER_SIDE * columns, PER_SIDE * rows)
    in_view = cv2.resize(seen.inside_mask.astype(np.uint8), size_wh, interpolation=cv2.INTER_AREA).ravel() > 0
    vectors = np.stack(
        [_unit_vectors(np.roll(picture, (-down, -right), axis=(0, 1)), size_wh)[0] for right, down in shifts_px]
    )
    vectors[:, ~in_view] = 0
    shifts = tuple((right / frame.px_per_mm, down / frame.px_per_mm) for right, down in shifts_px)
    return SeenPatches(first, (columns, rows), shifts, coarse, vectors, _log_colors(seen.image, size_wh), in_view)


@lru_cache(maxsize=4)
def print_patches(prints: TilePrints) -> tuple[tuple[PrintPatches, ...], ...]:
    """The patches of each print of a set at the four turns."""
    return tuple(tuple(_turn_print(tile_print, quarters) for quarters in range(4)) for tile_print in prints.prints)


def _turn_print(tile_print: Print, quarters: int) -> PrintPatches:
    columns, rows = tile_print.size_cells
    size_wh = (columns * SEEN_PX_PER_CELL, rows * SEEN_PX_PER_CELL)
    image = np.asarray(cv2.resize(tile_print.image, size_wh, interpolation=cv2.INTER_AREA), dtype=np.uint8)
    whole: Mask = cv2.resize(tile_print.inside_mask.astype(np.uint8), size_wh, interpolation=cv2.INTER_NEAREST) > 0
    # Pixels outside the print must not change the contrast of the print beside them.
    image[~whole] = image[whole].mean(axis=0).astype(np.uint8)
    turned = np.ascontiguousarray(np.rot90(_picture(image), -quarters))
    if quarters % 2:
        columns, rows = rows, columns
    scraps_wh = (PER_SIDE * columns, PER_SIDE * rows)
    middles = slice(SEEN_PX_PER_CELL // (2 * PER_SIDE), None, SEEN_PX_PER_CELL // PER_SIDE)
    mask = np.rot90(whole, -quarters)[middles, middles].ravel()
    vectors, contrast = _unit_vectors(turned, scraps_wh)
    log_colors = _log_colors(np.ascontiguousarray(np.rot90(image, -quarters)), scraps_wh)
    row, column = np.divmod(np.flatnonzero(mask), scraps_wh[0])
    return PrintPatches((columns, rows), row, column, vectors[mask], contrast[mask], log_colors[mask])


def _picture(image: BgrImage) -> ColorImage:
    lab = lab_from_bgr(image)
    even = even_contrast((lab[:, :, 0] * 2.55).astype(np.uint8), SEEN_PX_PER_CELL / _EVENED_CELL_MM)
    return np.dstack([even.astype(np.float32), lab[:, :, 1:] * np.float32(_COLOR)])


def _unit_vectors(
    picture: ColorImage, size_wh: tuple[int, int]
) -> tuple[Float32[Singles, "m 48"], Float32[Singles, " m"]]:
    """The pixels of each patch less their mean, at unit length, and their contrast."""
    columns, rows = size_wh
    small = cv2.resize(picture, (columns * _PX, rows * _PX), interpolation=cv2.INTER_AREA)
    parts = small.reshape(rows, _PX, columns, _PX, 3).transpose(0, 2, 1, 3, 4).reshape(rows * columns, -1)
    flat = parts @ _LESS_MEAN
    square = np.einsum("mn,mn->m", flat, flat)
    count = flat.shape[1]
    return np.asarray(flat / np.sqrt(square + count * _NOISE**2)[:, None]), np.sqrt(square / count)


def _log_colors(image: BgrImage, size_wh: tuple[int, int]) -> Float32[Singles, "m 3"]:
    small = cv2.resize(light_from_gamma(image), size_wh, interpolation=cv2.INTER_AREA)
    return np.asarray(np.log(small + LIFTED_DARK), dtype=np.float32).reshape(-1, 3)
