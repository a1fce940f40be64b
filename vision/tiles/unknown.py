"""Tiles that are not in the set: cells beside the board that look like print, not like a table, and end as tiles do.

A small network tells a printed cell from wood, cloth, cards and what else lies about (``vision.training.ground_fit``).
Nothing is ever taken for a known tile because of it; people are told that something lies there which the tile set does
not know.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

import cv2
import numpy as np
from jaxtyping import Float32

from assistant.table.lattice import Cell
from calibration.arrays import BgrImage, Singles
from calibration.color import gamma_from_light, light_from_gamma
from calibration.pose import CameraView
from vision.learned import chances
from vision.photo.paper_light import PaperLight
from vision.photo.rectify import rectify
from vision.tiles.board_view import BoardView
from vision.tiles.lattice_fit import Lattice
from vision.tiles.outlines import ending_as_tiles
from vision.tiles.placements import lattice_frame

PATCH_PX = 32
"""A patch shows two by two cells round the middle of the one that is judged."""

_CELL_PX = PATCH_PX // 2
AROUND_CELLS = 6
"""How far from the board is looked: tiles are joined, and the longest have six cells."""

_PRINT_BY_PAPER = 1.3
"""So much brighter than white paper the print is taken to be, see ``vision.tiles.placements``."""

_ACCEPT = 0.85
_LEAST_CELLS = 3
"""The smallest known tiles have four cells; fewer are rather a body that leans out over the table."""

_BLACK = 1e-3


class GroundPatches(NamedTuple):
    """Patches (N, 3, 32, 32) from 0 to 1, in print colours, and the cells that they show."""

    patches: Float32[Singles, "n 3 32 32"]
    cells: tuple[Cell, ...]


def ground_patches(
    photo: BgrImage,
    view: CameraView,
    lattice: Lattice,
    cells: Iterable[Cell],
    *,
    thickness_mm: float,
    paper: PaperLight,
) -> GroundPatches:
    """A patch for each of the cells that are wholly in view."""
    wanted = sorted(cells)
    first = (min(c for c, _ in wanted) - 1, min(r for _, r in wanted) - 1)
    last = (max(c for c, _ in wanted) + 2, max(r for _, r in wanted) + 2)
    columns, rows = last[0] - first[0], last[1] - first[1]
    seen = rectify(photo, view, lattice_frame(lattice, first, last, _CELL_PX / lattice.cell_mm), thickness_mm)
    row, column = np.mgrid[0:rows, 0:columns] + 0.5
    middles = lattice.table_from_lattice(np.column_stack([column.ravel() + first[0], row.ravel() + first[1]]))
    brightness = paper.brightness_at(middles).reshape(rows, columns).astype(np.float32) * _PRINT_BY_PAPER
    light = cv2.resize(brightness, seen.image.shape[1::-1], interpolation=cv2.INTER_LINEAR)[:, :, None] * paper.tint
    image = gamma_from_light((light_from_gamma(seen.image) / np.maximum(light, _BLACK)).astype(np.float32))
    in_view = cv2.resize(seen.inside_mask.astype(np.uint8), (columns, rows), interpolation=cv2.INTER_AREA) > 0
    shown = tuple(cell for cell in wanted if in_view[cell[1] - first[1], cell[0] - first[0]])
    patches = np.empty((len(shown), 3, PATCH_PX, PATCH_PX), dtype=np.float32)
    for i, (c, r) in enumerate(shown):
        top, left = (r - first[1]) * _CELL_PX - _CELL_PX // 2, (c - first[0]) * _CELL_PX - _CELL_PX // 2
        patches[i] = image[top : top + PATCH_PX, left : left + PATCH_PX].transpose(2, 0, 1) / np.float32(255)
    return GroundPatches(patches, shown)


def printed_chances(board: BoardView, paper: PaperLight) -> dict[Cell, float]:
    """The chance that each cell beside the board that is in view is print."""
    columns, rows = [c for c, _ in board.cells], [r for _, r in board.cells]
    around = {
        (column, row)
        for column in range(min(columns) - AROUND_CELLS, max(columns) + AROUND_CELLS + 1)
        for row in range(min(rows) - AROUND_CELLS, max(rows) + AROUND_CELLS + 1)
    }
    patches, cells = ground_patches(
        board.photo,
        board.view,
        board.lattice,
        around - board.cells,
        thickness_mm=board.thickness_mm,
        paper=paper,
    )
    return dict(zip(cells, chances("ground", patches)[:, 1].tolist(), strict=True))


def unknown_tiles(board: BoardView, printed: Mapping[Cell, float]) -> list[frozenset[Cell]]:
    """Groups of joined cells beside the board that look like tiles nobody knows, the largest first.

    Args:
        board: the board that the known tiles make.
        printed: the chance of each cell beside it that it is print.
    """
    found = {cell for cell, chance in printed.items() if chance > _ACCEPT}
    joined = [group for group in _joined(found) if len(group) >= _LEAST_CELLS and _touches(group, board.cells)]
    groups = ending_as_tiles(board, joined)
    return sorted(groups, key=lambda group: (-len(group), min(group)))


def _joined(cells: Iterable[Cell]) -> Iterator[frozenset[Cell]]:
    left = set(cells)
    while left:
        group, rim = set[Cell](), {left.pop()}
        while rim:
            group |= rim
            rim = {beside for cell in rim for beside in _neighbors(cell)} & left
            left -= rim
        yield frozenset(group)


def _neighbors(cell: Cell) -> Iterator[Cell]:
    column, row = cell
    yield from ((column + 1, row), (column - 1, row), (column, row + 1), (column, row - 1))


def _touches(group: frozenset[Cell], board_cells: frozenset[Cell]) -> bool:
    return any(beside in board_cells for cell in group for beside in _neighbors(cell))
