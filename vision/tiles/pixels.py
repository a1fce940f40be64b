"""Pixel evidence for a print, for tiles that figures leave hardly visible.

The pattern of a half hidden cell proves nothing as a whole (``tiles.cell_evidence``). But pixels of open print have its
colour in the light of the known tiles, or are darker in a shadow. Hidden pixels have any colour. So each pixel is a
mixture of the two, and the log odds of all pixels against anything else add up.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import cv2
import numpy as np
from jaxtyping import Float, Float32, Int

from assistant.table.lattice import Cell
from calibration.arrays import ColorImage, Mask, Numbers, Singles
from calibration.color import light_from_gamma
from vision.photo.paper_light import LIFTED_DARK
from vision.photo.rectify import rectify
from vision.tiles.board_view import BoardView
from vision.tiles.cells import SEEN_PX_PER_CELL
from vision.tiles.placements import TilePlacement, lattice_frame, span_of
from vision.tiles.prints import PX_PER_CELL, TilePrints

_PX_PER_CELL = 8
"""Pixels of a cell, 3 mm each: fine enough to distinguish turns of a tile, coarse enough to tolerate a misfit."""

_LIT, _TINT = 0.15, 0.08
"""Spread of log brightness, and of colour, of a lit pixel of print."""

_DARKEST, _BRIGHTEST = -1.8, 0.1
"""Range of log brightness in a shadow."""

_SHADED, _SHOWN = 0.4, 0.6
"""Shares of the print in shadow, and visible at all."""

_ANY_RANGE, _ANY_TINT = 4.0, 0.35
"""Range of log brightness, and spread of colour, of anything but that print."""

_NO_LIGHT = 1e-5
"""Linear light below which a camera shows black."""

_PEAK_BINS, _PEAK_RANGE = 40, (-1.5, 1.5)
"""Histogram in steps of 0.075 for the most frequent brightness."""

_NARROWING, _FLAT = (0.4, 0.3, 0.2, 0.15, 0.15, 0.15), 0.5
"""Spread of brightness within which pixels count, round by round, and the prior for even light, as strong as the pixels
of a board of half a dozen cells."""

_OWN_PIXELS = 6.0
"""Independent pixels of a cell."""


@dataclass(frozen=True, eq=False)
class PixelView:
    """A part of the table in print colours, with the light removed, from lattice cell ``first`` onwards.

    Args:
        first: the lattice cell of the first pixel.
        log_colors: logarithm of the colour that a print there would have, in linear light.
        inside_mask: whether the photo shows the pixel.
        prints: the tile set.
    """

    first: Cell
    log_colors: ColorImage
    inside_mask: Mask
    prints: TilePrints

    def log_odds(self, placement: TilePlacement) -> Float32[Singles, " n"]:
        """Return the log odds of the placed print by the pixels of each cell.

        The placement must lie within the view. Pixels outside the photo are no evidence.
        """
        off, places = self.off_print(placement)
        columns, rows = (places // _PX_PER_CELL).T
        of_cells = np.zeros((rows.max(initial=0) + 1, columns.max(initial=0) + 1), dtype=np.float32)
        np.add.at(of_cells, (rows, columns), _pixel_log_odds(off))
        seen = np.zeros(of_cells.shape, dtype=bool)
        seen[rows, columns] = True
        return np.asarray(of_cells[seen] * (_OWN_PIXELS / _PX_PER_CELL**2), dtype=np.float32)

    def off_print(self, placement: TilePlacement) -> tuple[Float32[Singles, "n 3"], Int[Numbers, "n 2"]]:
        """Return the deviation of the photo's pixels from a placed print, and their indices."""
        print_colors, print_mask = _turned_pixels(self.prints)[placement.print_index][placement.quarters]
        left, top = ((a - b) * _PX_PER_CELL for a, b in zip(placement.corner, self.first, strict=True))
        height, width = print_mask.shape
        box = (slice(top, top + height), slice(left, left + width))
        shown = print_mask & self.inside_mask[box]
        rows, columns = np.nonzero(shown)
        return self.log_colors[box][shown] - print_colors[shown], np.column_stack([columns + left, rows + top])


