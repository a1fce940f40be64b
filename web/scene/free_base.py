"""The outline of a base on a table without a grid, in picture pixels."""

from __future__ import annotations

import math

from assistant.app.live.shots import PictureProjection, PointPx
from assistant.table.free_table import FreeFigure
from web.scene.drawing import BASE_CORNERS

BASE_TOP_MM = 3.0
"""Outlines are drawn round the upper side of a base, which a camera sees whole."""


def around_base(
    view: PictureProjection, figure: FreeFigure, reach_mm: float = 0.0, corners: int = BASE_CORNERS
) -> list[PointPx]:
    """The line of all places so far from a figure's base, at the height of that; without a reach the base itself."""
    core = [(float(x), float(y)) for x, y in figure.core_mm]
    radius_mm = float(figure.radius_mm) + reach_mm
    places = []
    for i in range(corners):
        c, s = math.cos(2 * math.pi * i / corners), math.sin(2 * math.pi * i / corners)
        x, y = max(core, key=lambda corner: corner[0] * c + corner[1] * s)
        places.append((x + radius_mm * c, y + radius_mm * s))
    pixels = view.image_from_table(places, float(figure.elevation_mm) + BASE_TOP_MM)
    return [(round(x, 1), round(y, 1)) for x, y in pixels]
