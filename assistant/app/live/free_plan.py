"""A picture of a table without a grid as from straight above: models are tapped and ways are drawn on it."""

from __future__ import annotations

from dataclasses import dataclass

from assistant.app.live.reader import encode_for_page
from assistant.app.live.shots import Picture
from assistant.table.camera import PointMm
from calibration.arrays import BgrImage
from calibration.pose import CameraView
from vision.evidence.bases import BASE_HEIGHT_MM
from vision.photo.rectify import PlaneFrame, rectify

PX_PER_MM = 2.0
"""As fine as a camera over a table shows it, and a little more."""

MOST_PX = 2000
"""Along the longer side of the table: it is sent to every tablet for each picture."""

EDGE_MM = 15.0
"""What is seen round the part that is played on."""


@dataclass(frozen=True)
class TablePlan:
    """The picture, and the part of the table that it shows: left, top, width and height in millimetres."""

    picture: Picture
    box_mm: tuple[float, float, float, float]


def plan_of(image: BgrImage, view: CameraView, size_mm: PointMm) -> TablePlan:
    """The picture from above, true at the height of the bases; what stands higher leans away from the camera."""
    width, depth = size_mm[0] + 2 * EDGE_MM, size_mm[1] + 2 * EDGE_MM
    px_per_mm = min(PX_PER_MM, MOST_PX / max(width, depth))
    frame = PlaneFrame((-EDGE_MM, -EDGE_MM), 0.0, px_per_mm, (round(width * px_per_mm), round(depth * px_per_mm)))
    seen = rectify(image, view, frame, BASE_HEIGHT_MM / 2).image
    return TablePlan(encode_for_page(seen), (-EDGE_MM, -EDGE_MM, width, depth))
