"""The simulated camera: project table points into the picture, and pixels onto the table."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import cv2
import numpy as np
from jaxtyping import Float

from assistant.table.camera import CameraLens
from calibration.arrays import Floats
from vision.simulation.arrays import FloatMap

NODE_STEP_PX = 8
"""Node spacing of the ray interpolation, in samples.

At 50 degrees of tilt and 2 samples a pixel, the error stays under 0.003 mm on the table.
"""


class Region(NamedTuple):
    """A rectangle of the picture in whole pixels, and its samples per pixel each way."""

    left: int
    top: int
    width: int
    height: int
    samples: int = 1

    @property
    def samples_wh(self) -> tuple[int, int]:
        """Columns and rows of samples."""
        return self.width * self.samples, self.height * self.samples

    @property
    def pixels(self) -> tuple[slice, slice]:
        """Rows and columns in the whole picture."""
        return slice(self.top, self.top + self.height), slice(self.left, self.left + self.width)

    def samples_from_image(self, points_px: Float[Floats, "n 2"]) -> Float[Floats, "n 2"]:
        """Return image places (N, 2) as sample places. A pixel's samples are evenly spaced round its integer centre."""
        shifted = np.asarray(points_px, float) - (self.left, self.top)
        moved: Floats = (shifted + 0.5) * self.samples - 0.5
        return moved


class Around(NamedTuple):
    """The side of the camera: tilt from straight down, azimuth on the table, roll about its own axis."""

    distance_mm: float
    tilt_deg: float
    azimuth_deg: float
    roll_deg: float = 0.0


@dataclass(frozen=True)
class RenderCamera:
    """A lens at a place: ``camera_from_table`` as OpenCV's rotation vector and translation.

    OpenCV gets points as ``(x, y, -height)``.
    """

    lens: CameraLens
    rotation_vector: tuple[float, float, float]
    translation_mm: tuple[float, float, float]

    @classmethod
    def looking_at(cls, lens: CameraLens, target_mm: tuple[float, float], around: Around) -> RenderCamera:
        """Aim a camera at a table point from the given side."""
        tilt, azimuth = math.radians(around.tilt_deg), math.radians(around.azimuth_deg)
        outward = np.array([math.cos(azimuth), math.sin(azimuth)])
        forward = np.array([*(-outward * math.sin(tilt)), math.cos(tilt)])
        down = np.array([*(outward * math.cos(tilt)), math.sin(tilt)])
        rotation = np.stack([np.cross(down, forward), down, forward])
        roll = math.radians(around.roll_deg)
        turn = np.array([[math.cos(roll), -math.sin(roll), 0], [math.sin(roll), math.cos(roll), 0], [0, 0, 1]])
        rotation = turn @ rotation
        center = np.array([*target_mm, 0.0]) - forward * around.distance_mm
        vector = cv2.Rodrigues(rotation)[0].ravel()
        translation = -rotation @ center
        return cls(lens, (float(vector[0]), float(vector[1]), float(vector[2])), tuple(translation.tolist()))

    @cached_property
    def matrix(self) -> Float[Floats, "3 3"]:
        """The lens as a 3x3 matrix."""
        return np.array(self.lens.matrix, float)

    @cached_property
    def rotation(self) -> Float[Floats, "3 3"]:
        """3x3, camera from table."""
        return np.asarray(cv2.Rodrigues(np.array(self.rotation_vector))[0], float)

    @cached_property
    def center_mm(self) -> Float[Floats, " 3"]:
        """Place of the camera: x, y and height."""
        center: Floats = -self.rotation.T @ np.array(self.translation_mm)
        return center * (1, 1, -1)

    def camera_points(self, points_mm: Float[Floats, "n 3"]) -> Float[Floats, "n 3"]:
        """Return table points (N, 3) with height as the camera's x, y, z."""
        moved: Floats = np.asarray(points_mm, float) * (1, 1, -1) @ self.rotation.T + self.translation_mm
        return moved

    def project(self, points_mm: Float[Floats, "n 3"]) -> Float[Floats, "n 2"]:
        """Return the picture places (N, 2) of table points (N, 3) with height, lens distortion included."""
        flipped = np.asarray(points_mm, float).reshape(-1, 1, 3) * (1, 1, -1)
        projected, _ = cv2.projectPoints(
            flipped,
            np.array(self.rotation_vector),
            np.array(self.translation_mm),
            self.matrix,
            np.array(self.lens.distortion),
        )
        return np.asarray(projected, float).reshape(-1, 2)

    def pixels_per_mm(self, point_mm: tuple[float, float]) -> float:
        """Return the scale across the view at a point of the table."""
        depth = self.camera_points(np.array([[*point_mm, 0.0]]))[0, 2]
        return float(self.matrix[0, 0] / depth)

    def plane_points(self, region: Region, height_mm: float) -> tuple[Float[Floats, "height width 2"], FloatMap]:
        """Return every sample's table point at that height (H, W, 2) and its inverse depth (H, W)."""
        columns, rows = region.samples_wh
        nodes_x, nodes_y = (-(-n // NODE_STEP_PX) + 2 for n in (columns, rows))
        xs = (np.arange(nodes_x) - 0.5) * NODE_STEP_PX - 0.5
        ys = (np.arange(nodes_y) - 0.5) * NODE_STEP_PX - 0.5
        grid = np.stack(np.meshgrid(xs, ys), -1).reshape(-1, 2)
        image = (grid + 0.5) / region.samples - 0.5 + (region.left, region.top)
        on_plane = self._on_plane(image, height_mm).astype(np.float32).reshape(nodes_y, nodes_x, 3)
        full = cv2.resize(on_plane, (nodes_x * NODE_STEP_PX, nodes_y * NODE_STEP_PX), interpolation=cv2.INTER_LINEAR)
        full = full[NODE_STEP_PX : NODE_STEP_PX + rows, NODE_STEP_PX : NODE_STEP_PX + columns]
        return np.ascontiguousarray(full[..., :2]), np.ascontiguousarray(full[..., 2])

    def _on_plane(self, image_px: Float[Floats, "n 2"], height_mm: float) -> Float[Floats, "n 3"]:
        """Intersect pixel rays with a level plane: x, y and inverse depth. Rays above the horizon end far away."""
        normalized = cv2.undistortPoints(
            image_px.reshape(-1, 1, 2), self.matrix, np.array(self.lens.distortion)
        ).reshape(-1, 2)
        rays = np.column_stack([normalized, np.ones(len(normalized))])
        directions = rays @ self.rotation
        drop = self.center_mm[2] - height_mm
        depth = drop / np.maximum(directions[:, 2], 0.02)
        places = self.center_mm[:2] + directions[:, :2] * depth[:, None]
        return np.column_stack([places, 1 / depth])


def lens_of_width(width: int, height: int, focal_px: float, k1: float = 0.0, k2: float = 0.0) -> CameraLens:
    """Return a lens with its axis in the middle of the picture and radial distortion."""
    center = ((width - 1) / 2, (height - 1) / 2)
    matrix = ((focal_px, 0.0, center[0]), (0.0, focal_px, center[1]), (0.0, 0.0, 1.0))
    return CameraLens(width, height, matrix, (k1, k2, 0.0, 0.0, 0.0))
