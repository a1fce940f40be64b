"""``sightline.camera/1`` and ``sightline.table/1``: the lens, and how the table is marked."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import UNSET, Meta, Struct, UnsetType

from assistant.documents.reading import PointPair, PositiveFloat, area_mm2, decode, point_document, refuse_repeated
from assistant.errors import BadValue
from assistant.table.camera import CameraLens, TableMarker, TableMarkers
from assistant.translations.messages import message, said

_Row = tuple[float, float, float]
MAX_FOCAL_SHARE = 1000
"""Far beyond a fisheye (0.3 of the longer side) and a telescope (60 times); outside, floats overflow in the pose."""

_SidePx = Annotated[int, Meta(gt=0, le=100_000)]


class _MarkerWire(Struct):
    id: Annotated[int, Meta(ge=0)]
    corners_mm: tuple[PointPair, PointPair, PointPair, PointPair]


class _TableWire(Struct):
    marker_family: str
    markers: list[_MarkerWire]
    cell_mm: PositiveFloat | UnsetType = UNSET


class _CameraWire(Struct):
    width: _SidePx
    height: _SidePx
    matrix: tuple[_Row, _Row, _Row]
    distortion: tuple[float, float, float, float, float]


def table_from_json(data: bytes, document: str = "table") -> TableMarkers:
    """The markers of a ``sightline.table/1`` document.

    Raises:
        DocumentError: the document breaks its format, names fewer than four markers or one id twice.
    """
    wire = decode(data, "sightline.table/1", _TableWire, document)
    if len(wire.markers) < 4:
        text = said("a table needs four or more markers, this one has {count}", count=len(wire.markers))
        raise BadValue(text, document=document, field="markers")
    refuse_repeated([marker.id for marker in wire.markers], message("marker"), "markers", document)
    for i, marker in enumerate(wire.markers):
        if not abs(area_mm2(marker.corners_mm)) >= 1.0:
            raise BadValue(said("the corners enclose no area"), document=document, field=f"markers[{i}].corners_mm")
    return TableMarkers(
        marker_family=wire.marker_family,
        markers=tuple(TableMarker(id=m.id, corners_mm=m.corners_mm) for m in wire.markers),
        cell_mm=None if wire.cell_mm is UNSET else wire.cell_mm,
    )


def camera_from_json(data: bytes, document: str = "camera") -> CameraLens:
    """The lens of a ``sightline.camera/1`` document.

    Raises:
        DocumentError: the document breaks its format.
    """
    wire = decode(data, "sightline.camera/1", _CameraWire, document)
    if wire.matrix[0][0] <= 0 or wire.matrix[1][1] <= 0 or list(wire.matrix[2]) != [0, 0, 1]:
        text = said("must be [[fx,0,cx],[0,fy,cy],[0,0,1]] with focal lengths above 0")
        raise BadValue(text, document=document, field="matrix")
    longer_px = max(wire.width, wire.height)
    for focal_px in (wire.matrix[0][0], wire.matrix[1][1]):
        if not longer_px / MAX_FOCAL_SHARE <= focal_px <= longer_px * MAX_FOCAL_SHARE:
            text = said(
                "a focal length of {focal_px} px is that of no lens for {longer_px} px; calibrate the camera again",
                focal_px=float(focal_px),
                longer_px=longer_px,
            )
            raise BadValue(text, document=document, field="matrix")
    return CameraLens(wire.width, wire.height, wire.matrix, wire.distortion)


def camera_document(lens: CameraLens) -> dict[str, Any]:
    """The ``sightline.camera/1`` document of a lens."""
    return {
        "format": "sightline.camera/1",
        "width": lens.width_px,
        "height": lens.height_px,
        "matrix": [[round(value, 4) for value in row] for row in lens.matrix],
        "distortion": [round(value, 7) for value in lens.distortion],
    }


def table_document(table: TableMarkers) -> dict[str, Any]:
    """The ``sightline.table/1`` document of a marked table."""
    document: dict[str, Any] = {
        "format": "sightline.table/1",
        "marker_family": table.marker_family,
        "markers": [
            {"id": marker.id, "corners_mm": [point_document(corner) for corner in marker.corners_mm]}
            for marker in table.markers
        ],
    }
    if table.cell_mm is not None:
        document["cell_mm"] = table.cell_mm
    return document
