"""Terrain without a grid: hand-drawn outlines, and known pieces that have been moved.

A drawn outline snaps, side by side, to edges of the picture. For a known piece, the search rates all places and turns
of its outline at the height of its top by the edges along it, as for bases. The likeliest snap to the edges and become
rigid again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from jaxtyping import Float, Int

from assistant.table.camera import PointMm
from assistant.table.free_table import Terrain
from calibration.arrays import Integers, Numbers
from calibration.color import LAB_WEIGHTS
from vision.free.bases import turned
from vision.free.rim_colors import ALIKE
from vision.free.rims import OUTSIDE_MM, SAMPLES, USUAL_EDGE, RimPicture
from vision.free.search import TURN_STEP_DEG, Plane, score_outline

TRIED = 6
"""Number of likeliest places that snap to the edges."""

LEAST_SHARE = 0.5
"""Least share of a side on an edge, of sides on edges, and of the outline between two colours. A cloth's pattern has
edges everywhere."""

CORNER_OFF_MM = 4.0
"""Largest mean distance of the snapped corners from the known shape."""

CORNER_MM = 7.0
"""Largest bend of a finger's line between two corners."""

REACH_MM = 9.0
"""Largest distance of a finger from its edge. Places closer than that, at turns closer than two steps, count as one."""

EVERY_MM = 2.0

STRAIGHT_MM = 1.2
"""Distance from a side within which a point lies on its edge."""


@dataclass(frozen=True)
class PieceShape:
    """The outline of a piece round the mean of its corners, as points with their outward normals."""

    corners: tuple[PointMm, ...]

    @cached_property
    def outline_mm(self) -> Float[Numbers, "n 2"]:
        """Points along the sides, evenly spaced."""
        return np.concatenate(
            [a + np.linspace(0, 1, n, endpoint=False)[:, None] * (b - a) for a, b, n in self._sides()]
        )

    @cached_property
    def normals(self) -> Float[Numbers, "n 2"]:
        """The outward normals of the same points."""
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
    """The new place of a piece: its corners on the table, in its own order.

    ``edge_share`` is the share of its sides on edges. ``parted`` is the share of its outline with the usual colour of
    its top inside and another colour outside.
    """

    corners_mm: tuple[PointMm, ...]
    edge_share: float
    parted: float


def find_terrain(plane: Plane, picture: RimPicture, piece: Terrain) -> FoundPiece | None:
    """Find a piece on the photo. Return None if the photo does not show it.

    ``plane`` is the table from above at the height of the piece's top, ``piece`` the piece in its former place.
    """
    known = np.array([[float(x), float(y)] for x, y in piece.outline_mm])
    shape = known - known.mean(axis=0)
    found = [_settle(picture, shape, place, float(piece.height_mm)) for place in _likeliest(plane, shape)]
    seen = [one for one in found if one is not None and min(one.edge_share, one.parted) >= LEAST_SHARE]
    # A symmetric piece counts as turned as little as possible.
    return max(seen, key=lambda one: (round(one.edge_share * one.parted, 1), -_off_mm(one, known)), default=None)


def _likeliest(plane: Plane, shape: Float[Numbers, "n 2"]) -> list[tuple[float, float, float]]:
    """Return the likeliest places of the middle, x and y in millimetres, and turns, the best first."""
    outline = PieceShape(tuple((float(x), float(y)) for x, y in shape))
    peaks = []
    for turn in np.radians(np.arange(0, 360, TURN_STEP_DEG)):
        score = score_outline(plane, outline, float(turn))
        for _ in range(2):
            row, column = np.unravel_index(int(score.argmax()), score.shape)
            ((x, y),) = plane.frame.table_from_frame(np.array([[column, row]], dtype=float))
            peaks.append((float(score[row, column]), float(x), float(y), float(turn)))
            cv2.circle(score, (int(column), int(row)), round(REACH_MM * plane.frame.px_per_mm), 0.0, -1)
    chosen: list[tuple[float, float, float]] = []
    for _, x, y, turn in sorted(peaks, reverse=True):
        if not any(_is_one((x, y, turn), other) for other in chosen):
            chosen.append((x, y, turn))
    return chosen[:TRIED]


