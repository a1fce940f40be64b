"""Fit the networks for a cell's hidden print further on more boards, with an unchanged trunk. This needs PyTorch.

The trunk's maps of each board are made once, so a step takes a tenth of a second on two cores. What the networks knew
stays: their former answers count for all cells without a thing, and no figure may become less likely than it was.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np
import onnx
import torch
from jaxtyping import Float, Float32, Int
from numpy.random import Generator
from onnx import numpy_helper
from torch import Tensor, nn
from torch.nn import functional

from calibration.arrays import Integers, Numbers, Singles
from vision.evidence.hidden_print import GEOMETRY, trunk_map
from vision.training.cell_fit import HINTLESS, MOST_NORM, CellNetwork, Maps, logits_of_maps, new_pair
from vision.training.cell_samples import CellBoard
from vision.training.networks import descend
from vision.training.samples import LARGE_BASE, SMALL_BASE, THING

_BATCH, _RATE = 4, 8e-4
_KEPT, _NO_LESS = 0.25, 1.5
"""Weights of the former answers, and of log odds that a figure's class has lost."""


class KeptBoard(NamedTuple):
    """One board: the trunk's maps of photo and print in half precision, and what ``CellBoard`` says of its cells."""

    seen: Float[Numbers, "channels rows columns"]
    printed: Float[Numbers, "channels rows columns"]
    covered: Float32[Singles, "rows columns"]
    windows: Int[Integers, "n side side"]
    numbers: Float32[Singles, "n numbers"]
    labels: Int[Numbers, " n"]

    @property
    def maps(self) -> Maps:
        """The maps as tensors of single precision."""
        seen, printed = (torch.from_numpy(one.astype(np.float32)) for one in (self.seen, self.printed))
        return Maps(seen, printed, torch.from_numpy(self.covered)[None], torch.from_numpy(self.windows))


class CellPart(NamedTuple):
    """The two networks that are fitted further."""

    pair: nn.Sequential
    cells: CellNetwork


def keep_board(board: CellBoard) -> KeptBoard:
    """Run the trunk on a board."""
    seen, printed = (trunk_map(image).astype(np.float16) for image in (board.seen, board.printed))
    rows, columns = seen.shape[1:]
    covered = cv2.resize(board.mask.astype(np.float32), (columns, rows), interpolation=cv2.INTER_AREA)
    numbers = np.concatenate([board.geometry, board.hints], axis=1)
    return KeptBoard(seen, printed, np.asarray(covered, np.float32), board.windows, numbers, board.labels)


def loaded_part(folder: Path) -> CellPart:
    """Load both networks from the ONNX files of a folder."""
    part = CellPart(new_pair(), CellNetwork())
    for name, network in zip(("pair", "cells"), part, strict=True):
        graph = onnx.load(str(folder / f"{name}.onnx")).graph
        weights = {one.name: torch.from_numpy(numpy_helper.to_array(one).copy()) for one in graph.initializer}
        network.load_state_dict(weights)
    return part


def fit_cells_further(
    sets: Sequence[tuple[Sequence[KeptBoard], float]], start: Path, steps: int, seed: int = 0
) -> Iterator[tuple[CellPart, float]]:
    """Fit both networks and yield them with the loss after every step.

    Args:
        sets: boards, and each set's share of what is shown.
        start: the folder of the networks to start from.
        steps: number of steps of four boards.
        seed: the seed of all random numbers.
    """
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    part, former = loaded_part(start), loaded_part(start)
    for network in former:
        network.eval()
    weights = [weight for network in part for weight in network.parameters()]
    optimizer = torch.optim.AdamW(weights, weight_decay=1e-3)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, _RATE, total_steps=steps + 1, pct_start=0.2)
    shares = np.array([share for _, share in sets])
    for _ in range(steps):
        for network in part:
            network.train()
        loss = torch.zeros(())
        for _ in range(_BATCH):
            boards = sets[int(rng.choice(len(sets), p=shares / shares.sum()))][0]
            loss = loss + _loss(part, former, boards[int(rng.integers(len(boards)))], rng) / _BATCH
        yield part, descend(loss, optimizer, schedule, MOST_NORM)


def _loss(part: CellPart, former: CellPart, board: KeptBoard, rng: Generator) -> Tensor:
    numbers = torch.from_numpy(board.numbers.copy())
    if rng.random() < HINTLESS:
        numbers[:, GEOMETRY:] = 0
    maps, labels = board.maps, torch.from_numpy(board.labels)
    logits = logits_of_maps(*part, maps, numbers)
    with torch.no_grad():
        old = functional.log_softmax(logits_of_maps(*former, maps, numbers), dim=1)
    new, is_free = functional.log_softmax(logits, dim=1), labels != THING
    loss = functional.cross_entropy(logits, labels, label_smoothing=0.01)
    loss = loss + _KEPT * (old[is_free].exp() * (old - new)[is_free]).sum(dim=1).mean()
    own = torch.arange(len(labels))[(labels == SMALL_BASE) | (labels == LARGE_BASE)]
    lost = functional.relu((old - new)[own, labels[own]]).sum() / len(labels)
    return torch.as_tensor(loss + _NO_LESS * lost)
