"""Knowledge about figures over time: sightings, tracks, questions, notes, and times of events."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, NamedTuple

from assistant.table.lattice import Cell, Edge

Cells = tuple[Cell, ...]


@dataclass(frozen=True, slots=True, order=True)
class Sighting:
    """A figure as the camera shows it: its sorted cells, and its kind, or empty if unknown."""

    cells: Cells
    kind: str


@dataclass(frozen=True, slots=True, order=True)
class StandingDoor:
    """A standing door, by its closed edges."""

    edges: tuple[Edge, ...]

    @property
    def cells(self) -> Cells:
        """The cells on both sides, which must be in view to judge the door."""
        return tuple(cell for edge in self.edges for cell in edge.cells)


@dataclass(frozen=True, slots=True, order=True)
class Shift:
    """A figure in another pose on its cells: put back there, or replaced by another one."""

    sighting: Sighting

    @property
    def cells(self) -> Cells:
        return self.sighting.cells


Thing = Sighting | StandingDoor | Shift

Offset = tuple[float, float]
"""Offset of a base from the centre of its cells, along columns and rows, in millimetres."""


@dataclass(frozen=True, slots=True)
class Track:
    """A figure over time.

    Args:
        id: its name.
        kind: its kind.
        side: its side.
        cells: its present cells, or its last ones while it is lifted.
        shown_by: its sighting; None for a lifted figure, or one that only a person has placed.
        is_lifted: whether it has left its cells and is not yet seen elsewhere.
        is_away: whether it did not reappear: removed from the table, or waiting beside it.
        is_kind_seen: whether the camera saw its kind or a person stated it; otherwise ``kind`` is the likeliest one.
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
    """A question to people about a figure's identity. Meanwhile the game continues with the likeliest answer.

    ``figure`` is its provisional name, one of the ``candidates``, which are listed by likelihood.
    """

    id: str
    figure: str
    candidates: tuple[str, ...]


NoteKind = Literal["too_far", "no_way"]


@dataclass(frozen=True, slots=True)
class IllegalMove:
    """A note on a move against the rules, since players err and so do cameras.

    ``too_far`` means beyond its points, ``no_way`` that walls or closed doors lie between. ``steps`` is the shortest
    path, and ``points`` are the figure's, if known.
    """

    id: str
    kind: NoteKind
    figure: str
    steps: int | None
    points: int | None
    time_s: float


LONGEST_S = 10.0
"""Assumed length in seconds of a span with an unknown start."""


class Span(NamedTuple):
    """A moment known only to lie between two others, in seconds: the last look before it and the first after it."""

    after_s: float
    before_s: float

    @property
    def start_s(self) -> float:
        """Its start, or an assumed one if unknown."""
        return max(self.after_s, self.before_s - LONGEST_S)

    def chance_before(self, other: Span) -> float:
        """Return the chance that this moment was before the other, with both uniform in their spans."""
        a, b, c, d = self.start_s, self.before_s, other.start_s, other.before_s
        if b <= c or d <= a:
            return 0.5 if (a, b) == (c, d) else float(b <= c)
        # The mean, over the other's moment x in [c, d], of the share of [a, b] before x: the integral of (x - a) / (b -
        # a) where x is in [a, b], plus the part of [c, d] after b, where the share is 1.
        low, high = max(a, c), min(b, d)
        rising = ((high - a) ** 2 - (low - a) ** 2) / (2 * (b - a))
        return (rising + max(0.0, d - b)) / (d - c)


def rank_spans(spans: Sequence[Span]) -> list[float]:
    """Return, for each moment, the expected number of the others before it."""
    return [sum(other.chance_before(span) for j, other in enumerate(spans) if j != i) for i, span in enumerate(spans)]


@dataclass(frozen=True)
class Chronicle:
    """The times at which each thing, and each empty cell, was last in view.

    Args:
        calm_s: the last look without a hand and without doubts, which confirmed every belief.
        there_s: things in view since then, with the last time.
        empty_s: cells seen empty since then, with the last time.
    """

    calm_s: float = -math.inf
    there_s: Mapping[Sighting | StandingDoor, float] = field(default_factory=dict)
    empty_s: Mapping[Cell, float] = field(default_factory=dict)

    def after_calm(self, time_s: float) -> Chronicle:
        """Update the chronicle after a look that showed everything unchanged."""
        return Chronicle(calm_s=time_s)

    def after_look(
        self, things: frozenset[Sighting | StandingDoor], in_view: frozenset[Cell], time_s: float
    ) -> Chronicle:
        """Update the chronicle after a look at some of the cells, with the things in it."""
        shown = [thing for thing in things if in_view.issuperset(thing.cells)]
        empty = in_view.difference(*(thing.cells for thing in things))
        there_s = {**self.there_s, **dict.fromkeys(shown, time_s)}
        return replace(self, there_s=there_s, empty_s={**self.empty_s, **dict.fromkeys(empty, time_s)})

    def find_departure(self, thing: Sighting | StandingDoor, gone_s: float) -> Span:
        """Return the span in which a thing first missed at ``gone_s`` left."""
        return Span(max(self.calm_s, self.there_s.get(thing, -math.inf)), gone_s)

    def find_arrival(self, thing: Sighting | StandingDoor, there_s: float) -> Span:
        """Return the span in which a thing first seen at ``there_s`` arrived."""
        return Span(max(self.calm_s, min(self.empty_s.get(cell, -math.inf) for cell in thing.cells)), there_s)