def _is_one(a: tuple[float, float, float], b: tuple[float, float, float]) -> bool:
    apart_deg = abs((np.degrees(a[2] - b[2]) + 180) % 360 - 180)
    return float(np.hypot(a[0] - b[0], a[1] - b[1])) < REACH_MM and float(apart_deg) < 2 * TURN_STEP_DEG


def _settle(
    picture: RimPicture, shape: Float[Numbers, "n 2"], place: tuple[float, float, float], height_mm: float
) -> FoundPiece | None:
    """Snap a piece's sides to edges near a place, and keep its shape. Return None if these do not fit it."""
    x, y, turn = place
    start = turned(shape, turn) + np.array([x, y])
    pixels = [(float(a), float(b)) for a, b in picture.view.image_from_table(start, height_mm)]
    drawn = snap_outline(picture, pixels, height_mm)
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
    points = np.stack([outline.outline_mm + away * outline.normals for away in (-OUTSIDE_MM, OUTSIDE_MM)])
    pixels = picture.view.image_from_table(points.reshape(-1, 2), height_mm).reshape(points.shape)
    within, without = picture.colors(pixels) * LAB_WEIGHTS
    usual = np.median(within, axis=0)
    off_within, off_without = (np.linalg.norm(colors - usual, axis=1) for colors in (within, without))
    return float(((off_within < ALIKE) & (off_without > ALIKE)).mean())


def _rigid(shape: Float[Numbers, "n 2"], corners: Float[Numbers, "n 2"]) -> Float[Numbers, "n 2"]:
    """Rotate and move the shape onto the corners by least squares."""
    middle = corners.mean(axis=0)
    around = corners - middle
    turn = np.arctan2((shape[:, 0] * around[:, 1] - shape[:, 1] * around[:, 0]).sum(), (shape * around).sum())
    moved: Numbers = turned(shape, float(turn)) + middle
    return moved


def _off_mm(found: FoundPiece, known: Float[Numbers, "n 2"]) -> float:
    """Return the corners' distance from the known shape, apart from the rigid motion."""
    corners = np.array(found.corners_mm)
    around = (corners - corners.mean(axis=0)) - (known - known.mean(axis=0))
    return float(np.linalg.norm(around, axis=1).mean())


def _normal(side: Float[Numbers, " 2"]) -> Float[Numbers, " 2"]:
    across = np.array([side[1], -side[0]])
    return np.asarray(across / max(float(np.linalg.norm(across)), 1e-9))


@dataclass(frozen=True)
class SnappedOutline:
    """An outline on the table, corner by corner, and the share of its sides on edges of the picture."""

    corners_mm: tuple[PointMm, ...]
    edge_share: float


def snap_outline(picture: RimPicture, stroke_px: Sequence[tuple[float, float]], height_mm: float) -> SnappedOutline:
    """Turn a finger's line round the top of a piece of terrain into corners on the table.

    The line has at least three points in the photo's pixels and need not be closed.
    """
    stroke_mm = picture.view.table_from_image(list(stroke_px), height_mm)
    corners = _find_corners(stroke_mm)
    sides = [_side(picture, corners[i], corners[(i + 1) % len(corners)], height_mm) for i in range(len(corners))]
    lines = [line for line, _ in sides]
    moved = [_intersect(lines[i - 1], lines[i], corners[i]) for i in range(len(corners))]
    share = float(np.mean([is_found for _, is_found in sides]))
    return SnappedOutline(tuple((round(float(x), 2), round(float(y), 2)) for x, y in moved), share)


def _find_corners(stroke_mm: Float[Numbers, "n 2"]) -> Float[Numbers, "m 2"]:
    """Return the corners of a stroke: bends larger than a finger's tremble."""
    closed = np.asarray(stroke_mm, dtype=np.float32).reshape(-1, 1, 2)
    found = np.asarray(cv2.approxPolyDP(closed, CORNER_MM, True), dtype=float).reshape(-1, 2)
    return found if len(found) >= 3 else np.asarray(stroke_mm, dtype=float)


