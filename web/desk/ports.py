"""What the page asks of a desk, so that tests can stand in for it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from typing import Protocol

from assistant.app.tournament.hall import Hall
from assistant.app.tournament.steps import CallStep
from assistant.documents.call import Call
from assistant.documents.rounds import Round
from assistant.documents.table_event import Person


class HallStore(Protocol):
    """What a desk keeps, as the page reads it; every question may raise ``StoreError``."""

    def calls(self, *, with_closed: bool = False) -> list[Call]:
        """The calls, the oldest first."""

    def call(self, call_id: str) -> Call | None:
        """A call by its id."""

    def events_of_call(self, call_id: str) -> list[bytes]:
        """The lines of its events."""

    def part_names(self, call_id: str) -> list[str]:
        """The names of what was frozen for it and has come."""

    def part(self, call_id: str, name: str) -> bytes | None:
        """One of them, a JPEG or a JSON document."""

    def rounds(self) -> list[Round]:
        """The rounds in their order."""

    def rounds_at(self, then_s: float) -> list[Round]:
        """The rounds as they stood at a time."""

    def change_rounds(self, change: Callable[[list[Round]], Iterable[Round]], now_s: float) -> list[Round]:
        """Changes the rounds."""


class HallDesk(Protocol):
    """A desk of a tournament."""

    hall: Hall
    guard: threading.RLock

    @property
    def store(self) -> HallStore:
        """What it keeps."""

    def speak(self, call_id: str, step: CallStep, by: Person) -> Call:
        """Takes a step of a call for its table."""
