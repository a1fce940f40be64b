"""What the colours along a base's outline tell: another thing than the ground, of one piece, with a ring or without."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Float32

from calibration.arrays import Numbers, Singles
from calibration.color import bgr_from_hex, lab_from_bgr
from vision.bases import BASE_HEIGHT_MM
from vision.free.bases import RIM_MM, turned
from vision.free.rims import FAR, LOW, OUTSIDE_MM, RimFit, RimPicture, rim_lines

BARE_INSET_MM, TOP_INSET_MM = 1.2, 2.8
"""Where a bare base's own colour is looked at, and any base's top within a rim."""

LAB_WEIGHTS = np.array([0.5, 1.0, 1.0], dtype=np.float32)
"""Light falls unevenly on one thing; its hue changes less."""

ALIKE, GOES_ON = 8.0, 6.0
"""Colours nearer than this, in weighted Lab units, are those of one thing: all round, and a little further in."""

WHOLE_STEP = 20.0
"""A step of so many Lab units towards a ring's colour counts whole."""


@dataclass(frozen=True)
class RimColors:
    """What the colours along an outline tell, each of 0 to 1.

    Args:
        parted: the share of the outline that has the base's usual colour within and another one without.
        goes_on: the share where the top goes on inwards in the colour that it has near its edge.
        ring_step: how far the colour steps towards the ring's from the top within to the rim, -1 to 1; 0 of a bare one.
    """

    parted: float
    goes_on: float
    ring_step: float = 0.0


def read_rim_colors(picture: RimPicture, fit: RimFit) -> RimColors:
    """The colours beside the outline of a base as it was fitted."""
    ring = fit.kind.ring
    rim = _on_top(picture, fit, BARE_INSET_MM if ring is None else RIM_MM / 2)
    top, usual = _on_top(picture, fit, TOP_INSET_MM), np.median(rim, axis=0)
    off_within, off_without = (_apart(colors, usual) for colors in (rim, _outside(picture, fit)))
    parted = float(((off_within < ALIKE) & (off_without > ALIKE)).mean())
    goes_on = float((_apart(top, rim) < GOES_ON).mean())
    return RimColors(parted, goes_on, 0.0 if ring is None else _ring_step(rim, top, ring))


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
