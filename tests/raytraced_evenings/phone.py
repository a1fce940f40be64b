"""A phone's picture pipeline over a finished photo: smear, local tones, sharpening halos, vignette, JPEG."""

from __future__ import annotations

import cv2
import numpy as np

from calibration.arrays import BgrImage, Singles
from vision.simulation.arrays import Generator
from vision.simulation.camera_effects import encode_jpeg, vignette


def phone_jpeg(photo: BgrImage, rng: Generator) -> bytes:
    """Return the photo as a phone would have stored it: a JPEG of quality 62 to 88 with halved colours."""
    lifted = _local_tones(_smeared(photo, rng).astype(np.float32) / 255, float(rng.uniform(0.2, 0.6)))
    lifted *= np.exp(rng.normal(0, (0.05, 0.02, 0.05))).astype(np.float32)
    halo = lifted - cv2.GaussianBlur(lifted, (0, 0), float(rng.uniform(1.2, 2.2)))
    lifted = (lifted + float(rng.uniform(0.4, 1.1)) * halo) * vignette(photo.shape[:2], float(rng.uniform(0.05, 0.2)))
    return encode_jpeg(np.asarray(np.clip(lifted * 255 + 0.5, 0, 255), np.uint8), int(rng.integers(62, 89)))


def _smeared(photo: BgrImage, rng: Generator) -> BgrImage:
    """Denoise: fine tones smear a little, colours more."""
    soft = cv2.bilateralFilter(photo, 5, float(rng.uniform(8, 22)), 2)
    tones = cv2.cvtColor(soft, cv2.COLOR_BGR2YCrCb)
    tones[:, :, 1:] = cv2.GaussianBlur(tones[:, :, 1:], (0, 0), float(rng.uniform(1.0, 2.5)))
    return np.asarray(cv2.cvtColor(tones, cv2.COLOR_YCrCb2BGR), np.uint8)


def _local_tones(shares: Singles, strength: float) -> Singles:
    """Brighten dark regions and darken bright ones, keeping their fine contrast."""
    around = cv2.GaussianBlur(shares.mean(axis=2), (0, 0), 60)
    gain: Singles = ((0.42 + 0.02) / (around + 0.02)) ** strength
    return np.asarray(np.clip(shares * np.clip(gain, 0.6, 2.2)[:, :, None], 0, 1), np.float32)
