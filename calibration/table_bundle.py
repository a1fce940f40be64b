"""Bundle adjustment of flat square markers: all markers and cameras from all corners together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from jaxtyping import Float64

from assistant.table.camera import CameraLens
from calibration.arrays import Corners, Doubles
from calibration.lens_model import matrix_of
from calibration.robust_fit import fit_robustly

CORNER_NOISE_PX = 0.1

FOCAL_SPREAD = 0.3
"""Usual error of a guessed focal length, as a share of it."""

PlanePose = tuple[float, float, float]
"""A marker's place: x and y of its middle in millimetres, and its turn in radians (x towards y)."""


@dataclass(frozen=True, eq=False)
class Bundle:
    """Mutually consistent markers, cameras and lens. ``placements`` by id, ``poses`` (6,) by photo.

    ``sigmas_mm`` holds the standard deviation of each marker's middle.
    """

    placements: Mapping[int, PlanePose]
    poses: tuple[Float64[Doubles, " 6"], ...]
    lens: CameraLens
    sigmas_mm: Mapping[int, float]
    focal_uncertainty: float


def square_of(placement: PlanePose, side_mm: float) -> Corners:
    """Return the corners (4, 2) of a marker in millimetres, in OpenCV's order."""
    x, y, turn = placement
    half = side_mm / 2
    local = np.array([[-half, -half], [half, -half], [half, half], [-half, half]])
    corners: Doubles = local @ _rotation(turn).T + (x, y)
    return corners


def adjust(
    start: Bundle, photos: Sequence[Mapping[int, Corners]], side_mm: float, *, fixed_id: int, frees_focal: bool
) -> Bundle:
    """Fit markers, cameras and lens to the corners of all photos.

    Args:
        start: rough placements, poses and lens.
        photos: for each photo the corners (4, 2) of each marker by id. Only ids with a placement count.
        side_mm: the side of every marker.
        fixed_id: the marker that keeps its placement and so ties the table's axes.
        frees_focal: whether to fit the focal length, too.
    """
    layout = _Layout(start, fixed_id, frees_focal)
    seen = [(i, marker_id, px) for i, photo in enumerate(photos) for marker_id, px in photo.items()]
    seen = [(i, marker_id, px) for i, marker_id, px in seen if marker_id in start.placements]

    def residuals_and_slopes(
        unknowns: Float64[Doubles, " k"],
    ) -> tuple[Float64[Doubles, " m"], Float64[Doubles, "m k"]]:
        parts = [_marker_residuals(layout, unknowns, i, marker_id, px, side_mm) for i, marker_id, px in seen]
        prior = np.zeros((1, len(unknowns)))
        prior[0, 0] = CORNER_NOISE_PX / FOCAL_SPREAD if frees_focal else 1.0  # Pin a fixed focal length.
        rows = np.concatenate([*(row for row, _ in parts), prior[0, :1] * (unknowns[0] - layout.start[0])])
        return rows, np.vstack([*(slopes for _, slopes in parts), prior])

    fit = fit_robustly(residuals_and_slopes, layout.start, 5 * CORNER_NOISE_PX)
    noise_px = max(CORNER_NOISE_PX, 1.4826 * float(np.median(np.abs(fit.residuals))))
    return layout.bundle(fit.unknowns, fit.covariance(noise_px))


