"""Who stands before a model and who behind it, within so many steps, as exactly as a picture tells where it looks."""

from __future__ import annotations

import math
from dataclasses import dataclass

from assistant.table.free_sighting import FreeSighting
from assistant.table.free_table import FreeFigure
from assistant.table.plane import nearest_between

SURE_ERRORS = 2.0
"""Whoever stands so many standard deviations beside the line through the middle is surely before or behind it."""


@dataclass(frozen=True)
class Fronts:
    """Others within a distance, by their names; ``beside`` are those of whom the picture does not tell it."""

    before: tuple[str, ...]
    behind: tuple[str, ...]
    beside: tuple[str, ...]


def fronts_of(sighting: FreeSighting, name: str, reach_mm: float) -> Fronts | None:
    """Who is before and who behind a model, parted by the line across its middle; None where nothing tells its front.

    Args:
        sighting: what a picture shows.
        name: the model.
        reach_mm: how far the others' bases are from its own at most.

    Raises:
        UnknownName: the table holds no such figure.
    """
    figure, spot = sighting.table.figure(name), sighting.spots.get(name)
    if spot is None or spot.facing_error_deg is None:
        return None
    told: dict[str, list[str]] = {"before": [], "behind": [], "beside": []}
    for other in sighting.table.figures:
        if other is not figure and _gap_mm(figure, other) <= reach_mm:
            across_deg = 90.0 - abs(_aside_deg(figure, other))
            side = "before" if across_deg > 0 else "behind"
            told["beside" if abs(across_deg) < SURE_ERRORS * spot.facing_error_deg else side].append(other.id)
    return Fronts(tuple(told["before"]), tuple(told["behind"]), tuple(told["beside"]))


def _aside_deg(figure: FreeFigure, other: FreeFigure) -> float:
    """How far beside the way that a figure looks another's middle is: 0 straight ahead, 180 straight behind."""
    x, y = (float(other.center_mm[i] - figure.center_mm[i]) for i in (0, 1))
    return (math.degrees(math.atan2(y, x)) - float(figure.facing_deg) + 180) % 360 - 180


def _gap_mm(a: FreeFigure, b: FreeFigure) -> float:
    (ax, ay), (bx, by) = nearest_between(a.core_mm, b.core_mm)
    return math.hypot(float(ax - bx), float(ay - by)) - float(a.radius_mm + b.radius_mm)
