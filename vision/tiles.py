"""Which tiles lie on the table: every placement on the lattice is compared with the print, cell by cell.

The keypoints (``vision.candidates``) fix the lattice. On it each placement of each tile is tested against
the photo at once: a cell of the print and a cell of the photo are compared by normalised correlation, and a
placement collects the evidence of its cells. A figure spoils the cells it covers and no others.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np

from assistant.table.lattice import Cell, Edge
from assistant.table.tiles import TileSide
from calibration.pose import CameraView
from vision.candidates import Candidate
from vision.images import FloatImage, Mask, Numbers
from vision.lattice_fit import Lattice
from vision.prints import PX_PER_CELL, Print, TilePrints
from vision.rectify import PlaneFrame, Rectified, rectify

_PX = 12
"""Pixels a cell for the comparison, 2 mm each: coarse enough for a misfit of 0.4 mm and 0.3 degrees not to matter."""

_NOISE = 3.0
"""Grey levels of contrast in a cell that count as nothing: sensor noise after averaging to 12 pixels a cell."""

_FULL_CONTRAST = 15.0
_WEIGHT_LIMIT = 1.5
"""A cell of the print counts by its contrast up to this much: a plain floor proves little, a hatch a lot."""

_CHANCE = 0.25
"""Correlation that two unrelated cells reach easily; what is above it speaks for the placement, below against it."""

_COVERED = -0.15
"""A cell that does not show the print at all may be covered by a figure: it speaks against, but not loudly."""

_DENSE_UNIT = 3.0
_VOTES_UNIT = 10.0
"""Evidence that carries a placement alone: on 24 photos the strongest false ones had 2.4 and 6."""

_ACCEPT = 0.8
_TWICE = 3.0
"""A box holds each tile once; a second copy needs far better evidence."""

_MARGIN_CELLS = 6
"""How far beyond the recognised tiles further ones are looked for: the longest tiles have six cells."""

_MAX_SPAN_CELLS = 64

_GOOD_FIT_VOTES = 12.0
"""From here on a tile's own fit is nearer to the truth than the lattice, from which it may be off by 0.4 mm."""


@dataclass(frozen=True)
class Placement:
    """A tile side on the lattice: its bounding box starts at cell ``corner``, turned clockwise by quarter turns."""

    print_index: int
    quarters: int
    corner: Cell
    strength: float
    candidate: Candidate | None

    def cell_of(self, side: TileSide, cell: Cell) -> Cell:
        """The lattice cell of a cell of the tile."""
        x, y = self.point_of(side, (cell[0], cell[1]))
        # A quarter turn moves the cell's first corner to another of its corners.
        dx, dy = ((0, 0), (-1, 0), (-1, -1), (0, -1))[self.quarters]
        return x + dx, y + dy

    def point_of(self, side: TileSide, point: Cell) -> Cell:
        """The lattice point of a lattice point of the tile."""
        left, top, columns, rows = side.bounds
        x, y = point[0] - left, point[1] - top
        turned = ((x, y), (rows - y, x), (columns - x, rows - y), (y, columns - x))[self.quarters]
        return self.corner[0] + turned[0], self.corner[1] + turned[1]

    def edge_of(self, side: TileSide, edge: Edge) -> Edge:
        """The lattice edge of an edge of the tile."""
        return Edge.between(self.point_of(side, edge.start), self.point_of(side, edge.end))

    def cells(self, side: TileSide) -> frozenset[Cell]:
        """The lattice cells that the tile covers."""
        return frozenset(self.cell_of(side, cell) for cell in side.cells)

    def size_cells(self, side: TileSide) -> tuple[int, int]:
        """Columns and rows that the tile takes on the lattice."""
        _, _, columns, rows = side.bounds
        return (columns, rows) if self.quarters % 2 == 0 else (rows, columns)


@dataclass(frozen=True)
class Pose:
    """Where a placed tile really lies: turn of its picture and centre of its bounding box."""

    rotation_deg: float
    center_mm: tuple[float, float]


