"""Cells as vectors, and their log odds for a tile placement, learned on simulated tables.

Normalised correlation of twelve by twelve colours, and the mean colour, compare a cell of the photo with one of a
print. A figure spoils only the cells it covers, so a covered cell is weak evidence against a placement. Each cell adds
the log odds of its look: how well pattern and colour agree with the print, how much pattern the print has there, and
how rare that is in the tile set. Neighbours, keypoints and the tile's other side count after that
(``vision.training.tile_fit``).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from itertools import product

import cv2
import numpy as np
from jaxtyping import Bool, Float, Float32, Int

from assistant.table.lattice import Cell
from calibration.arrays import BgrImage, Flags, Mask, Numbers, Singles
from calibration.color import light_from_gamma
from vision.learned import learned_document
from vision.photo.paper_light import DARKEST_LIGHT
from vision.photo.rectify import Rectified, fill_gaps
from vision.tiles.prints import PX_PER_CELL, TilePrints

COMPARED_PX = 12
"""Pixels of a cell in the comparison, 2 mm each. A misfit of 0.4 mm and 0.3 degrees does not matter."""

SEEN_PX_PER_CELL = 2 * COMPARED_PX
"""Scale of the rectified photo."""

SHIFT_MM = 2.1
"""Step of the shifts. A tile 3 mm off its place is then seen within a millimetre."""

NOISE = 3.0
"""Contrast in grey levels that counts as none, the sensor noise after averaging to 12 pixels a cell."""

_FULL_CONTRAST = 15.0
WEIGHT_LIMIT = 1.5
"""Cap on the weight of a cell or patch, which grows with its contrast. A plain floor proves little, a hatch a lot."""


@dataclass(frozen=True, eq=False)
class SeenCells:
    """The cells of the photo from lattice cell ``first`` onwards, by row and column.

    Args:
        first: the lattice cell of row 0, column 0.
        vectors: colours minus their mean, at unit length, 0 for cells not wholly in view.
        colors: logarithm of the mean colour in linear light.
        in_view: whether the photo shows the whole cell.
        paper_light: logarithm of the light by the markers' paper, or None without a measurement.
        shifted: the same cells at shifts along the lattice, for loose tiles.
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
        size_cells: its columns and rows.
        rows: the row of each of its cells.
        columns: the column of each.
        vectors: as in ``SeenCells``.
        weights: contrast of each cell, 0 to 1.5.
        colors: as in ``SeenCells``.
        rarity: difference of each cell from every cell of every other print, 0 to 2.
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
    """Return the cells of the same photo at the eight shifts round zero, for loose tiles."""
    found = {}
    step_px = max(1, round(SHIFT_MM * seen.frame.px_per_mm))
    for right, down in product((-step_px, 0, step_px), repeat=2):
        if right or down:
            moved = replace(  # np.roll wraps round, but the margin of the searched span keeps that off the board
                seen,
                image=np.roll(seen.image, (-down, -right), axis=(0, 1)),
                inside_mask=np.roll(seen.inside_mask, (-down, -right), axis=(0, 1)),
            )
            shift = (right / seen.frame.px_per_mm, down / seen.frame.px_per_mm)
            found[shift] = seen_cells(moved, first, columns, rows)
    return found


def seen_cells(seen: Rectified, first: Cell, columns: int, rows: int) -> SeenCells:
    """Return the cells of a photo rectified along the lattice."""
    vectors, _ = _unit_vectors(seen.image, columns, rows)
    in_view = cv2.resize(seen.inside_mask.astype(np.uint8), (columns, rows), interpolation=cv2.INTER_AREA) > 0
    vectors[~in_view] = 0
    return SeenCells(first, vectors, log_colors(seen.image, (columns, rows), DARKEST_LIGHT), in_view)


@lru_cache(maxsize=4)
def turned_prints(prints: TilePrints) -> tuple[TurnedPrint, ...]:
    """Return all prints of a set at their four turns. Print ``i`` at turn ``q`` has the index ``4 * i + q``."""
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
    weights = np.minimum(contrast[where] / _FULL_CONTRAST, WEIGHT_LIMIT).astype(np.float32)
    colors = log_colors(image, (columns, rows), DARKEST_LIGHT)[where]
    none = np.zeros(len(weights), dtype=np.float32)
    return TurnedPrint(index, quarters, (columns, rows), where[0], where[1], vectors[where], weights, colors, none)


def _unit_vectors(
    image: BgrImage, columns: int, rows: int
) -> tuple[Float32[Singles, "rows columns 432"], Float32[Singles, "rows columns"]]:
    """Return each cell's colours minus their mean, at unit length, and its contrast."""
    small = cv2.resize(image, (columns * COMPARED_PX, rows * COMPARED_PX), interpolation=cv2.INTER_AREA).astype(
        np.float32
    )
    patches = small.reshape(rows, COMPARED_PX, columns, COMPARED_PX, 3).transpose(0, 2, 1, 3, 4)
    return unit_vectors((patches - patches.mean(axis=(2, 3), keepdims=True)).reshape(rows, columns, -1))


def unit_vectors(
    off_mean: Float32[Singles, "*parts pixels"],
) -> tuple[Float32[Singles, "*parts pixels"], Float32[Singles, "*parts"]]:
    """Return each part's pixels, given minus their mean, at unit length, and its contrast in levels."""
    square = np.einsum("...n,...n->...", off_mean, off_mean)
    count = off_mean.shape[-1]
    return np.asarray(off_mean / np.sqrt(square + count * NOISE**2)[..., None]), np.sqrt(square / count)


