"""Difficult ground on a tile, from the evidence for dashed outlines along its edges."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float

from assistant.table.lattice import Cell, Edge
from calibration.arrays import Flags, Mask, Numbers
from vision.learned import MOST_LOG_ODDS

CERTAIN = 0.995
"""Cap on every confidence. No reading of a photo is surer, however clear the picture."""


@dataclass(frozen=True, eq=False)
class EdgeSight:
    """The evidence on one edge: log chances of its kinds, log odds of a dashed outline in either cell."""

    kinds: Float[Numbers, " 4"]
    difficult: Float[Numbers, " 2"]


@dataclass(frozen=True, eq=False)
class _Costs:
    """Negative log chance of the evidence on every edge, by which one of its two cells is difficult.

    ``level`` and ``upright`` edges have three columns: neither cell, the first, the second.
    """

    level: Float[Numbers, "_rows _columns 3"]
    upright: Float[Numbers, "_rows _columns 3"]

    def of(self, grounds: Bool[Flags, "n rows columns"]) -> Float[Numbers, " n"]:
        """Return the cost of each of several grounds."""
        padded = np.pad(grounds, ((0, 0), (1, 1), (1, 1)))
        level = _summed(self.level, padded[:, :-1, 1:-1], padded[:, 1:, 1:-1])
        return level + _summed(self.upright, padded[:, 1:-1, :-1], padded[:, 1:-1, 1:])


def difficult_cells(
    cells: frozenset[Cell], sights: Mapping[Edge, EdgeSight]
) -> tuple[frozenset[Cell], dict[Cell, float]]:
    """Return the cells of difficult ground, and each cell's confidence in its state.

    The dashed outline runs just inside the outermost cells of such ground. So an outline is evidence for the cell on
    its side and against the other one. Cells without one between them are in the same state. A greedy search adds or
    removes the rectangle of cells that agrees best with all edges, until nothing improves.
    """
    left, top = min(c for c, _ in cells), min(r for _, r in cells)
    columns, rows = max(c for c, _ in cells) - left + 1, max(r for _, r in cells) - top + 1
    is_cell = np.zeros((rows, columns), dtype=bool)
    for column, row in cells:
        is_cell[row - top, column - left] = True
    costs = _costs(sights, (left, top), (columns, rows))
    areas = _rectangles(is_cell)
    ground, cost = np.zeros_like(is_cell), float(costs.of(np.zeros((1, rows, columns), dtype=bool))[0])
    while True:
        tries = np.concatenate([ground | areas, ground & ~areas])
        tried = costs.of(tries)
        best = int(tried.argmin())
        if tried[best] >= cost - 1e-6:
            break
        ground, cost = tries[best], float(tried[best])
    places = {(column, row): (row - top, column - left) for column, row in cells}
    sure = {cell: _sureness(costs, ground, place, cost) for cell, place in places.items()}
    return frozenset(cell for cell, place in places.items() if ground[place]), sure


def _costs(sights: Mapping[Edge, EdgeSight], first: Cell, size: tuple[int, int]) -> _Costs:
    columns, rows = size
    costs = _Costs(np.zeros((rows + 1, columns, 3)), np.zeros((rows, columns + 1, 3)))
    for edge, sight in sights.items():
        column, row = edge.start[0] - first[0], edge.start[1] - first[1]
        odds = np.clip(sight.difficult, -MOST_LOG_ODDS, MOST_LOG_ODDS).tolist()
        yes, no = [math.log1p(math.exp(-one)) for one in odds], [math.log1p(math.exp(one)) for one in odds]
        target = costs.level if edge.is_horizontal else costs.upright
        target[row, column] = (no[0] + no[1], yes[0] + no[1], no[0] + yes[1])
    return costs


def _summed(
    costs: Float[Numbers, "height width 3"], first: Bool[Flags, "n height width"], second: Bool[Flags, "n height width"]
) -> Float[Numbers, " n"]:
    by_first, by_second = costs[..., 1] - costs[..., 0], costs[..., 2] - costs[..., 0]
    # A large board has tens of thousands of rectangles, so no array holds a number for each edge of each.
    extra = np.einsum("nrc,rc->n", first & ~second, by_first) + np.einsum("nrc,rc->n", second & ~first, by_second)
    return np.asarray(costs[..., 0].sum() + extra)


def _rectangles(is_cell: Bool[Flags, "rows columns"]) -> Bool[Flags, "n rows columns"]:
    """Return every rectangle of cells, minus its places without a cell."""
    rows, columns = is_cell.shape
    found = []
    for top in range(rows):
        for left in range(columns):
            for bottom in range(top + 1, rows + 1):
                for right in range(left + 1, columns + 1):
                    area = np.zeros_like(is_cell)
                    area[top:bottom, left:right] = is_cell[top:bottom, left:right]
                    found.append(area)
    return np.array(found)


def _sureness(costs: _Costs, ground: Mask, place: tuple[int, int], cost: float) -> float:
    """Return the chance that the ground is right in one place, from the cost of the other state."""
    other = ground.copy()
    other[place] = not other[place]
    worse = float(costs.of(other[None])[0]) - cost
    return min(1 / (1 + math.exp(-min(worse, 30.0))), CERTAIN)
