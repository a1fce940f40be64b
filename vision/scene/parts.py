"""Cut the outcomes of a group into parts that hardly depend on each other.

A crowded table links nearly everything: a faint large base covers the cells of two figures, or the box might run short.
Its outcomes are then products of many small doubts, too many to list. So the group is built anew from below: hypotheses
that exclude or explain each other are one part, and the two parts that depend most on each other are joined, again and
again, while it matters. Each part has the chances of its own outcomes. Where these are too many to list, what only the
box links counts as independent.

Dependence is the total variation distance between the joint chances of two parts and the products of their own. No
event about the two parts has a chance that differs by more than this distance if they count as independent.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
from jaxtyping import Float, Int

from calibration.arrays import Integers, Numbers
from vision.scene.model import TableScene
from vision.scene.solve import World, Worlds

_FAINT = 5e-4
"""Chance below which a hypothesis is in no part. On eight simulated evenings and five crowded tables all such of one
group add up to .006 at most, yet they link its places: with those above .0001 one place has 41 outcomes, without them 5
at most."""

_MATTERS, _MATTERS_LITTLE = 0.01, 0.002
"""Dependence for which two parts are joined, and for which they are joined if the new part stays short. Joined from .01
on, the stability of no ruling on 30 random crowded tables is off by more than .004."""

_MOST_OUTCOMES, _SHORT, _LEFT_OUT = 512, 64, 0.001
"""Most outcomes of a joined part, and of a short one, and the largest total chance of its other outcomes, which is
lost. The strongest dependence comes first. Up to 463 are needed on the random tables; with 256 at most, a ruling is off
by .04. A document with 507 has 380 kB."""

_WHOLE = 0.995
"""Least total chance of a group's listed outcomes by which dependence can be measured. On photos with many kinds in
doubt they hold a thousandth of all, and agree on what they alone make sure."""


def independent_parts(scene: TableScene[Any], group: Worlds, kept: int = 0) -> list[Worlds]:
    """Return the parts of a group, each with its own outcomes and their chances, which add up to 1.

    A hypothesis that is hardly there belongs to no part. No place or pair term links two parts. Where there are too
    many outcomes to list, what only the box links counts as independent.

    Args:
        scene: the scene.
        group: one of its groups.
        kept: bit mask of a table. Each part keeps its outcome on this table, however unlikely, if the group has it.
    """
    chances = np.array([way.chance for way in group.ways])
    if chances.sum() < _WHOLE:
        apart = [Worlds(_named(group, own), own, (own,)) for own in group.parts]
        return [part for one in apart for part in independent_parts(scene, one, kept)]
    parts = dict(enumerate(_Part.of(group, indices) for indices in _linked(scene, group)))
    dependence = {
        (one, other): _dependence(parts[one], parts[other], chances) for other in parts for one in range(other)
    }
    while dependence:
        (one, other), most = max(dependence.items(), key=lambda item: item[1])
        if most < _MATTERS_LITTLE:
            break
        joined = parts[one].with_other(parts[other])
        if _needed(joined.chances(chances)) > (_MOST_OUTCOMES if most >= _MATTERS else _SHORT):
            del dependence[one, other]
            continue
        del parts[one], parts[other]
        dependence = {pair: each for pair, each in dependence.items() if {one, other}.isdisjoint(pair)}
        number = 1 + max((one, other, *parts))
        dependence |= {(index, number): _dependence(part, joined, chances) for index, part in parts.items()}
        parts[number] = joined
    return [_listed(group, part, chances, kept) for part in parts.values()]


class _Part(NamedTuple):
    """Some hypotheses of a group.

    Args:
        indices: the hypotheses.
        outcome: for each way of the group, the number of the part's outcome in it.
        outcomes: how many outcomes the part has.
    """

    indices: tuple[int, ...]
    outcome: Int[Integers, " ways"]
    outcomes: int

    @classmethod
    def of(cls, group: Worlds, indices: Sequence[int]) -> _Part:
        own = _mask(indices)
        number: dict[int, int] = {}
        outcome = np.array([number.setdefault(way.so & own, len(number)) for way in group.ways])
        return cls(tuple(indices), outcome, len(number))

    def with_other(self, other: _Part) -> _Part:
        found, outcome = np.unique(self.outcome * other.outcomes + other.outcome, return_inverse=True)
        return _Part((*self.indices, *other.indices), outcome.reshape(-1), len(found))

    def chances(self, chances: Float[Numbers, " ways"]) -> Float[Numbers, " outcomes"]:
        return np.bincount(self.outcome, chances, self.outcomes)


def _named(group: Worlds, ways: Iterable[World]) -> tuple[int, ...]:
    """Return the hypotheses of a group that some of these outcomes contain."""
    some = 0
    for way in ways:
        some |= way.so
    return tuple(index for index in group.indices if some >> index & 1)


def _linked(scene: TableScene[Any], group: Worlds) -> list[list[int]]:
    """Return the hypotheses that are not faint, in sets without common places or pair terms between them."""
    there = [index for index, chance in group.chances().items() if chance >= _FAINT]
    return [[there[number] for number in linked] for linked in scene.only(there).groups()]


def _dependence(one: _Part, other: _Part, chances: Float[Numbers, " ways"]) -> float:
    """Return the total variation distance between the joint chances of two parts and the products of their own."""
    joint = np.bincount(one.outcome * other.outcomes + other.outcome, chances, one.outcomes * other.outcomes)
    return float(np.abs(joint - np.outer(one.chances(chances), other.chances(chances)).ravel()).sum() / 2)


def _needed(chances: Float[Numbers, " outcomes"]) -> int:
    """Return how many of the likeliest outcomes leave out little enough."""
    reached = np.cumsum(np.sort(chances)[::-1])
    return min(len(chances), 1 + int(np.searchsorted(reached, 1 - _LEFT_OUT)))


def _listed(group: Worlds, part: _Part, chances: Float[Numbers, " ways"], kept: int) -> Worlds:
    """Return a part with its outcomes, the likeliest first, but for very unlikely ones."""
    own, each = _mask(part.indices), part.chances(chances)
    _, first = np.unique(part.outcome, return_index=True)
    outcomes = [
        World(float(chance), group.ways[way].so & own) for chance, way in zip(each, first.tolist(), strict=True)
    ]
    outcomes.sort(key=lambda outcome: -outcome.chance)
    needed = _needed(each)
    stated = [*outcomes[:needed], *(outcome for outcome in outcomes[needed:] if outcome.so == kept & own)]
    whole = math.fsum(outcome.chance for outcome in stated)
    ways = tuple(World(outcome.chance / whole, outcome.so) for outcome in stated)
    return Worlds(tuple(sorted(part.indices)), ways, (ways,))


def _mask(indices: Iterable[int]) -> int:
    return sum(1 << index for index in indices)
