"""The view model of one shot: everything on the board as lines and outlines in picture pixels.

The page only draws. All geometry happens here, through the camera model that read the photo.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from assistant.app.live.place_names import shorten_names, speak_names
from assistant.app.live.shots import PictureProjection, PointPx, Shot
from assistant.rules.reasons import DIRECTIONS
from assistant.table.board import Door, Figure
from assistant.table.camera import PointMm
from assistant.table.cell_names import CellNames
from assistant.table.free_table import FreeFigure
from assistant.table.lattice import Cell, Edge, corners, sides
from assistant.table.observation import (
    LatticePose,
    SeenDoor,
    SeenFigure,
    SeenTile,
    all_table_from_lattice,
    table_from_lattice,
)
from assistant.table.roster import RosterFigure
from assistant.table.silhouettes import Face, list_pillar
from assistant.table.statements import edges_of
from assistant.table.tiles import TileSide
from assistant.translations.catalogue import speak_id, speak_word
from web.scene.plan import PlanView

LOW_CONFIDENCE = 0.6
"""Confidence below which a person must check. A calibrated 0.6 is wrong two times in five."""

BASE_CORNERS = 28
"""Corners of a round base's polygon. Its sagitta stays under a quarter of a pixel on our pictures."""

LOOK_MARGIN = 0.4
"""Margin round a figure in its cut-out, as a share of its base, enough to recognise the place."""

RIM_MARGIN = 0.025
"""Margin of table round the board in the first view, as a share of the picture's longer side."""


