"""The fit of the network for printed lines and its export; needs PyTorch, which nothing else here does."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.random import Generator
from torch import Tensor, nn
from torch.nn import functional

from vision.images import BgrImage, Numbers
from vision.teaching.edge_network import HALVED, KINDS, MISS_PX, OUTPUTS, prepared
from vision.teaching.edge_patches import ACROSS_PX, ALONG_PX, CELL_PX, CHANNELS, edge_patches
from vision.teaching.edge_samples import BoardSample

_PROFILES, _RUNS, _LONG_RUNS = 40, 32, 48
"""Kinds of profile across the edge that are told apart; kinds of short and of long runs of them along it."""

_HIDDEN = 64
_BATCH = 128
_BARE_SHARE = 0.25
"""Of the edges with table on both sides only this share is shown: they are many and alike."""

_SHIFT_PX = 4
"""The lattice is found to about a millimetre: the fit sees it up to twice as far off."""

_WRONG_SHARE = 0.15
"""Boards shown with a wrong lattice, in which no cell counts as a tile's."""


def new_network() -> nn.Sequential:
    """The network with weights not yet fitted."""
    rows, columns = ACROSS_PX // HALVED, ALONG_PX
    return nn.Sequential(
        # One look across the whole patch at every second place along it: edges are all that is asked about.
        nn.Conv2d(CHANNELS, _PROFILES, (rows, 5), stride=(1, 2), padding=(0, 2), bias=False),
        nn.BatchNorm2d(_PROFILES),
        nn.ReLU(),
        nn.Conv2d(_PROFILES, _RUNS, (1, 3), stride=(1, 2), padding=(0, 1), bias=False),
        nn.BatchNorm2d(_RUNS),
        nn.ReLU(),
        nn.Conv2d(_RUNS, _LONG_RUNS, (1, 3), stride=(1, 2), padding=(0, 1), bias=False),
        nn.BatchNorm2d(_LONG_RUNS),
        nn.ReLU(),
        nn.Conv2d(_LONG_RUNS, _HIDDEN, (1, columns // 8)),
        nn.ReLU(),
        nn.Dropout(0.15),
        nn.Conv2d(_HIDDEN, OUTPUTS, 1),
        nn.Flatten(),
    )


def fit(samples: Sequence[BoardSample], *, epochs: int, seed: int) -> Iterator[tuple[nn.Sequential, float]]:
    """Fits a network and yields it with its mean loss after every epoch."""
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    network = new_network()
    optimizer = torch.optim.AdamW(network.parameters(), 2e-3, weight_decay=1e-3)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, epochs)
    for _ in range(epochs):
        network.train()
        patches, labels = _epoch(samples, rng)
        order = rng.permutation(len(labels))
        losses = []
        for start in range(0, len(order), _BATCH):
            index = order[start : start + _BATCH]
            if len(index) < 2:
                continue  # a batch of one has no spread to normalise by
            seen, truth = _varied(torch.from_numpy(prepared(patches[index])), torch.from_numpy(labels[index]), rng)
            loss = _loss(network(seen), truth)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            losses.append(float(loss.detach()))
        schedule.step()
        yield network, float(np.mean(losses))


def logits_of(network: nn.Module, patches: Numbers) -> Numbers:
    """What the network says of patches given as bytes, (N, ``OUTPUTS``)."""
    network.eval()
    with torch.no_grad():
        parts = [network(torch.from_numpy(prepared(patches[i : i + _BATCH]))) for i in range(0, len(patches), _BATCH)]
    return np.asarray(torch.cat(parts))


def export(network: nn.Module, path: Path) -> None:
    """Writes the network as ONNX for any number of patches."""
    network.eval()
    torch.onnx.export(
        network,
        (torch.zeros(1, CHANNELS, ACROSS_PX // HALVED, ALONG_PX),),
        str(path),
        input_names=["patches"],
        output_names=["logits"],
        dynamic_axes={"patches": {0: "count"}, "logits": {0: "count"}},
        opset_version=13,
        dynamo=False,
    )


def _epoch(samples: Sequence[BoardSample], rng: Generator) -> tuple[Numbers, Numbers]:
    """Patches and labels of all samples, each with the lattice a little off in its own way, and some far off.

    The labels are those of ``BoardSample``, whether the lattice is right, and the offset in thousandths, (N, 7).
    """
    patches, labels = [], []
    for sample in samples:
        is_shown = sample.labels[:, 3:].any(axis=1) | (rng.random(len(sample.edges)) < _BARE_SHARE)
        edges = [edge for edge, shown in zip(sample.edges, is_shown, strict=True) if shown]
        is_right = rng.random() > _WRONG_SHARE
        image, (right, down) = sample.image, rng.integers(-_SHIFT_PX, _SHIFT_PX + 1, 2).tolist()
        if not is_right:
            image, (right, down) = _misplaced(image, rng)
        patches.append(edge_patches(image, sample.first, edges, (right, down)))
        offsets = np.array([-(down if edge.is_horizontal else right) for edge in edges]) * 1000 / MISS_PX
        facts = np.column_stack([sample.labels[is_shown] * is_right, np.full(len(edges), is_right), offsets])
        labels.append(facts.astype(np.int64))
    return np.concatenate(patches), np.concatenate(labels)


def _misplaced(image: BgrImage, rng: Generator) -> tuple[BgrImage, tuple[int, int]]:
    """A picture and a shift with which no edge lies where the lattice says: what no lattice looks like."""
    if rng.random() < 0.5:
        height, width = image.shape[:2]
        turn = cv2.getRotationMatrix2D((width / 2, height / 2), float(rng.uniform(6, 84)), 1.0)
        return np.asarray(cv2.warpAffine(image, turn, (width, height)), dtype=np.uint8), (0, 0)
    far, any_way = int(rng.integers(9, CELL_PX // 2 + 1)), int(rng.integers(-CELL_PX // 2, CELL_PX // 2 + 1))
    return image, (far, any_way) if rng.random() < 0.5 else (any_way, far)


def _loss(logits: Tensor, truth: Tensor) -> Tensor:
    # A little smoothing keeps the network from being surer than the data allow.
    kinds = functional.cross_entropy(logits[:, : len(KINDS)], truth[:, 0], label_smoothing=0.02)
    target = truth[:, 1:5].float() * 0.98 + 0.01
    sides = functional.binary_cross_entropy_with_logits(logits[:, len(KINDS) : -1], target)
    has_edge = ((truth[:, 5] > 0) & (truth[:, 3:5].any(dim=1))).float()
    off = functional.smooth_l1_loss(logits[:, -1], truth[:, 6].float() / 1000, beta=0.1, reduction="none")
    return kinds + 2 * sides + (off * has_edge).mean()


def _varied(seen: Tensor, truth: Tensor, rng: Generator) -> tuple[Tensor, Tensor]:
    """The same patches mirrored, in other light, with other noise, softer, in part shaded."""
    count = len(seen)
    if rng.random() < 0.5:
        seen = seen.flip(3)
    if rng.random() < 0.5:
        seen, truth = seen.flip(2), truth[:, [0, 2, 1, 4, 3, 5, 6]] * torch.tensor([1, 1, 1, 1, 1, 1, -1])

    def each(spread: float, channels: int = 1) -> Tensor:
        return torch.randn(count, channels, 1, 1) * spread

    seen = (seen * torch.exp(each(0.1, 3) + each(0.15))).clamp(0, 1.5) ** torch.exp(each(0.12))
    soft = torch.from_numpy(rng.random(count) < 0.25)
    seen[soft] = functional.avg_pool2d(functional.pad(seen[soft], (1, 1, 1, 1), mode="replicate"), 3, 1)
    seen = seen * _shade(count) + each(0.02) + torch.randn_like(seen) * torch.rand(count, 1, 1, 1) * 0.04
    return seen.clamp(0, 1.5), truth


def _shade(count: int) -> Tensor:
    """Factors that darken one side of a straight edge in a quarter of the patches."""
    down, right = torch.meshgrid(
        torch.linspace(-1, 1, ACROSS_PX // HALVED), torch.linspace(-1, 1, ALONG_PX), indexing="ij"
    )
    angle = torch.rand(count, 1, 1, 1) * 2 * np.pi
    across = torch.cos(angle) * right + torch.sin(angle) * down
    dark = torch.rand(count, 1, 1, 1) * 0.6 * (torch.rand(count, 1, 1, 1) < 0.25)
    return 1 - dark * torch.sigmoid((across - torch.randn(count, 1, 1, 1) * 0.7) * 20)
