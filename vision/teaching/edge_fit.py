"""The fit of the network for printed lines: gradient descent (Adam) in numpy, minutes on one core."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.random import Generator

from assistant.table.lattice import Cell, Edge
from vision.images import BgrImage, FloatImage, Numbers
from vision.teaching.edge_features import edge_features
from vision.teaching.edge_network import KINDS, MISS_PX, OUTPUTS, EdgeNetwork
from vision.teaching.edge_patches import CELL_PX, edge_patches
from vision.teaching.edge_samples import BoardSample

_HIDDEN = (96, 48)
_BATCH = 256
_RATE = 2e-3
_DECAY = 3e-4
_DROPOUT = 0.1
_SMOOTHING = 0.01
"""Truth is taken for this much less than certain: some lines lie under figures, some samples are joined tiles."""

_BARE_SHARE = 0.12
"""Of the edges with table on both sides only this share is shown: they are many and alike."""

_SHIFT_PX = 1.3
"""The lattice is found to about a millimetre and then set right: mostly the fit sees it nearly right."""

_BOXES, _DARK_TABLES = 0.6, 0.5
"""Shares of boards with framed boxes drawn into cells, and with a table as dark as a printed wall."""

_VEIL = 0.35
"""Share of white that reflections add at most: measured on the ray-traced photos it is a quarter."""

_WRONG_SHARE = 0.08
"""Boards shown with a wrong lattice, in which no cell counts as a tile's."""


@dataclass(frozen=True, eq=False)
class FitSamples:
    """Features (N, F) with their targets (N, ``OUTPUTS``): a one for the kind, chances, and the offset.

    ``has_offset`` tells for which of them the offset can be known, (N,).
    """

    features: FloatImage
    targets: FloatImage
    has_offset: FloatImage

    @classmethod
    def joined(cls, parts: Sequence[FitSamples]) -> FitSamples:
        """All parts, one after another."""
        return cls(
            np.concatenate([part.features for part in parts]),
            np.concatenate([part.targets for part in parts]),
            np.concatenate([part.has_offset for part in parts]),
        )


def fit_samples(sample: BoardSample, rng: Generator) -> FitSamples:
    """One board as the fit sees it: the lattice a little off, in other light, and sometimes quite wrong."""
    is_shown = sample.labels[:, 3:].any(axis=1) | (rng.random(len(sample.edges)) < _BARE_SHARE)
    edges = [edge for edge, shown in zip(sample.edges, is_shown, strict=True) if shown]
    is_right = rng.random() > _WRONG_SHARE
    image = _decorated(sample, rng)
    right, down = np.clip(np.rint(rng.normal(0, _SHIFT_PX, 2)), -MISS_PX, MISS_PX).astype(int).tolist()
    if not is_right:
        image, (right, down) = _misplaced(image, rng)
    patches = _varied(edge_patches(image, sample.first, edges, (right, down)), rng)
    labels = sample.labels[is_shown].astype(np.float32) * is_right
    offsets = np.array([-(down if edge.is_horizontal else right) for edge in edges], dtype=np.float32) / MISS_PX
    targets = np.column_stack([np.eye(len(KINDS), dtype=np.float32)[labels[:, 0].astype(int)], labels[:, 1:], offsets])
    if rng.random() < 0.5:
        # Turned by half a turn, first and second cell have changed places.
        patches, targets = patches[:, ::-1, ::-1], targets[:, [0, 1, 2, 3, 5, 4, 7, 6, 8]]
        targets[:, -1] *= -1
    has_offset: FloatImage = np.asarray(labels[:, 3:].any(axis=1) & is_right, dtype=np.float32)
    return FitSamples(edge_features(patches), targets.astype(np.float32), has_offset)


