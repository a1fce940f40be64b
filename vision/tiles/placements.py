"""Propose tiles: compare every placement on the lattice with the photo, cell by cell.

Keypoints (``tiles.candidates``) fix the lattice. A sum over cells measures all placements of all tiles on it at once
(``_dense_proposals``). Tiles beyond doubt come first. They provide the light and the context for the others
(``vision.tiles.cells``). Do not mix the two measures: ``strength`` is quick, uncalibrated and only for ranking.
``log_odds`` decides the choice.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice, product

import numpy as np
from jaxtyping import Float32, Int

from assistant.table.lattice import Cell, Edge, neighbors
from assistant.table.tiles import TileSide
from calibration.arrays import BgrImage, Numbers, Singles
from calibration.markers import MarkerSighting
from calibration.pose import CameraView
from vision.learned import MOST_LOG_ODDS, chance_of
from vision.photo.paper_light import PaperLight
from vision.photo.rectify import PlaneFrame, rectify
from vision.tiles.candidates import GOOD_FIT_VOTES, HARDLY_CHANCE_VOTES, TileCandidate
from vision.tiles.cells import (
    NO_SHIFT,
    SEEN_PX_PER_CELL,
    SeenCells,
    Shift,
    TileContext,
    TurnedPrint,
    cell_bins,
    light_on_cells,
    seen_cells,
    shifted_cells,
    turned_prints,
)
from vision.tiles.lattice_fit import Lattice, cells_in
from vision.tiles.prints import TilePrints

BY_CHANCE = 0.25
"""Correlation that two unrelated cells easily reach. More is evidence for a placement, less against it."""

MOST_AGAINST = -0.15
"""Floor of a cell's evidence, since a cell unlike the print may be under a figure."""

_VOTE = 0.3
"""Strength of a vote, in the evidence of a cell."""

_SURE_STRENGTH = 6.0
"""Strength beyond doubt. On 150 photos no false placement had more than 4.2."""

_JUDGED = 300
"""Number of placements judged closely besides the sure ones, the strongest first."""

AROUND_CELLS = 6
"""Range of a search beyond the recognised tiles. Tiles are joined, and the longest have six cells."""

_MAX_SPAN_CELLS = 64

PRINT_BY_PAPER = math.exp(0.36)
"""Brightness of a print relative to paper, on two sets of rendered photos."""

_MARKER_SHARES = (0.15, 0.38, 0.62, 0.85)
"""Sample points along a marker's sides for its covered cells. They skip its rim, which a tile may touch."""


@dataclass(frozen=True)
class TilePlacement:
    """A tile side on the lattice. Its bounding box starts at cell ``corner``, turned clockwise by quarter turns.

    Args:
        print_index: the print.
        quarters: its turn.
        corner: where its bounding box starts.
        strength: quick measure of the evidence.
        candidate: the fit of its keypoints, if they voted for this place.
        log_odds: log odds of its presence.
        shift: its observed offset from its place on the lattice.
        rivals: other prints, or turns of this one, that may lie there instead. Their log odds are against this one.
    """

    print_index: int
    quarters: int
    corner: Cell
    strength: float
    candidate: TileCandidate | None
    log_odds: float = MOST_LOG_ODDS
    shift: Shift = NO_SHIFT
    rivals: tuple[TilePlacement, ...] = ()

    @property
    def key(self) -> tuple[int, int, Cell]:
        """The identity of a placement on the lattice."""
        return self.print_index, self.quarters, self.corner

    def cell_of(self, side: TileSide, cell: Cell) -> Cell:
        """Return the lattice cell of a cell of the tile."""
        x, y = self.point_of(side, (cell[0], cell[1]))
        # A quarter turn moves the cell's first corner to another one.
        dx, dy = ((0, 0), (-1, 0), (-1, -1), (0, -1))[self.quarters]
        return x + dx, y + dy

    def point_of(self, side: TileSide, point: Cell) -> Cell:
        """Return the lattice point of a tile's own point."""
        left, top, columns, rows = side.bounds
        x, y = point[0] - left, point[1] - top
        turned = ((x, y), (rows - y, x), (columns - x, rows - y), (y, columns - x))[self.quarters]
        return self.corner[0] + turned[0], self.corner[1] + turned[1]

    def edge_of(self, side: TileSide, edge: Edge) -> Edge:
        """Return the lattice edge of an edge of the tile."""
        return Edge.between(self.point_of(side, edge.start), self.point_of(side, edge.end))

    def cells(self, side: TileSide) -> frozenset[Cell]:
        """Return the lattice cells that the tile covers."""
        return frozenset(self.cell_of(side, cell) for cell in side.cells)

    def size_cells(self, side: TileSide) -> tuple[int, int]:
        """Return columns and rows that the tile takes on the lattice."""
        _, _, columns, rows = side.bounds
        return (columns, rows) if self.quarters % 2 == 0 else (rows, columns)


