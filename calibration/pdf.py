"""PDF files by fpdf2, and words as outlines for letters that the fonts of PDF readers lack.

fpdf2 takes half a second to load, so only printing loads it and no start of a program.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

from calibration.arrays import Points

if TYPE_CHECKING:
    from fpdf import FPDF
    from fpdf.drawing import PaintedPath


EM_PX = 128
"""The height of letters for tracing: a step of the tracing is a fiftieth of a millimetre on the sheet."""

REGULAR = 400
"""The weight of the letters; without it OpenCV takes that of the first words in this program."""

SMOOTH_PX = 0.6
"""Smaller corners are steps of the tracing and not of the letter."""

HAS_LETTERS = hasattr(cv2, "FontFace")
"""OpenCV has letters of its own from version 5 on."""


def empty_pdf(width_mm: float, height_mm: float) -> FPDF:
    """Return a document without a page, in millimetres."""
    from fpdf import FPDF

    return FPDF(unit="mm", format=(width_mm, height_mm))


def fill_with_holes(path: PaintedPath) -> None:
    """Make the areas inside two of a path's outlines holes."""
    from fpdf.enums import PathPaintRule

    path.style.paint_rule = PathPaintRule.FILL_EVENODD


def outlines_of(words: str, size_mm: float) -> list[Points]:
    """The outlines of a line of words, each (N, 2) in millimetres from the start of its baseline, x right, y down.

    Areas inside two of them are holes. Needs ``HAS_LETTERS``.
    """
    image = np.zeros((2 * EM_PX, EM_PX * (len(words) + 2)), np.uint8)
    start_px = (EM_PX, EM_PX + EM_PX // 2)
    cv2.putText(image, words, start_px, (255,), cv2.FontFace("sans"), EM_PX, REGULAR)
    found, _ = cv2.findContours((image > 127).astype(np.uint8), cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)
    smooth = [cv2.approxPolyDP(outline, SMOOTH_PX, closed=True).reshape(-1, 2) for outline in found]
    mm_per_px = np.float64(size_mm / EM_PX)
    return [np.subtract(outline, start_px, dtype=np.float64) * mm_per_px for outline in smooth if len(outline) > 2]
