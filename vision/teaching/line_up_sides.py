"""One line-up from several sides: match the things between photos, and combine each figure's views.

A photo without known size determines places up to turn, shift and scale. Two probable matches between photos give all
of these. The pair confirmed by most other things wins.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from jaxtyping import Float

from calibration.arrays import BgrImage, Numbers
from vision.teaching.equal_figures import equal_groups
from vision.teaching.figure_sighting import NewFigureSighting, from_sides
from vision.teaching.line_up import LinedUp, LineUp

_TRIED = 400
_OFF_BASES = 0.7
"""Most deviation of a thing from its place, in usual bases, since the photos' tilt is known only to some degrees."""

_LEAST_SHARE = 0.5
"""Least share of matching figures for two photos of the same line-up."""


@dataclass(frozen=True, eq=False)
class FigureFromSides:
    """A figure of a line-up combined from all photos, and its cut-outs, one per photo that shows it."""

    seen: NewFigureSighting
    bases: tuple[tuple[NewFigureSighting, ...], ...]
    looks: tuple[BgrImage, ...]
    colors: Float[Numbers, " bins"]
    box_px: tuple[int, int, int, int]


class FiguresFromSides(NamedTuple):
    """The figures of a line-up, and whether a photo gave their true sizes."""

    figures: tuple[FigureFromSides, ...]
    is_scaled: bool


def figures_of(first: LineUp, others: Sequence[LineUp]) -> FiguresFromSides:
    """Return the figures of a line-up, in the order of its first photo.

    Photos of another line-up add nothing. One photo with a known scale gives it to all. Its bases and colours then
    replace those of photos without, which assume a usual tilt and light.
    """
    figures = [thing for thing in first.things if thing.kind == "figure"]
    sights = [[(first.is_scaled, thing.bases)] for thing in figures]
    looks = [[thing.look] for thing in figures]
    true_from_first = 1.0 if first.is_scaled else None
    for other in others:
        same = _same(figures, other)
        for index, (thing, scale) in same.items():
            sights[index].append((other.is_scaled, tuple(_scaled(base, scale) for base in thing.bases)))
            looks[index].append(thing.look)
            if other.is_scaled and true_from_first is None:
                true_from_first = 1 / scale
    return FiguresFromSides(
        tuple(
            _from_sides(thing, of, tuple(pictures), true_from_first or 1.0)
            for thing, of, pictures in zip(figures, sights, looks, strict=True)
        ),
        true_from_first is not None,
    )


def _from_sides(
    thing: LinedUp,
    sights: Sequence[tuple[bool, tuple[NewFigureSighting, ...]]],
    looks: tuple[BgrImage, ...],
    scale: float,
) -> FigureFromSides:
    known = [bases for is_scaled, bases in sights if is_scaled] or [bases for _, bases in sights]
    bases = tuple(tuple(_scaled(base, scale) for base in of) for of in known)
    return FigureFromSides(from_sides(bases), bases, looks, thing.colors, thing.box_px)


def grouped(figures: Sequence[FigureFromSides]) -> list[list[int]]:
    """Return groups of probably equal figures, by their indices."""
    areas = [math.prod(figure.seen.base_size_mm) for figure in figures]
    return equal_groups([figure.colors for figure in figures], areas)


def base_of_group(figures: Sequence[FigureFromSides]) -> NewFigureSighting:
    """Return the base on which most photos of equal figures agree."""
    return from_sides([base for figure in figures for base in figure.bases])


def _scaled(base: NewFigureSighting, scale: float) -> NewFigureSighting:
    longer, shorter = base.base_size_mm
    return replace(base, base_size_mm=(longer * scale, shorter * scale))


def _same(figures: Sequence[LinedUp], other: LineUp) -> dict[int, tuple[LinedUp, float]]:
    """Return each figure's match in another photo with that photo's scale in millimetres. Unsure ones are missing."""
    things = [thing for thing in other.things if thing.kind == "figure"]
    if len(figures) < 2 or len(things) < 2:
        return {0: (things[0], _size_ratio(figures[0], things[0]))} if len(figures) == len(things) == 1 else {}
    here, there = (np.array([thing.bases[0].center_mm for thing in each]) for each in (figures, things))
    likeness = np.sqrt(np.stack([f.colors for f in figures])) @ np.sqrt(np.stack([t.colors for t in things])).T
    usual_mm = float(np.median([figure.bases[0].base_mm for figure in figures]))
    # In complex numbers a similarity is one factor and one shift.
    p, q = here @ (1, 1j), there @ (1, 1j)
    best: tuple[float, dict[int, int], float] = (0.0, {}, 1.0)
    for i, j, k, m in _tries(likeness):
        if k == m or abs(q[k] - q[m]) < 1e-6:
            continue
        factor = (p[i] - p[j]) / (q[k] - q[m])
        moved = factor * (q - q[k]) + p[i]
        off = np.abs(p[:, None] - moved) / usual_mm
        nearest = off.argmin(axis=1)
        pairs = {a: int(b) for a, b in enumerate(nearest) if off[a, b] < _OFF_BASES and off[:, b].argmin() == a}
        score = sum(float(likeness[a, b]) for a, b in pairs.items())
        if score > best[0]:
            best = (score, pairs, abs(factor))
    if len(best[1]) < _LEAST_SHARE * min(len(figures), len(things)):
        return {}
    return {a: (things[b], best[2]) for a, b in best[1].items()}


def _tries(likeness: Float[Numbers, "n m"]) -> list[tuple[int, int, int, int]]:
    """Return pairs of figures, each with the likeliest things of the other photo."""
    rng = np.random.default_rng(0)
    tries = []
    alike = np.argsort(-likeness, axis=1)[:, :5].tolist()
    for _ in range(_TRIED):
        i, j = rng.choice(len(likeness), 2, replace=False).tolist()
        tries += [(i, j, k, m) for k in alike[i] for m in alike[j]]
    return tries


def _size_ratio(figure: LinedUp, thing: LinedUp) -> float:
    return figure.bases[0].base_mm / thing.bases[0].base_mm