def place_tiles(
    photo: Numbers, view: CameraView, lattice: Lattice, candidates: Sequence[Candidate], prints: TilePrints
) -> list[Placement]:
    """The tiles that lie on the lattice, the best proven first; no two share a cell.

    Args:
        photo: the photo, (rows, columns, 3).
        view: where it was taken from.
        lattice: the lattice on which the candidates agree.
        candidates: places proposed by keypoints that lie on the lattice.
        prints: the tile set.
    """
    first, last = _span(lattice, candidates, prints)
    frame = lattice_frame(lattice, first, last, _PX * 2 / lattice.cell_mm)
    seen = rectify(photo, view, frame, prints.tile_set.thickness_mm)
    proposals = list(_dense_proposals(_cell_vectors(seen, last[0] - first[0], last[1] - first[1]), first, prints))
    proposals = _with_votes(proposals, lattice, candidates, prints)
    return _without_overlap(proposals, prints)


def lattice_frame(lattice: Lattice, first: Cell, last: Cell, px_per_mm: float) -> PlaneFrame:
    """The rectified frame that shows the cells from ``first`` up to and without ``last``, axes along the lattice."""
    origin = lattice.table_from_lattice(np.array([first], dtype=float))[0]
    px_per_cell = round(px_per_mm * lattice.cell_mm)
    size_wh = ((last[0] - first[0]) * px_per_cell, (last[1] - first[1]) * px_per_cell)
    scale = px_per_cell / lattice.cell_mm
    return PlaneFrame((float(origin[0]), float(origin[1])), lattice.angle_deg, scale, size_wh)


def pose_of(placement: Placement, lattice: Lattice, prints: TilePrints) -> Pose:
    """Where the tile lies: by its own keypoints where they are many, else by the lattice."""
    candidate = placement.candidate
    if candidate is not None and candidate.votes >= _GOOD_FIT_VOTES:
        return Pose(candidate.rotation_deg % 360, candidate.center_mm)
    columns, rows = placement.size_cells(prints.prints[placement.print_index].side)
    middle = np.array([[placement.corner[0] + columns / 2, placement.corner[1] + rows / 2]])
    x, y = lattice.table_from_lattice(middle)[0]
    return Pose((lattice.angle_deg + 90 * placement.quarters) % 360, (float(x), float(y)))


def confidence_of(placement: Placement) -> float:
    """The chance that the tile really lies there, from the strength of the evidence.

    The curve is a judgement, not yet a measurement: two of three at strength 1, nearly all at 2.
    """
    return 1 / (1 + math.exp(-3.0 * (placement.strength - 0.75)))


def _span(lattice: Lattice, candidates: Sequence[Candidate], prints: TilePrints) -> tuple[Cell, Cell]:
    """First and last cell (exclusive) of the part of the lattice that is looked at."""
    strong = [c for c in candidates if c.votes >= _VOTES_UNIT] or list(candidates)
    reach = max(max(p.size_cells) for p in prints.prints) / 2
    middles = lattice.lattice_from_table(np.array([c.center_mm for c in strong]))
    low = np.floor(middles.min(axis=0) - reach).astype(int) - _MARGIN_CELLS
    high = np.ceil(middles.max(axis=0) + reach).astype(int) + _MARGIN_CELLS
    high = np.minimum(high, low + _MAX_SPAN_CELLS)
    return (int(low[0]), int(low[1])), (int(high[0]), int(high[1]))


def _cell_vectors(seen: Rectified, columns: int, rows: int) -> FloatImage:
    """Each cell of the photo as a vector of unit length, (rows, columns, n); 0 for cells that are not all in view."""
    vectors, _ = _unit_vectors(seen.image, columns, rows)
    in_view = cv2.resize(seen.inside_mask.astype(np.uint8), (columns, rows), interpolation=cv2.INTER_AREA)
    vectors[in_view == 0] = 0
    return vectors


def _unit_vectors(image: Numbers, columns: int, rows: int) -> tuple[FloatImage, FloatImage]:
    """For each cell its colours less their mean, at unit length, (rows, columns, n), and its contrast."""
    small = cv2.resize(image, (columns * _PX, rows * _PX), interpolation=cv2.INTER_AREA).astype(np.float32)
    patches = small.reshape(rows, _PX, columns, _PX, 3).transpose(0, 2, 1, 3, 4)
    flat = (patches - patches.mean(axis=(2, 3), keepdims=True)).reshape(rows, columns, -1)
    square = np.einsum("rcn,rcn->rc", flat, flat)
    count = flat.shape[-1]
    vectors: FloatImage = flat / np.sqrt(square + count * _NOISE**2)[:, :, None]
    return vectors, np.sqrt(square / count)


