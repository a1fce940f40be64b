"""PDF files by fpdf2, which takes half a second to load: only whoever prints pays for it, no start of a program."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fpdf import FPDF
    from fpdf.drawing import PaintedPath


def empty_pdf(width_mm: float, height_mm: float) -> FPDF:
    """A document without a page; its measures are millimetres."""
    from fpdf import FPDF

    return FPDF(unit="mm", format=(width_mm, height_mm))


def fill_with_holes(path: PaintedPath) -> None:
    """Has a path filled so that what is inside two of its outlines is a hole."""
    from fpdf.enums import PathPaintRule

    path.style.paint_rule = PathPaintRule.FILL_EVENODD
