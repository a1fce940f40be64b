"""The three small networks that judge patches: trained on simulated tables (``vision.training``), run by OpenCV."""

from __future__ import annotations

from functools import cache
from typing import Literal

import cv2
import numpy as np

from vision.images import FloatImage
from vision.learned import learned_bytes

NetworkName = Literal["doors", "bases", "ground"]

_BATCH = 64


def chances(name: NetworkName, patches: FloatImage) -> FloatImage:
    """The chance of each class for each patch, (N, classes).

    Args:
        name: which network; ``doors`` tells (none, door), ``bases`` (empty, base of one cell, part of a larger base),
            ``ground`` (table, print).
        patches: as ``vision.patches`` cuts them, (N, channels, height, width).
    """
    if len(patches) == 0:
        return np.zeros((0, 3 if name == "bases" else 2), dtype=np.float32)
    network = _network(name)
    parts = []
    for start in range(0, len(patches), _BATCH):
        network.setInput(np.ascontiguousarray(patches[start : start + _BATCH]))
        parts.append(np.asarray(network.forward()).reshape(len(patches[start : start + _BATCH]), -1))
    logits = np.concatenate(parts)
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=1, keepdims=True), dtype=np.float32)


@cache
def _network(name: NetworkName) -> cv2.dnn.Net:
    return cv2.dnn.readNetFromONNX(np.frombuffer(learned_bytes(f"{name}.onnx"), np.uint8))