class ShotDrawing:
    """Draws the contents of one shot, over its picture or as a plan."""

    def __init__(self, shot: Shot, *, as_plan: bool = False, language: str = "en") -> None:
        self._shot = shot
        self._board = shot.board
        self._grid: LatticePose = shot.read.observation.grid
        plan = PlanView.of(self._board, self._grid) if as_plan else None
        self._view: PictureProjection = plan or shot.read.view
        shown = plan or shot.read.picture
        self._size_px = (shown.width_px, shown.height_px)
        self.as_plan = as_plan
        self._language = language
        self._top_mm = shot.setup.tiles.thickness_mm
        self._names = CellNames.of(self._board)
        self._roster: Mapping[str, RosterFigure] = {f.kind: f for f in shot.setup.roster.figures}
        self._roster_by_id: Mapping[str, RosterFigure] = {f.id: f for f in shot.setup.roster.figures}

    def document(self) -> dict[str, Any]:
        """Return the scene as the page's JSON."""
        shot, short = self._shot, shorten_names(self._board.figures, self._language)
        names = speak_names(self._board.figures, self._language)
        return {
            "shot": shot.id,
            "source": shot.source,
            "taken_at_s": round(shot.taken_at_s, 3),
            "as_plan": self.as_plan,
            "is_corrected": shot.corrected is not None,
            "is_still": shot.is_still or self.as_plan,
            **self.picture(),
            "door_cells": shot.setup.roster.doors.width_cells,
            "cells": [self._cell(cell) for cell in sorted(self._board.cells)],
            "edges": [self._edge(edge, kind) for edge, kind in sorted(self._edges().items())],
            "tiles": [self._tile(tile) for tile in shot.read.observation.tiles],
            "doors": [self._door(door) for door in self._board.doors],
            "figures": [self._figure(figure, names[figure.id], short[figure.id]) for figure in self._board.figures],
            "beside": [self._beside(seen) for seen in shot.read.observation.figures if not seen.cells],
            "camera": {
                "reprojection_px": round(shot.read.observation.camera.reprojection_px, 2),
                "markers_seen": len(shot.read.observation.camera.markers_seen),
            },
        }

    def picture(self) -> dict[str, Any]:
        """Return the picture under the drawing: its address (None for a plan), size, and the board's part."""
        return {
            "width_px": self._size_px[0],
            "height_px": self._size_px[1],
            "focus_px": self._focus_px(),
            "picture": None if self.as_plan else f"/api/v1/shots/{self._shot.id}/picture",
        }

    def base_px(self, figure: Figure) -> list[PointPx]:
        """Return the outline of a figure's base."""
        seen, kind = self._seen_figure(figure), self._kind(figure)
        return self._base(figure, kind, self._center_mm(figure) if seen is None else seen.center_mm)

    def figure_box_px(self, figure: Figure) -> list[float]:
        """Return left, top, width and height of a figure in the picture, from base to head."""
        kind = self._kind(figure)
        base = self.base_px(figure)
        height_mm = 0.0 if kind is None or self.as_plan else kind.height_mm
        points = [*base, self._project([self._center_mm(figure)], self._top_mm + height_mm)[0]]
        (x0, x1), (y0, y1) = ((min(v), max(v)) for v in zip(*points, strict=True))
        rim = LOOK_MARGIN * (max(x for x, _ in base) - min(x for x, _ in base))
        return [round(v, 1) for v in (x0 - rim, y0 - rim, x1 - x0 + 2 * rim, y1 - y0 + 2 * rim)]

    def place_px(self, place: tuple[float, float]) -> PointPx:
        """Return the pixel of a lattice point on top of the tiles."""
        return self._on_top([table_from_lattice(self._grid, place)])[0]

    def ways(self) -> dict[str, str]:
        """Return each lattice direction's name in the middle of this picture."""
        columns, rows = [c for c, _ in self._board.cells], [r for _, r in self._board.cells]
        x, y = (min(columns) + max(columns)) / 2, (min(rows) + max(rows)) / 2
        here_px = self.place_px((x, y))
        return {name: _way(here_px, self.place_px((x + dx, y + dy))) for (dx, dy), name in DIRECTIONS.items()}

    def edge_px(self, edge: Edge) -> list[PointPx]:
        """Return the two ends of an edge on top of the tiles."""
        return self._lattice_px((edge.start, edge.end))

    def panel_px(self, edge: Edge) -> list[PointPx]:
        """Return the outline of a door on an edge, from its foot to its head."""
        height_mm = 0.0 if self.as_plan else self._shot.setup.roster.doors.height_mm
        foot_mm = all_table_from_lattice(self._grid, (edge.start, edge.end))
        foot, head = self._on_top(foot_mm), self._project(foot_mm, self._top_mm + height_mm)
        return [foot[0], foot[1], head[1], head[0]]

    def faces(self, besides: frozenset[str]) -> list[Face]:
        """Return the sides and tops of figures and doors that occlude lines, none on a plan."""
        if self.as_plan:
            return []
        doors = [tuple(self.panel_px(edge)) for door in self._board.doors if not door.open for edge in door.edges]
        standing = (figure for figure in self._board.figures if figure.id not in besides)
        return doors + [face for figure in standing for face in self._body(figure)]

    def _body(self, figure: Figure) -> Iterator[Face]:
        kind, seen = self._kind(figure), self._seen_figure(figure)
        if kind is None:
            return iter(())
        center_mm = self._center_mm(figure) if seen is None else seen.center_mm
        return list_pillar(self._project, center_mm, kind.base_mm, self._top_mm, self._top_mm + kind.height_mm)

    def cell_px(self, cell: Cell) -> list[PointPx]:
        """Return the outline of a cell on top of the tiles, corner by corner round it."""
        top_left, top_right, bottom_left, bottom_right = corners(cell)
        return self._lattice_px((top_left, top_right, bottom_right, bottom_left))

    def _lattice_px(self, points: Iterable[tuple[float, float]]) -> list[PointPx]:
        return self._on_top(all_table_from_lattice(self._grid, points))

    def _on_top(self, points_mm: Sequence[PointMm]) -> list[PointPx]:
        return self._project(points_mm, self._top_mm)

    def _project(self, points_mm: Sequence[PointMm], height_mm: float) -> list[PointPx]:
        return [(round(x, 1), round(y, 1)) for x, y in self._view.image_from_table(points_mm, height_mm)]

    def _focus_px(self) -> list[float]:
        """Return left, top, width and height of the board's part of the picture."""
        outline = self._lattice_px({point for cell in self._board.cells for point in corners(cell)})
        margin_px = RIM_MARGIN * max(self._size_px)
        x0 = max(0.0, min(x for x, _ in outline) - margin_px)
        y0 = max(0.0, min(y for _, y in outline) - margin_px)
        x1 = min(float(self._size_px[0]), max(x for x, _ in outline) + margin_px)
        y1 = min(float(self._size_px[1]), max(y for _, y in outline) + margin_px)
        return [round(v, 1) for v in (x0, y0, x1 - x0, y1 - y0)]

    def _cell(self, cell: Cell) -> dict[str, Any]:
        return {
            "cell": list(cell),
            "name": self._names.short(cell),
            "outline": self.cell_px(cell),
            "difficult": cell in self._board.difficult,
            "blocking": cell in self._board.blocking,
        }

    def _edges(self) -> dict[Edge, str]:
        """Return the printed edges and the board's rim, which counts as a wall."""
        rim = {
            edge: "wall"
            for cell in self._board.cells
            for edge in sides(cell)
            if not all(side in self._board.cells for side in edge.cells)
        }
        return {**self._board.edges, **rim}

    def _edge(self, edge: Edge, kind: str) -> dict[str, Any]:
        return {"kind": kind, "line": self.edge_px(edge)}

    def _tile(self, tile: SeenTile) -> dict[str, Any]:
        side = self._shot.setup.tiles.side_by_id.get(tile.id)
        return {
            "id": tile.id,
            "center": self._on_top([tile.center_mm])[0],
            "outline": [] if side is None else self._tile_outline(tile, side),
            "confidence": round(tile.confidence, 3),
            "low": tile.confidence < LOW_CONFIDENCE,
        }

    def _tile_outline(self, tile: SeenTile, side: TileSide) -> list[list[PointPx]]:
        """Return the tile's own rim, edge by edge, as seen rather than snapped to the lattice."""
        left, top, columns, rows = side.bounds
        turn_rad = math.radians(tile.rotation_deg)
        cosine, sine = math.cos(turn_rad), math.sin(turn_rad)
        cell_mm = self._shot.setup.tiles.cell_mm

        def table_from_tile(point: tuple[int, int]) -> PointMm:
            x = (point[0] - left - columns / 2) * cell_mm
            y = (point[1] - top - rows / 2) * cell_mm
            return (tile.center_mm[0] + cosine * x - sine * y, tile.center_mm[1] + sine * x + cosine * y)

        rim = sorted({e for c in side.cells for e in sides(c) if not all(s in side.cells for s in e.cells)})
        return [self._on_top([table_from_tile(edge.start), table_from_tile(edge.end)]) for edge in rim]

    def _door(self, door: Door) -> dict[str, Any]:
        seen = self._seen_door(door)
        confidence = 1.0 if seen is None or edges_of(door) in self._shot.statements.doors else seen.confidence
        return {
            "id": door.id,
            "open": door.open,
            "panels": [self.panel_px(edge) for edge in door.edges],
            "confidence": round(confidence, 3),
            "low": confidence < LOW_CONFIDENCE,
        }

    def _seen_door(self, door: Door) -> SeenDoor | None:
        """Return the door's nearest sighting, middle to middle, within half a cell."""
        points = [point for edge in door.edges for point in (edge.start, edge.end)]
        middle = table_from_lattice(
            self._grid, (sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points))
        )

        def away_mm(seen: SeenDoor) -> float:
            center = ((seen.from_mm[0] + seen.to_mm[0]) / 2, (seen.from_mm[1] + seen.to_mm[1]) / 2)
            return math.dist(center, middle)

        nearest = min(self._shot.read.observation.doors, key=away_mm, default=None)
        return nearest if nearest is not None and away_mm(nearest) < self._grid.cell_mm / 2 else None

    def _figure(self, figure: Figure, name: str, short: str) -> dict[str, Any]:
        seen = self._seen_figure(figure)
        # The picture may be newer than its reading. During motion, nobody knows which figure left its space.
        is_in_motion = self._shot.source == "live" and not self._shot.is_still and not self.as_plan
        kind = self._kind(figure)
        center_mm = self._center_mm(figure) if seen is None else seen.center_mm
        confidence = 1.0 if seen is None or figure.cells in self._shot.statements.figures else seen.confidence
        height_mm = 0.0 if kind is None or self.as_plan else kind.height_mm
        return {
            "id": figure.id,
            "name": name,
            "short": short,
            "is_in_motion": is_in_motion,
            "is_seen": seen is not None,
            "kind": figure.kind,
            "kind_name": speak_word(figure.kind, self._language),
            "side": figure.side,
            "side_name": speak_id(figure.side, self._language),
            "ring": (seen.ring if seen else None) or (kind.ring if kind else None),
            "cells": [list(cell) for cell in figure.cells],
            "column": self._names.column(figure.cells[0]),
            "row": self._names.row(figure.cells[0]),
            "center": self._on_top([center_mm])[0],
            "head": self._project([center_mm], self._top_mm + height_mm)[0],
            "base": self._base(figure, kind, center_mm),
            "confidence": round(confidence, 3),
            "low": confidence < LOW_CONFIDENCE,
        }

    def _kind(self, figure: Figure) -> RosterFigure | None:
        return self._roster_by_id.get(figure.id) or self._roster.get(figure.kind)

    def _seen_figure(self, figure: Figure) -> SeenFigure | None:
        cells = frozenset(figure.cells)
        matches = (seen for seen in self._shot.read.observation.figures if frozenset(seen.cells) == cells)
        return next(matches, None)

    def _center_mm(self, figure: Figure) -> PointMm:
        columns = [column for column, _ in figure.cells]
        rows = [row for _, row in figure.cells]
        return table_from_lattice(self._grid, ((min(columns) + max(columns) + 1) / 2, (min(rows) + max(rows) + 1) / 2))

    def _base(self, figure: Figure, kind: RosterFigure | None, center_mm: PointMm) -> list[PointPx]:
        """Return the outline of the base: round by the roster's diameter, large by its cells."""
        if kind is None or kind.base_shape == "rectangle":
            columns = [column for column, _ in figure.cells]
            rows = [row for _, row in figure.cells]
            inset = 0.07  # the base of a large figure is 1.7 mm inside its cells on each side
            left, right = min(columns) + inset, max(columns) + 1 - inset
            top, bottom = min(rows) + inset, max(rows) + 1 - inset
            return self._lattice_px(((left, top), (right, top), (right, bottom), (left, bottom)))
        return self._circle(center_mm, kind.base_mm / 2)

    def _circle(self, center_mm: PointMm, radius_mm: float) -> list[PointPx]:
        turns = (2 * math.pi * i / BASE_CORNERS for i in range(BASE_CORNERS))
        return self._on_top(
            [(center_mm[0] + radius_mm * math.cos(t), center_mm[1] + radius_mm * math.sin(t)) for t in turns]
        )

    def _beside(self, seen: SeenFigure) -> dict[str, Any]:
        kind = self._roster.get(seen.kind or "")
        radius_mm = (kind.base_mm if kind else self._grid.cell_mm) / 2
        return {"kind": seen.kind, "base": self._circle(seen.center_mm, radius_mm)}


