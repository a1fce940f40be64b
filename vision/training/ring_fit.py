"""Fit the network that recognises the ring of a base, on samples cut from boards. This needs PyTorch."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
import torch
from jaxtyping import Float, Int, UInt8
from numpy.random import Generator
from torch import Tensor, nn
from torch.nn import functional

from assistant.table.roster import RosterFigure
from calibration.arrays import Numbers
from calibration.color import bgr_from_hex
from vision.evidence.bases import Stand, ring_kinds, stands
from vision.evidence.hidden_print import print_maps
from vision.evidence.occupancy import find_occupancy
from vision.evidence.patches import patch_source
from vision.evidence.ring_strips import ANGLES, CHANNELS, relative_strips
from vision.evidence.rings import board_strips
from vision.simulation.game_setup import KIND_NAMES
from vision.simulation.scene import Scene
from vision.tiles.board_view import BoardView
from vision.training.labelled import KnownBoard
from vision.training.networks import descend, loaded
from vision.training.samples import table_of

NO_RING = -1
_EMPTY_PLACES = 14
_WIDTHS = ((CHANNELS, 20, (1, 1)), (20, 28, (2, 2)), (28, 36, (2, 2)), (36, 40, (1, 2)))
_HIDDEN = 32
_BATCH = 40
_SMOOTHING = 0.01
_NEVER = 30.0
_TINT, _SHADE = 0.06, 0.2
"""Errors of white balance and light, as standard deviations of their logarithm."""

_HAZE, _NOISE = 0.2, 6.0
_SATURATION, _BRIGHTNESS = 0.35, 0.25
"""Variation of paint on rings and floors, as standard deviations of a logarithm."""
_DISPLAY = 1 / 2.2
_PLAIN_SHARE = 0.5
_HIDDEN_SHARE = 0.35
_ALIKE = 70
"""Difference in display values above which a colour is surely not a ring's."""

_TOP_ROWS, _TOP_COLUMNS = 4, 8
"""Innermost rows and adjacent columns that show one paint of the base's top, or of the body on it."""

_APART = 20.0
"""CIE L*a*b* distance above which a paint differs from a ring, that of neighbours in a roster."""

_IN_A_BOX = 8
"""Most rings of one base size in a box."""


@dataclass(frozen=True, eq=False)
class RingSamples:
    """Actual and possible places of bases.

    Args:
        strips: strips of ``vision.evidence.ring_strips``, (N, 2, 16, 48, 3), bytes.
        colors: the candidate rings of a base of that shape, a tuple for each place.
        labels: the index of its ring among them, or ``NO_RING``, (N,).
    """

    strips: UInt8[Numbers, "n 2 16 48 3"]
    colors: tuple[tuple[str, ...], ...]
    labels: Int[Numbers, " n"]


def table_with_plain_bases(seed: int, rng: Generator) -> tuple[Scene, BoardView]:
    """Make a simulated table. On every third one, half of the kinds have bases without a ring."""
    if seed // 3 % 3:
        return table_of(seed, crowded=False)
    bare = {kind for kind in KIND_NAMES if rng.random() < _PLAIN_SHARE}
    return table_of(seed, crowded=False, change=lambda scene: without_rings(scene, bare))


def without_rings(scene: Scene, kinds: Set[str]) -> Scene:
    """Return the scene with bare bases under the figures of these kinds."""

    def bare(figure: RosterFigure) -> RosterFigure:
        return replace(figure, ring=None) if figure.kind in kinds else figure

    return replace(
        scene,
        roster=replace(scene.roster, figures=tuple(bare(figure) for figure in scene.roster.figures)),
        figures=tuple(replace(placed, figure=bare(placed.figure)) for placed in scene.figures),
    )


