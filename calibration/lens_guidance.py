"""Advice for the person holding the lens board: which pictures are good, and which are still missing.

Pure functions of sightings and pixels, so that page and terminal say the same.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from jaxtyping import Bool, Float64, Int

from assistant.translations.messages import Said, counted, message, said, said_in
from calibration.arrays import Doubles, Flags, GrayImage, Integers
from calibration.lens import MIN_CORNERS, SAME_VIEW_OF_WIDTH
from calibration.lens_board import BoardSighting, LensBoard, find_board

COLUMNS, ROWS = 4, 3
"""Grid of picture parts. A lens is known only where the camera saw corners."""

VIEWS_WANTED = 12
TILT_WANTED_DEG = 20.0
"""Tilt from which distance and focal length become distinguishable. Straight from above they look the same."""

MAX_BLUR_OF_WIDTH = 0.0016
"""Most blur of a picture, two pixels of 1280. Beyond it a board corner is off by more than a tenth of a pixel."""


class PictureRefusal(enum.Enum):
    """A reason why a picture does not count, worded for the person holding the board."""

    NO_BOARD = message("The camera does not see the lens board. Hold it still in good light, with most of it in view.")
    MIRRORED = message(
        "This picture is mirrored. Switch mirroring off in the camera or its program, or use the rear camera."
    )
    FEW_CORNERS = message(
        "The camera sees only a corner of the board. Move it into the picture, or take your fingers off it."
    )
    BLURRED = message("The picture is blurred. Hold the board still, or add light.")
    GLARE = message("The board reflects a lamp or window. Tilt it a little.")
    MOVING = message("Good. Hold it still for a moment.")
    ALIKE = message("You already have a picture like this. Move or tilt the board.")


@dataclass(frozen=True)
class Missing:
    """Gaps in the pictures so far: parts of the picture (column, row), and directions of tilt."""

    parts: tuple[tuple[int, int], ...]
    tilts: tuple[str, ...]
    views: int

    @property
    def is_nothing(self) -> bool:
        return not (self.parts or self.tilts or self.views)

    def sentence(self) -> Said:
        """Return the next advice."""
        if self.parts:
            column, row = self.parts[0]
            return said("Move the board to the {part} of the picture.", part=PARTS[row][column])
        if self.tilts:
            return said(TILTS[self.tilts[0]])
        if self.views:
            return counted(
                "{n} more picture, a little different.", "{n} more pictures, each a little different.", self.views
            )
        return said("That is enough. The lens can be calibrated now.")


PARTS = (
    (
        said_in("part of the picture", "top left"),
        said_in("part of the picture", "top middle left"),
        said_in("part of the picture", "top middle right"),
        said_in("part of the picture", "top right"),
    ),
    (
        said_in("part of the picture", "left"),
        said_in("part of the picture", "middle left"),
        said_in("part of the picture", "middle right"),
        said_in("part of the picture", "right"),
    ),
    (
        said_in("part of the picture", "bottom left"),
        said_in("part of the picture", "bottom middle left"),
        said_in("part of the picture", "bottom middle right"),
        said_in("part of the picture", "bottom right"),
    ),
)
"""The parts of the picture, row by row."""

TILTS: Mapping[str, str] = {
    "left": message("Tilt the board so that its left edge is nearer to the camera."),
    "right": message("Tilt the board so that its right edge is nearer to the camera."),
    "top": message("Tilt the board so that its top edge is nearer to the camera."),
    "bottom": message("Tilt the board so that its bottom edge is nearer to the camera."),
}
"""How to tilt the board, by the edge to bring nearer."""


def judge(
    gray_image: GrayImage, sighting: BoardSighting | None, board: LensBoard, taken: Sequence[BoardSighting]
) -> PictureRefusal | None:
    """Return why a picture should not count, or None if it should."""
    if sighting is None:
        return PictureRefusal.MIRRORED if is_board_mirrored(gray_image, board) else PictureRefusal.NO_BOARD
    if sighting.corner_count < MIN_CORNERS:
        return PictureRefusal.FEW_CORNERS
    if blur_px(gray_image, sighting) > MAX_BLUR_OF_WIDTH * gray_image.shape[1]:
        return PictureRefusal.BLURRED
    if has_glare(gray_image, sighting, board):
        return PictureRefusal.GLARE
    limit_px = 5 * SAME_VIEW_OF_WIDTH * gray_image.shape[1]
    near = [old for old in taken if _apart_px(sighting, old) < limit_px]
    image_wh = (gray_image.shape[1], gray_image.shape[0])
    # A board tilted one way or the other fills nearly the same part of the picture but adds another view.
    is_new_tilt = bool(near) and tilt_directions(sighting, image_wh) - _tilts(taken, image_wh)
    return PictureRefusal.ALIKE if near and not is_new_tilt else None


def is_board_mirrored(gray_image: GrayImage, board: LensBoard) -> bool:
    """Return whether the mirror image of a picture without a board shows one."""
    sighting = find_board(np.ascontiguousarray(gray_image[:, ::-1]), board)
    return sighting is not None and sighting.corner_count >= MIN_CORNERS


def _apart_px(one: BoardSighting, other: BoardSighting) -> float:
    """Return the mean distance of the other view's points from their prediction by the first."""
    fitted = np.asarray(cv2.findHomography(one.board_mm, one.corners_px)[0], dtype=np.float64)
    if fitted.shape != (3, 3):  # OpenCV found no homography.
        return float("inf")
    moved = cv2.perspectiveTransform(other.board_mm[None], fitted)[0]
    return float(np.linalg.norm(moved - other.corners_px, axis=1).mean())


