"""A call on paper: the judge's slip, the photos with the rulings' lines drawn over them, the last steps."""

from __future__ import annotations

import datetime
import io
from collections.abc import Iterable, Mapping
from functools import lru_cache

from assistant.app.tournament.call_report import CallReport, GetPart, ReportRuling, report_pictures, speak_time
from assistant.documents.moment import DrawnLine, FrozenPicture, SnappedEdge
from assistant.translations.speech import Speech
from calibration.paper import PAPERS, in_latin, is_latin
from calibration.pdf import HAS_LETTERS, empty_pdf, fill_with_holes, outlines_of

MARGIN_MM = 16.0
LABEL_MM = 48.0
"""Indent of a slip's values in mm."""

TEXT_MM, TITLE_MM, HEAD_MM = 3.6, 6.4, 4.6
LEADING = 1.4
MM_PER_POINT = 0.3528
MOST_PICTURE_MM = 130.0
"""Largest height of a picture in mm, which leaves room for its text."""

INK, NOTE, FREE, STOPPED, TARGET = (16, 32, 46), (90, 100, 110), (0, 150, 90), (214, 60, 34), (230, 130, 10)
PAPER, DOOR = (255, 255, 255), (47, 143, 224)
LABEL_SIZE_MM = 2.4
_TYPED = str.maketrans({"“": '"', "”": '"', "‘": "'", "’": "'", "–": "-", "—": "-", "…": "..."})
"""Typewriter forms of characters that the built-in fonts lack. One such character would change its line's font."""

Color = tuple[int, int, int]


def report_pdf(report: CallReport, part: GetPart, fingerprint: str, speech: Speech) -> bytes:
    """Return the PDF in a reader's language. The same call always gives the same file."""
    said, title = speech.text, speech.text("A judge's call")
    slip = _Slip(report.call.changed_t, is_drawn=HAS_LETTERS and not is_latin(title))
    slip.words(title, TITLE_MM)
    for fact in report.facts:
        slip.fact(fact.name, fact.value)
    for picture, rulings in report_pictures(report):
        slip.photo(part(picture.picture), picture, rulings, report.names)
        _tell(slip, picture, rulings, speech)
    slip.list(said("Corrected by hand"), (one.on_paper() for one in report.corrections))
    slip.list(said("House rules"), (f"{one.name}: {one.value}" for one in report.options))
    slip.list(said("Last steps of the match"), report.events)
    slip.gap(TEXT_MM)
    slip.words(f"{said('The table signs evidence with the key')} {fingerprint}", TEXT_MM, color=NOTE)
    slip.words(said("In doubt? Ask for the evidence file and check it with sightline verify."), TEXT_MM, color=NOTE)
    return slip.to_bytes()


def _tell(slip: _Slip, picture: FrozenPicture, rulings: tuple[ReportRuling, ...], speech: Speech) -> None:
    """Print the text below a picture."""
    slip.words(speak_time(picture.t), TEXT_MM, color=NOTE)
    for one in rulings:
        sure = speech.text("Sure: {percent}", percent=one.stability)
        slip.words(f"{one.attacker} – {one.defender}: {one.headline} ({sure})", HEAD_MM)
        for reason in one.reasons:
            slip.words(f"· {reason}", TEXT_MM, indent_mm=3)


