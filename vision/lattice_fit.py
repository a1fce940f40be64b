"""The one lattice on which the recognised tiles lie together."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Num

from assistant.table.observation import LatticePose
from assistant.table.tiles import TileSide
from calibration.arrays import Numbers
from vision.candidates import TileCandidate
from vision.prints import TilePrints

_AGREE_DEG = 2.0
"""Joined tiles are turned against each other by up to 0.3 degrees; the rest is room for a weak fit."""

_AGREE_MM = 2.5
"""A tenth of a cell: by chance a wrong candidate agrees in one case of thirty, and of those few have votes."""


@dataclass(frozen=True)
class Lattice:
    """Point ``(i, j)`` lies at ``origin_mm + cell_mm * R(angle_deg) * (i, j)``, with ``0 <= angle_deg < 90``."""

    origin_mm: tuple[float, float]
    angle_deg: float
    cell_mm: float

    @property
    def axes(self) -> Float[Numbers, "2 2"]:
        """The columns are the steps of one cell along i and along j, in millimetres, (2, 2)."""
        c, s = math.cos(math.radians(self.angle_deg)), math.sin(math.radians(self.angle_deg))
        axes: Numbers = self.cell_mm * np.array([[c, -s], [s, c]])
        return axes

    def table_from_lattice(self, points: Num[Numbers, "n 2"]) -> Float[Numbers, "n 2"]:
        """Table millimetres (N, 2) of lattice coordinates (N, 2)."""
        points_mm: Numbers = np.asarray(self.origin_mm) + np.asarray(points) @ self.axes.T
        return points_mm

    def lattice_from_table(self, points_mm: Num[Numbers, "n 2"]) -> Float[Numbers, "n 2"]:
        """Lattice coordinates (N, 2) of table millimetres (N, 2)."""
        points: Numbers = (np.asarray(points_mm) - np.asarray(self.origin_mm)) @ self.axes / self.cell_mm**2
        return points

    def shifted(self, by: tuple[int, int]) -> Lattice:
        """The same lattice with another of its points as origin."""
        origin = self.table_from_lattice(np.array([by], dtype=float))[0]
        return Lattice((float(origin[0]), float(origin[1])), self.angle_deg, self.cell_mm)

    @property
    def grid(self) -> LatticePose:
        """The lattice as an observation tells it."""
        return LatticePose(self.origin_mm, self.angle_deg, self.cell_mm)


def fit_lattice(candidates: Sequence[TileCandidate], prints: TilePrints) -> tuple[Lattice, list[TileCandidate]] | None:
    """The lattice with most votes behind it, and the candidates that lie on it; None without candidates.

    Each candidate in turn proposes its own lattice; the one on which most votes agree is fitted to all that agree.
    """
    best: tuple[float, Lattice, list[TileCandidate]] | None = None
    for seed in candidates[:40]:
        lattice = _lattice_of(seed, prints)
        agreeing = [c for c in candidates if _agrees(c, lattice, prints)]
        votes = sum(c.votes for c in _strongest_of_each(agreeing))
        if best is None or votes > best[0]:
            best = (votes, lattice, agreeing)
    if best is None:
        return None
    _, lattice, agreeing = best
    for _ in range(2):
        lattice = refine_lattice(lattice, _strongest_of_each(agreeing), prints)
        agreeing = [c for c in candidates if _agrees(c, lattice, prints)]
    return lattice, agreeing


def refine_lattice(lattice: Lattice, candidates: Sequence[TileCandidate], prints: TilePrints) -> Lattice:
    """The lattice that lies best, in the least squares, under the corners of the candidates' bounding boxes."""
    if not candidates:
        return lattice
    corners_mm = np.concatenate([_box_corners_mm(c, prints) for c in candidates])
    return lattice_under(corners_mm, np.repeat([c.votes for c in candidates], 4), lattice)