def _way(here_px: PointPx, there_px: PointPx) -> str:
    """Return the direction from one pixel to another, among the eight named ones."""
    eighth = round(math.atan2(there_px[1] - here_px[1], there_px[0] - here_px[0]) / (math.pi / 4)) % 8
    around = ((1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1))
    return DIRECTIONS[around[eighth]]


BASE_TOP_MM = 3.0
"""Height of outlines: the upper side of a base, which a camera sees whole."""


def around_base(
    view: PictureProjection, figure: FreeFigure, reach_mm: float = 0.0, corners: int = BASE_CORNERS
) -> list[PointPx]:
    """Return the outline at a distance from a figure's base, at its top's height, or the base itself."""
    core = [(float(x), float(y)) for x, y in figure.core_mm]
    radius_mm = float(figure.radius_mm) + reach_mm
    places = []
    for i in range(corners):
        c, s = math.cos(2 * math.pi * i / corners), math.sin(2 * math.pi * i / corners)
        x, y = max(core, key=lambda corner: corner[0] * c + corner[1] * s)
        places.append((x + radius_mm * c, y + radius_mm * s))
    pixels = view.image_from_table(places, float(figure.elevation_mm) + BASE_TOP_MM)
    return [(round(x, 1), round(y, 1)) for x, y in pixels]