class _Layout:
    """The column of each unknown: log focal length, then three for each free marker, then six for each photo."""

    def __init__(self, start: Bundle, fixed_id: int, frees_focal: bool) -> None:
        self._bundle, self._fixed_id, self._frees_focal = start, fixed_id, frees_focal
        free = [marker_id for marker_id in start.placements if marker_id != fixed_id]
        self._marker_at = {marker_id: 1 + 3 * k for k, marker_id in enumerate(free)}
        self._first_pose = 1 + 3 * len(free)
        placements = [value for marker_id in free for value in start.placements[marker_id]]
        focal = np.log(start.lens.matrix[0][0])
        self.start: Doubles = np.array([focal, *placements, *np.concatenate(start.poses)])

    def pose_at(self, photo: int) -> slice:
        return slice(self._first_pose + 6 * photo, self._first_pose + 6 * photo + 6)

    def marker_at(self, marker_id: int) -> slice | None:
        """Return the columns of a marker's unknowns, or None for the fixed one."""
        first = self._marker_at.get(marker_id)
        return None if first is None else slice(first, first + 3)

    def placement(self, unknowns: Float64[Doubles, " k"], marker_id: int) -> PlanePose:
        where = self.marker_at(marker_id)
        if where is None:
            return self._bundle.placements[marker_id]
        x, y, turn = (float(value) for value in unknowns[where])
        return x, y, turn

    def matrix(self, unknowns: Float64[Doubles, " k"]) -> Float64[Doubles, "3 3"]:
        matrix = matrix_of(self._bundle.lens)
        ratio = float(np.exp(unknowns[0] - self.start[0])) if self._frees_focal else 1.0
        scaled: Doubles = matrix * np.array([[ratio, 1, 1], [1, ratio, 1], [1, 1, 1]])
        return scaled

    def lens(self, unknowns: Float64[Doubles, " k"]) -> CameraLens:
        lens = self._bundle.lens
        (fx, _, cx), (_, fy, cy), _ = self.matrix(unknowns).tolist()
        matrix = ((fx, 0.0, cx), (0.0, fy, cy), (0.0, 0.0, 1.0))
        return CameraLens(lens.width_px, lens.height_px, matrix, lens.distortion)

    @property
    def distortion(self) -> Float64[Doubles, " 5"]:
        return np.array(self._bundle.lens.distortion)

    def bundle(self, unknowns: Float64[Doubles, " k"], covariance: Float64[Doubles, "k k"]) -> Bundle:
        sigmas = np.sqrt(np.diag(covariance))
        spread = {i: float(np.hypot(sigmas[k], sigmas[k + 1])) for i, k in self._marker_at.items()}
        return Bundle(
            placements={marker_id: self.placement(unknowns, marker_id) for marker_id in self._bundle.placements},
            poses=tuple(unknowns[self.pose_at(i)] for i in range(len(self._bundle.poses))),
            lens=self.lens(unknowns),
            sigmas_mm={self._fixed_id: 0.0, **spread},
            focal_uncertainty=float(sigmas[0]) if self._frees_focal else 0.0,
        )


def _marker_residuals(
    layout: _Layout, unknowns: Float64[Doubles, " k"], photo: int, marker_id: int, corners_px: Corners, side_mm: float
) -> tuple[Float64[Doubles, " 8"], Float64[Doubles, "8 k"]]:
    """Return residuals (8,) of one marker in one photo, and their slopes (8, all unknowns)."""
    placement = layout.placement(unknowns, marker_id)
    square = square_of(placement, side_mm)
    pose = unknowns[layout.pose_at(photo)]
    matrix = layout.matrix(unknowns)
    solid = np.column_stack([square, np.zeros(4)])
    pixels, theirs = cv2.projectPoints(solid, pose[:3], pose[3:], matrix, layout.distortion)
    slopes = np.zeros((8, len(unknowns)))
    slopes[:, 0] = theirs[:, 6] * matrix[0, 0] + theirs[:, 7] * matrix[1, 1]
    slopes[:, layout.pose_at(photo)] = theirs[:, :6]
    where = layout.marker_at(marker_id)
    if where is not None:
        # Moving a point by d in the table moves it by R d in the camera, as a translation would.
        by_place = theirs[:, 3:6] @ cv2.Rodrigues(pose[:3])[0][:, :2]
        arm = (square - placement[:2]) @ np.array([[0.0, 1.0], [-1.0, 0.0]])
        by_turn = (by_place.reshape(4, 2, 2) * arm[:, None, :]).sum(axis=2).ravel()
        slopes[:, where] = np.column_stack([by_place, by_turn])
    return (pixels.reshape(4, 2) - corners_px).ravel(), slopes


def _rotation(turn_rad: float) -> Float64[Doubles, "2 2"]:
    cos, sin = np.cos(turn_rad), np.sin(turn_rad)
    return np.array([[cos, -sin], [sin, cos]])
