"""The colour of a figure's rim in one photo and in several, and its match among the roster's rings."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from jaxtyping import Float

from assistant.table.roster import RosterFigure
from calibration.arrays import Numbers
from calibration.color import LAB_BLACK, bgr_from_hex, gamma_from_light, lab_from_bgr, light_from_gamma
from vision.evidence.bases import RIM_MM
from vision.photo.paper_light import PAPER_ALBEDO, PaperLight
from vision.teaching.base_outlines import BaseOutline
from vision.teaching.things import ASKED, SHADE, TABLE_SHARE, GroundView

_CHROMA_OF_RING = 16.0
"""CIELAB chroma below which a rim is the base's own grey."""

_BLUR_MM = 0.5

_UPPER = 0.75
"""Quantile of a rim's pixels, by their difference from both sides, from which they are its own, and of the light of a
ring in its photos. On six rendered line-ups the true ring lay between the 60th and the 99th percentile."""

_OWN_RING = 30.0
"""Difference (CIELAB, shade reduced) within which a rim is its kind's ring in the roster. Light, blur and paint cause
10 to 20."""


def ring_color(
    ground: GroundView, outline: BaseOutline, light: PaperLight, camera_px: Float[Numbers, " 2"]
) -> str | None:
    """Return the rim's colour relative to white paper, or None if it is as grey as the rest of the base.

    Only the side towards the camera counts, since bodies lean away over the far side. Among its pixels, those least
    like either side of the rim count, since a rim is as narrow as the blur.
    """
    inward_mm = outline.inward_mm(ground.frame.size_wh)
    width, height = ground.frame.size_wh
    down, right = np.mgrid[:height, :width]
    x, y = camera_px - outline.center_px
    near = (right - outline.center_px[0]) * x + (down - outline.center_px[1]) * y > 0

    def seen(from_mm: float, to_mm: float) -> Float[Numbers, "n 3"]:
        return np.asarray(ground.image[near & (inward_mm >= from_mm) & (inward_mm <= to_mm)], dtype=np.float64)

    rim, outside = seen(-_BLUR_MM, RIM_MM + _BLUR_MM), seen(-4.0, -1.0)
    inside = seen(RIM_MM + 1, 0.3 * min(outline.size_mm))
    if min(len(rim), len(outside), len(inside)) == 0:
        return None
    lab, lab_inside = lab_from_bgr(rim[None])[0], lab_of_color(np.median(inside, axis=0))
    lab_outside = lab_from_bgr(outside[:: max(1, len(outside) // ASKED)][None])[0]
    off = np.minimum(np.linalg.norm((lab - lab_inside)[:, 1:], axis=1), _off_pattern(lab, lab_outside))
    bgr = np.median(rim[off >= np.quantile(off, _UPPER)], axis=0)
    lab_rim = lab_of_color(bgr)
    if np.hypot(*lab_rim[1:]) < _CHROMA_OF_RING or np.linalg.norm((lab_rim - lab_inside)[1:]) < _CHROMA_OF_RING / 2:
        return None
    if _off_pattern(lab_rim[None], lab_outside)[0] < _CHROMA_OF_RING / 2:
        return None
    if _is_mixture(lab_rim, lab_inside, np.median(lab_outside, axis=0)):
        return None
    place = ground.frame.table_from_frame(np.array([outline.center_px]))
    paper = float(light.brightness_at(place)[0]) * float(light.tint.min())
    linear = light_from_gamma(np.round(bgr).astype(np.uint8)[None, None]) / max(paper, 1e-3) * PAPER_ALBEDO
    blue, green, red = gamma_from_light(np.asarray(linear, dtype=np.float32))[0, 0].tolist()
    return f"#{red:02x}{green:02x}{blue:02x}"


def _off_pattern(lab: Float[Numbers, "n 3"], outside: Float[Numbers, "m 3"]) -> Float[Numbers, " n"]:
    """Return the hues' distance from the nearest tenth outside, where a cloth may have stripes and checks."""
    off = np.linalg.norm(lab[:, None, 1:] - outside[None, :, 1:], axis=2)
    return np.asarray(np.quantile(off, TABLE_SHARE, axis=1))


def _is_mixture(lab: Float[Numbers, " 3"], inside: Float[Numbers, " 3"], outside: Float[Numbers, " 3"]) -> bool:
    """Return whether a hue lies between those of both sides: the blur of a dark base's edge on a coloured table."""
    across, here = (outside - inside)[1:], (lab - inside)[1:]
    share = float(here @ across) / max(float(across @ across), 1e-6)
    off = float(np.linalg.norm(here - share * across))
    return 0 < share < 1 and off < _CHROMA_OF_RING / 2


def lab_of_color(bgr: Float[Numbers, " 3"]) -> Float[Numbers, " 3"]:
    """Return CIELAB of one colour."""
    lab: Numbers = lab_from_bgr(bgr[None, None])[0, 0]
    return lab


def agreed_ring(rings: Sequence[str | None]) -> str | None:
    """Return the upper quartile of the rings of the usual hue, or None if most photos show none.

    Shade, blur and surroundings only remove light and colour from a narrow rim, so the median is too dark.
    """
    colors = [ring for ring in rings if ring is not None]
    if 2 * len(colors) < len(rings) or not colors:
        return None
    lab = _lab_of_colors(colors)
    usual = np.median(lab, axis=0)
    hues = lab[:, 1:] @ usual[1:] / np.maximum(np.linalg.norm(lab[:, 1:], axis=1) * np.linalg.norm(usual[1:]), 1e-6)
    usual_ones = np.flatnonzero(hues >= np.median(hues))
    light = np.linalg.norm(lab[usual_ones] - LAB_BLACK, axis=1).round(3)
    return colors[int(usual_ones[np.argsort(light)[math.ceil(_UPPER * (len(light) - 1))]])]


def known_ring(ring: str, figures: Sequence[RosterFigure], kind: str) -> str | None:
    """Return the roster's ring for this colour: its kind's, or an indistinguishable one of another kind.

    The result is the nearer of both as ``#rrggbb``, or None for a new ring.
    """
    near = [
        (off, known.ring)
        for known in figures
        if known.ring
        and (off := _unlike(known.ring, ring)) <= (_OWN_RING if known.kind == kind else _CHROMA_OF_RING / 2)
    ]
    return min(near, default=(0.0, None))[1]


def are_unlike_rings(one: str, other: str) -> bool:
    """Return whether two colours are too different for one ring in different light."""
    return _unlike(one, other) > _OWN_RING


def _unlike(one: str, other: str) -> float:
    """Return the difference of two colours (CIELAB), shade reduced."""
    lab = _lab_of_colors([one, other]) * (SHADE, 1, 1)
    return float(np.linalg.norm(lab[0] - lab[1]))


def _lab_of_colors(colors: Sequence[str]) -> Float[Numbers, "n 3"]:
    return np.array([lab_of_color(np.array(bgr_from_hex(color), dtype=np.float64)) for color in colors])
