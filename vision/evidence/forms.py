"""Figure kinds by form: bodies as vectors in which light and ground count little, and shape counts much.

The points of a view (``evidence.figure_views``) become a small picture. A network turns it into two vectors that are
alike in views of one sculpt and unlike in views of others (Khosla and others, Supervised Contrastive Learning, 2020):
one for sculpts in other paints with each view, one for sculpts in their own. Its first blocks are pretrained. It was
fitted to thousands of random sculpts (``vision.training.form_fit``) and serves any box.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
from jaxtyping import Bool, Float32

from calibration.arrays import Flags, Singles
from vision.evidence.figure_views import ViewPoints, base_shares
from vision.learned import run_in_batches

WIDTH, HEIGHT = 48, 96
STEP_RADII = 0.05
LEFT_RADII, TOP_RADII = -1.2, 3.6
"""Size of a picture, a pixel's side and the picture's corner, in radii of the base."""

MIDDLE, _CONTRAST = 118.0, 48.0
"""Display value of a picture's mean, and of one standard deviation."""

_LEAST_CONTRAST = 0.05
_SPREAD_PX, _SPARSE_SPREAD_PX = 0.6, 1.4
"""Blur that closes the gaps between points, in a whole cut and in a view with few points."""

_DENSE = 0.5
"""Least points per covered pixel from which the smaller blur closes all gaps."""

_COVERED, _LEAST_WEIGHT = 0.1, 0.02
"""Weight of points at a covered pixel, and at one whose colour is known."""

_HEADS, NUMBERS_OF_HEAD = 2, 96
"""Number of heads in ``forms.onnx``, and of the numbers of each."""

MAPS = (96, HEIGHT // 8, WIDTH // 8)
"""Shape of the maps that the heads read: channels, rows and columns. ``forms.onnx`` returns them after the vectors."""

_SIZES = (0.93, 1.0, 1.07)
"""Sizes of a taught view. A base's stated size and the camera's height change the size of a body in the picture."""

_SHARPNESS = 12.0
"""Weight of a cosine in the mean over a kind's views: the likest view counts most, since a figure has many sides."""


def form_of(points: ViewPoints) -> Float32[Singles, " numbers"]:
    """Return the form as a vector of length 1: those of both heads."""
    return _joined(_by_head(points))


def painted_form(points: ViewPoints) -> Float32[Singles, " numbers"]:
    """Return the form as a vector of length 1, that of the head which knows sculpts in their own paints."""
    return np.asarray(_by_head(points)[1])


def taught_form(points: ViewPoints) -> Float32[Singles, " numbers"]:
    """Return the form of a taught view as a vector of length 1, its mean over the sizes that a table may show."""
    sized = (replace(points, across=points.across * size, up=points.up * size) for size in _SIZES)
    return _joined(_at_length_1(np.mean([_by_head(one) for one in sized], axis=0)))


def form_maps(views: Sequence[ViewPoints]) -> Float32[Singles, "n channels rows columns"]:
    """Return the maps that the heads read, of one view or more. ``evidence.bodies`` reads them, too."""
    return _run(views)[:, _HEADS * NUMBERS_OF_HEAD :].reshape(-1, *MAPS)


def _by_head(points: ViewPoints) -> Float32[Singles, "2 numbers"]:
    """Return each head's vector, of length 1."""
    return _at_length_1(_run([points])[0, : _HEADS * NUMBERS_OF_HEAD].reshape(_HEADS, -1))


def _run(views: Sequence[ViewPoints]) -> Float32[Singles, "n outputs"]:
    return run_in_batches("forms", np.stack([shown_picture(points).transpose(2, 0, 1) for points in views]))


def _joined(by_head: Float32[Singles, "2 numbers"]) -> Float32[Singles, " numbers"]:
    return np.asarray(by_head.ravel() / np.sqrt(_HEADS), np.float32)


def _at_length_1(by_head: Float32[Singles, "2 numbers"]) -> Float32[Singles, "2 numbers"]:
    return np.asarray(by_head / np.linalg.norm(by_head, axis=1, keepdims=True), np.float32)


def shown_picture(points: ViewPoints) -> Float32[Singles, "96 48 3"]:
    """Return a view's picture in display values, 0 to 255."""
    return np.asarray(np.clip(form_picture(points) * _CONTRAST + MIDDLE, 0, 255), np.float32)


def form_likeness(seen: Float32[Singles, " numbers"], taught: Float32[Singles, "views numbers"]) -> float:
    """Return how much a form is like the views of a kind, -1 to 1."""
    powers = np.exp(_SHARPNESS * (taught @ seen))
    return float(np.log(powers.mean()) / _SHARPNESS)


def form_picture(points: ViewPoints) -> Float32[Singles, "96 48 3"]:
    """Return the points as a picture with mean 0 and deviation 1, and 0 beside the figure's outline."""
    column = np.floor((points.across - LEFT_RADII) / STEP_RADII).astype(int)
    row = np.floor((TOP_RADII - points.up) / STEP_RADII).astype(int)
    inside = (column >= 0) & (column < WIDTH) & (row >= 0) & (row < HEIGHT)
    sums = np.zeros((HEIGHT, WIDTH, 4), np.float32)
    values = np.column_stack([points.bgr[inside] / 255, np.ones(np.count_nonzero(inside))]).astype(np.float32)
    np.add.at(sums, (row[inside], column[inside]), values)
    wide = _spread(sums, _SPARSE_SPREAD_PX)
    # Seen from above, a body covers a small part of the picture, so only the covered part tells how dense points are.
    is_dense = len(values) > _DENSE * np.count_nonzero(wide[:, :, 3] > _COVERED)
    sums = _spread(sums, _SPREAD_PX) if is_dense else wide
    known = outline(points.tilt_deg) & (sums[:, :, 3] > _LEAST_WEIGHT)
    colors = sums[:, :, :3] / np.maximum(sums[:, :, 3:], _LEAST_WEIGHT)
    if not known.any():
        return np.zeros_like(colors)
    even = (colors - colors[known].mean()) / (colors[known].std() + _LEAST_CONTRAST)
    return np.asarray(np.where(known[:, :, None], even, 0), np.float32)


def _spread(sums: Float32[Singles, "96 48 4"], sigma_px: float) -> Float32[Singles, "96 48 4"]:
    return np.asarray(cv2.GaussianBlur(sums, (0, 0), sigma_px, borderType=cv2.BORDER_CONSTANT), np.float32)


def outline(tilt_deg: float) -> Bool[Flags, "96 48"]:
    """Return the pixels of a picture on the base or above it."""
    across, up = np.meshgrid(
        LEFT_RADII + (np.arange(WIDTH) + 0.5) * STEP_RADII, TOP_RADII - (np.arange(HEIGHT) + 0.5) * STEP_RADII
    )
    on_base = base_shares(across.ravel(), up.ravel(), tilt_deg).reshape(HEIGHT, WIDTH) < 1
    return np.asarray(on_base | (up > 0))
