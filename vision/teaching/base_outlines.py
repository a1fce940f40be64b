"""The outline of a base in the rectified picture, round or rectangular, and the edges behind it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from jaxtyping import Float

from assistant.table.roster import BaseShape
from calibration.arrays import Mask, Numbers
from vision.teaching.lattice_search import STRONG, steepest_gradient
from vision.teaching.things import PX_PER_MM, GroundView

BY_CHANCE = 0.35
"""Share of an outline on edges without any base. The best of many places on stripes reaches twice that."""

_FITTED_MM = 10.0
"""Length of a rectangle's outline that chance adds, since its second side and its turn are also free."""

_OF_WHOLE = 1.4
"""Factor of a circle's votes. A whole visible outline yields about seven tenths of them."""

_RADII_MM = np.arange(8.0, 31.0, 0.5)

_RIM_PLACES = 48
"""Places along an outline."""


def spaces_of(size_mm: tuple[float, float], cell_mm: float) -> tuple[int, int]:
    """Return the spaces of the lattice that a base takes along its longer and its shorter side."""
    longer, shorter = (max(1, round(side_mm / cell_mm)) for side_mm in sorted(size_mm, reverse=True))
    return longer, shorter


@dataclass(frozen=True)
class BaseOutline:
    """The outline of a base in the ground's frame.

    Args:
        shape: its shape.
        center_px: its middle.
        size_mm: its extent along its own two axes, the diameter twice for a round one.
        turn_deg: turn of its first axis from the frame's, clockwise in the picture.
        share: the share of it on edges, 0 to 1.
    """

    shape: BaseShape
    center_px: tuple[float, float]
    size_mm: tuple[float, float]
    turn_deg: float
    share: float

    @property
    def area_mm2(self) -> float:
        return self.size_mm[0] * self.size_mm[1] * (math.pi / 4 if self.shape == "round" else 1.0)

    @property
    def evidence(self) -> float:
        """Millimetres of outline on edges beyond chance on a patterned table."""
        if self.shape == "round":
            return (self.share - BY_CHANCE) * math.pi * self.size_mm[0]
        return (self.share - BY_CHANCE) * 2 * sum(self.size_mm) - _FITTED_MM

    def points_px(self, halves: Float[Numbers, "n 2"]) -> Float[Numbers, "n 2"]:
        """Return places in the frame for coordinates in half sides, for a round base only those inside its circle."""
        c, s = math.cos(math.radians(self.turn_deg)), math.sin(math.radians(self.turn_deg))
        inside = halves[np.hypot(*halves.T) <= 1] if self.shape == "round" else halves
        places_px = inside * np.array(self.size_mm) / 2 * PX_PER_MM
        return np.asarray(places_px @ np.array([[c, s], [-s, c]]) + self.center_px)

    def rim(self) -> tuple[Float[Numbers, "n 2"], Float[Numbers, "n 2"]]:
        """Return evenly spaced places along the outline in the frame, and their outward unit vectors."""
        c, s = math.cos(math.radians(self.turn_deg)), math.sin(math.radians(self.turn_deg))
        half = np.array(self.size_mm) / 2
        if self.shape == "round":
            angles = np.linspace(0, 2 * math.pi, _RIM_PLACES, endpoint=False)
            outwards = np.column_stack([np.cos(angles), np.sin(angles)])
            places_mm = outwards * half
        else:
            across, down = (np.rint(_RIM_PLACES * half / (2 * half.sum())) + 1).astype(int).tolist()
            x, y = np.linspace(-half[0], half[0], across), np.linspace(-half[1], half[1], down)
            places_mm = np.concatenate([np.column_stack([x, np.full(across, side)]) for side in (-half[1], half[1])])
            places_mm = np.concatenate(
                [places_mm, *(np.column_stack([np.full(down, side), y]) for side in (-half[0], half[0]))]
            )
            outwards = np.repeat(
                [[0.0, -1.0], [0.0, 1.0], [-1.0, 0.0], [1.0, 0.0]], [across, across, down, down], axis=0
            )
        turn = np.array([[c, s], [-s, c]])
        return np.asarray(places_mm * PX_PER_MM @ turn + self.center_px), np.asarray(outwards @ turn)

    def inward_mm(self, size_wh: tuple[int, int]) -> Float[Numbers, "height width"]:
        """Return each frame pixel's distance inside the outline, negative outside."""
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
    """Pixels on edges and the unit vectors of their gradients, from dark to bright."""

    places_px: Float[Numbers, "n 2"]
    directions: Float[Numbers, "n 2"]

    def where(self, mask: Mask) -> GroundEdges:
        """Return the edges on a mask of the ground's frame."""
        columns, rows = self.places_px.astype(int).T
        return GroundEdges(self.places_px[mask[rows, columns]], self.directions[mask[rows, columns]])

    def within(self, low_px: Float[Numbers, " 2"], high_px: Float[Numbers, " 2"]) -> GroundEdges:
        """Return the edges in a box."""
        inside = ((self.places_px >= low_px) & (self.places_px <= high_px)).all(axis=1)
        return GroundEdges(self.places_px[inside], self.directions[inside])


