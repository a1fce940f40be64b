"""Show a board in other colours, so that the cell networks hear where print is hidden on textures that no photo showed.

Photo and print change alike; then the photo's light, blur and noise change a little by themselves.
"""

from __future__ import annotations

import cv2
import numpy as np
from jaxtyping import Float32

from calibration.arrays import BgrImage, Singles
from vision.photo.decoding import decode_photo
from vision.simulation.arrays import Generator
from vision.simulation.camera_effects import encode_jpeg
from vision.training.cell_samples import CellBoard

_SWAPPED, _TURNED, _INVERTED = 0.5, 0.7, 0.15
"""Shares of boards with channels in another order, with hues turned, and with light and dark exchanged."""

_GAMMA, _CONTRAST, _OFFSET, _SATURATION = 0.5, (0.5, 1.1), 0.12, (0.3, 1.4)
"""Ranges for photo and print: log gamma either way, contrast, brightness either way, saturation."""

_OWN_GAMMA, _OWN_TINT, _OWN_SLOPE = 0.15, 0.06, 0.1
"""The photo's own light: largest log gamma, deviations of the log gain of a channel and of the slope over the board."""

_BLUR_PX, _NOISE = (0.3, 1.3), 0.025
_QUALITY = (40, 90)
_WORN = 0.5
"""Share of photos that are blurred, and of those that are compressed."""


def recolored(board: CellBoard, rng: Generator) -> CellBoard:
    """Return the board with other colours in photo and print. Its hints stay those of the first colours."""
    mixed: Singles = np.eye(3, dtype=np.float32)
    if rng.random() < _SWAPPED:
        mixed = mixed[:, rng.permutation(3)]
    if rng.random() < _TURNED:
        turn, _ = cv2.Rodrigues(rng.uniform(-np.pi, np.pi) * np.ones(3) / np.sqrt(3))
        mixed = mixed @ turn.T.astype(np.float32)
    is_inverted = rng.random() < _INVERTED
    gamma, saturation = np.exp(rng.uniform(-_GAMMA, _GAMMA)), rng.uniform(*_SATURATION)
    contrast, offset = rng.uniform(*_CONTRAST), rng.uniform(-_OFFSET, _OFFSET)

    def in_tone(image: BgrImage) -> Float32[Singles, "rows columns 3"]:
        colors = image.astype(np.float32) / 255 @ mixed
        colors = 1 - colors if is_inverted else colors
        gray = colors.mean(axis=-1, keepdims=True)
        toned = np.clip(gray + saturation * (colors - gray), 0, 1) ** gamma
        return np.asarray(np.clip(contrast * (toned - 0.5) + 0.5 + offset, 0, 1), np.float32)

    shown = _levels(in_tone(board.printed))
    shown[board.printed.sum(axis=-1) == 0] = 0  # black stays where nothing is printed
    return board._replace(seen=_worn(in_tone(board.seen), rng), printed=shown)


def _worn(seen: Float32[Singles, "rows columns 3"], rng: Generator) -> BgrImage:
    """Return the photo in a light of its own, blurred, noisy and compressed."""
    slopes = zip(rng.normal(0, _OWN_SLOPE, 2), seen.shape[:2], strict=True)
    down, across = (np.linspace(-slope / 2, slope / 2, side) for slope, side in slopes)
    slope = 1 + down[:, None, None] + across[None, :, None]
    lit = seen ** np.exp(rng.uniform(-_OWN_GAMMA, _OWN_GAMMA)) * np.exp(rng.normal(0, _OWN_TINT, 3)) * slope
    if rng.random() < _WORN:
        lit = cv2.GaussianBlur(lit, (0, 0), rng.uniform(*_BLUR_PX))
    photo = _levels(lit + rng.normal(0, rng.uniform(0, _NOISE), lit.shape))
    return decode_photo(encode_jpeg(photo, int(rng.integers(*_QUALITY)))) if rng.random() < _WORN else photo


def _levels(image: Float32[Singles, "rows columns 3"]) -> BgrImage:
    return (np.clip(image, 0, 1) * 255).astype(np.uint8)
