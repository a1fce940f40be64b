"""Large bases compete with other places on their cells, and not with places by themselves."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from vision.training.choice import LabelledChoice, fit_choice
from vision.training.large_fit import Candidate, LargeTable, Place, fit_large, large_choices

ROWS = np.eye(9)


def stand(column: int, row: int, wide: int = 2, high: int = 2) -> Place:
    return tuple((column + c, row + r) for c in range(wide) for r in range(high))


def ringed(number: int) -> Candidate:
    """Return a place whose factors tell it from all others."""
    return Candidate(np.array([1.0, *ROWS[number]]), 0.0)


def by_cells(log_odds: float) -> Candidate:
    return Candidate(np.zeros(10), log_odds)


def crowd(occupied: float, places_aside: int) -> LargeTable:
    """Return a base, places one space aside that the networks call as occupied, and an empty place far away.

    The factors: 1, the odds of "occupied", and the rim.
    """
    aside = [stand(1, 0), stand(0, 1), stand(1, 1)][:places_aside]
    seen = {place: Candidate(np.array([1.0, occupied, 0.0]), 0.0) for place in aside}
    seen[stand(0, 0)] = Candidate(np.array([1.0, occupied, 1.0]), 0.0)
    seen[stand(9, 9)] = Candidate(np.array([1.0, -1.0, 0.0]), 0.0)
    return LargeTable(seen, frozenset([stand(0, 0)]))


def by_places(tables: list[LargeTable]) -> Iterator[LabelledChoice]:
    """Yield each place as a choice between a base there and nobody."""
    for table in tables:
        for place, candidate in table.candidates.items():
            rows = np.array([candidate.factors, np.zeros_like(candidate.factors)])
            yield LabelledChoice(rows, np.zeros(2), 0 if place in table.bases else 1)


def test_places_one_space_aside_do_not_turn_occupied_cells_against_a_base() -> None:
    tables = [crowd(4.0, 3), crowd(1.0, 1)] * 20
    no_weights = np.zeros(3)
    assert fit_choice([*by_places(tables)], no_weights, np.full(3, 0.3))[1] < 0
    weights = fit_large(tables, 3, ridge=0.3, most_log_odds=9.0)
    assert weights[1] > 0
    assert weights[2] > 0


def test_parts_of_a_base_stay_below_the_whole_where_log_odds_are_limited() -> None:
    whole, left, right = stand(0, 0), stand(0, 0, wide=1), stand(1, 0, wide=1)
    parts = {part: Candidate(np.array([1.0, 5.0, 5.0]), 0.0) for part in (left, right)}
    nobody = {stand(9, 9): Candidate(np.array([1.0, -5.0, -5.0]), 0.0)}
    seen = {whole: Candidate(np.array([1.0, 5.0, -5.0]), 0.0), **parts, **nobody}
    weights = fit_large([LargeTable(seen, frozenset([whole]))] * 40, 3, ridge=0.3, most_log_odds=9.0)
    of_whole, of_part = (float(seen[place].factors @ weights) for place in (whole, left))
    assert min(of_whole, 9.0) > 2 * of_part + 2


def test_a_true_base_competes_with_other_bases_there_with_small_figures_and_with_nobody() -> None:
    base, aside, plain = stand(0, 0), stand(1, 0), stand(-1, 1)
    seen = {base: ringed(0), aside: ringed(1), plain: by_cells(-1.5), ((0, 0),): by_cells(0.7)}
    (choice,) = large_choices(LargeTable(seen, frozenset([base])))
    assert choice.label == 0
    assert choice.factors == pytest.approx(
        np.array([ringed(0).factors, ringed(1).factors, np.zeros(10), ringed(1).factors, np.zeros(10)])
    )
    assert choice.offsets == pytest.approx([0.0, 0.0, -1.5, -1.5, np.log1p(np.exp(0.7))])


def test_two_long_bases_side_by_side_compete_with_one_on_their_cells() -> None:
    left, right = stand(0, 0, wide=1), stand(1, 0, wide=1)
    seen = {stand(0, 0): ringed(0), left: ringed(1), right: ringed(2)}
    (choice,) = large_choices(LargeTable(seen, frozenset([stand(0, 0)])))
    assert len(choice.factors) == 5
    assert choice.factors[3] == pytest.approx(ringed(1).factors + ringed(2).factors)


def test_three_bases_compete_with_one_of_six_cells() -> None:
    wide = stand(0, 0, wide=3)
    seen = {wide: ringed(0), **{stand(column, 0, wide=1): ringed(column + 1) for column in range(3)}}
    (choice,) = large_choices(LargeTable(seen, frozenset([wide])))
    assert len(choice.factors) == 1 + 3 + 3 + 1 + 1
    assert choice.factors[7] == pytest.approx(sum(ringed(number).factors for number in (1, 2, 3)))


def test_a_rival_pays_for_the_bases_that_it_displaces() -> None:
    base, other, between = stand(0, 0), stand(2, 0), stand(1, 0)
    seen = {base: ringed(0), other: ringed(1), between: ringed(2)}
    first, _ = large_choices(LargeTable(seen, frozenset([base, other])))
    assert first.factors[1] == pytest.approx(ringed(2).factors - ringed(1).factors)
    for log_odds, paid in ((2.0, 2.0), (-1.0, 0.0)):
        small = ((2, 1),)
        seen = {base: ringed(0), between: ringed(1), small: by_cells(log_odds)}
        (choice,) = (one for one in large_choices(LargeTable(seen, frozenset([base, small]))) if one.label == 0)
        assert choice.offsets == pytest.approx([0.0, -paid, 0.0])


def test_a_false_place_competes_with_what_stands_there() -> None:
    small, free = ((0, 0),), ((1, 1),)
    seen = {stand(0, 0): ringed(0), small: by_cells(-0.4), free: by_cells(0.2)}
    (choice,) = large_choices(LargeTable(seen, frozenset([small])))
    assert choice.label == 1
    assert choice.factors == pytest.approx(np.array([ringed(0).factors, np.zeros(10)]))
    assert choice.offsets == pytest.approx([0.0, -0.4 + np.log1p(np.exp(0.2))])


def test_a_base_without_any_evidence_makes_no_false_sample_of_the_place_beside_it() -> None:
    seen = {stand(1, 0): ringed(0)}
    assert not [*large_choices(LargeTable(seen, frozenset([stand(0, 0)])))]


def test_a_base_that_other_weights_decide_does_not_bend_the_fitted_ones() -> None:
    seen = {stand(0, 0): by_cells(1.0), stand(1, 0): ringed(0)}
    assert not [*large_choices(LargeTable(seen, frozenset([stand(0, 0)])))]
