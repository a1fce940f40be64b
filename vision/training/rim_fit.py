"""Fit what photos do to the colours of rims, and how much their measure counts beside the ring network.

The samples are bases of simulated tables that no network saw. First the bend of colours is fitted as a linear model
whose factors vary from photo to photo (expectation maximisation: Dempster, Laird, Rubin, 1977). Then the weights are
those that make the true rings likeliest.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from jaxtyping import Float, UInt8

from assistant.table.lattice import Cell
from calibration.arrays import Levels, Numbers
from vision.evidence.bases import BaseFootprint, ring_kinds, shapes_of, stands
from vision.evidence.rim_colors import (
    ColorBend,
    RimModel,
    RimPlace,
    bend_of_photo,
    bend_terms,
    colors_along_axes,
    measure_rim,
    rim_evidence,
    robust_weight,
)
from vision.evidence.ring_strips import ring_inputs
from vision.evidence.rings import board_strips
from vision.learned import ring_log_odds
from vision.training.choice import LabelledChoice, fit_choice
from vision.training.labelled import KnownBoard

_START = RimModel(
    ColorBend(np.array([0.0, 1.0]), np.diag([0.2, 0.02]), 0.1),
    ColorBend(np.array([0.0, 0.0, 1.0]), np.diag([0.05, 0.05, 0.05]), 0.03),
    np.array([1.0, 0.0, 0.0, 0.0]),
)
"""Unchanged colours with wide spreads. The network alone decides."""

_MEASURES, _STEPS = 3, 40
"""Rounds of measuring under the last bend, and steps of expectation maximisation in each."""

_LEAST_VARIANCE = 1e-4
_RIDGE = 0.3
"""Strength of the prior on the weights: the network alone."""


class RimSample(NamedTuple):
    """A base with a ring: its table, its candidate rings, and the index of the true one."""

    table: str
    place: RimPlace
    label: int


class _Candidate(NamedTuple):
    shape: BaseFootprint
    strip: UInt8[Levels, "16 48 3"]
    color: str
    log_odds: float


def rim_samples(labelled: KnownBoard, name: str) -> Iterator[RimSample]:
    """Yield every base with a ring of one board. ``name`` distinguishes several cuts of one photo."""
    board, kinds = labelled.board, ring_kinds(labelled.roster)
    figure_of = {figure.kind: figure for figure in labelled.roster.figures}
    there = board.cells.intersection(cell for cells in labelled.figures for cell in cells)
    rows: dict[tuple[Cell, ...], list[_Candidate]] = {}
    for shape in dict.fromkeys(shape for shape, _ in kinds):
        colors = [color for other, color in kinds if other == shape]
        on = [stand for stand in stands(shape, there) if tuple(sorted(stand.cells)) in labelled.figures]
        strips = board_strips(board, on)
        for stand, strip, row in zip(on, strips, ring_log_odds(ring_inputs(strips, colors)), strict=True):
            known = rows.setdefault(tuple(sorted(stand.cells)), [])
            known += [_Candidate(shape, strip[0], *one) for one in zip(colors, row.tolist(), strict=True)]
    for cells, known in rows.items():
        figure = figure_of[labelled.figures[cells]]
        true = [one.shape in shapes_of(figure) and one.color == figure.ring for one in known]
        if any(true):
            place = RimPlace(
                [one.strip for one in known],
                [one.shape.is_round for one in known],
                [one.color for one in known],
                np.array([one.log_odds for one in known]),
            )
            yield RimSample(name, place, true.index(True))


def rim_document(samples: Iterable[RimSample]) -> Mapping[str, object]:
    """Fit all numbers, in the form of ``vision/data/rims.json``."""
    tables: dict[str, list[RimSample]] = {}
    for sample in samples:
        tables.setdefault(sample.table, []).append(sample)
    model = _START
    for _ in range(_MEASURES):
        model = _with_bends(list(tables.values()), model)
    choices: list[LabelledChoice] = []
    for of_table in tables.values():
        places = [sample.place for sample in of_table]
        for sample, found in zip(of_table, rim_evidence(places, model), strict=True):
            evidence = np.column_stack([sample.place.log_odds, found])
            choices.append(LabelledChoice(evidence, np.zeros(len(evidence)), sample.label))
    ridge = np.full_like(_START.weights, _RIDGE)
    return {
        "brightness": _written(model.brightness),
        "color": _written(model.color),
        "weights": [round(float(w), 3) for w in fit_choice(choices, _START.weights, ridge)],
    }


def _written(bend: ColorBend) -> dict[str, object]:
    covariance = [[round(float(v), 5) for v in row] for row in bend.covariance]
    return {"mean": [round(float(v), 4) for v in bend.mean], "covariance": covariance, "noise": round(bend.noise, 5)}


def _with_bends(tables: Sequence[Sequence[RimSample]], model: RimModel) -> RimModel:
    """Measure every true rim under the model, and fit the bends anew."""
    seen, colors, shown = [], [], []
    for of_table in tables:
        measures = [measure_rim(sample.place, model) for sample in of_table]
        labels = [sample.label for sample in of_table]
        seen.append(np.array([m.seen[i] for m, i in zip(measures, labels, strict=True)]))
        shown.append(np.array([m.shown[i] for m, i in zip(measures, labels, strict=True)]))
        colors.append(colors_along_axes([sample.place.colors[sample.label] for sample in of_table]))
    return RimModel(
        _fit_bend(model.brightness, [c[:, :1] for c in colors], [s[:, :1] for s in seen], shown),
        _fit_bend(model.color, [c[:, 1:] for c in colors], [s[:, 1:] for s in seen], shown),
        model.weights,
    )


def _fit_bend(
    bend: ColorBend,
    colors: Sequence[Float[Numbers, "_n axes"]],
    seen: Sequence[Float[Numbers, "_n axes"]],
    shown: Sequence[Float[Numbers, " _n"]],
) -> ColorBend:
    """Fit mean and covariance of the photos' factors, and the noise, by expectation maximisation."""
    terms = [bend_terms(of_photo) for of_photo in colors]
    for _ in range(_STEPS):
        photos = [bend_of_photo(bend, t, s, w) for t, s, w in zip(terms, seen, shown, strict=True)]
        factors = np.array([mean for mean, _ in photos])
        mean = factors.mean(axis=0)
        spread = np.mean([c + np.outer(f - mean, f - mean) for f, c in photos], axis=0)
        squared, count = 0.0, 0
        for t, s, w, (f, c) in zip(terms, seen, shown, photos, strict=True):
            off = (s - t @ f) ** 2 + np.einsum("naf,fg,nag->na", t, c, t)
            off *= w[:, None]
            squared += float((off * robust_weight(off / bend.noise)).sum())
            count += off.size
        bend = ColorBend(mean, spread + _LEAST_VARIANCE * np.eye(len(mean)), squared / count)
    return bend
