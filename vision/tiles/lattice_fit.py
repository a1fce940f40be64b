"""The common lattice of the recognised tiles.

The method and its traps:

1. Each of the best candidates proposes its own lattice. Candidates vote, and the lattice with most votes wins. Only
   the strongest candidate of each print votes, or a repeated print would outvote the table.
2. First the tiles are assumed to be laid by hand (``_fit_loose``): the tolerance grows with the distance from the
   proposer, and the pitch is free. Only if they really are loose is the lattice bent through them. One even lattice
   suits tiles pushed together better, since a bend would follow the errors of weak fits.
3. The even lattice is a least-squares fit to the corners of the strongest agreeing candidates (Umeyama 1991).

The trap is the naming: corners keep their names only while every tile is off the lattice by much less than half a
cell. So tolerances have a ceiling in cells (``_LOOSE_CELLS``), and a bent lattice takes the names of the one it
replaces (``named_by``).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from jaxtyping import Bool, Float, Int, Num

from assistant.table.observation import LatticePose
from assistant.table.tiles import TileSide
from calibration.arrays import Flags, Numbers
from vision.photo.rectify import UNBENDING, Bend, bend_of
from vision.tiles.candidates import STRONG_VOTES, TileCandidate
from vision.tiles.prints import TilePrints

_SEEDS = 40

_AGREE_MM, AGREE_DEG = 3.0, 3.0
"""Tolerances of a tile's place and turn. Tiles laid by hand lie 1 to 3 mm off and are turned by up to 2 degrees."""

_LOOSE_SHARE, _LOOSE_CELLS = 0.03, 0.3
"""Further tolerances for loose tiles: millimetres per millimetre of distance, since their pitch is 2 to 3 % above the
print, and the limit as a share of a cell."""

STRAY_MM = 4.5
"""Tolerance once the lattice has its own pitch. At 2.5 mm 47 of 124 tiles on photographs of real tables were lost, at
4.5 mm 14."""

_PITCHES = (0.97, 1.05)
_LEAST_LOOSE = 2
LOOSE_OFF_MM, _LOOSE_OFF_DEG, _LOOSE_PITCH = 0.8, 0.45, 0.008
"""Deviations from which tiles are loose. Joined tiles lie off one lattice by at most 0.4 mm each way and 0.3 degrees.
Keypoints add a little."""


@dataclass(frozen=True)
class Lattice:
    """Point ``(i, j)`` lies at ``origin_mm + cell_mm * R(angle_deg) * (i, j)``, with ``0 <= angle_deg < 90``.

    For loose tiles the bend shifts it from there, to follow them.
    """

    origin_mm: tuple[float, float]
    angle_deg: float
    cell_mm: float
    bend: Bend | None = None

    @property
    def axes(self) -> Float[Numbers, "2 2"]:
        """The steps of one cell along i and along j, as columns, in millimetres."""
        c, s = math.cos(math.radians(self.angle_deg)), math.sin(math.radians(self.angle_deg))
        axes: Numbers = self.cell_mm * np.array([[c, -s], [s, c]])
        return axes

    def table_from_lattice(self, points: Num[Numbers, "n 2"]) -> Float[Numbers, "n 2"]:
        """Table millimetres of lattice coordinates."""
        points_mm: Numbers = np.asarray(self.origin_mm) + np.asarray(points) @ self.axes.T
        return points_mm if self.bend is None else points_mm + self.bend.at(points)

    def lattice_from_table(self, points_mm: Num[Numbers, "n 2"]) -> Float[Numbers, "n 2"]:
        """Lattice coordinates of table millimetres."""
        places_mm: Numbers = np.asarray(points_mm) - np.asarray(self.origin_mm)
        points: Numbers = places_mm @ self.axes / self.cell_mm**2
        if self.bend is not None:
            for _ in range(UNBENDING):
                points = (places_mm - self.bend.at(points)) @ self.axes / self.cell_mm**2
        return points

    def shifted(self, by: tuple[int, int]) -> Lattice:
        """Return the same lattice with another point as origin."""
        origin = np.asarray(self.origin_mm) + self.axes @ np.array(by, dtype=float)
        bend = self.bend and self.bend.seen_from(by)
        return Lattice((float(origin[0]), float(origin[1])), self.angle_deg, self.cell_mm, bend)

    @property
    def even(self) -> Lattice:
        return Lattice(self.origin_mm, self.angle_deg, self.cell_mm)

    @property
    def grid(self) -> LatticePose:
        """The lattice in an observation's form."""
        return LatticePose(self.origin_mm, self.angle_deg, self.cell_mm)


