"""Simulate the faults of a camera.

Some act before a picture is taken (the virtual camera handles them), some change the light, and some the finished
picture or its bytes. Each depends only on the injected clock.
"""

from __future__ import annotations

import enum
import math

import cv2
import numpy as np

from assistant.errors import CameraLost
from assistant.translations.messages import said
from calibration.arrays import BgrImage
from vision.simulation.arrays import LightImage
from vision.simulation.camera_effects import disc_kernel, encode_jpeg


class Fault(enum.Enum):
    """The faults of a camera, its light and its table."""

    UNPLUGGED = "unplugged"
    STALLED = "stalled"
    HALF_JPEG = "half a JPEG with a valid end"
    FLIPPED_BYTES = "flipped bytes"
    OTHER_RESOLUTION = "another resolution"
    FOCUS_HUNTING = "focus hunting"
    FOCUS_LOST = "focus lost"
    EXPOSURE_JUMPS = "exposure jumps"
    EXPOSURE_AWAY = "exposure ran away"
    BANDING = "mains banding"
    LAMP_OFF = "lamp off"
    LAMP_OFF_BY_DAY = "lamp off by day"
    MARKER_COVERED = "marker covered"
    MARKER_MOVED = "marker moved"
    GLARE = "glare"
    CAMERA_BUMPED = "camera bumped"
    LENS_ZOOMED = "lens zoomed"
    TABLE_BUMPED = "table bumped"
    SLOW_START = "slow start"


OTHER_WH = (640, 480)
WARM_UP_S = 3.0
"""Warm-up of a slowly starting camera, during which its pictures are useless."""

HUNT_PERIOD_S, HUNT_RADIUS_PX = 2.2, 7.0
LOST_RADIUS_PX = 6.0
"""Blur radius of a lens focused far behind the table."""

ZOOM = 1.15
"""Focal length over the calibrated one while the lens is zoomed."""

AWAY_GAIN = 12.0
JUMP_PERIOD_S, JUMP_GAINS = 0.8, (1.0, 2.6, 0.5, 1.7, 0.3)
MAINS_HZ, ROW_TIME_S = 50.0, 2.4e-5
"""Lamps flicker at twice the mains frequency. A rolling shutter reads a row in about 24 microseconds (1080 rows in 26
ms)."""


def jumping_gain(time_s: float) -> float:
    """Return the gain of an exposure that jumps from picture to picture."""
    return JUMP_GAINS[int(time_s / JUMP_PERIOD_S) % len(JUMP_GAINS)]


def hunt_focus(light_bgr: LightImage, time_s: float) -> LightImage:
    """Blur the light while the lens runs through its focus and back."""
    return defocus(light_bgr, HUNT_RADIUS_PX * abs(math.sin(math.pi * time_s / HUNT_PERIOD_S)))


def defocus(light_bgr: LightImage, radius: float) -> LightImage:
    """Blur points to discs of that radius in pixels."""
    if radius < 0.6:
        return light_bgr
    return np.asarray(cv2.filter2D(light_bgr, -1, disc_kernel(radius), borderType=cv2.BORDER_REPLICATE), np.float32)


def add_banding(light_bgr: LightImage, time_s: float) -> LightImage:
    """Add dark bands that wander through the picture, as under mains lamps at a short exposure."""
    rows = time_s + np.arange(light_bgr.shape[0]) * ROW_TIME_S
    wave = 1 - 0.38 * (1 + np.cos(2 * np.pi * 2 * MAINS_HZ * rows)) / 2
    return np.asarray(light_bgr * wave[:, None, None], np.float32)


def add_glare(light_bgr: LightImage, center_px: tuple[float, float], radius_px: float) -> LightImage:
    """Add a lamp's mirror image on the table, white in its middle."""
    y, x = np.mgrid[: light_bgr.shape[0], : light_bgr.shape[1]].astype(np.float32)
    spot = np.exp(-((x - center_px[0]) ** 2 + (y - center_px[1]) ** 2) / (2 * radius_px**2))
    return np.asarray(light_bgr + 3.0 * spot[..., None], np.float32)


def damage_jpeg(image: BgrImage, fault: Fault, time_s: float) -> BgrImage:
    """Damage the bytes of a picture's JPEG and decode the rest.

    Raises:
        CameraLost: the rest cannot be decoded.
    """
    data = encode_jpeg(image, 85)
    if fault is Fault.HALF_JPEG:
        # Cut in the middle and closed with an end mark, so that decoders fill the rest without an error.
        data = data[: len(data) // 2] + b"\xff\xd9"
    else:
        rng = np.random.default_rng(int(time_s * 1000))
        spoiled = bytearray(data)
        start = data.index(b"\xff\xda") + 14  # after the header, which decoders need
        for place in rng.integers(start, len(data) - 2, 12).tolist():
            spoiled[place] ^= 1 << int(rng.integers(8))
        data = bytes(spoiled)
    decoded = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    if decoded is None:
        raise CameraLost(said("the camera sent a picture that cannot be decoded; check its cable"))
    return np.asarray(decoded, np.uint8)


def warm_up_picture(shape: tuple[int, int, int]) -> BgrImage:
    """Return a green-black picture, as many cameras send before they have warmed up."""
    image = np.zeros(shape, np.uint8)
    image[..., 1] = 12
    return image
