"""What is drawn over a frozen picture of a table without a grid, and which drawing a frozen table gets."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice, pairwise
from typing import Any

from assistant.app.live.shots import PointPx
from assistant.app.tournament.drawing import Canvas, CellDrawing, Drawing
from assistant.app.tournament.rule_again import AskedAttack
from assistant.documents import FREE_TABLE_FORMAT, format_of, free_sighting_from_json, observation_from_json
from assistant.documents.moment import (
    MOST_EDGES,
    DrawnLine,
    FrozenCamera,
    FrozenPicture,
    SnappedBoard,
    SnappedEdge,
    SnappedFigure,
)
from assistant.table.camera import PointMm
from assistant.table.free_sighting import FreeSighting
from assistant.table.free_table import FreeFigure
from vision.evidence.bases import BASE_HEIGHT_MM

CORNERS = 24
"""Of the outline of a round base."""


def drawing_over(data: bytes, document: str, camera: FrozenCamera, width_px: int, height_px: int) -> Drawing:
    """The drawing of a frozen table, of cells or without a grid, over the picture that it was read from.

    Args:
        data: the document of the table.
        document: its name.
        camera: by which the picture was taken.
        width_px: of the picture.
        height_px: of the picture.

    Raises:
        DocumentError: the document breaks its format.
        BoardError: the parts of its board contradict each other.
    """
    canvas = Canvas(camera, width_px, height_px)
    if format_of(data) == FREE_TABLE_FORMAT:
        return PlaneDrawing(free_sighting_from_json(data, document), canvas)
    return CellDrawing(observation_from_json(data, document), canvas)


def drawing_of(picture: FrozenPicture, data: bytes, document: str) -> Drawing | None:
    """The drawing over a frozen picture; None where its camera was not kept. Arguments and errors as above."""
    if picture.camera is None:
        return None
    return drawing_over(data, document, picture.camera, picture.width_px, picture.height_px)


@dataclass(frozen=True)
class PlaneDrawing:
    """Draws a table without a grid.

    Args:
        seen: what was read from the picture.
        canvas: the picture.
    """

    seen: FreeSighting
    canvas: Canvas

    def lines(self, ruling: Mapping[str, Any]) -> tuple[DrawnLine, ...]:
        """The lines of sight of a ``sightline.ruling/1`` document, each from base to base."""
        heights = [self._height(self.seen.table.figure(ruling[who])) for who in ("attacker", "defender")]
        return tuple(
            DrawnLine(
                ends=(*self._pixel(line["from"], heights[0]), *self._pixel(line["to"], heights[1])),
                is_free=line["blocked_by"] is None,
            )
            for line in ruling["lines"]
            if line["purpose"] == "sight"
        )

    def figures(self, asked: AskedAttack) -> tuple[PointPx, PointPx]:
        """Where attacker and defender are marked."""
        table = self.seen.table
        return self._middle(table.figure(asked.attacker)), self._middle(table.figure(asked.defender))

    def snapped(self) -> SnappedBoard:
        """The table over its picture: terrain and bases with their outlines, and who stands where."""
        table = self.seen.table
        figures = tuple(SnappedFigure(id=one.id, at=self._middle(one)) for one in table.figures)
        edges = chain(self._bases(), self._terrain())
        return SnappedBoard(edges=tuple(islice(edges, MOST_EDGES)), figures=figures)

    def focus(self) -> tuple[float, float, float, float]:
        """The part of the picture with the whole table, and a step round it."""
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
    """The outline of a figure's base."""
    core = [(float(x), float(y)) for x, y in figure.core_mm]
    if len(core) > 1:
        return core
    ((x, y),), radius = core, float(figure.radius_mm)
    turns = [2 * math.pi * corner / CORNERS for corner in range(CORNERS)]
    return [(x + radius * math.cos(turn), y + radius * math.sin(turn)) for turn in turns]