def fit_lattice(candidates: Sequence[TileCandidate], prints: TilePrints) -> tuple[Lattice, list[TileCandidate]] | None:
    """Return the lattice with most votes, and the candidates on it, or None without candidates."""
    if not candidates:
        return None
    boxes = _boxes(candidates, prints)
    loose = _fit_loose(boxes, candidates, prints)
    if loose is not None:
        return loose
    seeds = [_lattice_of(seed, prints) for seed in candidates[:_SEEDS]]
    lattice = max(seeds, key=lambda lattice: boxes.votes_of(boxes.agreeing(lattice, _AGREE_MM, AGREE_DEG)))
    for _ in range(2):
        lattice = _refine(lattice, boxes, boxes.agreeing(lattice, _AGREE_MM, AGREE_DEG))
    return lattice, _choose(candidates, boxes.agreeing(lattice, _AGREE_MM, AGREE_DEG))


class _Boxes(NamedTuple):
    """The places of N candidates.

    Args:
        corners_mm: the corners of their bounding boxes.
        turns_deg: their turns.
        votes: their votes.
        print_index: their prints.
    """

    corners_mm: Float[Numbers, "n 4 2"]
    turns_deg: Float[Numbers, " n"]
    votes: Float[Numbers, " n"]
    print_index: Int[Numbers, " n"]

    def agreeing(self, lattice: Lattice, agree_mm: Float[Numbers, " n"] | float, agree_deg: float) -> Bool[Flags, " n"]:
        """Return the candidates within these tolerances of a lattice."""
        points = lattice.lattice_from_table(self.corners_mm.reshape(-1, 2)).reshape(-1, 4, 2)
        off_mm = np.linalg.norm(points - np.round(points), axis=2).mean(axis=1) * lattice.cell_mm
        off_deg = np.abs((self.turns_deg - lattice.angle_deg + 45) % 90 - 45)
        return np.asarray((off_mm < agree_mm) & (off_deg < agree_deg))

    def votes_of(self, chosen: Bool[Flags, " n"]) -> float:
        """Return the votes of the chosen, only the strongest of each print."""
        strongest = np.zeros(int(self.print_index.max()) + 1)
        np.maximum.at(strongest, self.print_index[chosen], self.votes[chosen])
        return float(strongest.sum())

    def strongest_of_each(self, chosen: Bool[Flags, " n"]) -> Int[Numbers, " k"]:
        """Return the strongest of each print among the chosen."""
        strongest: dict[int, int] = {}
        for index in np.flatnonzero(chosen):
            known = strongest.setdefault(int(self.print_index[index]), int(index))
            if self.votes[index] > self.votes[known]:
                strongest[int(self.print_index[index])] = int(index)
        return np.array(list(strongest.values()), dtype=np.intp)


def _boxes(candidates: Sequence[TileCandidate], prints: TilePrints) -> _Boxes:
    return _Boxes(
        np.stack([_box_corners_mm(c, prints) for c in candidates]),
        np.array([c.rotation_deg for c in candidates]),
        np.array([c.votes for c in candidates]),
        np.array([c.print_index for c in candidates]),
    )


def _choose(candidates: Sequence[TileCandidate], chosen: Bool[Flags, " n"]) -> list[TileCandidate]:
    return [candidate for candidate, is_chosen in zip(candidates, chosen, strict=True) if is_chosen]


