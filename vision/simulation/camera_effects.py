"""Model a camera: blur, vignetting, exposure, white balance, noise, tone curve, JPEG."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import cv2
import numpy as np
from jaxtyping import Float, UInt8

from calibration.arrays import BgrImage, Floats, Levels, Mask
from calibration.color import srgb_from_light
from vision.simulation.arrays import FloatMap, Generator, LightImage
from vision.simulation.scene import CameraLook

LENS_BLUR_PX = 0.45
"""Blur of optics and colour interpolation in focus, as the sigma of a Gaussian."""

SHOT_NOISE, READ_NOISE = 2.6e-4, 2.0e-6
"""Variance per unit of light, and in the dark: about 1.5 of 255 steps in mid grey, as in phones indoors."""

SHOULDER = 0.75
"""Share of white above which the tone curve bends towards white instead of clipping."""


def photograph(light_bgr: LightImage, look: CameraLook, rng: Generator) -> BgrImage:
    """Return the 8-bit picture (H, W, 3) of linear light, before compression."""
    exposed = expose(blur(light_bgr, look), look)
    image = develop(with_noise(exposed, look, rng))
    if look.sharpening > 0:
        image = sharpened(image, look.sharpening)
    if look.overexposure > 1:
        image = np.asarray(np.minimum(image * np.float32(look.overexposure) + 0.5, 255), np.uint8)
    return image


def blur(light_bgr: LightImage, look: CameraLook) -> LightImage:
    """Return the light after the lens: its own softness, defocus and camera shake."""
    soft = cv2.GaussianBlur(light_bgr, (0, 0), LENS_BLUR_PX)
    if look.defocus_px > 0:
        soft = cv2.filter2D(soft, -1, disc_kernel(look.defocus_px), borderType=cv2.BORDER_REPLICATE)
    if look.motion is not None:
        soft = cv2.filter2D(soft, -1, motion_kernel(*look.motion), borderType=cv2.BORDER_REPLICATE)
    return np.asarray(soft, np.float32)


def expose(light_bgr: LightImage, look: CameraLook, gain: float | None = None) -> LightImage:
    """Return the light as a share of white: automatic exposure (or a given gain), white balance, vignetting."""
    if gain is None:
        gain = exposure_gain(light_bgr, look.exposure)
    gains = np.array(look.white_balance_bgr, np.float32) * np.float32(gain)
    return light_bgr * gains * vignette(light_bgr.shape[:2], look.vignetting)


def exposure_gain(light_bgr: LightImage, target: float) -> float:
    """Return the gain that brings the mean display value to the target."""
    thumb = light_bgr[::8, ::8].mean(-1)
    low, high = 1e-3, 1e4
    for _ in range(24):
        middle = float(np.sqrt(low * high))
        if float(srgb_from_light(thumb * middle).mean()) < target:
            low = middle
        else:
            high = middle
    return float(np.sqrt(low * high))


def with_noise(light_bgr: LightImage, look: CameraLook, rng: Generator) -> LightImage:
    """Add shot and read noise to the light, slightly grainy, since sensors interpolate neighbours."""
    grain = rng.standard_normal(light_bgr.shape, dtype=np.float32)
    grain = cv2.GaussianBlur(grain, (3, 3), 0.5) * np.float32(1.6)
    deviation = look.noise * np.sqrt(SHOT_NOISE * np.maximum(light_bgr, 0) + READ_NOISE)
    return np.asarray(light_bgr + grain * deviation, np.float32)


def develop(light_bgr: LightImage) -> BgrImage:
    """Develop light into 8-bit display values with a soft shoulder."""
    over = np.maximum(light_bgr - SHOULDER, 0)
    bent = np.minimum(light_bgr, SHOULDER) + (1 - SHOULDER) * (1 - np.exp(-over / (1 - SHOULDER)))
    return np.asarray(cv2.LUT(np.clip(bent * 65535 + 0.5, 0, 65535).astype(np.uint16), _tone_table()), np.uint8)


def sharpened(image: BgrImage, amount: float) -> BgrImage:
    """Sharpen edges with an unsharp mask of one pixel, as cameras do."""
    fine = image.astype(np.float32)
    soft = cv2.GaussianBlur(fine, (0, 0), 1.1)
    return np.asarray(np.clip(fine + amount * (fine - soft) + 0.5, 0, 255), np.uint8)


def encode_jpeg(image: BgrImage, quality: int) -> bytes:
    """Return the picture as JPEG."""
    _, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])
    return bytes(data)


def take_jpeg(light_bgr: LightImage, look: CameraLook, rng: Generator) -> bytes:
    """Photograph linear light (H, W, 3) and compress it as the camera does."""
    return encode_jpeg(photograph(light_bgr, look, rng), look.jpeg_quality)


def disc_kernel(radius_px: float) -> Float[Floats, "size size"]:
    """Return the blur of a point out of focus."""
    return _average_kernel(lambda x, y: np.hypot(x, y) <= radius_px, radius_px)


def motion_kernel(length_px: float, direction_deg: float) -> Float[Floats, "size size"]:
    """Return the smear of a point while the camera moves."""
    turn = np.radians(direction_deg)

    def on_line(x: FloatMap, y: FloatMap) -> Mask:
        along, across = x * np.cos(turn) + y * np.sin(turn), y * np.cos(turn) - x * np.sin(turn)
        return np.asarray((np.abs(along) <= length_px / 2) & (np.abs(across) <= 0.35))

    return _average_kernel(on_line, length_px / 2 + 0.5)


def _average_kernel(inside: Callable[[FloatMap, FloatMap], Mask], reach_px: float) -> Float[Floats, "size size"]:
    """Return a kernel from a shape sampled at 8 x 8 places per pixel."""
    half = int(np.ceil(reach_px)) + 1
    fine = (np.arange((2 * half + 1) * 8) + 0.5) / 8 - half - 0.5
    x, y = np.meshgrid(fine, fine)
    hit = np.asarray(inside(x, y), np.float32)
    kernel = hit.reshape(2 * half + 1, 8, 2 * half + 1, 8).sum((1, 3))
    return np.asarray(kernel / kernel.sum(), np.float32)


@lru_cache(maxsize=4)
def _radius_squared(shape: tuple[int, int]) -> Float[Floats, "height width 1"]:
    y, x = np.mgrid[: shape[0], : shape[1]].astype(np.float32)
    middle = (np.array(shape, np.float32) - 1) / 2
    return np.asarray(((x - middle[1]) ** 2 + (y - middle[0]) ** 2) / float((middle**2).sum()), np.float32)[..., None]


def vignette(shape: tuple[int, int], strength: float) -> Float[Floats, "height width 1"]:
    """Return the transmission (H, W, 1) of the lens, falling towards the corners."""
    return np.asarray(1 - np.float32(strength) * _radius_squared(shape), np.float32)


@lru_cache(maxsize=1)
def _tone_table() -> UInt8[Levels, " 65536"]:
    steps = np.arange(65536, dtype=np.float32) / 65535
    return (srgb_from_light(steps) * 255 + 0.5).astype(np.uint8)
