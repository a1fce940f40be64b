"""What tables and desks of a tournament tell one another: small JSON documents, each with its format.

A number after the format's name grows when an older reader would misread it; a reader that meets a greater number
than its own says so (``NewerFormat``) instead of guessing.
"""

from __future__ import annotations

import re
from typing import Annotated, Literal, TypeVar

import msgspec
from msgspec import Meta, Struct

from assistant.documents.call import Call
from assistant.documents.reading import decode_fields, format_of
from assistant.documents.table_event import EventName, EventType, Person, TableEvent, TimeMs, table_event_from_line
from assistant.errors import BadValue, DocumentError, UnknownFormat
from assistant.table.fields import MAX_NAME, Name
from assistant.translations.messages import Said, said

MAX_MESSAGE_BYTES = 1 << 20
"""Pictures never go through the broker; the longest event has some kilobytes."""

PROTOCOL = 2
"""What this program speaks; desks and tables tell one another."""

Text = Annotated[str, Meta(max_length=2000)]
Presence = Literal["online", "stopped", "offline"]


class NewerFormat(UnknownFormat):
    """A message of a format that is younger than this program."""


class Status(Struct, frozen=True, kw_only=True, tag_field="format", tag="sightline.status/1"):
    """Whether a table or a desk is there; its will says ``offline``.

    Args:
        state: ``online`` at each connection, ``stopped`` when it ended in order, ``offline`` when it went silently.
        run: names one run of the program, so that two under one name are noticed.
        since_t: since when it has run, milliseconds since 1970; of two under one name the first is heard.
        protocol: what it speaks.
        version: the program's version.
        page: the address under which its page is reached; empty where it tells none.
    """

    state: Presence
    run: Name
    since_t: TimeMs = 0
    protocol: int = PROTOCOL
    version: Annotated[str, Meta(max_length=MAX_NAME)] = ""
    page: Annotated[str, Meta(max_length=500)] = ""


class TableNews(Struct, frozen=True, kw_only=True, tag_field="format", tag="sightline.table-state/1"):
    """How a table is: small, told again every few seconds. Nothing hidden stands in it.

    Args:
        t: when, milliseconds since 1970.
        match: the name of its match; empty where none is played.
        round: the match's own round.
        title: what happened last, in English.
        troubles: one sentence for each thing that is wrong, in English.
        troubles_in: the same in other languages, by their tags.
        waiting: how many events wait to be told.
        strip: whether the strip answers; None where there is none.
    """

    t: TimeMs
    match: Annotated[str, Meta(max_length=MAX_NAME)] = ""
    round: int = 0
    title: Text = ""
    troubles: Annotated[tuple[Text, ...], Meta(max_length=20)] = ()
    troubles_in: Annotated[dict[str, Annotated[tuple[Text, ...], Meta(max_length=20)]], Meta(max_length=40)] = {}
    waiting: Annotated[int, Meta(ge=0)] = 0
    strip: bool | None = None


class HallEvent(Struct, frozen=True, kw_only=True, tag_field="format", tag="sightline.told/1"):
    """An event of a table, and the call that it is about as it stands then.

    Args:
        event: the line of the event as it stands in the table's log, byte by byte: its hash is in the next one.
        call: the call after it; None where it is about none.
        t: when it was told, milliseconds since 1970, so that the way can be measured.
    """

    event: msgspec.Raw
    call: Call | None = None
    t: TimeMs = 0


class Kept(Struct, frozen=True, kw_only=True, tag_field="format", tag="sightline.kept/1"):
    """A desk has these events on its disk; the table may let go of them.

    Args:
        ids: the events.
        protocol: what the desk speaks; 0 where it does not say.
    """

    ids: tuple[Name, ...]
    protocol: int = 0


class DeskCommand(Struct, frozen=True, kw_only=True, tag_field="format", tag="sightline.command/1"):
    """What a judge at the desk does for a table: a step of a call.

    Args:
        id: names it; carried out once, however often it comes.
        call: the call that it is about.
        type: the step, as the event that it becomes.
        payload: what the step tells.
        actor: who does it.
        protocol: what the desk speaks that sends it; 0 where it does not say.
    """

    id: EventName
    call: EventName
    type: EventType
    payload: dict[str, str | int] = {}
    actor: Person
    protocol: int = 0


class Answer(Struct, frozen=True, kw_only=True, tag_field="format", tag="sightline.answer/1"):
    """What came of a command: done, or why not, in English."""

    id: EventName
    is_done: bool
    sentence: Text = ""


HallMessage = Status | TableNews | HallEvent | Kept | DeskCommand | Answer

_NUMBERED = re.compile(r"sightline\.([a-z-]+)/(\d+)")
_TAGS = {str(kind.__struct_config__.tag): kind for kind in (Status, TableNews, HallEvent, Kept, DeskCommand, Answer)}
_Message = TypeVar("_Message", Status, TableNews, HallEvent, Kept, DeskCommand, Answer)


def hall_bytes(message: HallMessage) -> bytes:
    """The bytes of a message."""
    return msgspec.json.encode(message)


def hall_message(data: bytes, wanted: type[_Message], topic: str) -> _Message:
    """The message of these bytes.

    Args:
        data: what came.
        wanted: what belongs under the topic.
        topic: where it came, for the sentence.

    Raises:
        NewerFormat: it is one of ours, and younger than this program.
        DocumentError: it is another program's, or breaks its format.
    """
    if len(data) > MAX_MESSAGE_BYTES:
        raise BadValue(said("this is longer than any message of ours"), document=topic)
    found, tag = format_of(data), str(wanted.__struct_config__.tag)
    if found != tag:
        raise _unknown(found, tag, topic)
    return decode_fields(data, wanted, topic)


def told_event(told: HallEvent, topic: str) -> TableEvent:
    """The event that was told.

    Raises:
        DocumentError: its line is none.
    """
    return table_event_from_line(bytes(told.event), topic)


def _unknown(found: str | None, tag: str, topic: str) -> DocumentError:
    ours, numbered = _NUMBERED.fullmatch(found or ""), _NUMBERED.fullmatch(tag)
    if ours and numbered and ours[1] == numbered[1] and int(ours[2]) > int(numbered[2]):
        text: Said = said("a newer Sightline speaks here (“{found}”); update this one", found=str(found))
        return NewerFormat(text, document=topic)
    return UnknownFormat(said("another program has left a message here; clear it in the broker"), document=topic)
