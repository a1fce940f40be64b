"""Which cells of a lattice are the tile's: what their edges say, and how alike they look to those that are sure."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from jaxtyping import Float

from assistant.table.lattice import Cell
from calibration.arrays import BgrImage, Numbers
from calibration.color import lab_from_bgr
from vision.teaching.edge_patches import CELL_PX

_SURE_TILE, _SURE_TABLE = 1.5, -2.5
"""Log odds from which on a cell serves as an example of what tile and table look like in this photo."""

_DOUBT = 3.0
"""Log odds within which looks are asked at all."""

_LOOKS_COUNT = 2.5
_MOST = 2.5
"""How much being alike counts, and the most that it may."""

_NEIGHBOUR = 0.5
"""Log odds that each neighbour on the tile, or beside it, adds: tiles have few holes and no whiskers."""

_SPREAD = 4.0
"""Differences of look (CIELAB) below this are noise."""


def reconsider_cells(odds: Mapping[Cell, float], image: BgrImage, first: Cell) -> dict[Cell, float]:
    """The log odds of every cell, the doubtful ones judged anew by their looks and their neighbours.

    Args:
        odds: what the edges say.
        image: the picture along the lattice at ``CELL_PX``.
        first: the cell in its upper left corner.
    """
    looks = {cell: _look_of(image, (cell[0] - first[0], cell[1] - first[1])) for cell in odds}
    tile = np.array([looks[cell] for cell, value in odds.items() if value >= _SURE_TILE])
    table = np.array([looks[cell] for cell, value in odds.items() if value <= _SURE_TABLE])
    if len(tile) == 0 or len(table) == 0:
        return dict(odds)
    judged = {
        cell: value + (_alike(looks[cell], tile, table) if abs(value) < _DOUBT else 0.0) for cell, value in odds.items()
    }
    return {cell: value + _beside(judged, cell) if abs(value) < _DOUBT else value for cell, value in judged.items()}


def largest_part(cell_odds: Mapping[Cell, float]) -> frozenset[Cell]:
    """The cells that hang together and are likely a tile's; of several such parts the one that is likeliest."""
    left = {cell for cell, odds in cell_odds.items() if odds > 0}
    best: frozenset[Cell] = frozenset()
    best_odds = 0.0
    while left:
        part = _part_of(left.pop(), left)
        left -= part
        odds = sum(cell_odds[cell] for cell in part)
        if odds > best_odds:
            best, best_odds = part, odds
    return best


def _look_of(image: BgrImage, place: Cell) -> Float[Numbers, " 4"]:
    """Median colour and spread of what lies in a cell, away from its edges, (4,)."""
    left, top = place[0] * CELL_PX, place[1] * CELL_PX
    inset = CELL_PX // 6
    part = image[top + inset : top + CELL_PX - inset, left + inset : left + CELL_PX - inset]
    if part.size == 0:
        return np.zeros(4)
    lab = lab_from_bgr(part).reshape(-1, 3)
    return np.append(np.median(lab, axis=0), lab[:, 0].std())


def _alike(look: Float[Numbers, " 4"], tile: Float[Numbers, "n 4"], table: Float[Numbers, "m 4"]) -> float:
    """Log odds from whether a cell looks more like one of the tile's or one of the table's."""
    to_tile, to_table = (float(np.sort(np.linalg.norm(some - look, axis=1))[:2].mean()) for some in (tile, table))
    ratio = np.log((to_table + _SPREAD) / (to_tile + _SPREAD))
    return float(np.clip(_LOOKS_COUNT * ratio, -_MOST, _MOST))


def _beside(odds: Mapping[Cell, float], cell: Cell) -> float:
    x, y = cell
    around = [odds.get(place, 0.0) for place in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1))]
    return _NEIGHBOUR * float(np.sign(around).sum())


def _part_of(start: Cell, among: set[Cell]) -> frozenset[Cell]:
    """The cells that can be reached from one over common edges."""
    part, open_cells = {start}, [start]
    while open_cells:
        x, y = open_cells.pop()
        for cell in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
            if cell in among and cell not in part:
                part.add(cell)
                open_cells.append(cell)
    return frozenset(part)
