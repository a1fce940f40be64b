"""Fit the network for forms: vectors alike in views of one sculpt, and unlike in views of others. This needs PyTorch.

The first blocks of EfficientNet-Lite0 and two heads are fitted together, from the weights of the package. Each view of
a batch is asked which other views are of its sculpt (Khosla and others, Supervised Contrastive Learning, 2020). One
head sees sculpts in other paints with each view, the other one in paints of their own.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np
import torch
from jaxtyping import UInt8
from torch import Tensor, nn
from torch.nn import functional

from calibration.arrays import Levels
from vision.evidence.forms import HEIGHT, MAPS, MIDDLE, NUMBERS_OF_HEAD, WIDTH
from vision.evidence.hidden_print import CHANNELS
from vision.training.cell_fit import Trunk
from vision.training.edge_fit import STEPS_REPORTED
from vision.training.networks import descend

_CHANNELS = MAPS[0]
_NUMBERS_LOST = 0.3
"""Share of a head's features that a step of the fit leaves out."""

LEAST_SCULPTS, LEAST_VIEWS = 64, 3
"""Sculpts of a batch, and views of each."""

_TRUNK_RATE, _RATE = 4e-4, 1.5e-3
_TRUNK_DECAY, _DECAY = 0.02, 0.1
_MOST_NORM = 1.0
_FIRST_SCALE = 12.0
"""Scale of a cosine at the start. It is fitted, too."""

_KEPT_OF_PACKAGE = 0.1
"""Share of the package's weights in the first blocks after the fit. Real pieces are named right more often with some of
them, rendered ones less often. Of none, .1, .2 and .3 this share loses least over both (Wortsman and others, Robust
Fine-Tuning of Zero-Shot Models, 2022)."""


class FormHead(nn.Module):  # type: ignore[misc]  # PyTorch is only there when networks are trained
    """Narrowed maps in, a vector out."""

    def __init__(self) -> None:
        super().__init__()
        self.around = nn.Sequential(*_around(), nn.ReLU(), *_around())
        layers = (nn.Flatten(), nn.Dropout(_NUMBERS_LOST), nn.Linear(math.prod(MAPS), NUMBERS_OF_HEAD))
        self.vector = nn.Sequential(*layers)

    def forward(self, narrow: Tensor) -> Tensor:
        """Return vectors (N, numbers) of any length."""
        return self.vector(torch.relu(narrow + self.around(narrow)))


class FormNetwork(nn.Module):  # type: ignore[misc]
    """Pictures of figures in (``evidence.forms.form_picture``), the vectors of two heads and their maps out."""

    def __init__(self) -> None:
        super().__init__()
        self.trunk = Trunk()
        narrow = nn.Conv2d(CHANNELS, _CHANNELS, 1, bias=False)
        self.narrow = nn.Sequential(narrow, nn.BatchNorm2d(_CHANNELS), nn.ReLU())
        self.heads = nn.ModuleList([FormHead(), FormHead()])

    def forward(self, pictures: Tensor) -> Tensor:
        """Return the heads' vectors side by side, then the maps that they read, (N, numbers)."""
        narrow = self.narrowed(pictures)
        return torch.cat([*(head(narrow) for head in self.heads), narrow.flatten(1)], dim=1)

    def narrowed(self, pictures: Tensor) -> Tensor:
        """Return what both heads see, (N, channels, rows, columns)."""
        blocks = self.trunk.blocks_of(pictures)
        coarse = functional.interpolate(blocks[10], scale_factor=2, mode="bilinear", recompute_scale_factor=False)
        return self.narrow(torch.cat([functional.avg_pool2d(blocks[2], 2), blocks[4], coarse], dim=1))


def fit_forms(
    samples: UInt8[Levels, "sculpts 2 views height width 3"], steps: int, package_weights: Path
) -> Iterator[tuple[FormNetwork, float]]:
    """Yield the network and its mean loss every ``STEPS_REPORTED`` steps, and after the last.

    ``samples`` holds each sculpt in other paints with each view, then in paints of its own.
    """
    torch.manual_seed(0)
    rng = np.random.default_rng(0)
    network = FormNetwork()
    network.trunk.load(package_weights)
    of_package = {name: weights.clone() for name, weights in network.trunk.state_dict().items()}
    scale = nn.Parameter(torch.tensor(np.log(_FIRST_SCALE)))
    trunk = list(network.trunk.parameters())
    rest = [*network.narrow.parameters(), *network.heads.parameters()]
    groups = [
        {"params": trunk, "weight_decay": _TRUNK_DECAY},
        {"params": rest, "weight_decay": _DECAY},
        {"params": [scale], "weight_decay": 0.0},
    ]
    optimizer = torch.optim.AdamW(groups, lr=_RATE)
    rates = [_TRUNK_RATE, _RATE, _RATE]
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, rates, total_steps=steps, pct_start=0.1)
    sculpt = torch.arange(LEAST_SCULPTS).repeat_interleave(LEAST_VIEWS)
    itself = torch.eye(len(sculpt), dtype=torch.bool)
    is_same = (sculpt[:, None] == sculpt) & ~itself
    losses: list[float] = []
    for step in range(1, steps + 1):
        own_paints = step % 2
        chosen = np.sort(rng.choice(len(samples), LEAST_SCULPTS, replace=False))
        views = rng.permutation(samples.shape[2])[:LEAST_VIEWS]
        seen = samples[chosen][:, own_paints, views].reshape(-1, HEIGHT, WIDTH, 3)
        pictures = _varied(torch.from_numpy(seen).float().permute(0, 3, 1, 2))
        halves = [
            network.heads[own_paints](network.narrowed(half)) for half in pictures.chunk(2)
        ]  # they fit the caches
        vectors = functional.normalize(torch.cat(halves), dim=1)
        alike = (vectors @ vectors.T * scale.exp()).masked_fill(itself, float("-inf"))
        share = (alike - alike.logsumexp(1, keepdim=True)).masked_fill(~is_same, 0.0)
        losses.append(descend(-share.sum(1).mean() / (LEAST_VIEWS - 1), optimizer, schedule, _MOST_NORM))
        if step == steps:
            _move_back(network.trunk, of_package)
        if step % STEPS_REPORTED == 0 or step == steps:
            yield network, float(np.mean(losses))
            losses.clear()


def _move_back(trunk: Trunk, of_package: Mapping[str, Tensor]) -> None:
    """Take a share of the package's weights again."""
    fitted = trunk.state_dict()
    for name, weights in fitted.items():
        if weights.is_floating_point():
            weights.lerp_(of_package[name], _KEPT_OF_PACKAGE)


def _varied(pictures: Tensor) -> Tensor:
    """Return the pictures moved, stretched, tinted and noisy by a little."""
    count = len(pictures)
    moved = torch.zeros(count, 2, 3)
    moved[:, 0, 0], moved[:, 1, 1] = 1 + 0.04 * torch.randn(count), 1 + 0.04 * torch.randn(count)
    moved[:, :, 2] = 0.03 * torch.randn(count, 2)
    grid = functional.affine_grid(moved, list(pictures.shape), align_corners=False)
    away = functional.grid_sample(pictures - MIDDLE, grid, align_corners=False)
    away = away * torch.exp(0.15 * torch.randn(count, 1, 1, 1)) * torch.exp(0.08 * torch.randn(count, 3, 1, 1))
    return away + MIDDLE + 4 * torch.rand(count, 1, 1, 1) * torch.randn_like(away)


def _around() -> list[nn.Module]:
    return [nn.Conv2d(_CHANNELS, _CHANNELS, 3, padding=1, bias=False), nn.BatchNorm2d(_CHANNELS)]
