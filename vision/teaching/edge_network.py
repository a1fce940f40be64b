"""The network that reads what is printed on an edge, fitted on simulated boards (``vision.training.edge_fit``)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Float32, UInt8

from assistant.table.board import EdgeKind
from calibration.arrays import BgrImage, Numbers, Singles
from vision.learned import edge_answers

KINDS: tuple[EdgeKind | None, ...] = (None, "wall", "obstacle", "impassable")
"""What may be printed on an edge, in the order of the network's classes."""

OUTPUTS = len(KINDS) + 5
"""The kinds, then a yes or no each: difficult ground in the first and second cell, tile in the first and second;
last how far below the patch's middle the edge runs, in units of ``MISS_MM``."""

MISS_MM = 4.0
"""How far off the lattice may be before it is set right."""

BRIGHTNESS = 0.6
"""Patches are brought to this: so much of full white is what one pixel of twenty of the whole picture exceeds."""

_DARKEST = 8.0
"""A picture without any light is not made brighter than this makes it."""

_TURNED = [0, 1, 2, 3, 5, 4, 7, 6, 8]


@dataclass(frozen=True, eq=False)
class EdgeBeliefs:
    """What the network says of N edges.

    Args:
        kinds: log chance of each of ``KINDS``, (N, 4).
        difficult: log odds that the first and second cell has the dashed outline of difficult ground here, (N, 2).
        tile: log odds that the first and second cell belongs to a tile, (N, 2).
        offset_mm: how far below (for an upright edge: to the right of) its place the edge runs, (N,).
    """

    kinds: Float[Numbers, "n 4"]
    difficult: Float[Numbers, "n 2"]
    tile: Float[Numbers, "n 2"]
    offset_mm: Float[Numbers, " n"]


def edge_beliefs(patches: UInt8[Numbers, "n 40 48 3"], bright: float, *, quickly: bool = False) -> EdgeBeliefs:
    """What is printed on the edges of these patches, as ``vision.teaching.edge_patches`` cuts them.

    Which way round a patch is says nothing, so that the mean of all four is righter than each; ``quickly`` takes one.

    Args:
        patches: the patches.
        bright: how bright the picture is that they were cut from (``brightness_of``).
        quickly: whether an answer is wanted soon.
    """
    even = normalize_patches(patches, bright)
    ways = [(1, 1)] if quickly else [(across, along) for across in (1, -1) for along in (1, -1)]
    said = [_put_back(edge_answers(even[:, :, ::across, ::along], OUTPUTS), across) for across, along in ways]
    logits = np.mean(said, axis=0)
    kinds = logits[:, : len(KINDS)]
    kinds = kinds - np.logaddexp.reduce(kinds, axis=1, keepdims=True)
    return EdgeBeliefs(kinds, logits[:, 4:6], logits[:, 6:8], logits[:, 8] * MISS_MM)


def brightness_of(image: BgrImage) -> float:
    """What one pixel of twenty of a picture exceeds, of those that the photo shows."""
    light = image[::4, ::4].mean(axis=2)
    seen = light[light > 0]
    return max(float(np.percentile(seen, 95)) if seen.size else 0.0, _DARKEST)


def normalize_patches(patches: UInt8[Numbers, "n 40 48 3"], bright: float) -> Float32[Singles, "n 3 40 48"]:
    """Patches of bytes as the network is shown them, (N, 3, rows, columns)."""
    even = np.minimum(patches.astype(np.float32) * np.float32(BRIGHTNESS / bright), np.float32(1.5))
    return np.asarray(even.transpose(0, 3, 1, 2), dtype=np.float32)


def mirror_answers(answers: Float[Numbers, "n 9"]) -> Float[Numbers, "n 9"]:
    """The answers for patches that are mirrored across their edges: first and second cell have changed places."""
    turned: Numbers = answers[:, _TURNED] * np.array([1.0] * (OUTPUTS - 1) + [-1.0])
    return turned


def _put_back(answers: Float32[Singles, "n 9"], across: int) -> Float[Numbers, "n 9"]:
    found = answers.astype(np.float64)
    return found if across > 0 else mirror_answers(found)
