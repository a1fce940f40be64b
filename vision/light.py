"""Display values and linear light."""

from __future__ import annotations

import numpy as np

from vision.images import BgrImage, FloatImage

_GAMMA = 2.2
"""Near enough to sRGB's curve for ratios of colours."""


def to_linear(image: BgrImage) -> FloatImage:
    """Linear light from 0 to 1."""
    table = ((np.arange(256) / 255) ** _GAMMA).astype(np.float32)
    linear: FloatImage = table[image]
    return linear


def from_linear(linear: FloatImage) -> BgrImage:
    """Display values of linear light; more than white is white."""
    # A table of 4096 steps is finer than 8 bits need everywhere but in the deepest black.
    table = np.round((np.arange(4097) / 4096) ** (1 / _GAMMA) * 255).astype(np.uint8)
    image: BgrImage = table[(np.clip(linear, 0, 1) * 4096).astype(np.int32)]
    return image
