"""Unknown tiles: cells beside the board that look like print, unlike the table, and have a tile's edge.

A small network distinguishes a printed cell from wood, cloth, cards and other things (``vision.training.tile_fit``). It
makes nothing a known tile. It only reveals a tile that the tile set lacks.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import NamedTuple

import cv2
import numpy as np
from jaxtyping import Float32

from assistant.table.lattice import Cell, connected_groups, neighbors
from calibration.arrays import BgrImage, Singles
from calibration.color import gamma_from_light, lab_from_bgr, light_from_gamma
from calibration.pose import CameraView
from vision.learned import chances
from vision.photo.paper_light import DARKEST_LIGHT, PaperLight
from vision.photo.rectify import Rectified, rectify
from vision.tiles.board_view import RIM_CELLS, BoardView
from vision.tiles.cells import SEEN_PX_PER_CELL
from vision.tiles.lattice_fit import Lattice
from vision.tiles.placements import AROUND_CELLS, PRINT_BY_PAPER, lattice_frame, span_of

PATCH_PX = 32
"""Size of a patch, two by two cells round the middle of the judged one."""

_CELL_PX = PATCH_PX // 2
_ACCEPT = 0.85
_LEAST_CELLS = 3
"""Smallest group. The smallest known tiles have four cells. Fewer are more likely a body that leans out over the
table."""

_STRIP_PX = 5
"""Width of the strips compared on both sides of a line, a pixel away from it, 5 mm."""

_BRIGHTNESS = 0.7
"""Weight of brightness relative to colour, since shadows change brightness."""

_STEP, _TIMES = 10.0, 1.75
"""Median step of colour that ends a group at its rim, in levels, or as a multiple of the median step elsewhere on the
table. All of 40 unknown tiles on simulated and ray-traced tables had it, the mats and cloths of 13 tables never."""


class GroundPatches(NamedTuple):
    """Patches from 0 to 1, in print colours, with their cells."""

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
    """Return a patch for each cell wholly in view."""
    wanted = sorted(cells)
    first, last = span_of(wanted, 1)
    columns, rows = last[0] - first[0], last[1] - first[1]
    seen = rectify(photo, view, lattice_frame(lattice, first, last, _CELL_PX / lattice.cell_mm), thickness_mm)
    row, column = np.mgrid[0:rows, 0:columns] + 0.5
    middles = lattice.table_from_lattice(np.column_stack([column.ravel() + first[0], row.ravel() + first[1]]))
    brightness = paper.brightness_at(middles).reshape(rows, columns).astype(np.float32) * PRINT_BY_PAPER
    light = cv2.resize(brightness, seen.image.shape[1::-1], interpolation=cv2.INTER_LINEAR)[:, :, None] * paper.tint
    image = gamma_from_light((light_from_gamma(seen.image) / np.maximum(light, DARKEST_LIGHT)).astype(np.float32))
    in_view = cv2.resize(seen.inside_mask.astype(np.uint8), (columns, rows), interpolation=cv2.INTER_AREA) > 0
    shown = tuple(cell for cell in wanted if in_view[cell[1] - first[1], cell[0] - first[0]])
    patches = np.empty((len(shown), 3, PATCH_PX, PATCH_PX), dtype=np.float32)
    for i, (c, r) in enumerate(shown):
        top, left = (r - first[1]) * _CELL_PX - _CELL_PX // 2, (c - first[0]) * _CELL_PX - _CELL_PX // 2
        patches[i] = image[top : top + PATCH_PX, left : left + PATCH_PX].transpose(2, 0, 1) / np.float32(255)
    return GroundPatches(patches, shown)


def printed_chances(board: BoardView, paper: PaperLight) -> dict[Cell, float]:
    """Return the chance of print for each visible cell beside the board."""
    first, last = span_of(board.cells, AROUND_CELLS)
    around = frozenset(product(range(first[0], last[0]), range(first[1], last[1])))
    patches, cells = ground_patches(
        board.photo, board.view, board.lattice, around - board.cells, thickness_mm=board.thickness_mm, paper=paper
    )
    return dict(zip(cells, chances("ground", patches)[:, 1].tolist(), strict=True))


def unknown_tiles(board: BoardView, printed: Mapping[Cell, float]) -> list[frozenset[Cell]]:
    """Return groups of joined cells beside the board that look like unknown tiles, the largest first.

    ``printed`` holds the chance of print for each cell beside the board.
    """
    found = {cell for cell, chance in printed.items() if chance > _ACCEPT}
    joined = [
        group
        for group in connected_groups(found)
        if len(group) >= _LEAST_CELLS and any(b in board.cells for cell in group for b in neighbors(cell))
    ]
    groups = ending_as_tiles(board, joined)
    return sorted(groups, key=lambda group: (-len(group), min(group)))


def ending_as_tiles(board: BoardView, groups: Sequence[frozenset[Cell]]) -> list[frozenset[Cell]]:
    """Return the groups of cells beside the board that end where the photo changes."""
    if not groups:
        return []
    cells = board.cells.union(*groups)
    first, last = span_of(cells, RIM_CELLS)
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
"""Two neighbouring cells, the left or upper one first."""


def _after(cell: Cell) -> tuple[Cell, Cell]:
    """Return the cells to the right and below."""
    return (cell[0] + 1, cell[1]), (cell[0], cell[1] + 1)


def _rim(group: frozenset[Cell], known: frozenset[Cell]) -> Iterator[_Side]:
    """Yield the sides of a group towards the table."""
    for column, row in group:
        for other in _after((column, row)):
            if other not in group and other not in known:
                yield (column, row), other
        for other in ((column - 1, row), (column, row - 1)):
            if other not in group and other not in known:
                yield other, (column, row)


def _median(steps: Float32[Singles, "2 rows columns"], first: Cell, sides: Iterable[_Side]) -> float:
    """Return the median step of the sides in view, 0 without any."""
    places = [(int(b[1] > a[1]), a[1] - first[1], a[0] - first[0]) for a, b in sides]
    found = steps[tuple(np.array(places).T)] if places else np.zeros(0)
    found = found[np.isfinite(found)]
    return float(np.median(found)) if len(found) else 0.0


def _steps(seen: Rectified) -> Float32[Singles, "2 rows columns"]:
    """Return the colour steps from each cell to its right and lower neighbours, NaN outside the photo."""
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
