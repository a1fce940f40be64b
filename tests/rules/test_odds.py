"""Distributions: exact sums, handfuls against sequences, numbers with roots against high precision."""

from __future__ import annotations

from collections import Counter
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.rules.odds import Odds, die, handfuls, total
from assistant.rules.surd import Surd, rational_root, root

WEIGHTS = st.dictionaries(st.integers(-3, 6), st.integers(0, 9), min_size=1).filter(lambda w: sum(w.values()) > 0)


@pytest.mark.parametrize(
    "chances", [{1: Fraction(1, 2)}, {1: Fraction(3, 2), 2: Fraction(-1, 2)}, {}, {1: Fraction(1), 2: Fraction(1)}]
)
def test_chances_that_do_not_add_up_are_refused(chances: dict[int, Fraction]) -> None:
    with pytest.raises(ValueError, match="add up to exactly 1"):
        Odds(chances)


def test_nothing_to_choose_from_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one value"):
        Odds.uniform([])


@given(WEIGHTS, WEIGHTS)
def test_combining_is_what_every_pair_gives(first: dict[int, int], second: dict[int, int]) -> None:
    odds = Odds.weighted(first).combine(Odds.weighted(second), lambda a, b: a * b)
    counted: Counter[int] = Counter()
    for (a, many), (b, more) in product(first.items(), second.items()):
        counted[a * b] += many * more
    everything = sum(counted.values())
    assert sum(chance for _, chance in odds) == 1
    assert odds.chances == {value: Fraction(many, everything) for value, many in counted.items() if many}


@given(WEIGHTS, WEIGHTS)
def test_the_mean_of_a_sum_is_the_sum_of_the_means(first: dict[int, int], second: dict[int, int]) -> None:
    a, b = Odds.weighted(first), Odds.weighted(second)
    assert total((a, b)).mean(int) == a.mean(int) + b.mean(int)


@pytest.mark.parametrize("count", range(5))
def test_a_handful_is_every_sequence_without_its_order(count: int) -> None:
    sequences = Counter(tuple(sorted(roll)) for roll in product(range(1, 7), repeat=count))
    assert handfuls(die(6), count).chances == {hand: Fraction(many, 6**count) for hand, many in sequences.items()}


def test_the_likeliest_value_comes_first() -> None:
    assert next(value for value, _ in total((die(3), die(3))).by_chance) == 4


SMALL = st.fractions(min_value=-20, max_value=20, max_denominator=9)
RADICANDS = st.fractions(min_value=Fraction(1, 9), max_value=30, max_denominator=9).filter(
    lambda number: rational_root(number) is None
)


def _precise(number: Surd) -> Decimal:
    whole = Decimal(number.whole.numerator) / number.whole.denominator
    part = Decimal(number.part.numerator) / number.part.denominator
    radicand = Decimal(number.radicand.numerator) / number.radicand.denominator
    return whole + part * radicand.sqrt()


@given(SMALL, SMALL, SMALL, SMALL, RADICANDS)
def test_numbers_with_roots_are_what_sixty_digits_say(
    a: Fraction, b: Fraction, c: Fraction, d: Fraction, radicand: Fraction
) -> None:
    first, second = Surd(a, b, radicand), Surd(c, d, radicand)
    with localcontext() as context:
        context.prec = 60
        tiny = Decimal("1e-50")
        pairs = [
            (first + second, _precise(first) + _precise(second)),
            (first - second, _precise(first) - _precise(second)),
            (first * second, _precise(first) * _precise(second)),
        ]
        if second.sign:
            pairs.append((first / second, _precise(first) / _precise(second)))
        for exact, digits in pairs:
            assert abs(_precise(exact) - digits) <= tiny * (1 + abs(digits))
            assert exact.sign == (0 if abs(digits) < Decimal("1e-40") else int(digits.copy_sign(1) / digits))
        assert (first < second) == (_precise(first) + tiny < _precise(second))
        assert float(first) == pytest.approx(float(_precise(first)), rel=1e-12, abs=1e-12)


@given(st.fractions(min_value=0, max_value=1000, max_denominator=50))
def test_the_root_of_a_square_is_found_exactly(number: Fraction) -> None:
    assert rational_root(number**2) == number
    assert float(root(number**2)) == float(number)


@pytest.mark.parametrize("number", [Fraction(2), Fraction(9, 2), Fraction(2, 9), Fraction(8), Fraction(1, 3)])
def test_what_is_no_square_has_no_rational_root(number: Fraction) -> None:
    assert rational_root(number) is None


@pytest.mark.parametrize("parts", [(2,), (Fraction(1, 2), 3, 2)])
def test_equal_numbers_are_at_least_and_at_most_each_other(parts: tuple[Fraction | int, ...]) -> None:
    number, equal = Surd(*parts), Surd(*parts)
    assert number >= equal
    assert number <= equal
    assert not number > equal
    assert not number < equal