def fit(samples: FitSamples, *, epochs: int, seed: int) -> Iterator[tuple[EdgeNetwork, float]]:
    """Fits a network and yields it with its mean loss after every epoch."""
    rng = np.random.default_rng(seed)
    mean, spread = samples.features.mean(axis=0), samples.features.std(axis=0)
    scale = (1 / np.maximum(spread, 1e-3)).astype(np.float32)
    weights = _new_weights(rng, samples.features.shape[1])
    moments = [[np.zeros_like(one) for one in weights] for _ in range(2)]
    step, count = 0, len(samples.features)
    total = epochs * -(-count // _BATCH)
    for _ in range(epochs):
        order, losses = rng.permutation(count), []
        for start in range(0, count, _BATCH):
            index = order[start : start + _BATCH]
            inputs = (samples.features[index] - mean) * scale
            loss, slopes = _slopes(weights, inputs, samples.targets[index], samples.has_offset[index], rng)
            losses.append(loss)
            step += 1
            _step(weights, moments, slopes, step, _RATE * 0.5 * (1 + np.cos(np.pi * step / total)))
        layers = tuple((weights[i].copy(), weights[i + 1].copy()) for i in range(0, len(weights), 2))
        yield EdgeNetwork(mean, scale, layers), float(np.mean(losses))


def save(network: EdgeNetwork, path: Path) -> None:
    """Writes the network as the program ships it; half precision is finer than the fit is sure."""
    arrays = {f"weights{i}": weights.astype(np.float16) for i, (weights, _) in enumerate(network.layers)}
    arrays |= {f"offsets{i}": offsets.astype(np.float16) for i, (_, offsets) in enumerate(network.layers)}
    np.savez_compressed(path, mean=network.mean, scale=network.scale, **arrays)  # type: ignore[arg-type]  # stubs want one dict type


def _new_weights(rng: Generator, inputs: int) -> list[FloatImage]:
    weights: list[FloatImage] = []
    for outputs in (*_HIDDEN, OUTPUTS):
        weights.append((rng.standard_normal((inputs, outputs)) * np.sqrt(2 / inputs)).astype(np.float32))
        weights.append(np.zeros(outputs, dtype=np.float32))
        inputs = outputs
    return weights


def _slopes(
    weights: list[FloatImage], inputs: FloatImage, targets: FloatImage, has_offset: FloatImage, rng: Generator
) -> tuple[float, list[FloatImage]]:
    """Loss, and how it changes with every weight, for one batch."""
    kept: list[FloatImage] = [inputs]
    values = inputs
    for i in range(0, len(weights) - 2, 2):
        values = np.maximum(values @ weights[i] + weights[i + 1], 0)
        values = values * ((rng.random(values.shape) > _DROPOUT) / (1 - _DROPOUT)).astype(np.float32)
        kept.append(values)
    loss, back = _loss(values @ weights[-2] + weights[-1], targets, has_offset)
    slopes: list[FloatImage] = []
    for i in range(len(weights) - 2, -1, -2):
        slopes = [kept[i // 2].T @ back, back.sum(axis=0), *slopes]
        back = (back @ weights[i].T) * (kept[i // 2] > 0)
    return loss, slopes


def _loss(logits: FloatImage, targets: FloatImage, has_offset: FloatImage) -> tuple[float, FloatImage]:
    """The loss of outputs, and its slope by each of them: cross entropies, and a bounded miss of the offset."""
    count = len(KINDS)
    wanted = targets[:, :-1] * (1 - 2 * _SMOOTHING) + _SMOOTHING
    kinds = logits[:, :count] - np.logaddexp.reduce(logits[:, :count], axis=1, keepdims=True)
    wanted_kinds = wanted[:, :count] / wanted[:, :count].sum(axis=1, keepdims=True)
    chances = 1 / (1 + np.exp(-np.clip(logits[:, count:-1], -30, 30)))
    off = logits[:, -1] - targets[:, -1]
    bounded = np.tanh(off * 4)
    slopes = np.column_stack(
        [np.exp(kinds) - wanted_kinds, (chances - wanted[:, count:]) * 0.5, bounded * has_offset * 0.5]
    )
    yes = wanted[:, count:]
    sides = -(yes * np.log(chances + 1e-9) + (1 - yes) * np.log(1 - chances + 1e-9)).sum() * 0.5
    loss = float(-(wanted_kinds * kinds).sum() + sides + (np.abs(off) * has_offset).sum() * 0.5) / len(logits)
    return loss, (slopes / len(logits)).astype(np.float32)


def _step(
    weights: list[FloatImage], moments: list[list[FloatImage]], slopes: list[FloatImage], step: int, rate: float
) -> None:
    """One step of Adam with decay, in place."""
    first, second = moments
    for i, slope in enumerate(slopes):
        first[i] += 0.1 * (slope - first[i])
        second[i] += 0.001 * (slope * slope - second[i])
        along = first[i] / (1 - 0.9**step)
        spread = np.sqrt(second[i] / (1 - 0.999**step)) + 1e-8
        weights[i] -= np.float32(rate) * (along / spread + _DECAY * weights[i])


def _decorated(sample: BoardSample, rng: Generator) -> BgrImage:
    """The board with black-framed boxes in some cells, whose frames run along the lines, and on a darker table."""
    image = sample.image.astype(np.float32)
    tiles = {cell for edge, row in zip(sample.edges, sample.labels, strict=True) for cell in _tile_sides(edge, row)}
    if rng.random() < _DARK_TABLES:
        inside = np.zeros(image.shape[:2], dtype=np.float32)
        for cell in tiles:
            inside[_box_of(cell, sample.first, 0)] = 1
        cover = cv2.GaussianBlur(inside, (0, 0), 0.8)[:, :, None]
        image *= cover + (1 - cover) * np.float32(rng.uniform(0.15, 0.8))
    if rng.random() < _BOXES:
        for cell in sorted(tiles):
            if rng.random() < 0.35:
                inset = int(rng.integers(6, 11))
                part = image[_box_of(cell, sample.first, inset)]
                dark = np.float32(rng.uniform(0.1, 0.35))
                fill = rng.uniform(0.3, 1.1, 3) * float(part.mean())
                part[3:-3, 3:-3] = 0.25 * part[3:-3, 3:-3] + 0.75 * fill
                frame = np.ones(part.shape[:2], dtype=bool)
                frame[3:-3, 3:-3] = False
                part[frame] *= dark
        image = np.asarray(cv2.GaussianBlur(image, (0, 0), 0.5), dtype=np.float32)
    return np.clip(image, 0, 255).astype(np.uint8)


def _tile_sides(edge: Edge, row: Numbers) -> list[Cell]:
    return [cell for cell, is_tile in zip(edge.cells, row[3:], strict=True) if is_tile]


def _box_of(cell: Cell, first: Cell, inset_px: int) -> tuple[slice, slice]:
    left, top = (cell[0] - first[0]) * CELL_PX, (cell[1] - first[1]) * CELL_PX
    return slice(top + inset_px, top + CELL_PX - inset_px), slice(left + inset_px, left + CELL_PX - inset_px)


def _misplaced(image: BgrImage, rng: Generator) -> tuple[BgrImage, tuple[int, int]]:
    """A picture and a shift with which no edge lies where the lattice says: what no lattice looks like."""
    if rng.random() < 0.5:
        height, width = image.shape[:2]
        turn = cv2.getRotationMatrix2D((width / 2, height / 2), float(rng.uniform(6, 84)), 1.0)
        return np.asarray(cv2.warpAffine(image, turn, (width, height)), dtype=np.uint8), (0, 0)
    far, any_way = int(rng.integers(9, CELL_PX // 2 + 1)), int(rng.integers(-CELL_PX // 2, CELL_PX // 2 + 1))
    return image, (far, any_way) if rng.random() < 0.5 else (any_way, far)


def _varied(patches: Numbers, rng: Generator) -> Numbers:
    """The same patches in light of another tint and strength, one side shaded in some, with more noise in some."""
    count, height, width, _ = patches.shape
    gains = np.exp(rng.normal(0, 0.09, (1, 1, 1, 3)) + rng.normal(0, 0.03, (count, 1, 1, 3)))
    seen = patches * gains.astype(np.float32)
    # Glossy print mirrors a bright room: a veil of it lies over everything, and black is no longer black.
    veil = rng.uniform(0, _VEIL, (count, 1, 1, 1)) * (rng.random((count, 1, 1, 1)) < 0.75)
    seen = seen + (veil * (215 - seen)).astype(np.float32)
    if rng.random() < 0.3:
        seen = 255 * (np.minimum(seen, 255) / 255) ** np.float32(np.exp(rng.normal(0, 0.15)))
    if rng.random() < 0.3:
        seen = seen + rng.normal(0, rng.uniform(1, 7), seen.shape).astype(np.float32)
    is_shaded = np.asarray(rng.random(count) < 0.2, dtype=np.float32)[:, None, None, None]
    angle = rng.uniform(0, 2 * np.pi)
    down, right = np.mgrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j].astype(np.float32)
    across = (np.cos(angle) * right + np.sin(angle) * down - np.float32(rng.normal(0, 0.7)))[None, :, :, None]
    shade = 1 - is_shaded * np.float32(rng.uniform(0.2, 0.6)) / (1 + np.exp(-20 * across))
    return np.asarray(np.clip(seen * shade, 0, 255), dtype=np.uint8)
