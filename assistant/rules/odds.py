"""Exact chances: distributions over values whose Fractions add up to exactly 1. No simulation."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations_with_replacement
from math import factorial, prod
from typing import Generic, TypeVar

T = TypeVar("T", bound=Hashable)
U = TypeVar("U", bound=Hashable)
V = TypeVar("V", bound=Hashable)


@dataclass(frozen=True)
class Odds(Generic[T]):
    """The chance of each value; values of chance 0 are left out.

    Raises:
        ValueError: a chance is negative, or they do not add up to exactly 1.
    """

    chances: Mapping[T, Fraction]

    def __post_init__(self) -> None:
        if any(chance < 0 for chance in self.chances.values()) or sum(self.chances.values()) != 1:
            raise ValueError("chances must not be negative and must add up to exactly 1")
        object.__setattr__(self, "chances", {v: Fraction(c) for v, c in self.chances.items() if c})

    @classmethod
    def certain(cls, value: T) -> Odds[T]:
        return cls({value: Fraction(1)})

    @classmethod
    def uniform(cls, values: Iterable[T]) -> Odds[T]:
        """Return equal chances for the values; a repeated value counts each time.

        Raises:
            ValueError: there is no value.
        """
        return cls.weighted(count_each(values))

    @classmethod
    def weighted(cls, weights: Mapping[T, int]) -> Odds[T]:
        """Return a distribution with chances in proportion to the weights.

        Raises:
            ValueError: a weight is negative, or all are 0.
        """
        total = sum(weights.values())
        if total <= 0:
            raise ValueError("there must be at least one value to choose from")
        return cls({value: Fraction(weight, total) for value, weight in weights.items()})

    @classmethod
    def mixed(cls, parts: Iterable[tuple[Fraction, Odds[T]]]) -> Odds[T]:
        """Return a mixture: a value drawn from one of several distributions, each with its own chance."""
        chances: dict[T, Fraction] = {}
        for share, odds in parts:
            for value, chance in odds.chances.items():
                chances[value] = chances.get(value, Fraction(0)) + share * chance
        return cls(chances)

    def __iter__(self) -> Iterator[tuple[T, Fraction]]:
        return iter(self.chances.items())

    def map(self, function: Callable[[T], U]) -> Odds[U]:
        return self.then(lambda value: Odds.certain(function(value)))

    def then(self, function: Callable[[T], Odds[U]]) -> Odds[U]:
        """Return the distribution of a second value, drawn from one that depends on the first."""
        return Odds.mixed((chance, function(value)) for value, chance in self)

    def combine(self, other: Odds[U], function: Callable[[T, U], V]) -> Odds[V]:
        """Return the distribution of ``function`` of two independent values: a convolution."""
        chances: dict[V, Fraction] = {}
        for left, left_chance in self:
            for right, right_chance in other:
                value = function(left, right)
                chances[value] = chances.get(value, Fraction(0)) + left_chance * right_chance
        return Odds(chances)

    def chance(self, condition: Callable[[T], bool]) -> Fraction:
        return sum((chance for value, chance in self if condition(value)), Fraction(0))

    def mean(self, measure: Callable[[T], int | Fraction]) -> Fraction:
        return sum((chance * measure(value) for value, chance in self), Fraction(0))

    @cached_property
    def by_chance(self) -> tuple[tuple[T, Fraction], ...]:
        """The values with their chances, the likeliest first; ties keep their order."""
        return tuple(sorted(self.chances.items(), key=lambda item: -item[1]))


def count_each(values: Iterable[T]) -> dict[T, int]:
    """Count each value, in order of first appearance."""
    counts: dict[T, int] = {}
    for value in values:
        counts[value] = counts.get(value, 0) + 1
    return counts


def die(sides: int) -> Odds[int]:
    """Return the distribution of a fair die."""
    return Odds.uniform(range(1, sides + 1))


def total(parts: Iterable[Odds[int]]) -> Odds[int]:
    """Return the distribution of the sum of independent numbers."""
    result: Odds[int] = Odds.certain(0)
    for part in parts:
        result = result.combine(part, lambda a, b: a + b)
    return result


def handfuls(one: Odds[T], count: int) -> Odds[tuple[T, ...]]:
    """Return the results of ``count`` equal independent dice, regardless of their order.

    Each is a tuple in the order of ``one``'s values, so equal handfuls are equal tuples. There are far fewer of them
    than sequences (56 instead of 216 for three six-sided dice).
    """
    values = list(one.chances)
    chances: dict[tuple[T, ...], Fraction] = {}
    for chosen in combinations_with_replacement(values, count):
        orders = factorial(count) // prod(factorial(many) for many in count_each(chosen).values())
        chances[chosen] = orders * prod((one.chances[value] for value in chosen), start=Fraction(1))
    return Odds(chances)
