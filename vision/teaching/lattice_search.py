"""Search for a new tile's lattice, by the straight lines of its print and outline.

A tile's lines and sides are a whole number of cells apart. A table's are not. So for every angle the edges in the
picture, each at least half a cell long, are folded modulo a cell. The angle with the best coincidence wins.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
from jaxtyping import Float, Int

from assistant.table.camera import TableMarkers
from calibration.arrays import BgrImage, FloatImage, Mask, Numbers
from calibration.pose import CameraView
from vision.photo.rectify import PlaneFrame, rectify
from vision.photo.search_area import papers_mask, search_frame
from vision.tiles.lattice_fit import Lattice

SEARCH_PX = 24
"""Pixels of a cell in the search. A printed line of 1.5 mm is just over a pixel wide."""

HYPOTHESES = 2
"""Number of proposed lattices. A full look at the edges decides. Of 24 dev photos the right angle came first in 23 and
second in one."""

_STEP_DEG, _FINE_STEP_DEG = 1.0, 0.2
_APART_DEG = 5.0
_DIRECTION_DEG = 22
"""Deviation of a gradient from an angle that still counts, since a slanted line has steps in pixels."""

STRONG = 22.0
"""Gradient (levels per pixel) of an edge that counts fully. Half of it counts half, and less than a third is noise."""

_LIT_SHARE = 0.35
"""Share of a cell's length on edges from which they form a line."""

_SPREAD_PX = 1.0
"""Standard deviation of the blur against noise before computing gradients."""


def steepest_gradient(image: BgrImage) -> tuple[FloatImage, FloatImage]:
    """Return the gradients to the right and down of the steepest channel at each pixel, in levels per pixel."""
    soft = cv2.GaussianBlur(image.astype(np.float32), (0, 0), _SPREAD_PX)
    x, y = (cv2.Sobel(soft, cv2.CV_32F, *order, scale=1 / 8) for order in ((1, 0), (0, 1)))
    strongest = (x * x + y * y).argmax(axis=2)[:, :, None]
    along, down = (np.take_along_axis(part, strongest, 2)[:, :, 0] for part in (x, y))
    return np.asarray(along, np.float32), np.asarray(down, np.float32)


@dataclass(frozen=True, eq=False)
class _EdgePoints:
    """Pixels on edges: place in millimetres, gradient direction in whole degrees 0 to 179, weight 0 to 1."""

    places_mm: Float[Numbers, "n 2"]
    direction_deg: Int[Numbers, " n"]
    weight: Float[Numbers, " n"]


def find_lattices(
    photo: BgrImage, view: CameraView, markers: TableMarkers, cell_mm: float, height_mm: float
) -> list[Lattice]:
    """Return the likely lattices between the markers, the likeliest first, each accurate to about a millimetre."""
    frame = search_frame(markers, SEARCH_PX / cell_mm)
    seen = rectify(photo, view, frame, height_mm)
    points = _edge_points(seen.image, seen.inside_mask & ~papers_mask(frame, markers.markers), frame)
    angles = np.arange(0.0, 90.0, _STEP_DEG)
    scores = np.array([_fold_angle(points, float(angle), cell_mm)[0] for angle in angles])
    found: list[Lattice] = []
    for index in np.argsort(-scores):
        angle = float(angles[index])
        if all(abs((angle - one.angle_deg + 45) % 90 - 45) > _APART_DEG for one in found):
            found.append(_refine(points, angle, cell_mm))
        if len(found) == HYPOTHESES:
            break
    return found


def _edge_points(image: BgrImage, is_known: Mask, frame: PlaneFrame) -> _EdgePoints:
    x, y = steepest_gradient(image)
    strength = np.hypot(x, y)
    known = cv2.erode(is_known.astype(np.uint8), np.ones((7, 7), np.uint8)) > 0
    rows, columns = np.nonzero(known & (strength > STRONG / 3))
    direction = np.rint(np.degrees(np.arctan2(y, x)[rows, columns])).astype(int) % 180
    places = frame.table_from_frame(np.column_stack([columns, rows]))
    return _EdgePoints(places, direction, np.minimum(strength[rows, columns] / STRONG, 1.0))


def _fold_angle(points: _EdgePoints, angle_deg: float, cell_mm: float) -> tuple[float, Float[Numbers, " 2"]]:
    """Return the coincidence of all lines at an angle, and their phase along both axes, as shares of a cell."""
    c, s = math.cos(math.radians(angle_deg)), math.sin(math.radians(angle_deg))
    score, phases = 1.0, []
    for axis, turned in (((c, s), 0), ((-s, c), 90)):
        off = (points.direction_deg - angle_deg - turned + 90) % 180 - 90
        near = np.abs(off) < _DIRECTION_DEG
        across = points.places_mm[near] @ axis * (SEARCH_PX / cell_mm)
        along = points.places_mm[near] @ (-axis[1], axis[0]) * (SEARCH_PX / cell_mm)
        fold = _fold(across, along, points.weight[near])
        rest = float(np.median(fold))
        # The spread of chance coincidences grows with the square root of their number.
        score *= float(fold.max() - rest) / (math.sqrt(rest) + 10.0)
        phases.append(_peak(fold))
    return score, np.array(phases)


def _fold(
    across_px: Float[Numbers, " n"], along_px: Float[Numbers, " n"], weight: Float[Numbers, " n"]
) -> Float[Numbers, " 24"]:
    """Return the histogram of lines across a cell."""
    if len(across_px) == 0:
        return np.zeros(SEARCH_PX)
    half = SEARCH_PX // 2
    first = math.floor(across_px.min() / SEARCH_PX) * SEARCH_PX
    columns = np.floor(across_px).astype(int) - first
    rows = np.floor((along_px - along_px.min()) / half).astype(int)
    width = (int(columns.max()) // SEARCH_PX + 1) * SEARCH_PX
    lit = np.bincount(rows * width + columns, weight, (int(rows.max()) + 1) * width).reshape(-1, width)
    lit = lit + np.roll(lit, 1, axis=1)  # a line between two pixel middles falls into both
    whole = np.minimum(lit[:-1], half) + np.minimum(lit[1:], half) if len(lit) > 1 else lit
    lines = np.maximum(whole - _LIT_SHARE * SEARCH_PX, 0).sum(axis=0).reshape(-1, SEARCH_PX).sum(axis=0)
    return np.asarray(lines + np.roll(lines, 1) + np.roll(lines, -1))


def _peak(fold: Float[Numbers, " 24"]) -> float:
    """Return the middle of a fold's highest place, as a share of a cell."""
    best = int(fold.argmax())
    around = np.arange(-3, 4)
    weights = np.maximum(fold[(best + around) % SEARCH_PX] - np.median(fold), 0)
    shift = float((weights * around).sum() / max(float(weights.sum()), 1e-9))
    # Column k holds the range from k - 1 to k + 1.
    return (best + shift) / SEARCH_PX % 1.0


def _refine(points: _EdgePoints, angle_deg: float, cell_mm: float) -> Lattice:
    tries = angle_deg + np.arange(-_STEP_DEG, _STEP_DEG + 1e-9, _FINE_STEP_DEG)
    results = [(*_fold_angle(points, float(angle), cell_mm), float(angle)) for angle in tries]
    _, phases, angle = max(results, key=lambda result: result[0])
    c, s = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    x, y = (np.array([[c, -s], [s, c]]) @ phases * cell_mm).tolist()
    return Lattice((x, y), angle, cell_mm)
