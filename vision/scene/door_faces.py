"""Door faces: compare the face of a possible door with the faces of sure doors in the same photo.

The face of a door is the upright rectangle over its edge on the camera's side. It is rectified for every edge that
allows a door, and compared with the faces of the surest doors, whatever their look. An edge without a door shows floor
and figures there. Most boxes have doors of one print, but not all. So an unlike face is weaker evidence the more the
sure doors differ among themselves.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
from jaxtyping import Float

from assistant.table.lattice import Edge
from assistant.table.roster import DoorSpec
from calibration.arrays import Numbers
from calibration.color import hue_plane, light_from_gamma
from vision.evidence.doors import DoorSighting
from vision.evidence.looks import light_at
from vision.learned import chance_of_presence, log_odds_of
from vision.photo.paper_light import LIGHT_NOISE
from vision.tiles.board_view import BoardView

_SURE_DOOR = 0.9
"""Least chance of a reference door. Doors to compare have at least the remaining chance."""

_COLUMNS, _ROWS = 16, 14
_TINT_WEIGHT = 2.0
_UNLIKE = 1.5
"""Cap on the difference of points, so that a shadow as wide as a hand does not decide."""

_USUAL = -0.82
"""Usual similarity of a door to the most similar sure one in its photo: the mean of 114 doors on 84 ray-traced photos
(701 to 728)."""

_LESS_ALIKE, _SLOPE = 0.18, 8.0
"""Lead of the sure doors' similarity at which a face is neutral, and log odds per unit of similarity."""

_Face = Float[Numbers, "14 16 3"]
"""The face over an edge, from left to right and from below: logarithm of brightness minus its median, and tint."""


def apply_door_faces(doors: Sequence[DoorSighting], board: BoardView, spec: DoorSpec) -> list[DoorSighting]:
    """Adjust the doors by their similarity to the sure ones. Unchanged if none is sure."""
    sure = [door for door in doors if door.confidence > _SURE_DOOR]
    asked = [door for door in doors if door.confidence >= 1 - _SURE_DOOR]
    if not sure:
        return list(doors)
    faces = {door.edge: _face(door.edge, board, spec) for door in asked}
    known = {door.edge: face for door in sure if (face := faces[door.edge]) is not None}
    likest = {edge: _best_similarity(edge, face, known) for edge, face in faces.items()}
    # The usual value counts as one more door: a single sure door has no other to compare with.
    usual = float(np.mean([_USUAL, *(likest[edge] for edge in known if likest[edge] is not None)]))
    more = {door.edge: _odds(likest[door.edge], usual) for door in asked}
    after = [_with(door, more.get(door.edge, 0.0)) for door in doors]
    return sorted(after, key=lambda door: (-door.confidence, door.edge))


def _with(door: DoorSighting, more: float) -> DoorSighting:
    return replace(door, confidence=chance_of_presence(log_odds_of(door.confidence) + more)) if more else door


def _face(edge: Edge, board: BoardView, spec: DoorSpec) -> _Face | None:
    """Return the face over an edge on the camera's side, or None if the photo does not show all of it."""
    ends = board.lattice.table_from_lattice(np.array([edge.start, edge.end], dtype=float))
    ends_px = board.view.image_from_table(ends, board.thickness_mm)
    if ends_px[0, 0] > ends_px[1, 0]:
        ends, ends_px = ends[::-1], ends_px[::-1]
    across = ends[1] - ends[0]
    aside = np.array([-across[1], across[0]]) / np.linalg.norm(across)
    if (board.view.camera_center_mm[:2] - ends[0]) @ aside < 0:
        aside = -aside
    along, up = np.meshgrid(_middles(_COLUMNS), board.thickness_mm + spec.height_mm * _middles(_ROWS))
    places = ends[0] + along.reshape(-1, 1) * across + aside * spec.thickness_mm / 2
    places_px = board.view.image_from_table(places, up.ravel())
    height, width = board.photo.shape[:2]
    if not ((places_px >= 0) & (places_px < (width, height))).all():
        return None
    columns, rows = (np.ascontiguousarray(places_px[None, :, axis], dtype=np.float32) for axis in (0, 1))
    seen = np.asarray(cv2.remap(board.photo, columns, rows, cv2.INTER_LINEAR), np.uint8)
    x, y = ends.mean(axis=0).tolist()
    light = (light_from_gamma(seen)[0] / light_at(board, (x, y))).reshape(_ROWS, _COLUMNS, 3).astype(np.float32)
    bright = light.mean(axis=-1) + LIGHT_NOISE
    tint = _TINT_WEIGHT * hue_plane(light) / bright[..., None]
    return np.dstack([np.log(bright) - np.median(np.log(bright)), tint]).astype(float)


def _middles(count: int) -> Float[Numbers, " n"]:
    """Return the middles of ``count`` equal parts of 0 to 1, (N,)."""
    return np.asarray((np.arange(count) + 0.5) / count)


def _best_similarity(edge: Edge, face: _Face | None, known: dict[Edge, _Face]) -> float | None:
    """Return a face's similarity to the most similar other face, or None without others."""
    if face is None:
        return None
    return max((_likeness(face, other) for at, other in known.items() if at != edge), default=None)


def _likeness(face: _Face, other: _Face) -> float:
    """Return the negative mean difference of two faces."""
    return -float(np.minimum(np.abs(face - other).sum(axis=-1), _UNLIKE).mean())


def _odds(likest: float | None, usual: float) -> float:
    """Return the log odds that similarity to the best sure door adds. ``usual`` is the similarity of sure doors."""
    if likest is None:
        return 0.0
    return _SLOPE * (likest - usual + _LESS_ALIKE)
