"""Judging at one table: a call freezes the moment, a ruling adjusts the match clock, evidence is written."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Literal

from assistant.app.live.table_correction import TableCorrection
from assistant.app.tournament.call_book import CallBook, wall_clock_ms
from assistant.app.tournament.evidence import write_evidence
from assistant.app.tournament.freezing import TableNow, freeze_moment
from assistant.app.tournament.membership import Membership
from assistant.app.tournament.steps import (
    Appeal,
    CallStep,
    CloseCall,
    EmptyField,
    GiveRuling,
    OpenCall,
    PastStep,
    call_after,
    corrections_from_t,
    past_steps,
    settled,
)
from assistant.app.tournament.table_key import TableKey, key_fingerprint
from assistant.documents.call import Call, CorrectionKind, FreeCorrection, HandCorrection
from assistant.documents.evidence import MOMENT
from assistant.documents.moment import FrozenMoment, moment_from_json
from assistant.documents.table_event import Person
from assistant.errors import CannotDo, IllegalStep, StoreError, UnknownName
from assistant.match.actor import PROGRAM, Actor
from assistant.match.session import Receipt, Session
from assistant.table.fields import MAX_NAME
from assistant.table.lattice import Cell
from assistant.translations.messages import said


class CalledWithoutEvidence(CannotDo):
    """A judge was called, but nothing of the table could be stored."""

    http_status = 507
    sentence = said("A judge is called, without evidence: the disk is full. Make room on it.")


@dataclass
class Referee:
    """The calls of this table, as used by people at the table and at a desk.

    Args:
        book: stores the calls.
        key: signs the evidence.
        match: returns the current match, if any.
    """

    book: CallBook
    key: TableKey
    match: Callable[[], Session | None]
    member: Membership | None = None
    """The table's part in a tournament, if any."""
    _ruling: threading.Lock = field(default_factory=threading.Lock)

    @property
    def fingerprint(self) -> str:
        """The fingerprint of the table's public key."""
        return key_fingerprint(self.key.public)

    def call_judge(self, question: str, actor: Person, now: TableNow, name: str | None = None) -> Call:
        """Open a call with the table of this moment. Repeating the same name returns the same call.

        If the disk has no room for the pictures, the call freezes everything else.

        Raises:
            CalledWithoutEvidence: it could not be stored, but the desk learns that a judge is called.
            StoreError: it could not be stored, and this table has no desk; nothing has happened.
        """
        try:
            call = self._open(question, actor, now, name)
        except StoreError as problem:
            try:
                call = self._open(question, actor, replace(now, shots=(), asked=()), name)
            except StoreError:
                if self.member is None:
                    raise problem from None
                self.member.call_bare()
                raise CalledWithoutEvidence from None
        if self.member is not None:
            self.member.end_bare_call()
        self._stop_clocks(call.id)
        return call

    @property
    def waiting(self) -> tuple[Call, ...]:
        """The calls that await a judge, the newest first. A table on its own lists only those of its current match."""
        waiting = (call for call in self.book.calls if call.state in ("open", "appealed"))
        return tuple(call for call in waiting if self.member is not None or not self.is_earlier(call))

    def is_earlier(self, call: Call) -> bool:
        """Return whether a judge was called before the match of this table began."""
        match = self.match()
        return match is not None and call.opened_t < match.header.created_t

    def _stop_clocks(self, name: str) -> None:
        """Stop the clocks for a call or an appeal. In a tournament they run on, and the judge gives time back."""
        match = self.match()
        if self.member is None and match is not None and match.timeline.clock.running:
            # Somebody may have stopped them at the same moment. A full disk must not prevent the call.
            with suppress(IllegalStep, StoreError):
                match.command({"type": "pause", "id": f"called {name}"}, PROGRAM)

    def _run_clocks(self, name: str) -> None:
        """Restart clocks that a call stopped, once nothing awaits a judge."""
        match = self.match()
        if self.member is None and match is not None and match.clocks_stopped_by == PROGRAM and not self.waiting:
            with suppress(IllegalStep, StoreError):
                match.command({"type": "resume", "id": f"settled {name}"}, PROGRAM)

    def _open(self, question: str, actor: Person, now: TableNow, name: str | None) -> Call:
        frozen = freeze_moment(now)
        step = OpenCall(question=question, frozen_hash=frozen.hash)
        since_t = corrections_from_t(now.t_ms, frozen.moment.match)
        return self.book.open_call(step, actor, frozen.parts, name, corrected_since_t=since_t)

    def take_step(
        self, call_id: str, step: CallStep, actor: Person, name: str, empty: EmptyField | None = None
    ) -> Call:
        """Apply a step to a call, and pass a ruling's change of extra time on to the match clock.

        At a table on its own the clocks stop from a call to its ruling, and from an appeal to the ruling on it.

        Arguments and errors as for ``CallBook.take_step``. ``empty`` is the meaning of empty fields in a later ruling,
        or None for a desk's step, where they are already filled in. A step repeated under the same name is not applied
        twice, but its effect on the clock is ensured.
        """
        with self._ruling:  # of two simultaneous first rulings, one is the later
            if empty is not None and not self.book.has_taken(name):
                step = settled(self.book.call(call_id), step, empty)
            call = self.book.take_step(call_id, step, actor, name)
        match = self.match()
        if isinstance(step, GiveRuling) and match is not None:
            seconds = max(self._given_by(call.id, name), -match.timeline.clock.extra_s)
            extend = {"type": "extend", "seconds": seconds, "call": call.id, "id": f"call {name}"}
            if seconds:
                match.command(extend, Actor(role="judge", name=actor.name))
        if isinstance(step, Appeal):
            self._stop_clocks(name)
        elif isinstance(step, GiveRuling | CloseCall):
            self._run_clocks(name)
        return call

    def _given_by(self, call_id: str, name: str) -> int:
        """Return the seconds by which a step changed the extra time of its call."""
        before_s, call = 0, None
        for event in self.book.events_of(call_id):
            call = call_after(call, event)
            if event.id == name:
                return call.extension_s - before_s
            before_s = call.extension_s
        return 0

    def note_table(self, said: TableCorrection, actor: Person) -> None:
        """Record a person's correction of the camera's reading.

        Raises:
            StoreError: it could not be stored.
        """
        for kind, subject, value in _iterate_said(said):
            self._note(kind, subject, value, actor)

    def note_free(self, kind: FreeCorrection, subject: str, actor: Person) -> None:
        """Record a person's change of terrain without a grid, or answer about a doubtful base.

        Raises:
            StoreError: it could not be stored.
        """
        self._note(kind, subject, "", actor)

    def note_step(self, receipt: Receipt) -> None:
        """Record a match step that was taken by hand.

        Raises:
            StoreError: it could not be stored.
        """
        role: Literal["judge", "player"] = "judge" if receipt.actor.is_judge else "player"
        actor = Person(role=role, name=receipt.actor.name, side=receipt.actor.side or "")
        match = self.match()
        value = str(receipt.title) if match is None else f"{receipt.title} [{match.header.id}]"
        self._note("step", str(receipt.seq), value, actor)

    def _note(self, kind: CorrectionKind, subject: str, value: str, actor: Person) -> None:
        self.book.note_correction(
            HandCorrection(t=wall_clock_ms(), by=actor, kind=kind, subject=subject[:MAX_NAME], value=value)
        )

    def moment(self, call_id: str) -> FrozenMoment:
        """Return the frozen moment of a call.

        Raises:
            UnknownName: there is no such call.
            StoreError: it cannot be read.
        """
        return moment_from_json(self.part(call_id, MOMENT), MOMENT)

    def part(self, call_id: str, name: str) -> bytes:
        """Return one frozen part of a call.

        Raises:
            UnknownName: there is no such call, or no such part.
            StoreError: it cannot be read.
        """
        self.book.call(call_id)
        content = self.book.frozen_part(call_id, name)
        if content is None:
            raise UnknownName(said("the call has no frozen item of this name"))
        return content

    def evidence(self, call_id: str) -> bytes:
        """Write the ``sightline.evidence/1`` file of a call in its present state.

        Raises:
            UnknownName: there is no such call.
            StoreError: the frozen parts cannot be read.
        """
        sealed = None if self.member is None else self.member.sealed
        return write_evidence(self.book, self.key, call_id, wall_clock_ms(), sealed)

    def past_steps(self, call_id: str) -> tuple[PastStep, ...]:
        """Return all rulings and appeals of a call."""
        return past_steps(self.book.events_of(call_id), call_id)

    def has_reached_desk(self, call: Call) -> bool | None:
        """Return whether a desk has the call's latest state, or None for a table on its own."""
        if self.member is None:
            return None
        return all(self.member.link.has_reached_desk(event.id) for event in self.book.events_of(call.id))


def _iterate_said(said: TableCorrection) -> Iterator[tuple[CorrectionKind, str, str]]:
    """Yield each statement of a correction: its kind, its subject, its value."""
    for figure, cells in said.figures.items():
        yield ("gone", figure, "") if cells is None else ("figure", figure, _places(cells))
    for door, is_open in said.doors.items():
        yield ("gone", door, "") if is_open is None else ("door", door, "open" if is_open else "closed")
    for name, really in said.names.items():
        yield "name", name, really
    for question, figure in said.answers.items():
        yield "answer", question, figure
    for edges in said.new_doors:
        yield "new_door", "", _places(edges[0].cells)
    for edges in said.no_doors:
        yield "no_door", "", _places(edges[0].cells)
    for nobody in said.nobody:
        yield "nobody", "", _places(nobody)
    for name in said.sure:
        yield "sure", name, ""


def _places(cells: Iterable[Cell]) -> str:
    """Format cells by column and row of the board."""
    return " ".join(f"{column}/{row}" for column, row in cells)
