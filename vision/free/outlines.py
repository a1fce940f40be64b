"""Terrain drawn on the picture by a finger: its outline, with every side drawn to the edge that the picture shows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from jaxtyping import Float, Int

from assistant.table.camera import PointMm
from calibration.arrays import Integers, Numbers
from vision.free.rims import RimPicture

CORNER_MM = 7.0
"""A finger's line bends by less than this between two corners."""

REACH_MM = 9.0
"""How far a finger is beside the edge that it means."""

EVERY_MM = 2.0
SAMPLES = 41
LEAST_EDGE = 3.0
"""Lab units over a pixel below which there is no edge to draw a side to."""

LEAST_SHARE = 0.4
"""A side is drawn to an edge that so much of it lies on; the others stay as they were drawn."""

STRAIGHT_MM = 1.2
"""A point lies on the edge of its side when it is this near."""


@dataclass(frozen=True)
class SnappedOutline:
    """An outline on the table, corner by corner, and the share of its sides that lie on an edge of the picture."""

    corners_mm: tuple[PointMm, ...]
    edge_share: float


def snap_outline(picture: RimPicture, stroke_px: Sequence[tuple[float, float]], height_mm: float) -> SnappedOutline:
    """What a finger drew round the top of a piece of terrain, as corners on the table.

    Args:
        picture: the photo.
        stroke_px: the line in the photo's pixels, at least three points; it need not be closed.
        height_mm: how high the top is over the table.
    """
    stroke_mm = picture.view.table_from_image(list(stroke_px), height_mm)
    corners = _corners(stroke_mm)
    sides = [_side(picture, corners[i], corners[(i + 1) % len(corners)], height_mm) for i in range(len(corners))]
    lines = [line for line, _ in sides]
    moved = [_met(lines[i - 1], lines[i], corners[i]) for i in range(len(corners))]
    share = float(np.mean([is_found for _, is_found in sides]))
    return SnappedOutline(tuple((round(float(x), 2), round(float(y), 2)) for x, y in moved), share)


def _corners(stroke_mm: Float[Numbers, "n 2"]) -> Float[Numbers, "m 2"]:
    """The corners of a stroke: where it bends by more than a finger trembles."""
    closed = np.asarray(stroke_mm, dtype=np.float32).reshape(-1, 1, 2)
    found = np.asarray(cv2.approxPolyDP(closed, CORNER_MM, True), dtype=float).reshape(-1, 2)
    return found if len(found) >= 3 else np.asarray(stroke_mm, dtype=float)


def _side(
    picture: RimPicture, start: Float[Numbers, " 2"], end: Float[Numbers, " 2"], height_mm: float
) -> tuple[Float[Numbers, "2 2"], bool]:
    """A side as two points of its line, and whether it was drawn to an edge."""
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
    # The edge that runs along the whole side, not the strongest spot beside each point of it.
    strength = strength * np.exp(-0.5 * (offsets[1:-1] / (0.6 * REACH_MM)) ** 2)
    line = _line_through(places, offsets[1:-1], strength)
    if line is None:
        return plain, False
    return np.array([start + t * along + (line[0] + line[1] * t) * normal for t in (0.0, length)]), True


def _line_through(
    places: Float[Numbers, " n"], offsets: Float[Numbers, " m"], strength: Float[Numbers, "n m"]
) -> tuple[float, float] | None:
    """Offset and slope of the straight edge along a side; None where there is none."""
    enough = strength / (strength + LEAST_EDGE)
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
        says = np.minimum(weights.max(axis=1) / LEAST_EDGE, 1.0) ** 2
        if (says > 0.5).mean() < LEAST_SHARE:
            return None
        slope, shift = np.polyfit(places, peaks, 1, w=np.sqrt(says) + 1e-6).tolist()
    return float(shift), float(slope)


def _nearest(offsets: Float[Numbers, " m"], wanted: Float[Numbers, " n"]) -> Int[Integers, " n"]:
    step = offsets[1] - offsets[0]
    return np.asarray(np.clip(np.round((wanted - offsets[0]) / step), 0, len(offsets) - 1), dtype=int)


def _met(
    before: Float[Numbers, "2 2"], after: Float[Numbers, "2 2"], drawn: Float[Numbers, " 2"]
) -> Float[Numbers, " 2"]:
    """Where two sides meet; the drawn corner where they hardly do."""
    a, b = before[1] - before[0], after[1] - after[0]
    cross = a[0] * b[1] - a[1] * b[0]
    if abs(cross) < 0.1 * float(np.linalg.norm(a) * np.linalg.norm(b)):
        return drawn
    gap = after[0] - before[0]
    point = before[0] + a * ((gap[0] * b[1] - gap[1] * b[0]) / cross)
    return np.asarray(point if float(np.linalg.norm(point - drawn)) < 2 * REACH_MM else drawn)
