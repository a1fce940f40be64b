"""The calls of one table. Each step is saved to disk before it is acknowledged, then goes to the listeners."""

from __future__ import annotations

import logging
import secrets
import threading
import time
from collections.abc import Callable, Mapping

from msgspec import to_builtins
from msgspec.structs import replace

from assistant.app.fair_shares import FairList, SenderShare
from assistant.app.tournament.steps import (
    CallStep,
    OpenCall,
    call_after,
    step_payload,
    step_type,
)
from assistant.app.tournament.table_link import TableLink
from assistant.documents.call import Call, HandCorrection
from assistant.documents.match import convert, line_hash
from assistant.documents.table_event import (
    EventType,
    Person,
    TableEvent,
    table_event_line,
    table_events_from_lines,
)
from assistant.errors import StoreError, UnknownName
from assistant.store import Store
from assistant.translations.messages import said

log = logging.getLogger(__name__)

KEPT_SETTLED = 200
"""Number of settled calls, the newest, whose pictures are kept: two long tournaments of one table, 150 MB."""

MOST_CORRECTIONS = 200
"""Number of hand corrections that a call includes: more than hands make in half an hour."""

CallListener = Callable[[TableEvent, Call | None], None]


def wall_clock_ms() -> int:
    """Return milliseconds since 1970, UTC."""
    return time.time_ns() // 1_000_000