def ring_samples(labelled: KnownBoard, rng: Generator) -> RingSamples:
    """Return the places of one board: every base, and places without one: cells with things, and some others."""
    board, rings, kinds = labelled.board, labelled.rings, ring_kinds(labelled.roster)
    source = patch_source(board, labelled.roster)
    possible = find_occupancy(source, print_maps(source), labelled.roster).possible
    possible |= {cell for cells in rings for cell in cells}
    places: list[Stand] = []
    colors: list[tuple[str, ...]] = []
    labels: list[int] = []
    for shape in dict.fromkeys(shape for shape, _ in kinds):
        of_shape = tuple(color for other, color in kinds if other == shape)
        there = list(stands(shape, possible & board.cells))
        empty = [stand for stand in there if stand.cells not in rings]
        chosen = {stand: None for stand in empty if labelled.things.issuperset(stand.cells)}
        chosen |= {empty[i]: None for i in rng.permutation(len(empty))[:_EMPTY_PLACES]}
        for stand in [*(stand for stand in there if stand.cells in rings), *chosen]:
            ring = rings.get(stand.cells)
            candidates = _candidates(of_shape, ring, rng)
            places.append(stand)
            colors.append(candidates)
            labels.append(candidates.index(ring) if ring is not None and ring in candidates else NO_RING)
    return RingSamples(board_strips(board, places), tuple(colors), np.array(labels, dtype=np.int64))


def _candidates(rings: tuple[str, ...], own: str | None, rng: Generator) -> tuple[str, ...]:
    """Draw the candidate rings of a place: at most those of one box.

    On some tables every figure has its own ring, and some of these are too similar for one box.
    """
    if len(rings) <= _IN_A_BOX:
        return rings
    kept = [ring for ring in rings if ring == own]
    others = [ring for ring in rings if ring != own]
    if kept:
        bgr = np.array([bgr_from_hex(ring) for ring in kept + others], dtype=np.uint8)
        others = [ring for ring, off in zip(others, _distances(bgr[1:], bgr[0]), strict=True) if off >= _APART]
    return (*kept, *(others[i] for i in rng.permutation(len(others))[: _IN_A_BOX - len(kept)]))


def _distances(colors_bgr: UInt8[Numbers, "n 3"], bgr: UInt8[Numbers, " 3"]) -> Float[Numbers, " n"]:
    """Return CIE L*a*b* distances (N,) of colours from another one."""
    pixels = np.concatenate([bgr[None], colors_bgr])[None].astype(np.float32) / 255
    lab = np.asarray(cv2.cvtColor(pixels, cv2.COLOR_BGR2LAB), dtype=float)[0]
    return np.asarray(np.linalg.norm(lab[1:] - lab[0], axis=1))


def joined(parts: Sequence[RingSamples]) -> RingSamples:
    """Return the samples of several tables."""
    return RingSamples(
        np.concatenate([part.strips for part in parts]),
        tuple(colors for part in parts for colors in part.colors),
        np.concatenate([part.labels for part in parts]),
    )


def right_share(network: nn.Module, samples: RingSamples) -> float:
    """Return the share of places with the right ring, or rightly none."""
    network.eval()
    right = 0
    with torch.no_grad():
        for start in range(0, len(samples.labels), _BATCH):
            index = np.arange(start, min(start + _BATCH, len(samples.labels)))
            found = ring_logits(network, samples, index).argmax(dim=1).numpy() - 1
            right += int((found == samples.labels[index]).sum())
    return right / len(samples.labels)


def new_ring_network() -> nn.Sequential:
    """Return an untrained network for one strip and one colour. Its output is the log odds of that ring to none."""
    layers: list[nn.Module] = []
    for before, after, stride in _WIDTHS:
        layers += [nn.Conv2d(before, after, 3, stride, 1, bias=False), nn.BatchNorm2d(after), nn.ReLU()]
    last = _WIDTHS[-1][1]
    layers += [nn.Conv2d(last, _HIDDEN, (4, 6)), nn.ReLU(), nn.Dropout(0.2), nn.Conv2d(_HIDDEN, 1, 1), nn.Flatten()]
    return nn.Sequential(*layers)


