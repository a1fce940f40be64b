"""Round bases: edges vote for middles along their gradients."""

from __future__ import annotations

import math
from collections.abc import Sequence

import cv2
import numpy as np
from jaxtyping import Float

from calibration.arrays import Numbers
from vision.teaching.base_outlines import BaseOutline, GroundEdges
from vision.teaching.things import PX_PER_MM

_OF_WHOLE = 1.4
"""A whole outline in sight gives about seven tenths of its votes."""

_RADII_MM = np.arange(8.0, 31.0, 0.5)


def circles(edges: GroundEdges, size_wh: tuple[int, int]) -> list[list[BaseOutline]]:
    """The best circle of each radius in a frame of that size, by contrast: brighter inside, darker inside, and both.

    A pattern of the table changes the sign of contrast along an outline, so that both together count as well.
    """
    found: list[list[BaseOutline]] = [[], [], []]
    for radius_mm in _RADII_MM.tolist():
        brighter, darker = (_votes(edges, sign * radius_mm * PX_PER_MM, size_wh) for sign in (1.0, -1.0))
        for of_contrast, votes in zip(found, (brighter, darker, brighter + darker), strict=True):
            of_contrast.append(_clearest(votes, radius_mm))
    return found


def peaks(of_contrast: Sequence[BaseOutline]) -> list[BaseOutline]:
    """Of the circles of one contrast, the smallest first, those that are clearer than both of their neighbours."""
    threes = zip(of_contrast, of_contrast[1:], of_contrast[2:], strict=False)
    return [circle for smaller, circle, larger in threes if smaller.share < circle.share > larger.share]


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
