"""The colours along a base's outline: contrast with the ground, continuity of the top, and the ring."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Float32

from calibration.arrays import Numbers, Singles
from calibration.color import LAB_WEIGHTS, bgr_from_hex, lab_from_bgr
from vision.evidence.bases import BASE_HEIGHT_MM, RIM_MM
from vision.free.bases import turned
from vision.free.rims import (
    EDGE_WIDTH_MM,
    EDGE_WIDTH_PX,
    FAR,
    LOW,
    OUTSIDE_MM,
    USUAL_EDGE,
    RimFit,
    RimPicture,
    rim_lines,
)

BARE_INSET_MM, TOP_INSET_MM = 1.2, 2.8
"""Insets of the samples of a bare base's own colour, and of any base's top within a rim."""

ALIKE, GOES_ON = 8.0, 6.0
"""Distances, in weighted Lab units, within which colours belong to one thing: all round, and slightly further in."""

STEP = 4.0
"""Weighted Lab units of a step from the ground to the base."""

BESIDE_MM, BESIDES = 5.0, 8
"""Distance and number of directions of the edge search beside a base. On a cloth edges run anywhere."""

WHOLE_STEP = 20.0
"""Lab units of a full step towards a ring's colour."""


@dataclass(frozen=True)
class RimColors:
    """The colours along an outline, as shares from 0 to 1.

    Args:
        parted: share of the outline with the base's usual colour inside and another colour outside.
        goes_on: share where the top keeps the colour of its edge further in.
        ring_step: the step towards the ring's colour from the top to the rim, -1 to 1, 0 for a bare base.
        one_way: share where the ground steps to a bare base in the usual way, 0 for a painted one.
        edges_beside: strength of edges beside a bare base along the same outline, 0 for a painted one.
    """

    parted: float
    goes_on: float
    ring_step: float = 0.0
    one_way: float = 0.0
    edges_beside: float = 0.0


def read_rim_colors(picture: RimPicture, fit: RimFit) -> RimColors:
    """Measure the colours beside the outline of a fitted base."""
    ring = fit.kind.ring
    rim = _on_top(picture, fit, BARE_INSET_MM if ring is None else RIM_MM / 2)
    top, usual = _on_top(picture, fit, TOP_INSET_MM), np.median(rim, axis=0)
    outside = _outside(picture, fit)
    off_within, off_without = (_distance(colors, usual) for colors in (rim, outside))
    parted = float(((off_within < ALIKE) & (off_without > ALIKE)).mean())
    goes_on = float((_distance(top, rim) < GOES_ON).mean())
    if ring is not None:
        return RimColors(parted, goes_on, _ring_step(rim, top, ring))
    return RimColors(parted, goes_on, one_way=_one_way(rim, outside), edges_beside=_edges_beside(picture, fit))


def _on_top(picture: RimPicture, fit: RimFit, inset_mm: float) -> Float32[Singles, "n 3"]:
    places = turned(fit.kind.inset_mm(inset_mm), fit.pose.turn_rad) + fit.pose.center_mm
    return picture.colors(picture.view.image_from_table(places, fit.pose.elevation_mm + BASE_HEIGHT_MM))


def _outside(picture: RimPicture, fit: RimFit) -> Float32[Singles, "n 3"]:
    """Return the ground beside a base, in the order of its outline's points."""
    lines = rim_lines(picture.view, fit.kind, fit.pose)
    outer = np.flatnonzero((lines.line == FAR) | (lines.line == LOW))
    ordered = outer[np.argsort(lines.point[outer])]
    steps_px = (OUTSIDE_MM * lines.px_per_mm[ordered])[:, None]
    return picture.colors(lines.pixels[ordered] + steps_px * lines.normals[ordered])


def _distance(colors: Float[Numbers, "n 3"], others: Float[Numbers, "*n 3"]) -> Float[Numbers, " n"]:
    return np.asarray(np.linalg.norm((colors - others) * LAB_WEIGHTS, axis=1))


def _ring_step(rim: Float32[Singles, "n 3"], top: Float32[Singles, "n 3"], ring: str) -> float:
    wanted = lab_from_bgr(np.array([[bgr_from_hex(ring)]], dtype=np.uint8))[0, 0]
    way = wanted - np.median(top, axis=0)
    way /= max(float(np.linalg.norm(way)), 1e-6)
    return float(np.clip((rim - top) @ way / WHOLE_STEP, -1, 1).mean())


def _one_way(rim: Float32[Singles, "n 3"], outside: Float32[Singles, "n 3"]) -> float:
    steps = (rim - outside) * LAB_WEIGHTS
    usual = np.median(steps, axis=0)
    along = steps @ usual / max(float(np.linalg.norm(usual)), 1e-6)
    return float((along > STEP).mean())


def _edges_beside(picture: RimPicture, fit: RimFit) -> float:
    """Return the strength of edges along the same outline at places beside the base, 0 to 1."""
    lines = rim_lines(picture.view, fit.kind, fit.pose)
    outer = (lines.line == FAR) | (lines.line == LOW)
    around = np.arange(BESIDES) * 2 * np.pi / BESIDES
    shifts = BESIDE_MM * np.column_stack([np.cos(around), np.sin(around)])
    pixels = lines.pixels[outer] + shifts[:, :1, None] * lines.right[outer] + shifts[:, 1:, None] * lines.down[outer]
    step = lines.normals[outer] * np.maximum(EDGE_WIDTH_MM * lines.px_per_mm[outer], EDGE_WIDTH_PX)[:, None]
    slopes = (picture.colors(pixels + step) - picture.colors(pixels - step)) / 2
    strength = np.linalg.norm(slopes, axis=2) / np.linalg.norm(step, axis=1)
    return float(((strength / (strength + USUAL_EDGE)) ** 2).mean())