@dataclass(frozen=True)
class _TurnedPrint:
    """A print at one of the four turns: its cells and their vectors and weights."""

    print_index: int
    quarters: int
    size_cells: tuple[int, int]
    rows: Numbers
    columns: Numbers
    vectors: FloatImage
    weights: FloatImage


@lru_cache(maxsize=4)
def _turned_prints(prints: TilePrints) -> tuple[_TurnedPrint, ...]:
    return tuple(_turned(index, p, q) for index, p in enumerate(prints.prints) for q in range(4))


def _turned(index: int, tile_print: Print, quarters: int) -> _TurnedPrint:
    image = np.rot90(tile_print.image, -quarters)
    middles = slice(PX_PER_CELL // 2, None, PX_PER_CELL)
    mask: Mask = np.rot90(tile_print.inside_mask, -quarters)[middles, middles]
    rows, columns = mask.shape
    vectors, contrast = _unit_vectors(np.ascontiguousarray(image), columns, rows)
    where = np.nonzero(mask)
    weights = np.minimum(contrast[where] / _FULL_CONTRAST, _WEIGHT_LIMIT).astype(np.float32)
    return _TurnedPrint(index, quarters, (columns, rows), where[0], where[1], vectors[where], weights)


def _dense_proposals(cells: FloatImage, first: Cell, prints: TilePrints) -> Iterator[Placement]:
    """Every placement whose cells look at all like the print."""
    rows, columns, count = cells.shape
    flat = cells.reshape(-1, count)
    for turned in _turned_prints(prints):
        width, height = turned.size_cells
        if width > columns or height > rows:
            continue
        likeness = (flat @ turned.vectors.T).reshape(rows, columns, -1)
        gain = turned.weights * np.maximum(likeness - _CHANCE, _COVERED)
        evidence = np.zeros((rows - height + 1, columns - width + 1), dtype=np.float32)
        for k, (row, column) in enumerate(zip(turned.rows, turned.columns, strict=True)):
            evidence += gain[row : row + evidence.shape[0], column : column + evidence.shape[1], k]
        for row, column in np.argwhere(evidence > 0):
            corner = (first[0] + int(column), first[1] + int(row))
            strength = float(evidence[row, column]) / _DENSE_UNIT
            yield Placement(turned.print_index, turned.quarters, corner, strength, None)


def _with_votes(
    proposals: Iterable[Placement], lattice: Lattice, candidates: Sequence[Candidate], prints: TilePrints
) -> list[Placement]:
    """The placements with the votes of the keypoints added; voted places without likeness are there, too."""
    voted: dict[tuple[int, int, Cell], Candidate] = {}
    for candidate in sorted(candidates, key=lambda c: c.votes):
        side = prints.prints[candidate.print_index].side
        quarters = round((candidate.rotation_deg - lattice.angle_deg) / 90) % 4
        bare = Placement(candidate.print_index, quarters, (0, 0), 0.0, None)
        middle = lattice.lattice_from_table(np.array([candidate.center_mm]))[0]
        column, row = np.round(middle - np.array(bare.size_cells(side)) / 2).astype(int)
        voted[candidate.print_index, quarters, (int(column), int(row))] = candidate
    merged = []
    for p in proposals:
        candidate_here = voted.pop((p.print_index, p.quarters, p.corner), None)
        votes = candidate_here.votes if candidate_here else 0.0
        merged.append(Placement(p.print_index, p.quarters, p.corner, p.strength + votes / _VOTES_UNIT, candidate_here))
    for (print_index, quarters, corner), candidate in voted.items():
        merged.append(Placement(print_index, quarters, corner, candidate.votes / _VOTES_UNIT, candidate))
    return merged


def _without_overlap(proposals: Iterable[Placement], prints: TilePrints) -> list[Placement]:
    taken: set[Cell] = set()
    used: set[int] = set()
    placed: list[Placement] = []
    for placement in sorted(proposals, key=lambda p: (-p.strength, p.print_index, p.quarters, p.corner)):
        if placement.strength < (_TWICE if placement.print_index in used else _ACCEPT):
            continue
        cells = placement.cells(prints.prints[placement.print_index].side)
        if cells & taken:
            continue
        placed.append(placement)
        taken |= cells
        used.add(placement.print_index)
    return placed
