"""The small network that reads what is printed on an edge: fitted on simulated boards alone, run by OpenCV."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib import resources

import cv2
import numpy as np

from assistant.table.board import EdgeKind
from vision.images import FloatImage, Numbers

KINDS: tuple[EdgeKind | None, ...] = (None, "wall", "obstacle", "impassable")
"""What may be printed on an edge, in the order of the network's classes."""

OUTPUTS = len(KINDS) + 5
"""The kinds, then a yes or no each: difficult ground in the first and second cell, tile in the first and second;
last how far below the patch's middle the edge runs, in units of ``MISS_PX``."""

MISS_PX = 4.0
"""How far off the lattice may be before it is refined; twice the millimetre that the search for it leaves."""

HALVED = 2
"""Across the edge the patches are taken this much coarser: how wide a line is says less than how it goes on."""

_BATCH = 64
_DARKEST = 8.0
"""A patch without any light is not made brighter than this makes it."""

_BRIGHTEST = 1.5


@dataclass(frozen=True, eq=False)
class EdgeBeliefs:
    """What the network says of N edges.

    Args:
        kinds: log chance of each of ``KINDS``, (N, 4).
        difficult: log odds that the first and second cell has the dashed outline of difficult ground here, (N, 2).
        tile: log odds that the first and second cell belongs to a tile, (N, 2).
        offset_px: how far below (for an upright edge: to the right of) its place the edge runs, (N,).
    """

    kinds: Numbers
    difficult: Numbers
    tile: Numbers
    offset_px: Numbers


def prepared(patches: Numbers) -> FloatImage:
    """Patches (N, height, width, 3) of bytes as the network takes them, (N, 3, height / ``HALVED``, width).

    Each is set by its own bright parts, so that neither exposure nor a lamp at one side matters.
    """
    light = patches.mean(axis=3, dtype=np.float32).reshape(len(patches), -1)
    bright = np.maximum(np.percentile(light, 90, axis=1), _DARKEST).astype(np.float32)
    count, height, width, channels = patches.shape
    pairs = patches.reshape(count, height // HALVED, HALVED, width, channels).mean(axis=2, dtype=np.float32)
    scaled = pairs / bright[:, None, None, None]
    return np.ascontiguousarray(np.minimum(scaled, _BRIGHTEST).transpose(0, 3, 1, 2))


def edge_beliefs(patches: Numbers) -> EdgeBeliefs:
    """What is printed on the edges of these patches, as ``vision.teaching.edge_patches`` cuts them."""
    if len(patches) == 0:
        return EdgeBeliefs(np.zeros((0, len(KINDS))), np.zeros((0, 2)), np.zeros((0, 2)), np.zeros(0))
    network = _network()
    # Which way up a patch is says nothing: both ways are asked, and their mean is righter than either.
    upright, turned = (_logits(network, one) for one in (patches, patches[:, ::-1, ::-1]))
    turned = turned[:, [0, 1, 2, 3, 5, 4, 7, 6, 8]] * ([1.0] * (OUTPUTS - 1) + [-1.0])
    logits = (upright + turned) / 2
    kinds = logits[:, : len(KINDS)]
    kinds = kinds - np.logaddexp.reduce(kinds, axis=1, keepdims=True)
    return EdgeBeliefs(kinds, logits[:, 4:6], logits[:, 6:8], logits[:, 8] * MISS_PX)


def _logits(network: cv2.dnn.Net, patches: Numbers) -> Numbers:
    parts = []
    for start in range(0, len(patches), _BATCH):
        network.setInput(prepared(patches[start : start + _BATCH]))
        parts.append(np.array(network.forward(), dtype=np.float64).reshape(-1, OUTPUTS))
    return np.concatenate(parts)


@cache
def _network() -> cv2.dnn.Net:
    data = resources.files("vision").joinpath("data", "edges.onnx").read_bytes()
    return cv2.dnn.readNetFromONNX(np.frombuffer(data, np.uint8))
