"""The lens board: a chessboard with markers in its white squares. Half of it in view is enough to find it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import cv2
import numpy as np
from jaxtyping import Float, Float64

from assistant.errors import PhotoError
from assistant.translations.messages import said
from calibration.arrays import Corners, Doubles, Floats, GrayImage, Points
from calibration.markers import cells_of, dictionary
from calibration.opencv import opencv_means
from calibration.print_fit import fit_print

WINDOW_OF_SQUARE = 0.06
"""Half the window for refining a corner, in squares. The markers begin an eighth of a square away."""

STEADY_PX = 0.1
"""Most motion of a marker's print between fits. A marker beyond it is half covered or smeared: one raised the error of
a real webcam from 0.227 to 0.245 pixels."""


_FAMILIES = (
    "DICT_4X4_1000",
    "DICT_5X5_1000",
    "DICT_6X6_1000",
    "DICT_7X7_1000",
    "DICT_ARUCO_ORIGINAL",
    "DICT_APRILTAG_36h11",
)
"""Families of boards on sale. The smaller families of a name are the first markers of these."""

_LEAST_MARKERS = 3
"""Fewest different markers that prove a family. Chance shows one or two."""


@dataclass(frozen=True)
class LensBoard:
    """A ChArUco board: columns x rows of squares, with a marker of ``marker_share`` of the side in the white ones."""

    columns: int = 6
    rows: int = 8
    square_mm: float = 27.0
    marker_share: float = 0.75
    family: str = "DICT_5X5_50"

    @property
    def corners_mm(self) -> Points:
        """The inner corners by number, (N, 2)."""
        columns, rows = np.meshgrid(np.arange(1, self.columns), np.arange(1, self.rows))
        corners: Doubles = np.column_stack([columns.ravel(), rows.ravel()]).astype(np.float64) * self.square_mm
        return corners

    @property
    def marker_corners_mm(self) -> Float64[Doubles, "n 4 2"]:
        """The corners of the markers by number, (M, 4, 2)."""
        return np.array(_charuco(self).getObjPoints(), dtype=np.float64).reshape(-1, 4, 3)[:, :, :2]


@dataclass(frozen=True, eq=False)
class BoardSighting:
    """The board's points in one picture (N, 2) and on the board (N, 2).

    The first ``corner_count`` of them are inner corners of the chessboard, the others corners of markers.
    """

    corners_px: Float64[Doubles, "n 2"]
    board_mm: Float64[Doubles, "n 2"]
    corner_count: int
    is_inverted: bool = False


@lru_cache(maxsize=8)
def _charuco(board: LensBoard) -> Any:
    size = (board.columns, board.rows)
    return cv2.aruco.CharucoBoard(size, board.square_mm, board.square_mm * board.marker_share, dictionary(board.family))


@lru_cache(maxsize=8)
def _detector(board: LensBoard) -> Any:
    return cv2.aruco.CharucoDetector(_charuco(board))


def find_board(gray_image: GrayImage, board: LensBoard, *, is_inverted: bool | None = None) -> BoardSighting | None:
    """Return the points of a board in a picture, or None with fewer than four inner corners.

    Args:
        gray_image: the picture.
        board: as printed.
        is_inverted: whether black and white are exchanged, as on a dark screen. None tries both.
    """
    if is_inverted is None:
        return find_board(gray_image, board, is_inverted=False) or find_board(gray_image, board, is_inverted=True)
    upright = np.ascontiguousarray(255 - gray_image if is_inverted else gray_image)
    with opencv_means(lambda: PhotoError(said("This picture cannot be searched for the lens board. Take it again."))):
        corners, numbers, markers, marker_ids = _detector(board).detectBoard(upright)
        if numbers is None or len(np.ravel(numbers)) < 4:
            return None
        board_mm = board.corners_mm[np.ravel(numbers)]
        corners_px = _refined(upright, np.reshape(corners, (-1, 2)).astype(np.float32), board_mm, board)
    seen = zip(markers, np.ravel(marker_ids), strict=True)
    printed = [_marker(upright, np.reshape(corners, (4, 2)), int(i), board) for corners, i in seen]
    found = [(corners_px, board_mm), *(points for points in printed if points is not None)]
    return BoardSighting(
        np.concatenate([pixels for pixels, _ in found]),
        np.concatenate([places for _, places in found]),
        len(corners_px),
        is_inverted,
    )


@dataclass(frozen=True)
class OtherBoard:
    """A board that fits pictures in which the printed one was not found."""

    board: LensBoard
    is_inverted: bool


@dataclass(frozen=True)
class SeenMarkers:
    """Markers in pictures: their family, and how many different ones."""

    family: str
    count: int


def find_other_board(
    gray_images: Sequence[GrayImage], board: LensBoard, *, is_inverted: bool
) -> OtherBoard | SeenMarkers | None:
    """Return the board in the pictures with sides, colours or family exchanged, else the markers in them.

    Return None if they show no markers of any usual family.
    """
    seen: dict[str, set[int]] = {}
    for family in dict.fromkeys((board.family, *_FAMILIES)):
        for inverted in (is_inverted, not is_inverted):
            ids: set[int] = set()
            for image in gray_images:
                ids |= _marker_ids(255 - image if inverted else image, family)
            if len(ids) < _LEAST_MARKERS:
                continue
            seen[family] = max(seen.get(family, set()), ids, key=len)
            for columns, rows in ((board.columns, board.rows), (board.rows, board.columns)):
                tried = replace(board, columns=columns, rows=rows, family=family)
                is_same = tried == board and inverted == is_inverted
                has_markers = max(ids) < columns * rows // 2 <= len(dictionary(family).bytesList)
                if has_markers and not is_same and any(find_board(i, tried, is_inverted=inverted) for i in gray_images):
                    return OtherBoard(tried, inverted)
    if not seen:
        return None
    family = max(seen, key=lambda one: len(seen[one]))
    return SeenMarkers(family, len(seen[family]))


def _marker_ids(gray_image: GrayImage, family: str) -> set[int]:
    detector = cv2.aruco.ArucoDetector(dictionary(family))
    with opencv_means(lambda: PhotoError(said("This picture cannot be searched for markers. Take it again."))):
        _, ids, _ = detector.detectMarkers(np.ascontiguousarray(gray_image))
    return set() if ids is None else {int(one) for one in np.ravel(ids)}


def _refined(upright: GrayImage, rough: Any, board_mm: Points, board: LensBoard) -> Points:
    half = int(np.clip(round(WINDOW_OF_SQUARE * board.square_mm * _pixels_per_mm(board_mm, rough)), 2, 6))
    stop = (cv2.TERM_CRITERIA_COUNT + cv2.TERM_CRITERIA_EPS, 50, 1e-4)
    refined = cv2.cornerSubPix(upright, rough.reshape(-1, 1, 2), (half, half), (-1, -1), stop)
    return np.asarray(refined, dtype=np.float64).reshape(-1, 2)


def _marker(
    upright: GrayImage, rough_px: Float[Floats, "4 2"], marker_id: int, board: LensBoard
) -> tuple[Corners, Corners] | None:
    """Return the corners of one of the board's markers from its whole print, and their places on the board."""
    places = board.marker_corners_mm
    if marker_id >= len(places):  # A marker of the same family that is not on this board.
        return None
    bits, cells = cells_of(board.family, marker_id)
    fit = fit_print(upright, rough_px.astype(np.float64), bits, cells, None)
    if fit is None or fit.last_step_px > STEADY_PX:
        return None
    return fit.corners_px, places[marker_id]


def _pixels_per_mm(board_mm: Points, corners_px: Float[Floats, "n 2"]) -> float:
    """Return the mean scale of a sighting."""
    spread_mm = np.linalg.norm(board_mm - board_mm.mean(axis=0), axis=1).mean()
    return float(np.linalg.norm(corners_px - corners_px.mean(axis=0), axis=1).mean() / spread_mm)
