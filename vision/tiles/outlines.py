"""Whether what looks printed beside the board ends as a tile does: on lines of the lattice, where other things begin.

A printed mat or a loud cloth goes on under those lines; where it is taken for print by chance, it does not change there
more than it does anywhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import product

import cv2
import numpy as np
from jaxtyping import Float32

from assistant.table.lattice import Cell
from calibration.arrays import Singles
from calibration.color import lab_from_bgr
from vision.photo.rectify import Rectified, rectify
from vision.tiles.board_view import BoardView
from vision.tiles.cells import SEEN_PX_PER_CELL
from vision.tiles.placements import lattice_frame

_RIM_CELLS = 2
"""Cells looked at round the groups, to learn how the table changes from place to place."""

_STRIP_PX = 5
"""Strips of 5 mm on both sides of a line are compared, a pixel away from it."""

_BRIGHTNESS = 0.7
"""Shadows change brightness rather than colour."""

_STEP, _TIMES = 10.0, 1.75
"""A group ends as a tile does if colour changes by so many levels at half of its rim, or so many times as much as half
of the lines elsewhere on the table. Of 40 tiles on simulated and ray-traced tables that nobody knew all did so, of
mats and cloths of 13 tables none."""


def ending_as_tiles(board: BoardView, groups: Sequence[frozenset[Cell]]) -> list[frozenset[Cell]]:
    """Those of the groups of cells beside the board that end where the photo changes."""
    if not groups:
        return []
    cells = board.cells.union(*groups)
    columns, rows = [c for c, _ in cells], [r for _, r in cells]
    first = (min(columns) - _RIM_CELLS, min(rows) - _RIM_CELLS)
    last = (max(columns) + 1 + _RIM_CELLS, max(rows) + 1 + _RIM_CELLS)
    frame = lattice_frame(board.lattice, first, last, SEEN_PX_PER_CELL / board.lattice.cell_mm)
    steps = _steps(rectify(board.photo, board.view, frame, board.thickness_mm))
    column, row = (range(a, b) for a, b in zip(first, last, strict=True))
    outside = set(product(column, row)) - cells
    usual = _median(steps, first, ((cell, beside) for cell in outside for beside in _after(cell) if beside in outside))

    def ends(group: frozenset[Cell]) -> bool:
        step = _median(steps, first, _rim(group, board.cells))
        return step >= min(_STEP, _TIMES * usual)

    return [group for group in groups if ends(group)]


_Side = tuple[Cell, Cell]
"""Two cells beside each other, the left or upper one first."""


def _after(cell: Cell) -> tuple[Cell, Cell]:
    """The cells to the right of it and below it."""
    return (cell[0] + 1, cell[1]), (cell[0], cell[1] + 1)


def _rim(group: frozenset[Cell], known: frozenset[Cell]) -> Iterator[_Side]:
    """The sides of a group towards the table."""
    for column, row in group:
        for other in _after((column, row)):
            if other not in group and other not in known:
                yield (column, row), other
        for other in ((column - 1, row), (column, row - 1)):
            if other not in group and other not in known:
                yield other, (column, row)


def _median(steps: Float32[Singles, "2 rows columns"], first: Cell, sides: Iterable[_Side]) -> float:
    """The median step of the sides that are in view; 0 where none is."""
    places = [(int(b[1] > a[1]), a[1] - first[1], a[0] - first[0]) for a, b in sides]
    found = steps[tuple(np.array(places).T)] if places else np.zeros(0)
    found = found[np.isfinite(found)]
    return float(np.median(found)) if len(found) else 0.0


def _steps(seen: Rectified) -> Float32[Singles, "2 rows columns"]:
    """The step of colour from each cell to the one on its right and to the one below, (2, rows, columns).

    Not a number where the photo does not show both.
    """
    side = SEEN_PX_PER_CELL
    rows, columns = (length // side for length in seen.image.shape[:2])
    lab = lab_from_bgr(seen.image) * np.array([_BRIGHTNESS, 1, 1], dtype=np.float32)
    cells = lab.reshape(rows, side, columns, side, 3)
    near, far = slice(1, 1 + _STRIP_PX), slice(side - 1 - _STRIP_PX, side - 1)
    left, right = (np.median(cells[:, :, :, part], axis=(1, 3)) for part in (near, far))
    top, bottom = (np.median(cells[:, part], axis=(1, 3)) for part in (near, far))
    steps = np.full((2, rows, columns), np.nan, dtype=np.float32)
    steps[0, :, :-1] = np.linalg.norm(right[:, :-1] - left[:, 1:], axis=2)
    steps[1, :-1] = np.linalg.norm(bottom[:-1] - top[1:], axis=2)
    hidden = cv2.resize(seen.inside_mask.astype(np.uint8), (columns, rows), interpolation=cv2.INTER_AREA) == 0
    steps[:, hidden] = np.nan
    steps[0, :, :-1][hidden[:, 1:]] = np.nan
    steps[1, :-1][hidden[1:]] = np.nan
    return steps
