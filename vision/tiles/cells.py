"""Cells as vectors: what the photo shows in each cell of the lattice, and what each print has in each of its cells.

A cell of the photo and one of a print are compared by normalised correlation of twelve by twelve colours, and by
their mean colour. A figure spoils the cells it covers and no others.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import product

import cv2
import numpy as np
from jaxtyping import Bool, Float32, Int

from assistant.table.lattice import Cell
from calibration.arrays import BgrImage, Flags, Mask, Numbers, Singles
from calibration.color import light_from_gamma
from vision.photo.paper_light import DARKEST_LIGHT
from vision.photo.rectify import Rectified
from vision.tiles.prints import PX_PER_CELL, TilePrints

_PX = 12
"""Pixels of a cell in the comparison, 2 mm each: a misfit of 0.4 mm and 0.3 degrees does not matter."""

SEEN_PX_PER_CELL = 2 * _PX
"""Scale at which the photo is rectified for it."""

_SHIFT_MM = 2.1
"""Step of the shifts: a tile 3 mm off its place is then seen within a millimetre."""

_NOISE = 3.0
"""Contrast in grey levels that counts as none: sensor noise after averaging to 12 pixels a cell."""

_FULL_CONTRAST = 15.0
_WEIGHT_LIMIT = 1.5
"""Cap on a cell's weight, which grows with its contrast: a plain floor proves little, a hatch a lot."""


@dataclass(frozen=True, eq=False)
class SeenCells:
    """The cells of the photo from lattice cell ``first`` on, by row and column.

    Args:
        first: the lattice cell of row 0, column 0.
        vectors: colours less their mean, at unit length; 0 for cells that are not wholly in view.
        colors: logarithm of the mean colour in linear light.
        in_view: whether the photo shows the whole cell.
        paper_light: logarithm of the light by the markers' paper; None where none was measured.
        shifted: the same cells at shifts along the lattice, where tiles lie loosely.
    """

    first: Cell
    vectors: Float32[Singles, "rows columns 432"]
    colors: Float32[Singles, "rows columns 3"]
    in_view: Bool[Flags, "rows columns"]
    paper_light: Float32[Singles, "rows columns 3"] | None = None
    shifted: Mapping[Shift, SeenCells] = field(default_factory=dict)

    def at(self, shift: Shift) -> SeenCells:
        return self.shifted.get(shift, self)

    @property
    def shape(self) -> tuple[int, int]:
        return self.in_view.shape[0], self.in_view.shape[1]


@dataclass(frozen=True, eq=False)
class TurnedPrint:
    """A print at one of the four turns.

    Args:
        print_index: the print.
        quarters: quarter turns clockwise.
        size_cells: columns and rows that it takes.
        rows: the row of each of its cells.
        columns: the column of each.
        vectors: as in ``SeenCells``.
        weights: contrast of each cell, 0 to 1.5.
        colors: as in ``SeenCells``.
        rarity: how much each cell differs from every cell of every other print, 0 to 2.
    """

    print_index: int
    quarters: int
    size_cells: tuple[int, int]
    rows: Int[Numbers, " n"]
    columns: Int[Numbers, " n"]
    vectors: Float32[Singles, "n 432"]
    weights: Float32[Singles, " n"]
    colors: Float32[Singles, "n 3"]
    rarity: Float32[Singles, " n"]


Shift = tuple[float, float]
"""Millimetres along the rows and columns of the lattice."""

NO_SHIFT: Shift = (0.0, 0.0)


def shifted_cells(seen: Rectified, first: Cell, columns: int, rows: int) -> dict[Shift, SeenCells]:
    """The cells of the same photo at the eight shifts round no shift, for loosely laid tiles."""
    found = {}
    step_px = max(1, round(_SHIFT_MM * seen.frame.px_per_mm))
    for right, down in product((-step_px, 0, step_px), repeat=2):
        if right or down:
            moved = replace(  # np.roll wraps round; the margin of the searched span keeps that off the board
                seen,
                image=np.roll(seen.image, (-down, -right), axis=(0, 1)),
                inside_mask=np.roll(seen.inside_mask, (-down, -right), axis=(0, 1)),
            )
            shift = (right / seen.frame.px_per_mm, down / seen.frame.px_per_mm)
            found[shift] = seen_cells(moved, first, columns, rows)
    return found


def seen_cells(seen: Rectified, first: Cell, columns: int, rows: int) -> SeenCells:
    """The cells of a photo rectified along the lattice."""
    vectors, _ = _unit_vectors(seen.image, columns, rows)
    in_view = cv2.resize(seen.inside_mask.astype(np.uint8), (columns, rows), interpolation=cv2.INTER_AREA) > 0
    vectors[~in_view] = 0
    return SeenCells(first, vectors, _log_colors(seen.image, columns, rows), in_view)


@lru_cache(maxsize=4)
def turned_prints(prints: TilePrints) -> tuple[TurnedPrint, ...]:
    """All prints of a set at their four turns: print ``i`` at turn ``q`` is the one at ``4 * i + q``."""
    flat = [_turn_print(prints, index, quarters) for index in range(len(prints.prints)) for quarters in range(4)]
    vectors = np.concatenate([t.vectors for t in flat])
    owner = np.repeat([t.print_index for t in flat], [len(t.vectors) for t in flat])
    found = []
    for turned in flat:
        others = vectors[owner != turned.print_index]
        likeness = (turned.vectors @ others.T).max(axis=1) if len(others) else np.full(len(turned.vectors), -1.0)
        found.append(replace(turned, rarity=(1 - likeness).astype(np.float32)))
    return tuple(found)


def _turn_print(prints: TilePrints, index: int, quarters: int) -> TurnedPrint:
    tile_print = prints.prints[index]
    image = np.ascontiguousarray(np.rot90(tile_print.image, -quarters))
    middles = slice(PX_PER_CELL // 2, None, PX_PER_CELL)
    mask: Mask = np.rot90(tile_print.inside_mask, -quarters)[middles, middles]
    rows, columns = mask.shape
    vectors, contrast = _unit_vectors(image, columns, rows)
    where = np.nonzero(mask)
    weights = np.minimum(contrast[where] / _FULL_CONTRAST, _WEIGHT_LIMIT).astype(np.float32)
    colors = _log_colors(image, columns, rows)[where]
    none = np.zeros(len(weights), dtype=np.float32)
    return TurnedPrint(index, quarters, (columns, rows), where[0], where[1], vectors[where], weights, colors, none)


def _unit_vectors(
    image: BgrImage, columns: int, rows: int
) -> tuple[Float32[Singles, "rows columns 432"], Float32[Singles, "rows columns"]]:
    """For each cell its colours less their mean, at unit length, and its contrast."""
    small = cv2.resize(image, (columns * _PX, rows * _PX), interpolation=cv2.INTER_AREA).astype(np.float32)
    patches = small.reshape(rows, _PX, columns, _PX, 3).transpose(0, 2, 1, 3, 4)
    flat = (patches - patches.mean(axis=(2, 3), keepdims=True)).reshape(rows, columns, -1)
    square = np.einsum("rcn,rcn->rc", flat, flat)
    count = flat.shape[-1]
    vectors: Singles = flat / np.sqrt(square + count * _NOISE**2)[:, :, None]
    return vectors, np.sqrt(square / count)


def _log_colors(image: BgrImage, columns: int, rows: int) -> Float32[Singles, "rows columns 3"]:
    small = cv2.resize(light_from_gamma(image), (columns, rows), interpolation=cv2.INTER_AREA)
    return np.asarray(np.log(small + DARKEST_LIGHT), dtype=np.float32)
