"""Fit the network for the characters of printed names. This needs PyTorch."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from vision.teaching.printed_names import NO_CHARACTER
from vision.training.character_samples import CharacterSamples
from vision.training.networks import descend

_LAYERS = ((1, 16, 5, 2), (16, 32, 3, 2), (32, 64, 3, 1), (64, 64, 3, 2))
"""Channels before and after, size and step of each layer, 2.2 million multiplications a patch."""

_BATCH, _RATE = 256, 6e-3
_ART_SHOWN = 1.5
"""Patches of art in a round for each patch with a character."""


def new_character_network() -> nn.Sequential:
    """Return the untrained network."""
    layers: list[nn.Module] = []
    for before, after, size, step in _LAYERS:
        layers += [nn.Conv2d(before, after, size, step, size // 2, bias=False), nn.BatchNorm2d(after), nn.ReLU()]
    layers += [nn.Conv2d(_LAYERS[-1][1], 96, 4), nn.ReLU(), nn.Dropout(0.2)]
    return nn.Sequential(*layers, nn.Conv2d(96, NO_CHARACTER + 1, 1), nn.Flatten())


def fit_characters(samples: CharacterSamples, epochs: int, seed: int = 0) -> Iterator[tuple[nn.Sequential, float]]:
    """Fit the network. Yield it with its mean loss after every round."""
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    network = new_character_network().to(memory_format=torch.channels_last)
    optimizer = torch.optim.AdamW(network.parameters(), _RATE, weight_decay=1e-2)
    written, art = (np.flatnonzero((samples.labels == NO_CHARACTER) == is_art) for is_art in (False, True))
    art_shown = min(len(art), round(_ART_SHOWN * len(written)))
    steps = epochs * -(-(len(written) + art_shown) // _BATCH)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, _RATE, total_steps=steps)
    for _ in range(epochs):
        network.train()
        order = rng.permutation(np.concatenate([written, rng.choice(art, art_shown, replace=False)]))
        losses = []
        for at in range(0, len(order), _BATCH):
            index = order[at : at + _BATCH]
            batch = torch.from_numpy(samples.patches[index]).float()[:, None] / 255
            down, right = rng.integers(-1, 2, 2).tolist()
            batch = torch.roll(batch, (down, right), (2, 3)) + torch.randn_like(batch) * 0.02
            loss = functional.cross_entropy(
                network(batch.contiguous(memory_format=torch.channels_last)),
                torch.from_numpy(samples.labels[index]),
                label_smoothing=0.01,
            )
            losses.append(descend(loss, optimizer, schedule))
        yield network, float(np.mean(losses))