def log_colors(image: BgrImage, size_wh: tuple[int, int], darkest: float) -> Float32[Singles, "rows columns 3"]:
    """Return the logarithm of the mean colour of each part of a picture in linear light, lifted by the darkest."""
    small = cv2.resize(light_from_gamma(image), size_wh, interpolation=cv2.INTER_AREA)
    return np.asarray(np.log(small + darkest), dtype=np.float32)


_LIKENESS_BINS = (0.0, 0.2, 0.4, 0.55, 0.7, 0.8, 0.9, 0.95)
_WEIGHT_BINS = (0.4, 0.9)
_RARITY_BINS = (0.05, 0.15, 0.35)
_COLOR_BINS = (1.0, 2.2)

CELL_SHAPE = (len(_LIKENESS_BINS) + 1, len(_WEIGHT_BINS) + 1, len(_RARITY_BINS) + 1, len(_COLOR_BINS) + 2)
"""Number of bins of likeness, weight, rarity and colour, whose last bin means unknown light."""

DARKER, _BRIGHTER, _TINTED = 0.5, 0.3, 0.15
"""Spread of the log brightness and colour of a cell with visible print. Shadows darken."""

CLEAR_PRINT = 0.6
"""Least correlation of photo and print of a clear cell, which serves to measure the light."""

_DISAGREES = -0.3
_VOTES_LIMIT = 30.0
_NEIGHBORS_LIMIT = 4


@dataclass(frozen=True, eq=False)
class TileModel:
    """The learned log odds of a cell by its bins, and the weights of the factors."""

    cell_log_odds: Float[Numbers, " 432"]
    weights: Float[Numbers, " 9"]


@dataclass(frozen=True, eq=False)
class TileContext:
    """The evidence beyond the cells.

    Args:
        votes: weight of the keypoints for the placement.
        neighbors: number of its cells' sides shared with sure tiles.
        overlaps: whether it overlaps one of them.
        other_side_is_sure: whether the other side of the same piece of cardboard is one of them.
    """

    votes: float
    neighbors: int
    overlaps: bool
    other_side_is_sure: bool


@cache
def tile_model() -> TileModel:
    """Return the shipped model, from ``vision/data/tiles.json``."""
    document = learned_document("tiles.json")
    return TileModel(np.array(document["cell_log_odds"]).reshape(-1), np.array(document["weights"]))


def cell_bins(
    cells: SeenCells, turned: TurnedPrint, corner: Cell, light: Float32[Singles, "rows columns 3"] | None
) -> Int[Numbers, " n"]:
    """Return the index into ``TileModel.cell_log_odds`` of each visible cell of a placement.

    Args:
        cells: the photo.
        turned: the print.
        corner: the lattice cell of the print's top left cell.
        light: logarithm of the light on each cell, or None if unknown.
    """
    rows, columns = turned.rows + corner[1] - cells.first[1], turned.columns + corner[0] - cells.first[0]
    likeness = np.einsum("kn,kn->k", cells.vectors[rows, columns], turned.vectors)
    color = np.full(len(rows), CELL_SHAPE[3] - 1)
    if light is not None:
        off = cells.colors[rows, columns] - turned.colors - light[rows, columns]
        color = np.digitize(color_distance(off), _COLOR_BINS)
    bins = np.ravel_multi_index(
        (
            np.digitize(likeness, _LIKENESS_BINS),
            np.digitize(turned.weights, _WEIGHT_BINS),
            np.digitize(turned.rarity, _RARITY_BINS),
            color,
        ),
        CELL_SHAPE,
    )
    return np.asarray(bins[cells.in_view[rows, columns]])


def color_distance(off: Float[Numbers, "*cells 3"]) -> Float[Numbers, "*cells"]:
    """Return the deviation of log colour from the print's, in usual deviations of a cell with visible print."""
    brightness = off.mean(axis=-1)
    tint = np.linalg.norm(off - brightness[..., None], axis=-1) / _TINTED
    return np.asarray(np.hypot(np.where(brightness < 0, brightness / DARKER, brightness / _BRIGHTER), tint))


def factors(
    bins: Int[Numbers, " n"], around: TileContext, cell_log_odds: Float[Numbers, " 432"]
) -> Float[Numbers, " 9"]:
    """Return the factors that the weights of the model multiply."""
    odds = cell_log_odds[bins]
    return np.array(
        [
            1.0,
            odds.sum(),
            odds.max(initial=0.0) if len(odds) else 0.0,
            math.sqrt(min(around.votes, _VOTES_LIMIT)),
            float(around.neighbors > 0),
            min(around.neighbors, _NEIGHBORS_LIMIT) / _NEIGHBORS_LIMIT,
            float(around.other_side_is_sure),
            float(around.overlaps),
            float((odds < _DISAGREES).mean()) if len(odds) else 0.0,
        ]
    )


def light_on_cells(
    cells: SeenCells, sure: Iterable[tuple[TurnedPrint, Cell, Shift]]
) -> Float32[Singles, "rows columns 3"] | None:
    """Return the log light on each cell, from sure tiles, or None if no cell shows it."""
    total = np.zeros((*cells.shape, 3), dtype=np.float32)
    count = np.zeros(cells.shape, dtype=np.float32)
    for turned, corner, shift in sure:
        rows, columns = turned.rows + corner[1] - cells.first[1], turned.columns + corner[0] - cells.first[0]
        there = cells.at(shift)
        likeness = np.einsum("kn,kn->k", there.vectors[rows, columns], turned.vectors)
        clear: Mask = likeness > CLEAR_PRINT
        total[rows[clear], columns[clear]] += (there.colors[rows, columns] - turned.colors)[clear]
        count[rows[clear], columns[clear]] += 1
    if not count.any():
        return None
    return fill_gaps(total, count)
