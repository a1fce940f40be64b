"""What is known of the figures over time: sightings, tracks, questions and notes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

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
