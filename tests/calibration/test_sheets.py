"""Printed sheets: rendered at 300 dpi, the markers are there in the requested size."""

from __future__ import annotations

import shutil
import subprocess

import cv2
import numpy as np
import pytest

from assistant.errors import BadValue, PhotoUnreadable
from assistant.table.lattice import Edge
from assistant.table.roster import DoorSpec, Roster, RosterFigure
from assistant.table.tiles import TileSet, TileSide
from assistant.translations.speech import speech
from calibration.lens_board import LensBoard, find_board
from calibration.markers import find_markers
from calibration.paper import MARGIN_MM, PAPERS, RULER_MM, Sheets, in_latin, scale_for
from calibration.pdf import outlines_of
from calibration.sheets import (
    DOOR_COLOR,
    MARKER_FAMILY,
    door_sheets,
    lens_board_sheet,
    marker_sheets,
    pictures_of,
    ring_sheets,
    tile_sheets,
)

DPI = 300
PX_PER_MM = DPI / 25.4

ROSTER = Roster(
    (
        RosterFigure("alpha", "marine", "marines", (1, 1), 22.0, 33.0, "#1b9e3a"),
        RosterFigure("grey", "marine", "marines", (1, 1), 22.0, 33.0),
        RosterFigure("brute", "brute", "demons", (2, 1), 22.0, 40.0, "#8b3fb0", "rectangle", (47.4, 22.0)),
    ),
    DoorSpec(3, 1, 30.0, 2.0),
)


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """The pages of a PDF as pictures, by Poppler."""
    program = shutil.which("pdftoppm")
    if program is None:
        pytest.skip("needs pdftoppm (Debian package poppler-utils) to render the sheets")

    def rendered(pdf: bytes) -> list[np.ndarray]:
        folder = tmp_path_factory.mktemp("sheet")
        (folder / "sheet.pdf").write_bytes(pdf)
        subprocess.run([program, "-r", str(DPI), "-png", "sheet.pdf", "page"], cwd=folder, check=True, timeout=60)
        return [cv2.imread(str(page)) for page in sorted(folder.glob("page*.png"))]

    return rendered


def gray(page):
    return cv2.cvtColor(page, cv2.COLOR_BGR2GRAY)


@pytest.mark.parametrize("paper", PAPERS.values(), ids=PAPERS)
@pytest.mark.parametrize("side_mm", [40.0, 25.0])
def test_table_markers_come_out_at_their_size(pages, paper, side_mm):
    (page,) = pages(marker_sheets(paper, 1.0, [0, 5, 17, 101], side_mm))

    sightings = find_markers(gray(page), MARKER_FAMILY, {0, 5, 17, 101})

    assert [s.id for s in sightings] == [0, 5, 17, 101]
    for sighting in sightings:
        assert sighting.side_px / PX_PER_MM == pytest.approx(side_mm, rel=2e-3)


@pytest.mark.parametrize("paper", PAPERS.values(), ids=PAPERS)
def test_the_lens_board_comes_out_at_its_size(pages, paper):
    board = LensBoard()
    (page,) = pages(lens_board_sheet(paper, 1.0, board))

    sighting = find_board(gray(page), board)

    assert sighting is not None
    assert sighting.corner_count == (board.columns - 1) * (board.rows - 1)
    places = np.column_stack([sighting.board_mm, np.ones(len(sighting.board_mm))])
    fitted, *_ = np.linalg.lstsq(places, sighting.corners_px, rcond=None)
    assert fitted[:2] / PX_PER_MM == pytest.approx(np.eye(2), abs=2e-3)
    assert np.abs(places @ fitted - sighting.corners_px).max() < 0.7


def test_a_measured_ruler_makes_up_for_a_printer_that_shrinks(pages):
    (page,) = pages(marker_sheets(PAPERS["a4"], scale_for(97.0), [3]))

    (sighting,) = find_markers(gray(page), MARKER_FAMILY, {3})

    assert sighting.side_px / PX_PER_MM * 0.97 == pytest.approx(40.0, rel=2e-3)


