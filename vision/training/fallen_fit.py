"""Fit the network that looks for fallen figures, from the one that judges cells. This needs PyTorch."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from jaxtyping import Bool, Float32
from torch import nn
from torch.nn import functional

from calibration.arrays import Flags, Singles
from vision.evidence.hidden_print import GEOMETRY, cell_hints, cell_inputs, cell_logits, cell_views, print_maps
from vision.evidence.occupancy import BUSY
from vision.evidence.patches import base_patches, patch_source, print_seen
from vision.learned import chances, probabilities
from vision.training.cell_fit import HINTLESS, MOST_NORM, CellNetwork
from vision.training.cell_further import loaded_part
from vision.training.labelled import KnownBoard
from vision.training.networks import descend

_BATCH, _RATE, _DECAY = 64, 8e-4, 0.02


class FallenSamples(NamedTuple):
    """Cells of boards: what the network sees of each, (N, planes, side, side), and whether a fallen figure is there."""

    inputs: Float32[Singles, "n planes side side"]
    lain_across: Bool[Flags, " n"]


def fallen_samples(table: KnownBoard) -> FallenSamples:
    """Return the cells of one board that a fallen figure lies across, and those that are not surely empty."""
    cells, source = sorted(table.board.cells), patch_source(table.board, table.roster)
    patches = base_patches(source, cells)
    hints = cell_hints(chances("bases", patches), print_seen(patches))
    inputs = cell_inputs(print_maps(source), cell_views(table.board, table.roster, cells), hints)
    lain_across = np.array([cell in table.lain_across for cell in cells])
    chosen = lain_across | (probabilities(cell_logits(inputs))[:, 0] < BUSY)
    return FallenSamples(inputs[chosen], lain_across[chosen])


def joined_fallen(parts: Sequence[FallenSamples]) -> FallenSamples:
    """Return the samples of several boards."""
    return FallenSamples(*(np.concatenate(some) for some in zip(*parts, strict=True)))


def fit_fallen(samples: FallenSamples, start: Path, epochs: int, seed: int = 0) -> Iterator[tuple[nn.Module, float]]:
    """Fit the network and yield it with its mean loss after every epoch.

    Args:
        samples: cells of boards.
        start: the folder of the network for cells from which it starts.
        epochs: rounds over all samples.
        seed: the seed of all random numbers.
    """
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    network, count = CellNetwork(classes=1), len(samples.lain_across)
    known = loaded_part(start).cells.state_dict()
    network.load_state_dict({name: known[name] for name in known if not name.startswith("judge.3")}, strict=False)
    optimizer = torch.optim.AdamW(network.parameters(), weight_decay=_DECAY)
    steps = epochs * -(-count // _BATCH) + 1
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, _RATE, total_steps=steps, pct_start=0.2)
    for _ in range(epochs):
        network.train()
        order, losses = rng.permutation(count), []
        for first in range(0, count, _BATCH):
            index = order[first : first + _BATCH]
            seen = torch.from_numpy(samples.inputs[index])
            if rng.random() < HINTLESS:
                seen[:, network.planes + GEOMETRY :] = 0
            truth = torch.from_numpy(samples.lain_across[index].astype(np.float32))
            loss = functional.binary_cross_entropy_with_logits(network(seen)[:, 0], truth)
            losses.append(descend(loss, optimizer, schedule, MOST_NORM))
        network.eval()
        yield network, float(np.mean(losses))
