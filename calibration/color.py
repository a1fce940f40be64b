"""Conversions of pictures and colours, all in this module.

Functions are named like transforms, the result first: ``gray_from_bgr``. Channels are blue, green, red. Light is
linear, 0 to 1. *sRGB* is the exact curve of display values. *Gamma* is a power of 2.2, accurate enough where only
ratios of colours matter.
"""

from __future__ import annotations

import cv2
import numpy as np
from jaxtyping import Float, Float32, Num, UInt8

from calibration.arrays import BgrImage, Floats, GrayImage, Levels, Numbers, Singles

GAMMA = 2.2
"""The power that approximates sRGB's curve."""


def gray_from_bgr(bgr_image: BgrImage) -> GrayImage:
    """Return the brightness of a colour picture."""
    return np.asarray(cv2.cvtColor(bgr_image, cv2.COLOR_BGR2GRAY), dtype=np.uint8)


def bgr_from_gray(gray_image: GrayImage) -> BgrImage:
    """Return the picture with three equal channels."""
    return np.asarray(cv2.cvtColor(gray_image, cv2.COLOR_GRAY2BGR), dtype=np.uint8)


def bgr_from_rgb(rgb_image: UInt8[Levels, "height width 3"]) -> BgrImage:
    """Return the picture with red and blue exchanged."""
    return np.asarray(cv2.cvtColor(rgb_image, cv2.COLOR_RGB2BGR), dtype=np.uint8)


def bgr_from_hex(color: str) -> tuple[int, int, int]:
    """Return blue, green and red of ``#rrggbb``, 0 to 255."""
    red, green, blue = bytes.fromhex(color.removeprefix("#"))
    return blue, green, red


LAB_BLACK = np.array([-16.0, 0.0, 0.0])
"""CIELAB at which its cube root of light is 0."""

LAB_WEIGHTS = np.array([0.5, 1.0, 1.0], dtype=np.float32)
"""Weights of L, a and b in differences. Uneven light and shadows change a thing's hue less than its brightness."""


def lab_from_bgr(bgr: Num[Numbers, "height width 3"]) -> Float32[Singles, "height width 3"]:
    """Return CIE L*a*b* of display values from 0 to 255: L from 0 to 100, distances perceptually uniform."""
    return np.asarray(cv2.cvtColor(bgr.astype(np.float32) / 255, cv2.COLOR_BGR2LAB), dtype=np.float32)


def hue_plane(linear: Float[Floats, "*shape 3"]) -> Float[Floats, "*shape 2"]:
    """Return linear colours without their grey, as points in the plane perpendicular to grey."""
    blue, green, red = linear[..., 0], linear[..., 1], linear[..., 2]
    return np.stack([red - (green + blue) / 2, (green - blue) * np.sqrt(0.75)], axis=-1)


def light_from_gamma(levels: UInt8[Levels, "*shape"]) -> Float32[Singles, "*shape"]:
    """Return linear light of display values."""
    table = ((np.arange(256) / 255) ** GAMMA).astype(np.float32)
    light: Singles = table[levels]
    return light


def gamma_from_light(light: Float[Floats, "height width 3"]) -> BgrImage:
    """Return display values of linear light, clipped above white."""
    # A table of 4096 steps is finer than 8 bits, except in the deepest black.
    table = np.round((np.arange(4097) / 4096) ** (1 / GAMMA) * 255).astype(np.uint8)
    levels: Levels = table[(np.clip(light, 0, 1) * 4096).astype(np.int32)]
    return levels


def light_from_srgb(display: Num[Numbers, "*shape"]) -> Float[Floats, "*shape"]:
    """Return linear light of display values: bytes, or shares from 0 to 1 in their own precision."""
    shares = display.astype(np.float32) / np.float32(255) if display.dtype == np.uint8 else display
    return np.where(shares <= 0.04045, shares / 12.92, ((shares + 0.055) / 1.055) ** 2.4)


def srgb_from_light(light: Float[Floats, "*shape"]) -> Float32[Singles, "*shape"]:
    """Return display values from 0 to 1 of linear light, clipped above white."""
    clipped = np.clip(light, 0, 1).astype(np.float32)
    return np.where(clipped <= 0.0031308, clipped * 12.92, 1.055 * clipped ** (1 / 2.4) - 0.055).astype(np.float32)


def light_from_hex(color: str) -> tuple[float, float, float]:
    """Return linear blue, green and red of ``#rrggbb``."""
    b, g, r = light_from_srgb(np.array(bgr_from_hex(color), np.uint8)).tolist()
    return b, g, r
