"""Judges at one table: a call freezes the moment, a ruling reaches the match clock, evidence is written."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from assistant.app.tournament.call_book import CallBook, wall_clock_ms
from assistant.app.tournament.evidence import EvidenceWriter
from assistant.app.tournament.freezing import TableNow, freeze_moment
from assistant.app.tournament.steps import CallStep, GiveRuling, OpenCall
from assistant.app.tournament.table_key import TableKey, key_fingerprint
from assistant.documents.call import Call, HandCorrection
from assistant.documents.evidence import MOMENT
from assistant.documents.moment import Moment, moment_from_json
from assistant.documents.table_event import Person
from assistant.errors import UnknownName
from assistant.match.actor import Actor
from assistant.match.session import Session
from assistant.translations.messages import said

CORRECTIONS_MS = 30 * 60 * 1000
"""How long before a call a correction by hand still matters to it: about a round of any game."""


@dataclass
class Referee:
    """What people at a table and at a desk do with the calls of this table.

    Args:
        book: keeps the calls.
        key: signs the evidence.
        match: the match that is played, if one is.
    """

    book: CallBook
    key: TableKey
    match: Callable[[], Session | None]

    @property
    def fingerprint(self) -> str:
        """That of the table's public key, as people compare it."""
        return key_fingerprint(self.key.public)

    def call_judge(self, question: str, actor: Person, now: TableNow, name: str | None = None) -> Call:
        """A new call with the table as it is now; the same name again is the same call again.

        Raises:
            StoreError: it could not be kept; nothing has happened.
        """
        frozen = freeze_moment(now)
        corrections = self.book.corrections_since(now.t_ms - CORRECTIONS_MS)
        step = OpenCall(question=question, frozen_hash=frozen.hash, corrections=corrections)
        return self.book.open_call(step, actor, frozen.parts, name)

    def take_step(self, call_id: str, step: CallStep, actor: Person, name: str) -> Call:
        """The call after a step, whoever takes it; time that a ruling gives back reaches the match clock.

        Arguments and errors as for ``CallBook.take_step``. A step that comes again under the same name is not taken
        twice, but what it should have done to the clock is made sure of.
        """
        call = self.book.take_step(call_id, step, actor, name)
        match = self.match()
        if isinstance(step, GiveRuling) and step.extension_s and match is not None:
            judge = Actor(role="judge", name=actor.name)
            match.command({"type": "extend", "seconds": step.extension_s, "call": call.id, "id": f"call {name}"}, judge)
        return call

    def note_correction(self, correction: HandCorrection) -> None:
        """Keeps what somebody set right by hand.

        Raises:
            StoreError: it could not be kept.
        """
        self.book.note_correction(correction)

    def moment(self, call_id: str) -> Moment:
        """What was frozen for a call.

        Raises:
            UnknownName: there is no such call.
            StoreError: it cannot be read.
        """
        return moment_from_json(self.part(call_id, MOMENT), MOMENT)

    def part(self, call_id: str, name: str) -> bytes:
        """One part of what was frozen for a call.

        Raises:
            UnknownName: there is no such call, or no such part.
            StoreError: it cannot be read.
        """
        self.book.call(call_id)
        content = self.book.frozen_part(call_id, name)
        if content is None:
            raise UnknownName(said("nothing of this name was frozen for the call"))
        return content

    def evidence(self, call_id: str) -> bytes:
        """The ``sightline.evidence/1`` file of a call as it stands now.

        Raises:
            UnknownName: there is no such call.
            StoreError: what was frozen cannot be read.
        """
        return EvidenceWriter(self.book, self.key, wall_clock_ms).write(call_id)
