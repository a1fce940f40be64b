"""Print patches, nine a cell, and their evidence. Figures leave some patches open, and these identify a tile.

Normalised correlation of four by four pixels compares patches by brightness of evened contrast, and by colour. Colour
survives a shine or a faded print better than brightness.

The evidence is log odds for a placed print, and for the bare table. The clearness of the print in this photo and the
covered share of the tile are both unknown. So all pairs are tried, and the best explanation counts. For a wrong print
that is hardly ever better than "all of it is covered".

Tiles of one style share floors, lines and pictures. So an unknown tile shows a patch as often as the set's other pieces
do in the same place of a cell (``usual_likeness``).
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import NamedTuple

import cv2
import numpy as np
from jaxtyping import Bool, Float, Float32, Int

from assistant.table.lattice import Cell
from calibration.arrays import BgrImage, ColorImage, Flags, Mask, Numbers, Singles
from calibration.color import lab_from_bgr
from vision.learned import normal_density
from vision.photo.paper_light import LIFTED_DARK
from vision.photo.rectify import rectify
from vision.tiles.board_view import BoardView
from vision.tiles.cells import DARKER, SEEN_PX_PER_CELL, WEIGHT_LIMIT, Shift, log_colors, unit_vectors
from vision.tiles.keypoints import even_contrast
from vision.tiles.placements import BY_CHANCE, MOST_AGAINST, lattice_frame, piece_of
from vision.tiles.prints import Print, TilePrints

PER_SIDE = 3
"""Patches along the side of a cell. With two, too few stay clear under a crowd: of 20 missed tiles 6 were distinguished
from others, with three 14."""

_PX = 4
"""Pixels along the side of a patch in the comparison, 2 mm each."""

_EVENED_CELL_MM = 25.4
"""Cell size of contrast equalisation, which spans a quarter of it whatever the set's own cells."""

_LESS_MEAN = (np.eye(3 * _PX**2) - np.kron(np.ones((_PX**2, _PX**2)) / _PX**2, np.eye(3))).astype(np.float32)
"""Matrix that subtracts each channel's mean from a patch's pixels in a row."""

_COLOR = 2.0
"""Weight of a colour step relative to evened brightness."""

_STEPS_PX = (-4, -2, 0, 2, 4)
"""Shifts tried along each axis. A tile laid by hand, or beside a single one, is up to 4 mm off, others half of that."""


@dataclass(frozen=True, eq=False)
class SeenPatches:
    """The patches of a part of the photo, from lattice cell ``first`` onwards.

    Args:
        first: the lattice cell of row 0, column 0.
        size_cells: columns and rows of cells.
        shifts: the tried shifts, in millimetres.
        coarse: indices of the shifts of a first look.
        vectors: for each shift the pixels of each patch minus their mean, at unit length, row by row.
        log_colors: logarithm of the mean colour of each in linear light.
        in_view: whether the photo shows the patch.
    """

    first: Cell
    size_cells: tuple[int, int]
    shifts: tuple[Shift, ...]
    coarse: Int[Numbers, " c"]
    vectors: Float32[Singles, "s m 48"]
    log_colors: Float32[Singles, "m 3"]
    in_view: Bool[Flags, " m"]

    def index_of(self, patches: PrintPatches, corners: Int[Numbers, "k 2"]) -> Int[Numbers, "k n"]:
        """Return the patch indices of each placement of a print, by the cell of its top left corner."""
        column, row = (corners - self.first).T * PER_SIDE
        return np.asarray(
            (row[:, None] + patches.rows) * (PER_SIDE * self.size_cells[0]) + column[:, None] + patches.columns
        )


@dataclass(frozen=True, eq=False)
class PrintPatches:
    """The patches of a print at one of the four turns.

    Args:
        size_cells: its columns and rows.
        rows: the row of each patch.
        columns: the column of each.
        vectors: as in ``SeenPatches``.
        contrast: contrast of each patch in levels.
        log_colors: as in ``SeenPatches``.
    """

    size_cells: tuple[int, int]
    rows: Int[Numbers, " n"]
    columns: Int[Numbers, " n"]
    vectors: Float32[Singles, "n 48"]
    contrast: Float32[Singles, " n"]
    log_colors: Float32[Singles, "n 3"]


