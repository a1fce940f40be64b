"""The sheets to print: table markers, the lens board, base rings, door labels and tiles."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from assistant.errors import BadValue, PhotoUnreadable
from assistant.table.roster import Roster, RosterFigure
from assistant.table.tiles import TileSet, TileSide
from assistant.translations.messages import said
from calibration.color import bgr_from_hex
from calibration.lens_board import LensBoard
from calibration.markers import cells_of, dictionary
from calibration.opencv import opencv_means
from calibration.paper import INK, Paper, Sheets, Translate

MARKER_FAMILY = "DICT_APRILTAG_36h11"
MARKER_MM = 40.0
SMALLEST_MARKER_MM, LARGEST_MARKER_MM = 15.0, 120.0

QUIET_CELLS = 1.0
"""White paper around a marker's black square, in cells. Detectors look for one cell of it."""

TITLE_MM = 8.0
GAP_MM = 4.0
NAME_MM = 2.7
"""Distance from a tile to its name below it. The next tile begins below the name."""

RIM_MM = 1.5
FLAP_MM = 6.0
DOOR_COLOR = (0, 150, 200)
WHITE = (255, 255, 255)

SheetImage = npt.NDArray[np.uint8]
"""(height, width, 3 or 4): blue, green, red and alpha."""


def marker_sheets(
    paper: Paper, scale: float, ids: Sequence[int], side_mm: float = MARKER_MM, *, say: Translate = str
) -> bytes:
    """Return a PDF of table markers to cut out, as many on a page as fit.

    Raises:
        BadValue: the family has no such id, or the side is out of range.
    """
    if not SMALLEST_MARKER_MM <= side_mm <= LARGEST_MARKER_MM:
        text = said(
            "A marker of {side_mm} mm does not work. Choose {least} to {most} mm.",
            side_mm=float(side_mm),
            least=float(SMALLEST_MARKER_MM),
            most=float(LARGEST_MARKER_MM),
        )
        raise BadValue(text)
    count = len(dictionary(MARKER_FAMILY).bytesList)
    if any(not 0 <= marker_id < count for marker_id in ids):
        raise BadValue(said("Marker numbers go from 0 to {count}.", count=count - 1))
    note = say("Four are enough: one near each corner of the board. More help when hands or models hide some.")
    sheets = Sheets(paper, scale, say("Table markers: cut out and lay flat"), say, note=note)
    quiet_mm = QUIET_CELLS * side_mm / cells_of(MARKER_FAMILY, 0)[1] + 1.0
    block = (side_mm + 2 * quiet_mm, side_mm + 2 * quiet_mm + 4.0)
    unit = say("mm")
    for marker_id, (left, top) in zip(ids, _flow(sheets, [block] * len(ids)), strict=True):
        _outline(sheets, left, top, *block)
        draw_marker(sheets, MARKER_FAMILY, marker_id, left + quiet_mm, top + quiet_mm, side_mm)
        sheets.text(left + quiet_mm, top + block[1] - 1.5, f"{marker_id}   {side_mm:g} {unit}", size_mm=2.4)
    return sheets.to_bytes()


def draw_marker(sheets: Sheets, family: str, marker_id: int, left: float, top: float, side_mm: float) -> None:
    """Draw a marker as two paths: the black square, and all its white cells."""
    bits, cells = cells_of(family, marker_id)
    cell = side_mm / cells
    pattern = np.frombuffer(bits, dtype=np.int8).reshape(cells, cells)
    sheets.rectangle(left, top, side_mm, side_mm, INK)
    whites = [_square(left + column * cell, top + row * cell, cell) for row, column in np.argwhere(pattern)]
    sheets.shapes(whites, WHITE)


