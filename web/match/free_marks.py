"""Who is missing, too much or elsewhere on a table without a grid, outlined on the camera's own picture."""

from __future__ import annotations

from typing import Any

from assistant.app.live.free_shots import FreeShot
from assistant.app.live.shots import PointPx
from assistant.match.laying import LayingFault
from assistant.table.free_table import FreeTable
from web.match.laying_marks import number_px
from web.scene.free_base import around_base


class FreeMarks:
    """Outlines faults of such a table on a picture of it.

    Args:
        shot: the picture that they were found on.
        wanted: the table as the mission wants it; None where the mission brings none.
        seen: the table on the picture, its figures called as the match calls them.
    """

    def __init__(self, shot: FreeShot, wanted: FreeTable | None, seen: FreeTable) -> None:
        self._shot = shot
        self._wanted = wanted
        self._seen = seen

    def picture(self) -> dict[str, Any]:
        """The picture under the outlines: its address, its size, and the part that is looked at, which is all of it."""
        size = [self._shot.picture.width_px, self._shot.picture.height_px]
        return {
            "width_px": size[0],
            "height_px": size[1],
            "focus_px": [0, 0, *size],
            "picture": f"/api/v1/free/shots/{self._shot.id}/picture",
        }

    def marks(self, fault: LayingFault) -> dict[str, Any]:
        """What belongs to a fault, in pixels of the picture, as `LayingMarks` tells it."""
        belongs = self._base_px(self._wanted, fault) if fault.kind != "extra" else []
        stands = self._base_px(self._seen, fault) if fault.kind != "missing" else []
        areas = [belongs or stands] if belongs or stands else []
        return {"areas": areas, "rim": [], "from": stands if belongs else [], "at": number_px(areas, is_above=True)}

    def _base_px(self, table: FreeTable | None, fault: LayingFault) -> list[PointPx]:
        figure = None if table is None else table.figure_by_id.get(str(fault.figure))
        return [] if figure is None else around_base(self._shot.view, figure)
