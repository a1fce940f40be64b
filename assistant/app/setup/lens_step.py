"""The lens step: computes a lens from views of the lens board."""

from __future__ import annotations

import math

from msgspec.structs import replace

from assistant.app.setup.progress import KeptSighting, LensOutcome, Progress
from assistant.app.setup.values import LensFound, LensState
from assistant.documents import camera_document
from calibration.lens import calibrate_lens
from calibration.lens_board import LensBoard
from calibration.lens_capture import LensCapture, LensLook
from calibration.lens_guidance import missing

BOARD = LensBoard()
"""The lens board that the sheets print."""


def capture_of(progress: Progress) -> LensCapture:
    """Return the views so far, as the calibration continues from them."""
    return LensCapture(BOARD, progress.image_wh, tuple(view.sighting() for view in progress.views))


def with_look(progress: Progress, capture: LensCapture, look: LensLook) -> Progress:
    """Add a picture to the progress. An accepted picture invalidates an earlier lens."""
    if not look.is_taken or look.sighting is None:
        return progress
    views = (*progress.views, KeptSighting.of(look.sighting))
    return replace(progress.without_table(), views=views, image_wh=capture.image_wh, lens=None, is_lens_skipped=False)


def solve_lens(progress: Progress) -> Progress:
    """Compute the lens from the views.

    Raises:
        CalibrationError: the views do not determine the lens.
    """
    capture = capture_of(progress)
    result = calibrate_lens(capture.taken, capture.image_wh or (0, 0))
    found = LensOutcome(
        camera_document(result.lens),
        result.rms_px,
        result.focal_uncertainty,
        tuple(None if math.isnan(rms) else rms for rms in result.view_rms_px),
    )
    return replace(progress.without_table(), lens=found, is_lens_skipped=False)


def lens_state(progress: Progress) -> LensState:
    """Return the state of the step for the page."""
    capture = capture_of(progress)
    lacking = None if capture.image_wh is None else missing(capture.taken, capture.image_wh)
    return LensState(len(capture.taken), lacking, capture.can_solve, capture.is_enough, found=_found(progress.lens))


def _found(lens: LensOutcome | None) -> LensFound | None:
    if lens is None:
        return None
    size = (int(lens.camera["width"]), int(lens.camera["height"]))
    focal_px = float(lens.camera["matrix"][0][0])
    return LensFound(focal_px, lens.focal_uncertainty, lens.rms_px, lens.view_rms_px, size)