def seen_patches(board: BoardView, first: Cell, last: Cell, *, loosely: bool) -> SeenPatches:
    """Return the photo's patches from cell ``first`` up to, but excluding, ``last``, on the board's lattice.

    ``loosely`` allows tiles far off the lattice.
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
    """Return the patches of each print of a set at the four turns."""
    return tuple(tuple(_turn_print(tile_print, quarters) for quarters in range(4)) for tile_print in prints.prints)


class UsualLikeness(NamedTuple):
    """Mean and spread of each patch's likeness to other pieces' patches in the same place of a cell."""

    mean: Float[Numbers, " n"]
    spread: Float[Numbers, " n"]

    def of(self, mask: Bool[Flags, " n"]) -> UsualLikeness:
        """Return those of some patches."""
        return UsualLikeness(self.mean[mask], self.spread[mask])


@lru_cache(maxsize=4)
def usual_likeness(prints: TilePrints) -> tuple[tuple[UsualLikeness, ...], ...]:
    """Return the usual likeness of the patches of each print of a set at the four turns."""
    pieces = [piece_of(tile_print.side.id) for tile_print in prints.prints]
    side = 3 * _PX**2 + 1
    products = {piece: np.zeros((PER_SIDE**2, side, side)) for piece in pieces}
    for piece, turns in zip(pieces, print_patches(prints), strict=True):
        for patches in turns:
            _add_products(products[piece], patches)
    every = np.sum([*products.values()], axis=0)
    return tuple(
        tuple(_usual_likeness(patches, every - products[piece]) for patches in turns)
        for piece, turns in zip(pieces, print_patches(prints), strict=True)
    )


def _place_in_cell(patches: PrintPatches) -> Int[Numbers, " n"]:
    return np.asarray(patches.rows % PER_SIDE * PER_SIDE + patches.columns % PER_SIDE)


def _add_products(products: Float[Numbers, "places side side"], patches: PrintPatches) -> None:
    """Add the products of all pixels of each patch. One more pixel, always 1, gives their sums and number."""
    vectors = np.column_stack([patches.vectors, np.ones(len(patches.vectors))])
    for place in range(len(products)):
        here = vectors[_place_in_cell(patches) == place]
        products[place] += here.T @ here


def _usual_likeness(patches: PrintPatches, products: Float[Numbers, "places side side"]) -> UsualLikeness:
    """Return mean and spread of the likeness, from the products of the others."""
    of_place = products / np.maximum(products[:, -1:, -1:], 1)
    there = of_place[_place_in_cell(patches)]
    mean = np.einsum("nv,nv->n", patches.vectors, there[:, -1, :-1])
    square = np.einsum("nv,nvw,nw->n", patches.vectors, there[:, :-1, :-1], patches.vectors)
    return UsualLikeness(mean, np.sqrt(np.maximum(square - mean**2, 0)))


def _turn_print(tile_print: Print, quarters: int) -> PrintPatches:
    columns, rows = tile_print.size_cells
    size_wh = (columns * SEEN_PX_PER_CELL, rows * SEEN_PX_PER_CELL)
    image = np.asarray(cv2.resize(tile_print.image, size_wh, interpolation=cv2.INTER_AREA), dtype=np.uint8)
    whole: Mask = cv2.resize(tile_print.inside_mask.astype(np.uint8), size_wh, interpolation=cv2.INTER_NEAREST) > 0
    # Pixels outside the print must not affect the contrast of the print beside them.
    image[~whole] = image[whole].mean(axis=0).astype(np.uint8)
    turned = np.ascontiguousarray(np.rot90(_picture(image), -quarters))
    if quarters % 2:
        columns, rows = rows, columns
    scraps_wh = (PER_SIDE * columns, PER_SIDE * rows)
    middles = slice(SEEN_PX_PER_CELL // (2 * PER_SIDE), None, SEEN_PX_PER_CELL // PER_SIDE)
    mask = np.rot90(whole, -quarters)[middles, middles].ravel()
    vectors, contrast = _unit_vectors(turned, scraps_wh)
    own_colors = _log_colors(np.ascontiguousarray(np.rot90(image, -quarters)), scraps_wh)
    row, column = np.divmod(np.flatnonzero(mask), scraps_wh[0])
    return PrintPatches((columns, rows), row, column, vectors[mask], contrast[mask], own_colors[mask])


def _picture(image: BgrImage) -> ColorImage:
    lab = lab_from_bgr(image)
    even = even_contrast((lab[:, :, 0] * 2.55).astype(np.uint8), SEEN_PX_PER_CELL / _EVENED_CELL_MM)
    return np.dstack([even.astype(np.float32), lab[:, :, 1:] * np.float32(_COLOR)])


def _unit_vectors(
    picture: ColorImage, size_wh: tuple[int, int]
) -> tuple[Float32[Singles, "m 48"], Float32[Singles, " m"]]:
    """Return the pixels of each patch minus their mean, at unit length, and their contrast."""
    columns, rows = size_wh
    small = cv2.resize(picture, (columns * _PX, rows * _PX), interpolation=cv2.INTER_AREA)
    parts = small.reshape(rows, _PX, columns, _PX, 3).transpose(0, 2, 1, 3, 4).reshape(rows * columns, -1)
    return unit_vectors(parts @ _LESS_MEAN)


def _log_colors(image: BgrImage, size_wh: tuple[int, int]) -> Float32[Singles, "m 3"]:
    return log_colors(image, size_wh, LIFTED_DARK).reshape(-1, 3)


_COVERED = (0.1, 0.3, 0.5, 0.7)
"""Tried covered shares of a tile."""

_CLEARNESS = (0.95, 0.8, 0.62, 0.45)
"""Tried correlations of photo and contrasty print, from a clear photo to a faded print under shine."""

_CLEAR_CONTRAST = 8.0
"""Contrast in levels at which the correlation of a print patch halves."""

_SPREAD, _PLAIN_SPREAD = 0.14, 0.1
_OTHER, _OTHER_SPREAD, _OTHER_SHARE = (0.06, 0.3), (0.2, 0.3), (0.85, 0.15)
"""Correlation of patches of something else: mean, spread and share of two groups. In the second, lines of print or
cloth coincide by chance. Counted on 320,000 patches of ray-traced tables."""

_OWN_PATTERN, _OWN_COLOR = 0.35, 0.15
"""Share of a patch's evidence that is independent of its neighbours."""

