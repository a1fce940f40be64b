"""The calls of one table: every step is on the disk before it is acknowledged, then goes to the listeners."""

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
"""Calls without a judge to come whose pictures are kept, the newest: two long tournaments of one table, 150 MB."""

MOST_CORRECTIONS = 200
"""Corrections that a call takes along: more than hands make in half an hour."""

CallListener = Callable[[TableEvent, Call | None], None]


def wall_clock_ms() -> int:
    """Return milliseconds since 1970, UTC."""
    return time.time_ns() // 1_000_000


class CallBook:
    """The judge's calls of a table, safe to use from every thread.

    Args:
        store: keeps events and what was frozen.
        table: the table's name; a store whose events are of a table that was called otherwise goes on under this one.
        clock_ms: milliseconds since 1970, UTC.
        outlet: takes every event, after the earlier ones that it lacks; None where the table stands alone.

    Raises:
        DocumentError: what is kept was changed.
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
            StoreError: what was frozen cannot be read.
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
        """One frozen part of a call, or None if it is not there.

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
        """Open a call with its frozen parts; the same name again is the same call again.

        Args:
            step: opens it.
            actor: who calls.
            parts: what was frozen.
            name: names the call; made up where nobody gave one.
            corrected_since_t: what was set right by hand since then, milliseconds since 1970, goes along: exactly what
                stands before the call among the events.

        Raises:
            StoreError: it could not be kept; nothing has happened.
        """
        with self._lock:
            if corrected_since_t is not None:
                step = replace(step, corrections=self.corrections_since(corrected_since_t))
            call = self._carry_out(name or secrets.token_hex(8), None, step, actor, parts)
            self._prune()
            return call

    def _prune(self) -> None:
        """Let go of what was frozen for calls that were settled long ago: a table on its own need not close them."""
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
        """Take a step of a call; the same name again returns the same answer and takes nothing twice.

        Args:
            call_id: the call.
            step: what is to happen.
            actor: who does it.
            name: names the step among those of all tables; made up where nobody gave one.

        Raises:
            UnknownName: there is no such call.
            NotYours: only a judge may.
            IllegalStep: the call does not stand so.
            StoreError: it could not be kept; nothing has happened.
        """
        self.call(call_id)
        return self._carry_out(name or secrets.token_hex(8), call_id, step, actor, {})

    def note_correction(self, correction: HandCorrection) -> None:
        """Keep a correction by hand.

        Raises:
            StoreError: it could not be kept.
        """
        with self._lock:
            payload = to_builtins(correction)
            self._keep(self._event(secrets.token_hex(8), "corrected", None, correction.by, payload), {})

    def corrections_since(self, t_ms: int) -> tuple[HandCorrection, ...]:
        """Return the corrections by hand since that time in milliseconds since 1970, the oldest first.

        Of very many, the person who made the most loses the oldest.
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
        """Apply an event; the call that it is about, as it stands after it."""
        self._answered[event.id] = event
        if event.type == "corrected":
            self._corrections.append(convert(event.payload, HandCorrection, f"event {event.seq}"))
        if event.call is None:
            return None
        call = self._calls[event.call] = call_after(self._calls.get(event.call), event)
        return call
