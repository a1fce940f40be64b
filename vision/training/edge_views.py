"""Edges of sample boards for the line network, on a shifted lattice and in other light."""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
from jaxtyping import Bool, Float, Float32, Int, UInt8
from numpy.random import Generator

from assistant.table.lattice import Edge, sides
from calibration.arrays import Numbers, Singles
from vision.simulation.tile_art import CELL_MM
from vision.teaching.edge_network import (
    ACROSS_PX,
    ALONG_PX,
    BRIGHTNESS,
    KINDS,
    MISS_MM,
    brightness_of,
    edge_patches,
    mirror_answers,
)
from vision.training.edge_samples import SAMPLE_PX, BoardSample

_SHIFT_MM, _TURN_DEG, _STRETCH = 0.45, 0.4, 0.004
"""Usual errors of a fitted lattice. A line three millimetres away belongs to no edge."""

_WRONG_SHARE = 0.08
"""Share of views on a wrong lattice, without any tile's cells."""

_MOST_EDGES = 48
"""Most edges in one view. Printed ones come before the many bare ones."""

_BARE_SHARE, _EMPTY_SHARE = 0.12, 0.6
"""Shown shares of the edges with table on both sides: beside a board, and on a bare table."""

_VEIL = 0.4
"""Largest share of white from reflections. The ray-traced photos have a quarter."""


@dataclass(frozen=True, eq=False)
class EdgeViews:
    """Some edges of one board in one view.

    Args:
        patches: input of the network, (N, 3, rows, columns).
        answers: right answers in the order of its outputs, (N, ``OUTPUTS``): one-hot kind, ones and zeros, offset.
        on_tile: whether a tile on either side gives the edge an offset, (N,).
    """

    patches: Float32[Singles, "n 3 40 48"]
    answers: Float32[Singles, "n 9"]
    on_tile: Bool[Numbers, " n"]


@dataclass(frozen=True, eq=False)
class LabelledBoard:
    """A sample with all edges of its cells and of their neighbours.

    Args:
        sample: the board.
        edges: the edges.
        answers: as in ``EdgeViews``, without an offset.
        bright: brightness of its picture.
    """

    sample: BoardSample
    edges: tuple[Edge, ...]
    answers: Float32[Singles, "n 9"]
    bright: float


