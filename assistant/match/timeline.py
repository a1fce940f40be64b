"""One shared history: the game as a fold over events. Undo, redo and jumps are events too.

A step is an entry of the history. Undo moves entries from the top to the redo stack. The game before each entry stays
available, because games are values that share their unchanged parts.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Annotated, Any, NamedTuple

from msgspec import Meta
from msgspec.structs import replace

from assistant.errors import IllegalStep, NotYours
from assistant.match import kept_order
from assistant.match.actor import PROGRAM, Actor
from assistant.match.clock import Clock, Seconds
from assistant.match.game import Command, GameState, Name, Piece, Step, Text, require
from assistant.match.steps import DeclareEnd, Pass
from assistant.translations.messages import Said, said, said_in, verbatim


class Rewind(Command, frozen=True, kw_only=True, tag="undo"):
    """Take back every entry after ``to`` (an event's number, 0 for the beginning); None: the last one."""

    rule = kept_order.HISTORY
    to: int | None = None


class AskUndo(Command, frozen=True, kw_only=True, tag="ask_undo"):
    """A player's request to go back to just after the entry ``to``. Another side's `undo` to ``to`` grants it."""

    rule = kept_order.HISTORY
    to: int


class RefuseUndo(Command, frozen=True, kw_only=True, tag="refuse_undo"):
    """A refusal of the request for an undo, or its withdrawal by the player who made it."""

    rule = kept_order.HISTORY


class Redo(Command, frozen=True, kw_only=True, tag="redo"):
    """Redo entries up to the number ``to``; None: one."""

    rule = kept_order.HISTORY
    to: int | None = None


class Pause(Command, frozen=True, kw_only=True, tag="pause"):
    """Stop the clocks."""

    rule = kept_order.CLOCKS


class Resume(Command, frozen=True, kw_only=True, tag="resume"):
    """Start the clocks again."""

    rule = kept_order.CLOCKS


class SetLimits(Command, frozen=True, kw_only=True, tag="limits"):
    """Set the time limit of a turn, and of a side in the whole match, or None for no limit."""

    rule = kept_order.CLOCKS
    turn_s: Seconds | None = None
    side_s: Seconds | None = None


class Extend(Command, frozen=True, kw_only=True, tag="extend"):
    """A judge gives the table time back, or takes some of it away again. ``call`` names the judge call behind it."""

    rule = kept_order.CLOCKS
    seconds: Annotated[int, Meta(ge=-24 * 3600, le=24 * 3600)]
    call: Annotated[str, Meta(max_length=200)] = ""


class Wake(Command, frozen=True, kw_only=True, tag="wake"):
    """The program restarted: no side is charged for the time since the last event."""

    rule = kept_order.CLOCKS


class Reseed(Command, frozen=True, kw_only=True, tag="reseed"):
    """Draw further dice from another seed, so that a copy of a match does not predict the match itself."""

    rule = kept_order.HISTORY
    seed: Name


class Note(Command, frozen=True, kw_only=True, tag="note"):
    """Text beside the history that no undo removes: a judge's call, a remark."""

    rule = kept_order.NOTES
    label = said("Leave a note")
    text: Text


HISTORY: tuple[type[Command], ...] = (
    Rewind,
    Redo,
    AskUndo,
    RefuseUndo,
    Pause,
    Resume,
    SetLimits,
    Extend,
    Wake,
    Reseed,
    Note,
)
"""The commands about the match itself, in every game."""


@dataclass(frozen=True, slots=True)
class Event:
    """A command that has happened: its number, its time (milliseconds since 1970, UTC) and its actor."""

    seq: int
    t_ms: int
    actor: Actor
    command: Command
    id: str | None = None


class Entry(NamedTuple):
    """A line of the history; ``done`` is False after an undo."""

    seq: int
    title: Said
    actor: Actor
    reveals: bool
    done: bool


class DoneStep(NamedTuple):
    """An entry that is not undone, with the game before and after it."""

    entry: Entry
    before: GameState
    after: GameState


class StepByHand(NamedTuple):
    """A step of a person, with the game before and after it."""

    event: Event
    step: Step[GameState]
    before: GameState
    after: GameState


@dataclass(frozen=True, slots=True)
class _Done:
    """The top of the stack of entries; ``before`` is None after a start from a snapshot."""

    event: Event
    before: GameState | None
    title: Said
    below: _Done | None


@dataclass(frozen=True, slots=True)
class _Undone:
    """The top of the stack of entries to redo, the next one first."""

    event: Event
    title: Said
    below: _Undone | None


class HistoryLost(Exception):
    """The undo reaches further back than the timeline's snapshot. Fold all events instead."""


AskedSide = Callable[[GameState, frozenset[str]], str | None]
"""Finds the side with an open question, from the game and the sides with devices of their own."""


def _ask_nobody(game: GameState, devices: frozenset[str]) -> None:
    return None


@dataclass(frozen=True)
class Timeline:
    """A match at one moment: the game, the stacks of its history and the clocks."""

    game: GameState
    clock: Clock
    seq: int = 0
    done: _Done | None = None
    undone: _Undone | None = None
    notes: tuple[Event, ...] = ()
    """Notes, which no undo removes."""
    asked: Event | None = None
    """An open request for an undo, until the others answer or the match goes on."""
    devices: frozenset[str] = frozenset()
    """The sides that have given a command from a device of their own."""
    changed_ms: int = 0
    """The time of the last change of the match, when everyone who may answer could see it."""
    seed: str | None = None
    """The seed of further dice, if it differs from the header's."""
    asked_side: AskedSide = field(default=_ask_nobody, compare=False)
    """The side with its own device that must answer before a command closes something (`assistant.match.moments`)."""

    def after(self, event: Event) -> Timeline:
        """Return the match after an event, which was checked before it was stored.

        Raises:
            HistoryLost: the event undoes more than the timeline holds since its snapshot.
        """
        command = event.command
        if isinstance(command, Step):
            after = self._with_step(event, command)
        elif isinstance(command, Rewind):
            after = self._rewind(command)
        elif isinstance(command, Redo):
            after = self._redo(command)
        else:
            after = self
        notes = (*self.notes, event) if isinstance(command, Note) else self.notes
        own = self.devices if event.actor.role != "player" else self.devices | {str(event.actor.side)}
        awaited = self.asked_side(after.game, own) or after.game.side_awaited()
        is_played = not isinstance(command, Wake) and self.game.winner is None
        clock = _set(self.clock.after(event.t_ms, after.game, awaited, is_played=is_played), command)
        is_change = isinstance(command, Rewind | Redo) or (isinstance(command, Step) and not command.keeps_passes)
        return Timeline(
            after.game,
            clock,
            event.seq,
            after.done,
            after.undone,
            notes,
            self._request_after(event),
            own,
            event.t_ms if is_change else self.changed_ms,
            command.seed if isinstance(command, Reseed) else self.seed,
            self.asked_side,
        )

    def check(self, command: Command, actor: Actor) -> None:
        """Require that a command about the history itself is possible now.

        Raises:
            IllegalStep: there is nothing to undo or redo, or only a judge may.
        """
        if isinstance(command, Rewind):
            self._check_rewind(command, actor)
        elif isinstance(command, Redo):
            self._check_redo(command)
        elif isinstance(command, AskUndo):
            self._check_rewind(Rewind(to=command.to), actor)
        elif isinstance(command, RefuseUndo):
            require(self.asked is not None, said("nobody asks for an undo any more"))
        elif isinstance(command, Pause):
            require(self.clock.running, said("the clocks are stopped already; let them run on first"))
        elif isinstance(command, Resume):
            require(not self.clock.running, said("the clocks are running already"))
        elif isinstance(command, Extend | Reseed | Wake):
            self._check_given(command, actor)

    def _check_given(self, command: Extend | Reseed | Wake, actor: Actor) -> None:
        """Require a judge, or the program itself, for commands that no player may give."""
        if isinstance(command, Reseed):
            if actor != PROGRAM:
                raise NotYours.by(kept_order.WHO_DECIDES, said("only the program draws the seed of the dice"))
        elif isinstance(command, Wake):
            if not actor.is_judge:
                raise NotYours.by(kept_order.WHO_DECIDES, said("only a judge can take time off the clocks; call one"))
        elif not actor.is_judge:
            raise NotYours(said("only a judge can give time back; call one"))
        else:
            has_that = command.seconds and self.clock.extra_s + command.seconds >= 0
            require(bool(has_that), said("the table has not got so much time back"))

    def steps(self) -> list[DoneStep]:
        """Return the entries that are not undone, oldest first, each with the game before and after it.

        Raises:
            HistoryLost: the timeline started from a snapshot.
        """
        found, after = [], self.game
        for cell in _cells(self.done):
            if cell.before is None:
                raise HistoryLost
            found.append(DoneStep(_entry(cell, True), cell.before, after))
            after = cell.before
        return found[::-1]

    def last_by_hand(self) -> int | None:
        """Return the entry number to go back to: undoes the last step of a person and all later camera reports.

        None if no person has acted.
        """
        for cell in _cells(self.done):
            if cell.event.actor.role != "camera":
                return 0 if cell.below is None else cell.below.event.seq
        return None

    def why_kept(self) -> Said | None:
        """Return why only a judge may undo the last step of a person: it revealed something, or None if it did not."""
        return _explain_revealed(self._to_undo(Rewind(to=self.last_by_hand())))

    def ended_by(self) -> Actor | None:
        """Return the actor who declared the end, or None if the game's own goals brought it, or the match goes on."""
        declared = self.done is not None and isinstance(self.done.event.command, DeclareEnd)
        return self.done.event.actor if self.done is not None and declared else None

    def last_step_by_hand(self) -> StepByHand | None:
        """Return the last step of a person, or None without one, or after a start from a snapshot."""
        after = self.game
        for cell in _cells(self.done):
            if cell.before is None:
                return None
            if cell.event.actor.role != "camera":
                assert isinstance(cell.event.command, Step), "only steps are put on the stack"
                return StepByHand(cell.event, cell.event.command, cell.before, after)
            after = cell.before
        return None

    def last_moved(self, figure: str) -> StepByHand | None:
        """Return the last step that moved a figure, or None without one, or after a start from a snapshot."""
        after = self.game
        for cell in _cells(self.done):
            if cell.before is None:
                return None
            before, now = cell.before.pieces.get(figure), after.pieces.get(figure)
            if before is not None and now is not None and _place_of(before) != _place_of(now):
                return StepByHand(cell.event, cell.event.command, cell.before, after)
            after = cell.before
        return None

    def free_to(self, side: str | None) -> int:
        """Return the entry number down to which a side may undo without asking: all later entries are its own.

        Camera reports do not count. Without a side the result is 0: nobody needs to agree.
        """
        if side is None:
            return 0
        others = (cell for cell in _cells(self.done) if cell.event.actor.role != "camera")
        foreign = (cell for cell in others if cell.event.actor.role != "player" or cell.event.actor.side != side)
        return next((cell.event.seq for cell in foreign), 0)

    def hasty_to(self, side: str | None) -> int | None:
        """Return the entry number before a command that closed a side's moment without its answer or pass.

        The search goes back to the last command from that side's own devices. None without such a command.
        """
        standing = list(_cells(self.done))
        for place, cell in enumerate(standing):
            command, by = cell.event.command, cell.event.actor
            if side is None or (by.role == "player" and by.side == side):
                return None
            if cell.before is None or by.role in ("camera", "judge"):
                continue
            passed = _passed_by(side, (below.event for below in standing[place + 1 :]))
            if {one.id for one in type(command).moments(cell.before) if one.side == side} - passed:
                return 0 if cell.below is None else int(cell.below.event.seq)
        return None

    def is_granted(self, command: Rewind, side: str | None) -> bool:
        """Return whether another side has asked for exactly this undo."""
        asked = self.asked
        if asked is None or not isinstance(asked.command, AskUndo):
            return False
        return asked.command.to == command.to and asked.actor.side != side

    def _request_after(self, event: Event) -> Event | None:
        """Return the open undo request after an event. Any change of the match except by the camera answers it."""
        if isinstance(event.command, AskUndo):
            return event
        is_answer = isinstance(event.command, Step | Rewind | Redo | RefuseUndo) and event.actor.role != "camera"
        return None if is_answer else self.asked

    def entries(self, last: int | None = None) -> tuple[Entry, ...]:
        """Return the history, oldest first, then the entries to redo in their order.

        ``last`` limits the entries on either side of this moment.
        """
        done = [_entry(cell, True) for cell in islice(_cells(self.done), last)]
        undone = [_entry(cell, False) for cell in islice(_cells(self.undone), last)]
        return (*reversed(done), *undone)

    def _with_step(self, event: Event, step: Step[GameState]) -> Timeline:
        title = step.title(self.game)
        game = _apply_step(step, self.game)
        return Timeline(game, self.clock, event.seq, _Done(event, self.game, title, self.done), None)

    def _rewind(self, command: Rewind) -> Timeline:
        game, done, undone = self.game, self.done, self.undone
        for cell in self._to_undo(command):
            if cell.before is None:
                raise HistoryLost
            game, done = cell.before, cell.below
            undone = _Undone(cell.event, cell.title, undone)
        return Timeline(game, self.clock, self.seq, done, undone)

    def _redo(self, command: Redo) -> Timeline:
        after = self
        for cell in self._to_redo(command):
            step = cell.event.command
            assert isinstance(step, Step), "only steps are put on the stack"
            game = _apply_step(step, after.game)
            done = _Done(cell.event, after.game, cell.title, after.done)
            after = Timeline(game, self.clock, self.seq, done, cell.below)
        return after

    def _to_undo(self, command: Rewind) -> Iterator[_Done]:
        for count, cell in enumerate(_cells(self.done)):
            if (command.to is None and count == 1) or (command.to is not None and cell.event.seq <= command.to):
                return
            yield cell

    def _to_redo(self, command: Redo) -> Iterator[_Undone]:
        for cell in _cells(self.undone):
            yield cell
            if command.to is None or cell.event.seq == command.to:
                return

    def _check_rewind(self, command: Rewind, actor: Actor) -> None:
        cells = list(self._to_undo(command))
        require(bool(cells), said("there is nothing to undo"))
        kept = cells[-1].below
        known = command.to in (None, 0) or (kept is not None and kept.event.seq == command.to)
        require(
            known,
            said("the history has no entry {entry} to go back to; choose one that is listed", entry=command.to),
        )
        refusal = _explain_revealed(cells)
        if refusal is not None and not actor.is_judge:
            raise IllegalStep(refusal)

    def _check_redo(self, command: Redo) -> None:
        numbers = [cell.event.seq for cell in _cells(self.undone)]
        require(bool(numbers), said("there is nothing to redo"))
        known = command.to is None or command.to in numbers
        require(
            known, said("there is no entry {entry} that was taken back; choose one that is listed", entry=command.to)
        )


def fold(start: Timeline, events: Iterable[Event]) -> Timeline:
    """Return the match after all these events."""
    timeline = start
    for event in events:
        timeline = timeline.after(event)
    return timeline


def with_entries(start: Timeline, done: Iterable[tuple[Event, Said]]) -> Timeline:
    """Return a snapshot's match with its entries, which carry no games before them."""
    top: _Done | None = None
    for event, title in done:
        top = _Done(event, None, title, top)
    return dataclasses.replace(start, done=top)


def type_of(command: Command) -> str:
    """Return the ``type`` of a command."""
    return str(type(command).__struct_config__.tag)


def title_of(command: Command, timeline: Timeline) -> Said:
    """Return the history line of a command."""
    if isinstance(command, Step):
        return command.title(timeline.game)
    if isinstance(command, Note):
        return verbatim(command.text)
    if isinstance(command, SetLimits):
        turn, side = ("–" if limit is None else limit for limit in (command.turn_s, command.side_s))
        return said("Time limits: {turn} s a turn, {side} s a side", turn=turn, side=side)
    if isinstance(command, Extend):
        if command.seconds < 0:
            return said("The judge took {seconds} s of the time back again", seconds=-command.seconds)
        return said("The judge gave {seconds} s back", seconds=command.seconds)
    return _HISTORY_TITLES[type(command)]


_HISTORY_TITLES: Mapping[type[Command], Said] = {
    Rewind: said_in("history", "Undo"),
    Redo: said_in("history", "Redo"),
    AskUndo: said("Asks for an undo"),
    RefuseUndo: said("No undo"),
    Pause: said("Clocks stopped"),
    Resume: said("Clocks running"),
    Wake: said("The match goes on"),
    Reseed: said("A copy: from here on its dice are its own"),
}


def _set(clock: Clock, command: Command) -> Clock:
    if isinstance(command, Pause | Resume):
        return replace(clock, running=isinstance(command, Resume))
    if isinstance(command, SetLimits):
        return replace(clock, turn_limit_s=command.turn_s, side_limit_s=command.side_s)
    if isinstance(command, Extend):
        return replace(clock, extra_s=clock.extra_s + command.seconds)
    return clock


def _apply_step(step: Step[GameState], game: GameState) -> GameState:
    """Return the game after a step: decide a win, and clear all passes if the step changes anything."""
    after = step.apply(game).concluded()
    return after if step.keeps_passes or not after.passed else replace(after, passed=())


def _place_of(piece: Piece) -> tuple[object, ...]:
    return sorted(piece.cells), piece.center_mm, piece.on_table


def _explain_revealed(cells: Iterable[_Done]) -> Said | None:
    """Name the newest entry that has revealed something, so that players may not take these back."""
    shown = next((cell for cell in cells if _reveals(cell.event)), None)
    if shown is None:
        return None
    return said("“{title}” revealed something; ask a judge to take it back", title=shown.title)


def _reveals(event: Event) -> bool:
    return isinstance(event.command, Step) and event.command.has_revealed()


def _passed_by(side: str, before: Iterable[Event]) -> set[str]:
    """Return the moments that a side has passed on its own devices since the last change. Newest event first."""
    found: set[str] = set()
    for event in before:
        command = event.command
        if not (isinstance(command, Step) and command.keeps_passes):
            break
        if isinstance(command, Pass) and event.actor.role == "player" and event.actor.side == side:
            found.update(command.asked)
    return found


def _cells(top: Any) -> Iterator[Any]:
    while top is not None:
        yield top
        top = top.below


def _entry(cell: _Done | _Undone, done: bool) -> Entry:
    return Entry(cell.event.seq, cell.title, cell.event.actor, _reveals(cell.event), done)
