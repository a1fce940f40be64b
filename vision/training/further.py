"""The networks that ship, fitted further on tables of more looks; needs PyTorch."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Literal, NamedTuple

import numpy as np

from vision.evidence.patches import CHANNELS
from vision.evidence.rings import ANGLES, INSETS
from vision.evidence.rings import CHANNELS as RING_CHANNELS
from vision.training.cutting import patches_of, rings_of
from vision.training.networks import FitSettings, export, fit
from vision.training.ring_fit import NO_RING, fit_rings

_RATES = {"doors": 1.2e-3, "bases": 1.0e-3, "rings": 1.2e-3}
"""A third of what a fit from nothing takes: what was learned is to stay."""


_SHOWN: Mapping[str, tuple[float, tuple[float, ...]]] = {"doors": (4.0, (1.0, 1.5)), "bases": (1.6, (1.0, 1.0, 1.0))}
"""Empty patches for each with something in it, and what a mistake in each class costs."""

_RIMS_SHOWN = (0.25, 1.5)
"""How often a place without and one with a ring is shown: most that is cut is floor, and rings are what is mistaken."""

Network = Literal["doors", "bases", "rings"]


class Course(NamedTuple):
    """How a fit goes on: the folder of the networks it starts from, how many rounds, and its pace (1 is the usual)."""

    start: Path
    epochs: int
    pace: float = 1.0


def fit_further(samples: Mapping[Path, float], name: Network, course: Course, out: Path) -> Iterator[float]:
    """Fits one of the networks further, writes it into ``out`` after every round and yields the round's mean loss.

    Args:
        samples: files of samples, and how often in a round each of them is shown.
        name: the network.
        course: how.
        out: where it is written.
    """
    start, written = course.start / f"{name}.onnx", out / f"{name}.onnx"
    times, rate = list(samples.values()), course.pace * _RATES[name]
    if name == "rings":
        rims, counts = rings_of(list(samples))
        shown = np.repeat(times, counts) * np.where(rims.labels == NO_RING, *_RIMS_SHOWN)
        for network, loss in fit_rings(rims, course.epochs, start=start, rate=rate, shown=shown):
            export(network, RING_CHANNELS, (INSETS, ANGLES), written)
            yield loss
        return
    patches, labels, counts = patches_of(list(samples), "door" if name == "doors" else "base")
    empty_share, weights = _SHOWN[name]
    settings = FitSettings(len(weights), course.epochs, empty_share, weights, rate=rate, start=start)
    for network, loss in fit(patches, labels, settings, np.repeat(times, counts)):
        export(network, CHANNELS, patches.shape[2:], written)
        yield loss