def test_every_page_has_a_ruler_of_its_length(pages):
    (page,) = pages(lens_board_sheet(PAPERS["a4"], 1.0, LensBoard()))

    top = round((PAPERS["a4"].height_mm - MARGIN_MM - 24 + 8 + 0.12) * PX_PER_MM)
    dark = np.flatnonzero((gray(page)[top - 2 : top + 3] < 100).any(axis=0))

    assert (dark[-1] - dark[0] + 1) / PX_PER_MM == pytest.approx(RULER_MM, rel=2e-3)


def test_rings_have_the_rosters_colours_and_sizes(pages):
    (page,) = pages(ring_sheets(PAPERS["a4"], 1.0, ROSTER))

    for color, width_mm in (("#1b9e3a", 22.0), ("#8b3fb0", 47.4)):
        red, green, blue = bytes.fromhex(color[1:])
        columns = np.flatnonzero((np.abs(page.astype(int) - (blue, green, red)).max(axis=2) < 12).any(axis=0))
        assert (columns[-1] - columns[0] + 1) / PX_PER_MM == pytest.approx(width_mm, abs=0.2)


def test_there_is_a_label_for_every_door(pages):
    (page,) = pages(door_sheets(PAPERS["a4"], 1.0, ROSTER, 25.4))

    mask = (np.abs(page.astype(int) - DOOR_COLOR[::-1]).max(axis=2) < 12).astype(np.uint8)
    mask = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((9, 9), np.uint8))
    boxes = [box for box in cv2.connectedComponentsWithStats(mask)[2][1:] if box[4] > 1000]

    assert len(boxes) == 3
    for _, _, width, height, _ in boxes:
        assert width / PX_PER_MM == pytest.approx(25.4, abs=0.3)
        assert height / PX_PER_MM == pytest.approx(14.0, abs=0.3)


@pytest.fixture
def tiles(tmp_path):
    """A small tile and one of 12 cells, which fits no page in one piece."""
    cv2.imwrite(str(tmp_path / "small.png"), np.full((32, 64, 3), (10, 200, 30), np.uint8))
    cv2.imwrite(str(tmp_path / "long.png"), np.full((32, 12 * 32, 3), (200, 30, 10), np.uint8))
    small = TileSide("small", "small.png", frozenset({(0, 0), (1, 0)}), {Edge.between((0, 0), (1, 0)): "wall"})
    long = TileSide("long", "long.png", frozenset((c, 0) for c in range(12)))
    return TileSet("two", 25.4, 32, 2.0, (small, long))


def test_tiles_come_out_at_their_size_the_large_ones_in_pieces(pages, tiles, tmp_path):
    (page,) = pages(tile_sheets(PAPERS["a4"], 1.0, tiles, pictures_of(tiles, tmp_path)))

    green = np.flatnonzero((page[:, :, 1] > 150) & (page[:, :, 2] < 80) & (page[:, :, 0] < 80))
    assert green.size / PX_PER_MM**2 == pytest.approx(2 * 25.4**2, rel=0.01)
    blue = np.count_nonzero((page[:, :, 0] > 150) & (page[:, :, 1] < 80))
    assert blue / PX_PER_MM**2 == pytest.approx(12 * 25.4**2, rel=0.01)


def test_every_piece_of_a_tile_bears_its_name(tiles, tmp_path):
    program = shutil.which("pdftotext")
    if program is None:
        pytest.skip("needs pdftotext (Debian package poppler-utils) to read the sheets")
    pdf = tile_sheets(PAPERS["a4"], 1.0, tiles, pictures_of(tiles, tmp_path))
    told = subprocess.run([program, "-layout", "-", "-"], input=pdf, capture_output=True, check=True, timeout=60)

    words = told.stdout.decode().split()
    assert words.count("small") == 1
    assert [words[words.index("long") + 1], words.count("long")] == ["1/2", 2]


def test_a_tile_without_its_picture_is_named(tiles, tmp_path):
    (tmp_path / "long.png").unlink()

    with pytest.raises(PhotoUnreadable, match=r"long\.png"):
        pictures_of(tiles, tmp_path)


def test_many_markers_go_on_many_pages(pages):
    assert len(pages(marker_sheets(PAPERS["a4"], 1.0, range(30)))) == 3


def test_the_same_sheets_give_the_same_file():
    assert marker_sheets(PAPERS["a4"], 1.0, [1]) == marker_sheets(PAPERS["a4"], 1.0, [1])


