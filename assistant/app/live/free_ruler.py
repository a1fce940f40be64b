"""A ruler on a picture of a table without a grid: how long, and by how much that may be out."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from assistant.app.live.shots import PointPx
from assistant.errors import BadValue
from assistant.translations.messages import said
from calibration.pose import CameraView

TAP_PX = 1.0
"""How far a finger is from the point that it means, once it is drawn large: in the picture's own pixels."""


@dataclass(frozen=True)
class Measure:
    """A distance on the table, and how exactly it is known."""

    length_mm: float
    error_mm: float
    steps: float


def measure_between(view: CameraView, start_px: PointPx, end_px: PointPx, step_mm: float) -> Measure:
    """The distance on the table between two points of a picture.

    What it may be out by is what it changes by if a tap is a pixel off in whichever direction changes it most: from
    the side a pixel is longer along the view than across it.

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
    pixels = np.stack([right - places, down - places])  # (2 directions, 2 ends, 2)
    if length_mm > 0:
        changes = np.linalg.norm(pixels @ (way / length_mm), axis=0)
    else:
        changes = np.array([np.linalg.norm(pixels[:, end], ord=2) for end in range(2)])
    return Measure(length_mm, math.hypot(*changes.tolist()), length_mm / step_mm)
