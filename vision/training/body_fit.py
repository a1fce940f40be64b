"""Fit the network that looks for bodies, on the maps of the network for forms. This needs PyTorch."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from vision.evidence.bodies import body_factors
from vision.evidence.forms import MAPS
from vision.scene.table import calibration
from vision.training.body_samples import BodySamples
from vision.training.logistic import fit_logistic
from vision.training.networks import descend

_CHANNELS = 48
_MAPS_LOST, _PLACES_LOST = 0.1, 0.5
"""Share of the maps, and of a place's features, that a step leaves out."""

_BATCH, _RATE, _DECAY = 64, 2e-3, 0.05
_NOISE = 0.1
"""Spread of the factor of each map, as a natural logarithm."""


def new_body_network() -> nn.Sequential:
    """Return an untrained network: the maps of a place in, the log odds of a body out."""
    around = (nn.Conv2d(MAPS[0], _CHANNELS, 1), nn.ReLU(), nn.Conv2d(_CHANNELS, _CHANNELS, 3, padding=1), nn.ReLU())
    last = nn.Conv2d(_CHANNELS, 1, MAPS[1:])
    return nn.Sequential(nn.Dropout2d(_MAPS_LOST), *around, nn.Dropout(_PLACES_LOST), last, nn.Flatten())


def fit_bodies(samples: BodySamples, epochs: int, seed: int = 0) -> Iterator[tuple[nn.Sequential, float]]:
    """Fit the network and yield it with its mean loss after every epoch."""
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    network, count = new_body_network(), len(samples.stood)
    optimizer = torch.optim.AdamW(network.parameters(), weight_decay=_DECAY)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, _RATE, total_steps=epochs * -(-count // _BATCH) + 1)
    for _ in range(epochs):
        network.train()
        order, losses = rng.permutation(count), []
        for first in range(0, count, _BATCH):
            index = order[first : first + _BATCH]
            maps, importance = torch.from_numpy(samples.maps[index]), torch.from_numpy(samples.importance[index])
            # Paint and light change some maps as a whole.
            maps = maps * torch.exp(_NOISE * torch.randn(len(index), MAPS[0], 1, 1))
            truth = torch.from_numpy(samples.stood[index].astype(np.float32))
            loss = functional.binary_cross_entropy_with_logits(network(maps)[:, 0], truth, weight=importance)
            losses.append(descend(loss / importance.mean(), optimizer, schedule))
        network.eval()
        yield network, float(np.mean(losses))


def weights_document(network: nn.Module, samples: BodySamples) -> dict[str, list[float]]:
    """Fit the weights of ``body_factors``, in the form of ``vision/data/bodies.json``, on tables that no fit saw.

    The scene scales the log odds.
    """
    likely = ~np.isnan(samples.stated)
    with torch.no_grad():
        odds: Tensor = network(torch.from_numpy(samples.maps[likely]))[:, 0]
    factors = body_factors(samples.stated[likely], odds.numpy(), samples.leaned_over[likely])
    weights = fit_logistic(factors, samples.stood[likely]) / calibration().small.scale
    return {"weights": [round(float(w), 3) for w in weights]}