_WEIGHT_CONTRAST = 30.0
"""Contrast in levels of a patch of weight 1."""

_TINT, _ANY_TINT = 0.7, 0.45
"""Spread of colour apart from brightness: of a print as a multiple of the known prints' usual error, and of anything
else."""

_LEAST_SPREAD = 0.06
"""Least spread of a print's colour, and of log brightness on the most even table."""

_BRIGHTER, _ANY_BRIGHTNESS = 0.25, 0.9
"""Spread of log brightness: of a print in light, and of anything."""

_STIFFNESS = 4.0
"""Prior for unchanged colours, in patches, in case the known tiles have few colours."""

_ROUNDS = 8
"""Rounds of a reweighted fit: of the prints' colours, and of the light on the table."""

_LEAST_TABLE = 60
"""Fewest patches of bare table for a model of its look."""

_FLAT = 30.0
"""Prior for even light on the table, in patches."""

_LEAST_TABLE_TINT = 0.025
"""Spread of colour of the most even table."""

_SHADED, _DARKEST = 0.3, 1.8
"""Share of the table in shadow, and the largest reduction of log brightness by a shadow."""

_ANY_TABLE_BRIGHTNESS = 1.17
"""Spread of log brightness of anything else than the table."""

_LITTERED = 0.15
"""Share of the table beside a board that looks different because of cards, dice and leaning bodies."""

