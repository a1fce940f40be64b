"""One picture with all sides of a box: their prints with the lines read, and frames round doubtful ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from assistant.table.board import EdgeKind
from calibration.arrays import BgrImage
from vision.teaching.sighting import bounds
from vision.teaching.tile_reading import SIDE_PX, TileReading

_SHEET_PX, _GAP_PX, _NAME_PX = 1600, 16, 26
_GROUND, _INK = (72, 66, 60), (240, 240, 240)
_DOUBT = (80, 200, 255)
_LINES: Mapping[EdgeKind, tuple[int, int, int]] = {
    "wall": (0, 0, 0),
    "obstacle": (0, 0, 230),
    "impassable": (230, 0, 230),
}


@dataclass(frozen=True, eq=False)
class SheetEntry:
    """One side on the sheet. ``is_doubtful`` frames the whole side, in addition to its doubtful lines."""

    name: str
    reading: TileReading
    is_doubtful: bool


def draw_sheet(entries: Sequence[SheetEntry], sure: float) -> BgrImage:
    """Draw all sides in rows, each above its name. Ring lines and cells below that chance."""
    pictures = [(entry, _drawn(entry.reading, sure)) for entry in entries]
    rows: list[list[tuple[SheetEntry, BgrImage]]] = [[]]
    x = _GAP_PX
    for entry, picture in pictures:
        if x + picture.shape[1] + _GAP_PX > _SHEET_PX and rows[-1]:
            rows.append([])
            x = _GAP_PX
        rows[-1].append((entry, picture))
        x += picture.shape[1] + _GAP_PX
    heights = [max((picture.shape[0] for _, picture in row), default=0) + _NAME_PX + _GAP_PX for row in rows]
    sheet = np.empty((sum(heights) + _GAP_PX, _SHEET_PX, 3), dtype=np.uint8)
    sheet[:] = _GROUND
    y = _GAP_PX
    for row, height in zip(rows, heights, strict=True):
        x = _GAP_PX
        for entry, picture in row:
            cv2.putText(sheet, entry.name, (x, y + _NAME_PX - 8), cv2.FONT_HERSHEY_SIMPLEX, 0.7, _INK, 2, cv2.LINE_AA)
            top = y + _NAME_PX
            width = min(picture.shape[1], _SHEET_PX - x)
            sheet[top : top + picture.shape[0], x : x + width] = picture[:, :width]
            if entry.is_doubtful:
                cv2.rectangle(sheet, (x - 4, top - 4), (x + width + 3, top + picture.shape[0] + 3), _DOUBT, 4)
            x += picture.shape[1] + _GAP_PX
        y += height
    return sheet


def _drawn(reading: TileReading, sure: float) -> BgrImage:
    """Return a side at half its size with its lines."""
    step = SIDE_PX // 2
    _, _, columns, rows = bounds(reading.cells)
    picture = np.asarray(cv2.resize(reading.image, (columns * step, rows * step), interpolation=cv2.INTER_AREA))
    for column in range(columns):
        for row in range(rows):
            if (column, row) not in reading.cells:
                picture[row * step : (row + 1) * step, column * step : (column + 1) * step] = _GROUND
    for cell in reading.difficult:
        middle = (int((cell[0] + 0.5) * step), int((cell[1] + 0.5) * step))
        cv2.drawMarker(picture, middle, (255, 110, 30), cv2.MARKER_DIAMOND, step // 3, 2)
    for edge, kind in reading.edges.items():
        start, end = ((int(x * step), int(y * step)) for x, y in edge)
        if kind is not None:
            cv2.line(picture, start, end, (255, 255, 255), 5)
            cv2.line(picture, start, end, _LINES[kind], 3)
        if reading.edge_confidence[edge] < sure:
            cv2.circle(picture, ((start[0] + end[0]) // 2, (start[1] + end[1]) // 2), step // 5, _DOUBT, 2)
    return np.asarray(picture, dtype=np.uint8)
