"""The small network that reads what is printed on an edge, fitted on simulated boards alone (``edge_fit``)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib import resources

import numpy as np

from assistant.table.board import EdgeKind
from vision.images import FloatImage, Numbers
from vision.teaching.edge_features import edge_features

KINDS: tuple[EdgeKind | None, ...] = (None, "wall", "obstacle", "impassable")
"""What may be printed on an edge, in the order of the network's classes."""

OUTPUTS = len(KINDS) + 5
"""The kinds, then a yes or no each: difficult ground in the first and second cell, tile in the first and second;
last how far below the patch's middle the edge runs, in units of ``MISS_PX``."""

MISS_PX = 4.0
"""How far off the lattice may be before it is refined; twice the millimetre that the search for it leaves."""

WEIGHTS = "edges.npz"
_BATCH = 512


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


@dataclass(frozen=True, eq=False)
class EdgeNetwork:
    """Two layers of weights behind the features' mean and spread.

    Args:
        mean: mean of each feature, (F,).
        scale: one by its spread, (F,).
        layers: weights (inputs, outputs) and offsets (outputs,) of each layer, the first one first.
    """

    mean: FloatImage
    scale: FloatImage
    layers: tuple[tuple[FloatImage, FloatImage], ...]

    def logits(self, features: FloatImage) -> FloatImage:
        """The outputs for features (N, F), (N, ``OUTPUTS``)."""
        values: FloatImage = (features - self.mean) * self.scale
        for weights, offsets in self.layers[:-1]:
            values = np.maximum(values @ weights + offsets, np.float32(0))
        weights, offsets = self.layers[-1]
        outputs: FloatImage = values @ weights + offsets
        return outputs


def edge_beliefs(patches: Numbers, *, quickly: bool = False) -> EdgeBeliefs:
    """What is printed on the edges of these patches, as ``vision.teaching.edge_patches`` cuts them.

    Which way up a patch is says nothing, so that the mean of both ways is righter than either; ``quickly`` takes one.
    """
    if len(patches) == 0:
        return EdgeBeliefs(np.zeros((0, len(KINDS))), np.zeros((0, 2)), np.zeros((0, 2)), np.zeros(0))
    logits = np.concatenate([_outputs(patches[i : i + _BATCH], quickly) for i in range(0, len(patches), _BATCH)])
    kinds = logits[:, : len(KINDS)]
    kinds = kinds - np.logaddexp.reduce(kinds, axis=1, keepdims=True)
    return EdgeBeliefs(kinds, logits[:, 4:6], logits[:, 6:8], logits[:, 8] * MISS_PX)


def turned_over(outputs: Numbers) -> Numbers:
    """The outputs for patches that are turned by half a turn: first and second cell have changed places."""
    turned: Numbers = outputs[:, [0, 1, 2, 3, 5, 4, 7, 6, 8]] * np.array([1.0] * (OUTPUTS - 1) + [-1.0])
    return turned


def _outputs(patches: Numbers, quickly: bool) -> Numbers:
    network = shipped_network()
    upright = network.logits(edge_features(patches)).astype(np.float64)
    if quickly:
        return np.asarray(upright)
    turned = network.logits(edge_features(patches[:, ::-1, ::-1])).astype(np.float64)
    mean: Numbers = (upright + turned_over(turned)) / 2
    return mean


@cache
def shipped_network() -> EdgeNetwork:
    """The network that comes with the program."""
    with resources.files("vision").joinpath("data", WEIGHTS).open("rb") as file, np.load(file) as kept:
        count = sum(name.startswith("weights") for name in kept)
        layers = tuple(
            (kept[f"weights{i}"].astype(np.float32), kept[f"offsets{i}"].astype(np.float32)) for i in range(count)
        )
        return EdgeNetwork(kept["mean"], kept["scale"], layers)
