"""Everything remembered about a watched table, as one frozen value."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from assistant.table.board import Board, Door, Figure
from assistant.table.lattice import Cell
from assistant.table.observation import Observation
from assistant.table.roster import Roster
from assistant.table.statements import Statements
from assistant.tracking.association import AssociationCandidate
from assistant.tracking.changes import Altered, Difference, Suspicion
from assistant.tracking.values import (
    Cells,
    Chronicle,
    IdentityQuestion,
    IllegalMove,
    Offset,
    Shift,
    Sighting,
    Span,
    StandingDoor,
    Track,
)


@dataclass(frozen=True, eq=False)
class TrackedTable:
    """The table as the program believes it.

    The camera's agreed sightings (``accepted``) are separate from the identities (``tracks``). A person may overrule
    the camera, which then stays overruled until it sees something else.

    Args:
        roster: all figures of the match.
        reference: the reading whose lattice names the cells.
        ground: the board without figures and doors.
        accepted: the figures and doors that the camera shows, once readings agree.
        touched: the cells that a hand has covered since all was settled.
        touched_s: when a hand was last in view.
        last: the reading of the last look, and its board in the lattice of ``reference``.
        tracks: the figures on the table or lifted from it, by name.
        offsets: the offset of each accepted figure on its cells.
        newcomers: accepted figures without a name yet, with their times of arrival.
        altered: figures that look different since a hand was there, until everything it touched is in view.
        suspicions: differences from ``accepted`` on which readings do not agree yet.
        next_ground: another board on which readings do not agree yet.
        hidden: the cells that the last look could not judge.
        lifted: the time at which each lifted figure left its cells.
        moved: the times at which figures came to other cells since all was settled.
        restless: the kinds of figures that did so twice.
        chronicle: the times at which everything was last in view.
        statements: people's statements against the camera, or where it is unsure.
        open_by_hand: standing doors that a person stated to be open.
        door_names: the name of each door ever seen.
        questions: open questions to the people, the oldest first.
        notes: illegal moves, the oldest first.
        covered: the cells with something across them, such as a deep shadow, while no figure was missing.
        occupied: the cells under figures at that time.
        fallen: for each figure that has fallen over, the cells across which it lies.
        count: the number of questions and notes so far.
    """

    roster: Roster
    reference: Observation
    ground: Board
    accepted: frozenset[Sighting | StandingDoor]
    touched: frozenset[Cell]
    touched_s: float
    last: tuple[Observation, Board]
    tracks: Mapping[str, Track] = field(default_factory=dict)
    offsets: Mapping[Sighting, Offset] = field(default_factory=dict)
    newcomers: Mapping[Sighting, Span] = field(default_factory=dict)
    altered: Mapping[Sighting, Altered] = field(default_factory=dict)
    suspicions: Mapping[Difference, Suspicion] = field(default_factory=dict)
    next_ground: tuple[Board, Suspicion] | None = None
    hidden: frozenset[Cell] = frozenset()
    lifted: Mapping[str, Span] = field(default_factory=dict)
    moved: Mapping[str, Span] = field(default_factory=dict)
    restless: frozenset[str] = frozenset()
    chronicle: Chronicle = field(default_factory=Chronicle)
    statements: Statements = field(default_factory=Statements)
    open_by_hand: frozenset[StandingDoor] = frozenset()
    door_names: Mapping[StandingDoor, str] = field(default_factory=dict)
    questions: tuple[IdentityQuestion, ...] = ()
    notes: tuple[IllegalMove, ...] = ()
    covered: frozenset[Cell] = frozenset()
    occupied: frozenset[Cell] = frozenset()
    fallen: Mapping[str, Cells] = field(default_factory=dict)
    count: int = 0

    @property
    def doubted(self) -> Iterator[Sighting]:
        """The figures possibly touched in their places, until this is settled."""
        yield from (sighting for sighting, each in self.altered.items() if not each.is_settled)
        yield from (d.thing.sighting for d in self.suspicions if isinstance(d.thing, Shift))

    def with_track(self, track: Track) -> TrackedTable:
        """Replace a figure's track."""
        return replace(self, tracks={**self.tracks, track.id: track})

    def without_track(self, figure_id: str) -> TrackedTable:
        """Remove a figure, and the questions about it."""
        tracks = {name: track for name, track in self.tracks.items() if name != figure_id}
        questions = tuple(q for q in self.questions if q.figure != figure_id)
        fallen = {name: cells for name, cells in self.fallen.items() if name != figure_id}
        return replace(self, tracks=tracks, questions=questions, fallen=fallen)

    def shown_by(self, sighting: Sighting) -> Track | None:
        """Return the figure that a sighting shows, or None if it has no name yet."""
        return next((track for track in self.tracks.values() if track.shown_by == sighting), None)

    @property
    def standing(self) -> Iterator[Track]:
        """The figures on the board. One in a hand counts in its old place while the hand is there."""
        firm = [track for track in self.tracks.values() if not track.is_lifted]
        taken = {cell for track in firm for cell in track.cells}
        yield from firm
        for track in self.tracks.values():
            is_there = taken.isdisjoint(track.cells) and self.ground.cells.issuperset(track.cells)
            if track.is_lifted and not track.is_away and self.hidden and is_there:
                taken.update(track.cells)
                yield track

    @property
    def doors(self) -> list[StandingDoor]:
        """The standing doors that the camera or people show, except those that people deny."""
        stated = {StandingDoor(edges) for edges in self.statements.doors}
        stand = {door for door in stated if self.ground.cells.issuperset(door.cells)} | self._camera_doors
        return sorted(door for door in stand if door.edges not in self.statements.no_doors)

    @property
    def _camera_doors(self) -> set[StandingDoor]:
        return {thing for thing in self.accepted if isinstance(thing, StandingDoor)}

    def with_doors_named(self) -> TrackedTable:
        """Name every door. One that returns to its edges keeps its name."""
        names = dict(self.door_names)
        for door in sorted(self._camera_doors.union(self.doors)):
            names.setdefault(door, f"door-{len(names) + 1}")
        return replace(self, door_names=names)

    def candidates(self, most: int) -> list[AssociationCandidate]:
        """Return the newcomers' candidates: lifted or only hand-placed figures, and ``most`` per kind in the box."""
        ringless = {figure.kind for figure in self.roster.figures if figure.ring is None}
        found = [
            AssociationCandidate(
                t.id,
                t.kind,
                t.side,
                () if t.is_away else t.cells,
                is_known=t.is_away,
                is_kind_seen=t.is_kind_seen,
                has_ring=t.is_kind_seen and t.kind not in ringless,
                left=self.lifted.get(t.id),
            )
            for t in self.tracks.values()
            if t.shown_by is None
        ]
        left: dict[str, int] = {}
        for figure in self.roster.figures:
            if figure.id not in self.tracks and left.setdefault(figure.kind, most) > 0:
                left[figure.kind] -= 1
                found.append(
                    AssociationCandidate(figure.id, figure.kind, figure.side, (), has_ring=figure.ring is not None)
                )
        return found

    def board(self) -> Board:
        """Return the board for the rules, with every figure under its name."""
        return replace(
            self.ground,
            doors=tuple(Door(self.door_names[d], d.edges, d in self.open_by_hand) for d in self.doors),
            figures=tuple(Figure(t.id, t.kind, t.side, t.cells) for t in sorted(self.standing, key=lambda t: t.id)),
        )