class _Slip:
    """Pages filled from top to bottom. All lengths are millimetres.

    Args:
        t_ms: the time of writing, milliseconds since 1970.
        is_drawn: whether every word is drawn as outlines, so that a page has a single typeface.
    """

    def __init__(self, t_ms: int, *, is_drawn: bool) -> None:
        self._is_drawn = is_drawn
        paper = PAPERS["a4"]
        self._width = paper.width_mm - 2 * MARGIN_MM
        self._bottom = paper.height_mm - MARGIN_MM
        self._y = MARGIN_MM
        self._pdf = empty_pdf(paper.width_mm, paper.height_mm)
        self._pdf.set_auto_page_break(False)
        self._pdf.set_title("Sightline")
        self._pdf.set_creation_date(datetime.datetime.fromtimestamp(t_ms // 1000, datetime.UTC))
        self._page()

    def to_bytes(self) -> bytes:
        return bytes(self._pdf.output())

    def _set(self, words: str) -> str:
        return words if self._is_drawn else words.translate(_TYPED)

    def gap(self, height_mm: float) -> None:
        self._y += height_mm

    def words(self, words: str, size_mm: float, *, indent_mm: float = 0.0, color: Color = INK) -> None:
        """Print a paragraph of full width."""
        for line in _wrap(self._set(words), (self._width - indent_mm) / size_mm, is_drawn=self._is_drawn):
            self._room(size_mm * LEADING)
            self._line(MARGIN_MM + indent_mm, self._y + size_mm, line, size_mm, color)
            self._y += size_mm * LEADING

    def fact(self, name: str, value: str) -> None:
        """Print a line of the slip: a name with its value beside it."""
        lines = _wrap(self._set(value), (self._width - LABEL_MM) / TEXT_MM, is_drawn=self._is_drawn)
        self._room(TEXT_MM * LEADING)
        self._line(MARGIN_MM, self._y + TEXT_MM, name, TEXT_MM, NOTE)
        for line in lines:
            self._room(TEXT_MM * LEADING)
            self._line(MARGIN_MM + LABEL_MM, self._y + TEXT_MM, line, TEXT_MM, INK)
            self._y += TEXT_MM * LEADING

    def list(self, title: str, lines: Iterable[str]) -> None:
        """Print a heading with its lines, or nothing if there are none."""
        for number, line in enumerate(lines):
            if number == 0:
                self.gap(TEXT_MM)
                self._room(HEAD_MM * LEADING + TEXT_MM * LEADING)
                self.words(title, HEAD_MM)
            self.words(line, TEXT_MM, indent_mm=3)

    def photo(
        self, jpeg: bytes, picture: FrozenPicture, rulings: tuple[ReportRuling, ...], names: Mapping[str, str]
    ) -> None:
        """Print a photo of full width, with the board, the rulings' lines and the figures' names."""
        left, upper, wide, high = picture.focus
        scale = min(self._width / wide, MOST_PICTURE_MM / high)
        width, height = wide * scale, high * scale
        self.gap(TEXT_MM)
        self._room(height + 2 * TEXT_MM * LEADING)
        x0, y0 = MARGIN_MM - left * scale, self._y - upper * scale
        whole_wh = (picture.width_px * scale, picture.height_px * scale)
        with self._pdf.rect_clip(MARGIN_MM, self._y, width, height):
            self._pdf.image(io.BytesIO(jpeg), x=x0, y=y0, w=whole_wh[0], h=whole_wh[1])
            for edge in picture.snapped.edges if picture.snapped else ():
                self._edge(edge, (x0, y0), scale)
            for one in rulings:
                for line in one.lines:
                    self._sight_line(line, (x0, y0), scale)
                for (x, y), color in zip(one.figures, (FREE, TARGET), strict=True):
                    self._pdf.set_draw_color(*color)
                    self._pdf.set_line_width(0.7)
                    self._pdf.circle(x0 + x * scale, y0 + y * scale, width / 50)
            for figure in picture.snapped.figures if picture.snapped else ():
                self._name(names[figure.id], (x0 + figure.at[0] * scale, y0 + figure.at[1] * scale - width / 40))
        self._y += height + 1

    def _edge(self, edge: SnappedEdge, corner: tuple[float, float], scale: float) -> None:
        """Draw a side of a cell, or an outline. Doors are thicker. Open doors and terrain are dashed."""
        x0, y0, x1, y1 = (value * scale for value in edge.ends)
        is_door = edge.kind.endswith("door")
        self._pdf.set_draw_color(*(DOOR if is_door or edge.kind == "base" else PAPER))
        self._pdf.set_line_width(0.6 if is_door else 0.25)
        self._pdf.set_dash_pattern(*((0.8, 0.8) if edge.kind in ("open door", "terrain") else (0, 0)))
        self._pdf.line(corner[0] + x0, corner[1] + y0, corner[0] + x1, corner[1] + y1)
        self._pdf.set_dash_pattern()

    def _name(self, name: str, at: tuple[float, float]) -> None:
        """Print a name on a picture, on a light ground to be readable on any background."""
        width = _width(name, is_drawn=self._is_drawn) * LABEL_SIZE_MM
        left, upper = at[0] - width / 2, at[1] - LABEL_SIZE_MM
        self._pdf.set_fill_color(*PAPER)
        self._pdf.rect(left - 0.5, upper - 0.2, width + 1, LABEL_SIZE_MM + 0.8, style="F")
        self._line(left, at[1], name, LABEL_SIZE_MM, INK)

    def _sight_line(self, line: DrawnLine, corner: tuple[float, float], scale: float) -> None:
        """Draw a line of sight. A free one is solid, a blocked one dashed, because colour must not be the only cue."""
        x0, y0, x1, y1 = (value * scale for value in line.ends)
        self._pdf.set_draw_color(*(FREE if line.is_free else STOPPED))
        self._pdf.set_line_width(0.5)
        self._pdf.set_dash_pattern(*((0, 0) if line.is_free else (2, 1.5)))
        self._pdf.line(corner[0] + x0, corner[1] + y0, corner[0] + x1, corner[1] + y1)
        self._pdf.set_dash_pattern()

    def _room(self, height_mm: float) -> None:
        if self._y + height_mm > self._bottom:
            self._page()

    def _page(self) -> None:
        self._pdf.add_page()
        self._y = MARGIN_MM

    def _line(self, left: float, baseline: float, words: str, size_mm: float, color: Color) -> None:
        """Print a line of text. Words with characters that the built-in fonts lack are drawn as outlines."""
        if self._is_drawn or (HAS_LETTERS and not is_latin(words)):
            with self._pdf.new_path() as path:
                fill_with_holes(path)
                path.style.fill_color = "#{:02x}{:02x}{:02x}".format(*color)
                path.style.stroke_color = None
                for outline in outlines_of(words, size_mm):
                    first, *rest = [(left + float(x), baseline + float(y)) for x, y in outline]
                    path.move_to(*first)
                    for point in rest:
                        path.line_to(*point)
                    path.close()
            return
        self._pdf.set_font("Helvetica", size=size_mm / MM_PER_POINT)
        self._pdf.set_text_color(*color)
        self._pdf.text(left, baseline, in_latin(words))


def _wrap(words: str, width: float, *, is_drawn: bool) -> list[str]:
    """Wrap words into lines of a width in letter heights. A word longer than a line is cut."""
    lines: list[str] = []
    for paragraph in words.splitlines() or [""]:
        line = ""
        for word in paragraph.split():
            longer = f"{line} {word}" if line else word
            if _width(longer, is_drawn=is_drawn) <= width:
                line = longer
                continue
            lines += [line] if line else []
            line = word
            while (wide := _width(line, is_drawn=is_drawn)) > width:
                fits = max(1, int(len(line) * width / wide))
                lines.append(line[:fits])
                line = line[fits:]
        lines.append(line)
    return lines


@lru_cache(maxsize=4096)
def _width(words: str, *, is_drawn: bool) -> float:
    """Return the width of a line of words, in letter heights."""
    return sum(_letter_width(letter, is_drawn=is_drawn) for letter in words)


@lru_cache(maxsize=512)
def _letter_width(letter: str, *, is_drawn: bool) -> float:
    """Return the width of a letter in the widest of its possible fonts."""
    if letter == " ":
        return 0.3
    if is_drawn or (HAS_LETTERS and not is_latin(letter)):
        points = [x for outline in outlines_of(letter, 1.0) for x, _ in outline]
        return max(points, default=0.5) + 0.06
    pdf = empty_pdf(PAPERS["a4"].width_mm, PAPERS["a4"].height_mm)
    pdf.set_font("Helvetica", size=1 / MM_PER_POINT)
    return float(pdf.get_string_width(in_latin(letter))) * 1.05
