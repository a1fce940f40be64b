"""Robust least squares for a lens over many views, with priors of real lenses."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from jaxtyping import Float64

from assistant.errors import CalibrationError
from assistant.table.camera import CameraLens
from assistant.translations.messages import said
from calibration.arrays import Doubles
from calibration.lens_board import BoardSighting
from calibration.opencv import opencv_means
from calibration.robust_fit import fit_robustly

CORNER_NOISE_PX = 0.15
"""Usual error of a board corner in a webcam's picture. Beyond twice that, an error counts linearly."""

CENTER_OF_WIDTH = 0.03
"""The usual distance of the principal point from the middle, as a share of the width (standard deviation)."""

COEFFICIENT_SPREADS = (0.3, 0.3, 0.002, 0.002, 0.3)
"""Standard deviations of ``k1 k2 p1 p2 k3`` over the cameras that people have."""

ASPECT_SPREAD = 0.0002
"""Deviation of pixels from squares: none in today's cameras. Ten times as much doubles the uncertainty of the focal
length, since a less tilted board looks stretched."""

SHARED = 9
"""Unknowns of the lens: log focal length, principal point, five coefficients, log of fy / fx."""


@dataclass(frozen=True, eq=False)
class LensFit:
    """A lens, its standard deviations (9,) in the order of the unknowns, and each view's RMS in pixels."""

    lens: CameraLens
    sigmas: Float64[Doubles, " 9"]
    view_rms_px: Float64[Doubles, " views"]


def fit_lens(views: Sequence[BoardSighting], image_wh: tuple[int, int]) -> LensFit:
    """Fit the lens. Raise ``CalibrationError`` if the views are too similar."""
    start, poses = _rough(views, image_wh)
    width, height = image_wh
    solid = [np.column_stack([view.board_mm, np.zeros(len(view.board_mm))]) for view in views]
    unknowns = np.concatenate([_unknowns_of(start), *poses])
    middle = np.array([0.0, (width - 1) / 2, (height - 1) / 2, 0, 0, 0, 0, 0, 0])
    spread = np.array([np.inf, CENTER_OF_WIDTH * width, CENTER_OF_WIDTH * width, *COEFFICIENT_SPREADS, ASPECT_SPREAD])
    prior_slopes = np.zeros((SHARED, len(unknowns)))
    prior_slopes[:, :SHARED] = np.diag(CORNER_NOISE_PX / spread)

    def residuals_and_slopes(values: Float64[Doubles, " k"]) -> tuple[Float64[Doubles, " m"], Float64[Doubles, "m k"]]:
        parts = [_view_residuals(values, i, solid[i], view) for i, view in enumerate(views)]
        prior = CORNER_NOISE_PX * (values[:SHARED] - middle) / spread
        return np.concatenate([*(row for row, _ in parts), prior]), np.vstack([*(s for _, s in parts), prior_slopes])

    fit = fit_robustly(residuals_and_slopes, unknowns, 2 * CORNER_NOISE_PX)
    residuals = fit.residuals[:-SHARED].reshape(-1, 2)
    ends = np.cumsum([len(points) for points in solid])[:-1]
    view_rms_px = np.array([np.sqrt((part**2).sum(axis=1).mean()) for part in np.split(residuals, ends)])
    noise_px = max(float(np.median(np.abs(residuals))) * 1.4826, 0.01)
    sigmas = np.sqrt(np.diag(fit.covariance(noise_px)))[:SHARED]
    return LensFit(_lens_of(fit.unknowns, width, height), sigmas, view_rms_px)


def _rough(
    views: Sequence[BoardSighting], image_wh: tuple[int, int]
) -> tuple[CameraLens, list[Float64[Doubles, " 6"]]]:
    """Return a first guess of the lens, centred in the picture, and the pose (6,) of each view."""
    width, height = image_wh
    solid = [np.column_stack([view.board_mm, np.zeros(len(view.board_mm))]).astype(np.float32) for view in views]
    pixels = [view.corners_px.astype(np.float32) for view in views]
    focal = 0.8 * max(image_wh)
    guess = np.array([[focal, 0, (width - 1) / 2], [0, focal, (height - 1) / 2], [0, 0, 1.0]])
    with opencv_means(lambda: CalibrationError(_ALIKE)):
        _, matrix, distortion, rvecs, tvecs = cv2.calibrateCamera(
            solid, pixels, image_wh, guess, np.zeros(5), flags=_SIMPLE
        )
    if not (np.isfinite(matrix).all() and np.isfinite(distortion).all() and matrix[0, 0] > 0):
        raise CalibrationError(_ALIKE)
    values = np.array([np.log(matrix[0, 0]), matrix[0, 2], matrix[1, 2], *np.ravel(distortion)[:5], 0.0])
    poses = [np.concatenate([np.ravel(r), np.ravel(t)]) for r, t in zip(rvecs, tvecs, strict=True)]
    return _lens_of(values, width, height), poses


_SIMPLE = (
    cv2.CALIB_USE_INTRINSIC_GUESS
    | cv2.CALIB_FIX_ASPECT_RATIO
    | cv2.CALIB_FIX_PRINCIPAL_POINT
    | cv2.CALIB_ZERO_TANGENT_DIST
    | cv2.CALIB_FIX_K3
)

_ALIKE = said(
    "The pictures of the lens board are too similar. Tilt the board and move it to every part of the picture."
)


def _unknowns_of(lens: CameraLens) -> Float64[Doubles, " 9"]:
    matrix = lens.matrix
    return np.array([np.log(matrix[0][0]), matrix[0][2], matrix[1][2], *lens.distortion, 0.0])


def _lens_of(values: Float64[Doubles, " k"], width: int, height: int) -> CameraLens:
    focal = float(np.exp(values[0]))
    cx, cy, k1, k2, p1, p2, k3, aspect = (float(value) for value in values[1:SHARED])
    focal_y = focal * math.exp(aspect)
    return CameraLens(width, height, ((focal, 0.0, cx), (0.0, focal_y, cy), (0.0, 0.0, 1.0)), (k1, k2, p1, p2, k3))


def _view_residuals(
    values: Float64[Doubles, " k"], index: int, solid: Float64[Doubles, "n 3"], view: BoardSighting
) -> tuple[Float64[Doubles, " m"], Float64[Doubles, "m k"]]:
    """Return one view's residuals (2N,) in pixels, and their slopes (2N, all unknowns)."""
    own = slice(SHARED + 6 * index, SHARED + 6 * index + 6)
    focal = np.exp(values[0])
    focal_y = focal * np.exp(values[8])
    matrix = np.array([[focal, 0, values[1]], [0, focal_y, values[2]], [0, 0, 1]])
    pose = values[own]
    pixels, theirs = cv2.projectPoints(solid, pose[:3], pose[3:], matrix, values[3:8])
    slopes = np.zeros((len(theirs), len(values)))
    # OpenCV's slopes are for rotation, translation, fx, fy, cx, cy, and then the coefficients.
    slopes[:, 0] = theirs[:, 6] * focal + theirs[:, 7] * focal_y
    slopes[:, 1:8] = theirs[:, 8:15]
    slopes[:, 8] = theirs[:, 7] * focal_y
    slopes[:, own] = theirs[:, :6]
    return (pixels.reshape(-1, 2) - view.corners_px).ravel(), slopes
