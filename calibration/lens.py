"""Lens calibration from pictures of the lens board: select the views, state the uncertainty."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float64

from assistant.errors import TooFewViews
from assistant.table.camera import CameraLens
from calibration.arrays import Doubles
from calibration.lens_board import BoardSighting
from calibration.lens_fit import LensFit, fit_lens

MIN_CORNERS = 6
"""Fewest useful corners of one picture. Fewer hardly constrain more than the board's pose."""

MIN_VIEWS = 5
MAX_VIEWS = 60
"""More pictures cost time and no longer change the result."""

SAME_VIEW_OF_WIDTH = 0.004
"""Corner motion, as a share of the width, below which two pictures show the same view."""

OUTLIER_RATIO = 2.0
"""Ratio to the median error from which a view has motion blur or a misread corner."""


@dataclass(frozen=True)
class LensResult:
    """A lens and its uncertainty.

    Args:
        lens: the result.
        rms_px: RMS distance between found and projected corners of the views used.
        view_rms_px: the same for each view; NaN for views with too few corners or too similar to others.
        kept: indices of the views used.
        dropped: indices of outliers among the views.
        focal_sigma_px: standard deviation of the focal length.
        center_sigma_px: standard deviations of the principal point.
    """

    lens: CameraLens
    rms_px: float
    view_rms_px: tuple[float, ...]
    kept: tuple[int, ...]
    dropped: tuple[int, ...]
    focal_sigma_px: float
    center_sigma_px: tuple[float, float]

    @property
    def focal_uncertainty(self) -> float:
        """Standard deviation of the focal length as a share of it."""
        return self.focal_sigma_px / self.lens.matrix[0][0]


def calibrate_lens(sightings: Sequence[BoardSighting | None], image_wh: tuple[int, int]) -> LensResult:
    """Fit the lens to pictures of one board, without outliers.

    Args:
        sightings: one for each picture, None without a board.
        image_wh: the size of the pictures.

    Raises:
        TooFewViews: too few of them are usable.
        CalibrationError: they are all too similar.
    """
    chosen = choose_views(sightings, image_wh)
    if len(chosen) < MIN_VIEWS:
        raise TooFewViews(len(chosen))
    views = {index: sighting for index in chosen if (sighting := sightings[index]) is not None}
    kept, fit = _without_outliers(views, image_wh)
    view_rms_px = dict(zip(kept, fit.view_rms_px, strict=True))
    counts = np.array([len(views[index].corners_px) for index in kept])
    return LensResult(
        lens=fit.lens,
        rms_px=float(np.sqrt((fit.view_rms_px**2 * counts).sum() / counts.sum())),
        view_rms_px=tuple(float(view_rms_px.get(index, np.nan)) for index in range(len(sightings))),
        kept=tuple(kept),
        dropped=tuple(index for index in views if index not in view_rms_px),
        focal_sigma_px=float(fit.sigmas[0]) * fit.lens.matrix[0][0],
        center_sigma_px=(float(fit.sigmas[1]), float(fit.sigmas[2])),
    )


def choose_views(sightings: Sequence[BoardSighting | None], image_wh: tuple[int, int]) -> list[int]:
    """Return indices of different views with enough corners, in order. If there are many, keep those farthest apart."""
    usable = [i for i, s in enumerate(sightings) if s is not None and s.corner_count >= MIN_CORNERS]
    if not usable:
        return []
    places = np.array([outline_of(s) for i in usable if (s := sightings[i]) is not None])
    apart = np.full(len(usable), np.inf)
    order: list[int] = []
    while len(order) < MAX_VIEWS and apart.max() > SAME_VIEW_OF_WIDTH * image_wh[0]:
        farthest = int(np.argmax(apart))
        order.append(farthest)
        apart = np.minimum(apart, np.abs(places - places[farthest]).mean(axis=1))
        apart[order] = -1.0
    return sorted(usable[i] for i in order)


def outline_of(sighting: BoardSighting, span_mm: tuple[float, float] = (100.0, 100.0)) -> Float64[Doubles, " 8"]:
    """Return the corners (8,) of a sheet of that size in the picture, whichever of its corners the camera saw.

    The fit has no perspective. Comparing views needs none, and a few corners would not support it.
    """
    fitted, *_ = np.linalg.lstsq(
        np.column_stack([sighting.board_mm, np.ones(len(sighting.board_mm))]), sighting.corners_px, rcond=None
    )
    wide, high = span_mm
    ends = np.array([[0, 0, 1], [wide, 0, 1], [wide, high, 1], [0, high, 1]])
    outline: Doubles = (ends @ fitted).ravel().astype(np.float64)
    return outline


def _without_outliers(views: dict[int, BoardSighting], image_wh: tuple[int, int]) -> tuple[list[int], LensFit]:
    """Fit the lens without views far worse than the median, dropped one per round."""
    kept = list(views)
    while True:
        fit = fit_lens([views[index] for index in kept], image_wh)
        is_good = fit.view_rms_px <= OUTLIER_RATIO * np.median(fit.view_rms_px)
        if is_good.all() or is_good.sum() < MIN_VIEWS:
            return kept, fit
        kept = [index for index, good in zip(kept, is_good, strict=True) if good]
