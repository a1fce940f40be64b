"""Fit the heads of forms: vectors alike in views of one sculpt, and unlike in views of others. This needs PyTorch.

The trunk does not change. Each view of a batch is asked which other views are of its sculpt (Khosla and others,
Supervised Contrastive Learning, 2020).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import torch
from jaxtyping import Float, Float32
from torch import Tensor, nn

from calibration.arrays import Numbers, Singles
from vision.training.edge_fit import STEPS_REPORTED
from vision.training.networks import descend

_CHANNELS, _NUMBERS = 128, 64
"""Channels of a head, and numbers of its vector."""

_CHANNELS_LOST, _NUMBERS_LOST = 0.1, 0.4
"""Shares of channels and of numbers that a step of the fit leaves out."""

LEAST_SCULPTS, LEAST_VIEWS = 128, 3
"""Sculpts of a batch, and views of each."""

_PACE, _DECAY = 1.5e-3, 0.1
_FIRST_SCALE = 12.0
"""Scale of a cosine at the start. It is fitted, too."""


class FormHead(nn.Module):  # type: ignore[misc]  # PyTorch is only there when networks are trained
    """Maps of the trunk in, a vector out. ``mean`` and ``spread`` are those of each channel, (1, 176, 1, 1)."""

    def __init__(self, mean: Tensor, spread: Tensor) -> None:
        super().__init__()
        self.register_buffer("mean", mean)
        self.register_buffer("spread", spread)
        channels = mean.shape[1]
        self.lost = nn.Dropout2d(_CHANNELS_LOST)
        self.narrow = nn.Sequential(nn.Conv2d(channels, _CHANNELS, 1, bias=False), nn.BatchNorm2d(_CHANNELS), nn.ReLU())
        self.around = nn.Sequential(*_around(), nn.ReLU(), *_around())
        self.vector = nn.Sequential(nn.Flatten(), nn.Dropout(_NUMBERS_LOST), nn.LazyLinear(_NUMBERS))

    def forward(self, features: Tensor) -> Tensor:
        """Return vectors (N, numbers) of any length for maps (N, channels, height, width)."""
        narrow = self.narrow(self.lost((features - self.mean) / self.spread))
        return self.vector(torch.relu(narrow + self.around(narrow)))


class LinearForm(nn.Module):  # type: ignore[misc]
    """The linear form as a head (``vision.training.form_fit``)."""

    def __init__(self, matrix: Float32[Singles, "features numbers"], shift: Float32[Singles, " numbers"]) -> None:
        super().__init__()
        self.linear = nn.Linear(*matrix.shape)
        self.linear.weight = nn.Parameter(torch.from_numpy(matrix.T.copy()))
        self.linear.bias = nn.Parameter(torch.from_numpy(-shift))

    def forward(self, features: Tensor) -> Tensor:
        """Return vectors (N, numbers) of any length."""
        return self.linear(features.flatten(1))


class SideBySide(nn.Module):  # type: ignore[misc]
    """Heads as one network: their vectors one after the other."""

    def __init__(self, heads: Sequence[nn.Module]) -> None:
        super().__init__()
        self.heads = nn.ModuleList(heads)

    def forward(self, features: Tensor) -> Tensor:
        """Return the vectors, (N, heads times numbers)."""
        return torch.cat([head(features) for head in self.heads], dim=1)


def fit_head(
    samples: Float[Numbers, "sculpts views channels height width"], steps: int
) -> Iterator[tuple[FormHead, float]]:
    """Yield the head and its mean loss every ``STEPS_REPORTED`` steps, and after the last."""
    torch.manual_seed(0)
    every = torch.from_numpy(samples)
    some = every[::20].float().flatten(0, 1)
    head = FormHead(some.mean((0, 2, 3), keepdim=True), some.std((0, 2, 3), keepdim=True) + 0.05)
    head(some[:2])  # gives the last layer its size
    scale = nn.Parameter(torch.tensor(np.log(_FIRST_SCALE)))
    groups = [{"params": head.parameters(), "weight_decay": _DECAY}, {"params": [scale], "weight_decay": 0.0}]
    optimizer = torch.optim.AdamW(groups, lr=_PACE)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, _PACE, total_steps=steps, pct_start=0.1)
    sculpt = torch.arange(LEAST_SCULPTS).repeat_interleave(LEAST_VIEWS)
    itself = torch.eye(len(sculpt), dtype=torch.bool)
    is_same = (sculpt[:, None] == sculpt) & ~itself
    losses: list[float] = []
    for step in range(1, steps + 1):
        views = torch.stack([torch.randperm(every.shape[1])[:LEAST_VIEWS] for _ in range(LEAST_SCULPTS)])
        seen = every[torch.randperm(len(every))[:LEAST_SCULPTS, None], views].float().flatten(0, 1)
        vectors = nn.functional.normalize(head(seen), dim=1)
        alike = (vectors @ vectors.T * scale.exp()).masked_fill(itself, float("-inf"))
        share = (alike - alike.logsumexp(1, keepdim=True)).masked_fill(~is_same, 0.0)
        losses.append(descend(-share.sum(1).mean() / (LEAST_VIEWS - 1), optimizer, schedule))
        if step % STEPS_REPORTED == 0 or step == steps:
            yield head, float(np.mean(losses))
            losses.clear()


def _around() -> list[nn.Module]:
    return [nn.Conv2d(_CHANNELS, _CHANNELS, 3, padding=1, bias=False), nn.BatchNorm2d(_CHANNELS)]
