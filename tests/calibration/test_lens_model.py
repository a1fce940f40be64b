"""The lens model is OpenCV's, and its inverse is exact."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.table.camera import CameraLens
from calibration.lens_model import fold_radius, normalized_from_pixels, pixels_from_normalized

GRID = np.stack(np.meshgrid(np.linspace(-0.6, 0.6, 9), np.linspace(-0.35, 0.35, 7)), -1).reshape(-1, 2)


def lens(*distortion: float) -> CameraLens:
    return CameraLens(1280, 720, ((1000.0, 0.0, 640.0), (0.0, 1010.0, 355.0), (0.0, 0.0, 1.0)), distortion)


@given(
    st.tuples(
        st.floats(-0.3, 0.3), st.floats(-0.1, 0.1), st.floats(-0.01, 0.01), st.floats(-0.01, 0.01), st.floats(0, 0.05)
    )
)
def test_projection_is_opencvs_and_looking_back_gives_the_same_point(distortion):
    model = lens(*distortion)
    solid = np.column_stack([GRID, np.ones(len(GRID))])
    theirs = cv2.projectPoints(solid, np.zeros(3), np.zeros(3), np.array(model.matrix), np.array(distortion))[0]

    pixels = pixels_from_normalized(GRID, model)

    inside = ~np.isnan(pixels[:, 0])
    assert inside.sum() > 30
    assert pixels[inside] == pytest.approx(theirs.reshape(-1, 2)[inside], abs=1e-9)
    safe = np.hypot(*GRID.T) < 0.9 * fold_radius(model)
    assert normalized_from_pixels(pixels[safe], model) == pytest.approx(GRID[safe], abs=1e-9)


def test_beyond_the_fold_there_is_no_pixel():
    model = lens(-0.3, 0, 0, 0, 0)

    assert fold_radius(model) == pytest.approx(np.sqrt(1 / 0.9))
    assert np.isnan(pixels_from_normalized(np.array([[1.2, 0.0]]), model)).all()
    assert np.isnan(normalized_from_pixels(np.array([[3000.0, 355.0]]), model)).all()
