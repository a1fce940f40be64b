"""A lens at a place: where points of the table appear, without OpenCV, so that anybody can compute it again."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float64

from assistant.table.camera import CameraLens, Matrix
from calibration.arrays import Doubles, Points, PointsLike
from calibration.lens_model import pixels_from_normalized

Heights = float | Float64[Doubles, " _n"]
"""Height above the table top in millimetres, one for all points or one for each, (N,)."""


@dataclass(frozen=True, slots=True)
class PlacedCamera:
    """What a picture's pixels follow from.

    Args:
        lens: the lens, for the size of the picture.
        rotation: of ``camera_from_table``, its rows.
        translation_mm: of ``camera_from_table``.
    """

    lens: CameraLens
    rotation: Matrix
    translation_mm: tuple[float, float, float]

    def image_from_table(self, points_mm: PointsLike, height_mm: Heights = 0.0) -> Points:
        """The pixels (N, 2) of table points (N, 2) at that height; NaN for what is behind the camera."""
        plan = np.asarray(points_mm, dtype=np.float64).reshape(-1, 2)
        solid = np.column_stack([plan, np.broadcast_to(-np.asarray(height_mm, dtype=np.float64), len(plan))])
        in_camera = solid @ np.array(self.rotation).T + np.array(self.translation_mm)
        depth = np.where(in_camera[:, 2:] > 0, in_camera[:, 2:], np.nan)
        return pixels_from_normalized(in_camera[:, :2] / depth, self.lens)
