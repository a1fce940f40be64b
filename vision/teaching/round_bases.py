"""Round bases: edges vote for middles along their gradients."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import cv2
import numpy as np
from jaxtyping import Float

from calibration.arrays import Numbers
from vision.teaching.base_outlines import BaseOutline, GroundEdges
from vision.teaching.things import PX_PER_MM

_OF_WHOLE = 1.4
"""A whole outline in sight gives about seven tenths of its votes."""

_CONTRASTS = 3
"""Brighter inside, darker inside, and both."""

_RADII_MM = np.arange(8.0, 31.0, 0.5)


def circles(edges: GroundEdges, size_wh: tuple[int, int]) -> list[BaseOutline]:
    """The best circle of each radius for either sign of contrast, and for both together, in a frame of that size."""
    return [circle for radius in _RADII_MM for circle in _of_radius(edges, float(radius), size_wh)]


def peaks(found: Sequence[BaseOutline]) -> Iterator[BaseOutline]:
    """Of all circles those that are clearer than the next smaller and the next larger one of the same contrast."""
    for contrast in range(_CONTRASTS):
        of_contrast = found[contrast::_CONTRASTS]
        for smaller, circle, larger in zip(of_contrast, of_contrast[1:], of_contrast[2:], strict=False):
            if smaller.share < circle.share > larger.share:
                yield circle


def _of_radius(edges: GroundEdges, radius_mm: float, size_wh: tuple[int, int]) -> list[BaseOutline]:
    radius_px = radius_mm * PX_PER_MM
    # A pattern of the table changes the sign of contrast along an outline, so that both together count as well.
    votes = [_votes(edges, sign * radius_px, size_wh) for sign in (1.0, -1.0)]
    return [_clearest(one, radius_mm) for one in (*votes, votes[0] + votes[1])]


def _votes(edges: GroundEdges, to_middle_px: float, size_wh: tuple[int, int]) -> Float[Numbers, "height width"]:
    """How many edges see a middle at each pixel, (rows, columns)."""
    width, height = size_wh
    middles = np.rint(edges.places_px + to_middle_px * edges.directions).astype(int)
    inside = ((middles >= 0) & (middles < (width, height))).all(axis=1)
    index = middles[inside, 1] * width + middles[inside, 0]
    votes = np.bincount(index, minlength=width * height).reshape(height, width).astype(np.float32)
    return np.asarray(cv2.boxFilter(votes, -1, (3, 3), normalize=False))


def _clearest(votes: Float[Numbers, "height width"], radius_mm: float) -> BaseOutline:
    row, column = np.unravel_index(int(votes.argmax()), votes.shape)
    # An edge is about two pixels wide, so that a whole outline gives twice its length of votes, less what is noise.
    share = _OF_WHOLE * float(votes[row, column]) / (2 * 2 * math.pi * radius_mm * PX_PER_MM)
    return BaseOutline("round", (float(column), float(row)), (2 * radius_mm, 2 * radius_mm), 0.0, min(1.0, share))