def _side(
    picture: RimPicture, start: Float[Numbers, " 2"], end: Float[Numbers, " 2"], height_mm: float
) -> tuple[Float[Numbers, "2 2"], bool]:
    """Return a side as two points of its line, and whether it is on an edge."""
    length = float(np.linalg.norm(end - start))
    along = (end - start) / max(length, 1e-6)
    normal = np.array([-along[1], along[0]])
    plain = np.array([start, end])
    places = np.arange(0.12 * length, 0.88 * length, EVERY_MM)
    if len(places) < 4:
        return plain, False
    offsets = np.linspace(-REACH_MM, REACH_MM, SAMPLES)
    points = start + places[:, None, None] * along + offsets[None, :, None] * normal
    pixels = picture.view.image_from_table(points.reshape(-1, 2), height_mm).reshape(*points.shape)
    profile = picture.colors(pixels)
    step_px = np.linalg.norm(pixels[:, 2:] - pixels[:, :-2], axis=2)
    strength = np.linalg.norm(profile[:, 2:] - profile[:, :-2], axis=2) / np.maximum(step_px, 1e-6)
    # The edge along the whole side counts, not the strongest spot beside each point.
    strength = strength * np.exp(-0.5 * (offsets[1:-1] / (0.6 * REACH_MM)) ** 2)
    line = _line_through(places, offsets[1:-1], strength)
    if line is None:
        return plain, False
    return np.array([start + t * along + (line[0] + line[1] * t) * normal for t in (0.0, length)]), True


def _line_through(
    places: Float[Numbers, " n"], offsets: Float[Numbers, " m"], strength: Float[Numbers, "n m"]
) -> tuple[float, float] | None:
    """Return offset and slope of the straight edge along a side, or None without an edge."""
    enough = strength / (strength + USUAL_EDGE / 2)
    votes = [
        (float(np.mean(enough[np.arange(len(places)), _nearest(offsets, a + s * places)])), a, s)
        for a in offsets[::1]
        for s in np.linspace(-0.06, 0.06, 9)
    ]
    _, shift, slope = max(votes)
    for _ in range(4):
        near = np.abs(offsets[None, :] - (shift + slope * places)[:, None]) < STRAIGHT_MM
        weights = np.where(near, strength, 0.0)
        peaks = (weights**2 * offsets[None, :]).sum(axis=1) / np.maximum((weights**2).sum(axis=1), 1e-9)
        weight = np.minimum(weights.max(axis=1) / (USUAL_EDGE / 2), 1.0) ** 2
        if (weight > 0.5).mean() < LEAST_SHARE:
            return None
        slope, shift = np.polyfit(places, peaks, 1, w=np.sqrt(weight) + 1e-6).tolist()
    return float(shift), float(slope)


def _nearest(offsets: Float[Numbers, " m"], wanted: Float[Numbers, " n"]) -> Int[Integers, " n"]:
    step = offsets[1] - offsets[0]
    return np.asarray(np.clip(np.round((wanted - offsets[0]) / step), 0, len(offsets) - 1), dtype=int)


def _intersect(
    before: Float[Numbers, "2 2"], after: Float[Numbers, "2 2"], drawn: Float[Numbers, " 2"]
) -> Float[Numbers, " 2"]:
    """Return the intersection of two sides, or the drawn corner if they are nearly parallel."""
    a, b = before[1] - before[0], after[1] - after[0]
    cross = a[0] * b[1] - a[1] * b[0]
    if abs(cross) < 0.1 * float(np.linalg.norm(a) * np.linalg.norm(b)):
        return drawn
    gap = after[0] - before[0]
    point = before[0] + a * ((gap[0] * b[1] - gap[1] * b[0]) / cross)
    return np.asarray(point if float(np.linalg.norm(point - drawn)) < 2 * REACH_MM else drawn)
