"""When something happened, as far as a hand lets that be seen: between the last look before and the first after it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import NamedTuple

from assistant.table.lattice import Cell
from assistant.tracking.values import Sighting, StandingDoor

LONGEST_S = 10.0
"""A moment of which only the end is known is looked for in so many seconds before."""


class Span(NamedTuple):
    """A moment that lies between two others, in seconds."""

    after_s: float
    before_s: float

    @property
    def start_s(self) -> float:
        """Where it begins, even if nobody knows."""
        return max(self.after_s, self.before_s - LONGEST_S)

    def chance_before(self, other: Span) -> float:
        """The chance that this moment was before the other, if both may be anywhere in their spans."""
        a, b, c, d = self.start_s, self.before_s, other.start_s, other.before_s
        if b <= c or d <= a:
            return 0.5 if (a, b) == (c, d) else float(b <= c)
        # The mean, over the other's moment x in [c, d], of the share of [a, b] that lies before x.
        low, high = max(a, c), min(b, d)
        rising = ((high - a) ** 2 - (low - a) ** 2) / (2 * (b - a))
        return (rising + max(0.0, d - b)) / (d - c)


def rank_spans(spans: Sequence[Span]) -> list[float]:
    """For each moment, how many of the others are to be expected before it."""
    return [sum(other.chance_before(span) for j, other in enumerate(spans) if j != i) for i, span in enumerate(spans)]


@dataclass(frozen=True)
class Chronicle:
    """When each thing, and each cell without anything, was last in view.

    Args:
        calm_s: the last look without a hand and without doubts: everything was as it was believed to be.
        there_s: things seen since then, and when last.
        empty_s: cells seen without a figure since then, and when last.
    """

    calm_s: float = -math.inf
    there_s: Mapping[Sighting | StandingDoor, float] = field(default_factory=lambda: MappingProxyType({}))
    empty_s: Mapping[Cell, float] = field(default_factory=lambda: MappingProxyType({}))

    def calm(self, time_s: float) -> Chronicle:
        """The chronicle after a look at which everything was in view and as before."""
        return Chronicle(calm_s=time_s)

    def seen(self, things: frozenset[Sighting | StandingDoor], in_view: frozenset[Cell], time_s: float) -> Chronicle:
        """The chronicle after a look at some of the cells.

        Args:
            things: what the look shows.
            in_view: the cells that it could judge.
            time_s: when it was.
        """
        shown = [thing for thing in things if in_view.issuperset(thing.cells)]
        empty = in_view.difference(*(thing.cells for thing in things))
        there_s = MappingProxyType({**self.there_s, **dict.fromkeys(shown, time_s)})
        return replace(
            self, there_s=there_s, empty_s=MappingProxyType({**self.empty_s, **dict.fromkeys(empty, time_s)})
        )

    def left(self, thing: Sighting | StandingDoor, gone_s: float) -> Span:
        """When a thing that was first found to be gone at ``gone_s`` may have left."""
        return Span(max(self.calm_s, self.there_s.get(thing, -math.inf)), gone_s)

    def came(self, thing: Sighting | StandingDoor, there_s: float) -> Span:
        """When a thing that was first seen at ``there_s`` may have come."""
        return Span(max(self.calm_s, min(self.empty_s.get(cell, -math.inf) for cell in thing.cells)), there_s)