def test_names_in_other_scripts_do_not_break_a_sheet():
    sheets = Sheets(PAPERS["a4"], 1.0, "Бесы 肉")
    sheets.page()
    assert sheets.to_bytes().startswith(b"%PDF")


def test_letters_of_other_scripts_are_drawn_at_their_size():
    (ring, hole), (letter,) = outlines_of("О", 10.0), outlines_of("Г", 10.0)

    assert np.ptp(letter[:, 1]) == pytest.approx(np.ptp(outlines_of("E", 10.0)[0][:, 1]), abs=0.2)
    assert letter[:, 1].max() == pytest.approx(0.0, abs=0.2)  # it stands on the line
    assert (np.ptp(ring, axis=0) > np.ptp(hole, axis=0)).all()
    # Also where something was written in bold letters before.
    assert np.ptp(np.vstack(outlines_of("Стол", 5.0))[:, 0]) == pytest.approx(11.68, abs=0.1)


@pytest.mark.parametrize("language", ["ru", "es"])
def test_a_sheet_speaks_the_readers_language_and_is_as_exact(pages, language):
    (english,) = pages(marker_sheets(PAPERS["a4"], 1.0, [0, 5]))
    (page,) = pages(marker_sheets(PAPERS["a4"], 1.0, [0, 5], say=speech(language).text))

    title = slice(round(MARGIN_MM * PX_PER_MM), round((MARGIN_MM + 4) * PX_PER_MM))
    assert not np.array_equal(page[title], english[title])
    inked_mm = np.ptp(np.flatnonzero((gray(page)[title] < 160).any(axis=0))) / PX_PER_MM
    assert 50 < inked_mm < 120
    sightings = find_markers(gray(page), MARKER_FAMILY, {0, 5})
    assert [s.side_px / PX_PER_MM for s in sightings] == pytest.approx([40.0, 40.0], rel=2e-3)


@pytest.mark.parametrize("measured_mm", [0.0, 60.0, 1000.0, float("nan")])
def test_a_ruler_that_cannot_be_is_refused(measured_mm):
    with pytest.raises(BadValue, match="Measure the printed ruler again"):
        scale_for(measured_mm)


def test_what_cannot_be_printed_is_refused():
    paper = PAPERS["a4"]
    with pytest.raises(BadValue, match="go from 0 to 586"):
        marker_sheets(paper, 1.0, [587])
    with pytest.raises(BadValue, match="does not work"):
        marker_sheets(paper, 1.0, [1], 500.0)
    with pytest.raises(BadValue, match="does not fit"):
        lens_board_sheet(paper, 1.0, LensBoard(square_mm=60.0))
    with pytest.raises(BadValue, match="no rings"):
        ring_sheets(paper, 1.0, Roster(ROSTER.figures[1:2], ROSTER.doors))
    with pytest.raises(BadValue, match="no doors"):
        door_sheets(paper, 1.0, Roster((), DoorSpec(0, 1, 30.0, 2.0)), 25.4)


@pytest.mark.parametrize(
    ("name", "printed"),
    [("Бес-щитоносец 2", "Bes-shchitonosets 2"), ("Demónio ß", "Demónio ß"), ("鬼", "?"), ("Объём", "Obem")],
)
def test_names_that_the_fonts_lack_are_printed_in_latin_letters(name, printed):
    assert in_latin(name) == printed


def test_the_marker_sheet_says_that_four_are_enough_and_its_inner_cut_lines_are_dashed(pages):
    pdf = marker_sheets(PAPERS["a4"], 1.0, range(8))
    (page,) = pages(pdf)
    note = gray(page)[: round((MARGIN_MM + 8) * PX_PER_MM)]
    rows = np.flatnonzero((note < 140).any(axis=1)) / PX_PER_MM - MARGIN_MM
    assert rows.max() > 5.0  # a line under the title

    # A line between two markers of one row, which both outline: dashes of 2 mm with gaps of 1.5 mm between.
    quiet_mm = 40.0 / 8 + 1.0
    column = gray(page)[:, round((MARGIN_MM + 40.0 + 2 * quiet_mm) * PX_PER_MM) + np.arange(-2, 3)].min(axis=1)
    line = column[round((MARGIN_MM + 12) * PX_PER_MM) : round((MARGIN_MM + 52) * PX_PER_MM)]
    assert 0.3 < float(np.mean(line > 230)) < 0.6