def _refine(lattice: Lattice, boxes: _Boxes, agreeing: Bool[Flags, " n"]) -> Lattice:
    """Fit the lattice, by least squares, to the corners of the strongest agreeing candidates."""
    strongest = boxes.strongest_of_each(agreeing)
    if not len(strongest):
        return lattice
    return lattice_under(boxes.corners_mm[strongest].reshape(-1, 2), np.repeat(boxes.votes[strongest], 4), lattice)


def _fit_loose(
    boxes: _Boxes, candidates: Sequence[TileCandidate], prints: TilePrints
) -> tuple[Lattice, list[TileCandidate]] | None:
    """Return the bent lattice of hand-laid tiles, or None if one even lattice is as good."""
    best: tuple[float, Lattice, Bool[Flags, " n"]] | None = None
    middles = boxes.corners_mm.mean(axis=1)
    for index, seed in enumerate(candidates[:_SEEDS]):
        lattice = _lattice_of(seed, prints)
        far_mm = np.linalg.norm(middles - middles[index], axis=1)
        agree_mm = np.minimum(_AGREE_MM + _LOOSE_SHARE * far_mm, _LOOSE_CELLS * lattice.cell_mm)
        agreeing = boxes.agreeing(lattice, agree_mm, AGREE_DEG)
        votes = boxes.votes_of(agreeing)
        if best is None or votes > best[0]:
            best = votes, lattice, agreeing
    if best is None:
        return None
    _, lattice, agreeing = best
    for _ in range(3):
        strongest = boxes.strongest_of_each(agreeing)
        if len(strongest) < _LEAST_LOOSE:
            return None
        lattice = lattice_through_boxes(boxes.corners_mm[strongest], boxes.votes[strongest], lattice)
        agreeing = boxes.agreeing(lattice, min(STRAY_MM, _LOOSE_CELLS * lattice.cell_mm), AGREE_DEG)
    strong = strongest_apart(_choose(candidates, agreeing), lattice, prints)
    if len(strong) < _LEAST_LOOSE or not _are_loose(strong, lattice, prints):
        return None
    known = [(prints.prints[c.print_index].side, c.rotation_deg, c.center_mm) for c in strong]
    lattice = bent_through(known, lattice, lattice, prints.tile_set.cell_mm)
    return lattice, _choose(candidates, boxes.agreeing(lattice, STRAY_MM, AGREE_DEG))


def strongest_apart(candidates: Sequence[TileCandidate], lattice: Lattice, prints: TilePrints) -> list[TileCandidate]:
    """Return the candidates with clear votes that share no cell, the strongest first."""
    taken: set[tuple[int, int]] = set()
    kept = []
    for candidate in sorted(candidates, key=lambda c: -c.votes):
        side = prints.prints[candidate.print_index].side
        points, corners = _points_of(side, candidate.rotation_deg, candidate.center_mm, lattice)
        # The mean of two opposite corners identifies a cell.
        cells = {tuple(np.floor(points[list(cell)].mean(axis=0)).astype(int).tolist()) for cell in corners}
        if candidate.votes >= STRONG_VOTES and taken.isdisjoint(cells):
            taken |= cells
            kept.append(candidate)
    return kept


def _points_of(
    side: TileSide, rotation_deg: float, center_mm: tuple[float, float], lattice: Lattice
) -> tuple[Int[Numbers, "n 2"], list[tuple[int, int]]]:
    """Return the lattice points of a tile's points, row by row of its box, and the index of each cell's two corners."""
    left, top, columns, rows = side.bounds
    quarters = round((rotation_deg - lattice.angle_deg) / 90) % 4
    size = (columns, rows) if quarters % 2 == 0 else (rows, columns)
    middle = lattice.lattice_from_table(np.array([center_mm]))[0]
    corner = np.round(middle - np.array(size) / 2).astype(int)
    row, column = (axis.ravel() for axis in np.mgrid[0 : rows + 1, 0 : columns + 1])
    ways = ((column, row), (rows - row, column), (columns - column, rows - row), (row, columns - column))
    points = np.column_stack(ways[quarters]) + corner
    start = {(int(c), int(r)): index for index, (c, r) in enumerate(zip(column, row, strict=True))}
    return points, [(start[c - left, r - top], start[c - left + 1, r - top + 1]) for c, r in side.cells]


