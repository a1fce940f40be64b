"""Events of a table outside its match: a hash chain, one JSON object a line.

The hash is SHA-256 over the bytes of the line, as in a saved match. Nothing is ever changed in place. A later event
corrects an earlier one. The chain alone cannot reveal missing events at its end. So signatures cover its head, the hash
of the last line.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from assistant.documents.match import line_hash
from assistant.documents.reading import decode_fields
from assistant.errors import BadValue
from assistant.table.fields import MAX_NAME, PRINTABLE, PlainNames, whole
from assistant.translations.messages import said

NO_EVENT = "0" * 64
"""The hash before the first event."""

Hash = Annotated[str, Meta(pattern=whole("[0-9a-f]{64}"))]
TimeMs = Annotated[int, Meta(ge=0, lt=1 << 53)]
Seq = Annotated[int, Meta(ge=1, lt=1 << 53)]
EventName = Annotated[str, Meta(min_length=1, max_length=MAX_NAME, pattern=PRINTABLE)]
"""Name of an event or a call, without control characters, because PostgreSQL text cannot hold a zero byte."""

EventType = Literal["corrected", "opened", "ruled", "appealed", "spoken", "closed"]


class Person(PlainNames, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """An actor at a table, or at the desk for it. ``name`` is self-chosen or empty."""

    role: Literal["player", "judge"]
    name: Annotated[str, Meta(max_length=MAX_NAME)] = ""
    side: Annotated[str, Meta(max_length=MAX_NAME)] = ""
    place: Literal["table", "desk"] = "table"


class TableEvent(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An event of a table.

    Args:
        id: permanently unique among the events of all tables; receivers drop repetitions.
        seq: its number at its table, from 1 without gaps.
        prev_hash: the hash of the line of the event before.
        t: milliseconds since 1970, UTC, for display; ``seq`` is the order.
        table: the table.
        actor: the person.
        type: its type.
        call: its call; None without one.
        payload: the fields of its type.
    """

    id: EventName
    seq: Seq
    prev_hash: Hash
    t: TimeMs
    table: EventName
    actor: Person
    type: EventType
    call: EventName | None = None
    payload: Mapping[str, Any] = {}


def table_event_line(event: TableEvent) -> bytes:
    """Encode an event as a line without a line break. The next event holds the hash of these bytes."""
    return msgspec.json.encode(event)


def table_event_from_line(line: bytes, document: str, field: str | None = None) -> TableEvent:
    """Decode the event of a line.

    Raises:
        DocumentError: the line is not an event.
    """
    return decode_fields(line, TableEvent, document, field)


def table_events_from_lines(lines: Iterable[bytes], document: str = "events") -> tuple[tuple[TableEvent, ...], str]:
    """Read a table's events from the first on, check their chain, and return them with its head.

    Raises:
        DocumentError: a line is not an event, or was altered, added or removed; the line is named.
    """
    events: list[TableEvent] = []
    head = NO_EVENT
    for number, line in enumerate(lines, 1):
        where = f"line {number}"
        event = table_event_from_line(line, document, where)
        if event.seq != number:
            text = said("Event {number} is missing. Event {event} is in its place.", number=number, event=event.seq)
            raise BadValue(text, document=document, field=f"{where}.seq")
        if event.prev_hash != head:
            text = said("The hash of the line before does not match. The file was changed after it was written.")
            raise BadValue(text, document=document, field=f"{where}.prev_hash")
        head = line_hash(line)
        events.append(event)
    return tuple(events), head
