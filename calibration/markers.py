"""The printed markers in a picture: which ones are there, and where their corners are."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import cache
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from assistant.errors import PhotoError, UnknownName
from calibration.opencv import opencv_means

Points = npt.NDArray[np.float64]
"""Points as (N, 2), x before y."""

GrayImage = npt.NDArray[np.uint8]
"""One channel, (height, width), 0 black to 255 white."""

MIN_SIDE_PX = 12
"""A picture smaller than this holds no marker: eight cells of a bit and a half pixel each."""


@dataclass(frozen=True, eq=False)
class MarkerSighting:
    """A marker that was read: its id and its corners, (4, 2) pixels in OpenCV's order.

    The order is the printed marker's top-left, top-right, bottom-right and bottom-left corner; pixel
    centres are at integer coordinates. The array is read-only.
    """

    id: int
    corners_px: Points

    def __post_init__(self) -> None:
        corners_px = np.array(self.corners_px, dtype=np.float64)
        if corners_px.shape != (4, 2) or not np.isfinite(corners_px).all():
            raise ValueError(f"four finite corners (4, 2) are needed, not an array of shape {corners_px.shape}")
        corners_px.setflags(write=False)
        object.__setattr__(self, "corners_px", corners_px)

    @property
    def center_px(self) -> Points:
        """The mean of the four corners, (2,)."""
        center_px: Points = self.corners_px.mean(axis=0)
        return center_px

    @property
    def side_px(self) -> float:
        """The mean length of the four sides."""
        return float(np.linalg.norm(self.corners_px - np.roll(self.corners_px, 1, axis=0), axis=1).mean())


@cache
def dictionary(family: str) -> cv2.aruco.Dictionary:
    """OpenCV's dictionary of a marker family such as ``DICT_APRILTAG_36h11``.

    Raises:
        UnknownName: OpenCV knows no such family.
    """
    code = getattr(cv2.aruco, family, None) if family.startswith("DICT_") else None
    if not isinstance(code, int):
        raise UnknownName(f"there is no marker family “{family}”; the printed sheets use DICT_APRILTAG_36h11")
    return cv2.aruco.getPredefinedDictionary(code)


def find_markers(gray_image: GrayImage, family: str, ids: Collection[int] | None = None) -> tuple[MarkerSighting, ...]:
    """The markers of a family in a picture, ordered by id, then from left to right.

    An id that is seen twice is there twice: which of the two is meant only the pose can tell.

    Args:
        gray_image: the picture.
        family: the name of OpenCV's dictionary.
        ids: the ids that are looked for; None for all of the family.

    Raises:
        UnknownName: OpenCV knows no such family.
    """
    if min(gray_image.shape[:2]) < MIN_SIDE_PX:
        return ()
    found = _detected(gray_image, family)
    if ids is not None:
        found = [sighting for sighting in found if sighting.id in ids]
    return tuple(sorted(found, key=lambda sighting: (sighting.id, *sighting.center_px)))


def _detected(gray_image: GrayImage, family: str) -> list[MarkerSighting]:
    detector = _detector(family)
    with opencv_means(lambda: PhotoError("no markers can be looked for in this picture; take it again")):
        corners, ids, _ = detector.detectMarkers(np.ascontiguousarray(gray_image))
    if ids is None:
        return []
    # OpenCV 4 gives ids as (N, 1) and corners as (1, 4, 2), OpenCV 5 as (N,) and (4, 2).
    return [
        MarkerSighting(int(marker_id), np.reshape(corners_px, (4, 2)))
        for marker_id, corners_px in zip(np.ravel(ids), corners, strict=True)
    ]


@cache
def _detector(family: str) -> Any:
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    # A larger window reaches the inner bits of a small marker and pulls the corner inwards by more than a pixel.
    parameters.cornerRefinementWinSize = 3
    return cv2.aruco.ArucoDetector(dictionary(family), parameters)
