"""Fit the networks for a door's hidden print (``vision.evidence.doors``) with an unchanged trunk. This needs PyTorch.

The trunk's maps of each board are made once, so a round of a thousand boards takes a minute on two cores.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from jaxtyping import Float, Float32, Int
from numpy.random import Generator
from torch import Tensor, nn
from torch.nn import functional

from assistant.table.lattice import list_inner_edges
from calibration.arrays import Integers, Numbers, Singles
from vision.evidence.doors import door_views, trunk_hints
from vision.evidence.hidden_print import CHANNELS, WINDOW, print_maps
from vision.evidence.occupancy import find_occupancy
from vision.evidence.patches import patch_source
from vision.training.cell_fit import HINTLESS, MOST_NORM, export_network, spread_numbers, windows_of_planes
from vision.training.labelled import KnownBoard
from vision.training.networks import descend

GEOMETRY, HINTS = 4, 9
"""Numbers of ``DoorViews.geometry`` and of ``trunk_hints``."""

_COMPARED, _HIDDEN, _LAST, _DROPPED = 48, 64, 48, 0.2
_BATCH, _RATE, _SMOOTHED = 8, 2e-3, 0.005
_TRACED_SHARE = 0.45
_USUAL_EDGES = 60
"""Edges of a usual board. The loss of a board is that of its edges, so that a larger one counts more."""


class DoorBoard(NamedTuple):
    """One board: the trunk's comparison in half precision, and the input and the truth of each edge."""

    compared: Float[Numbers, "numbers rows columns"]
    covered: Float32[Singles, "rows columns"]
    windows: Int[Integers, "n side side"]
    outlines: Float32[Singles, "n side side"]
    numbers: Float32[Singles, "n numbers"]
    labels: Float32[Singles, " n"]


class DoorNetworks(NamedTuple):
    """The two networks: over a place, and over an edge's window. The latter has the number of its ``planes``."""

    pair: nn.Sequential
    windows: nn.Module


class WindowNetwork(nn.Module):  # type: ignore[misc]  # PyTorch is only there when networks are trained
    """Three convolutions over a window, then two layers with the edge's other features."""

    def __init__(self) -> None:
        super().__init__()
        self.planes = _COMPARED + 2
        self.over_window = nn.Sequential(
            nn.Conv2d(self.planes, _HIDDEN, 4, stride=2),
            nn.ReLU(),
            nn.Dropout(_DROPPED),
            nn.Conv2d(_HIDDEN, _HIDDEN, 3),
            nn.ReLU(),
            nn.Dropout(_DROPPED),
            nn.Conv2d(_HIDDEN, _HIDDEN, 3),
            nn.ReLU(),
            nn.Flatten(),
        )
        self.judge = nn.Sequential(
            nn.Linear(_HIDDEN + GEOMETRY + HINTS, _LAST), nn.ReLU(), nn.Dropout(_DROPPED), nn.Linear(_LAST, 1)
        )

    def forward(self, windows: Tensor) -> Tensor:
        """Return log odds (N, 1) of windows (N, planes + numbers, 12, 12)."""
        seen = self.over_window(windows[:, : self.planes])
        return self.judge(torch.cat([seen, windows[:, self.planes :, 0, 0]], dim=1))


class _Mean(nn.Module):  # type: ignore[misc]
    """The mean of several networks, each over its own planes."""

    def __init__(self, fits: Sequence[WindowNetwork]) -> None:
        super().__init__()
        self.fits = nn.ModuleList(fits)
        self.planes = len(fits) * _COMPARED + 2

    def forward(self, windows: Tensor) -> Tensor:
        """Return log odds (N, 1) of windows (N, planes + numbers, 12, 12)."""
        common = windows[:, self.planes - 2 :]
        parts = windows[:, : self.planes - 2].chunk(len(self.fits), dim=1)
        stated = [fit(torch.cat([part, common], dim=1)) for fit, part in zip(self.fits, parts, strict=True)]
        return torch.stack(stated).mean(dim=0)


