"""The outline of a base in the picture from above, round or rectangular, and the edges it is found by."""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
from jaxtyping import Float

from assistant.table.roster import BaseShape
from calibration.arrays import Mask, Numbers
from vision.teaching.gradients import steepest_gradient
from vision.teaching.things import PX_PER_MM, GroundView

RIM_MM = 1.5
"""This much of a base's top shows the ring's colour."""

BY_CHANCE = 0.35
"""Share of an outline that is an edge where no base stands; the best of many places on stripes reaches twice that."""

_FITTED_MM = 10.0
"""By so much more of a rectangle is seen by chance: it is fitted by its other side and its turn, too."""

_STRONG = 8.0


def spaces_of(size_mm: tuple[float, float], cell_mm: float) -> tuple[int, int]:
    """Spaces of the lattice that a base takes along its longer and its shorter side."""
    longer, shorter = (max(1, round(side_mm / cell_mm)) for side_mm in sorted(size_mm, reverse=True))
    return longer, shorter


@dataclass(frozen=True)
class BaseOutline:
    """The outline of a base in the ground's frame.

    Args:
        shape: what it is.
        center_px: its middle.
        size_mm: its extent along its own two axes; the diameter twice for a round one.
        turn_deg: by how much its first axis is turned from the frame's, clockwise in the picture.
        share: how much of it was seen as an edge, 0 to 1.
    """

    shape: BaseShape
    center_px: tuple[float, float]
    size_mm: tuple[float, float]
    turn_deg: float
    share: float

    @property
    def evidence(self) -> float:
        """Millimetres of outline that were seen beyond what chance shows on a patterned table."""
        if self.shape == "round":
            return (self.share - BY_CHANCE) * math.pi * self.size_mm[0]
        return (self.share - BY_CHANCE) * 2 * sum(self.size_mm) - _FITTED_MM

    def spaces(self, cell_mm: float) -> tuple[int, int]:
        """Spaces of the lattice that it takes along its longer and its shorter side."""
        return spaces_of(self.size_mm, cell_mm)

    def points_px(self, halves: Float[Numbers, "n 2"]) -> Float[Numbers, "n 2"]:
        """Places in the frame, (N, 2), told in halves of its two sides; for a round one those in its circle."""
        c, s = math.cos(math.radians(self.turn_deg)), math.sin(math.radians(self.turn_deg))
        inside = halves[np.hypot(*halves.T) <= 1] if self.shape == "round" else halves
        places_px = inside * np.array(self.size_mm) / 2 * PX_PER_MM
        return np.asarray(places_px @ np.array([[c, s], [-s, c]]) + self.center_px)

    def inward_mm(self, size_wh: tuple[int, int]) -> Float[Numbers, "height width"]:
        """How far each pixel of a frame lies inside the outline, (rows, columns); negative outside."""
        width, height = size_wh
        down, right = np.mgrid[:height, :width]
        x, y = (right - self.center_px[0]) / PX_PER_MM, (down - self.center_px[1]) / PX_PER_MM
        if self.shape == "round":
            return np.asarray(self.size_mm[0] / 2 - np.hypot(x, y))
        c, s = math.cos(math.radians(self.turn_deg)), math.sin(math.radians(self.turn_deg))
        along, across = np.abs(c * x + s * y), np.abs(c * y - s * x)
        return np.asarray(np.minimum(self.size_mm[0] / 2 - along, self.size_mm[1] / 2 - across))


@dataclass(frozen=True, eq=False)
class GroundEdges:
    """Pixels on edges (N, 2) and the unit vectors of their gradients (N, 2), from dark to bright."""

    places_px: Float[Numbers, "n 2"]
    directions: Float[Numbers, "n 2"]

    def where(self, mask: Mask) -> GroundEdges:
        """Those on a mask of the ground's frame."""
        columns, rows = self.places_px.astype(int).T
        return GroundEdges(self.places_px[mask[rows, columns]], self.directions[mask[rows, columns]])

    def within(self, low_px: Float[Numbers, " 2"], high_px: Float[Numbers, " 2"]) -> GroundEdges:
        """Those in a box."""
        inside = ((self.places_px >= low_px) & (self.places_px <= high_px)).all(axis=1)
        return GroundEdges(self.places_px[inside], self.directions[inside])


def edges_on(ground: GroundView) -> GroundEdges:
    """The edges that the picture shows between the markers."""
    x, y = steepest_gradient(ground.image)
    strength = np.hypot(x, y)
    rows, columns = np.nonzero((strength > _STRONG) & _inner(ground.is_known))
    gradient = np.column_stack([x[rows, columns], y[rows, columns]]) / strength[rows, columns][:, None]
    return GroundEdges(np.column_stack([columns, rows]).astype(np.float64), gradient)


def _inner(mask: Mask) -> Mask:
    return np.asarray(cv2.erode(mask.astype(np.uint8), np.ones((9, 9), np.uint8)) > 0)
