"""Fit the weights of large bases, with a possible ring or without one, as the scene weighs them.

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
from scipy.optimize import minimize

from assistant.table.lattice import Cell
from calibration.arrays import Numbers
from vision.training.choice import LabelledChoice, choice_loss

Place = tuple[Cell, ...]
"""The cells under a base, sorted."""

_SHARPNESS = 4
"""Sharpness of the bend where log odds reach their limit. A sharp corner has no slope to follow."""

_PAIRED_CELLS = 4
"""Most cells of a base that two others can fill."""


class Candidate(NamedTuple):
    """The evidence for any figure in one place, as the scene calibrates it.

    Args:
        factors: those of a place whose weights are fitted. All are 0 for another place.
        log_odds: the log odds that other weights give.
    """

    factors: Float[Numbers, " factors"]
    log_odds: float

    @property
    def is_fitted(self) -> bool:
        """Whether the fitted weights decide it."""
        return bool(self.factors.any())


class LargeTable(NamedTuple):
    """All candidates on one table, and its true bases, large and small."""

    candidates: Mapping[Place, Candidate]
    bases: frozenset[Place]


class _Rows(NamedTuple):
    """The fitted places of one table: their factors, and the choices among them, one column a place."""

    factors: Float[Numbers, "places factors"]
    choices: Sequence[LabelledChoice]


def fit_large(
    tables: Sequence[LargeTable], count: int, *, ridge: float, most_log_odds: float
) -> Float[Numbers, " factors"]:
    """Return the weights under which the scene most likely chooses the true large bases.

    The scene limits the log odds of a place. So two parts of a base may together be likelier than the whole base, and
    only a fit that knows the limit keeps the parts down.

    Args:
        tables: the candidates and the truth.
        count: the number of factors.
        ridge: strength of the prior weights 0, relative to each factor's spread.
        most_log_odds: the limit.
    """
    known = [_rows_of(table, count) for table in tables]
    spread = np.std(np.concatenate([rows.factors for rows in known]), axis=0)
    spread[0] = 1.0
    losses = [(rows.factors, choice_loss(rows.choices)) for rows in known if rows.choices]

    def penalised(weights: Float[Numbers, " factors"]) -> tuple[float, Float[Numbers, " factors"]]:
        value, slope = float(ridge * spread**2 @ weights**2), 2 * ridge * spread**2 * weights
        for factors, loss_of in losses:
            log_odds = factors @ weights
            bend = 1 + np.abs(log_odds / most_log_odds) ** _SHARPNESS
            own, by_place = loss_of(log_odds * bend ** (-1 / _SHARPNESS))
            value, slope = value + own, slope + (by_place * bend ** (-1 / _SHARPNESS - 1)) @ factors
        return value, slope

    fitted: Float[Numbers, " factors"] = minimize(penalised, np.zeros(count), jac=True, method="L-BFGS-B").x
    return fitted


def _rows_of(table: LargeTable, count: int) -> _Rows:
    places = [place for place, one in table.candidates.items() if one.is_fitted]
    columns = dict(zip(places, np.eye(len(places)), strict=True))
    nothing = np.zeros(len(places))
    by_column = {p: one._replace(factors=columns.get(p, nothing)) for p, one in table.candidates.items()}
    factors = np.array([table.candidates[place].factors for place in places]).reshape(-1, count)
    return _Rows(factors, [*large_choices(LargeTable(by_column, table.bases))])


def large_choices(table: LargeTable) -> Iterator[LabelledChoice]:
    """Yield the choices of one table.

    Each true large base that is fitted competes with all that fits on its cells. Every other fitted place competes with
    what stands there, unless a large base does.
    """
    seen = table.candidates
    base_of = {cell: base for base in table.bases for cell in base}
    large = [place for place in seen if len(place) > 1]
    for base in sorted(table.bases):
        if base in seen and seen[base].is_fitted:
            rivals = [place for place in large if place != base and not set(place).isdisjoint(base)]
            instead = [_instead(several, base, base_of, seen) for several in _disjoint(rivals, base)]
            yield _choice([seen[base], *instead], _small_or_nobody(base, seen), 0)
    for place in large:
        there = {base_of[cell] for cell in place if cell in base_of}
        if all(len(base) == 1 for base in there) and seen[place].is_fitted:
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
        - sum(one.log_odds if one.is_fitted else max(one.log_odds, 0.0) for one in taken),
    )


def _small_or_nobody(cells: Iterable[Cell], seen: Mapping[Place, Candidate]) -> float:
    """Return the log odds of small figures on any of these cells, or of nobody, against nobody."""
    return float(sum(np.logaddexp(0.0, seen[cell,].log_odds) for cell in cells if (cell,) in seen))


def _choice(candidates: Sequence[Candidate], otherwise: float, label: int) -> LabelledChoice:
    """Return the choice among candidates and, last, no large base."""
    factors = [one.factors for one in candidates]
    log_odds = [one.log_odds for one in candidates]
    return LabelledChoice(np.array([*factors, np.zeros_like(factors[0])]), np.array([*log_odds, otherwise]), label)
