"""How much the photo speaks for a print pixel by pixel: for tiles of which figures leave only scraps to be seen.

Where a cell is half hidden its pattern as a whole proves nothing (``vision.tile_evidence``); the pixels that show print
still have its colour, in the light that the tiles round it tell, or darker where a shadow lies. What is hidden has any
colour at all. So each pixel is a mixture of the two, and their log odds against anything else are added up.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np

from assistant.table.lattice import Cell
from vision.board_view import BoardView
from vision.images import FloatImage, Mask
from vision.light import to_linear
from vision.prints import PX_PER_CELL, TilePrints
from vision.rectify import rectify
from vision.tile_cells import SEEN_PX_PER_CELL
from vision.tiles import Placement, lattice_frame

_PX_PER_CELL = 8
"""Pixels of 3 mm: fine enough to tell a tile from itself turned, coarse enough for a misfit not to matter."""

_BLACK = 4e-3
"""Linear light by which dark pixels are lifted: in black all colours are alike."""

_LIT, _TINT = 0.15, 0.08
"""Spread of the logarithm of brightness, and of colour, of a pixel that shows its print in the light."""

_DARKEST, _BRIGHTEST = -1.8, 0.1
"""What a shadow makes of the logarithm of brightness."""

_SHADED, _SHOWN = 0.4, 0.6
"""How often print lies in shadow, and how often what stands on it leaves it to be seen."""

_ANY_RANGE, _ANY_TINT = 4.0, 0.35
"""Range of the logarithm of brightness, and spread of colour, of what is not that print."""

_OWN_PIXELS = 6.0
"""As many pixels of a cell say something that their neighbours do not say."""


@dataclass(frozen=True, eq=False)
class PixelView:
    """A part of the table as its prints would have to be to look like that, from lattice cell ``first`` on.

    Args:
        first: the lattice cell of the first pixel.
        log_colors: logarithm of the print's colour in linear light, (height, width, 3).
        inside_mask: whether the photo shows the pixel, (height, width).
    """

    first: Cell
    log_colors: FloatImage
    inside_mask: Mask

    def log_odds(self, placement: Placement, prints: TilePrints) -> float:
        """How much likelier these pixels are if the placed print lies there; 0 where none of it is in the photo.

        The placement has to lie within the view.
        """
        print_colors, print_mask = _turned_pixels(prints)[placement.print_index][placement.quarters]
        left, top = ((a - b) * _PX_PER_CELL for a, b in zip(placement.corner, self.first, strict=True))
        height, width = print_mask.shape
        box = (slice(top, top + height), slice(left, left + width))
        shown = print_mask & self.inside_mask[box]
        odds = _log_odds(self.log_colors[box][shown] - print_colors[shown])
        return float(odds.sum()) * _OWN_PIXELS / _PX_PER_CELL**2


def pixel_view(board: BoardView, cells: Iterable[Cell], light: FloatImage, first_lit: Cell) -> PixelView:
    """What the photo shows of the bounding box of some cells.

    Args:
        board: the board beside which they lie.
        cells: the cells.
        light: logarithm of the light on each cell, (rows, columns, 3).
        first_lit: the lattice cell of its row 0, column 0.
    """
    wanted = list(cells)
    columns, rows = [c for c, _ in wanted], [r for _, r in wanted]
    first, last = (min(columns), min(rows)), (max(columns) + 1, max(rows) + 1)
    frame = lattice_frame(board.lattice, first, last, SEEN_PX_PER_CELL / board.lattice.cell_mm)
    seen = rectify(board.photo, board.view, frame, board.thickness_mm)
    size_wh = ((last[0] - first[0]) * _PX_PER_CELL, (last[1] - first[1]) * _PX_PER_CELL)
    rows_lit, columns_lit = (slice(first[i] - first_lit[i], last[i] - first_lit[i]) for i in (1, 0))
    on_pixels = cv2.resize(light[rows_lit, columns_lit], size_wh, interpolation=cv2.INTER_LINEAR)
    shown = cv2.resize(to_linear(seen.image), size_wh, interpolation=cv2.INTER_AREA)
    inside = cv2.resize(seen.inside_mask.astype(np.uint8), size_wh, interpolation=cv2.INTER_AREA) > 0
    log_colors = np.log(shown / np.exp(on_pixels) + np.float32(_BLACK))
    return PixelView(first, np.asarray(log_colors, dtype=np.float32), inside)


@lru_cache(maxsize=4)
def _turned_pixels(prints: TilePrints) -> tuple[tuple[tuple[FloatImage, Mask], ...], ...]:
    """For each print at its four turns the logarithm of its colours, and which pixels are its own."""
    every = PX_PER_CELL // _PX_PER_CELL
    middles = slice(every // 2, None, every)
    turned = []
    for tile_print in prints.prints:
        size_wh = tuple(side * _PX_PER_CELL for side in tile_print.size_cells)
        small = cv2.resize(to_linear(tile_print.image), size_wh, interpolation=cv2.INTER_AREA)
        log_colors, mask = np.log(small + np.float32(_BLACK)), tile_print.inside_mask[middles, middles]
        turned.append(tuple((np.rot90(log_colors, -quarters), np.rot90(mask, -quarters)) for quarters in range(4)))
    return tuple(turned)


def _log_odds(off: FloatImage) -> FloatImage:
    """Log odds of pixels (N, 3) that are so far off a print's: a mixture of print and of anything else, (N,)."""
    brightness = off.mean(axis=1)
    tint = ((off - brightness[:, None]) ** 2).sum(axis=1)
    lit = np.exp(-0.5 * (brightness / _LIT) ** 2) / (_LIT * np.sqrt(2 * np.pi))
    shaded = ((brightness > _DARKEST) & (brightness < _BRIGHTEST)) / (_BRIGHTEST - _DARKEST)
    as_bright = ((1 - _SHADED) * lit + _SHADED * shaded) * _ANY_RANGE
    # Two numbers tell a colour apart from brightness, so the densities go by the square of their spread.
    as_colored = (_ANY_TINT / _TINT) ** 2 * np.exp(-0.5 * tint * (_TINT**-2 - _ANY_TINT**-2))
    return np.asarray(np.log(_SHOWN * as_bright * as_colored + 1 - _SHOWN), dtype=np.float32)
