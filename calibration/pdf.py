"""PDF files by fpdf2, with outlines for letters that the fonts of PDF readers lack.

fpdf2 takes half a second to load, so only printing loads it.
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
"""Height of letters for tracing. One step is a fiftieth of a millimetre on the sheet."""

REGULAR = 400
"""Weight of the letters. Without it OpenCV keeps the weight of the first words it drew in this program."""

SMOOTH_PX = 0.6
"""Size of corners that come from the tracing and not from the letter."""

HAS_LETTERS = hasattr(cv2, "FontFace")
"""Whether OpenCV can draw letters, from version 5 on."""


def empty_pdf(width_mm: float, height_mm: float) -> FPDF:
    """Return a document without a page, in millimetres."""
    from fpdf import FPDF

    return FPDF(unit="mm", format=(width_mm, height_mm))


def fill_with_holes(path: PaintedPath) -> None:
    """Cut holes where two of a path's outlines overlap."""
    from fpdf.enums import PathPaintRule

    path.style.paint_rule = PathPaintRule.FILL_EVENODD


def outlines_of(words: str, size_mm: float) -> list[Points]:
    """Return the outlines of a line of words, each (N, 2) in millimetres from its baseline's start, x right, y down.

    Areas inside two of them are holes. Needs ``HAS_LETTERS``.
    """
    image = np.zeros((2 * EM_PX, EM_PX * (len(words) + 2)), np.uint8)
    start_px = (EM_PX, EM_PX + EM_PX // 2)
    cv2.putText(image, words, start_px, (255,), cv2.FontFace("sans"), EM_PX, REGULAR)
    found, _ = cv2.findContours((image > 127).astype(np.uint8), cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)
    smooth = [cv2.approxPolyDP(outline, SMOOTH_PX, closed=True).reshape(-1, 2) for outline in found]
    mm_per_px = np.float64(size_mm / EM_PX)
    return [np.subtract(outline, start_px, dtype=np.float64) * mm_per_px for outline in smooth if len(outline) > 2]
