"""A page to print at true size: vector shapes in millimetres, with a ruler to check the print."""

from __future__ import annotations

import datetime
import itertools
import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from assistant.errors import RulerMisread
from calibration.arrays import Points
from calibration.pdf import HAS_LETTERS, empty_pdf, fill_with_holes, outlines_of

Translate = Callable[[str], str]
"""Words a sentence in the reader's language. ``str`` words it in English."""

RULER_MM = 100.0
MARGIN_MM = 12.0
"""Margin that printers cannot reach."""

FOOT_MM = 24.0
"""The height of the strip with the ruler at the bottom."""

SHORTEST_RULER_MM, LONGEST_RULER_MM = 80.0, 125.0
"""Range of plausible ruler readings. Beyond it the ruler was misread, or printed on another kind of paper."""

INK, CUT, NOTE = (0, 0, 0), (170, 170, 170), (90, 90, 90)


_LATIN_OF_CYRILLIC = dict(zip("абвгдеёзийклмнопрстуфыэ", "abvgdeeziyklmnoprstufye", strict=True)) | {
    "ж": "zh",
    "х": "kh",
    "ц": "ts",
    "ч": "ch",
    "ш": "sh",
    "щ": "shch",
    "ъ": "",
    "ь": "",
    "ю": "yu",
    "я": "ya",
}


def in_latin(words: str) -> str:
    """Return the words in letters of every PDF reader's fonts, if no other letters can be drawn."""
    letters = [_latin(letter) for letter in unicodedata.normalize("NFC", words)]
    return "".join(letters).encode("latin-1", "replace").decode("latin-1")


def is_latin(words: str) -> bool:
    """Return whether every PDF reader's fonts have all letters of these words."""
    try:
        unicodedata.normalize("NFC", words).encode("latin-1")
    except UnicodeEncodeError:
        return False
    return True


def _latin(letter: str) -> str:
    sound = _LATIN_OF_CYRILLIC.get(letter.lower(), letter.lower())
    return sound.capitalize() if letter.isupper() else sound


@dataclass(frozen=True)
class Paper:
    """A paper size, upright, in millimetres."""

    name: str
    width_mm: float
    height_mm: float


PAPERS = {paper.name: paper for paper in (Paper("a4", 210.0, 297.0), Paper("letter", 215.9, 279.4))}


def scale_for(measured_mm: float | None) -> float:
    """Return the drawing scale for a ruler of 100 mm that measures this much in print.

    Raises: RulerMisread: no printer errs that much.
    """
    if measured_mm is None:
        return 1.0
    if not SHORTEST_RULER_MM <= measured_mm <= LONGEST_RULER_MM:
        raise RulerMisread(measured_mm, RULER_MM)
    return RULER_MM / measured_mm


