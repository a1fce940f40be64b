"""Define the networks, fit them to samples and export them to ONNX. This needs PyTorch.

They have seven small convolutions and a last one over the remaining area: 0.4 million weights, 26 to 35 million
multiplications a patch. Only convolutions let OpenCV run any number of patches at once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import onnx
import torch
from jaxtyping import Float, Int, Shaped, UInt8
from onnx import numpy_helper
from torch import Tensor, nn
from torch.nn import functional

from calibration.arrays import Numbers
from vision.evidence.patches import CHANNELS

_WIDTHS = ((CHANNELS, 24, 2), (24, 24, 1), (24, 48, 2), (48, 48, 1), (48, 64, 2), (64, 64, 1), (64, 32, 1))
_HIDDEN = 64
_GROUND_WIDTHS = ((3, 16, 1), (16, 24, 2), (24, 32, 2), (32, 32, 2))
_BATCH = 96
_DROPPED = 0.15
_COMPRESSED_SHARE = 0.2

_HARDEST = 0.95
_EASIEST = 0.04
"""Bounds of an empty patch's weight, its likelihood to look filled."""


@dataclass(frozen=True)
class FitSettings:
    """Settings of a fit.

    Args:
        classes: number of classes; class 0 is “nothing there”.
        epochs: showings of every filled patch.
        empty_share: empty patches for each filled one.
        class_weight: cost of a mistake in each class.
        seed: the seed of all random numbers.
        rate: peak learning rate.
        start: a network to fit further, or None for random weights.
    """

    classes: int
    epochs: int
    empty_share: float
    class_weight: tuple[float, ...]
    seed: int = 0
    rate: float = 4e-3
    start: Path | None = None


