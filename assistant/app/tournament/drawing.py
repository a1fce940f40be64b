"""Drawings over a frozen picture, from its documents alone: at the call, and again for a check."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice, pairwise
from typing import TYPE_CHECKING, Any, Protocol

import msgspec

from assistant.app.tournament.rule_again import AskedAttack
from assistant.documents import FREE_TABLE_FORMAT, format_of, free_sighting_from_json, observation_from_json
from assistant.documents.moment import (
    MOST_EDGES,
    DrawnLine,
    FrozenCamera,
    FrozenPicture,
    FrozenRuling,
    SnappedBoard,
    SnappedEdge,
    SnappedFigure,
)
from assistant.table.board import Figure
from assistant.table.camera import CameraLens, PointMm
from assistant.table.free_sighting import FreeSighting
from assistant.table.free_table import FreeFigure
from assistant.table.lattice import Edge, sides
from assistant.table.observation import Observation, table_from_lattice
from calibration.lens_model import PlacedCamera

if TYPE_CHECKING:
    from assistant.app.live.shots import PointPx  # otherwise checking evidence would load cv2
from vision.evidence.bases import BASE_HEIGHT_MM

RIM = 1.0
"""Cells around the board on a printed picture, since a figure beside the board may matter."""

SNAPPED_KINDS = ("wall", "obstacle", "impassable")
"""Sides of cells that block sight or movement. The picture itself shows the others."""

ROUNDING_PX = 0.11
"""Tolerance in pixels: they are stored to a tenth, and another processor may round to the next one."""


def frozen_camera(placed: PlacedCamera, tiles_mm: float) -> FrozenCamera:
    """Return a camera as a document, with the thickness of the tiles under it."""
    return FrozenCamera(
        matrix=placed.lens.matrix,
        distortion=placed.lens.distortion,
        rotation=placed.rotation,
        translation_mm=placed.translation_mm,
        tiles_mm=tiles_mm,
    )


class Drawing(Protocol):
    """The drawing over one picture, in pixels rounded to a tenth: of cells, or of a table without a grid."""

    def lines(self, ruling: Mapping[str, Any]) -> tuple[DrawnLine, ...]:
        """Return the lines of a ``sightline.ruling/1`` document."""

    def figures(self, asked: AskedAttack) -> tuple[PointPx, PointPx]:
        """Return the marker points of attacker and defender.

        Raises:
            UnknownName: there is no such figure.
        """

    def snapped(self) -> SnappedBoard:
        """Return the table projected into its picture."""

    def focus(self) -> tuple[float, float, float, float]:
        """Return the part of the picture around the table."""


@dataclass(frozen=True)
class Canvas:
    """A picture and its camera.

    Args:
        camera: the camera.
        width_px, height_px: the picture's size.
    """

    camera: FrozenCamera
    width_px: int
    height_px: int

    def pixel(self, place_mm: PointMm, height_mm: float) -> PointPx:
        """Project a table point into the picture, to a tenth of a pixel."""
        ((x, y),) = self.pixels([place_mm], height_mm)
        return (round(x, 1), round(y, 1))

    def pixels(self, places_mm: Sequence[PointMm], height_mm: float) -> list[PointPx]:
        camera = self.camera
        lens = CameraLens(self.width_px, self.height_px, camera.matrix, camera.distortion)
        placed = PlacedCamera(lens, camera.rotation, camera.translation_mm)
        return [(x, y) for x, y in placed.image_from_table(list(places_mm), height_mm).tolist()]

    def part(self, around_mm: Sequence[PointMm]) -> tuple[float, float, float, float]:
        """Return left, top, width and height of the part with these points, else of the whole picture."""
        points, width, height = self.pixels(around_mm, 0.0), float(self.width_px), float(self.height_px)
        left, top = max(0.0, min(x for x, _ in points)), max(0.0, min(y for _, y in points))
        right, bottom = min(width, max(x for x, _ in points)), min(height, max(y for _, y in points))
        if right <= left or bottom <= top:
            return (0.0, 0.0, width, height)
        return (round(left, 1), round(top, 1), round(right - left, 1), round(bottom - top, 1))


@dataclass(frozen=True)
class CellDrawing:
    """Draws a table of cells.

    Args:
        table: the picture's reading, with a person's corrections.
        canvas: the picture.
    """

    table: Observation
    canvas: Canvas

    def lines(self, ruling: Mapping[str, Any]) -> tuple[DrawnLine, ...]:
        return tuple(
            DrawnLine(ends=self._ends(line["from"], line["to"]), is_free=line["blocked_by"] is None)
            for line in ruling["lines"]
        )

    def figures(self, asked: AskedAttack) -> tuple[PointPx, PointPx]:
        board = self.table.board
        return self._middle(board.figure(asked.attacker)), self._middle(board.figure(asked.defender))

    def snapped(self) -> SnappedBoard:
        """Return the board projected into its picture: its rim and printed sides, the doors, and the figures."""
        board = self.table.board
        rim = (edge for cell in board.cells for edge in sides(cell) if not board.cells.issuperset(edge.cells))
        kinds: dict[Edge, Any] = {**board.edges, **dict.fromkeys(rim, "wall")}
        kinds = {edge: kind for edge, kind in kinds.items() if kind in SNAPPED_KINDS}
        kinds |= {edge: "open door" if door.open else "closed door" for door in board.doors for edge in door.edges}
        edges = (SnappedEdge(ends=self._ends(edge.start, edge.end), kind=kind) for edge, kind in sorted(kinds.items()))
        figures = (SnappedFigure(id=figure.id, at=self._middle(figure)) for figure in board.figures)
        return SnappedBoard(edges=tuple(edges), figures=tuple(figures))

    def focus(self) -> tuple[float, float, float, float]:
        around = {
            (x + dx, y + dy) for x, y in self.table.board.cells for dx in (-RIM, 1 + RIM) for dy in (-RIM, 1 + RIM)
        }
        return self.canvas.part([table_from_lattice(self.table.grid, place) for place in sorted(around)])

    def _middle(self, figure: Figure) -> PointPx:
        """Project the centre of a figure's cells."""
        columns, rows = [column for column, _ in figure.cells], [row for _, row in figure.cells]
        return self._pixel(((min(columns) + max(columns) + 1) / 2, (min(rows) + max(rows) + 1) / 2))

    def _ends(self, start: Sequence[float], end: Sequence[float]) -> tuple[float, float, float, float]:
        return (*self._pixel(start), *self._pixel(end))

    def _pixel(self, place: Sequence[float]) -> PointPx:
        """Project a lattice point on top of the tiles."""
        return self.canvas.pixel(table_from_lattice(self.table.grid, (place[0], place[1])), self.canvas.camera.tiles_mm)


