"""The cells of a tile on its lattice, by their edges and their likeness to sure cells."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from jaxtyping import Float

from assistant.table.lattice import Cell, connected_groups, neighbors
from calibration.arrays import BgrImage, Numbers
from calibration.color import lab_from_bgr
from vision.teaching.edge_network import CELL_PX

_SURE_TILE, _SURE_TABLE = 1.5, -2.5
"""Log odds from which a cell is a sample of tile or table in this photo."""

_DOUBT = 3.0
"""Log odds within which looks count."""

_LOOKS_COUNT = 2.5
_MOST = 2.5
"""Weight of likeness, and its cap."""

_NEIGHBOUR = 0.5
"""Log odds added by each neighbour on the tile, or beside it. Tiles have few holes and no protrusions."""

_SPREAD = 4.0
"""Differences of look (CIELAB) below which they are noise."""


def reconsider_cells(odds: Mapping[Cell, float], image: BgrImage, first: Cell) -> dict[Cell, float]:
    """Return the log odds of every cell, with doubtful ones judged again by looks and neighbours.

    ``odds`` come from the edges. ``image`` is along the lattice at ``CELL_PX``, with ``first`` in its top left corner.
    """
    looks = {cell: _look_of(image, (cell[0] - first[0], cell[1] - first[1])) for cell in odds}
    tile = np.array([looks[cell] for cell, value in odds.items() if value >= _SURE_TILE])
    table = np.array([looks[cell] for cell, value in odds.items() if value <= _SURE_TABLE])
    if len(tile) == 0 or len(table) == 0:
        return dict(odds)
    judged = {}
    for cell, value in odds.items():
        judged[cell] = value + (_likeness(looks[cell], tile, table) if abs(value) < _DOUBT else 0.0)
    return {
        cell: value + _by_neighbors(judged, cell) if abs(value) < _DOUBT else value for cell, value in judged.items()
    }


def largest_part(cell_odds: Mapping[Cell, float]) -> frozenset[Cell]:
    """Return the likeliest group of joined cells that probably form a tile."""
    best: frozenset[Cell] = frozenset()
    best_odds = 0.0
    for part in connected_groups(cell for cell, odds in cell_odds.items() if odds > 0):
        odds = sum(cell_odds[cell] for cell in part)
        if odds > best_odds:
            best, best_odds = part, odds
    return best


def _look_of(image: BgrImage, place: Cell) -> Float[Numbers, " 4"]:
    """Return the median colour and its spread inside a cell, away from its edges."""
    left, top = place[0] * CELL_PX, place[1] * CELL_PX
    inset = CELL_PX // 6
    part = image[top + inset : top + CELL_PX - inset, left + inset : left + CELL_PX - inset]
    if part.size == 0:
        return np.zeros(4)
    lab = lab_from_bgr(part).reshape(-1, 3)
    return np.append(np.median(lab, axis=0), lab[:, 0].std())


def _likeness(look: Float[Numbers, " 4"], tile: Float[Numbers, "n 4"], table: Float[Numbers, "m 4"]) -> float:
    """Return log odds from a cell's likeness to the tile's and to the table's samples."""
    to_tile, to_table = (float(np.sort(np.linalg.norm(some - look, axis=1))[:2].mean()) for some in (tile, table))
    ratio = np.log((to_table + _SPREAD) / (to_tile + _SPREAD))
    return float(np.clip(_LOOKS_COUNT * ratio, -_MOST, _MOST))


def _by_neighbors(odds: Mapping[Cell, float], cell: Cell) -> float:
    return _NEIGHBOUR * float(np.sign([odds.get(beside, 0.0) for beside in neighbors(cell)]).sum())
