"""The networks that ship, fitted further on tables of more looks; needs PyTorch."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Literal

import numpy as np

from vision.patches import CHANNELS
from vision.ring_strips import ANGLES, INSETS
from vision.ring_strips import CHANNELS as RING_CHANNELS
from vision.training.cutting import patches_of, rings_of
from vision.training.networks import FitSettings, export, fit
from vision.training.ring_fit import fit_rings

_RATES = {"doors": 1.2e-3, "bases": 1.0e-3, "rings": 1.2e-3}
"""A third of what a fit from nothing takes: what was learned is to stay."""


Network = Literal["doors", "bases", "rings"]


def fit_further(
    samples: Mapping[Path, float], name: Network, *, start: Path, epochs: int, out: Path
) -> Iterator[float]:
    """Fits one of the networks further, writes it into ``out`` after every round and yields the round's mean loss.

    Args:
        samples: files of samples, and how often in a round each of them is shown.
        name: the network.
        start: the folder of the networks that it starts from.
        epochs: how many rounds.
        out: where it is written.
    """
    begun, written, times = start / f"{name}.onnx", out / f"{name}.onnx", list(samples.values())
    if name == "rings":
        rims, counts = rings_of(list(samples))
        shown = np.repeat(times, counts)
        for network, loss in fit_rings(rims, epochs, start=begun, rate=_RATES[name], shown=shown):
            export(network, RING_CHANNELS, (INSETS, ANGLES), written)
            yield loss
        return
    patches, labels, counts = patches_of(list(samples), "door" if name == "doors" else "base")
    settings = _SETTINGS[name](epochs, begun)
    for network, loss in fit(patches, labels, settings, np.repeat(times, counts)):
        export(network, CHANNELS, patches.shape[2:], written)
        yield loss


_SETTINGS: Mapping[str, Callable[[int, Path], FitSettings]] = {
    "doors": lambda epochs, start: FitSettings(2, epochs, 4.0, (1.0, 1.5), rate=_RATES["doors"], start=start),
    "bases": lambda epochs, start: FitSettings(3, epochs, 1.6, (1.0, 1.0, 1.0), rate=_RATES["bases"], start=start),
}
"""How doors and bases are fitted from that start."""