def mean_of(fits: Sequence[DoorNetworks]) -> DoorNetworks:
    """Return the mean of several fits as networks of their own."""
    pair = nn.Sequential(nn.Conv2d(3 * CHANNELS, len(fits) * _COMPARED, 1), nn.ReLU())
    pair[0].load_state_dict(
        {name: torch.cat([fit.pair[0].state_dict()[name] for fit in fits]) for name in ("weight", "bias")}
    )
    return DoorNetworks(pair, _Mean([fit.windows for fit in fits]))


def door_board(table: KnownBoard) -> DoorBoard:
    """Compare a board's photo and print, and cut all its edges.

    Raises:
        ValueError: no edge of the board allows a door.
    """
    edges = list_inner_edges(table.board.cells)
    if not edges:
        raise ValueError("a board of one cell has no edge for a door")
    source = patch_source(table.board, table.roster)
    maps = print_maps(source)
    views = door_views(source, table.roster.doors, edges)
    hints = trunk_hints(views, find_occupancy(source, maps, table.roster))
    labels = np.array([edge in table.doors for edge in edges], np.float32)
    numbers = np.concatenate([views.geometry, hints], axis=1)
    return DoorBoard(maps.compared.astype(np.float16), maps.covered, views.windows, views.outlines, numbers, labels)


def fit_doors(
    simulated: Sequence[DoorBoard], traced: Sequence[DoorBoard], rounds: int, seed: int = 0
) -> Iterator[tuple[DoorNetworks, float]]:
    """Fit both networks and yield them with the mean loss after every round.

    Args:
        simulated: simulated boards.
        traced: ray-traced ones. They are nearly half of what is shown.
        rounds: number of rounds. Each shows as many boards as there are.
        seed: the seed of all random numbers.
    """
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    pair = nn.Sequential(nn.Conv2d(3 * CHANNELS, _COMPARED, 1), nn.ReLU())
    networks = DoorNetworks(pair, WindowNetwork())
    weights = [weight for network in networks for weight in network.parameters()]
    steps = max(1, (len(simulated) + len(traced)) // _BATCH)
    optimizer = torch.optim.AdamW(weights, lr=_RATE, weight_decay=1e-3)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, _RATE, total_steps=rounds * steps + 1, pct_start=0.15)
    for _ in range(rounds):
        for network in networks:
            network.train()
        losses = []
        for _ in range(steps):
            chosen = [traced if len(traced) and rng.random() < _TRACED_SHARE else simulated for _ in range(_BATCH)]
            boards = [some[int(rng.integers(len(some)))] for some in chosen]
            loss = torch.stack([_loss(networks, board, rng) for board in boards]).mean()
            losses.append(descend(loss, optimizer, schedule, MOST_NORM))
        yield networks, float(np.mean(losses))


def _loss(networks: DoorNetworks, board: DoorBoard, rng: Generator) -> Tensor:
    labels = torch.from_numpy(board.labels) * (1 - 2 * _SMOOTHED) + _SMOOTHED
    log_odds = log_odds_of_board(networks, board, hintless=rng.random() < HINTLESS)
    return functional.binary_cross_entropy_with_logits(log_odds, labels, reduction="sum") / _USUAL_EDGES


def log_odds_of_board(networks: DoorNetworks, board: DoorBoard, *, hintless: bool = False) -> Tensor:
    """Return log odds (N,) of a board's edges, computed as the reader does."""
    seen = networks.pair(torch.from_numpy(board.compared.astype(np.float32))[None])[0]
    planes = torch.cat([seen, torch.from_numpy(board.covered)[None]]).flatten(1)
    windows = windows_of_planes(planes, torch.from_numpy(board.windows))
    numbers = torch.from_numpy(board.numbers.copy())
    if hintless:
        numbers[:, GEOMETRY:] = 0
    outlines = torch.from_numpy(board.outlines)[:, None]
    log_odds: Tensor = networks.windows(torch.cat([windows, outlines, spread_numbers(numbers)], dim=1))
    return log_odds[:, 0]


def export_doors(networks: DoorNetworks, out: Path) -> None:
    """Write both networks as ONNX, for boards of any size and any number of edges."""
    export_network(networks.pair, (1, 3 * CHANNELS, 40, 40), (2, 3), out / "door_pair.onnx")
    numbers = networks.windows.planes + GEOMETRY + HINTS
    export_network(networks.windows, (1, numbers, WINDOW, WINDOW), (0,), out / "door_windows.onnx")
