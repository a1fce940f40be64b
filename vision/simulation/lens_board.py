"""Pictures of the lens board before the simulated camera, held as the set-up advises."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import cv2
import numpy as np
from jaxtyping import Float

from assistant.table.camera import CameraLens
from calibration.arrays import BgrImage, Floats
from calibration.color import bgr_from_gray, srgb_from_light
from calibration.lens_board import LensBoard
from calibration.markers import cells_of
from vision.simulation.arrays import FloatMap
from vision.simulation.camera_effects import LENS_BLUR_PX
from vision.simulation.camera_view import Region, RenderCamera

PX_PER_MM = 8
"""Resolution of the board's picture, enough for a board that fills the photo."""

MARGIN_MM = 14.0
PAPER, INK, ROOM = 0.72, 0.035, 0.12
"""Reflected linear light under an even lamp."""

SAMPLES = 2
NOISE = 1.2
"""Standard deviation in steps of 255, as in webcams indoors."""


class Held(NamedTuple):
    """A pose of the board: its middle (shares of the picture's width and height), distance and tilt."""

    across: float
    down: float
    distance_mm: float
    tilt_deg: float
    toward_deg: float
    """The side tilted towards the camera: 0 the right one, 90 the lower one."""
    roll_deg: float = 0.0
    blur_px: float = 0.0
    glare: bool = False


WALK = (
    Held(0.50, 0.5, 400, 8, 10, blur_px=2.3),
    Held(0.55, 0.5, 520, 24, 10, glare=True),
    Held(0.50, 0.50, 430, 5, 0),
    Held(0.18, 0.30, 520, 10, 200),
    Held(0.50, 0.28, 520, 8, 90, roll_deg=90),
    Held(0.82, 0.30, 520, 10, 20),
    Held(0.82, 0.72, 520, 10, 330, roll_deg=4),
    Held(0.50, 0.74, 520, 8, 270, roll_deg=90),
    Held(0.18, 0.72, 520, 10, 160, roll_deg=-5),
    Held(0.45, 0.50, 470, 34, 0),
    Held(0.55, 0.50, 470, 34, 180, roll_deg=8),
    Held(0.50, 0.45, 460, 34, 90),
    Held(0.50, 0.55, 460, 34, 270, roll_deg=-8),
    Held(0.30, 0.40, 600, 28, 45, roll_deg=45),
    Held(0.70, 0.60, 600, 28, 225, roll_deg=-45),
    Held(0.62, 0.38, 560, 30, 135, roll_deg=180),
    Held(0.38, 0.60, 560, 30, 315, roll_deg=20),
)
"""Poses of a user who starts badly (moving, then with a lamp's glare) and then follows the advice."""


@dataclass(frozen=True)
class BoardStage:
    """A board before a camera.

    Args:
        board: the printed board.
        lens: the camera's true lens, for pictures of this size.
    """

    board: LensBoard
    lens: CameraLens

    def photo(self, held: Held, seed: int) -> BgrImage:
        """Return the picture (H, W, 3), 8-bit blue-green-red, of the board held that way."""
        light = self._light(held)
        soft = cv2.GaussianBlur(light, (0, 0), float(np.hypot(LENS_BLUR_PX, held.blur_px)))
        if held.glare:
            soft = soft + self._glare(held)
        shown = srgb_from_light(np.minimum(soft, 1.0)) * 255
        noisy = shown + np.random.default_rng(seed).normal(0, NOISE, shown.shape)
        gray = np.clip(np.rint(noisy), 0, 255).astype(np.uint8)
        return bgr_from_gray(gray)

    def view(self, held: Held) -> RenderCamera:
        """Return the camera from the board's viewpoint: its plane is the table, its first corner the origin."""
        tilt = cv2.Rodrigues(np.radians(held.tilt_deg) * _axis(held.toward_deg))[0]
        roll = cv2.Rodrigues(np.radians((0.0, 0.0, held.roll_deg)))[0]
        turned = tilt @ roll
        (fx, _, cx), (_, fy, cy), _ = self.lens.matrix
        ray = np.array([(held.across * self.lens.width_px - cx) / fx, (held.down * self.lens.height_px - cy) / fy, 1.0])
        middle = np.array([self.board.columns, self.board.rows, 0.0]) * self.board.square_mm / 2
        x, y, z = (ray * held.distance_mm - turned @ middle).tolist()
        a, b, c = cv2.Rodrigues(turned)[0].ravel().tolist()
        return RenderCamera(self.lens, (a, b, c), (x, y, z))

    def _light(self, held: Held) -> FloatMap:
        region = Region(0, 0, self.lens.width_px, self.lens.height_px, SAMPLES)
        places, _ = self.view(held).plane_points(region, 0.0)
        pixels = (places + np.float32(MARGIN_MM)) * np.float32(PX_PER_MM) - np.float32(0.5)
        columns, rows = (np.ascontiguousarray(pixels[..., axis]) for axis in (0, 1))
        fine = cv2.remap(_sheet(self.board), columns, rows, cv2.INTER_LINEAR, borderValue=ROOM)
        size = (self.lens.width_px, self.lens.height_px)
        return np.asarray(cv2.resize(fine, size, interpolation=cv2.INTER_AREA), np.float32)

    def _glare(self, held: Held) -> FloatMap:
        """Return the glare of a lamp in the board's middle."""
        ys, xs = np.mgrid[0 : self.lens.height_px, 0 : self.lens.width_px].astype(np.float32)
        apart = np.hypot(xs - held.across * self.lens.width_px, ys - held.down * self.lens.height_px)
        spot: Floats = np.float32(1.2) * np.exp(-((apart / (0.06 * self.lens.width_px)) ** 2))
        return spot


def _axis(toward_deg: float) -> Float[Floats, " 3"]:
    """Return the camera axis of a turn that brings the board's side in that direction nearer."""
    toward = np.radians(toward_deg)
    axis: Floats = np.array([-np.sin(toward), np.cos(toward), 0.0])
    return axis


@lru_cache(maxsize=2)
def _sheet(board: LensBoard) -> FloatMap:
    """Return the board on its white paper as linear light, ``PX_PER_MM`` fine."""
    margin = round(MARGIN_MM * PX_PER_MM)
    square = round(board.square_mm * PX_PER_MM)
    sheet = np.full((board.rows * square + 2 * margin, board.columns * square + 2 * margin), PAPER, np.float32)
    for row in range(board.rows):
        for column in range(board.columns):
            if (row + column) % 2 == 0:
                top, left = margin + row * square, margin + column * square
                sheet[top : top + square, left : left + square] = INK
    for marker_id, corners in enumerate(board.marker_corners_mm):
        bits, cells = cells_of(board.family, marker_id)
        side = round(board.square_mm * board.marker_share * PX_PER_MM)
        left, top = (np.rint(corners[0] * PX_PER_MM).astype(int) + margin).tolist()
        pattern = np.frombuffer(bits, np.int8).reshape(cells, cells)
        place = cv2.resize(pattern.astype(np.float32), (side, side), interpolation=cv2.INTER_NEAREST)
        sheet[top : top + side, left : left + side] = np.where(place > 0, PAPER, INK)
    return sheet
