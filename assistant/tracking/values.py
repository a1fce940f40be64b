"""What is known of the figures over time: sightings, tracks, questions, notes, and when something happened."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Literal, NamedTuple

from assistant.table.lattice import Cell, Edge

Cells = tuple[Cell, ...]


@dataclass(frozen=True, slots=True, order=True)
class Sighting:
    """A figure as the camera tells it: its kind (empty where it cannot tell) and its cells, sorted."""

    cells: Cells
    kind: str


@dataclass(frozen=True, slots=True, order=True)
class StandingDoor:
    """A standing door by the edges that it closes."""

    edges: tuple[Edge, ...]

    @property
    def cells(self) -> Cells:
        """The cells that the door stands between: only where they are in view can it be judged."""
        return tuple(cell for edge in self.edges for cell in edge.cells)


@dataclass(frozen=True, slots=True, order=True)
class Shift:
    """A figure that stands otherwise on its cells than it did: put back there, or another one in its place."""

    sighting: Sighting

    @property
    def cells(self) -> Cells:
        """Its cells."""
        return self.sighting.cells


Thing = Sighting | StandingDoor | Shift

Offset = tuple[float, float]
"""How far a base is from the middle of its cells, along columns and rows, in millimetres."""


@dataclass(frozen=True, slots=True)
class Track:
    """A figure over time.

    Args:
        id: its name.
        kind: what it is.
        side: whose it is.
        cells: where it stands, or stood before it was lifted.
        shown_by: the sighting that shows it; None for one that only a person has told about, or that is lifted.
        is_lifted: whether it is gone from its cells and not yet seen elsewhere.
        is_away: whether it did not turn up again after that: it was taken off the table, or waits beside it.
        is_kind_seen: whether its kind was ever seen, or told; else it is the likeliest one.
    """

    id: str
    kind: str
    side: str
    cells: Cells
    shown_by: Sighting | None = None
    is_lifted: bool = False
    is_away: bool = False
    is_kind_seen: bool = True


@dataclass(frozen=True, slots=True)
class IdentityQuestion:
    """Which one is this? Asked of the people at the table, while the game goes on with the likeliest answer.

    Args:
        id: names the question.
        figure: the name that the figure goes by until somebody answers.
        candidates: the names that it may have, the likeliest first; ``figure`` among them.
    """

    id: str
    figure: str
    candidates: tuple[str, ...]


NoteKind = Literal["too_far", "no_way"]


@dataclass(frozen=True, slots=True)
class IllegalMove:
    """A move that the rules do not allow, seen all the same: players err, and so does a camera.

    ``too_far``: further than its points; ``no_way``: walls or closed doors lie between. ``steps`` is the shortest way
    and ``points`` what it had, where they are known.
    """

    id: str
    kind: NoteKind
    figure: str
    steps: int | None
    points: int | None
    time_s: float


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
