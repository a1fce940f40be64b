"""A table rendered independently of the code under test: OpenCV projects, numpy paints."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from assistant.table.camera import CameraLens, TableMarker, TableMarkers

FAMILY = "DICT_APRILTAG_36h11"
LENS = CameraLens(1280, 720, ((1051.0, 0, 645.0), (0, 1051.0, 352.0), (0, 0, 1)), (-0.11, 0.02, 0.0005, -0.0004, 0.0))


def square_marker(marker_id: int, left_mm: float, top_mm: float, side_mm: float, turn_deg: float) -> TableMarker:
    """Return a marker around its middle, turned clockwise as seen from above."""
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
    """A camera's true pose: OpenCV's vectors for points (x, y, -height)."""

    rvec: npt.NDArray[np.float64]
    tvec: npt.NDArray[np.float64]

    def pixels(self, points_mm: npt.ArrayLike, lens: CameraLens, height_mm: float = 0.0) -> npt.NDArray[np.float64]:
        """Return OpenCV's own projection, (N, 2)."""
        plan = np.asarray(points_mm, dtype=np.float64).reshape(-1, 2)
        solid = np.column_stack([plan, np.full(len(plan), -height_mm)])
        matrix, distortion = np.array(lens.matrix), np.array(lens.distortion)
        pixels = cv2.projectPoints(solid, self.rvec, self.tvec, matrix, distortion)[0]
        return np.asarray(pixels, dtype=np.float64).reshape(-1, 2)


def looking_at(target_mm: tuple[float, float], distance_mm: float, tilt_deg: float, around_deg: float) -> Pose:
    """Return a camera that looks at a place on the table, tilted from straight down."""
    tilt, around = np.radians(tilt_deg), np.radians(around_deg)
    # Straight down the camera's axes are the table's (x right, y near, z down into the table).
    tilting = cv2.Rodrigues(np.array([tilt, 0, 0]))[0]
    turning = cv2.Rodrigues(np.array([0, 0, around]))[0]
    rotation = tilting @ turning
    tvec = np.array([0, 0, distance_mm]) - rotation @ np.array([*target_mm, 0.0])
    return Pose(cv2.Rodrigues(rotation)[0].ravel(), tvec)


FINE = 4
"""Samples along a pixel's side."""

TABLE_LIGHT, PAPER_LIGHT, INK_LIGHT = 0.3, 0.8, 0.03
"""Reflected light, linear."""


def render(
    pose: Pose, lens: CameraLens, table: TableMarkers, *, blur_px: float, noise: float, seed: int
) -> npt.NDArray:
    """Return a photo of the markers on white paper on a grey table: area-sampled, blurred, in sRGB, with noise."""
    light = np.full((lens.height_px, lens.width_px), TABLE_LIGHT)
    for marker in table.markers:
        _print_marker(light, pose, lens, marker, table.marker_family)
    if blur_px:
        light = cv2.GaussianBlur(light, (0, 0), blur_px)
    encoded = np.where(light > 0.0031308, 1.055 * np.maximum(light, 1e-9) ** (1 / 2.4) - 0.055, 12.92 * light) * 255
    encoded += np.random.default_rng(seed).normal(0, noise, encoded.shape)
    return np.clip(np.rint(encoded), 0, 255).astype(np.uint8)


def _print_marker(light: npt.NDArray, pose: Pose, lens: CameraLens, marker: TableMarker, family: str) -> None:
    corners = np.array(marker.corners_mm)
    paper_px = pose.pixels(corners.mean(axis=0) + 1.5 * (corners - corners.mean(axis=0)), lens)
    left, top = np.maximum(np.floor(paper_px.min(axis=0)).astype(int), 0)
    right, bottom = np.minimum(np.ceil(paper_px.max(axis=0)).astype(int) + 1, (lens.width_px, lens.height_px))
    if right <= left or bottom <= top:
        return
    xs, ys = np.meshgrid(
        (np.arange((right - left) * FINE) + 0.5) / FINE - 0.5 + left,
        (np.arange((bottom - top) * FINE) + 0.5) / FINE - 0.5 + top,
    )
    on_table = _on_table(np.column_stack([xs.ravel(), ys.ravel()]), pose, lens)
    fine = _painted(on_table, corners, marker.id, family).reshape(xs.shape)
    part = cv2.resize(fine, (right - left, bottom - top), interpolation=cv2.INTER_AREA)
    # What is bare table in this part may be another marker's paper.
    bare = np.isclose(part, TABLE_LIGHT)
    light[top:bottom, left:right][~bare] = part[~bare]


def _on_table(pixels: npt.NDArray, pose: Pose, lens: CameraLens) -> npt.NDArray:
    """Return the table points of pixels (N, 2), by OpenCV's own inverse."""
    rays = cv2.undistortPoints(pixels[:, None], np.array(lens.matrix), np.array(lens.distortion)).reshape(-1, 2)
    rotation = cv2.Rodrigues(pose.rvec)[0]
    plane = np.linalg.inv(np.column_stack([rotation[:, 0], rotation[:, 1], pose.tvec]))
    places = np.column_stack([rays, np.ones(len(rays))]) @ plane.T
    return places[:, :2] / places[:, 2:]


def _painted(on_table: npt.NDArray, corners: npt.NDArray, marker_id: int, family: str) -> npt.NDArray:
    """Return the light of table points (N, 2) on and around one marker, (N,)."""
    dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, family))
    cells = dictionary.markerSize + 2
    bits = cv2.aruco.generateImageMarker(dictionary, marker_id, cells, borderBits=1)
    along = np.column_stack([corners[1] - corners[0], corners[3] - corners[0]])
    place = (on_table - corners[0]) @ np.linalg.inv(along).T * cells
    light = np.full(len(on_table), TABLE_LIGHT)
    light[((place > -1) & (place < cells + 1)).all(axis=1)] = PAPER_LIGHT
    inside = ((place >= 0) & (place < cells)).all(axis=1)
    column, row = np.floor(place[inside]).astype(int).T
    light[inside] = np.where(bits[row, column] > 0, PAPER_LIGHT, INK_LIGHT)
    return light