def pixel_view(
    board: BoardView, cells: Iterable[Cell], placements: Sequence[TilePlacement], prints: TilePrints
) -> PixelView:
    """Return the photo of the bounding box of some cells, in the light of the known tiles.

    Args:
        board: the board of the known tiles.
        cells: the cells, the board's included.
        placements: the known tiles.
        prints: the tile set.
    """
    first, last = span_of(cells, 0)
    frame = lattice_frame(board.lattice, first, last, SEEN_PX_PER_CELL / board.lattice.cell_mm)
    seen = rectify(board.photo, board.view, frame, board.thickness_mm)
    size_wh = ((last[0] - first[0]) * _PX_PER_CELL, (last[1] - first[1]) * _PX_PER_CELL)
    shown = cv2.resize(light_from_gamma(seen.image), size_wh, interpolation=cv2.INTER_AREA)
    inside = cv2.resize(seen.inside_mask.astype(np.uint8), size_wh, interpolation=cv2.INTER_AREA) > 0
    raw = PixelView(first, np.asarray(np.log(shown + np.float32(_NO_LIGHT))), inside, prints)
    lit = shown / np.exp(_light_on(raw, placements))
    return replace(raw, log_colors=np.asarray(np.log(lit + np.float32(LIFTED_DARK)), dtype=np.float32))


def _light_on(raw: PixelView, placements: Iterable[TilePlacement]) -> ColorImage:
    """Return the log light on each lit pixel.

    A lamp's light changes so slowly over a board that its logarithm is a plane. Pixels of the known tiles in shadow or
    under figures drop out.
    """
    parts = [raw.off_print(placement) for placement in placements]
    off, places = np.concatenate([part for part, _ in parts]), np.concatenate([part for _, part in parts])
    brightness = off.mean(axis=1)
    tint = np.median(off - brightness[:, None], axis=0)
    constant, along_columns, along_rows = _lit_plane(places, brightness)
    rows, columns = np.mgrid[0 : raw.inside_mask.shape[0], 0 : raw.inside_mask.shape[1]]
    plane = constant + along_columns * columns + along_rows * rows
    return np.asarray(plane[:, :, None] + tint, dtype=np.float32)


def _lit_plane(places: Int[Numbers, "n 2"], brightness: Float[Numbers, " n"]) -> Float[Numbers, " 3"]:
    """Return constant and slopes of most lit pixels' brightness, by reweighted least squares."""
    middle, usual = places.mean(axis=0), float(np.median(brightness))
    sides = np.column_stack([np.ones(len(places)), (places - middle) / _PX_PER_CELL])
    count, edges = np.histogram(brightness - usual, bins=_PEAK_BINS, range=_PEAK_RANGE)
    peak = int(np.convolve(count, np.ones(3), mode="same").argmax())
    plane = np.array([usual + (edges[peak] + edges[peak + 1]) / 2, 0.0, 0.0])
    for spread in _NARROWING:
        weights = np.exp(-0.5 * ((brightness - sides @ plane) / spread) ** 2)
        weighted = (sides * weights[:, None]).T
        steep = np.diag([0.0, _FLAT, _FLAT]) * weights.sum()
        plane = np.linalg.solve(weighted @ sides + steep, weighted @ brightness)
    slopes = plane[1:] / _PX_PER_CELL
    return np.array([plane[0] - slopes @ middle, *slopes])


@lru_cache(maxsize=4)
def _turned_pixels(prints: TilePrints) -> tuple[tuple[tuple[ColorImage, Mask], ...], ...]:
    """Return the log colours and own pixels of each print at its four turns."""
    every = PX_PER_CELL // _PX_PER_CELL
    middles = slice(every // 2, None, every)
    turned = []
    for tile_print in prints.prints:
        size_wh = tuple(side * _PX_PER_CELL for side in tile_print.size_cells)
        small = cv2.resize(light_from_gamma(tile_print.image), size_wh, interpolation=cv2.INTER_AREA)
        log_colors, mask = np.log(small + np.float32(LIFTED_DARK)), tile_print.inside_mask[middles, middles]
        turned.append(tuple((np.rot90(log_colors, -quarters), np.rot90(mask, -quarters)) for quarters in range(4)))
    return tuple(turned)


def _pixel_log_odds(off: Float32[Singles, "n 3"]) -> Float32[Singles, " n"]:
    """Return the log odds of pixels by their deviation from a print: a mixture of the print and of anything else."""
    brightness = off.mean(axis=1)
    tint = ((off - brightness[:, None]) ** 2).sum(axis=1)
    lit = np.exp(-0.5 * (brightness / _LIT) ** 2) / (_LIT * np.sqrt(2 * np.pi))
    shaded = ((brightness > _DARKEST) & (brightness < _BRIGHTEST)) / (_BRIGHTEST - _DARKEST)
    as_bright = ((1 - _SHADED) * lit + _SHADED * shaded) * _ANY_RANGE
    # Colour apart from brightness has two dimensions, so the densities scale by the square of their spread.
    as_colored = (_ANY_TINT / _TINT) ** 2 * np.exp(-0.5 * tint * (_TINT**-2 - _ANY_TINT**-2))
    return np.asarray(np.log(_SHOWN * as_bright * as_colored + 1 - _SHOWN), dtype=np.float32)