@dataclass(frozen=True)
class Pose:
    """The true pose of a placed tile: turn of its picture and centre of its bounding box."""

    rotation_deg: float
    center_mm: tuple[float, float]


def propose_tiles(
    photo: BgrImage,
    view: CameraView,
    lattice: Lattice,
    candidates: Sequence[TileCandidate],
    prints: TilePrints,
    paper: PaperLight | None = None,
) -> tuple[SeenCells, list[TilePlacement]]:
    """Return the cells of the photo, and every placement on the lattice with any evidence.

    Args:
        photo: the photo.
        view: the camera.
        lattice: the lattice on which the candidates agree.
        candidates: keypoint candidates on the lattice.
        prints: the tile set.
        paper: the light on the markers' paper.
    """
    first, last = _span(lattice, candidates, prints)
    frame = lattice_frame(lattice, first, last, SEEN_PX_PER_CELL / lattice.cell_mm)
    seen = rectify(photo, view, frame, prints.tile_set.thickness_mm)
    cells = seen_cells(seen, first, last[0] - first[0], last[1] - first[1])
    if lattice.bend is not None:
        cells = replace(cells, shifted=shifted_cells(seen, first, last[0] - first[0], last[1] - first[1]))
    if paper is not None:
        row, column = (axis.ravel() for axis in np.mgrid[0 : cells.shape[0], 0 : cells.shape[1]] + 0.5)
        middles = lattice.table_from_lattice(np.column_stack([column + first[0], row + first[1]]))
        log_light = np.log(paper.brightness_at(middles)).reshape(*cells.shape, 1) + np.log(paper.tint)
        cells = replace(cells, paper_light=np.asarray(log_light + math.log(PRINT_BY_PAPER), dtype=np.float32))
    proposals = _add_votes(_dense_proposals(cells, prints), lattice, candidates, prints)
    return cells, [p for p in proposals if _lies_within(p, cells, prints)]


def evidence_of(
    cells: SeenCells, proposals: Sequence[TilePlacement], prints: TilePrints
) -> Iterator[tuple[TilePlacement, Int[Numbers, " _n"], TileContext]]:
    """Yield the proposals worth judging, with the bins of their cells and their surroundings."""
    best = sorted(proposals, key=by_strength)
    sure = sure_tiles(proposals, prints)
    light = light_of(cells, sure, prints)
    covered = {p: cells_of(p, prints) for p in sure}
    ground = frozenset[Cell]().union(*covered.values())
    free = (p for p in best if p not in covered and not cells_of(p, prints) & ground)
    for placement in (*sure, *islice(free, _JUDGED)):
        # Use the cells at the shift where the placement was most like its print.
        bins = cell_bins(cells.at(placement.shift), _turned_print(placement, prints), placement.corner, light)
        yield placement, bins, _surroundings(placement, covered, prints)


def sure_tiles(proposals: Iterable[TilePlacement], prints: TilePrints) -> list[TilePlacement]:
    """Return the proposals beyond doubt, the best first, no two on one cell."""
    taken: set[Cell] = set()
    placed: list[TilePlacement] = []
    for placement in sorted((p for p in proposals if p.strength >= _SURE_STRENGTH), key=by_strength):
        own = cells_of(placement, prints)
        if not own & taken:
            placed.append(placement)
            taken |= own
    return placed


def without_bare(
    proposals: Iterable[TilePlacement], bare: frozenset[Cell], prints: TilePrints
) -> Iterator[TilePlacement]:
    """Yield the proposals without bare cells, and those that are beyond doubt by their other cells."""
    for placement in proposals:
        cells = cells_of(placement, prints)
        others = cells - bare
        if others == cells or placement.strength * len(others) / len(cells) >= _SURE_STRENGTH:
            yield placement


def light_of(
    cells: SeenCells, sure: Iterable[TilePlacement], prints: TilePrints
) -> Float32[Singles, "rows columns 3"] | None:
    """Return the log light on each cell, from sure tiles, else from the paper."""
    light = light_on_cells(cells, [(_turned_print(p, prints), p.corner, p.shift) for p in sure])
    return cells.paper_light if light is None else light


def _turned_print(placement: TilePlacement, prints: TilePrints) -> TurnedPrint:
    return turned_prints(prints)[4 * placement.print_index + placement.quarters]


def piece_of(side_id: str) -> str:
    """Return a side's piece of cardboard. Sides are named 07A and 07B."""
    return side_id[:-1] if side_id[-1:] in "AB" and len(side_id) > 1 else side_id


