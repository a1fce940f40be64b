"""A piece of terrain that is known, found again after somebody moved it: the same outline, elsewhere and turned.

The table is seen from above at the height of the piece's top, and all places and turns of its outline are asked for the
edges along it, as those of bases are; the likeliest are drawn to the edges by their sides and made rigid again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from jaxtyping import Float

from assistant.table.camera import PointMm
from assistant.table.free_table import Terrain
from calibration.arrays import Numbers
from vision.free.bases import turned
from vision.free.outlines import snap_outline
from vision.free.rim_colors import LAB_WEIGHTS
from vision.free.rims import RimPicture
from vision.free.search import Plane, score_outline

TURN_STEP_DEG = 5.0
TRIED = 6
"""So many of the likeliest places are drawn to the edges."""

NEAR_MM, NEAR_DEG = 12.0, 12.0
"""Places nearer to each other than this, and turned alike, are one."""

LEAST_SHARE = 0.5
"""A place where fewer of the sides lie on an edge, or less of the outline parts two colours, is not told: the pattern
of a cloth has edges everywhere."""

BESIDE_MM, ALIKE = 3.0, 10.0
"""How far beside the outline colours are looked at, and how near to each other those of one thing are, in Lab units
with the brightness counted half."""

CORNER_OFF_MM = 4.0
"""The drawn sides may be that far from the known shape, in the mean of its corners."""


@dataclass(frozen=True)
class PieceShape:
    """The outline of a piece round the mean of its corners, as points with their outward normals."""

    corners: tuple[PointMm, ...]

    @cached_property
    def outline_mm(self) -> Float[Numbers, "n 2"]:
        """Points along the sides, evenly, (N, 2)."""
        return np.concatenate(
            [a + np.linspace(0, 1, n, endpoint=False)[:, None] * (b - a) for a, b, n in self._sides()]
        )

    @cached_property
    def normals(self) -> Float[Numbers, "n 2"]:
        """The outward normals of the same points, (N, 2)."""
        (x, y), (next_x, next_y) = np.array(self.corners).T, np.roll(self.corners, -1, axis=0).T
        outward = np.sign(float((x * next_y - next_x * y).sum()))
        points: Numbers = np.concatenate([np.tile(_normal(b - a), (n, 1)) for a, b, n in self._sides()])
        return np.asarray(outward * points)

    def _sides(self) -> Iterator[tuple[Float[Numbers, " 2"], Float[Numbers, " 2"], int]]:
        corners = np.array(self.corners)
        for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True):
            yield a, b, max(2, round(float(np.linalg.norm(b - a)) / 3))


@dataclass(frozen=True)
class FoundPiece:
    """Where a piece lies now: its corners on the table, in its own order.

    ``edge_share`` is the share of its sides that lie on an edge, ``parted`` that of its outline which has the usual
    colour of its top within and another one without.
    """

    corners_mm: tuple[PointMm, ...]
    edge_share: float
    parted: float


def find_terrain(plane: Plane, picture: RimPicture, piece: Terrain) -> FoundPiece | None:
    """Where a piece lies on the photo; None where the photo does not tell.

    Args:
        plane: the table from above at the height of the piece's top.
        picture: the photo.
        piece: as it lay before.
    """
    known = np.array([[float(x), float(y)] for x, y in piece.outline_mm])
    shape = known - known.mean(axis=0)
    found = [_settled(picture, shape, place, float(piece.height_mm)) for place in _likeliest(plane, shape)]
    seen = [one for one in found if one is not None and min(one.edge_share, one.parted) >= LEAST_SHARE]
    # A piece that looks the same the other way round is taken to be turned as little as may be.
    return max(seen, key=lambda one: (round(one.edge_share * one.parted, 1), -_off_mm(one, known)), default=None)


def _likeliest(plane: Plane, shape: Float[Numbers, "n 2"]) -> list[tuple[float, float, float]]:
    """The likeliest places of the middle, x and y in millimetres, and turns, the best first."""
    outline = PieceShape(tuple((float(x), float(y)) for x, y in shape))
    peaks = []
    for turn in np.radians(np.arange(0, 360, TURN_STEP_DEG)):
        score = score_outline(plane, outline, float(turn))
        for _ in range(2):
            row, column = np.unravel_index(int(score.argmax()), score.shape)
            ((x, y),) = plane.frame.table_from_frame(np.array([[column, row]], dtype=float))
            peaks.append((float(score[row, column]), float(x), float(y), float(turn)))
            cv2.circle(score, (int(column), int(row)), round(NEAR_MM * plane.frame.px_per_mm), 0.0, -1)
    chosen: list[tuple[float, float, float]] = []
    for _, x, y, turn in sorted(peaks, reverse=True):
        if not any(_is_one((x, y, turn), other) for other in chosen):
            chosen.append((x, y, turn))
    return chosen[:TRIED]


def _is_one(a: tuple[float, float, float], b: tuple[float, float, float]) -> bool:
    apart_deg = abs((np.degrees(a[2] - b[2]) + 180) % 360 - 180)
    return float(np.hypot(a[0] - b[0], a[1] - b[1])) < NEAR_MM and float(apart_deg) < NEAR_DEG


def _settled(
    picture: RimPicture, shape: Float[Numbers, "n 2"], place: tuple[float, float, float], height_mm: float
) -> FoundPiece | None:
    """The piece from near a place, its sides drawn to the edges and its shape kept; None where these do not fit it."""
    x, y, turn = place
    start = turned(shape, turn) + np.array([x, y])
    drawn = snap_outline(picture, _pixels(picture, start, height_mm), height_mm)
    corners = np.array(drawn.corners_mm)
    if len(corners) != len(shape):
        return None
    nearest = min(range(len(corners)), key=lambda k: float(np.linalg.norm(np.roll(corners, -k, axis=0) - start)))
    corners = np.roll(corners, -nearest, axis=0)
    rigid = _rigid(shape, corners)
    if float(np.linalg.norm(rigid - corners, axis=1).mean()) > CORNER_OFF_MM:
        return None
    places = tuple((round(float(a), 2), round(float(b), 2)) for a, b in rigid)
    return FoundPiece(places, drawn.edge_share, _parted(picture, places, height_mm))


def _parted(picture: RimPicture, corners: tuple[PointMm, ...], height_mm: float) -> float:
    outline = PieceShape(corners)
    points = np.stack([outline.outline_mm + away * outline.normals for away in (-BESIDE_MM, BESIDE_MM)])
    pixels = picture.view.image_from_table(points.reshape(-1, 2), height_mm).reshape(points.shape)
    within, without = picture.colors(pixels) * LAB_WEIGHTS
    usual = np.median(within, axis=0)
    off_within, off_without = (np.linalg.norm(colors - usual, axis=1) for colors in (within, without))
    return float(((off_within < ALIKE) & (off_without > ALIKE)).mean())


def _pixels(picture: RimPicture, places: Float[Numbers, "n 2"], height_mm: float) -> Sequence[tuple[float, float]]:
    return [(float(x), float(y)) for x, y in picture.view.image_from_table(places, height_mm)]


def _rigid(shape: Float[Numbers, "n 2"], corners: Float[Numbers, "n 2"]) -> Float[Numbers, "n 2"]:
    """The shape turned and moved to lie on the corners as well as it can, least squares."""
    middle = corners.mean(axis=0)
    around = corners - middle
    turn = np.arctan2((shape[:, 0] * around[:, 1] - shape[:, 1] * around[:, 0]).sum(), (shape * around).sum())
    moved: Numbers = turned(shape, float(turn)) + middle
    return moved


def _off_mm(found: FoundPiece, known: Float[Numbers, "n 2"]) -> float:
    """How far the corners are from where they were, beside what the whole moved."""
    corners = np.array(found.corners_mm)
    around = (corners - corners.mean(axis=0)) - (known - known.mean(axis=0))
    return float(np.linalg.norm(around, axis=1).mean())


def _normal(side: Float[Numbers, " 2"]) -> Float[Numbers, " 2"]:
    across = np.array([side[1], -side[0]])
    return np.asarray(across / max(float(np.linalg.norm(across)), 1e-9))
