"""Read the print on an edge by a network on patches, trained on simulated boards (``vision.training.edge_fit``).

A patch is turned so that its edge runs from left to right through its middle. The cell above it is the first of
``Edge.cells``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from jaxtyping import Float, Float32, UInt8

from assistant.table.board import EdgeKind
from assistant.table.lattice import Cell, Edge
from calibration.arrays import BgrImage, Numbers, Singles
from vision.learned import edge_answers

KINDS: tuple[EdgeKind | None, ...] = (None, "wall", "obstacle", "impassable")
"""The kinds of print on an edge, in the order of the network's classes."""

OUTPUTS = len(KINDS) + 5
"""Number of outputs: the kinds; one logit each for difficult ground and for tile in the first and second cell, and the
edge's offset below the patch's middle, in units of ``MISS_MM``."""

MISS_MM = 4.0
"""Largest lattice error that the network corrects."""

BRIGHTNESS = 0.6
"""Target brightness of a patch's 95th percentile over the whole picture, as a share of full white."""

_DARKEST = 8.0
"""Floor of that level, so that a dark picture is not amplified further."""

_MIRRORED = [0, 1, 2, 3, 5, 4, 7, 6, 8]

CELL_PX = 32
"""Scale of the rectified picture. A camera at a metre sees a cell in 30 to 60 pixels."""

ALONG_PX, ACROSS_PX = 48, 40
"""Size of a patch: the edge with a quarter of a cell at each end, and more than half a cell on either side."""

CHANNELS = 3

_SAME: Numbers = np.eye(2, 3)


@dataclass(frozen=True, eq=False)
class EdgeBeliefs:
    """The network's answers for N edges.

    Args:
        kinds: log chance of each of ``KINDS``.
        difficult: log odds of difficult ground's dashed outline here in the first and second cell.
        tile: log odds of a tile in the first and second cell.
        offset_mm: the edge's offset below its place (for an upright edge: to the right).
    """

    kinds: Float[Numbers, "n 4"]
    difficult: Float[Numbers, "n 2"]
    tile: Float[Numbers, "n 2"]
    offset_mm: Float[Numbers, " n"]


def edge_beliefs(patches: UInt8[Numbers, "n 40 48 3"], bright: float, *, quickly: bool = False) -> EdgeBeliefs:
    """Read the edges of patches from a picture of that brightness (``brightness_of``).

    The four orientations of a patch are equivalent, so their mean is better than each. ``quickly`` takes one.
    """
    even = normalize_patches(patches, bright)
    ways = [(1, 1)] if quickly else [(across, along) for across in (1, -1) for along in (1, -1)]
    answers = []
    for across, along in ways:
        found = edge_answers(even[:, :, ::across, ::along], OUTPUTS).astype(np.float64)
        answers.append(found if across > 0 else mirror_answers(found))
    logits = np.mean(answers, axis=0)
    kinds = logits[:, : len(KINDS)]
    kinds = kinds - np.logaddexp.reduce(kinds, axis=1, keepdims=True)
    return EdgeBeliefs(kinds, logits[:, 4:6], logits[:, 6:8], logits[:, 8] * MISS_MM)


def brightness_of(image: BgrImage) -> float:
    """Return the 95th percentile of a picture's levels, within the photo."""
    light = image[::4, ::4].mean(axis=2)
    seen = light[light > 0]
    return max(float(np.percentile(seen, 95)) if seen.size else 0.0, _DARKEST)


def normalize_patches(patches: UInt8[Numbers, "n 40 48 3"], bright: float) -> Float32[Singles, "n 3 40 48"]:
    """Return patches of bytes as the network's input."""
    even = np.minimum(patches.astype(np.float32) * np.float32(BRIGHTNESS / bright), np.float32(1.5))
    return np.asarray(even.transpose(0, 3, 1, 2), dtype=np.float32)


def mirror_answers(answers: Float[Numbers, "n 9"]) -> Float[Numbers, "n 9"]:
    """Return the answers for patches mirrored across their edges: first and second cell are swapped."""
    turned: Numbers = answers[:, _MIRRORED] * np.array([1.0] * (OUTPUTS - 1) + [-1.0])
    return turned


def edge_patches(
    image: BgrImage,
    first: Cell,
    edges: Sequence[Edge],
    taken_for: Float[Numbers, "2 3"] = _SAME,
    image_px: int = CELL_PX,
) -> UInt8[Numbers, "n 40 48 3"]:
    """Return the patches of the edges, as bytes.

    Args:
        image: a picture along the lattice. Patches extend 5/8 of a cell beyond their edges, and its border is repeated.
        first: the lattice point in the picture's top left corner.
        edges: the edges.
        taken_for: the affine map, in cells from ``first``, from a lattice point's assumed place to the place to read.
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
    """Return the ``taken_for`` map of a lattice shifted to the right and down."""
    return np.array([[1.0, 0.0, right_cells], [0.0, 1.0, down_cells]])
