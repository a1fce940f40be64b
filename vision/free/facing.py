"""Where a model looks, by the mark on its rim; a picture that does not tell is said to not tell."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from jaxtyping import Float

from assistant.table.roster import RosterFigure
from calibration.arrays import Numbers
from calibration.color import bgr_from_hex, lab_from_bgr
from vision.bases import BASE_HEIGHT_MM
from vision.free.bases import RIM_MM, turned
from vision.free.rims import RimFit, RimPicture

ANGLES = 120
MARK_DEG = 20.0
"""How wide a mark is on the rim of a usual base: two brush widths."""

STANDS_OUT, UNLIKE_OTHERS = 9.0, 1.6
"""A mark differs from the rim's usual colour by so many Lab units, and by so much more than anything else on it."""

ROUND_ERROR_DEG, SIDE_ERROR_DEG = 5.0, 1.5


class Facing(NamedTuple):
    """Where a model looks, from x towards y, and how exactly that is known."""

    facing_deg: float
    error_deg: float


def find_facing(picture: RimPicture, fit: RimFit) -> Facing | None:
    """Where a model looks; None where nothing tells."""
    marked = [figure for figure in fit.kind.figures if figure.mark]
    if not marked or len(marked) < len(fit.kind.figures) or _is_like_its_ring(marked[0]):
        return None
    return _of_round(picture, fit, marked[0]) if fit.kind.is_round else _of_rectangle(picture, fit, marked[0])


def _of_round(picture: RimPicture, fit: RimFit, figure: RosterFigure) -> Facing | None:
    angle = np.arange(ANGLES) * (2 * np.pi / ANGLES)
    radius = fit.kind.size_mm[0] / 2 - RIM_MM / 2
    points = radius * np.column_stack([np.cos(angle), np.sin(angle)])
    towards = _towards_mark(picture, fit, points, figure)
    wide = max(3, round(ANGLES * MARK_DEG / 360))
    ring = np.concatenate([towards[-wide:], towards, towards[:wide]])
    smooth = np.convolve(ring, np.ones(wide) / wide, mode="same")[wide:-wide]
    best = int(smooth.argmax())
    away = np.abs((np.arange(ANGLES) - best + ANGLES // 2) % ANGLES - ANGLES // 2) > 1.5 * wide
    if smooth[best] < STANDS_OUT or smooth[best] < UNLIKE_OTHERS * max(float(smooth[away].max()), 1.0):
        return None
    near = np.arange(best - wide, best + wide + 1)
    says = np.maximum(towards[near % ANGLES], 0)
    middle = float((says * near).sum() / max(float(says.sum()), 1e-6))
    return Facing(math.degrees(middle * 2 * math.pi / ANGLES) % 360, ROUND_ERROR_DEG)


def _of_rectangle(picture: RimPicture, fit: RimFit, figure: RosterFigure) -> Facing | None:
    """A rectangle is turned as it was fitted; the mark tells which end is in front."""
    width, depth = fit.kind.size_mm
    quarter = 1 if width == depth else 2
    along = np.linspace(-0.1, 0.1, 7)
    seen = []
    for quarters in range(0, 4, quarter):
        points = np.column_stack([np.full(7, width / 2 - RIM_MM / 2), along * depth])
        seen.append((float(_towards_mark(picture, fit, turned(points, quarters * np.pi / 2), figure).mean()), quarters))
    (best, quarters), (second, _) = sorted(seen, reverse=True)[:2]
    if best < STANDS_OUT or best < UNLIKE_OTHERS * max(second, 1.0):
        return None
    error_deg = max(SIDE_ERROR_DEG, math.degrees(fit.turn_error_rad))
    return Facing((math.degrees(fit.pose.turn_rad) + 90 * quarters) % 360, error_deg)


def _is_like_its_ring(figure: RosterFigure) -> bool:
    """Whether a mark is so near to the color of its rim that a glare or a shadow is as unlike it."""
    if figure.ring is None or figure.mark is None:
        return False
    ring, mark = (_lab(color) for color in (figure.ring, figure.mark))
    return float(np.linalg.norm(ring - mark)) < 2 * STANDS_OUT


def _lab(color: str) -> Float[Numbers, "3"]:
    return np.asarray(lab_from_bgr(np.array([[bgr_from_hex(color)]], dtype=np.uint8))[0, 0])


def _towards_mark(
    picture: RimPicture, fit: RimFit, points_mm: Float[Numbers, "n 2"], figure: RosterFigure
) -> Float[Numbers, " n"]:
    """How far places on the rim's top are from its usual colour towards the mark's, in Lab units, (N,)."""
    usual = np.median(_colors(picture, fit, fit.kind.inset_mm(RIM_MM / 2)), axis=0)
    way = _lab(figure.mark or "#ffffff") - usual
    return np.asarray((_colors(picture, fit, points_mm) - usual) @ way / max(float(np.linalg.norm(way)), 1e-6))


def _colors(picture: RimPicture, fit: RimFit, points_mm: Float[Numbers, "n 2"]) -> Float[Numbers, "n 3"]:
    places = turned(points_mm, fit.pose.turn_rad) + fit.pose.center_mm
    return picture.colors(picture.view.image_from_table(places, fit.pose.elevation_mm + BASE_HEIGHT_MM))
