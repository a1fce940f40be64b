"""Rotation-invariant keypoints of a print: SIFT, in millimetres.

A rectified picture has a known scale, so a single pair of keypoints already gives place and turn of a tile. Thousands
of pairs then vote (``vision.tiles.candidates``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

import cv2
import numpy as np
from jaxtyping import Float, Float32, Shaped

from calibration.arrays import BgrImage, GrayImage, Mask, Numbers, Singles
from calibration.color import gray_from_bgr

PX_PER_MM = 1.2
"""Scale of photo and print for keypoints, half the resolution of a camera at a metre. Twice as fine costs four times as
much and finds the same tiles. A separate fit provides precision."""

MOST_PIXELS = 1_400_000
"""Largest picture to search if its size is free. SIFT takes 230 MB per megapixel."""

_CONTRAST = 0.04
"""SIFT's own default. Lower values add mostly sensor noise and wood grain."""

_EDGE = 15
"""Slightly above SIFT's default of 10, because printed lines are edges, and their ends matter."""

_LOCAL_MM = 6.0
"""Range of contrast equalisation, about a quarter of a cell, so that shade and lamp light do not decide."""

_UPSCALED_PX = 0.25
"""Shift of keypoints by OpenCV's SIFT, which doubles the picture first and does not undo the shift of the pixel
centres. Its ``enable_precise_upscale`` does, but finds a tenth fewer."""

_EVEN_CONTRAST = 40.0
_NOISE_LEVELS = 6.0
"""Contrast in grey levels that counts as noise and is not amplified."""


@dataclass(frozen=True, eq=False)
class Keypoints:
    """N keypoints.

    Args:
        points_mm: their places.
        turn_deg: their orientations.
        size_mm: their diameters.
        descriptors: RootSIFT, unit length.
    """

    points_mm: Float[Numbers, "n 2"]
    turn_deg: Float[Numbers, " n"]
    size_mm: Float[Numbers, " n"]
    descriptors: Float32[Singles, "n 128"]

    def __len__(self) -> int:
        return len(self.points_mm)

    def moved(self, by_mm: Float[Numbers, " 2"]) -> Keypoints:
        return Keypoints(self.points_mm + by_mm, self.turn_deg, self.size_mm, self.descriptors)

    def chosen(self, index: Shaped[Numbers, " k"]) -> Keypoints:
        """Return some of the keypoints, by index or mask."""
        return Keypoints(self.points_mm[index], self.turn_deg[index], self.size_mm[index], self.descriptors[index])

    @classmethod
    def joined(cls, parts: Sequence[Keypoints]) -> Keypoints:
        """Concatenate several sets."""
        return cls(*(np.concatenate([getattr(part, name.name) for part in parts]) for name in fields(cls)))


def find_keypoints(image: BgrImage, px_per_mm: float, mask: Mask | None = None, limit: int = 0) -> Keypoints:
    """Return the strongest ``limit`` keypoints (0: all) of a picture of known scale, in its own millimetres."""
    even = even_contrast(gray_from_bgr(image), px_per_mm)
    sift = cv2.SIFT.create(nfeatures=limit, contrastThreshold=_CONTRAST, edgeThreshold=_EDGE)
    found, descriptors = sift.detectAndCompute(even, None if mask is None else mask.astype(np.uint8))
    if not found:
        empty = np.zeros(0, dtype=np.float32)
        return Keypoints(np.zeros((0, 2), np.float32), empty, empty, np.zeros((0, 128), np.float32))
    points_px = np.array([p.pt for p in found], dtype=np.float32)
    return Keypoints(
        (points_px - _UPSCALED_PX + 0.5) / px_per_mm,
        np.array([p.angle for p in found], dtype=np.float32),
        np.array([p.size for p in found], dtype=np.float32) / px_per_mm,
        _root_sift(descriptors),
    )


def even_contrast(gray_image: GrayImage, px_per_mm: float) -> GrayImage:
    """Return the picture with the same local mean and contrast everywhere."""
    gray = gray_image.astype(np.float32)
    sigma_px = _LOCAL_MM * px_per_mm
    # Two passes of a box filter are as good as a Gaussian here, in time independent of its size.
    side = int(sigma_px * 2) | 1
    mean = cv2.blur(cv2.blur(gray, (side, side)), (side, side))
    spread = np.sqrt(np.maximum(cv2.blur(cv2.blur(gray * gray, (side, side)), (side, side)) - mean * mean, 0))
    even: Numbers = 128 + _EVEN_CONTRAST * (gray - mean) / (spread + _NOISE_LEVELS)
    return np.clip(even, 0, 255).astype(np.uint8)


def _root_sift(descriptors: Float[Numbers, "n 128"]) -> Float32[Singles, "n 128"]:
    """Convert SIFT to RootSIFT, which compares histograms better (Arandjelovic and Zisserman, CVPR 2012)."""
    total = np.maximum(descriptors.sum(axis=1, keepdims=True), 1e-6)
    root: Singles = np.sqrt(descriptors / total).astype(np.float32)
    return root
