"""OpenCV's pinhole model with five distortion coefficients, exact to rounding in both directions.

``cv2.undistortPoints`` stops after five rounds of a fixed point, which leaves more than a pixel at the rim of a wide
lens. Here Newton's method inverts the model, so that projecting and looking back give the same point. Nothing here
needs OpenCV, so that anybody can verify evidence without it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache

import numpy as np
from jaxtyping import Float64

from assistant.table.camera import CameraLens, Matrix
from calibration.arrays import Doubles, Points, PointsLike

Heights = float | Float64[Doubles, " _n"]
"""Height above the table top in millimetres: one for all points, or one for each (N,)."""

NEWTON_ROUNDS = 12
"""Newton rounds. Four suffice for webcams, twelve reach the rim of a lens with k1 = -0.4."""


def matrix_of(lens: CameraLens) -> Float64[Doubles, "3 3"]:
    """Return the camera matrix, (3, 3)."""
    return np.array(lens.matrix, dtype=np.float64)


@cache
def fold_radius(lens: CameraLens) -> float:
    """Return the distance from the axis, at depth 1, beyond which the distortion model folds back.

    It is infinite for most lenses. OpenCV also projects points beyond it, and so puts points from far outside back into
    the picture.
    """
    k1, k2, _, _, k3 = lens.distortion
    coefficients = np.array([7 * k3, 5 * k2, 3 * k1, 1.0])
    coefficients[np.abs(coefficients) < 1e-12] = 0.0  # Practically none, and too small to divide by.
    squares = np.roots(coefficients)
    folds = [root.real for root in squares if root.real > 0 and abs(root.imag) < 1e-9]
    return math.sqrt(min(folds)) if folds else math.inf


def pixels_from_normalized(normalized: Float64[Doubles, "n 2"], lens: CameraLens) -> Float64[Doubles, "n 2"]:
    """Return the pixels (N, 2) of points (N, 2) at depth 1, or NaN beyond the fold."""
    matrix = matrix_of(lens)
    distorted = _distort(normalized, lens)
    distorted[np.hypot(*normalized.T) > fold_radius(lens)] = np.nan
    pixels: Doubles = distorted @ matrix[:2, :2].T + matrix[:2, 2]
    return pixels


def normalized_from_pixels(points_px: Float64[Doubles, "n 2"], lens: CameraLens) -> Float64[Doubles, "n 2"]:
    """Return the points (N, 2) at depth 1 behind pixels (N, 2), or NaN where the model has none."""
    matrix = matrix_of(lens)
    centered = np.asarray(points_px, dtype=np.float64) - matrix[:2, 2]
    target: Doubles = np.linalg.solve(matrix[:2, :2], centered.T).T.astype(np.float64)
    if not any(lens.distortion):
        return target
    guess = target.copy()
    for _ in range(NEWTON_ROUNDS):
        step = _newton_step(guess, target, lens)
        guess -= step
        if np.abs(step).max(initial=0.0) < 1e-13:
            break
    lost = ~(np.abs(_distort(guess, lens) - target).max(axis=1) < 1e-9)
    guess[lost | (np.hypot(*guess.T) > fold_radius(lens))] = np.nan
    return guess


def _distort(normalized: Float64[Doubles, "n 2"], lens: CameraLens) -> Float64[Doubles, "n 2"]:
    k1, k2, p1, p2, k3 = lens.distortion
    x, y = normalized[:, 0], normalized[:, 1]
    r2 = x * x + y * y
    radial = 1 + r2 * (k1 + r2 * (k2 + r2 * k3))
    return np.column_stack(
        [x * radial + 2 * p1 * x * y + p2 * (r2 + 2 * x * x), y * radial + p1 * (r2 + 2 * y * y) + 2 * p2 * x * y]
    )


def _newton_step(
    guess: Float64[Doubles, "n 2"], target: Float64[Doubles, "n 2"], lens: CameraLens
) -> Float64[Doubles, "n 2"]:
    k1, k2, p1, p2, k3 = lens.distortion
    x, y = guess[:, 0], guess[:, 1]
    r2 = x * x + y * y
    radial = 1 + r2 * (k1 + r2 * (k2 + r2 * k3))
    slope = 2 * (k1 + r2 * (2 * k2 + r2 * 3 * k3))
    xx = radial + x * x * slope + 2 * p1 * y + 6 * p2 * x
    xy = x * y * slope + 2 * p1 * x + 2 * p2 * y
    yy = radial + y * y * slope + 6 * p1 * y + 2 * p2 * x
    missed = _distort(guess, lens) - target
    # The model has no inverse beyond its fold; the guard keeps numbers finite there.
    determinant = np.maximum(xx * yy - xy * xy, 0.05)
    return np.column_stack(
        [(yy * missed[:, 0] - xy * missed[:, 1]) / determinant, (xx * missed[:, 1] - xy * missed[:, 0]) / determinant]
    )


@dataclass(frozen=True, slots=True)
class PlacedCamera:
    """A lens and its pose, enough to project points of the table.

    Args:
        lens: the lens, for the size of the picture.
        rotation: the rows of the rotation of ``camera_from_table``.
        translation_mm: the translation of ``camera_from_table``.
    """

    lens: CameraLens
    rotation: Matrix
    translation_mm: tuple[float, float, float]

    def image_from_table(self, points_mm: PointsLike, height_mm: Heights = 0.0) -> Points:
        """Return the pixels (N, 2) of table points (N, 2) at that height, or NaN behind the camera."""
        plan = np.asarray(points_mm, dtype=np.float64).reshape(-1, 2)
        solid = np.column_stack([plan, np.broadcast_to(-np.asarray(height_mm, dtype=np.float64), len(plan))])
        in_camera = solid @ np.array(self.rotation).T + np.array(self.translation_mm)
        depth = np.where(in_camera[:, 2:] > 0, in_camera[:, 2:], np.nan)
        return pixels_from_normalized(in_camera[:, :2] / depth, self.lens)
