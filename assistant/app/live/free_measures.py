"""Measures on a table without a grid: a ruler with its error, and the figures before and behind a model."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from assistant.app.live.shots import PointPx
from assistant.errors import BadValue
from assistant.table.free_sighting import FreeSighting
from assistant.table.free_table import FreeFigure
from assistant.table.plane import nearest_between
from assistant.translations.messages import said
from calibration.pose import CameraView

TAP_PX = 1.0
"""Error of a tap on an enlarged picture, in the picture's own pixels."""


@dataclass(frozen=True)
class Measure:
    """A distance on the table, and its error."""

    length_mm: float
    error_mm: float
    steps: float


def measure_between(view: CameraView, start_px: PointPx, end_px: PointPx, step_mm: float) -> Measure:
    """Measure the distance on the table between two points of a picture.

    Its error is the change if each tap is a pixel off in the direction that changes it most. From the side, a pixel
    covers more along the line of sight than across it.

    Raises:
        BadValue: a point does not lie on the table.
    """
    ends = np.array([start_px, end_px], dtype=float)
    beside = [view.table_from_image(ends + shift) for shift in ((0.0, 0.0), (TAP_PX, 0.0), (0.0, TAP_PX))]
    if not all(np.isfinite(places).all() for places in beside):
        raise BadValue(said("this point does not lie on the table; tap on the table"), field="points")
    places, right, down = beside
    way = places[1] - places[0]
    length_mm = float(np.linalg.norm(way))
    pixels = np.stack([right - places, down - places])  # axes: 2 directions, 2 ends, 2 coordinates
    if length_mm > 0:
        changes = np.linalg.norm(pixels @ (way / length_mm), axis=0)
    else:
        changes = np.array([np.linalg.norm(pixels[:, end], ord=2) for end in range(2)])
    return Measure(length_mm, math.hypot(*changes.tolist()), length_mm / step_mm)


SURE_ERRORS = 2.0
"""Standard deviations from the line through a model's centre beyond which a figure is surely before or behind it."""


@dataclass(frozen=True)
class Fronts:
    """Figures within a distance, by name. The picture leaves open on which side those in ``beside`` are."""

    before: tuple[str, ...]
    behind: tuple[str, ...]
    beside: tuple[str, ...]


def fronts_of(sighting: FreeSighting, name: str, reach_mm: float) -> Fronts | None:
    """Return the figures before and behind a model, as divided by the line across its centre.

    Args:
        sighting: the sighting of a picture.
        name: the model.
        reach_mm: largest distance of the others' bases from its own.

    Raises:
        UnknownName: the table holds no such figure.
    """
    figure, spot = sighting.table.figure(name), sighting.spots.get(name)
    if spot is None or spot.facing_error_deg is None:
        return None
    sides: dict[str, list[str]] = {"before": [], "behind": [], "beside": []}
    for other in sighting.table.figures:
        if other is not figure and _gap_mm(figure, other) <= reach_mm:
            across_deg = 90.0 - abs(_aside_deg(figure, other))
            side = "before" if across_deg > 0 else "behind"
            sides["beside" if abs(across_deg) < SURE_ERRORS * spot.facing_error_deg else side].append(other.id)
    return Fronts(tuple(sides["before"]), tuple(sides["behind"]), tuple(sides["beside"]))


def _aside_deg(figure: FreeFigure, other: FreeFigure) -> float:
    """Return the angle from a figure's facing to another's centre: 0 straight ahead, 180 straight behind."""
    x, y = (float(other.center_mm[i] - figure.center_mm[i]) for i in (0, 1))
    return (math.degrees(math.atan2(y, x)) - float(figure.facing_deg) + 180) % 360 - 180


def _gap_mm(a: FreeFigure, b: FreeFigure) -> float:
    (ax, ay), (bx, by) = nearest_between(a.core_mm, b.core_mm)
    return math.hypot(float(ax - bx), float(ay - by)) - float(a.radius_mm + b.radius_mm)