def fit_rings(
    samples: RingSamples,
    epochs: int,
    seed: int = 0,
    *,
    start: Path | None = None,
    rate: float = 4e-3,
    shown: Float[Numbers, " n"] | None = None,
) -> Iterator[tuple[nn.Sequential, float]]:
    """Fit the network and yield it with its mean loss after every epoch.

    The candidate rings compete with each other and with no ring.

    Args:
        samples: the places.
        epochs: showings of every place.
        seed: the seed of all random numbers.
        start: a network to fit further, or None for random weights.
        rate: peak learning rate.
        shown: mean showings of each place in a round, (N,), by default once.
    """
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    network = loaded(start) if start else new_ring_network()
    optimizer = torch.optim.AdamW(network.parameters(), rate / 4, weight_decay=1e-3)
    often = np.ones(len(samples.labels)) if shown is None else shown
    per_round = round(float(often.sum()))
    steps = epochs * -(-per_round // _BATCH)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, rate, total_steps=steps)
    for _ in range(epochs):
        network.train()
        losses = []
        # Systematic sampling: whole showings are exact, and fractions are random.
        turns = np.arange(per_round) + rng.random()
        order = rng.permutation(np.minimum(np.searchsorted(np.cumsum(often), turns), len(often) - 1))
        for first in range(0, len(order), _BATCH):
            index = order[first : first + _BATCH]
            logits = ring_logits(network, samples, index, rng)
            loss = functional.cross_entropy(
                logits, torch.from_numpy(samples.labels[index] + 1), label_smoothing=_SMOOTHING
            )
            losses.append(descend(loss, optimizer, schedule))
        yield network, float(np.mean(losses))


def ring_logits(
    network: nn.Module, samples: RingSamples, index: Int[Numbers, " n"], rng: Generator | None = None
) -> Tensor:
    """Return logits of no ring (0) and of each colour of the chosen places. Padding is a tiny logit."""
    strips = samples.strips[index]
    rings = [
        np.array([bgr_from_hex(color) for color in samples.colors[i]], dtype=np.uint8).reshape(-1, 3) for i in index
    ]
    if rng is not None:
        rings = [
            _with_paint_of_top(_with_rivals(own, strip, rng), strip, label, rng)
            for own, strip, label in zip(rings, strips, samples.labels[index].tolist(), strict=True)
        ]
        strips, rings = _repaint(_hide_parts(strips, samples, rng), rings, rng)
        strips = _vary(strips, rng)
    counts = np.array([len(own) for own in rings])
    inputs = relative_strips(np.repeat(strips, counts, axis=0), np.concatenate(rings))
    with torch.autocast("cpu", dtype=torch.bfloat16):
        flat = network(torch.from_numpy(inputs))[:, 0]
    row = np.repeat(np.arange(len(index)), counts)
    column = np.concatenate([np.arange(1, count + 1) for count in counts])
    padded = torch.full((len(index), 1 + int(counts.max())), -_NEVER)
    padded[:, 0] = 0
    return padded.index_put((torch.from_numpy(row), torch.from_numpy(column)), flat.float())


def _with_rivals(
    rings_bgr: UInt8[Numbers, "colors 3"], strip: UInt8[Numbers, "2 16 48 3"], rng: Generator
) -> UInt8[Numbers, "more 3"]:
    """Append rival colours without a base there: of the floor round it, of grey, of any hue.

    Few rosters have both a ring of the floor's colour and a bare base. Without these rivals a network mistakes the
    floor for the ring.
    """
    outside = strip[0, :2].reshape(-1, 3)
    floor = outside[rng.integers(len(outside))].astype(float) * rng.uniform(0.8, 1.25)
    grey = rng.uniform(60, 250) * rng.uniform(0.92, 1.0, 3)
    rivals = np.clip([floor, grey, rng.uniform(0, 255, 3)], 0, 255).astype(np.uint8)
    known = rings_bgr.astype(int)
    far = [rival for rival in rivals if not len(known) or np.abs(known - rival).max(axis=1).min() > _ALIKE]
    return np.concatenate([rings_bgr, np.array(far, dtype=np.uint8).reshape(-1, 3)])


def _with_paint_of_top(
    rings_bgr: UInt8[Numbers, "colors 3"], strip: UInt8[Numbers, "2 16 48 3"], label: int, rng: Generator
) -> UInt8[Numbers, "more 3"]:
    """Append the paint within the rim of a base with a ring, as if it were a ring of the roster.

    Tops often have the colour of another ring. Without these rivals a network mistakes the top for a thin or dark rim.
    """
    if label == NO_RING:
        return rings_bgr
    start = int(rng.integers(ANGLES))
    columns = (start + np.arange(_TOP_COLUMNS)) % ANGLES
    paint = np.median(strip[0, -_TOP_ROWS:][:, columns].reshape(-1, 3), axis=0) * rng.uniform(0.8, 1.25)
    rival = np.clip(paint, 0, 255).astype(np.uint8)
    is_other = _distances(rings_bgr, rival).min() >= _APART
    return np.concatenate([rings_bgr, rival[None]]) if is_other else rings_bgr


def _hide_parts(
    strips: UInt8[Numbers, "n 2 16 48 3"], samples: RingSamples, rng: Generator
) -> UInt8[Numbers, "n 2 16 48 3"]:
    """Hide a part of the circumference in a third of the strips, with pixels of places without a ring."""
    hidden = strips.copy()
    others = np.flatnonzero(samples.labels == NO_RING)
    for i in np.flatnonzero(rng.random(len(hidden)) < _HIDDEN_SHARE):
        columns = (rng.integers(ANGLES) + np.arange(rng.integers(ANGLES // 6, ANGLES * 7 // 10))) % ANGLES
        hidden[i, 0][:, columns] = samples.strips[rng.choice(others), 0][:, columns]
    return hidden


def _repaint(
    strips: UInt8[Numbers, "n 2 16 48 3"], rings: Sequence[UInt8[Numbers, "colors 3"]], rng: Generator
) -> tuple[UInt8[Numbers, "n 2 16 48 3"], list[UInt8[Numbers, "colors 3"]]]:
    """Recolour strips and rings in the same way: duller or more garish, darker or brighter."""
    saturation = np.exp(rng.normal(0, _SATURATION, len(strips)))
    brightness = np.exp(np.minimum(rng.normal(0, _BRIGHTNESS, len(strips)), _BRIGHTNESS))

    def painted(colors: UInt8[Numbers, "*n 3"], i: int) -> UInt8[Numbers, "*n 3"]:
        values = colors.astype(np.float32)
        grey = values.mean(axis=-1, keepdims=True)
        changed = brightness[i] * (grey + saturation[i] * (values - grey))
        return np.asarray(np.clip(changed, 0, 255), dtype=np.uint8)

    return (
        np.stack([painted(strip, i) for i, strip in enumerate(strips)]),
        [painted(own, i) for i, own in enumerate(rings)],
    )


def _vary(strips: UInt8[Numbers, "n 2 16 48 3"], rng: Generator) -> UInt8[Numbers, "n 2 16 48 3"]:
    """Mirror and slightly rotate strips, and vary their light."""
    if rng.random() < 0.5:
        strips = strips[:, :, :, ::-1]
    strips = np.roll(strips, int(rng.integers(-3, 4)), axis=3)
    gain = np.exp(rng.normal(0, _TINT, (len(strips), 1, 1, 1, 3)) + rng.normal(0, _SHADE, (len(strips), 1, 1, 1, 1)))
    seen = strips[:, :1] * gain**_DISPLAY
    # Gloss and haze mix in grey. The pixel noise is that of a hard compressed photo.
    haze = rng.uniform(0, _HAZE, (len(strips), 1, 1, 1, 1))
    seen = seen + haze * (seen.mean(axis=-1, keepdims=True) * rng.uniform(0.8, 1.6) - seen)
    seen = seen + rng.normal(0, 1, seen.shape) * rng.uniform(0, _NOISE, (len(strips), 1, 1, 1, 1))
    return np.concatenate([np.clip(seen, 0, 255).astype(np.uint8), strips[:, 1:]], axis=1)