def lattice_under(corners_mm: Float[Numbers, "n 2"], weight: Float[Numbers, " n"], lattice: Lattice) -> Lattice:
    """The lattice that lies best, in the least squares, under places (N, 2) that are points of it.

    Args:
        corners_mm: the places.
        weight: how much each counts, (N,).
        lattice: a first guess, by which it is known which points they are.
    """
    points = np.round(lattice.lattice_from_table(corners_mm))
    weight = weight[:, None] + 1e-9
    p_mean = (points * weight).sum(axis=0) / weight.sum()
    q_mean = (corners_mm * weight).sum(axis=0) / weight.sum()
    p, q = points - p_mean, corners_mm - q_mean
    angle = math.atan2(
        float((weight[:, 0] * (p[:, 0] * q[:, 1] - p[:, 1] * q[:, 0])).sum()), float((weight * p * q).sum())
    )
    turned = Lattice((0.0, 0.0), math.degrees(angle), lattice.cell_mm)
    origin = q_mean - turned.table_from_lattice(p_mean[None])[0]
    return Lattice((float(origin[0]), float(origin[1])), math.degrees(angle), lattice.cell_mm)


def normalize_lattice(lattice: Lattice, cells: frozenset[tuple[int, int]]) -> tuple[Lattice, tuple[int, int, int]]:
    """The lattice with its angle in [0, 90) and no negative cell, and how old cells become new ones.

    Returns:
        The lattice and ``(quarter turns, column shift, row shift)`` for ``relabel``.
    """
    quarters = math.floor(lattice.angle_deg / 90)
    turned = Lattice(lattice.origin_mm, lattice.angle_deg - 90 * quarters, lattice.cell_mm)
    moved = [_quarter_turned(cell, quarters) for cell in cells]
    left, top = min(c for c, _ in moved), min(r for _, r in moved)
    return turned.shifted((left, top)), (quarters, -left, -top)


def relabel(cell: tuple[int, int], change: tuple[int, int, int]) -> tuple[int, int]:
    """The name of a cell in the normalised lattice."""
    column, row = _quarter_turned(cell, change[0])
    return column + change[1], row + change[2]


def cells_in(lattice: Lattice, cells: Iterable[tuple[int, int]], other: Lattice) -> frozenset[tuple[int, int]]:
    """The cells of a lattice in which the middles of some cells of another one lie."""
    middles = np.array(sorted(cells), dtype=float) + 0.5
    places = np.floor(lattice.lattice_from_table(other.table_from_lattice(middles))).astype(int)
    return frozenset((int(column), int(row)) for column, row in places)


def _quarter_turned(cell: tuple[int, int], quarters: int) -> tuple[int, int]:
    """A cell's name after the axes were turned back by quarter turns: x becomes y."""
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
    """The corners of a tile's bounding box on the table, from the picture's top left clockwise, (4, 2)."""
    _, _, columns, rows = side.bounds
    half = np.array([[-columns, -rows], [columns, -rows], [columns, rows], [-columns, rows]]) / 2 * cell_mm
    c, s = math.cos(math.radians(rotation_deg)), math.sin(math.radians(rotation_deg))
    corners: Numbers = np.asarray(center_mm) + half @ np.array([[c, -s], [s, c]]).T
    return corners


def _agrees(candidate: TileCandidate, lattice: Lattice, prints: TilePrints) -> bool:
    off_deg = (candidate.rotation_deg - lattice.angle_deg + 45) % 90 - 45
    if abs(off_deg) > _AGREE_DEG:
        return False
    points = lattice.lattice_from_table(_box_corners_mm(candidate, prints))
    off_mm = np.linalg.norm(points - np.round(points), axis=1).mean() * lattice.cell_mm
    return bool(off_mm < _AGREE_MM)


def _strongest_of_each(candidates: Sequence[TileCandidate]) -> list[TileCandidate]:
    strongest: dict[int, TileCandidate] = {}
    for candidate in candidates:
        known = strongest.get(candidate.print_index)
        if known is None or candidate.votes > known.votes:
            strongest[candidate.print_index] = candidate
    return list(strongest.values())
