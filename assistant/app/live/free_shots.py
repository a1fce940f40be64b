"""Pictures of a table without a grid, with their readings, plan views from above, and rulings on them."""

from __future__ import annotations

from dataclasses import dataclass

from assistant.app.live.free_names import SeenMove
from assistant.app.live.reader import encode_for_page
from assistant.app.live.shots import PageView, Picture, ShotSource
from assistant.table.camera import PointMm, TableMarkers
from assistant.table.free_sighting import FreeSighting
from calibration.arrays import BgrImage
from calibration.pose import CameraView
from vision.evidence.bases import BASE_HEIGHT_MM
from vision.photo.rectify import PlaneFrame, rectify

PX_PER_MM = 2.0
"""Resolution of a plan view: slightly finer than a camera above a table."""

MOST_PX = 2000
"""Longer side of a plan view in pixels. Every tablet loads one per picture."""

EDGE_MM = 15.0
"""Margin of a plan view around the table, in millimetres."""


@dataclass(frozen=True)
class TablePlan:
    """A plan view from above, and its part of the table: left, top, width and height in millimetres."""

    picture: Picture
    box_mm: tuple[float, float, float, float]


def plan_of(image: BgrImage, view: CameraView, size_mm: PointMm) -> TablePlan:
    """Return the plan view, true to scale at the height of the bases. Higher things lean away from the camera."""
    width, depth = size_mm[0] + 2 * EDGE_MM, size_mm[1] + 2 * EDGE_MM
    px_per_mm = min(PX_PER_MM, MOST_PX / max(width, depth))
    frame = PlaneFrame((-EDGE_MM, -EDGE_MM), 0.0, px_per_mm, (round(width * px_per_mm), round(depth * px_per_mm)))
    seen = rectify(image, view, frame, BASE_HEIGHT_MM / 2).image
    return TablePlan(encode_for_page(seen), (-EDGE_MM, -EDGE_MM, width, depth))


@dataclass(frozen=True, eq=False)
class FreeShot:
    """A picture of a table without a grid, and its reading.

    Args:
        id: its name.
        source: a watching camera, or an uploaded photo.
        picture: the picture for the page.
        sighting: its reading.
        view: maps points of the table into it.
        taken_at_s: seconds since 1970, for display only, never for ordering.
        moves: the moves since the picture before.
        markers: the printed markers, if known.
        plan: the plan view, if one was drawn.
        unanswered: the reading before people's answers, or None if none holds here.
    """

    id: str
    source: ShotSource
    picture: Picture
    sighting: FreeSighting
    view: PageView
    taken_at_s: float
    moves: tuple[SeenMove, ...] = ()
    markers: TableMarkers | None = None
    plan: TablePlan | None = None
    unanswered: FreeSighting | None = None

    @property
    def read(self) -> FreeSighting:
        """What the program read by itself."""
        return self.unanswered or self.sighting


@dataclass(frozen=True)
class AskedFree:
    """A ruling on such a picture."""

    shot: FreeShot
    attacker: str
    defender: str
    asked_at_s: float
