"""Small tables drawn by hand and seen from straight above: cloth, low cylinders, pieces of terrain."""

import math

import cv2
import numpy as np

from assistant.table.camera import CameraLens
from calibration.pose import CameraView
from vision.free.search import Level, plane_of
from vision.photo.paper_light import PaperLight

SIZE_MM, FINE = (320, 240), 6
VIEW = CameraView(
    CameraLens(480, 360, ((900.0, 0.0, 239.5), (0.0, 900.0, 179.5), (0.0, 0.0, 1.0)), (0.0, 0.0, 0.0, 0.0, 0.0)),
    (0.0, 0.0, 0.0), (-160.0, -120.0, 600.0), 0.3, (),
)  # fmt: skip
"""A camera 600 mm above the middle of a small table, looking straight down."""


def cloth(squares_mm=18):
    """Return a table cloth of two colours with grain, FINE pixels a millimetre."""
    height, width = SIZE_MM[1] * FINE, SIZE_MM[0] * FINE
    rows, columns = np.mgrid[0:height, 0:width] // (squares_mm * FINE)
    plain = np.where(((rows + columns) % 2)[..., None], (190, 195, 200), (120, 60, 60)).astype(np.float32)
    return plain + np.random.default_rng(5).normal(0, 6, (height, width, 1)).astype(np.float32)


def painted(ground, discs, height_mm=0.0):
    """Return the ground with discs of (place, radius, colour) on it, so high that they are nearer to the camera."""
    grown = 600 / (600 - height_mm)
    for place, radius, color in discs:
        x, y = ((at - size / 2) * grown + size / 2 for at, size in zip(place, SIZE_MM, strict=True))
        middle = (round((x * FINE - 0.5) * 16), round((y * FINE - 0.5) * 16))
        cv2.circle(ground, middle, round(radius * grown * FINE * 16), color, -1, cv2.LINE_AA, 4)
    return ground


def photo(ground, discs):
    """Return the picture: discs of (place, radius, colour) drawn in order, then seen by the camera."""
    for disc in discs:
        for height_mm in (0.0, 3.0):  # a base is a low cylinder: its top is nearer to the camera
            painted(ground, [disc], height_mm)
    small = cv2.resize(ground, (480, 360), interpolation=cv2.INTER_AREA)
    noise = np.random.default_rng(6).normal(0, 2, small.shape)
    return np.clip(cv2.GaussianBlur(small, (0, 0), 0.6) + noise, 0, 255).astype(np.uint8)


def plane(picture, height_mm=0.0):
    """Return the table from above at the height of bases that high."""
    paper = PaperLight(np.ones(3), np.array([math.log(0.8), 0.0, 0.0]), 0)
    return plane_of(picture, VIEW, paper, Level((0.0, 0.0, *map(float, SIZE_MM)), height_mm))