def edges_on(ground: GroundView) -> GroundEdges:
    """Return the edges in the picture between the markers."""
    x, y = steepest_gradient(ground.image)
    strength = np.hypot(x, y)
    inner = cv2.erode(ground.is_known.astype(np.uint8), np.ones((9, 9), np.uint8)) > 0
    rows, columns = np.nonzero((strength > STRONG / 3) & inner)
    gradient = np.column_stack([x[rows, columns], y[rows, columns]]) / strength[rows, columns][:, None]
    return GroundEdges(np.column_stack([columns, rows]).astype(np.float64), gradient)


def circles(
    edges: GroundEdges, size_wh: tuple[int, int], radii_mm: Float[Numbers, " n"] = _RADII_MM
) -> list[list[BaseOutline]]:
    """Return the best circle of each radius by contrast: brighter inside, darker inside, and both.

    Edges vote for middles along their gradients. A table's pattern may change the sign of contrast along an outline, so
    both signs together count as well.
    """
    found: list[list[BaseOutline]] = [[], [], []]
    for radius_mm in radii_mm.tolist():
        brighter, darker = (_votes(edges, sign * radius_mm * PX_PER_MM, size_wh) for sign in (1.0, -1.0))
        for of_contrast, votes in zip(found, (brighter, darker, brighter + darker), strict=True):
            of_contrast.append(_clearest(votes, radius_mm))
    return found


def peaks(of_contrast: Sequence[BaseOutline]) -> list[BaseOutline]:
    """Return the circles of one contrast, the smallest first, with more evidence than both neighbours."""
    threes = zip(of_contrast, of_contrast[1:], of_contrast[2:], strict=False)
    return [circle for smaller, circle, larger in threes if smaller.share < circle.share > larger.share]


def _votes(edges: GroundEdges, to_middle_px: float, size_wh: tuple[int, int]) -> Float[Numbers, "height width"]:
    """Return each pixel's number of edge votes for a middle there."""
    width, height = size_wh
    middles = np.rint(edges.places_px + to_middle_px * edges.directions).astype(int)
    inside = ((middles >= 0) & (middles < (width, height))).all(axis=1)
    index = middles[inside, 1] * width + middles[inside, 0]
    votes = np.bincount(index, minlength=width * height).reshape(height, width).astype(np.float32)
    return np.asarray(cv2.boxFilter(votes, -1, (3, 3), normalize=False))


def _clearest(votes: Float[Numbers, "height width"], radius_mm: float) -> BaseOutline:
    row, column = np.unravel_index(int(votes.argmax()), votes.shape)
    # An edge is about two pixels wide, so a whole outline yields twice its length in votes, minus noise.
    share = _OF_WHOLE * float(votes[row, column]) / (2 * 2 * math.pi * radius_mm * PX_PER_MM)
    return BaseOutline("round", (float(column), float(row)), (2 * radius_mm, 2 * radius_mm), 0.0, min(1.0, share))
