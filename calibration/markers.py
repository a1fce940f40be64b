"""The printed markers in a picture: their ids and corners."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

import cv2
import numpy as np
from jaxtyping import Float64, Int

from assistant.errors import PhotoError, UnknownName
from assistant.table.camera import CameraLens
from assistant.translations.messages import said
from calibration.arrays import Corners, Doubles, GrayImage, Integers
from calibration.opencv import opencv_means
from calibration.print_fit import fit_print

MOST_SQUARES = 150
"""Most dark squares of a picture that are no printed markers."""

_LEAST_OUTLINES = (0.03, 0.045, 0.065, 0.1, 0.15, 0.25)
"""Shortest outlines to try, as a share of the picture's longer side. The first is OpenCV's own."""

_SQUARES_WINDOW_PX, _SQUARES_CONTRAST = 23, 7
"""The widest of the detector's own windows, and its contrast, for counting squares."""

_APART = 0.03
"""Distance, as a share of their length, below which two outlines are one. With OpenCV's 0.125, a marker's outline
merges with that of its cut-out paper. Both are lost where the paper reaches the picture's edge: 5 of 20 on photographs
of real tiles. With this value none is lost, and one more of 122 on rendered photos is found."""

MIN_SIDE_PX = 12
"""Shortest side of a marker: eight cells of a bit and a half pixel each."""


@dataclass(frozen=True, eq=False)
class MarkerSighting:
    """A marker in a picture: its id and its corners, (4, 2) pixels in OpenCV's order.

    The order is the printed marker's top-left, top-right, bottom-right and bottom-left corner; pixel
    centres are at integer coordinates. The array is read-only.
    """

    id: int
    corners_px: Corners

    def __post_init__(self) -> None:
        corners_px = np.array(self.corners_px, dtype=np.float64)
        if corners_px.shape != (4, 2) or not np.isfinite(corners_px).all():
            raise ValueError(f"four finite corners (4, 2) are needed, not an array of shape {corners_px.shape}")
        corners_px.setflags(write=False)
        object.__setattr__(self, "corners_px", corners_px)

    @property
    def center_px(self) -> Float64[Doubles, " 2"]:
        """The mean of the four corners, (2,)."""
        center_px: Doubles = self.corners_px.mean(axis=0)
        return center_px

    @property
    def side_px(self) -> float:
        """The mean length of the four sides."""
        return float(np.linalg.norm(self.corners_px - np.roll(self.corners_px, 1, axis=0), axis=1).mean())


@cache
def dictionary(family: str) -> cv2.aruco.Dictionary:
    """Return OpenCV's dictionary of a marker family such as ``DICT_APRILTAG_36h11``.

    Raises:
        UnknownName: OpenCV knows no such family.
    """
    code = getattr(cv2.aruco, family, None) if family.startswith("DICT_") else None
    if not isinstance(code, int):
        raise UnknownName(
            said("There is no marker family “{family}”. The printed sheets use DICT_APRILTAG_36h11.", family=family)
        )
    return cv2.aruco.getPredefinedDictionary(code)


QUICK_PX = (1024, 2048)
"""Longer sides of the pictures to search, in order, until all markers are found. Corners always come from the full
picture. Of 115 markers on rendered photos the smaller picture shows 112 in a quarter of the time, with the same corners
to 0.01 pixels."""

PATIENT_PX = 4096
"""The longer side of the enlarged picture for small, dark and slanted markers."""

ENOUGH = 3
"""Markers from which the patient search is skipped. A pose needs no more."""


def find_markers(
    gray_image: GrayImage,
    family: str,
    ids: Collection[int] | None = None,
    *,
    lens: CameraLens | None = None,
) -> tuple[MarkerSighting, ...]:
    """Return the markers of a family in a picture, ordered by id, then from left to right.

    An id may occur twice. Only the pose decides which is real.

    Args:
        gray_image: the picture.
        family: the name of OpenCV's dictionary.
        ids: the ids to look for, or None for the whole family, which takes up to twenty times as long.
        lens: the camera's lens, if known. It bends the sides of a large marker by up to 0.2 pixels.

    Raises:
        UnknownName: OpenCV knows no such family.
        SizeMismatch: the picture's size does not fit the lens.
    """
    if min(gray_image.shape[:2]) < MIN_SIDE_PX:
        return ()
    fitting = lens and lens.scaled_to(gray_image.shape[1], gray_image.shape[0])
    prints = _Prints(family, None if ids is None else tuple(sorted(set(ids))))
    found = _search_quickly(gray_image, prints)
    if ids is None or len({sighting.id for sighting in found}) < min(ENOUGH, len(set(ids))):
        scale = min(2.0, PATIENT_PX / max(gray_image.shape))
        found = _merge(found, _detect_rough(gray_image, prints, scale=scale, is_patient=True))
    sightings = [_refined(gray_image, sighting, prints, fitting) for sighting in found]
    return tuple(sorted(sightings, key=lambda sighting: (sighting.id, *sighting.center_px)))


def _search_quickly(gray_image: GrayImage, prints: _Prints) -> list[MarkerSighting]:
    """Return the markers of the quick search. Search larger pictures only for missing markers."""
    found: list[MarkerSighting] = []
    for scale in sorted({min(1.0, side / max(gray_image.shape)) for side in QUICK_PX}):
        found = _merge(found, _detect_rough(gray_image, prints, scale=scale, is_patient=False))
        if prints.ids is not None and {sighting.id for sighting in found} >= set(prints.known):
            break
    return found


