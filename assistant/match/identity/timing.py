"""When something happened, as far as a hand lets that be seen: between the last look before and the first after it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import NamedTuple

from assistant.match.identity.values import Thing
from assistant.table.lattice import Cell


class Span(NamedTuple):
    """A moment that lies between two others, in seconds."""

    after_s: float
    before_s: float

    def is_before(self, other: Span) -> bool:
        """Whether this moment was before the other one, whenever exactly the two were."""
        return self.before_s <= other.after_s


def ranks(spans: Iterable[Span]) -> list[int]:
    """For each moment, how many of the others were before it for sure."""
    all_spans = list(spans)
    return [sum(other.is_before(span) for other in all_spans) for span in all_spans]


@dataclass(frozen=True)
class Chronicle:
    """When each thing, and each cell without anything, was last in view.

    Args:
        calm_s: the last look without a hand and without doubts: everything was as it was believed to be.
        there_s: things seen since then, and when last.
        empty_s: cells seen without a figure since then, and when last.
    """

    calm_s: float = -math.inf
    there_s: Mapping[Thing, float] = field(default_factory=lambda: MappingProxyType({}))
    empty_s: Mapping[Cell, float] = field(default_factory=lambda: MappingProxyType({}))

    def calm(self, time_s: float) -> Chronicle:
        """The chronicle after a look at which everything was in view and as before."""
        return Chronicle(calm_s=time_s)

    def seen(self, things: frozenset[Thing], in_view: frozenset[Cell], time_s: float) -> Chronicle:
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

    def left(self, thing: Thing, gone_s: float) -> Span:
        """When a thing that was first found to be gone at ``gone_s`` may have left."""
        return Span(max(self.calm_s, self.there_s.get(thing, -math.inf)), gone_s)

    def came(self, thing: Thing, there_s: float) -> Span:
        """When a thing that was first seen at ``there_s`` may have come."""
        return Span(max(self.calm_s, min(self.empty_s.get(cell, -math.inf) for cell in thing.cells)), there_s)
