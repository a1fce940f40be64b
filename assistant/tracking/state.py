"""Everything that is remembered of a watched table, as one frozen value."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from assistant.table.board import Board, Door, Figure
from assistant.table.lattice import Cell
from assistant.table.observation import Observation
from assistant.table.roster import Roster
from assistant.table.statements import Statements
from assistant.tracking.association import AssociationCandidate
from assistant.tracking.changes import Altered, Difference, Suspicion
from assistant.tracking.values import (
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


def _make_empty() -> MappingProxyType[object, object]:
    return MappingProxyType({})


@dataclass(frozen=True, eq=False)
class TrackedTable:
    """The table as it is believed to be.

    What the camera last told for sure (``accepted``) is kept apart from who stands where (``tracks``): a person may
    say that the camera is wrong, and it stays wrong until it sees something else than it did.

    Args:
        roster: the figures that there are.
        reference: the reading whose lattice names the cells.
        ground: the board without figures and doors.
        accepted: the figures and doors that the camera shows, agreed.
        tracks: the figures that are on the table or were lifted from it, by name.
        offsets: how each of those figures stands on its cells.
        newcomers: figures of ``accepted`` of which nobody knows yet who they are, and when they came.
        altered: figures that look otherwise than before a hand came, until all that it touched is in view.
        suspicions: what differs from ``accepted`` and is not agreed yet.
        next_ground: a board that differs from ``ground`` and is not agreed yet.
        hidden: the cells that could not be judged in the last look.
        touched: the cells where a hand was since everything was settled.
        touched_s: when the hand was last seen.
        lifted: when each lifted figure left its cells.
        moved: when figures came to other cells since everything was settled.
        chronicle: when everything was last in view.
        told: what people said that holds though the camera shows otherwise, or is not sure.
        open_by_hand: standing doors of which a person said that they are open.
        door_names: the name of each door that was ever seen.
        questions: what the people at the table are asked, the oldest first.
        notes: moves that the rules do not allow, the oldest first.
        count: how many questions and notes there were.
        last: the reading of the last look, and its board under the names of ``reference``.
    """

    roster: Roster
    reference: Observation
    ground: Board
    accepted: frozenset[Sighting | StandingDoor]
    touched: frozenset[Cell]
    touched_s: float
    last: tuple[Observation, Board]
    tracks: Mapping[str, Track] = field(default_factory=_make_empty)  # type: ignore[arg-type]
    offsets: Mapping[Sighting, Offset] = field(default_factory=_make_empty)  # type: ignore[arg-type]
    newcomers: Mapping[Sighting, Span] = field(default_factory=_make_empty)  # type: ignore[arg-type]
    altered: Mapping[Sighting, Altered] = field(default_factory=_make_empty)  # type: ignore[arg-type]
    suspicions: Mapping[Difference, Suspicion] = field(default_factory=_make_empty)  # type: ignore[arg-type]
    next_ground: tuple[Board, Suspicion] | None = None
    hidden: frozenset[Cell] = frozenset()
    lifted: Mapping[str, Span] = field(default_factory=_make_empty)  # type: ignore[arg-type]
    moved: Mapping[str, Span] = field(default_factory=_make_empty)  # type: ignore[arg-type]
    chronicle: Chronicle = field(default_factory=Chronicle)
    told: Statements = field(default_factory=Statements)
    open_by_hand: frozenset[StandingDoor] = frozenset()
    door_names: Mapping[StandingDoor, str] = field(default_factory=_make_empty)  # type: ignore[arg-type]
    questions: tuple[IdentityQuestion, ...] = ()
    notes: tuple[IllegalMove, ...] = ()
    count: int = 0

    @property
    def doubted(self) -> Iterator[Sighting]:
        """The figures that may have been touched where they stand, as long as that is not settled."""
        yield from (sighting for sighting, each in self.altered.items() if not each.is_told)
        yield from (d.thing.sighting for d in self.suspicions if isinstance(d.thing, Shift))

    def with_track(self, track: Track) -> TrackedTable:
        """The table with a figure as it is known now."""
        return replace(self, tracks=MappingProxyType({**self.tracks, track.id: track}))

    def without_track(self, figure_id: str) -> TrackedTable:
        """The table without a figure; questions about it are void."""
        tracks = {name: track for name, track in self.tracks.items() if name != figure_id}
        questions = tuple(q for q in self.questions if q.figure != figure_id)
        return replace(self, tracks=MappingProxyType(tracks), questions=questions)

    def shown_by(self, sighting: Sighting) -> Track | None:
        """The figure that a sighting shows; None where nobody, or nobody yet, is taken for it."""
        return next((track for track in self.tracks.values() if track.shown_by == sighting), None)

    @property
    def standing(self) -> Iterator[Track]:
        """The figures that are on the board: those in a hand count where they stood while the hand is there."""
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
        """The doors that stand: those that the camera shows or people told of, none that they denied."""
        told = {StandingDoor(edges) for edges in self.told.doors}
        stand = {door for door in told if self.ground.cells.issuperset(door.cells)} | self._seen_doors
        return sorted(door for door in stand if door.edges not in self.told.no_doors)

    @property
    def _seen_doors(self) -> set[StandingDoor]:
        return {thing for thing in self.accepted if isinstance(thing, StandingDoor)}

    def with_doors_named(self) -> TrackedTable:
        """The table with a name for each door; a door that comes back to its edge has the name that it had."""
        names = dict(self.door_names)
        for door in sorted(self._seen_doors.union(self.doors)):
            names.setdefault(door, f"door-{len(names) + 1}")
        return replace(self, door_names=MappingProxyType(names))

    def candidates(self, most: int) -> list[AssociationCandidate]:
        """Who a newcomer may be: the lifted, those that only a person told of, and ``most`` of each kind of the box."""
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
        """The table as the rules see it, everybody under their own name."""
        return replace(
            self.ground,
            doors=tuple(Door(self.door_names[d], d.edges, d in self.open_by_hand) for d in self.doors),
            figures=tuple(Figure(t.id, t.kind, t.side, t.cells) for t in sorted(self.standing, key=lambda t: t.id)),
        )
