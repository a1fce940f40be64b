"""Words as outlines: what the fonts of every PDF reader lack is drawn with the letters that OpenCV brings."""

from __future__ import annotations

import cv2
import numpy as np

from calibration.arrays import Points

EM_PX = 128
"""The height that letters are traced at: a step of the tracing is a fiftieth of a millimetre on the sheet."""

REGULAR = 400
"""The weight of the letters. Unsaid, it is that of whatever was written first in this program."""

SMOOTH_PX = 0.6
"""Corners that stick out by less are steps of the tracing, not of the letter."""

HAS_LETTERS = hasattr(cv2, "FontFace")
"""OpenCV brings letters of its own from version 5 on."""


def outlines_of(words: str, size_mm: float) -> list[Points]:
    """The outlines of a line of words, each (N, 2) in millimetres from the start of its baseline, x right, y down.

    What lies inside two of them is a hole. Needs ``HAS_LETTERS``.
    """
    image = np.zeros((2 * EM_PX, EM_PX * (len(words) + 2)), np.uint8)
    start_px = (EM_PX, EM_PX + EM_PX // 2)
    cv2.putText(image, words, start_px, (255,), cv2.FontFace("sans"), EM_PX, REGULAR)
    found, _ = cv2.findContours((image > 127).astype(np.uint8), cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)
    smooth = [cv2.approxPolyDP(outline, SMOOTH_PX, closed=True).reshape(-1, 2) for outline in found]
    mm_per_px = np.float64(size_mm / EM_PX)
    return [np.subtract(outline, start_px, dtype=np.float64) * mm_per_px for outline in smooth if len(outline) > 2]
