"""Load and run the trained models in ``vision/data``: JSON weights, and networks run by OpenCV."""

from __future__ import annotations

import json
import math
import threading
from functools import cache
from importlib import resources
from typing import Any, Literal

import cv2
import numpy as np
from jaxtyping import Float, Float32

from calibration.arrays import Numbers, Singles

ClassNetwork = Literal["doors", "bases", "ground"]
PlaceNetwork = Literal["pair", "door_pair"]
NetworkName = Literal[
    ClassNetwork,
    PlaceNetwork,
    "rings",
    "edges",
    "trunk",
    "cells",
    "door_windows",
    "characters",
    "forms",
    "bodies",
    "fallen",
]

_BATCH = 64

MOST_LOG_ODDS = 6.0
"""Cap on stated log odds, 400 to 1."""

_LEAST_LOG_ODDS = -9.0
"""Cap on stated emptiness. Nearly all of a board's hundred edges are empty: at 400 to 1 each, one photo in four would
have an unseen door."""

_LEAST_CHANCE = 1e-9


def learned_bytes(name: str) -> bytes:
    """Return the bytes of a file in ``vision/data``."""
    return resources.files("vision").joinpath("data", name).read_bytes()


def learned_document(name: str) -> dict[str, Any]:
    """Return a JSON file in ``vision/data``."""
    document: dict[str, Any] = json.loads(learned_bytes(name))
    return document


def chance_of(log_odds: float) -> float:
    """Return the chance for log odds, capped at ``MOST_LOG_ODDS``."""
    return 1 / (1 + math.exp(-min(max(log_odds, -MOST_LOG_ODDS), MOST_LOG_ODDS)))


def chance_of_presence(log_odds: float) -> float:
    """Return the chance of presence for log odds.

    The cap on emptiness is wider than the cap on presence, since visible print can prove a place empty.
    """
    return 1 / (1 + math.exp(min(max(-log_odds, -MOST_LOG_ODDS), -_LEAST_LOG_ODDS)))


def log_odds_of(chance: float) -> float:
    """Return the finite log odds of a chance, even for 0 and 1."""
    return math.log(max(chance, _LEAST_CHANCE) / max(1 - chance, _LEAST_CHANCE))


def normal_density(
    value: Float[Numbers, "*n"], mean: Float[Numbers, "*n"] | float, spread: Float[Numbers, "*n"] | float
) -> Float[Numbers, "*n"]:
    """Return the density of a normal distribution without its constant factor."""
    return np.asarray(np.exp(-0.5 * np.square((value - mean) / spread)) / spread)


def chances(name: ClassNetwork, patches: Float32[Singles, "n channels height width"]) -> Float32[Singles, "n classes"]:
    """Return the chance of each class for each patch.

    The classes of ``doors`` are none and door. Those of ``bases`` are empty, base of one cell and part of a larger
    base. Those of ``ground`` are table and print. ``vision.evidence.patches`` cuts the patches.
    """
    if len(patches) == 0:
        return np.zeros((0, 3 if name == "bases" else 2), dtype=np.float32)
    return probabilities(run_in_batches(name, patches))


def probabilities(logits: Float32[Singles, "n classes"]) -> Float32[Singles, "n classes"]:
    """Return the chance of each class."""
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=1, keepdims=True), dtype=np.float32)


def ring_log_odds(inputs: Float32[Singles, "n colors channels height width"]) -> Float32[Singles, "n colors"]:
    """Return log odds of each colour against no ring. ``vision.evidence.ring_strips`` makes the inputs."""
    count, colors = inputs.shape[:2]
    if count == 0 or colors == 0:
        return np.zeros((count, colors), dtype=np.float32)
    return run_in_batches("rings", inputs.reshape(-1, *inputs.shape[2:])).reshape(count, colors)


def edge_answers(patches: Float32[Singles, "n channels height width"], outputs: int) -> Float32[Singles, "n {outputs}"]:
    """Return the outputs of the network for printed lines. ``vision.teaching.edge_network`` prepares the patches."""
    return run_in_batches("edges", patches) if len(patches) else np.zeros((0, outputs), dtype=np.float32)


def run_network(name: NetworkName, batch: Float32[Singles, "..."]) -> Float32[Singles, "..."]:
    """Return the outputs of a network for a batch of any accepted shape."""
    network, alone = _network(name)
    with alone:
        network.setInput(np.ascontiguousarray(batch))
        return np.array(network.forward())


def run_in_batches(
    name: NetworkName, patches: Float32[Singles, "n channels height width"]
) -> Float32[Singles, "n outputs"]:
    """Return a network's outputs for one patch or more, without a softmax."""
    network, alone = _network(name)
    parts = []
    for start in range(0, len(patches), _BATCH):
        batch = np.ascontiguousarray(patches[start : start + _BATCH])
        with alone:  # During a forward pass a network holds state that another thread would overwrite.
            network.setInput(batch)
            parts.append(np.array(network.forward()).reshape(len(batch), -1))
    return np.concatenate(parts)


@cache
def _network(name: NetworkName) -> tuple[cv2.dnn.Net, threading.Lock]:
    return cv2.dnn.readNetFromONNX(np.frombuffer(learned_bytes(f"{name}.onnx"), np.uint8)), threading.Lock()
