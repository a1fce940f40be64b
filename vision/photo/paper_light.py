"""Light on the table, measured on the markers' white paper or on known prints."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import cv2
import numpy as np
from jaxtyping import Float

from assistant.table.camera import TableMarker, TableMarkers
from calibration.arrays import BgrImage, Numbers
from calibration.color import GAMMA, light_from_gamma
from calibration.markers import cells_of
from calibration.pose import CameraView

PAPER_ALBEDO = 0.85
"""Share of light reflected by printer paper."""

DARKEST_LIGHT = 1e-3
"""Smallest linear light in quotients and logarithms, about a camera's black."""

LIFTED_DARK = 4e-3
"""Linear light added before comparing log colours, since in black all colours are alike."""

LIGHT_NOISE = 0.02
"""The noise of a dim pixel in linear light. Added before single points are compared. Darker paper shows no colour."""

_CONTRAST = 1.5
"""Least ratio of a marker's white to its black. Less means that something covers it."""

_SLOPE_PER_M = 1.2
"""Prior spread of log brightness over a metre, typical of a lamp at the side."""

_MISS = 0.15
"""Spread, as a logarithm, of one marker's paper round smooth light, from small shadows and bent corners. The brightness
of taught prints spreads as much from set to set."""


@dataclass(frozen=True, eq=False)
class PaperLight:
    """Linear light on white paper: one colour, and a brightness whose logarithm is linear over the table.

    Args:
        tint: blue, green and red of the paper divided by their mean.
        log_brightness: constant, and slopes along x and y per millimetre.
        sheets: number of markers whose paper was measured.
        uncertainty: standard deviation of the log brightness, or None without a measurement.
    """

    tint: Float[Numbers, " 3"]
    log_brightness: Float[Numbers, " 3"]
    sheets: int
    uncertainty: float | None = None

    def white_balanced(self, image: BgrImage) -> BgrImage:
        """Return the picture in colourless light. No channel gets brighter, so nothing clips."""
        factors = (self.tint.min() / self.tint) ** (1 / GAMMA)
        return np.asarray(np.round(image * factors.astype(np.float32)), dtype=np.uint8)

    def brightness_at(self, points_mm: Float[Numbers, "n 2"]) -> Float[Numbers, " n"]:
        """Return the linear brightness of white paper at table points."""
        brightness: Numbers = np.exp(self.log_brightness[0] + points_mm @ self.log_brightness[1:])
        return brightness


def paper_light(photo: BgrImage, view: CameraView, markers: TableMarkers) -> PaperLight:
    """Measure the light on every marker with visible paper. Return grey light without any."""
    unchecked = not (view.markers_seen or view.tiles_seen)
    seen = [marker for marker in markers.markers if unchecked or marker.id in view.markers_seen]
    found = [(marker, _measure_paper(photo, view, marker, markers.marker_family)) for marker in seen]
    places = np.array([np.mean(marker.corners_mm, axis=0) for marker, paper in found if paper is not None])
    papers = np.array([paper for _, paper in found if paper is not None])
    if len(papers) == 0:
        return PaperLight(np.ones(3), np.zeros(3), 0)
    tint = np.median(papers / papers.mean(axis=1, keepdims=True), axis=0)
    return _smooth_light(tint, places, np.log(papers.mean(axis=1)), len(papers))


def light_of_prints(
    places_mm: Float[Numbers, "n 2"], light_by_print: Float[Numbers, "n 3"], print_by_paper: float
) -> PaperLight:
    """Return the light by places with open, known prints.

    Args:
        places_mm: the places on the table.
        light_by_print: linear colour of the photo over that of the print.
        print_by_paper: brightness of a print, as taught, over that of white paper.
    """
    tint = np.median(light_by_print / light_by_print.mean(axis=1, keepdims=True), axis=0)
    logs = np.log(light_by_print.mean(axis=1) / print_by_paper)
    light = _smooth_light(tint, places_mm, logs, 0)
    return replace(light, uncertainty=math.hypot(light.uncertainty or 0.0, _MISS))


def _smooth_light(
    tint: Float[Numbers, " 3"], places_mm: Float[Numbers, "n 2"], logs: Float[Numbers, " n"], sheets: int
) -> PaperLight:
    fitted = _fit(places_mm, logs)
    off = logs - fitted[0] - places_mm @ fitted[1:]
    # A few places are a poor estimate of their own spread.
    spread = math.sqrt((float((off**2).sum()) + _MISS**2) / (len(logs) + 1))
    return PaperLight(tint, fitted, sheets, spread / math.sqrt(len(logs)))


def _fit(places_mm: Float[Numbers, "n 2"], logs: Float[Numbers, " n"]) -> Float[Numbers, " 3"]:
    """Fit constant and slopes by ridge regression, so that three markers in a row invent no slope across."""
    middle = places_mm.mean(axis=0)
    rows = np.column_stack([np.ones(len(logs)), places_mm - middle]) / _MISS
    prior = np.diag([0.0, 1000 / _SLOPE_PER_M, 1000 / _SLOPE_PER_M])
    solved = np.linalg.lstsq(np.vstack([rows, prior]), np.append(logs / _MISS, [0.0, 0.0, 0.0]), rcond=None)[0]
    return np.array([solved[0] - solved[1:] @ middle, *solved[1:]])


def _measure_paper(photo: BgrImage, view: CameraView, marker: TableMarker, family: str) -> Float[Numbers, " 3"] | None:
    """Return the linear colour of a marker's white cells, or None if it is covered, dark or not wholly visible."""
    bits, side = cells_of(family, marker.id)
    is_white = np.frombuffer(bits, dtype=np.int8).reshape(side, side) > 0
    rows, columns = np.divmod(np.arange(side * side), side)
    shares = np.column_stack([columns + 0.5, rows + 0.5]) / side
    corners = np.array(marker.corners_mm)
    points = corners[0] + shares[:, :1] * (corners[1] - corners[0]) + shares[:, 1:] * (corners[3] - corners[0])
    pixels = view.image_from_table(points)
    limits = np.array(photo.shape[1::-1]) - 1
    if not ((pixels >= 0) & (pixels <= limits)).all():
        return None
    map_x, map_y = (np.ascontiguousarray(pixels[None, :, axis], dtype=np.float32) for axis in (0, 1))
    samples = cv2.remap(photo, map_x, map_y, cv2.INTER_LINEAR)
    colors = light_from_gamma(np.asarray(samples, dtype=np.uint8))[0]
    white, black = (np.median(colors[mask], axis=0) for mask in (is_white.ravel(), ~is_white.ravel()))
    if white.min() < LIGHT_NOISE or white.mean() < _CONTRAST * black.mean():
        return None
    return np.asarray(white)
