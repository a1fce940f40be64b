"""Fit the weights of large bases with a possible ring, as the scene weighs them.

The scene excludes two bases on one cell. A place one space aside of a true base is therefore its competitor, not a
false sample. A fit of each place by itself takes such places for false samples, and then occupied cells speak against
a base.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np
from jaxtyping import Float

from assistant.table.lattice import Cell
from calibration.arrays import Numbers
from vision.training.choice import LabelledChoice, fit_choice

Place = tuple[Cell, ...]
"""The cells under a base, sorted."""

_RIDGE = 0.3
"""Strength of the prior, relative to each factor's spread. Strength 1 was worse on held-out tables."""

_PAIRED_CELLS = 4
"""Most cells of a base that two others can fill."""


class Candidate(NamedTuple):
    """The evidence for any figure in one place, as the scene calibrates it.

    Args:
        factors: those of a large base with a possible ring. All are 0 for another place.
        log_odds: the log odds that other weights give.
    """

    factors: Float[Numbers, " factors"]
    log_odds: float

    @property
    def has_ring(self) -> bool:
        """Whether it is a large base with a possible ring."""
        return bool(self.factors.any())


class LargeTable(NamedTuple):
    """All candidates on one table, and its true bases, large and small."""

    candidates: Mapping[Place, Candidate]
    bases: frozenset[Place]


def fit_large(tables: Sequence[LargeTable], prior: Float[Numbers, " factors"]) -> Float[Numbers, " factors"]:
    """Return the weights under which the scene most likely chooses the true large bases, drawn towards ``prior``."""
    rows = [one.factors for table in tables for one in table.candidates.values() if one.has_ring]
    spread = np.std(rows, axis=0)
    spread[0] = 1.0
    return fit_choice([choice for table in tables for choice in large_choices(table)], prior, _RIDGE * spread**2)


def large_choices(table: LargeTable) -> Iterator[LabelledChoice]:
    """Yield the choices of one table.

    Each true large base with a possible ring competes with all that fits on its cells. Without one, other weights
    decide. Every other large place with a possible ring competes with what stands there, unless a large base does.
    """
    seen = table.candidates
    base_of = {cell: base for base in table.bases for cell in base}
    large = [place for place in seen if len(place) > 1]
    for base in sorted(table.bases):
        if base in seen and seen[base].has_ring:
            rivals = [place for place in large if place != base and not set(place).isdisjoint(base)]
            instead = [_instead(several, base, base_of, seen) for several in _disjoint(rivals, base)]
            yield _choice([seen[base], *instead], _small_or_nobody(base, seen), 0)
    for place in large:
        there = {base_of[cell] for cell in place if cell in base_of}
        if all(len(base) == 1 for base in there) and seen[place].has_ring:
            free = _small_or_nobody([cell for cell in place if cell not in base_of], seen)
            yield _choice([seen[place]], free + sum(seen[base].log_odds for base in there if base in seen), 1)


def _disjoint(rivals: Sequence[Place], base: Place) -> Iterator[tuple[Place, ...]]:
    """Yield each rival and each set of rivals that share no cell: two, and three inside a base that two cannot fill."""
    inside = [place for place in rivals if set(place) <= set(base)] if len(base) > _PAIRED_CELLS else []
    for several in (*combinations(rivals, 1), *combinations(rivals, 2), *combinations(inside, 3)):
        cells = [cell for place in several for cell in place]
        if len(cells) == len({*cells}):
            yield several


def _instead(
    several: Sequence[Place], base: Place, base_of: Mapping[Cell, Place], seen: Mapping[Place, Candidate]
) -> Candidate:
    """Return the evidence for bases in place of a true one, less that for the other true bases that they displace.

    Without a displaced small figure its cell may be empty, so it counts at least 0. The same for a large one would make
    the loss not convex.
    """
    displaced = {base_of[cell] for place in several for cell in place if cell in base_of} - {base}
    taken = [seen[other] for other in displaced if other in seen]
    return Candidate(
        np.sum([seen[place].factors for place in several], axis=0) - sum(one.factors for one in taken),
        sum(seen[place].log_odds for place in several)
        - sum(one.log_odds if one.has_ring else max(one.log_odds, 0.0) for one in taken),
    )


def _small_or_nobody(cells: Iterable[Cell], seen: Mapping[Place, Candidate]) -> float:
    """Return the log odds of small figures on any of these cells, or of nobody, against nobody."""
    return float(sum(np.logaddexp(0.0, seen[cell,].log_odds) for cell in cells if (cell,) in seen))


def _choice(candidates: Sequence[Candidate], otherwise: float, label: int) -> LabelledChoice:
    """Return the choice among candidates and, last, no large base."""
    factors = [one.factors for one in candidates]
    log_odds = [one.log_odds for one in candidates]
    return LabelledChoice(np.array([*factors, np.zeros_like(factors[0])]), np.array([*log_odds, otherwise]), label)
