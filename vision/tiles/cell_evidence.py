"""How much the cells of the photo speak for a placement of a tile: log odds, learned on simulated tables.

Each cell adds the log odds of its look: how well pattern and colour agree with the print, how much pattern the print
has there, and how rare that is in the tile set. A covered cell speaks against the placement, but not loudly.
Neighbours, keypoints and the tile's other side count after that (``vision.training.tile_fit``).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache

import numpy as np
from jaxtyping import Float, Float32, Int, Num

from assistant.table.lattice import Cell
from calibration.arrays import Mask, Numbers, Singles
from vision.learned import learned_document
from vision.photo.lattice_bend import fill_gaps
from vision.tiles.cells import SeenCells, Shift, TurnedPrint

CELL_SHAPE = (9, 3, 4, 4)
"""Bins of likeness, weight, rarity and colour (the last one: unknown light)."""

_LIKENESS_BINS = (0.0, 0.2, 0.4, 0.55, 0.7, 0.8, 0.9, 0.95)
_WEIGHT_BINS = (0.4, 0.9)
_RARITY_BINS = (0.05, 0.15, 0.35)
_COLOR_BINS = (1.0, 2.2)

_DARKER, _BRIGHTER, _TINTED = 0.5, 0.3, 0.15
"""Spread of the logarithm of brightness and colour of a cell that shows its print; shadows darken."""

CLEAR_PRINT = 0.6
"""Correlation of photo and print from which a cell shows its print and nothing else, so that it gives the light."""

LIGHT_CELLS = (1.5, 6.0)
"""Near and far spread, in cells, of light that changes slowly over the table, shadows apart."""

_LEAST_CELL, _MOST_CELL = -1.0, 4.5
_BORROWED, _NEVER = 300.0, 0.01
_DISAGREES = -0.3
_VOTES_LIMIT = 30.0
_NEIGHBORS_LIMIT = 4

FACTORS = 9
"""Number of factors that the model weighs."""


@dataclass(frozen=True, eq=False)
class TileModel:
    """The learned log odds of a cell by its bins, and the weights of the factors."""

    cell_log_odds: Float[Numbers, " 432"]
    weights: Float[Numbers, " 9"]


@dataclass(frozen=True, eq=False)
class TileContext:
    """The evidence besides the cells.

    Args:
        votes: weight of the keypoints for the placement.
        neighbors: number of sides that its cells share with sure tiles.
        overlaps: whether it would lie on one of them.
        other_side_is_sure: whether the other side of the same piece of cardboard is one of them.
    """

    votes: float
    neighbors: int
    overlaps: bool
    other_side_is_sure: bool


@cache
def tile_model() -> TileModel:
    """The shipped model, from ``vision/data/tiles.json``."""
    document = learned_document("tiles.json")
    return TileModel(np.array(document["cell_log_odds"]).reshape(-1), np.array(document["weights"]))


def cell_bins(
    cells: SeenCells, turned: TurnedPrint, corner: Cell, light: Float32[Singles, "rows columns 3"] | None
) -> Int[Numbers, " n"]:
    """The bin, into ``TileModel.cell_log_odds``, of each cell of a placement that is in view.

    Args:
        cells: the photo.
        turned: the print.
        corner: the lattice cell of the print's upper left cell.
        light: logarithm of the light on each cell; None where it is not known.
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
    """How far a logarithm of colour is off the print's, in usual deviations of a cell that shows its print."""
    brightness = off.mean(axis=-1)
    tint = np.linalg.norm(off - brightness[..., None], axis=-1) / _TINTED
    return np.asarray(np.hypot(np.where(brightness < 0, brightness / _DARKER, brightness / _BRIGHTER), tint))


def factors(
    bins: Int[Numbers, " n"], around: TileContext, cell_log_odds: Float[Numbers, " 432"]
) -> Float[Numbers, " 9"]:
    """The factors that the weights of the model multiply."""
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
    """Logarithm of the light on each cell, from sure tiles; None if no cell shows it."""
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
    return fill_gaps(total, count, LIGHT_CELLS)


def cell_log_odds(true_counts: Num[Numbers, "*bins"], false_counts: Num[Numbers, "*bins"]) -> Float[Numbers, " 432"]:
    """Log odds of each bin from its counts in true and in false placements, flat.

    Rare bins borrow from those with the same likeness.
    """
    odds = np.log(_shares(true_counts) / _shares(false_counts))
    return np.clip(odds, _LEAST_CELL, _MOST_CELL)


def _shares(counts: Num[Numbers, "*bins"]) -> Float[Numbers, " 432"]:
    table = np.asarray(counts, dtype=float).reshape(CELL_SHAPE)
    without_rarity = np.broadcast_to(table.sum(axis=2, keepdims=True) / CELL_SHAPE[2], CELL_SHAPE)
    by_rarity = np.broadcast_to(table.sum(axis=(1, 3), keepdims=True) / (CELL_SHAPE[1] * CELL_SHAPE[3]), CELL_SHAPE)
    borrowed = (without_rarity / without_rarity.sum() + by_rarity / by_rarity.sum()) / 2
    shares: Numbers = (table + _BORROWED * borrowed + _NEVER) / (table.sum() + _BORROWED + _NEVER * table.size)
    return shares.ravel()


def model_document(model: TileModel) -> Mapping[str, object]:
    """The model as ``vision/data/tiles.json`` stores it."""
    odds = np.round(model.cell_log_odds, 2).reshape(CELL_SHAPE)
    return {"cell_log_odds": odds.tolist(), "weights": np.round(model.weights, 3).tolist()}