def label_edges(sample: BoardSample) -> LabelledBoard:
    """Label the edges of a sample with their right answers."""
    middle = tuple(sample.first[i] + side // SAMPLE_PX // 2 for i, side in enumerate(sample.image.shape[1::-1]))
    cells = sample.cells or {(middle[0], middle[1])}
    near = {(c + i, r + j) for c, r in cells for i in (-1, 0, 1) for j in (-1, 0, 1)}
    edges = tuple(sorted({edge for cell in near for edge in sides(cell)}))
    answers = []
    for edge in edges:
        first, second = edge.cells
        ground = [(a in sample.difficult and b not in sample.difficult) for a, b in ((first, second), (second, first))]
        kind = np.eye(len(KINDS))[KINDS.index(sample.edges.get(edge))]
        answers.append([*kind, *ground, first in sample.cells, second in sample.cells, 0.0])
    return LabelledBoard(sample, edges, np.array(answers, dtype=np.float32), brightness_of(sample.image))


def view_of(board: LabelledBoard, rng: Generator) -> EdgeViews:
    """Show some of the board's edges, randomly mirrored, on a slightly or entirely wrong lattice."""
    chosen = _chosen(board, rng)
    edges = [board.edges[i] for i in chosen]
    middles = np.array([np.mean(edge, axis=0) for edge in edges]) - board.sample.first
    is_right = rng.random() > _WRONG_SHARE
    assumed = _lattice_off(rng, middles.mean(axis=0), is_right)
    patches = edge_patches(board.sample.image, board.sample.first, edges, assumed, SAMPLE_PX)
    answers = board.answers[chosen] * np.float32(is_right)
    answers[:, 0] += not is_right
    away = middles @ assumed[:, :2].T + assumed[:, 2] - middles
    is_level = np.array([edge.is_horizontal for edge in edges])
    answers[:, -1] = -np.where(is_level, away[:, 1], away[:, 0]) * CELL_MM / MISS_MM
    along, across = rng.random((2, len(edges))) < 0.5
    patches[along] = patches[along, :, ::-1]
    patches[across], answers[across] = patches[across, ::-1], mirror_answers(answers[across])
    seen = _relight(patches, board.bright / 255, rng)
    on_tile = np.asarray(answers[:, 6:8].any(axis=1))
    return EdgeViews(np.ascontiguousarray(seen.transpose(0, 3, 1, 2)), answers, on_tile)


def _chosen(board: LabelledBoard, rng: Generator) -> Int[Numbers, " n"]:
    """Return the edges shown by a view, (N,)."""
    on_tile = np.asarray(board.answers[:, 6:8].any(axis=1))
    share = _BARE_SHARE if board.sample.cells else _EMPTY_SHARE
    shown = np.flatnonzero(on_tile | (rng.random(len(on_tile)) < share))
    if len(shown) <= _MOST_EDGES:
        return np.asarray(shown)
    answers = board.answers[shown]
    is_wall, is_red, is_blue = answers[:, 1] > 0, answers[:, 2:4].any(axis=1), answers[:, 4:6].any(axis=1)
    # A tile's shadow is as dark as a wall, so outlines with and without a wall get equal weight.
    is_outline = answers[:, 6] != answers[:, 7]
    weight = 1 + 1.5 * is_wall + 4.1 * is_red + 1.5 * (is_blue & ~is_wall & ~is_red) + 1.5 * (is_outline & ~is_wall)
    return np.asarray(rng.choice(shown, _MOST_EDGES, replace=False, p=weight / weight.sum()))


def _lattice_off(rng: Generator, middle: Float[Numbers, " 2"], is_right: bool) -> Float[Numbers, "2 3"]:
    """Draw the map from the assumed lattice to the true one, about a middle, in cells."""
    turn, stretch = math.radians(rng.normal(0, _TURN_DEG)), 1 + rng.normal(0, _STRETCH)
    shift = rng.normal(0, _SHIFT_MM * rng.choice([0.4, 1.0, 2.0]), 2) / CELL_MM
    if not is_right:
        if rng.random() < 0.5:
            turn = math.radians(rng.uniform(6, 84))
        else:
            shift = rng.permutation([rng.uniform(0.15, 0.5) * rng.choice([-1, 1]), rng.uniform(-0.5, 0.5)])
    c, s = math.cos(turn) * stretch, math.sin(turn) * stretch
    axes = np.array([[c, -s], [s, c]])
    return np.column_stack([axes, middle - axes @ middle + shift])


def _relight(patches: UInt8[Numbers, "n 40 48 3"], bright: float, rng: Generator) -> Float32[Singles, "n 40 48 3"]:
    """Relight patches of bytes in other tints and strengths, at the network's brightness."""
    count = len(patches)
    tint = np.exp(rng.normal(0, 0.07, (1, 1, 1, 3)) + rng.normal(0, 0.02, (count, 1, 1, 3)))
    seen = np.minimum(patches * (tint / 255).astype(np.float32), 1.2) ** np.float32(math.exp(rng.normal(0, 0.12)))
    if rng.random() < 0.6:
        # Glossy print reflects a bright room as a veil, so black is no longer black.
        veil = (rng.uniform(0, _VEIL) * rng.uniform(0.6, 1.2, (count, 1, 1, 1))).astype(np.float32)
        seen = seen + veil * (np.float32(1.2 * bright) - seen)
    _shade(seen, rng)
    if rng.random() < 0.3:
        spread = float(rng.uniform(0.3, 1.1))
        for patch in seen:
            patch[:] = cv2.GaussianBlur(patch, (0, 0), spread)
    _hide(seen, rng)
    seen = seen * np.float32(BRIGHTNESS / bright * math.exp(rng.normal(0, 0.3)))
    noise = np.float32(rng.uniform(0, 0.03)) * rng.standard_normal(seen.shape, dtype=np.float32)
    return np.asarray(np.clip(seen + noise, 0, 1.5), dtype=np.float32)


def _shade(seen: Float[Numbers, "n 40 48 3"], rng: Generator) -> None:
    """Cast the soft edge of a shadow over every seventh patch, in place."""
    down, right = np.mgrid[-1 : 1 : ACROSS_PX * 1j, -1 : 1 : ALONG_PX * 1j]
    for i in np.flatnonzero(rng.random(len(seen)) < 0.15):
        angle, soft = rng.uniform(0, 2 * np.pi), rng.uniform(3, 20)
        across = math.cos(angle) * right + math.sin(angle) * down - rng.normal(0, 0.7)
        dark = rng.uniform(0.2, 0.6) / (1 + np.exp(np.clip(-soft * across, -30, 30)))
        seen[i] *= (1 - dark)[:, :, None].astype(np.float32)


def _hide(seen: Float[Numbers, "n 40 48 3"], rng: Generator) -> None:
    """Hide a part of every eighth patch by a blob of any colour, like a figure, in place."""
    for i in np.flatnonzero(rng.random(len(seen)) < 0.12):
        center = int(rng.integers(ALONG_PX)), int(rng.integers(ACROSS_PX))
        reach = int(rng.uniform(3, 14)), int(rng.uniform(3, 14))
        color = (rng.uniform(0, 0.8, 3) * rng.uniform(0.3, 1)).tolist()
        cv2.ellipse(seen[i], center, reach, float(rng.uniform(0, 180)), 0, 360, color, -1)