def lens_board_sheet(paper: Paper, scale: float, board: LensBoard, *, say: Translate = str) -> bytes:
    """Return a PDF of the lens board on one page."""
    sheets = Sheets(paper, scale, say("Lens board: glue it to something stiff and flat"), say)
    width, height = board.columns * board.square_mm, board.rows * board.square_mm
    sheets.page()
    if width > sheets.width_mm or height > sheets.height_mm - TITLE_MM:
        raise BadValue(
            said(
                "A board of {width} x {height} mm does not fit on {name}. Choose smaller squares.",
                width=float(width),
                height=float(height),
                name=paper.name,
            )
        )
    left, top = (sheets.width_mm - width) / 2, TITLE_MM
    sheets.shapes(
        [
            _square(left + column * board.square_mm, top + row * board.square_mm, board.square_mm)
            for row in range(board.rows)
            for column in range(board.columns)
            if (row + column) % 2 == 0
        ],
        INK,
    )
    side_mm = board.square_mm * board.marker_share
    for marker_id, corners in enumerate(board.marker_corners_mm):
        x, y = (float(value) for value in corners[0])
        draw_marker(sheets, board.family, marker_id, left + x, top + y, side_mm)
    size = say("{columns} x {rows} squares of {side} mm").format(
        columns=board.columns, rows=board.rows, side=f"{board.square_mm:g}"
    )
    sheets.text(left, top + height + 4, f"{size}, {board.family}")
    return sheets.to_bytes()


def ring_sheets(paper: Paper, scale: float, roster: Roster, *, say: Translate = str) -> bytes:
    """Return a PDF of the coloured rims of all figures with a ring, to cut out and glue on their bases."""
    sheets = Sheets(paper, scale, say("Base rings: glue onto the bases"), say)
    figures = [figure for figure in roster.figures if figure.ring]
    if not figures:
        raise BadValue(said("No figure of this roster has a ring colour, so there are no rings to print."))
    blocks = [(f.base_size_mm[0] + 4, f.base_size_mm[1] + 8) for f in figures]
    for figure, block, (left, top) in zip(figures, blocks, _flow(sheets, blocks), strict=True):
        _draw_ring(sheets, figure, left + 2, top + 2)
        sheets.text(left + 2, top + block[1] - 2, figure.id[:16], size_mm=2.2)
    return sheets.to_bytes()


def _draw_ring(sheets: Sheets, figure: RosterFigure, left: float, top: float) -> None:
    blue, green, red = bgr_from_hex(figure.ring or "#000000")
    color = (red, green, blue)
    width, height = figure.base_size_mm
    if figure.base_shape == "round":
        sheets.ring((left + width / 2, top + height / 2), width, width - 2 * RIM_MM, color)
        return
    inner = _box(left + RIM_MM, top + RIM_MM, width - 2 * RIM_MM, height - 2 * RIM_MM)
    sheets.shapes([_box(left, top, width, height), inner], color)


def door_sheets(paper: Paper, scale: float, roster: Roster, cell_mm: float, *, say: Translate = str) -> bytes:
    """Return a PDF of labels that fold over the upper edge of each door and show from straight above."""
    sheets = Sheets(paper, scale, say("Door labels: fold over the upper edge of each door"), say)
    doors = roster.doors
    if not doors.count:
        raise BadValue(said("This roster has no doors, so there are no labels to print."))
    width, height = doors.width_cells * cell_mm, 2 * FLAP_MM + doors.thickness_mm
    places = _flow(sheets, [(width + 4, height + 4)] * doors.count)
    for number, (left, top) in enumerate(places, start=1):
        sheets.rectangle(left, top, width, height, DOOR_COLOR)
        for fold in (FLAP_MM, FLAP_MM + doors.thickness_mm):
            sheets.cut_line(np.array([[left - 1.5, top + fold], [left + width + 1.5, top + fold]]))
        sheets.rectangle(left + 2, top + 1.2, 7, 3.6, WHITE)
        sheets.text(left + 2.6, top + 4, str(number))
    return sheets.to_bytes()