def missing(taken: Sequence[BoardSighting], image_wh: tuple[int, int]) -> Missing:
    """Return the gaps that keep the lens from being known everywhere."""
    size = np.array(image_wh) / (COLUMNS, ROWS)
    seen = {(int(c), int(r)) for view in taken for c, r in np.floor((view.corners_px + 0.5) / size)}
    parts = tuple((c, r) for r in range(ROWS) for c in range(COLUMNS) if (c, r) not in seen)
    tilts = _tilts(taken, image_wh)
    wanted = tuple(direction for direction in ("left", "right", "top", "bottom") if direction not in tilts)
    return Missing(parts, wanted, max(0, VIEWS_WANTED - len(taken)))


def _tilts(taken: Sequence[BoardSighting], image_wh: tuple[int, int]) -> set[str]:
    return {direction for view in taken for direction in tilt_directions(view, image_wh)}


def tilt_directions(sighting: BoardSighting, image_wh: tuple[int, int]) -> set[str]:
    """Return the edges of the picture where the tilted board is nearer to the camera, if tilted enough."""
    focal = 0.8 * max(image_wh)
    matrix = np.array([[focal, 0, (image_wh[0] - 1) / 2], [0, focal, (image_wh[1] - 1) / 2], [0, 0, 1]])
    solid = np.column_stack([sighting.board_mm, np.zeros(len(sighting.board_mm))])
    found, rvec, _ = cv2.solvePnP(solid, sighting.corners_px, matrix, None, flags=cv2.SOLVEPNP_IPPE)
    if not found:
        return set()
    normal = cv2.Rodrigues(rvec)[0][:, 2]
    # Moving along the picture's x on the board's plane changes the depth by -n_x / n_z; nearer is less depth.
    slope = -normal[:2] / normal[2]
    limit = np.tan(np.radians(TILT_WANTED_DEG))
    nearer = {
        "left": slope[0] > limit,
        "right": slope[0] < -limit,
        "top": slope[1] > limit,
        "bottom": slope[1] < -limit,
    }
    return {direction for direction, is_nearer in nearer.items() if is_nearer}


def blur_px(gray_image: GrayImage, sighting: BoardSighting) -> float:
    """Return the standard deviation of the blur on the board, from its steepest edges.

    A step of height h with blur s has the slope ``h / (sqrt(2 pi) s)``.
    """
    left, top = np.maximum(sighting.corners_px.min(axis=0).astype(int), 0)
    right, bottom = sighting.corners_px.max(axis=0).astype(int) + 1
    part = gray_image[top:bottom, left:right].astype(np.float32)
    if part.shape[0] < 8 or part.shape[1] < 8:
        return float("inf")
    dark, bright = np.percentile(part, (5, 95))
    slopes = np.hypot(cv2.Sobel(part, cv2.CV_32F, 1, 0) / 8, cv2.Sobel(part, cv2.CV_32F, 0, 1) / 8)
    steepest = float(np.percentile(slopes, 98))
    return float(bright - dark) / (np.sqrt(2 * np.pi) * steepest) if steepest > 0 else float("inf")


def has_glare(gray_image: GrayImage, sighting: BoardSighting, board: LensBoard) -> bool:
    """Return whether a black square is nearer to white than to black, from a reflected lamp."""
    middles_mm, is_black = _squares(board)
    fitted = np.asarray(cv2.findHomography(sighting.board_mm, sighting.corners_px)[0], dtype=np.float64)
    if fitted.shape != (3, 3):  # OpenCV found no homography.
        return False
    middles = np.rint(cv2.perspectiveTransform(middles_mm[None], fitted)[0]).astype(int)
    height, width = gray_image.shape
    inside = ((middles >= 2) & (middles < (width - 2, height - 2))).all(axis=1)
    upright = 255 - gray_image if sighting.is_inverted else gray_image
    black = np.array([upright[y - 1 : y + 2, x - 1 : x + 2].mean() for x, y in middles[inside & is_black]])
    white = np.array([upright[y, x] for x, y in _paper(fitted, board, width, height)])
    if len(black) < 4 or not len(white):
        return False
    return bool((black > (np.median(black) + np.median(white)) / 2).any())


def _squares(board: LensBoard) -> tuple[Float64[Doubles, "n 2"], Bool[Flags, " n"]]:
    """Return the middles of all squares in millimetres, (N, 2), and whether each is black, (N,)."""
    columns, rows = np.meshgrid(np.arange(board.columns), np.arange(board.rows))
    middles = (np.column_stack([columns.ravel(), rows.ravel()]).astype(np.float64) + 0.5) * board.square_mm
    return middles, np.asarray((columns.ravel() + rows.ravel()) % 2 == 0)


def _paper(
    image_from_board: Float64[Doubles, "3 3"], board: LensBoard, width: int, height: int
) -> Int[Integers, "n 2"]:
    """Return pixels (N, 2) in the white rim between marker and square, for every white square in the picture."""
    middles, is_black = _squares(board)
    offset = np.array([(1 + board.marker_share) / 4 * board.square_mm, 0])
    places = cv2.perspectiveTransform((middles[~is_black] + offset)[None], image_from_board)[0]
    inside = ((places >= 0) & (places < (width - 1, height - 1))).all(axis=1)
    pixels: Integers = np.rint(places[inside]).astype(np.intp)
    return pixels
