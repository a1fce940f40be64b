"""Ring colours: the likelihood that a pixel shows a base's rim, for each ring colour of the roster.

Colours are compared in print colours (light and white balance removed). Shade scales a rim's colour; haze, blur and
reflections mix it with grey. Neither changes the direction in which it differs from grey, taken in linear light. So
that direction identifies coloured rings, each in competition with the others. A grey, black or white ring has no such
direction. Its brightness identifies it, which is far weaker evidence.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from jaxtyping import Float, Float32, Int32, UInt8

from calibration.arrays import BgrImage, Integers, Levels, Numbers, Singles
from calibration.color import bgr_from_hex, hue_plane, light_from_gamma

_HUE_SPREAD_DEG = 11.0
"""Standard deviation of a rim's direction of colour: paint, noise and JPEG's coarse chroma."""

_ELSE_DEG = 24.0
"""Angle from every ring beyond which a colour more likely belongs to something else."""

_LEAST_CHROMA = 14.0
_CHROMA_SPREAD = 4.0
"""Difference from grey, in display values, from which the direction counts, twice the noise in dim light."""

_GREY_BELOW = 0.2
"""Largest difference of a grey ring's channels, relative to its brightest one."""

_BRIGHTNESS_SPREAD = 30.0
_GREY_TRUST = 0.6

_BITS = 5


def ring_likelihood(image: BgrImage, colors: Sequence[str]) -> Float32[Singles, "height width colors"]:
    """Return for each pixel and colour the chance of that rim."""
    likelihood: Singles = _table(tuple(colors))[_on_grid(image)]
    return likelihood


def new_ring_likelihood(
    seen_image: BgrImage, print_image: BgrImage, colors: Sequence[str]
) -> Float32[Singles, "height width"]:
    """Return each pixel's greatest likelihood of one of these rims where the print is unlike it."""
    seen, printed = _on_grid(seen_image), _on_grid(print_image)
    likeliest = np.zeros(seen.shape, dtype=np.float32)
    # Process one colour after another: all at once exceed the processor's cache.
    for of_color in np.ascontiguousarray(_table(tuple(colors)).T):
        np.maximum(likeliest, of_color[seen] * (1 - of_color[printed]), out=likeliest)
    return likeliest


def _on_grid(image: BgrImage) -> Int32[Integers, "height width"]:
    """Return each pixel's row of ``_table``."""
    index = (image >> (8 - _BITS)).astype(np.int32)
    return np.asarray((index[:, :, 0] << (2 * _BITS)) | (index[:, :, 1] << _BITS) | index[:, :, 2])


@lru_cache(maxsize=16)
def _table(colors: tuple[str, ...]) -> Float32[Singles, "32768 colors"]:
    """Return the likelihood of every colour on a grid of 32 steps."""
    step = 1 << (8 - _BITS)
    levels = (np.arange(1 << _BITS) * step + step // 2).astype(np.uint8)
    grid = np.stack(np.meshgrid(levels, levels, levels, indexing="ij"), axis=-1).reshape(-1, 3)
    grey_rings = [_is_grey(color) for color in colors]
    weights = [
        _weight_of_hue(grid, color) if not grey else np.zeros(len(grid))
        for color, grey in zip(colors, grey_rings, strict=True)
    ]
    total = np.sum(weights, axis=0) + float(np.exp(-0.5 * (_ELSE_DEG / _HUE_SPREAD_DEG) ** 2))
    chroma = grid.max(axis=1).astype(np.float32) - grid.min(axis=1)
    is_colored = 1 / (1 + np.exp(-(chroma - _LEAST_CHROMA) / _CHROMA_SPREAD))
    columns = [
        _GREY_TRUST * (1 - is_colored) * _weight_of_brightness(grid, color) if grey else is_colored * weight / total
        for color, grey, weight in zip(colors, grey_rings, weights, strict=True)
    ]
    return np.stack(columns, axis=1).astype(np.float32)


def _is_grey(color: str) -> bool:
    bgr = bgr_from_hex(color)
    return max(bgr) - min(bgr) < _GREY_BELOW * max(*bgr, 1)


def _weight_of_hue(grid: UInt8[Levels, "colors 3"], color: str) -> Float[Numbers, " 32768"]:
    """Return a Gaussian of the angle between a colour's direction from grey and the ring's."""
    plane = hue_plane(light_from_gamma(grid))
    ring = hue_plane(light_from_gamma(np.array([bgr_from_hex(color)], dtype=np.uint8)))[0]
    off = np.arctan2(plane[:, 1], plane[:, 0]) - np.arctan2(ring[1], ring[0])
    off_deg = np.abs((np.rad2deg(off) + 180) % 360 - 180)
    return np.asarray(np.exp(-0.5 * (off_deg / _HUE_SPREAD_DEG) ** 2))


def _weight_of_brightness(grid: UInt8[Levels, "colors 3"], color: str) -> Float[Numbers, " 32768"]:
    off = grid.astype(np.float32).mean(axis=1) - float(np.mean(bgr_from_hex(color)))
    return np.asarray(np.exp(-0.5 * (off / _BRIGHTNESS_SPREAD) ** 2))
