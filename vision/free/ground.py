"""How high the ground is where bases may stand, and what of it a camera sees past the terrain."""

from __future__ import annotations

import cv2
import numpy as np
from jaxtyping import Float

from assistant.table.free_table import FreeTable
from calibration.arrays import Numbers

PX_PER_MM = 1.0
"""How finely heights are kept: terrain was drawn by a finger."""

LOWEST_MM = 3.0
"""Terrain is in nobody's way that reaches less far over a place: its outline may be out by a little."""

RAY_STEPS = 24


class Ground:
    """The solid terrain of a table.

    Args:
        table: the table; who stands on it is no matter.
    """

    def __init__(self, table: FreeTable) -> None:
        solid = sorted((t for t in table.terrain if t.kind in ("wall", "cover")), key=lambda t: t.height_mm)
        self._pieces = [
            (np.array([[float(x), float(y)] for x, y in t.outline_mm], np.float32), float(t.height_mm)) for t in solid
        ]
        width, depth = (max(1, round(float(side) * PX_PER_MM)) for side in table.size_mm)
        self._heights = np.zeros((depth, width), np.float32)
        for outline, height_mm in self._pieces:
            cv2.fillPoly(self._heights, [np.round(outline * PX_PER_MM - 0.5).astype(np.int32)], height_mm)

    def height_at(self, place_mm: tuple[float, float]) -> float:
        """How high the ground is there: the top of the highest solid piece of terrain, or the table."""
        x, y = (float(value) for value in place_mm)
        tops = (height for outline, height in self._pieces if cv2.pointPolygonTest(outline, (x, y), False) >= 0)
        return max(tops, default=0.0)

    def share_in_sight(
        self, points_mm: Float[Numbers, "n 2"], elevation_mm: float, eye_mm: Float[Numbers, "3"]
    ) -> float:
        """The share of points at a height that no terrain hides from a camera, 0 to 1."""
        highest = float(self._heights.max(initial=0.0))
        if highest <= elevation_mm:
            return 1.0
        heights = np.linspace(elevation_mm, highest, RAY_STEPS + 1)[1:]
        along = (heights - elevation_mm) / max(float(eye_mm[2]) - elevation_mm, 1.0)
        places = points_mm[:, None] + along[None, :, None] * (eye_mm[:2] - points_mm)[:, None]
        columns, rows = np.moveaxis(np.floor(places * PX_PER_MM).astype(int), 2, 0)
        depth, width = self._heights.shape
        is_on = (columns >= 0) & (columns < width) & (rows >= 0) & (rows < depth)
        over = self._heights[np.clip(rows, 0, depth - 1), np.clip(columns, 0, width - 1)]
        is_hidden = is_on & (over > heights) & (over > elevation_mm + LOWEST_MM)
        return float(1 - is_hidden.any(axis=1).mean())
