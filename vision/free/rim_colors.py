"""What the picture along a base's outline tells: another thing than the ground, of one piece, with a ring or not."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Float32

from calibration.arrays import Numbers, Singles
from calibration.color import bgr_from_hex, lab_from_bgr
from vision.evidence.bases import BASE_HEIGHT_MM
from vision.free.bases import RIM_MM, turned
from vision.free.rims import FAR, LOW, OUTSIDE_MM, USUAL_EDGE, RimFit, RimPicture, rim_lines

BARE_INSET_MM, TOP_INSET_MM = 1.2, 2.8
"""Where a bare base's own colour is looked at, and any base's top within a rim."""

LAB_WEIGHTS = np.array([0.5, 1.0, 1.0], dtype=np.float32)
"""Light falls unevenly on one thing; its hue changes less."""

ALIKE, GOES_ON = 8.0, 6.0
"""Colours nearer than this, in weighted Lab units, are those of one thing: all round, and a little further in."""

STEP = 4.0
"""A step of so many weighted Lab units from the ground to the base is one."""

BESIDE_MM, BESIDES = 5.0, 8
"""How far beside a base, and in how many directions, edges are looked for: on a cloth they run anywhere."""

EDGE_WIDTH_MM, EDGE_WIDTH_PX = 0.45, 0.7
"""An edge is the slope over so much to either side of a line, whichever is more."""

WHOLE_STEP = 20.0
"""A step of so many Lab units towards a ring's colour counts whole."""


@dataclass(frozen=True)
class RimColors:
    """What the picture along an outline tells, each of 0 to 1.

    Args:
        parted: the share of the outline that has the base's usual colour within and another one without.
        goes_on: the share where the top goes on inwards in the colour that it has near its edge.
        ring_step: how far the colour steps towards the ring's from the top within to the rim, -1 to 1; 0 of a bare one.
        one_way: the share where the ground steps to a bare base in the way it usually does; 0 of a painted one.
        edges_beside: how strong edges are that run as a bare base's outline does, beside it; 0 of a painted one.
    """

    parted: float
    goes_on: float
    ring_step: float = 0.0
    one_way: float = 0.0
    edges_beside: float = 0.0


def read_rim_colors(picture: RimPicture, fit: RimFit) -> RimColors:
    """The colours beside the outline of a base as it was fitted."""
    ring = fit.kind.ring
    rim = _on_top(picture, fit, BARE_INSET_MM if ring is None else RIM_MM / 2)
    top, usual = _on_top(picture, fit, TOP_INSET_MM), np.median(rim, axis=0)
    outside = _outside(picture, fit)
    off_within, off_without = (_apart(colors, usual) for colors in (rim, outside))
    parted = float(((off_within < ALIKE) & (off_without > ALIKE)).mean())
    goes_on = float((_apart(top, rim) < GOES_ON).mean())
    if ring is not None:
        return RimColors(parted, goes_on, _ring_step(rim, top, ring))
    return RimColors(parted, goes_on, one_way=_one_way(rim, outside), edges_beside=_edges_beside(picture, fit))


def _on_top(picture: RimPicture, fit: RimFit, inset_mm: float) -> Float32[Singles, "n 3"]:
    places = turned(fit.kind.inset_mm(inset_mm), fit.pose.turn_rad) + fit.pose.center_mm
    return picture.colors(picture.view.image_from_table(places, fit.pose.elevation_mm + BASE_HEIGHT_MM))


def _outside(picture: RimPicture, fit: RimFit) -> Float32[Singles, "n 3"]:
    """The ground beside a base, in the order of its outline's points."""
    lines = rim_lines(picture.view, fit.kind, fit.pose)
    outer = np.flatnonzero((lines.line == FAR) | (lines.line == LOW))
    ordered = outer[np.argsort(lines.point[outer])]
    steps_px = (OUTSIDE_MM * lines.px_per_mm[ordered])[:, None]
    return picture.colors(lines.pixels[ordered] + steps_px * lines.normals[ordered])


def _apart(colors: Float[Numbers, "n 3"], others: Float[Numbers, "*n 3"]) -> Float[Numbers, " n"]:
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
    """How strong edges are along the same outline to either side of the base, 0 to 1."""
    lines = rim_lines(picture.view, fit.kind, fit.pose)
    outer = (lines.line == FAR) | (lines.line == LOW)
    around = np.arange(BESIDES) * 2 * np.pi / BESIDES
    shifts = BESIDE_MM * np.column_stack([np.cos(around), np.sin(around)])
    pixels = lines.pixels[outer] + shifts[:, :1, None] * lines.right[outer] + shifts[:, 1:, None] * lines.down[outer]
    step = lines.normals[outer] * np.maximum(EDGE_WIDTH_MM * lines.px_per_mm[outer], EDGE_WIDTH_PX)[:, None]
    slopes = (picture.colors(pixels + step) - picture.colors(pixels - step)) / 2
    strength = np.linalg.norm(slopes, axis=2) / np.linalg.norm(step, axis=1)
    return float(((strength / (strength + USUAL_EDGE)) ** 2).mean())