def placement_at(candidate: TileCandidate, lattice: Lattice, prints: TilePrints) -> TilePlacement:
    """Return the placement on the lattice nearest to a candidate, as strong as its votes."""
    quarters = round((candidate.rotation_deg - lattice.angle_deg) / 90) % 4
    bare = TilePlacement(candidate.print_index, quarters, (0, 0), candidate.votes, None)
    middle = lattice.lattice_from_table(np.array([candidate.center_mm]))[0]
    size_cells = bare.size_cells(prints.prints[candidate.print_index].side)
    column, row = np.round(middle - np.array(size_cells) / 2).astype(int)
    return replace(bare, corner=(int(column), int(row)))


def moved_to(lattice: Lattice, placement: TilePlacement, other: Lattice, prints: TilePrints) -> TilePlacement:
    """Rename a placement from another lattice of the same table to the cells of ``lattice``."""
    side = prints.prints[placement.print_index].side
    quarters = (placement.quarters + round((other.angle_deg - lattice.angle_deg) / 90)) % 4
    rivals = tuple(moved_to(lattice, rival, other, prints) for rival in placement.rivals)
    turned = replace(placement, quarters=quarters, corner=(0, 0), shift=NO_SHIFT, rivals=rivals)
    there = cells_in(lattice, placement.cells(side), other)
    own = turned.cells(side)
    columns, rows = (min(cell[i] for cell in there) - min(cell[i] for cell in own) for i in (0, 1))
    return replace(turned, corner=(columns, rows))


def piece_at(placement: TilePlacement, prints: TilePrints) -> str:
    """Return the piece of cardboard of a placed tile."""
    return piece_of(prints.prints[placement.print_index].side.id)


def lattice_frame(lattice: Lattice, first: Cell, last: Cell, px_per_mm: float) -> PlaneFrame:
    """Return the rectified frame of the cells from ``first`` up to, but excluding, ``last``, axes along the lattice."""
    px_per_cell = round(px_per_mm * lattice.cell_mm)
    size_wh = ((last[0] - first[0]) * px_per_cell, (last[1] - first[1]) * px_per_cell)
    scale = px_per_cell / lattice.cell_mm
    bend = lattice.bend and lattice.bend.seen_from(first, px_per_cell, -0.5)
    return PlaneFrame(lattice.shifted(first).origin_mm, lattice.angle_deg, scale, size_wh, bend)


def pose_of(placement: TilePlacement, lattice: Lattice, prints: TilePrints) -> Pose:
    """Return the pose of a tile: by its own keypoints if there are many, else by the lattice."""
    candidate = placement.candidate
    if candidate is not None and candidate.votes >= GOOD_FIT_VOTES:
        return Pose(candidate.rotation_deg % 360, candidate.center_mm)
    columns, rows = placement.size_cells(prints.prints[placement.print_index].side)
    middle = np.array([[placement.corner[0] + columns / 2, placement.corner[1] + rows / 2]])
    x, y = lattice.table_from_lattice(middle)[0] + lattice.axes @ np.array(placement.shift) / lattice.cell_mm
    return Pose((lattice.angle_deg + 90 * placement.quarters) % 360, (float(x), float(y)))


def cells_of(placement: TilePlacement, prints: TilePrints) -> frozenset[Cell]:
    """Return the lattice cells that a placed tile of the set covers."""
    return placement.cells(prints.prints[placement.print_index].side)


def confidence_of(placement: TilePlacement) -> float:
    """Return the chance of exactly this tile."""
    return lying_chance(placement) / (1 + sum(math.exp(rival.log_odds) for rival in placement.rivals))


def lying_chance(placement: TilePlacement) -> float:
    """Return the chance of this tile or a rival in its place."""
    return chance_of(placement.log_odds)


def _span(lattice: Lattice, candidates: Sequence[TileCandidate], prints: TilePrints) -> tuple[Cell, Cell]:
    """Return first and last cell (exclusive) of the searched part of the lattice."""
    # Tiles between a rarely wrong candidate and the clear ones may be hidden.
    strong = [c for c in candidates if c.votes >= HARDLY_CHANCE_VOTES] or list(candidates)
    reach = max(max(p.size_cells) for p in prints.prints) / 2
    middles = lattice.lattice_from_table(np.array([c.center_mm for c in strong]))
    low = np.floor(middles.min(axis=0) - reach).astype(int) - AROUND_CELLS
    high = np.ceil(middles.max(axis=0) + reach).astype(int) + AROUND_CELLS
    high = np.minimum(high, low + _MAX_SPAN_CELLS)
    return (int(low[0]), int(low[1])), (int(high[0]), int(high[1]))


def by_strength(placement: TilePlacement) -> tuple[float, int, int, Cell]:
    """Return the sort key of placements, the strongest first."""
    return -placement.strength, *placement.key


