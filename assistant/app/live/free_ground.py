"""Terrain of a table without a grid: drawn with a finger on a picture, and located again after a move."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from assistant.app.live.shots import PointPx
from assistant.errors import CannotDo, UnknownName
from assistant.table.camera import TableMarkers
from assistant.table.free_sighting import snapped
from assistant.table.free_table import FreeTable, Terrain, TerrainKind
from assistant.translations.messages import said
from calibration.arrays import BgrImage
from calibration.color import lab_from_bgr
from calibration.pose import CameraView
from vision.evidence.bases import BASE_HEIGHT_MM
from vision.free.rims import RimPicture
from vision.free.search import Level, plane_of
from vision.free.terrain import find_terrain, snap_outline
from vision.photo.paper_light import paper_light


class TerrainNotFound(CannotDo):
    """A moved piece of terrain was not found in a picture."""

    http_status = 409


def draw_piece(
    image: BgrImage, view: CameraView, stroke_px: Sequence[PointPx], kind: TerrainKind, height_mm: float
) -> tuple[Terrain, float]:
    """Return an unnamed piece of terrain from a finger's line around its top, and the share of its sides on edges.

    Each side snaps to the edge that the picture shows.

    Raises:
        BadValue: the line is not an outline.
    """
    found = snap_outline(RimPicture(lab_from_bgr(image), view), stroke_px, height_mm)
    outline = tuple((snapped(x), snapped(y)) for x, y in found.corners_mm)
    return Terrain("", kind, outline, snapped(height_mm)), found.edge_share


def piece_named(table: FreeTable, name: str) -> Terrain:
    """Return the piece of terrain of that name.

    Raises:
        UnknownName: there is none.
    """
    piece = next((piece for piece in table.terrain if piece.id == name), None)
    if piece is None:
        raise UnknownName(said("there is no terrain “{item}”", item=name))
    return piece


def find_piece(image: BgrImage, view: CameraView, markers: TableMarkers, box: FreeTable, piece: Terrain) -> Terrain:
    """Locate a piece of terrain in a picture.

    Raises:
        TerrainNotFound: the picture does not show where it is.
    """
    width, depth = (float(side) for side in box.size_mm)
    level = Level((0.0, 0.0, width, depth), float(piece.height_mm) - BASE_HEIGHT_MM / 2)
    plane = plane_of(image, view, paper_light(image, view, markers), level)
    found = find_terrain(plane, RimPicture(lab_from_bgr(image), view), piece)
    if found is None:
        raise TerrainNotFound(said("The picture does not show where “{item}” lies. Draw it again.", item=piece.id))
    return replace(piece, outline_mm=tuple((snapped(x), snapped(y)) for x, y in found.corners_mm))


def next_name(table: FreeTable, kind: TerrainKind) -> str:
    """Return an unused name for a piece of terrain: its kind and the next number."""
    numbers = (int(end) for piece in table.terrain if (end := piece.id.rpartition("-")[2]).isdecimal())
    return f"{kind}-{max(numbers, default=0) + 1}"