@dataclass(frozen=True)
class _Prints:
    """The ids to look for: the whole family, or some of it."""

    family: str
    ids: tuple[int, ...] | None

    def dictionary(self) -> cv2.aruco.Dictionary:
        """OpenCV's dictionary of these ids only. Comparing each dark square with 587 prints takes most of the time."""
        whole = dictionary(self.family)
        if self.ids is None:
            return whole
        return cv2.aruco.Dictionary(whole.bytesList[list(self.known)], whole.markerSize, whole.maxCorrectionBits)

    @property
    def known(self) -> tuple[int, ...]:
        """The ids of the family, in the order of the rows of ``dictionary``."""
        count = len(dictionary(self.family).bytesList)
        return tuple(range(count)) if self.ids is None else tuple(i for i in self.ids if 0 <= i < count)


def _detect_rough(gray_image: GrayImage, prints: _Prints, *, scale: float, is_patient: bool) -> list[MarkerSighting]:
    """Return the markers with rough corners (to about a pixel), found in the picture at another scale."""
    known = prints.known
    if not known:
        return []
    scaled = gray_image
    if scale != 1.0:
        way = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
        scaled = np.asarray(cv2.resize(gray_image, None, fx=scale, fy=scale, interpolation=way), dtype=np.uint8)
    with opencv_means(lambda: PhotoError(said("This picture cannot be searched for markers. Take it again."))):
        corners, rows, _ = _detector(prints, is_patient, least_outline(scaled)).detectMarkers(
            np.ascontiguousarray(scaled)
        )
    if rows is None:
        return []
    # OpenCV 4 gives ids as (N, 1) and corners as (1, 4, 2), OpenCV 5 as (N,) and (4, 2).
    return [
        MarkerSighting(known[int(row)], ((np.reshape(corners_px, (4, 2)) + 0.5) / scale - 0.5).astype(np.float64))
        for row, corners_px in zip(np.ravel(rows), corners, strict=True)
    ]


def least_outline(gray_image: GrayImage) -> float:
    """Return the shortest outline to examine for a print, as a share of the longer side.

    A checked cloth has thousands of squares. The detector's time grows much faster than their number, up to minutes for
    one picture. So only the larger squares count if there are too many.
    """
    dark = cv2.adaptiveThreshold(
        gray_image, 255, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY_INV, _SQUARES_WINDOW_PX, _SQUARES_CONTRAST
    )
    contours, _ = cv2.findContours(dark, cv2.RETR_LIST, cv2.CHAIN_APPROX_NONE)
    longer = max(gray_image.shape)
    shares = np.array(
        [len(contour) / longer for contour in contours if _is_square(np.asarray(contour, np.int32), longer)]
    )
    return next((least for least in _LEAST_OUTLINES if (shares >= least).sum() <= MOST_SQUARES), _LEAST_OUTLINES[-1])


def _is_square(contour: Int[Integers, "n 1 2"], longer: int) -> bool:
    """Return whether an outline is long enough for a marker, and has four corners."""
    if len(contour) < _LEAST_OUTLINES[0] * longer:
        return False
    corners = cv2.approxPolyDP(contour, 0.03 * len(contour), True)
    return len(corners) == 4 and cv2.isContourConvex(corners)


def _merge(quick: list[MarkerSighting], patient: list[MarkerSighting]) -> list[MarkerSighting]:
    """Merge both lists without repeats. The patient list wins, since its corners come from the larger picture."""

    def is_new(sighting: MarkerSighting) -> bool:
        return all(np.linalg.norm(sighting.center_px - other.center_px) > 0.5 * other.side_px for other in patient)

    return patient + [sighting for sighting in quick if is_new(sighting)]


def _refined(gray_image: GrayImage, rough: MarkerSighting, prints: _Prints, lens: CameraLens | None) -> MarkerSighting:
    """Refine the marker's corners from its whole print, or return it unchanged if the print cannot be followed."""
    bits, cells = cells_of(prints.family, rough.id)
    fit = fit_print(gray_image, rough.corners_px, bits, cells, lens)
    return rough if fit is None else MarkerSighting(rough.id, fit.corners_px)


@cache
def cells_of(family: str, marker_id: int) -> tuple[bytes, int]:
    """Return the cells of a marker, row by row (one byte each, 1 for white, black border included), and their side."""
    prints = dictionary(family)
    cells = prints.markerSize + 2
    image = cv2.aruco.generateImageMarker(prints, marker_id, cells, borderBits=1)
    return (image > 127).astype(np.int8).tobytes(), cells


@lru_cache(maxsize=32)
def _detector(prints: _Prints, is_patient: bool, least_outline: float) -> Any:
    parameters = cv2.aruco.DetectorParameters()
    parameters.minMarkerPerimeterRate = least_outline
    parameters.minMarkerDistanceRate = _APART
    # Fit lines to the outline's points. The print fit starts there, and other refinements jump to inner bits.
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_CONTOUR
    # A finer grid reads bits of two pixels better (15 to 19 of 25 markers of 12 to 20 pixels a side).
    parameters.perspectiveRemovePixelPerCell = 8
    if is_patient:
        # More thresholds: with twice the pixels they found 23 instead of 17 of the same markers.
        parameters.adaptiveThreshWinSizeStep = 4
        parameters.adaptiveThreshWinSizeMax = 43
    return cv2.aruco.ArucoDetector(prints.dictionary(), parameters)
