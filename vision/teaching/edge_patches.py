"""Patches round the edges of a lattice: what the reader of printed lines looks at.

A patch is turned so that its edge runs from left to right through its middle; the cell above it is the first of
``Edge.cells``.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from jaxtyping import Float, UInt8

from assistant.table.lattice import Cell, Edge
from calibration.arrays import BgrImage, Numbers

CELL_PX = 32
"""Scale of the squared picture: a camera at a metre sees a cell in 30 to 60 pixels."""

ALONG_PX, ACROSS_PX = 48, 40
"""The whole edge with a quarter of a cell at each end, and more than half a cell to either side."""

CHANNELS = 3

_SAME: Numbers = np.eye(2, 3)


def edge_patches(
    image: BgrImage,
    first: Cell,
    edges: Sequence[Edge],
    taken_for: Float[Numbers, "2 3"] = _SAME,
    image_px: int = CELL_PX,
) -> UInt8[Numbers, "n 40 48 3"]:
    """The patches of the edges, (N, ACROSS_PX, ALONG_PX, 3), bytes.

    Args:
        image: a picture along the lattice; patches reach 5/8 of a cell beyond their edges, and what is not in the
            picture is as at its border.
        first: the lattice point in the picture's upper left corner.
        edges: the edges.
        taken_for: the affine map (2, 3), in cells counted from ``first``, from where a lattice point is taken to lie
            to the place that is looked at.
        image_px: pixels of a cell in the picture.
    """
    patches = np.zeros((len(edges), ACROSS_PX, ALONG_PX, CHANNELS), dtype=np.uint8)
    corner = -np.array([ALONG_PX - 1, ACROSS_PX - 1]) / (2 * CELL_PX)
    for patch, edge in zip(patches, edges, strict=True):
        axes = np.eye(2) if edge.is_horizontal else np.eye(2)[::-1]
        middle = np.mean(edge, axis=0) - first
        turn = taken_for[:, :2] @ axes * (image_px / CELL_PX)
        start = (taken_for[:, :2] @ (middle + axes @ corner) + taken_for[:, 2]) * image_px - 0.5
        patch[:] = cv2.warpAffine(
            image,
            np.column_stack([turn, start]),
            (ALONG_PX, ACROSS_PX),
            flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
            borderMode=cv2.BORDER_REPLICATE,
        )
    return patches


def shifted_by(right_cells: float, down_cells: float) -> Float[Numbers, "2 3"]:
    """The ``taken_for`` of a lattice that is tried so far to the right and down."""
    return np.array([[1.0, 0.0, right_cells], [0.0, 1.0, down_cells]])
