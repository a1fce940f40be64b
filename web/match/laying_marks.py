"""Outlines of a table's set-up faults on the camera's own picture."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from assistant.app.live.free_shots import FreeShot
from assistant.app.live.shots import PointPx, Shot
from assistant.match.game import Cells
from assistant.match.laying import LayingFault, Placement
from assistant.table.board import Figure
from assistant.table.free_table import FreeTable
from assistant.table.lattice import sides
from assistant.table.roster import kind_of
from web.scene.drawing import ShotDrawing, around_base


class LayingMarks:
    """Outlines faults of a table on a picture of it.

    Args:
        shot: the picture with the faults.
        placement: the map from its board to the mission's.
    """

    def __init__(self, shot: Shot, placement: Placement) -> None:
        self._drawing = ShotDrawing(shot)
        self._back = placement.back()

    def picture(self) -> dict[str, Any]:
        """Return the picture under the outlines: its address, its size, and the part with the board."""
        return self._drawing.picture()

    def marks(self, fault: LayingFault) -> dict[str, Any]:
        """Return the outlines of a fault, in pixels of the picture.

        ``areas`` are closed outlines of places to fill or to clear. ``rim`` surrounds all of them, line by line.
        ``from`` is the outline of a misplaced figure. ``at`` is the place of a number that hides nothing: in the middle
        of tiles, above everything else. It is None for a fault without a place.
        """
        stands: list[PointPx] = []
        rim: list[list[PointPx]] = []
        if fault.edges:
            areas = [self._drawing.panel_px(self._back.edge(edge)) for edge in fault.edges]
        elif fault.figure is not None:
            place = fault.cells or fault.seen_at
            areas = [self._base_px(fault, place)] if place else []
            stands = self._base_px(fault, fault.seen_at) if fault.cells and fault.seen_at else []
        else:
            cells = {self._back.cell(cell) for cell in fault.cells}
            areas = [self._drawing.cell_px(cell) for cell in sorted(cells)]
            edges = {edge for cell in cells for edge in sides(cell) if not cells.issuperset(edge.cells)}
            rim = [self._drawing.edge_px(edge) for edge in sorted(edges)]
        return {"areas": areas, "rim": rim, "from": stands, "at": number_px(areas, is_above=not rim)}

    def _base_px(self, fault: LayingFault, cells: Cells) -> list[PointPx]:
        """Return the base of a fault's figure on some spaces of the mission's board."""
        name = fault.figure or ""
        return self._drawing.base_px(Figure(name, kind_of(name), "", tuple(sorted(map(self._back.cell, cells)))))


def number_px(areas: Iterable[list[PointPx]], *, is_above: bool) -> PointPx | None:
    """Return the middle of the box round all areas, or the middle of its upper side."""
    points = [point for area in areas for point in area]
    if not points:
        return None
    xs, ys = zip(*points, strict=True)
    return round((min(xs) + max(xs)) / 2, 1), round(min(ys) if is_above else (min(ys) + max(ys)) / 2, 1)


class FreeMarks:
    """Outlines faults of a table without a grid on a picture of it.

    Args:
        shot: the picture with the faults.
        wanted: the mission's table, or None without one.
        seen: the table on the picture, with the match's names for its figures.
    """

    def __init__(self, shot: FreeShot, wanted: FreeTable | None, seen: FreeTable) -> None:
        self._shot = shot
        self._wanted = wanted
        self._seen = seen

    def picture(self) -> dict[str, Any]:
        """Return the picture under the outlines: its address, its size, and its shown part, the whole."""
        size = [self._shot.picture.width_px, self._shot.picture.height_px]
        return {
            "width_px": size[0],
            "height_px": size[1],
            "focus_px": [0, 0, *size],
            "picture": f"/api/v1/free/shots/{self._shot.id}/picture",
        }

    def marks(self, fault: LayingFault) -> dict[str, Any]:
        """Return the outlines of a fault, in the form of `LayingMarks.marks`."""
        belongs = self._base_px(self._wanted, fault) if fault.kind != "extra" else []
        stands = self._base_px(self._seen, fault) if fault.kind != "missing" else []
        areas = [belongs or stands] if belongs or stands else []
        return {"areas": areas, "rim": [], "from": stands if belongs else [], "at": number_px(areas, is_above=True)}

    def _base_px(self, table: FreeTable | None, fault: LayingFault) -> list[PointPx]:
        figure = None if table is None else table.figure_by_id.get(str(fault.figure))
        return [] if figure is None else around_base(self._shot.view, figure)