def _lies_within(placement: TilePlacement, cells: SeenCells, prints: TilePrints) -> bool:
    columns, rows = placement.size_cells(prints.prints[placement.print_index].side)
    left, top = placement.corner[0] - cells.first[0], placement.corner[1] - cells.first[1]
    return left >= 0 and top >= 0 and left + columns <= cells.shape[1] and top + rows <= cells.shape[0]


def _surroundings(
    placement: TilePlacement, covered: Mapping[TilePlacement, frozenset[Cell]], prints: TilePrints
) -> TileContext:
    """Return the context of a placement, by the cells of the sure tiles."""
    side = prints.prints[placement.print_index].side
    own = placement.cells(side)
    others = [p for p in covered if p is not placement]
    around = frozenset[Cell]().union(*(covered[p] for p in others))
    shared = sum(beside in around for cell in own for beside in neighbors(cell))
    pieces = {piece_at(p, prints) for p in others}
    votes = placement.candidate.votes if placement.candidate else 0.0
    return TileContext(votes, shared, bool(own & around), piece_of(side.id) in pieces)


def _dense_proposals(cells: SeenCells, prints: TilePrints) -> Iterator[TilePlacement]:
    """Yield every placement whose cells resemble the print, at the shift where they do most."""
    rows, columns = cells.shape
    shifts = (NO_SHIFT, *cells.shifted)
    flat = {shift: cells.at(shift).vectors.reshape(rows * columns, -1) for shift in shifts}
    for turned in turned_prints(prints):
        width, height = turned.size_cells
        if width > columns or height > rows:
            continue
        by_shift = np.stack(
            [_evidence((v @ turned.vectors.T).reshape(rows, columns, -1), turned) for v in flat.values()]
        )
        which, evidence = by_shift.argmax(axis=0), by_shift.max(axis=0)
        for row, column in np.argwhere(evidence > 0):
            corner = (cells.first[0] + int(column), cells.first[1] + int(row))
            strength = float(evidence[row, column])
            shift = shifts[int(which[row, column])]
            yield TilePlacement(turned.print_index, turned.quarters, corner, strength, None, shift=shift)


def _evidence(likeness: Float32[Singles, "_rows _columns k"], turned: TurnedPrint) -> Float32[Singles, "rows columns"]:
    """Return the sum over the print's cells for each place of its top left cell."""
    rows, columns, _ = likeness.shape
    width, height = turned.size_cells
    gain = turned.weights * np.maximum(likeness - BY_CHANCE, MOST_AGAINST)
    evidence = np.zeros((rows - height + 1, columns - width + 1), dtype=np.float32)
    for k, (row, column) in enumerate(zip(turned.rows, turned.columns, strict=True)):
        evidence += gain[row : row + evidence.shape[0], column : column + evidence.shape[1], k]
    return evidence


def _add_votes(
    proposals: Iterable[TilePlacement], lattice: Lattice, candidates: Sequence[TileCandidate], prints: TilePrints
) -> list[TilePlacement]:
    """Add the keypoints' votes to the placements, and include voted places without likeness."""
    voted: dict[tuple[int, int, Cell], TileCandidate] = {}
    for candidate in sorted(candidates, key=lambda c: c.votes):
        voted[placement_at(candidate, lattice, prints).key] = candidate
    merged = []
    for p in proposals:
        candidate_here = voted.pop(p.key, None)
        votes = candidate_here.votes if candidate_here else 0.0
        merged.append(replace(p, strength=p.strength + _VOTE * votes, candidate=candidate_here))
    for (print_index, quarters, corner), candidate in voted.items():
        merged.append(TilePlacement(print_index, quarters, corner, _VOTE * candidate.votes, candidate))
    return merged


def span_of(cells: Iterable[Cell], margin: int) -> tuple[Cell, Cell]:
    """Return the first cell of the box round some cells with a margin, and the cell after its last one."""
    columns, rows = zip(*cells, strict=True)
    return (min(columns) - margin, min(rows) - margin), (max(columns) + 1 + margin, max(rows) + 1 + margin)


def cells_under_markers(lattice: Lattice, view: CameraView, sightings: Iterable[MarkerSighting]) -> frozenset[Cell]:
    """Return the cells on which the photo shows a marker, also a marker that was moved."""
    cells: set[Cell] = set()
    for sighting in sightings:
        a, b, c, d = view.table_from_image(sighting.corners_px)
        points_mm = np.array(
            [(1 - y) * ((1 - x) * a + x * b) + y * ((1 - x) * d + x * c) for x, y in product(_MARKER_SHARES, repeat=2)]
        )
        on_table = points_mm[~np.isnan(points_mm).any(axis=1)]
        columns_rows = np.floor(lattice.lattice_from_table(on_table)).astype(int)
        cells.update((int(column), int(row)) for column, row in columns_rows)
    return frozenset(cells)