def bent_through(
    tiles: Iterable[tuple[TileSide, float, tuple[float, float]]], even: Lattice, named_by: Lattice, cell_mm: float
) -> Lattice:
    """Bend the lattice through the tiles' points. Between tiles with a gap, use the middle.

    Args:
        tiles: side, turn in degrees and centre of the bounding box in millimetres.
        even: the lattice to bend.
        named_by: the lattice that names the tiles' points.
        cell_mm: the side of a printed cell.
    """
    known: list[tuple[tuple[int, int], Float[Numbers, " 2"]]] = []
    for side, rotation_deg, center_mm in tiles:
        points, cells = _points_of(side, rotation_deg, center_mm, named_by)
        _, _, columns, rows = side.bounds
        row, column = (axis.ravel() for axis in np.mgrid[0 : rows + 1, 0 : columns + 1])
        local = (np.column_stack([column, row]) - np.array([columns, rows]) / 2) * cell_mm
        c, s = math.cos(math.radians(rotation_deg)), math.sin(math.radians(rotation_deg))
        offsets_mm = np.asarray(center_mm) + local @ np.array([[c, s], [-s, c]]) - even.table_from_lattice(points)
        own = sorted({corner for a, b in cells for corner in (a, a + 1, b - 1, b)})
        known += [((int(points[i, 0]), int(points[i, 1])), offsets_mm[i]) for i in own]
    return replace(even, bend=bend_of(known))


def _are_loose(candidates: Sequence[TileCandidate], lattice: Lattice, prints: TilePrints) -> bool:
    """Return whether tiles lie further off an even lattice than pushed-together tiles do."""
    corners_mm = np.stack([_box_corners_mm(c, prints) for c in candidates])
    points = lattice.lattice_from_table(corners_mm.reshape(-1, 2))
    off = (points - np.round(points)).reshape(-1, 4, 2).mean(axis=1)
    turns = np.array([(c.rotation_deg - lattice.angle_deg + 45) % 90 - 45 for c in candidates])
    votes = np.array([c.votes for c in candidates])
    off_mm = math.sqrt(float(np.average((off**2).sum(axis=1), weights=votes))) * lattice.cell_mm
    off_deg = math.sqrt(float(np.average(turns**2, weights=votes)))
    off_pitch = abs(lattice.cell_mm / prints.tile_set.cell_mm - 1)
    return off_mm > LOOSE_OFF_MM or off_deg > _LOOSE_OFF_DEG or off_pitch > _LOOSE_PITCH


def lattice_through_boxes(
    corners_mm: Float[Numbers, "n 4 2"], weight: Float[Numbers, " n"], lattice: Lattice
) -> Lattice:
    """Fit the lattice to the corners of boxes, with its pitch free within limits.

    With few boxes their own pitch and turn stabilise it.
    """
    places_mm = corners_mm.reshape(-1, 2)
    points = np.round(lattice.lattice_from_table(places_mm))
    return _similar(points, places_mm, np.repeat(weight, 4), lattice, _PITCHES)


def lattice_under(corners_mm: Float[Numbers, "n 2"], weight: Float[Numbers, " n"], lattice: Lattice) -> Lattice:
    """Fit the lattice to points of the table by least squares, with its pitch fixed.

    ``lattice`` is a first guess. It names the lattice point of each place.
    """
    points = np.round(lattice.lattice_from_table(corners_mm))
    return _similar(points, corners_mm, weight, lattice, (1.0, 1.0))