def differing_parts(frozen: FrozenPicture | FrozenRuling, now: Mapping[str, Any]) -> list[str]:
    """Return the fields of a frozen drawing that differ from the recomputed one."""
    return [name for name, value in now.items() if not _is_same(msgspec.to_builtins(getattr(frozen, name)), value)]


def _is_same(written: Any, now: Any) -> bool:
    now = msgspec.to_builtins(now)
    if isinstance(now, float) and isinstance(written, float):
        return abs(written - now) <= ROUNDING_PX
    if isinstance(now, list | tuple) and isinstance(written, list | tuple):
        return len(written) == len(now) and all(map(_is_same, written, now))
    if isinstance(now, dict) and isinstance(written, dict):
        return written.keys() == now.keys() and all(_is_same(written[name], now[name]) for name in now)
    return bool(written == now)


CORNERS = 24
"""Number of corners of the drawn outline of a round base."""


def drawing_over(data: bytes, document: str, camera: FrozenCamera, width_px: int, height_px: int) -> Drawing:
    """Return the drawing of a frozen table over the picture that it was read from.

    Args:
        data: the table's document.
        document: the document's name.
        camera: the picture's camera.
        width_px: the picture's width.
        height_px: the picture's height.

    Raises:
        DocumentError: the document breaks its format.
        BoardError: the parts of its board contradict each other.
    """
    canvas = Canvas(camera, width_px, height_px)
    if format_of(data) == FREE_TABLE_FORMAT:
        return PlaneDrawing(free_sighting_from_json(data, document), canvas)
    return CellDrawing(observation_from_json(data, document), canvas)


