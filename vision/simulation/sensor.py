"""The sensor of the virtual camera: turn rendered light into pictures, with a camera's noise and faults."""

from __future__ import annotations

import cv2
import numpy as np

from calibration.arrays import BgrImage, Floats, Levels
from vision.simulation import faults
from vision.simulation.arrays import LightImage
from vision.simulation.camera_effects import LENS_BLUR_PX, READ_NOISE, SHOT_NOISE, develop, exposure_gain, vignette
from vision.simulation.camera_view import Region
from vision.simulation.faults import Fault
from vision.simulation.live_table import RenderedTable
from vision.simulation.scene import CameraLook

GRAIN_FIELDS = 4
"""Noise fields, used in turn and shifted, since fresh noise for a frame costs more than the frame itself."""

LAMP_OFF_ROOM = 0.03
"""Share of the room's light that remains when the lamp goes out in the evening."""


class Sensor:
    """Exposes and develops the table's light, only where it changed, and adds fresh noise.

    Args:
        look: settings of the camera.
        seed: seed of the noise.
        size_wh: the picture's size.
    """

    def __init__(self, look: CameraLook, seed: int, size_wh: tuple[int, int]) -> None:
        self._look = look
        self._size_wh = size_wh
        self._gain: float | None = None
        self._faults: frozenset[Fault] = frozenset()
        self._clean: Levels = np.zeros((size_wh[1], size_wh[0], 3), np.uint8)
        self._deviation: Floats = np.zeros((size_wh[1], size_wh[0], 3), np.float32)
        self._count = 0
        rng = np.random.default_rng([seed, 9])
        side = (size_wh[1] + 64, size_wh[0] + 64, 3)
        self._grain = [rng.standard_normal(side, dtype=np.float32) for _ in range(GRAIN_FIELDS)]

    def develop(self, table: RenderedTable, changed: list[Region], switched: frozenset[Fault], time_s: float) -> None:
        """Update the picture from the table's light."""
        wandering = {Fault.FOCUS_HUNTING, Fault.FOCUS_LOST, Fault.EXPOSURE_JUMPS, Fault.BANDING, Fault.GLARE} & switched
        if wandering or switched != self._faults:
            changed = [Region(0, 0, *self._size_wh)]
        self._faults = switched
        if self._gain is None:
            self._gain = exposure_gain(table.lamp_light + table.room_light, self._look.exposure)
        for region in changed:
            self._develop(table, _grow(region, 3, self._size_wh), time_s)

    def noisy(self) -> BgrImage:
        """Return the developed picture with fresh sensor noise."""
        self._count += 1
        shift_y, shift_x = (self._count * 37) % 64, (self._count * 23) % 64
        grain = self._grain[self._count % GRAIN_FIELDS]
        part = grain[shift_y : shift_y + self._size_wh[1], shift_x : shift_x + self._size_wh[0]]
        shown = cv2.add(cv2.multiply(part, self._deviation), self._clean, dtype=cv2.CV_8U)
        return np.asarray(shown, np.uint8)

    def _develop(self, table: RenderedTable, region: Region, time_s: float) -> None:
        rows, columns = region.pixels
        is_night = Fault.LAMP_OFF in self._faults
        light = table.room_light[rows, columns] * np.float32(LAMP_OFF_ROOM if is_night else 1.0)
        if not {Fault.LAMP_OFF, Fault.LAMP_OFF_BY_DAY} & self._faults:
            light = light + table.lamp_light[rows, columns]
        soft = cv2.GaussianBlur(light, (0, 0), LENS_BLUR_PX)
        light = self._disturb(np.asarray(soft, np.float32), time_s)
        gain = (self._gain or 1.0) * self._fault_gain(time_s)
        shade = vignette((self._size_wh[1], self._size_wh[0]), self._look.vignetting)[rows, columns]
        exposed = light * (np.array(self._look.white_balance_bgr, np.float32) * np.float32(gain)) * shade
        self._clean[rows, columns] = develop(exposed)
        self._deviation[rows, columns] = _display_noise(exposed, self._look.noise * (2.5 if is_night else 1.0))

    def _fault_gain(self, time_s: float) -> float:
        """Return the exposure factor of the present faults."""
        away = faults.AWAY_GAIN if Fault.EXPOSURE_AWAY in self._faults else 1.0
        return away * (faults.jumping_gain(time_s) if Fault.EXPOSURE_JUMPS in self._faults else 1.0)

    def _disturb(self, light: LightImage, time_s: float) -> LightImage:
        """Apply faults that change the light. All of them redo the whole picture."""
        if Fault.FOCUS_HUNTING in self._faults:
            light = faults.hunt_focus(light, time_s)
        if Fault.FOCUS_LOST in self._faults:
            light = faults.defocus(light, faults.LOST_RADIUS_PX)
        if Fault.BANDING in self._faults:
            light = faults.add_banding(light, time_s)
        if Fault.GLARE in self._faults:
            middle = (self._size_wh[0] * 0.5, self._size_wh[1] * 0.46)
            light = faults.add_glare(light, middle, self._size_wh[1] * 0.16)
        return light


def _display_noise(exposed: LightImage, strength: float) -> LightImage:
    """Return the deviation in display steps: the light's noise times the slope of the tone curve."""
    level = np.clip(exposed, 0.002, 1.0)
    slope = 255 * 0.44 * level ** (1 / 2.4 - 1)
    deviation = strength * np.sqrt(SHOT_NOISE * level + READ_NOISE) * slope
    return np.asarray(np.where(exposed > 1.0, 0.4, deviation), np.float32)


def _grow(region: Region, margin_px: int, size_wh: tuple[int, int]) -> Region:
    left, top = max(0, region.left - margin_px), max(0, region.top - margin_px)
    right = min(size_wh[0], region.left + region.width + margin_px)
    bottom = min(size_wh[1], region.top + region.height + margin_px)
    return Region(left, top, right - left, bottom - top)
