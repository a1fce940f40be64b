"""Cut whole boards into input of the cell networks: photo and print, the cells' windows, and the truth."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from jaxtyping import Float32, Int, UInt8

from assistant.table.lattice import Cell
from calibration.arrays import BgrImage, Integers, Levels, Numbers, Singles
from vision.evidence.hidden_print import board_pictures, cell_hints, cell_views
from vision.evidence.patches import base_patches, patch_source, print_seen
from vision.learned import chances
from vision.training.labelled import KnownBoard
from vision.training.samples import EMPTY, LARGE_BASE, SMALL_BASE, THING


class CellBoard(NamedTuple):
    """One board: its two pictures and mask, and for each cell its window, numbers, hints and class.

    ``set_name`` is the set of similar tables.
    """

    set_name: str
    seen: BgrImage
    printed: BgrImage
    mask: UInt8[Levels, "rows columns"]
    windows: Int[Integers, "n side side"]
    geometry: Float32[Singles, "n numbers"]
    hints: Float32[Singles, "n hints"]
    labels: Int[Numbers, " n"]


def cell_board(table: KnownBoard, set_name: str) -> CellBoard:
    """Cut one board with all its cells."""
    cells = sorted(table.board.cells)
    source = patch_source(table.board, table.roster)
    pictures, views = board_pictures(source), cell_views(table.board, table.roster, cells)
    patches = base_patches(source, cells)
    return CellBoard(
        set_name,
        pictures.seen,
        pictures.printed,
        pictures.mask.astype(np.uint8),
        views.windows.astype(np.int32),
        views.geometry,
        cell_hints(chances("bases", patches), print_seen(patches)),
        classes_of(table, cells),
    )


def classes_of(table: KnownBoard, cells: Sequence[Cell]) -> Int[Numbers, " n"]:
    """Return the class of each cell: nothing, a base of its own, a part of a larger one, or a thing."""
    bases = {cell: SMALL_BASE if len(under) == 1 else LARGE_BASE for under in table.figures for cell in under}
    taken = dict.fromkeys(table.things, THING) | bases
    return np.array([taken.get(cell, EMPTY) for cell in cells], dtype=np.int64)