def _similar(
    points: Float[Numbers, "n 2"],
    places_mm: Float[Numbers, "n 2"],
    weight: Float[Numbers, " n"],
    lattice: Lattice,
    pitches: tuple[float, float],
) -> Lattice:
    """Return the least-squares similarity, its pitch within these factors of the former one."""
    weight = weight[:, None] + 1e-9
    p_mean = (points * weight).sum(axis=0) / weight.sum()
    q_mean = (places_mm * weight).sum(axis=0) / weight.sum()
    p, q = points - p_mean, places_mm - q_mean
    across = float((weight[:, 0] * (p[:, 0] * q[:, 1] - p[:, 1] * q[:, 0])).sum())
    along = float((weight * p * q).sum())
    pitch_mm = math.hypot(across, along) / max(float((weight * p * p).sum()), 1e-9)
    cell_mm = min(max(pitch_mm, pitches[0] * lattice.cell_mm), pitches[1] * lattice.cell_mm)
    turned = Lattice((0.0, 0.0), math.degrees(math.atan2(across, along)), cell_mm)
    origin = q_mean - turned.table_from_lattice(p_mean[None])[0]
    return Lattice((float(origin[0]), float(origin[1])), turned.angle_deg, cell_mm)


def normalize_lattice(lattice: Lattice, cells: frozenset[tuple[int, int]]) -> tuple[Lattice, tuple[int, int, int]]:
    """Normalise the lattice: an angle in [0, 90) and no negative cell.

    Also return ``(quarter turns, column shift, row shift)``, by which ``relabel`` renames cells.
    """
    quarters = math.floor(lattice.angle_deg / 90)
    turned = Lattice(lattice.origin_mm, lattice.angle_deg - 90 * quarters, lattice.cell_mm)
    moved = [_turn_quarters(cell, quarters) for cell in cells]
    left, top = min(c for c, _ in moved), min(r for _, r in moved)
    return turned.shifted((left, top)), (quarters, -left, -top)


def relabel(cell: tuple[int, int], change: tuple[int, int, int]) -> tuple[int, int]:
    """Return the name of a cell in the normalised lattice."""
    column, row = _turn_quarters(cell, change[0])
    return column + change[1], row + change[2]


def cells_in(lattice: Lattice, cells: Iterable[tuple[int, int]], other: Lattice) -> frozenset[tuple[int, int]]:
    """Return the cells of a lattice that hold the middles of another lattice's cells."""
    middles = np.array(sorted(cells), dtype=float) + 0.5
    places = np.floor(lattice.lattice_from_table(other.table_from_lattice(middles))).astype(int)
    return frozenset((int(column), int(row)) for column, row in places)


def _turn_quarters(cell: tuple[int, int], quarters: int) -> tuple[int, int]:
    """Return the cell's name after a rotation of the axes by quarter turns back: x becomes y."""
    column, row = cell
    for _ in range(quarters % 4):
        column, row = -row - 1, column
    return column, row


def _lattice_of(candidate: TileCandidate, prints: TilePrints) -> Lattice:
    corner = _box_corners_mm(candidate, prints)[0]
    return Lattice((float(corner[0]), float(corner[1])), candidate.rotation_deg % 90, prints.tile_set.cell_mm)


def _box_corners_mm(candidate: TileCandidate, prints: TilePrints) -> Float[Numbers, "4 2"]:
    side = prints.prints[candidate.print_index].side
    return box_corners_mm(side, candidate.rotation_deg, candidate.center_mm, prints.tile_set.cell_mm)


def box_corners_mm(
    side: TileSide, rotation_deg: float, center_mm: tuple[float, float], cell_mm: float
) -> Float[Numbers, "4 2"]:
    """Return the corners of a tile's bounding box on the table, from the picture's top left clockwise."""
    _, _, columns, rows = side.bounds
    half = np.array([[-columns, -rows], [columns, -rows], [columns, rows], [-columns, rows]]) / 2 * cell_mm
    c, s = math.cos(math.radians(rotation_deg)), math.sin(math.radians(rotation_deg))
    corners: Numbers = np.asarray(center_mm) + half @ np.array([[c, -s], [s, c]]).T
    return corners
