"""Overlay pictures of each stage's results, which explain a reading."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
from jaxtyping import Float, Num

from assistant.errors import CannotDo
from assistant.table.board import EdgeKind
from assistant.table.lattice import sides
from assistant.translations.foreign import system_reason
from assistant.translations.messages import said
from calibration.arrays import BgrImage, Numbers
from calibration.color import bgr_from_hex
from calibration.opencv import opencv_means
from vision.photo.rectify import rectify
from vision.reading import Reading
from vision.tiles.placements import lattice_frame
from vision.tiles.prints import PX_PER_CELL

_EDGE_COLORS: dict[EdgeKind, tuple[int, int, int]] = {
    "wall": (255, 255, 255),
    "obstacle": (40, 40, 255),
    "impassable": (60, 160, 255),
}
_LATTICE_COLOR = (160, 220, 120)
_TILE_COLOR = (255, 200, 0)
_AROUND_CELLS = 4
"""Margin round the board's own frame, in cells."""

_DOOR_COLOR = (255, 0, 255)
_UNKNOWN_COLOR = (200, 200, 200)
_MARKER_COLOR = (0, 255, 255)


def write_overlays(reading: Reading, folder: Path) -> None:
    """Write one picture a stage: markers, tiles, board, print beside photo, doors and figures.

    Raises:
        CannotDo: the folder cannot be written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise CannotDo(
            said("cannot be made ({reason}); choose another folder for --debug", reason=system_reason(problem)),
            document=str(folder),
        ) from None
    board = reading.seen.board
    pictures = {
        "1-markers": markers_picture(reading),
        "2-from-above": from_above_picture(reading),
        "3-tiles": tiles_picture(reading),
        "4-print-and-photo": np.vstack([board.ground_image, board.expected_image]),
        "5-board": board_picture(reading),
    }
    for name, picture in pictures.items():
        _write_picture(folder / f"{name}.png", picture)


def _write_picture(path: Path, picture: BgrImage) -> None:
    problem = CannotDo(said("cannot be written; choose another folder for --debug"), document=str(path))
    with opencv_means(lambda: problem):
        is_written = cv2.imwrite(str(path), picture)
    if not is_written:  # OpenCV's only sign of a full disk or missing rights
        raise problem


def from_above_picture(reading: Reading) -> BgrImage:
    """Return the board and its surroundings from straight above."""
    board = reading.seen.board
    columns, rows = (side // PX_PER_CELL for side in board.frame.size_wh)
    first = (board.first[0] - _AROUND_CELLS, board.first[1] - _AROUND_CELLS)
    last = (board.first[0] + columns + _AROUND_CELLS, board.first[1] + rows + _AROUND_CELLS)
    frame = lattice_frame(board.lattice, first, last, board.px_per_mm / 2)
    return np.asarray(rectify(board.photo, board.view, frame, board.thickness_mm).image, dtype=np.uint8)


def markers_picture(reading: Reading) -> BgrImage:
    """Return the photo with the markers behind the pose, and the table's axes."""
    picture = reading.seen.board.photo.copy()
    axes = reading.view.image_from_table([(0, 0), (100, 0), (0, 100)])
    for end, color in ((1, (0, 0, 255)), (2, (0, 255, 0))):
        _line(picture, axes[[0, end]], color, 3)
    text = f"markers {', '.join(map(str, reading.view.markers_seen))}   {reading.view.reprojection_px:.2f} px"
    _text(picture, (20, 40), text, _MARKER_COLOR)
    return picture


def tiles_picture(reading: Reading) -> BgrImage:
    """Return the photo with the outline and name of each recognised tile."""
    board = reading.seen.board
    picture = board.photo.copy()
    for tile in reading.observation.tiles:
        middle = reading.view.image_from_table([tile.center_mm], board.thickness_mm)[0]
        _text(picture, middle, f"{tile.id} {tile.confidence:.2f}", _TILE_COLOR)
    for cell in board.cells:
        for edge in sides(cell):
            if sum(other in board.cells for other in edge.cells) == 1:
                ends = board.lattice.table_from_lattice(np.array([edge.start, edge.end], dtype=float))
                _line(picture, reading.view.image_from_table(ends, board.thickness_mm), _TILE_COLOR, 2)
    for cell in (cell for group in reading.seen.unknown_tiles for cell in group):
        middle = board.lattice.table_from_lattice(np.array([cell], dtype=float) + 0.5)
        _text(picture, reading.view.image_from_table(middle, board.thickness_mm)[0], "?", _UNKNOWN_COLOR)
    return picture


def board_picture(reading: Reading) -> BgrImage:
    """Return the photo with lattice, printed lines, doors and figures."""
    observation, board = reading.observation, reading.seen.board
    picture = board.photo.copy()
    grid = observation.grid
    radians = np.deg2rad(grid.angle_deg)
    turn = np.array([[np.cos(radians), -np.sin(radians)], [np.sin(radians), np.cos(radians)]])

    def image_from_lattice(points: Num[Numbers, "n 2"]) -> Float[Numbers, "n 2"]:
        table_mm = np.asarray(grid.origin_mm) + grid.cell_mm * np.asarray(points, dtype=float) @ turn.T
        return reading.view.image_from_table(table_mm, board.thickness_mm)

    for cell in observation.board.cells:
        for edge in sides(cell):
            _line(picture, image_from_lattice(np.array([edge.start, edge.end])), _LATTICE_COLOR, 1)
    for edge, kind in observation.board.edges.items():
        _line(picture, image_from_lattice(np.array([edge.start, edge.end])), _EDGE_COLORS[kind], 2)
    for door in observation.doors:
        ends = reading.view.image_from_table([door.from_mm, door.to_mm], board.thickness_mm)
        _line(picture, ends, _DOOR_COLOR, 4)
        _text(picture, ends.mean(axis=0), f"{door.confidence:.2f}", _DOOR_COLOR)
    for figure in observation.figures:
        middle = reading.view.image_from_table([figure.center_mm], board.thickness_mm)[0]
        color = bgr_from_hex(figure.ring) if figure.ring else _UNKNOWN_COLOR
        cv2.circle(picture, (round(middle[0]), round(middle[1])), 7, color, -1)
        _text(picture, middle + np.array([9, 5]), f"{figure.kind or '?'} {figure.confidence:.2f}", color)
    return picture


def _line(picture: BgrImage, ends_px: Float[Numbers, "2 2"], color: tuple[int, int, int], width_px: int) -> None:
    if np.isfinite(ends_px).all():
        (x0, y0), (x1, y1) = np.round(ends_px).astype(int).tolist()
        cv2.line(picture, (x0, y0), (x1, y1), color, width_px, cv2.LINE_AA)


def _text(
    picture: BgrImage, at_px: Float[Numbers, " 2"] | tuple[int, int], text: str, color: tuple[int, int, int]
) -> None:
    x, y = (round(float(v)) for v in at_px)
    for shade, width_px in (((0, 0, 0), 3), (color, 1)):
        cv2.putText(picture, text, (x, y), cv2.FONT_HERSHEY_SIMPLEX, 0.5, shade, width_px, cv2.LINE_AA)
