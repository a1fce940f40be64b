"""Fit the network for printed lines. This needs PyTorch."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from vision.teaching.edge_network import CHANNELS, KINDS, OUTPUTS
from vision.training.edge_views import EdgeViews, LabelledBoard, view_of
from vision.training.networks import descend

_LAYERS = ((CHANNELS, 24, 5, 2), (24, 40, 3, 2), (40, 56, 3, 1), (56, 72, 3, 2), (72, 72, 3, 1))
"""Channels before and after, size and step of each layer, 6.9 million multiplications a patch."""

_LEFT_HW = (5, 6)
"""Rows and columns of a patch after the layers."""

_HIDDEN = 96
_BOARDS = 10
"""Boards per step. Each shows up to 48 edges."""

STEPS_REPORTED = 100
_RATE = 4e-3
_SMOOTHING = 0.005
"""Label smoothing, since some lines lie under figures."""

_BARE_WEIGHT = 0.4
"""Weight of an edge with table on both sides."""

_GROUND_WEIGHT, _TILE_WEIGHT, _OFFSET_WEIGHT = 0.5, 0.35, 0.5


def new_edge_network() -> nn.Sequential:
    """Return the untrained network."""
    layers: list[nn.Module] = []
    for before, after, size, step in _LAYERS:
        layers += [nn.Conv2d(before, after, size, step, size // 2, bias=False), nn.BatchNorm2d(after), nn.ReLU()]
    layers += [nn.Conv2d(_LAYERS[-1][1], _HIDDEN, _LEFT_HW), nn.ReLU(), nn.Dropout(0.15)]
    return nn.Sequential(*layers, nn.Conv2d(_HIDDEN, OUTPUTS, 1), nn.Flatten())


def fit_edges(
    boards: Sequence[LabelledBoard], weights: Sequence[float], *, steps: int, seed: int = 0
) -> Iterator[tuple[nn.Sequential, float]]:
    """Fit the network. Yield it with its mean loss every ``STEPS_REPORTED`` steps, and after the last.

    Args:
        boards: the boards.
        weights: relative frequency of each board.
        steps: number of steps.
        seed: the seed of all random numbers.
    """
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    network = new_edge_network().to(memory_format=torch.channels_last)
    optimizer = torch.optim.AdamW(network.parameters(), _RATE, weight_decay=1e-3)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, _RATE, total_steps=steps, pct_start=0.05)
    shares = np.array(weights) / np.sum(weights)
    losses: list[float] = []
    for step in range(1, steps + 1):
        network.train()
        views = [view_of(boards[i], rng) for i in rng.choice(len(boards), _BOARDS, p=shares)]
        losses.append(descend(_loss(network, views), optimizer, schedule))
        if step % STEPS_REPORTED == 0 or step == steps:
            yield network, float(np.mean(losses))
            losses.clear()


def _loss(network: nn.Module, views: Sequence[EdgeViews]) -> Tensor:
    patches = torch.from_numpy(np.concatenate([view.patches for view in views]))
    wanted = torch.from_numpy(np.concatenate([view.answers for view in views]))
    on_tile = torch.from_numpy(np.concatenate([view.on_tile for view in views]))
    # Half precision is enough for a fit, and takes a third of the time.
    with torch.autocast("cpu", dtype=torch.bfloat16):
        answers = network(patches.contiguous(memory_format=torch.channels_last))
    logits = answers.float()
    count = len(KINDS)
    kinds = functional.cross_entropy(
        logits[:, :count], wanted[:, :count].argmax(dim=1), reduction="none", label_smoothing=_SMOOTHING
    )
    yes_no = functional.binary_cross_entropy_with_logits(logits[:, count:-1], wanted[:, count:-1], reduction="none")
    off = functional.smooth_l1_loss(logits[:, -1], wanted[:, -1], reduction="none", beta=0.05) * on_tile
    each = kinds + _GROUND_WEIGHT * yes_no[:, :2].sum(1) + _TILE_WEIGHT * yes_no[:, 2:].sum(1) + _OFFSET_WEIGHT * off
    weight = torch.where(on_tile, 1.0, _BARE_WEIGHT)
    return (each * weight).sum() / weight.sum()
