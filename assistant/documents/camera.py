"""``sightline.camera/1`` and ``sightline.table/1``: the lens, and the markers of the table."""

from __future__ import annotations

from functools import cached_property
from typing import Annotated, Any

from msgspec import UNSET, Meta, UnsetType

from assistant.documents.reading import Wire, area_mm2, decode, point_document, refuse_repeated
from assistant.errors import BadValue
from assistant.table.camera import CameraLens, Matrix, TableMarker, TableMarkers
from assistant.table.fields import Positive
from assistant.translations.messages import message, said

MAX_FOCAL_SHARE = 1000
"""Cap on the ratio of focal length to longer side. A fisheye has 0.3, a telescope 60. Beyond the cap floats
overflow."""

_SidePx = Annotated[int, Meta(gt=0, le=100_000)]


class _TableWire(Wire):
    marker_family: str
    markers: tuple[TableMarker, ...]
    cell_mm: Positive | UnsetType = UNSET

    @cached_property
    def made(self) -> TableMarkers:
        if len(self.markers) < 4:
            text = said("A table needs at least four markers. Found: {count}.", count=len(self.markers))
            raise BadValue(text, field="markers")
        refuse_repeated([marker.id for marker in self.markers], message("marker"), "markers")
        for i, marker in enumerate(self.markers):
            if not abs(area_mm2(marker.corners_mm)) >= 1.0:
                raise BadValue(said("the corners enclose no area"), field=f"markers[{i}].corners_mm")
        return TableMarkers(self.marker_family, self.markers, None if self.cell_mm is UNSET else self.cell_mm)


class _CameraWire(Wire):
    width: _SidePx
    height: _SidePx
    matrix: Matrix
    distortion: tuple[float, float, float, float, float]

    @cached_property
    def made(self) -> CameraLens:
        focals_px = self.matrix[0][0], self.matrix[1][1]
        if min(focals_px) <= 0 or list(self.matrix[2]) != [0, 0, 1]:
            text = said("must be [[fx,0,cx],[0,fy,cy],[0,0,1]] with focal lengths above 0")
            raise BadValue(text, field="matrix")
        longer_px = max(self.width, self.height)
        for focal_px in focals_px:
            if not longer_px / MAX_FOCAL_SHARE <= focal_px <= longer_px * MAX_FOCAL_SHARE:
                text = said(
                    "No lens has a focal length of {focal_px} px for {longer_px} px. Calibrate the camera again.",
                    focal_px=float(focal_px),
                    longer_px=longer_px,
                )
                raise BadValue(text, field="matrix")
        return CameraLens(self.width, self.height, self.matrix, self.distortion)


def table_from_json(data: bytes, document: str = "table") -> TableMarkers:
    """Read the markers of a ``sightline.table/1`` document.

    Raises:
        DocumentError: the document breaks its format, has fewer than four markers or repeats an id.
    """
    return decode(data, "sightline.table/1", _TableWire, document).made


def camera_from_json(data: bytes, document: str = "camera") -> CameraLens:
    """Read the lens of a ``sightline.camera/1`` document.

    Raises:
        DocumentError: the document breaks its format.
    """
    return decode(data, "sightline.camera/1", _CameraWire, document).made


def camera_document(lens: CameraLens) -> dict[str, Any]:
    """Return the ``sightline.camera/1`` document of a lens."""
    return {
        "format": "sightline.camera/1",
        "width": lens.width_px,
        "height": lens.height_px,
        "matrix": [[round(value, 4) for value in row] for row in lens.matrix],
        "distortion": [round(value, 7) for value in lens.distortion],
    }


def table_document(table: TableMarkers) -> dict[str, Any]:
    """Return the ``sightline.table/1`` document of a marked table."""
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