def tile_sheets(
    paper: Paper, scale: float, tiles: TileSet, pictures: Mapping[str, SheetImage], *, say: Translate = str
) -> bytes:
    """Return a PDF of all tile sides at true size. A tile larger than the page is split into whole cells.

    The side's name and the piece's number are below each piece.

    Args:
        paper: the paper.
        scale: from ``paper.scale_for``.
        tiles: the tile set.
        pictures: the picture of each side by its id, from ``pictures_of``.
        say: words a sentence in the reader's language.
    """
    sheets = Sheets(paper, scale, say("Tiles: glue onto 2 mm card"), say)
    columns = int(sheets.width_mm // tiles.cell_mm)
    rows = int((sheets.height_mm - TITLE_MM) // tiles.cell_mm)
    pieces = [piece for side in tiles.sides for piece in _pieces(side, columns, rows)]
    sizes = [((piece[3] - piece[1]) * tiles.cell_mm, (piece[4] - piece[2]) * tiles.cell_mm) for piece in pieces]
    spaced = [(width + GAP_MM, height + GAP_MM) for width, height in sizes]
    for piece, size, (left, top) in zip(pieces, sizes, _flow(sheets, spaced), strict=True):
        side_id, c0, r0, c1, r1, name = piece
        unit = tiles.pixels_per_cell
        part = pictures[side_id][r0 * unit : r1 * unit, c0 * unit : c1 * unit]
        sheets.picture(cv2.imencode(".png", part)[1].tobytes(), left, top, *size)
        sheets.text(left, top + size[1] + NAME_MM, name, size_mm=2.4)
    return sheets.to_bytes()


def pictures_of(tiles: TileSet, folder: Path) -> dict[str, SheetImage]:
    """Return the pictures of a tile set's sides by id. Raise ``PhotoUnreadable`` for a missing or broken one."""
    return {side.id: _read_picture(folder / side.image) for side in tiles.sides}


def _pieces(side: TileSide, columns: int, rows: int) -> list[tuple[str, int, int, int, int, str]]:
    """Split a tile's bounding box into pieces that fit the page.

    Each piece is its id, its first column and row, the column and row after its last, and its name.
    """
    _, _, width, height = side.bounds
    places = [(c, r) for r in range(0, height, rows) for c in range(0, width, columns)]
    return [
        (side.id, c, r, min(c + columns, width), min(r + rows, height), _piece_name(side.id, n, len(places)))
        for n, (c, r) in enumerate(places, start=1)
    ]


def _piece_name(side_id: str, number: int, count: int) -> str:
    return f"{side_id[:40]}   {number}/{count}" if count > 1 else side_id[:40]


def _read_picture(path: Path) -> SheetImage:
    refusal = PhotoUnreadable(
        said("The picture of a tile, {path}, is missing or broken. Copy the tile set again.", path=str(path))
    )
    with opencv_means(lambda: refusal):
        picture = cv2.imread(str(path), cv2.IMREAD_UNCHANGED)
    if picture is None:
        raise refusal
    return np.asarray(picture, dtype=np.uint8)


def _flow(sheets: Sheets, blocks: Sequence[tuple[float, float]]) -> Iterator[tuple[float, float]]:
    """Yield the places of blocks (width, height), row by row. Begin a new page when a block needs one."""
    left, top, row_height = 0.0, math.inf, 0.0
    for width, height in blocks:
        if left + width > sheets.width_mm:
            left, top, row_height = 0.0, top + row_height, 0.0
        if top + height > sheets.height_mm:
            sheets.page()
            left, top, row_height = 0.0, TITLE_MM, 0.0
        yield left, top
        left, row_height = left + width, max(row_height, height)


def _outline(sheets: Sheets, left: float, top: float, width: float, height: float) -> None:
    first, second, last, third = _box(left, top, width, height)
    for corner in (second, third):  # Always away from the first, so that the dashes of neighbours coincide.
        sheets.cut_line(np.array([first, corner, last]))


def _box(left: float, top: float, width: float, height: float) -> list[tuple[float, float]]:
    return [(left, top), (left + width, top), (left + width, top + height), (left, top + height)]


def _square(left: float, top: float, side: float) -> list[tuple[float, float]]:
    return _box(left, top, side, side)
