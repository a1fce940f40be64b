"""One model of the scene: what may lie and stand where, how much speaks for it, and what excludes what.

Each hypothesis is one thing in one place: somebody of a kind on some cells, a door on an edge, a tile side in a slot.
Its log odds are those of the picture alone, as if there were nothing else. Two hypotheses that claim a common place
exclude each other, and the box limits each kind. Where one thing explains what speaks for another, or two
alike speak for each other, a pair term is added. A table is a set of hypotheses; the sum of their log odds and pair
terms is its score, the logarithm of its chance up to a constant. An empty table scores 0.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations
from typing import Generic, TypeVar

ThingT = TypeVar("ThingT")


@dataclass(frozen=True, eq=False)
class Hypothesis(Generic[ThingT]):
    """One thing that may be in one place.

    Args:
        thing: the thing.
        log_odds: that it is there rather than nothing, if nothing else claims its places.
        places: what it claims: cells, edges, a slot of the lattice.
        kind: the kind that the box limits; None for a thing without a limit.
    """

    thing: ThingT
    log_odds: float
    places: frozenset[Hashable]
    kind: Hashable | None = None


@dataclass(frozen=True, eq=False)
class TableScene(Generic[ThingT]):
    """What may be on one table.

    Args:
        hypotheses: all that is thought of.
        box: how many of each kind there are; kinds that are missing have no limit.
        pairs: log odds that are added where two hypotheses, by their indices, the smaller first, are both so.
    """

    hypotheses: Sequence[Hypothesis[ThingT]]
    box: Mapping[Hashable, int] = field(default_factory=dict)
    pairs: Mapping[tuple[int, int], float] = field(default_factory=dict)

    def score(self, chosen: Iterable[int]) -> float:
        """Return the logarithm of a table's chance, up to a constant; that of the empty table is 0."""
        there = sorted(chosen)
        alone = sum(self.hypotheses[index].log_odds for index in there)
        return alone + sum(self.pairs.get(pair, 0.0) for pair in combinations(there, 2))

    def is_possible(self, chosen: Iterable[int]) -> bool:
        """Return whether no two claim one place, and the box holds all of them."""
        there = list(chosen)
        claimed = [place for index in there for place in self.hypotheses[index].places]
        counts = Counter(self.hypotheses[index].kind for index in there)
        return len(set(claimed)) == len(claimed) and all(counts[kind] <= most for kind, most in self.box.items())

    @cached_property
    def by_place(self) -> Mapping[Hashable, Sequence[int]]:
        """The hypotheses that claim each place."""
        found: dict[Hashable, list[int]] = {}
        for index, hypothesis in enumerate(self.hypotheses):
            for place in hypothesis.places:
                found.setdefault(place, []).append(index)
        return found

    @cached_property
    def by_kind(self) -> Mapping[Hashable, Sequence[int]]:
        """The hypotheses of each kind that the box limits."""
        found: dict[Hashable, list[int]] = {}
        for index, hypothesis in enumerate(self.hypotheses):
            if hypothesis.kind in self.box:
                found.setdefault(hypothesis.kind, []).append(index)
        return found

    @cached_property
    def rivals(self) -> Sequence[int]:
        """For each hypothesis the others that claim one of its places, as bits."""
        found = [0] * len(self.hypotheses)
        for there in self.by_place.values():
            every = sum(1 << index for index in there)
            for index in there:
                found[index] |= every
        return [rivals & ~(1 << index) for index, rivals in enumerate(found)]

    def groups(self) -> list[list[int]]:
        """Return the hypotheses in groups: those of two groups share no place and no pair term."""
        root = list(range(len(self.hypotheses)))

        def top(index: int) -> int:
            while root[index] != index:
                root[index] = index = root[root[index]]
            return index

        linked = [(there[0], other) for there in self.by_place.values() for other in there[1:]]
        for one, other in (*linked, *(pair for pair, worth in self.pairs.items() if worth)):
            root[top(other)] = top(one)
        found: dict[int, list[int]] = {}
        for index in range(len(self.hypotheses)):
            found.setdefault(top(index), []).append(index)
        return list(found.values())
