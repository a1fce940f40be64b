"""OpenCV's pinhole model with five distortion coefficients, both ways, exact to rounding.

``cv2.undistortPoints`` stops after five rounds of a fixed point, which leaves more than a pixel at the rim
of a wide lens; here the inverse is Newton's, so that projecting and looking back give the same point.
"""

from __future__ import annotations

import math
from functools import cache

import numpy as np
from jaxtyping import Float64

from assistant.table.camera import CameraLens
from calibration.arrays import Doubles

NEWTON_ROUNDS = 12
"""Four are enough for webcams; twelve are enough up to the rim of a lens with k1 = -0.4."""


def matrix_of(lens: CameraLens) -> Float64[Doubles, "3 3"]:
    """The camera matrix, (3, 3)."""
    return np.array(lens.matrix, dtype=np.float64)


@cache
def fold_radius(lens: CameraLens) -> float:
    """The distance from the axis, at distance 1, beyond which the distortion model folds back; infinite for most.

    OpenCV goes on projecting there and puts what is far outside of the picture back into it.
    """
    k1, k2, _, _, k3 = lens.distortion
    coefficients = np.array([7 * k3, 5 * k2, 3 * k1, 1.0])
    coefficients[np.abs(coefficients) < 1e-12] = 0.0  # As good as none, and too small to be divided by.
    squares = np.roots(coefficients)
    folds = [root.real for root in squares if root.real > 0 and abs(root.imag) < 1e-9]
    return math.sqrt(min(folds)) if folds else math.inf


def pixels_from_normalized(normalized: Float64[Doubles, "n 2"], lens: CameraLens) -> Float64[Doubles, "n 2"]:
    """The pixels (N, 2) of points on the plane at distance 1 before the camera, (N, 2); NaN beyond the fold."""
    matrix = matrix_of(lens)
    distorted = _distorted(normalized, lens)
    distorted[np.hypot(*normalized.T) > fold_radius(lens)] = np.nan
    pixels: Doubles = distorted @ matrix[:2, :2].T + matrix[:2, 2]
    return pixels


def normalized_from_pixels(points_px: Float64[Doubles, "n 2"], lens: CameraLens) -> Float64[Doubles, "n 2"]:
    """The points (N, 2) on the plane at distance 1 that pixels (N, 2) look at; NaN where the model has none."""
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
    lost = ~(np.abs(_distorted(guess, lens) - target).max(axis=1) < 1e-9)
    guess[lost | (np.hypot(*guess.T) > fold_radius(lens))] = np.nan
    return guess


def _distorted(normalized: Float64[Doubles, "n 2"], lens: CameraLens) -> Float64[Doubles, "n 2"]:
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
    missed = _distorted(guess, lens) - target
    # Beyond the radius at which a lens model folds back there is no answer; the guard keeps numbers finite there.
    determinant = np.maximum(xx * yy - xy * xy, 0.05)
    return np.column_stack(
        [(yy * missed[:, 0] - xy * missed[:, 1]) / determinant, (xx * missed[:, 1] - xy * missed[:, 0]) / determinant]
    )
