"""The five small networks that judge what is cut out of a board, run by OpenCV.

They were fitted to simulated tables (``vision.training``).
"""

from __future__ import annotations

import threading
from functools import cache
from typing import Literal

import cv2
import numpy as np
from jaxtyping import Float32

from calibration.arrays import Singles
from vision.learned import learned_bytes

ClassNetwork = Literal["doors", "bases", "ground"]
NetworkName = Literal[ClassNetwork, "rings", "edges"]

_BATCH = 64


def chances(name: ClassNetwork, patches: Float32[Singles, "n channels height width"]) -> Float32[Singles, "n classes"]:
    """The chance of each class for each patch, (N, classes).

    Args:
        name: which network; ``doors`` tells (none, door), ``bases`` (empty, base of one cell, part of a larger base),
            ``ground`` (table, print).
        patches: as ``vision.evidence.patches`` cuts them, (N, channels, height, width).
    """
    if len(patches) == 0:
        return np.zeros((0, 3 if name == "bases" else 2), dtype=np.float32)
    logits = _logits(name, patches)
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=1, keepdims=True), dtype=np.float32)


def ring_log_odds(inputs: Float32[Singles, "n colors channels height width"]) -> Float32[Singles, "n colors"]:
    """Log odds of each colour against no ring at all, (N, colours).

    Args:
        inputs: as ``vision.evidence.ring_strips`` makes them, (N, colours, channels, height, width).
    """
    count, colors = inputs.shape[:2]
    if count == 0 or colors == 0:
        return np.zeros((count, colors), dtype=np.float32)
    return _logits("rings", inputs.reshape(-1, *inputs.shape[2:])).reshape(count, colors)


def edge_answers(patches: Float32[Singles, "n channels height width"], outputs: int) -> Float32[Singles, "n {outputs}"]:
    """What the network for printed lines says of each patch, (N, outputs).

    Args:
        patches: as ``vision.teaching.edge_network`` evens them, (N, channels, height, width).
        outputs: how many numbers it says.
    """
    return _logits("edges", patches) if len(patches) else np.zeros((0, outputs), dtype=np.float32)


def _logits(name: NetworkName, patches: Float32[Singles, "n channels height width"]) -> Float32[Singles, "n outputs"]:
    network, alone = _network(name)
    parts = []
    for start in range(0, len(patches), _BATCH):
        batch = np.ascontiguousarray(patches[start : start + _BATCH])
        with alone:  # between its input and its output a network holds what another thread would overwrite
            network.setInput(batch)
            parts.append(np.array(network.forward()).reshape(len(batch), -1))
    return np.concatenate(parts)


@cache
def _network(name: NetworkName) -> tuple[cv2.dnn.Net, threading.Lock]:
    return cv2.dnn.readNetFromONNX(np.frombuffer(learned_bytes(f"{name}.onnx"), np.uint8)), threading.Lock()
