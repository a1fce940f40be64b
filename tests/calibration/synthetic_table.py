"""A table that is rendered here, independently of the code under test: OpenCV projects, numpy paints."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from assistant.table.camera import CameraLens, TableMarker, TableMarkers

FAMILY = "DICT_APRILTAG_36h11"
LENS = CameraLens(1280, 720, ((1051.0, 0, 645.0), (0, 1051.0, 352.0), (0, 0, 1)), (-0.11, 0.02, 0.0005, -0.0004, 0.0))


def square_marker(marker_id: int, left_mm: float, top_mm: float, side_mm: float, turn_deg: float) -> TableMarker:
    """A marker around its middle, turned clockwise as seen from above."""
    turn = np.radians(turn_deg)
    half = side_mm / 2
    spin = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    corners = np.array([[-half, -half], [half, -half], [half, half], [-half, half]]) @ spin.T
    places = [(float(x) + left_mm + half, float(y) + top_mm + half) for x, y in corners]
    return TableMarker(marker_id, (places[0], places[1], places[2], places[3]))


TABLE = TableMarkers(
    FAMILY,
    (
        square_marker(3, 0, 0, 40, 0),
        square_marker(7, 300, -10, 40, 15),
        square_marker(12, 310, 200, 40, -30),
        square_marker(20, 5, 210, 40, 90),
        square_marker(31, 150, -20, 40, 45),
    ),
)


@dataclass(frozen=True)
class Pose:
    """Where the truth puts a camera: OpenCV's vectors for points (x, y, -height)."""

    rvec: npt.NDArray[np.float64]
    tvec: npt.NDArray[np.float64]

    def pixels(self, points_mm: npt.ArrayLike, lens: CameraLens, height_mm: float = 0.0) -> npt.NDArray[np.float64]:
        """What OpenCV itself projects, (N, 2)."""
        plan = np.asarray(points_mm, dtype=np.float64).reshape(-1, 2)
        solid = np.column_stack([plan, np.full(len(plan), -height_mm)])
        matrix, distortion = np.array(lens.matrix), np.array(lens.distortion)
        pixels = cv2.projectPoints(solid, self.rvec, self.tvec, matrix, distortion)[0]
        return np.asarray(pixels, dtype=np.float64).reshape(-1, 2)


def looking_at(target_mm: tuple[float, float], distance_mm: float, tilt_deg: float, around_deg: float) -> Pose:
    """A camera that looks at a place on the table, tilted from straight down."""
    tilt, around = np.radians(tilt_deg), np.radians(around_deg)
    # Straight down the camera's axes are the table's (x right, y near, z down into the table).
    tilting = cv2.Rodrigues(np.array([tilt, 0, 0]))[0]
    turning = cv2.Rodrigues(np.array([0, 0, around]))[0]
    rotation = tilting @ turning
    tvec = np.array([0, 0, distance_mm]) - rotation @ np.array([*target_mm, 0.0])
    return Pose(cv2.Rodrigues(rotation)[0].ravel(), tvec)


def render(
    pose: Pose, lens: CameraLens, table: TableMarkers, *, blur_px: float, noise: float, seed: int
) -> npt.NDArray:
    """A photo of the markers on white paper on a grey table: area-sampled, blurred in linear light, sRGB, noise."""
    fine = 3
    width, height = lens.width_px * fine, lens.height_px * fine
    xs, ys = np.meshgrid((np.arange(width) + 0.5) / fine - 0.5, (np.arange(height) + 0.5) / fine - 0.5)
    matrix, distortion = np.array(lens.matrix), np.array(lens.distortion)
    pixels = np.column_stack([xs.ravel(), ys.ravel()]).astype(np.float64)
    rough = cv2.undistortPoints(pixels[:, None], matrix, distortion).reshape(-1, 2)
    rotation = cv2.Rodrigues(pose.rvec)[0]
    plane = np.linalg.inv(np.column_stack([rotation[:, 0], rotation[:, 1], pose.tvec]))
    on_table = np.column_stack([rough, np.ones(len(rough))]) @ plane.T
    on_table = (on_table[:, :2] / on_table[:, 2:]).reshape(height, width, 2)
    light = np.full((height, width), 0.3)
    for marker in table.markers:
        _print_marker(light, on_table, marker, table.marker_family)
    light = cv2.resize(light, (lens.width_px, lens.height_px), interpolation=cv2.INTER_AREA)
    if blur_px:
        light = cv2.GaussianBlur(light, (0, 0), blur_px)
    encoded = np.where(light > 0.0031308, 1.055 * np.maximum(light, 1e-9) ** (1 / 2.4) - 0.055, 12.92 * light) * 255
    encoded += np.random.default_rng(seed).normal(0, noise, encoded.shape)
    return np.clip(np.rint(encoded), 0, 255).astype(np.uint8)


def _print_marker(light: npt.NDArray, on_table: npt.NDArray, marker: TableMarker, family: str) -> None:
    dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, family))
    cells = dictionary.markerSize + 2
    bits = cv2.aruco.generateImageMarker(dictionary, marker.id, cells, borderBits=1)
    origin, right, _, down = (np.array(corner) for corner in marker.corners_mm)
    along = np.column_stack([right - origin, down - origin])
    place = (on_table - origin) @ np.linalg.inv(along).T * cells
    paper = ((place > -1) & (place < cells + 1)).all(axis=2)
    light[paper] = 0.8
    inside = ((place >= 0) & (place < cells)).all(axis=2)
    column, row = np.floor(place[inside]).astype(int).T
    light[inside] = np.where(bits[row, column] > 0, 0.8, 0.03)