def drawing_of(picture: FrozenPicture, data: bytes, document: str) -> Drawing | None:
    """Return the drawing over a frozen picture; None without a camera. Arguments and errors as for `drawing_over`."""
    if picture.camera is None:
        return None
    return drawing_over(data, document, picture.camera, picture.width_px, picture.height_px)


@dataclass(frozen=True)
class PlaneDrawing:
    """Draws a table without a grid.

    Args:
        seen: the picture's reading.
        canvas: the picture.
    """

    seen: FreeSighting
    canvas: Canvas

    def lines(self, ruling: Mapping[str, Any]) -> tuple[DrawnLine, ...]:
        """Return the lines of sight of a ``sightline.ruling/1`` document, from base to base."""
        heights = [self._height(self.seen.table.figure(ruling[role])) for role in ("attacker", "defender")]
        return tuple(
            DrawnLine(
                ends=(*self._pixel(line["from"], heights[0]), *self._pixel(line["to"], heights[1])),
                is_free=line["blocked_by"] is None,
            )
            for line in ruling["lines"]
            if line["purpose"] == "sight"
        )

    def figures(self, asked: AskedAttack) -> tuple[PointPx, PointPx]:
        table = self.seen.table
        return self._middle(table.figure(asked.attacker)), self._middle(table.figure(asked.defender))

    def snapped(self) -> SnappedBoard:
        """Return the table projected into its picture: outlines of terrain and bases, and the figures."""
        table = self.seen.table
        figures = tuple(SnappedFigure(id=one.id, at=self._middle(one)) for one in table.figures)
        edges = chain(self._bases(), self._terrain())
        return SnappedBoard(edges=tuple(islice(edges, MOST_EDGES)), figures=figures)

    def focus(self) -> tuple[float, float, float, float]:
        table = self.seen.table
        rim, wide, deep = float(table.step_mm), float(table.size_mm[0]), float(table.size_mm[1])
        return self.canvas.part([(x, y) for x in (-rim, wide + rim) for y in (-rim, deep + rim)])

    def _terrain(self) -> Iterator[SnappedEdge]:
        for piece in self.seen.table.terrain:
            outline = [(float(x), float(y)) for x, y in piece.outline_mm]
            yield from self._outline(outline, float(piece.height_mm), "terrain")

    def _bases(self) -> Iterator[SnappedEdge]:
        for figure in self.seen.table.figures:
            yield from self._outline(_base(figure), self._height(figure), "base")

    def _outline(self, places_mm: Sequence[PointMm], height_mm: float, kind: Any) -> Iterator[SnappedEdge]:
        corners = [self._pixel(place, height_mm) for place in (*places_mm, places_mm[0])]
        return (SnappedEdge(ends=(*start, *end), kind=kind) for start, end in pairwise(corners))

    def _middle(self, figure: FreeFigure) -> PointPx:
        return self._pixel((float(figure.center_mm[0]), float(figure.center_mm[1])), self._height(figure))

    def _height(self, figure: FreeFigure) -> float:
        return float(figure.elevation_mm) + BASE_HEIGHT_MM

    def _pixel(self, place_mm: Sequence[float], height_mm: float) -> PointPx:
        return self.canvas.pixel((place_mm[0], place_mm[1]), height_mm)


def _base(figure: FreeFigure) -> list[PointMm]:
    """Return the outline of a figure's base."""
    core = [(float(x), float(y)) for x, y in figure.core_mm]
    if len(core) > 1:
        return core
    ((x, y),), radius = core, float(figure.radius_mm)
    turns = [2 * math.pi * corner / CORNERS for corner in range(CORNERS)]
    return [(x + radius * math.cos(turn), y + radius * math.sin(turn)) for turn in turns]
