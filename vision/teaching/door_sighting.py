"""One door, laid flat between the markers: its size and its picture."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from jaxtyping import Float

from assistant.errors import NoDoorShown
from assistant.table.camera import TableMarkers
from calibration.arrays import BgrImage, Numbers
from calibration.pose import CameraView
from vision.photo.paper_light import paper_light
from vision.teaching.things import PX_PER_MM, GroundView, ThingOutline, see_ground, things_on

LOOK_PX_PER_MM = 4.0

_SIDES_MM = (15.0, 140.0)
"""Range of a door's sides, from a small token to a card."""

_EDGE_PX = 1.0
_FILLED = 0.82
"""Least share of its rectangle filled by a flat door."""


@dataclass(frozen=True, eq=False)
class NewDoorSighting:
    """A flat door in one photo.

    Args:
        width_mm: the side that stands on the table, the one closer to whole cells.
        height_mm: the other side.
        confidence: how completely it fills a rectangle, 0 to 1.
        look: its face, squared, ``LOOK_PX_PER_MM``, blue-green-red.
    """

    width_mm: float
    height_mm: float
    confidence: float
    look: BgrImage

    def width_cells(self, cell_mm: float) -> int:
        """Return the number of cells that the door bars."""
        return max(1, round(self.width_mm / cell_mm))


def sight_door(
    photo: BgrImage, view: CameraView, markers: TableMarkers, *, cell_mm: float, thickness_mm: float = 2.0
) -> NewDoorSighting:
    """Find the flat door between the markers.

    Raises:
        NoDoorShown: there is no rectangle of a door's size.
    """
    light = paper_light(photo, view, markers)
    ground = see_ground(photo, view, markers, light, thickness_mm)
    found = [(thing, _corners(thing)) for thing in things_on(ground)]
    fitting = [(thing, corners) for thing, corners in found if _is_door(thing, corners)]
    if not fitting:
        raise NoDoorShown()
    thing, corners = max(fitting, key=lambda pair: _filled(*pair))
    return _square(ground, corners, _filled(thing, corners), cell_mm)


def _corners(thing: ThingOutline) -> Float[Numbers, "4 2"]:
    """Return the corners, in order, of the smallest rectangle round a thing, pixels."""
    middle, (wide, high), angle = cv2.minAreaRect(thing.outline_px.astype(np.float32))
    # The outline runs through the middles of the last clearly differing pixels. The edge lies a pixel further out.
    grown = (middle, (wide + 2 * _EDGE_PX, high + 2 * _EDGE_PX), angle)
    return np.asarray(cv2.boxPoints(grown), dtype=np.float64)


def _sides_mm(corners: Float[Numbers, "4 2"]) -> tuple[float, float]:
    first, second = (float(np.linalg.norm(corners[i + 1] - corners[i])) for i in (0, 1))
    return first / PX_PER_MM, second / PX_PER_MM


def _filled(thing: ThingOutline, corners: Float[Numbers, "4 2"]) -> float:
    first, second = (side - 2 * _EDGE_PX / PX_PER_MM for side in _sides_mm(corners))
    return min(1.0, thing.area_mm2 / max(first * second, 1e-9))


def _is_door(thing: ThingOutline, corners: Float[Numbers, "4 2"]) -> bool:
    shorter, longer = sorted(_sides_mm(corners))
    return shorter >= _SIDES_MM[0] and longer <= _SIDES_MM[1] and _filled(thing, corners) >= _FILLED


def _square(ground: GroundView, corners: Float[Numbers, "4 2"], confidence: float, cell_mm: float) -> NewDoorSighting:
    first, second = _sides_mm(corners)

    # The side closest to a whole number of cells stands on the table, of two equal ones the shorter.
    def off(side: float) -> tuple[float, float]:
        return round(abs(side / cell_mm - max(1, round(side / cell_mm))), 1), side

    is_first_wide = off(first) <= off(second)
    width_mm, height_mm = (first, second) if is_first_wide else (second, first)
    order = [0, 1, 2, 3] if is_first_wide else [1, 2, 3, 0]
    wide, high = (max(8, round(side * LOOK_PX_PER_MM)) for side in (width_mm, height_mm))
    target = np.array([[0, 0], [wide, 0], [wide, high], [0, high]], dtype=np.float32) - 0.5
    matrix = cv2.getPerspectiveTransform(corners[order].astype(np.float32), target)
    look = cv2.warpPerspective(ground.image, matrix, (wide, high), flags=cv2.INTER_LINEAR)
    return NewDoorSighting(round(width_mm, 1), round(height_mm, 1), confidence, np.asarray(look, dtype=np.uint8))
