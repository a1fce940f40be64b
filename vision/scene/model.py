"""The scene model: hypotheses, their evidence, and their mutual exclusion.

Each hypothesis is one thing in one place: a figure of a kind on some cells, a door on an edge, a tile side in a slot.
Its log odds come from the picture alone, as if there were nothing else. Two hypotheses that claim a common place
exclude each other, and the box limits each kind. A pair term is added if one thing explains the evidence for another,
or if two similar things support each other. A table is a set of hypotheses. The sum of their log odds and pair terms is
its score, the logarithm of its chance up to a constant. An empty table scores 0.
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
    """One possible thing in one place.

    Args:
        thing: the thing.
        log_odds: log odds of its presence against absence, if nothing else claims its places.
        places: the claimed cells, edges, or slot of the lattice.
        kind: the kind that the box limits, or None without a limit.
    """

    thing: ThingT
    log_odds: float
    places: frozenset[Hashable]
    kind: Hashable | None = None


@dataclass(frozen=True, eq=False)
class TableScene(Generic[ThingT]):
    """All hypotheses about one table.

    Args:
        hypotheses: all hypotheses.
        box: the number of each kind. Missing kinds have no limit.
        pairs: log odds added if both of two hypotheses are true, by their indices, the smaller first.
    """

    hypotheses: Sequence[Hypothesis[ThingT]]
    box: Mapping[Hashable, int] = field(default_factory=dict)
    pairs: Mapping[tuple[int, int], float] = field(default_factory=dict)

    def score(self, chosen: Iterable[int]) -> float:
        """Return the log probability of a table up to a constant. The empty table has 0."""
        there = sorted(chosen)
        alone = sum(self.hypotheses[index].log_odds for index in there)
        return alone + sum(self.pairs.get(pair, 0.0) for pair in combinations(there, 2))

    def is_possible(self, chosen: Iterable[int]) -> bool:
        """Return whether no two hypotheses claim one place, and the box holds all of them."""
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
    def limits(self) -> Mapping[Hashable, tuple[int, int]]:
        """For each kind that the box limits, the bit mask of its hypotheses and the most that may be true."""
        return {kind: (sum(1 << index for index in there), self.box[kind]) for kind, there in self.by_kind.items()}

    @cached_property
    def rivals(self) -> Sequence[int]:
        """For each hypothesis a bit mask of the others that claim one of its places."""
        found = [0] * len(self.hypotheses)
        for there in self.by_place.values():
            every = sum(1 << index for index in there)
            for index in there:
                found[index] |= every
        return [rivals & ~(1 << index) for index, rivals in enumerate(found)]

    def only(self, indices: Sequence[int]) -> TableScene[ThingT]:
        """Return the scene of some of the hypotheses, in this order, with their pair terms and the same box."""
        number = {index: place for place, index in enumerate(indices)}
        pairs = {
            (min(number[one], number[other]), max(number[one], number[other])): worth
            for (one, other), worth in self.pairs.items()
            if one in number and other in number
        }
        return TableScene([self.hypotheses[index] for index in indices], self.box, pairs)

    def groups(self) -> list[list[int]]:
        """Return the hypotheses in groups without shared places or pair terms between them."""
        root = list(range(len(self.hypotheses)))

        def top(index: int) -> int:
            while root[index] != index:
                root[index] = index = root[root[index]]
            return index

        linked = [(there[0], other) for there in self.by_place.values() for other in there[1:]]
        for one, other in (*linked, *self.pairs):
            root[top(other)] = top(one)
        found: dict[int, list[int]] = {}
        for index in range(len(self.hypotheses)):
            found.setdefault(top(index), []).append(index)
        return list(found.values())