class Sheets:
    """A document whose pages carry a ruler. All lengths are millimetres on the printed paper.

    Args:
        paper: the paper.
        scale: enlarges the drawing to compensate for a printer that shrinks.
        title: the document's purpose, on every page.
        say: words a sentence in the reader's language.
        note: a line below the title.
    """

    def __init__(self, paper: Paper, scale: float, title: str, say: Translate = str, *, note: str = "") -> None:
        self.width_mm = paper.width_mm / scale - 2 * MARGIN_MM
        self.height_mm = paper.height_mm / scale - 2 * MARGIN_MM - FOOT_MM
        self._scale = scale
        self._title, self._note = title, note
        self._say = say
        self._pdf = empty_pdf(paper.width_mm, paper.height_mm)
        self._pdf.set_auto_page_break(False)
        self._pdf.set_margin(0)
        self._pdf.set_title(f"Sightline: {title}")
        # The same sheets always produce the same file.
        self._pdf.set_creation_date(datetime.datetime(2025, 1, 1, tzinfo=datetime.UTC))

    def page(self) -> None:
        """Begin a page, with the origin in the top left corner of its printable part."""
        self._pdf.add_page()
        self.text(0, 2, f"Sightline: {self._title}", size_mm=3.2)
        if self._note:
            self.text(0, 6.6, self._note)
        self._ruler(self.height_mm + 8)

    def _ruler(self, top_mm: float) -> None:
        self.rectangle(0, top_mm, RULER_MM, 0.25, INK)
        for millimetre in range(int(RULER_MM) + 1):
            length = 5.0 if millimetre % 10 == 0 else 3.5 if millimetre % 5 == 0 else 2.0
            # Keep ticks inside the ruler, so that its ends are the outer edges of the outer ticks.
            left = min(max(millimetre - 0.1, 0), RULER_MM - 0.2)
            self.rectangle(left, top_mm - length, 0.2, length, INK)
        say = self._say
        self.text(0, top_mm + 4, say("This ruler must be 100 mm long. Print at 100 % (no fitting to the page)."))
        correct = say("Otherwise enter its length in the set-up, or: sightline sheets --measured-mm LENGTH")
        self.text(0, top_mm + 8, correct)

    def rectangle(self, left: float, top: float, width: float, height: float, color: tuple[int, int, int]) -> None:
        """Draw a filled rectangle."""
        self.shapes([[(left, top), (left + width, top), (left + width, top + height), (left, top + height)]], color)

    def shapes(self, outlines: Iterable[Iterable[tuple[float, float]]], color: tuple[int, int, int]) -> None:
        """Draw filled outlines as one path, without seams where they touch. Areas inside two of them are holes."""
        with self._pdf.new_path() as path:
            fill_with_holes(path)
            path.style.fill_color = "#{:02x}{:02x}{:02x}".format(*color)
            for outline in outlines:
                first, *rest = [(self._on_paper(x), self._on_paper(y)) for x, y in outline]
                path.move_to(*first)
                for point in rest:
                    path.line_to(*point)
                path.close()

    def ring(self, center: tuple[float, float], outer_mm: float, inner_mm: float, color: tuple[int, int, int]) -> None:
        """Draw a filled ring between two diameters."""
        x, y = (self._on_paper(value) for value in center)
        outer, inner = outer_mm / 2 * self._scale, inner_mm / 2 * self._scale
        self._pdf.set_fill_color(*color)
        self._pdf.circle(x, y, outer, style="F")
        self._pdf.set_fill_color(255, 255, 255)
        self._pdf.circle(x, y, inner, style="F")

    def cut_line(self, points: Points) -> None:
        """Draw a thin dashed line along points (N, 2)."""
        self._pdf.set_draw_color(*CUT)
        self._pdf.set_line_width(0.15)
        self._pdf.set_dash_pattern(2, 1.5)
        for (x0, y0), (x1, y1) in itertools.pairwise(points):
            self._pdf.line(*(self._on_paper(float(value)) for value in (x0, y0, x1, y1)))
        self._pdf.set_dash_pattern()

    def picture(self, png: bytes, left: float, top: float, width: float, height: float) -> None:
        """Draw a picture at true size."""
        wide, high = width * self._scale, height * self._scale
        self._pdf.image(png, x=self._on_paper(left), y=self._on_paper(top), w=wide, h=high)

    def text(self, left: float, baseline: float, words: str, *, size_mm: float = 2.8) -> None:
        """Draw a line of small print, with outlines for letters that the built-in fonts lack."""
        if HAS_LETTERS and not is_latin(words):
            self.shapes(([(left + x, baseline + y) for x, y in one] for one in outlines_of(words, size_mm)), NOTE)
            return
        self._pdf.set_font("Helvetica", size=size_mm * self._scale / 0.3528)  # One point is 0.3528 mm.
        self._pdf.set_text_color(*NOTE)
        self._pdf.text(self._on_paper(left), self._on_paper(baseline), in_latin(words))

    def to_bytes(self) -> bytes:
        """Return the document as PDF."""
        return bytes(self._pdf.output())

    def _on_paper(self, value_mm: float) -> float:
        return (value_mm + MARGIN_MM) * self._scale
