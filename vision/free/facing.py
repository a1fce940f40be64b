"""The facing of a model by the mark on its rim, or None if the picture does not show it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from jaxtyping import Float

from assistant.table.roster import RosterFigure
from calibration.arrays import Numbers
from calibration.color import bgr_from_hex, lab_from_bgr
from vision.evidence.bases import BASE_HEIGHT_MM, RIM_MM
from vision.free.bases import turned
from vision.free.rims import RimFit, RimPicture

ANGLES = 120
MARK_DEG = 20.0
"""Width of a mark on the rim of a usual base, two brush widths."""

STANDS_OUT, UNLIKE_OTHERS = 9.0, 1.6
"""Least difference of a mark from the rim's usual colour in Lab units, and its ratio to any other difference on it."""

LEAST_SHARE, MOST_BESIDE = 0.4, 0.6
"""Least share of the colour change from rim to mark, and largest deviation from that line per share."""

WIDEST_DEG = 36.0
"""Largest width of a mark at half its brightness. Bodies before the far rim, and shadows, are wider.

Chosen on 446 round bases with a mark under 22 and 43 simulated tables (seeds 41000 to 46014, 52000 to 52043). Without
these limits all 446 facings were stated, 30 of them wrong by over 15 degrees. With them 294 are stated, none wrong,
with an RMS error of 1.6 degrees."""

ROUND_ERROR_DEG, SIDE_ERROR_DEG = 5.0, 1.5


class Facing(NamedTuple):
    """The direction of a model's front, from x towards y, and its error."""

    facing_deg: float
    error_deg: float


def find_facing(picture: RimPicture, fit: RimFit) -> Facing | None:
    """Return the facing of a model, or None without a visible mark."""
    marked = [figure for figure in fit.kind.figures if figure.mark]
    if not marked or len(marked) < len(fit.kind.figures) or _is_like_its_ring(marked[0]):
        return None
    way = _Way.to_mark(picture, fit, marked[0])
    return _of_round(picture, fit, way) if fit.kind.is_round else _of_rectangle(picture, fit, way)


@dataclass(frozen=True, eq=False)
class _Way:
    """The line in Lab from the usual colour of a rim to that of its mark."""

    usual: Float[Numbers, "3"]
    along: Float[Numbers, "3"]
    length: float

    @classmethod
    def to_mark(cls, picture: RimPicture, fit: RimFit, figure: RosterFigure) -> _Way:
        """Return the line for the rim of a fitted base."""
        usual = np.median(_colors(picture, fit, fit.kind.inset_mm(RIM_MM / 2)), axis=0)
        way = _lab(figure.mark or "#ffffff") - usual
        length = max(float(np.linalg.norm(way)), 1e-6)
        return cls(usual, way / length, length)

    def towards(self, colors: Float[Numbers, "n 3"]) -> Float[Numbers, " n"]:
        """Return the share of the line that colours have moved towards the mark's."""
        return np.asarray((colors - self.usual) @ self.along)

    def leads_to(self, color: Float[Numbers, "3"]) -> bool:
        """Return whether a colour is a mixture with the mark's rather than another deviation from the rim."""
        gone = color - self.usual
        come = float(gone @ self.along)
        beside = float(np.linalg.norm(gone - come * self.along))
        return come > LEAST_SHARE * self.length and beside < MOST_BESIDE * come


def _of_round(picture: RimPicture, fit: RimFit, way: _Way) -> Facing | None:
    angle = np.arange(ANGLES) * (2 * np.pi / ANGLES)
    radius = fit.kind.size_mm[0] / 2 - RIM_MM / 2
    colors = _colors(picture, fit, radius * np.column_stack([np.cos(angle), np.sin(angle)]))
    towards = way.towards(colors)
    wide = max(3, round(ANGLES * MARK_DEG / 360))
    ring = np.concatenate([towards[-wide:], towards, towards[:wide]])
    smooth = np.convolve(ring, np.ones(wide) / wide, mode="same")[wide:-wide]
    best = int(smooth.argmax())
    away = np.abs((np.arange(ANGLES) - best + ANGLES // 2) % ANGLES - ANGLES // 2) > 1.5 * wide
    if smooth[best] < STANDS_OUT or smooth[best] < UNLIKE_OTHERS * max(float(smooth[away].max()), 1.0):
        return None
    width_deg = float((towards > smooth[best] / 2).sum()) * 360 / ANGLES
    middle_color = colors[np.arange(best - wide // 2, best + wide // 2 + 1) % ANGLES].mean(axis=0)
    if width_deg >= WIDEST_DEG or not way.leads_to(middle_color):
        return None
    near = np.arange(best - wide, best + wide + 1)
    weights = np.maximum(towards[near % ANGLES], 0)
    middle = float((weights * near).sum() / max(float(weights.sum()), 1e-6))
    return Facing(math.degrees(middle * 2 * math.pi / ANGLES) % 360, ROUND_ERROR_DEG)


def _of_rectangle(picture: RimPicture, fit: RimFit, way: _Way) -> Facing | None:
    """Return the facing of a rectangle: the turn of its fit, with the front end by the mark."""
    width, depth = fit.kind.size_mm
    quarter = 1 if width == depth else 2
    along = np.linspace(-0.1, 0.1, 7)
    front = np.column_stack([np.full(7, width / 2 - RIM_MM / 2), along * depth])
    colors = {
        quarters: _colors(picture, fit, turned(front, quarters * np.pi / 2)).mean(axis=0)
        for quarters in range(0, 4, quarter)
    }
    towards = {quarters: float(way.towards(color[None])[0]) for quarters, color in colors.items()}
    quarters, second = sorted(towards, key=lambda each: -towards[each])[:2]
    best = towards[quarters]
    if best < STANDS_OUT or best < UNLIKE_OTHERS * max(towards[second], 1.0) or not way.leads_to(colors[quarters]):
        return None
    error_deg = max(SIDE_ERROR_DEG, math.degrees(fit.turn_error_rad))
    return Facing((math.degrees(fit.pose.turn_rad) + 90 * quarters) % 360, error_deg)


def _is_like_its_ring(figure: RosterFigure) -> bool:
    """Return whether a mark is so close to its rim's colour that glare or a shadow differs as much."""
    if figure.ring is None or figure.mark is None:
        return False
    ring, mark = (_lab(color) for color in (figure.ring, figure.mark))
    return float(np.linalg.norm(ring - mark)) < 2 * STANDS_OUT


def _lab(color: str) -> Float[Numbers, "3"]:
    return np.asarray(lab_from_bgr(np.array([[bgr_from_hex(color)]], dtype=np.uint8))[0, 0])


def _colors(picture: RimPicture, fit: RimFit, points_mm: Float[Numbers, "n 2"]) -> Float[Numbers, "n 3"]:
    places = turned(points_mm, fit.pose.turn_rad) + fit.pose.center_mm
    return picture.colors(picture.view.image_from_table(places, fit.pose.elevation_mm + BASE_HEIGHT_MM))