_LEAST_LOG_ODDS = -4.0
"""Floor of one patch's log odds against anything else, since print may be as brown as the table."""

_ROOT = math.sqrt(math.tau)


@dataclass(frozen=True, eq=False)
class PrintColors:
    """The colours of prints in a photo: paper, ink, light and camera in one affine map of the logarithms of colour.

    Args:
        middle: the centre of the map.
        matrix: the map, its last row the constant.
        error: the usual error of a patch that shows its print.
    """

    middle: Float[Numbers, " 3"]
    matrix: Float[Numbers, "4 3"]
    error: float

    def seen(self, log_colors: Float[Numbers, "n 3"]) -> Float[Numbers, "n 3"]:
        """Return the colours of prints in the photo."""
        return np.asarray((log_colors - self.middle) @ self.matrix[:3] + self.matrix[3])


def print_colors(printed: Float[Numbers, "n 3"], seen: Float[Numbers, "n 3"]) -> PrintColors:
    """Fit the map to the colours of N known patches. Reweighting removes covered ones."""
    middle = printed.mean(axis=0)
    sides = np.column_stack([printed - middle, np.ones(len(printed))])
    as_it_is = np.vstack([np.eye(3), np.zeros((1, 3))])
    stiff = np.diag([_STIFFNESS, _STIFFNESS, _STIFFNESS, 0.0])
    weights, error = np.ones(len(printed)), 0.0
    matrix: Numbers = as_it_is
    for _ in range(_ROUNDS):
        weighted = sides * weights[:, None]
        matrix = np.linalg.solve(sides.T @ weighted + stiff, weighted.T @ seen + stiff @ as_it_is)
        off = np.linalg.norm(seen - sides @ matrix, axis=1)
        error = float(np.median(off)) + 1e-6
        weights = np.asarray(1 / (1 + (off / error) ** 2))
    return PrintColors(middle, matrix, error)


def first_measure(
    likeness: Float32[Singles, "*places n"], contrast: Float32[Singles, " n"]
) -> Float32[Singles, "*places n"]:
    """Return the evidence of each patch for the print, by a quick measure for preselection."""
    weight = np.minimum(contrast / _WEIGHT_CONTRAST, WEIGHT_LIMIT)
    return np.asarray(weight * np.maximum(likeness - BY_CHANCE, MOST_AGAINST), dtype=np.float32)


def by_pattern(
    likeness: Float[Numbers, " n"], contrast: Float[Numbers, " n"], usual: UsualLikeness | None = None
) -> float:
    """Return log odds of a print by the correlation of its patches with the photo, 0 without resemblance.

    They are against anything else. With ``usual``, a tile of the same style explains what it explains better.
    """
    if not len(likeness):
        return 0.0
    groups = zip(_OTHER, _OTHER_SPREAD, _OTHER_SHARE, strict=True)
    other = sum(share * normal_density(likeness, mean, spread) for mean, spread, share in groups)
    if usual is not None:
        other = np.maximum(other, normal_density(likeness, usual.mean, np.hypot(usual.spread, _SPREAD)))
    clear = contrast / (contrast + _CLEAR_CONTRAST)
    ratios = [normal_density(likeness, c * clear, _SPREAD + _PLAIN_SPREAD * (1 - clear)) / other for c in _CLEARNESS]
    return _OWN_PATTERN * max(0.0, _best(ratios))


