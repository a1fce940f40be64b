"""The rectified table agrees with the camera model."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from assistant.table.camera import CameraLens
from calibration.pose import CameraView
from vision.photo.rectify import PlaneFrame, rectify

LENS = CameraLens(640, 480, ((600.0, 0.0, 320.0), (0.0, 600.0, 240.0), (0.0, 0.0, 1.0)), (-0.1, 0.02, 0.0, 0.0, 0.0))


@pytest.fixture
def view() -> CameraView:
    """From a metre up, tilted, with a lens that bends straight lines."""
    return CameraView(LENS, (0.5, 0.05, 0.1), (-100.0, -80.0, 900.0), 0.0, (0, 1, 2))


@pytest.mark.parametrize("height_mm", [0.0, 5.0, 30.0])
def test_a_dot_on_a_plane_is_found_where_it_lies(view: CameraView, height_mm: float) -> None:
    place_mm = np.array([[120.0, 90.0]])
    photo = np.zeros((480, 640, 3), dtype=np.uint8)
    x, y = view.image_from_table(place_mm, height_mm)[0]
    cv2.circle(photo, (round(x * 16), round(y * 16)), 4 * 16, (255, 255, 255), -1, cv2.LINE_AA, 4)
    frame = PlaneFrame((20.0, -10.0), 25.0, 2.0, (500, 500))
    seen = rectify(photo, view, frame, height_mm).image[:, :, 0].astype(float)
    rows, columns = np.mgrid[0:500, 0:500]
    middle = np.array([[(seen * columns).sum(), (seen * rows).sum()]]) / seen.sum()
    assert frame.table_from_frame(middle) == pytest.approx(place_mm, abs=0.25)


def test_the_coarse_map_is_as_good_as_projecting_each_pixel(view: CameraView) -> None:
    frame = PlaneFrame((0.0, 0.0), 10.0, 2.0, (200, 150))
    map_x, map_y = frame.maps(view, 2.0)
    rng = np.random.default_rng(3)
    points = np.column_stack([rng.integers(0, 200, 200), rng.integers(0, 150, 200)])
    exact = view.image_from_table(frame.table_from_frame(points), 2.0)
    mapped = np.column_stack([map_x[points[:, 1], points[:, 0]], map_y[points[:, 1], points[:, 0]]])
    assert np.abs(mapped - exact).max() < 0.02


def test_frame_and_table_are_inverse() -> None:
    frame = PlaneFrame((12.0, 34.0), 33.0, 1.9, (10, 10))
    points = np.array([[0.0, 0.0], [7.5, 3.25]])
    assert frame.frame_from_table(frame.table_from_frame(points)) == pytest.approx(points)
