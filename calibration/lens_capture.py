"""Capture views of the lens board from a live camera, and advise the person holding it.

A pure step from one picture to the next: it never waits, opens a camera or draws.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from assistant.errors import PhotosDiffer
from calibration.arrays import Corners, Doubles, GrayImage
from calibration.lens import MIN_VIEWS, SAME_VIEW_OF_WIDTH, outline_of
from calibration.lens_board import BoardSighting, LensBoard, find_board
from calibration.lens_guidance import Missing, PictureRefusal, judge, missing

STILL_OF_WIDTH = SAME_VIEW_OF_WIDTH
"""Motion between two looks below which a board is still: five pixels of 1280."""

MOST_VIEWS = 20
"""With this many views the lens is calibrated even if a part of the picture stays empty."""


@dataclass(frozen=True)
class LensCapture:
    """The views so far.

    Args:
        board: as printed.
        image_wh: the size of the camera's pictures; None before the first view.
        taken: the views.
        last: the board in the picture before, to judge whether the next one is still.
    """

    board: LensBoard
    image_wh: tuple[int, int] | None = None
    taken: tuple[BoardSighting, ...] = ()
    last: BoardSighting | None = None

    @property
    def is_enough(self) -> bool:
        """Whether nothing is missing, or the most views are taken."""
        if self.image_wh is None:
            return False
        return missing(self.taken, self.image_wh).is_nothing or len(self.taken) >= MOST_VIEWS

    @property
    def can_solve(self) -> bool:
        """Whether the views suffice to calibrate a lens."""
        return len(self.taken) >= MIN_VIEWS


@dataclass(frozen=True)
class LensLook:
    """The result of one picture.

    Args:
        refusal: why it does not count, or None if it does.
        sighting: the board in it, if found.
        missing: gaps in the views, this one included.
    """

    refusal: PictureRefusal | None
    sighting: BoardSighting | None
    missing: Missing

    @property
    def is_taken(self) -> bool:
        return self.refusal is None


def add_picture(capture: LensCapture, gray_image: GrayImage, *, is_photo: bool = False) -> tuple[LensCapture, LensLook]:
    """Return the capture after one more picture, and the picture's result.

    Args:
        capture: so far.
        gray_image: the picture.
        is_photo: whether this is a single photo, which counts without a second picture of the resting board.

    Raises:
        PhotosDiffer: its size differs from the earlier views.
    """
    size = (gray_image.shape[1], gray_image.shape[0])
    if capture.taken and capture.image_wh != size:
        raise PhotosDiffer
    is_inverted = capture.taken[0].is_inverted if capture.taken else None
    sighting = find_board(gray_image, capture.board, is_inverted=is_inverted)
    refusal = judge(gray_image, sighting, capture.board, capture.taken)
    if refusal is None and not is_photo and not _is_still(capture.last, sighting, size[0]):
        refusal = PictureRefusal.MOVING
    after = replace(capture, image_wh=size, last=sighting)
    if refusal is None and sighting is not None:
        after = replace(after, taken=(*capture.taken, sighting))
    return after, LensLook(refusal, sighting, missing(after.taken, size))


def _is_still(before: BoardSighting | None, now: BoardSighting | None, width_px: int) -> bool:
    if before is None or now is None:
        return False
    return bool(np.abs(outline_of(before) - outline_of(now)).mean() < STILL_OF_WIDTH * width_px)


def sheet_outline(sighting: BoardSighting, board: LensBoard) -> Corners:
    """Return the four corners (4, 2) of the whole board in the picture, whichever part of it the camera saw."""
    fitted = outline_of(sighting, (board.columns * board.square_mm, board.rows * board.square_mm))
    corners: Doubles = fitted.reshape(4, 2)
    return corners