def by_color(off: Float[Numbers, "n 3"], error: float) -> float:
    """Return log odds of a print by its patches' deviation from this photo's print colours."""
    if not len(off):
        return 0.0
    brightness = off.mean(axis=1)
    tint = ((off - brightness[:, None]) ** 2).sum(axis=1)
    spread = max(_TINT * error, _LEAST_SPREAD)
    # Colour apart from brightness has two dimensions, so the densities scale by the square of their spread.
    as_colored = (_ANY_TINT / spread) ** 2 * np.exp(-0.5 * tint * (spread**-2 - _ANY_TINT**-2))
    own = normal_density(brightness, 0.0, np.where(brightness < 0, DARKER, _BRIGHTER))
    as_bright = _ANY_BRIGHTNESS * own / normal_density(brightness, 0.0, _ANY_BRIGHTNESS)
    return _OWN_COLOR * _best([as_colored * as_bright])


def _best(ratios: Iterable[Float[Numbers, " n"]]) -> float:
    """Return the joint log odds of all patches under the best covered share and likelihood ratios."""
    return max(float(np.log((1 - share) * own + share).sum()) for own, share in product(ratios, _COVERED))


def other_than_table(seen: SeenPatches, is_table: Bool[Flags, " m"]) -> Float[Numbers, "rows columns"]:
    """Return each cell's mean log odds per patch of anything but the bare table.

    They are 0 outside the photo, and everywhere if the table's look is too little known. ``is_table`` marks the patches
    that probably show the table.
    """
    columns, rows = seen.size_cells
    known = is_table & seen.in_view
    if known.sum() < _LEAST_TABLE:
        return np.zeros((rows, columns))
    colors = seen.log_colors.astype(float)
    brightness = colors.mean(axis=1)
    tint = colors - brightness[:, None]
    off, spread = _off_the_light(seen, brightness, known)
    aside = np.linalg.norm(tint - np.median(tint[known], axis=0), axis=1)
    # For a pair of independent normal deviations, the median length is 1.18 spreads.
    tint_spread = max(float(np.median(aside[known])) / 1.18, _LEAST_TABLE_TINT)
    in_shadow = ((off < spread) & (off > -_DARKEST)) / _DARKEST
    as_bright = (1 - _SHADED) * normal_density(off, 0.0, spread) / _ROOT + _SHADED * in_shadow
    table = np.exp(-0.5 * (aside / tint_spread) ** 2) / tint_spread**2 * as_bright
    as_any = normal_density(brightness - np.median(brightness), 0.0, _ANY_TABLE_BRIGHTNESS) / _ROOT
    anything = np.exp(-0.5 * (tint**2).sum(axis=1) / _ANY_TINT**2) / _ANY_TINT**2 * as_any + 1e-12
    log_odds = np.maximum(np.log(anything / ((1 - _LITTERED) * table + _LITTERED * anything)), _LEAST_LOG_ODDS)
    log_odds[~seen.in_view] = 0
    return np.asarray(log_odds.reshape(rows, PER_SIDE, columns, PER_SIDE).mean(axis=(1, 3)))


def _off_the_light(
    seen: SeenPatches, brightness: Float[Numbers, " m"], known: Bool[Flags, " m"]
) -> tuple[Float[Numbers, " m"], float]:
    """Return each patch's deviation from the brightness of a table in smooth light, and the spread."""
    columns, rows = seen.size_cells
    row, column = (axis.ravel() / PER_SIDE for axis in np.mgrid[0 : rows * PER_SIDE, 0 : columns * PER_SIDE])
    sides = np.column_stack([np.ones(len(row)), column - column[known].mean(), row - row[known].mean()])
    plane = np.array([float(np.median(brightness[known])), 0.0, 0.0])
    for _ in range(_ROUNDS):
        off = np.abs(brightness[known] - sides[known] @ plane)
        weighted = sides[known].T / (1 + (off / max(1.48 * float(np.median(off)), _LEAST_SPREAD)) ** 2)
        plane = np.linalg.solve(weighted @ sides[known] + np.diag([0.0, _FLAT, _FLAT]), weighted @ brightness[known])
    off = brightness - sides @ plane
    return off, max(1.48 * float(np.median(np.abs(off[known]))), _LEAST_SPREAD)
