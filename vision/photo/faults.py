"""Why a photo cannot be read: asked only once it could not, so that advice fits the cause."""

from __future__ import annotations

import cv2
import numpy as np

from assistant.translations.messages import Said, said
from calibration.arrays import BgrImage
from calibration.picture_stats import picture_stats

_LONGER_SIDE_PX = 1920
"""Size at which sharpness is measured: a slope a pixel is half as steep in a picture twice as large."""

_BLURRED = 0.15
"""Sharpness of a blurred photo. 54 photos that were read had .25 or more; one blurred over 21 pixels has .06."""

_DARK, _BLOWN = 18.0, 0.04
"""Mean code value of a photo that is too dark, and share of clipped pixels of one with a reflected lamp."""


def fault_of(photo: BgrImage) -> Said | None:
    """What is wrong with a photo and what to do, or None where it is sharp, bright and without glare."""
    scale = min(1.0, _LONGER_SIDE_PX / max(photo.shape[:2]))
    small = cv2.resize(photo, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA) if scale < 1 else photo
    stats = picture_stats(np.asarray(small, dtype=np.uint8))
    if stats.brightness < _DARK:
        return said("The photo is too dark. Add light, then take it again.")
    if 0 < stats.sharpness < _BLURRED:
        return said("The photo is blurred. Hold the camera still or add light, then take it again.")
    if stats.blown_share > _BLOWN:
        return said("Light is reflected on the table. Move the lamp or the camera, then take the photo again.")
    return None