class CallBook:
    """A thread-safe book of a table's calls.

    Args:
        store: stores events and frozen parts.
        table: the table's name; a store with events under an earlier name continues under this one.
        clock_ms: milliseconds since 1970, UTC.
        outlet: receives every event, after any earlier ones that it lacks; None for a table on its own.

    Raises:
        DocumentError: the stored events were altered.
        StoreError: it cannot be read.
    """

    def __init__(
        self,
        store: Store,
        table: str,
        clock_ms: Callable[[], int] = wall_clock_ms,
        outlet: TableLink | None = None,
    ) -> None:
        self._store = store
        self._table = table
        self._clock_ms = clock_ms
        self._lock = threading.RLock()
        self._listeners: list[CallListener] = []
        self._calls: dict[str, Call] = {}
        self._answered: dict[str, TableEvent] = {}
        self._corrections: list[HandCorrection] = []
        self._pruned: set[str] = set()
        self._lines = list(store.table_events())
        events, self._head = table_events_from_lines(self._lines, "table events")
        self._outlet = outlet
        for event, line in zip(events, self._lines, strict=True):
            call = self._count_in(event)
            if outlet is not None and event.seq > outlet.taken_seq:
                outlet.take(event, line, call)

    @property
    def table(self) -> str:
        return self._table

    @property
    def seq(self) -> int:
        """The number of the last event of the table."""
        return len(self._lines)

    @property
    def calls(self) -> tuple[Call, ...]:
        """All calls, the newest first."""
        with self._lock:
            return tuple(sorted(self._calls.values(), key=lambda call: -call.seq))

    def call(self, call_id: str) -> Call:
        """Return the call of that name.

        Raises:
            UnknownName: there is none.
        """
        with self._lock:
            if call_id in self._calls:
                return self._calls[call_id]
        raise UnknownName(said("there is no such call; choose one of the list"))

    def kept(self, call_id: str) -> tuple[Call, tuple[bytes, ...], dict[str, bytes]]:
        """Return a call, the lines of all events of the table so far, and the frozen parts of the call.

        Raises:
            UnknownName: there is no such call.
            StoreError: the frozen parts cannot be read.
        """
        with self._lock:
            return self.call(call_id), tuple(self._lines), self._store.frozen_parts(call_id)

    def events_of(self, call_id: str) -> tuple[TableEvent, ...]:
        """Return the events of a call, the oldest first."""
        with self._lock:
            return tuple(event for event in self._answered.values() if event.call == call_id)

    def has_taken(self, name: str) -> bool:
        """Return whether a step of that name was taken."""
        with self._lock:
            return name in self._answered

    def frozen_part(self, call_id: str, name: str) -> bytes | None:
        """Return one frozen part of a call, or None if it does not exist.

        Raises:
            StoreError: it cannot be read.
        """
        return self._store.frozen_part(call_id, name)

    def subscribe(self, listener: CallListener) -> None:
        """Call the listener after each event, in the thread that caused it."""
        self._listeners.append(listener)

    def open_call(
        self,
        step: OpenCall,
        actor: Person,
        parts: Mapping[str, bytes],
        name: str | None = None,
        *,
        corrected_since_t: int | None = None,
    ) -> Call:
        """Open a call with its frozen parts. Repeating the same name returns the same call.

        Args:
            step: opens it.
            actor: who calls.
            parts: the frozen parts by name.
            name: the call's name; generated if None.
            corrected_since_t: time in milliseconds since 1970 from which hand corrections are included: exactly those
                before the call among the events.

        Raises:
            StoreError: it could not be saved; nothing has happened.
        """
        with self._lock:
            if corrected_since_t is not None:
                step = replace(step, corrections=self.corrections_since(corrected_since_t))
            call = self._carry_out(name or secrets.token_hex(8), None, step, actor, parts)
            self._prune()
            return call

    def _prune(self) -> None:
        """Delete the frozen parts of long-settled calls, because a table on its own need not close them."""
        settled = [call.id for call in self.calls if call.state in ("ruled", "closed") and call.id not in self._pruned]
        gone = settled[KEPT_SETTLED:]
        if not gone:
            return
        try:
            self._store.forget_frozen(gone)
        except StoreError as problem:  # the next call tries again
            log.warning("%s", problem)
            return
        self._pruned.update(gone)

    def take_step(self, call_id: str, step: CallStep, actor: Person, name: str | None = None) -> Call:
        """Apply a step to a call. Repeating the same name returns the same answer and applies nothing twice.

        Args:
            call_id: the call.
            step: the step.
            actor: the person who takes it.
            name: the step's name, unique across tables; generated if None.

        Raises:
            UnknownName: there is no such call.
            NotYours: only a judge may.
            IllegalStep: the call's state does not allow it.
            StoreError: it could not be saved; nothing has happened.
        """
        self.call(call_id)
        return self._carry_out(name or secrets.token_hex(8), call_id, step, actor, {})

    def note_correction(self, correction: HandCorrection) -> None:
        """Save a correction by hand.

        Raises:
            StoreError: it could not be saved.
        """
        with self._lock:
            payload = to_builtins(correction)
            self._keep(self._event(secrets.token_hex(8), "corrected", None, correction.by, payload), {})

    def corrections_since(self, t_ms: int) -> tuple[HandCorrection, ...]:
        """Return the hand corrections since a time in milliseconds since 1970, the oldest first.

        Beyond the limit, the person with the most corrections loses the oldest.
        """
        with self._lock:
            since = [one for one in self._corrections if one.t >= t_ms]
        kept = FairList[HandCorrection](MOST_CORRECTIONS)
        for number, one in enumerate(since):
            kept.add(number, one, SenderShare(f"{one.by.role} {one.by.name}"))
        return tuple(kept)

    def _carry_out(
        self, name: str, call_id: str | None, step: CallStep, actor: Person, parts: Mapping[str, bytes]
    ) -> Call:
        with self._lock:
            answered = self._answered.get(name)
            if answered is not None:
                return self.call(answered.call or name)
            about = call_id or name
            event = self._event(name, step_type(step), about, actor, step_payload(step))
            after = call_after(self._calls.get(about), event)
            self._keep(event, parts)
            return after

    def _event(
        self, name: str, kind: EventType, call_id: str | None, actor: Person, payload: Mapping[str, object]
    ) -> TableEvent:
        return TableEvent(
            id=name,
            seq=len(self._lines) + 1,
            prev_hash=self._head,
            t=self._clock_ms(),
            table=self._table,
            actor=actor,
            type=kind,
            call=call_id,
            payload=payload,
        )

    def _keep(self, event: TableEvent, parts: Mapping[str, bytes]) -> None:
        line = table_event_line(event)
        self._store.append_table_event(event.seq, line, event.call or "", parts)
        self._lines.append(line)
        self._head = line_hash(line)
        call = self._count_in(event)
        if self._outlet is not None:
            self._outlet.take(event, line, call)
        for listener in tuple(self._listeners):
            listener(event, call)

    def _count_in(self, event: TableEvent) -> Call | None:
        """Apply an event, and return its call afterwards, or None if it belongs to no call."""
        self._answered[event.id] = event
        if event.type == "corrected":
            self._corrections.append(convert(event.payload, HandCorrection, f"event {event.seq}"))
        if event.call is None:
            return None
        call = self._calls[event.call] = call_after(self._calls.get(event.call), event)
        return call
