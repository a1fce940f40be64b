"""The part of the table in which tiles and figures are searched for, and the markers' papers in it."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from jaxtyping import Float

from assistant.table.camera import PointMm, TableMarker, TableMarkers
from calibration.arrays import Doubles, Mask
from vision.photo.rectify import PlaneFrame

MARGIN_MM = 40.0
"""Reach of a tile beyond the markers, which lie round the board."""

_PAPER = 1.6
"""Size of a marker's white paper relative to the marker."""


def search_frame(markers: TableMarkers, px_per_mm: float) -> PlaneFrame:
    """Return the part of the table between the markers, with a margin."""
    corners = np.concatenate([np.array(marker.corners_mm) for marker in markers.markers])
    return PlaneFrame.between(corners.min(axis=0) - MARGIN_MM, corners.max(axis=0) + MARGIN_MM, px_per_mm)


def paper_corners_mm(corners_mm: Sequence[PointMm]) -> Float[Doubles, "4 2"]:
    """Return the corners of the paper round a marker."""
    corners = np.array(corners_mm, dtype=np.float64)
    middle = corners.mean(axis=0)
    return np.asarray(middle + _PAPER * (corners - middle))


def papers_mask(frame: PlaneFrame, markers: Sequence[TableMarker]) -> Mask:
    """Return the mask of the markers' papers in a frame."""
    mask = np.zeros(frame.size_wh[::-1], dtype=np.uint8)
    for marker in markers:
        corners = frame.frame_from_table(paper_corners_mm(marker.corners_mm))
        cv2.fillPoly(mask, [np.round(corners).astype(np.int32)], 1)
    return mask > 0
