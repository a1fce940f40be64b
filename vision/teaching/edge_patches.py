"""Patches round the edges of a lattice: what the reader of printed lines looks at.

A patch is turned so that its edge runs from left to right through its middle; the cell above it is the first of
``Edge.cells``.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from assistant.table.lattice import Cell, Edge
from vision.images import BgrImage, Numbers

CELL_PX = 48
"""Scale of the squared picture: as fine as a camera at a metre sees a cell (30 to 60 pixels)."""

ALONG_PX, ACROSS_PX = 72, 56
"""The whole edge with a quarter of a cell at each end, and more than half a cell to either side."""

CHANNELS = 3


def edge_patches(image: BgrImage, first: Cell, edges: Sequence[Edge], shift_px: tuple[int, int] = (0, 0)) -> Numbers:
    """The patches of the edges, (N, ACROSS_PX, ALONG_PX, 3), bytes.

    Args:
        image: a picture along the lattice at ``CELL_PX``; patches reach 28 pixels beyond their edges, and what is
            not in the picture is black.
        first: the lattice point in the picture's upper left corner.
        edges: the edges.
        shift_px: how far the whole lattice is taken to lie to the right and down, for samples with a small miss.
    """
    margin = ALONG_PX + max(map(abs, shift_px))
    padded = np.pad(image, ((margin, margin), (margin, margin), (0, 0)))
    turned = np.ascontiguousarray(padded.transpose(1, 0, 2))
    patches = np.zeros((len(edges), ACROSS_PX, ALONG_PX, CHANNELS), dtype=np.uint8)
    for patch, edge in zip(patches, edges, strict=True):
        x = (edge.start[0] - first[0]) * CELL_PX + margin + shift_px[0]
        y = (edge.start[1] - first[1]) * CELL_PX + margin + shift_px[1]
        source, along, across = (padded, x, y) if edge.is_horizontal else (turned, y, x)
        left, top = along - (ALONG_PX - CELL_PX) // 2, across - ACROSS_PX // 2
        if left >= 0 and top >= 0:
            found = source[top : top + ACROSS_PX, left : left + ALONG_PX]
            patch[: found.shape[0], : found.shape[1]] = found
    return patches