def new_network(patch_hw: tuple[int, int], classes: int) -> nn.Sequential:
    """Return an untrained network for patches of that size."""
    rows, columns = ((side + 7) // 8 for side in patch_hw)
    layers: list[nn.Module] = []
    for before, after, stride in _WIDTHS:
        layers += _block(before, after, stride)
    last = _WIDTHS[-1][1]
    layers += [nn.Dropout(0.3), nn.Conv2d(last, _HIDDEN, (rows, columns)), nn.ReLU(), nn.Dropout(0.2)]
    return nn.Sequential(*layers, nn.Conv2d(_HIDDEN, classes, 1), nn.Flatten())


def _block(before: int, after: int, stride: int) -> list[nn.Module]:
    convolution = nn.Conv2d(before, after, 3, stride=stride, padding=1, bias=False)
    return [convolution, nn.BatchNorm2d(after), nn.ReLU()]


class Averaged(nn.Module):  # type: ignore[misc]  # PyTorch is only there when networks are trained
    """The mean of several networks fitted from different seeds, more accurate than each."""

    def __init__(self, networks: Sequence[nn.Module]) -> None:
        super().__init__()
        self.networks = nn.ModuleList(networks)

    def forward(self, patches: Tensor) -> Tensor:
        """Return the mean logits, (N, classes)."""
        return torch.stack([network(patches) for network in self.networks]).mean(dim=0)


def loaded(path: Path) -> nn.Sequential:
    """Load a network written by ``export``, its batch normalisation folded into the weights."""
    graph = onnx.load(str(path)).graph
    weights = {part.name: numpy_helper.to_array(part) for part in graph.initializer}
    layers: list[nn.Module] = []
    for node in graph.node:
        if node.op_type == "Relu":
            layers.append(nn.ReLU())
        elif node.op_type == "Flatten":
            layers.append(nn.Flatten())
        else:
            options = {attribute.name: list(attribute.ints) for attribute in node.attribute}
            weight, bias = (torch.from_numpy(weights[name].copy()) for name in node.input[1:])
            after, before, *size = weight.shape
            (high, wide), stride, padding = size, options["strides"], options["pads"]
            layer = nn.Conv2d(before, after, (high, wide), (stride[0], stride[1]), (padding[0], padding[1]))
            layer.load_state_dict({"weight": weight, "bias": bias})
            is_last = size != [3, 3]
            layers += [nn.Dropout(_DROPPED), layer] if is_last else [layer]
    return nn.Sequential(*layers)


def fit(
    patches: UInt8[Numbers, "n channels height width"],
    labels: Int[Numbers, " n"],
    settings: FitSettings,
    shown: Float[Numbers, " n"] | None = None,
) -> Iterator[tuple[nn.Sequential, float]]:
    """Fit a network and yield it with its mean loss after every epoch.

    Args:
        patches: (N, channels, height, width), bytes.
        labels: classes, (N,).
        settings: settings of the fit.
        shown: relative frequency of each patch, (N,), by default equal.
    """
    torch.manual_seed(settings.seed)
    rng = np.random.default_rng(settings.seed)
    often = np.ones(len(labels)) if shown is None else shown
    network = loaded(settings.start) if settings.start else new_network(patches.shape[2:], settings.classes)
    network = network.to(memory_format=torch.channels_last)
    optimizer = torch.optim.AdamW(network.parameters(), settings.rate / 2, weight_decay=1e-3)
    filled, empty = np.flatnonzero(labels > 0), np.flatnonzero(labels == 0)
    filled = np.repeat(filled, np.round(often[filled]).astype(int))
    empties_shown = min(len(empty), round(settings.empty_share * len(filled)))
    steps = settings.epochs * (-(-(len(filled) + empties_shown) // _BATCH))
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, settings.rate, total_steps=steps)
    weight = torch.tensor(settings.class_weight)
    looks_filled = np.full(len(labels), _HARDEST)
    for _ in range(settings.epochs):
        network.train()
        chance = looks_filled[empty] * often[empty]
        chosen = rng.choice(empty, empties_shown, replace=False, p=chance / chance.sum())
        order = rng.permutation(np.concatenate([filled, chosen]))
        losses = []
        for start in range(0, len(order), _BATCH):
            index = np.sort(order[start : start + _BATCH])
            batch = _vary(torch.from_numpy(patches[index]).float() / 255, rng)
            # Half precision is enough for a fit, and takes half the time.
            with torch.autocast("cpu", dtype=torch.bfloat16):
                logits = network(batch.contiguous(memory_format=torch.channels_last))
            logits = logits.float()
            # A little smoothing keeps the network from overconfidence.
            loss = functional.cross_entropy(
                logits, torch.from_numpy(labels[index]), weight=weight, label_smoothing=0.01
            )
            losses.append(descend(loss, optimizer, schedule))
            likely = 1 - torch.softmax(logits.detach(), dim=1)[:, 0].numpy()
            looks_filled[index] = np.clip(likely, _EASIEST, _HARDEST)
        yield network, float(np.mean(losses))


def fit_ground(
    patches: UInt8[Numbers, "n 3 32 32"], labels: Shaped[Numbers, " n"], epochs: int, seed: int = 0
) -> Iterator[tuple[nn.Sequential, float]]:
    """Fit the network that separates print from table, as ``fit`` does the others.

    Args:
        patches: (N, 3, 32, 32), bytes, freely rotated and mirrored, since tables have no upright direction.
        labels: whether each shows print, (N,).
        epochs: showings of every patch.
        seed: the seed of all random numbers.
    """
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    layers = [layer for sizes in _GROUND_WIDTHS for layer in _block(*sizes)]
    last = _GROUND_WIDTHS[-1][1]
    network = nn.Sequential(
        *layers, nn.Dropout(0.2), nn.Conv2d(last, 32, 4), nn.ReLU(), nn.Conv2d(32, 2, 1), nn.Flatten()
    )
    optimizer = torch.optim.AdamW(network.parameters(), 2e-3, weight_decay=1e-2)
    steps = epochs * (len(labels) // _BATCH)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, 4e-3, total_steps=steps)
    for _ in range(epochs):
        network.train()
        order, losses = rng.permutation(len(labels)), []
        for start in range(0, len(order) - _BATCH + 1, _BATCH):
            index = np.sort(order[start : start + _BATCH])
            batch = _any_way_round(torch.from_numpy(patches[index]).float() / 255, rng)
            loss = functional.cross_entropy(network(batch), torch.from_numpy(labels[index]), label_smoothing=0.02)
            losses.append(descend(loss, optimizer, schedule))
        yield network, float(np.mean(losses))


def descend(
    loss: Tensor,
    optimizer: torch.optim.Optimizer,
    schedule: torch.optim.lr_scheduler.LRScheduler,
    most_norm: float | None = None,
) -> float:
    """Take one gradient step on a batch's loss, and return that loss. ``most_norm`` limits the gradient's length."""
    optimizer.zero_grad()
    loss.backward()
    if most_norm is not None:
        nn.utils.clip_grad_norm_([weight for group in optimizer.param_groups for weight in group["params"]], most_norm)
    optimizer.step()
    schedule.step()
    return float(loss.item())


def _any_way_round(seen: Tensor, rng: np.random.Generator) -> Tensor:
    turned = torch.rot90(seen, int(rng.integers(4)), (2, 3))
    if rng.random() < 0.5:
        turned = turned.flip(3)
    if rng.random() < 0.3:
        turned = turned[:, rng.permutation(3).tolist()]
    light = torch.randn(len(seen), 3, 1, 1) * 0.08 + torch.randn(len(seen), 1, 1, 1) * 0.2
    return (turned * torch.exp(light) + torch.randn_like(turned) * 0.02).clamp(0, 1)


def export(network: nn.Module, channels: int, patch_hw: tuple[int, int], path: Path) -> None:
    """Write the network as ONNX for any number of patches."""
    network.eval()
    sample = torch.zeros(1, channels, *patch_hw)
    torch.onnx.export(
        network,
        (sample,),
        str(path),
        input_names=["patches"],
        output_names=["logits"],
        dynamic_axes={"patches": {0: "count"}, "logits": {0: "count"}},
        opset_version=13,
        dynamo=False,
    )


def logits_of(network: nn.Module, patches: UInt8[Numbers, "n channels height width"]) -> Float[Numbers, "n classes"]:
    """Return logits (N, classes) of patches given as bytes."""
    network.eval()
    with torch.no_grad():
        parts = [
            network(torch.from_numpy(patches[i : i + _BATCH]).float() / 255) for i in range(0, len(patches), _BATCH)
        ]
    return np.asarray(torch.cat(parts))


def _vary(patches: Tensor, rng: np.random.Generator) -> Tensor:
    """Vary patches in light, noise, place and colour."""
    count, _, height, width = patches.shape
    seen = patches[:, :3]

    def each(spread: float, channels: int = 1) -> Tensor:
        return torch.randn(count, channels, 1, 1) * spread

    seen, printed = _recolor(seen, patches[:, 3:6])
    seen = (seen * torch.exp(each(0.08, 3) + each(0.15))).clamp(0, 1) ** torch.exp(each(0.12))
    printed = _misprint(printed)
    seen = seen + each(0.02) + torch.randn_like(seen) * torch.rand(count, 1, 1, 1) * 0.03
    blurred = torch.rand(count) < 0.3
    seen[blurred] = functional.avg_pool2d(functional.pad(seen[blurred], (1, 1, 1, 1), mode="replicate"), 3, 1)
    seen = (seen * _shadow(count, height, width)).clamp(0, 1)
    down, right = rng.integers(-1, 2, 2).tolist()
    seen = _compress(seen, rng)
    seen = torch.roll(seen, (down, right), (2, 3))
    if rng.random() < 0.5:
        channels = rng.permutation(3).tolist()
        seen, printed = seen[:, channels], printed[:, channels]
    return torch.cat([seen, printed, patches[:, 6:]], dim=1)


def _recolor(seen: Tensor, printed: Tensor) -> tuple[Tensor, Tensor]:
    """Recolour photo and print in the same way: grey to garish, dull to high contrast."""
    count = len(seen)
    saturation = torch.exp(torch.randn(count, 1, 1, 1) * 0.35)
    contrast = torch.exp(torch.randn(count, 1, 1, 1) * 0.2)
    changed = []
    for picture in (seen, printed):
        grey = picture.mean(dim=1, keepdim=True)
        changed.append((0.4 + contrast * (grey + saturation * (picture - grey) - 0.4)).clamp(0, 1))
    # Black marks missing print or photo, so it must stay black.
    return changed[0], torch.where(printed.sum(dim=1, keepdim=True) > 0, changed[1], printed)


def _misprint(printed: Tensor) -> Tensor:
    """Vary the prints as other printers would."""
    count = len(printed)
    gain, gamma = torch.exp(torch.randn(count, 3, 1, 1) * 0.06), torch.exp(torch.randn(count, 1, 1, 1) * 0.08)
    grey = printed.mean(dim=1, keepdim=True)
    changed = (gain * (printed + 0.12 * torch.randn(count, 1, 1, 1) * (grey - printed))).clamp(0, 1) ** gamma
    return torch.where(grey > 0, changed, printed)


def _compress(seen: Tensor, rng: np.random.Generator) -> Tensor:
    """Pass some of the pictures through JPEG."""
    chosen = np.flatnonzero(rng.random(len(seen)) < _COMPRESSED_SHARE)
    images = (seen[chosen].permute(0, 2, 3, 1).numpy() * 255).astype(np.uint8)
    for i, image in zip(chosen, images, strict=True):
        _, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(35, 85))])
        again = np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.float32) / 255
        seen[i] = torch.from_numpy(again).permute(2, 0, 1)
    return seen


def _shadow(count: int, height: int, width: int) -> Tensor:
    """Return factors that darken one side of a straight edge in a third of the patches."""
    down, right = torch.meshgrid(torch.linspace(-1, 1, height), torch.linspace(-1, 1, width), indexing="ij")
    angle = torch.rand(count, 1, 1, 1) * 2 * np.pi
    across = torch.cos(angle) * right + torch.sin(angle) * down
    dark = torch.rand(count, 1, 1, 1) * 0.6 * (torch.rand(count, 1, 1, 1) < 0.35)
    return 1 - dark * torch.sigmoid((across - torch.randn(count, 1, 1, 1) * 0.7) * 30)
