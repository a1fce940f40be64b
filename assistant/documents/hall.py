"""Messages between the tables and desks of a tournament: small JSON documents, each with its format.

The number after a format's name increases when an older reader would misread it. A reader refuses a number above its
own (``NewerFormat``) instead of guessing.
"""

from __future__ import annotations

import re
from typing import Annotated, Literal, TypeVar

import msgspec
from msgspec import Meta, Struct

from assistant.documents.call import Call
from assistant.documents.reading import decode_fields, format_of
from assistant.documents.rounds import MAX_ROUND, Result
from assistant.documents.sealed_key import SealedKey
from assistant.documents.table_event import EventName, EventType, Person, TableEvent, TimeMs, table_event_from_line
from assistant.errors import BadValue, DocumentError, UnknownFormat
from assistant.table.fields import MAX_NAME, Name, PlainNames, whole
from assistant.translations.messages import Said, said

MAX_MESSAGE_BYTES = 1 << 20
"""Size cap in bytes. The longest event has some kilobytes, and pictures do not go through the broker."""

PROTOCOL = 2
"""Version of the protocol. Desks and tables announce theirs."""

Text = Annotated[str, Meta(max_length=2000)]
Presence = Literal["online", "stopped", "offline"]


class NewerFormat(UnknownFormat):
    """A message has a format newer than this program."""


class Status(Struct, frozen=True, kw_only=True, tag_field="format", tag="sightline.status/1"):
    """Presence of a table or a desk. The MQTT will says ``offline``.

    Args:
        state: ``online`` at each connection, ``stopped`` after an orderly end, ``offline`` after a silent one.
        run: the id of one run of the program, which reveals two runs under one name.
        since_t: the start of the run, milliseconds since 1970; the older of two runs has priority.
        protocol: its version of the protocol.
        version: the program's version.
        page: the address of its page, or empty.
        key: the public key of its evidence signatures, in hexadecimal digits, or empty.
        double_loss: whether it understands the result ``0-0``; an older table drops a message with it.
    """

    state: Presence
    run: Name
    since_t: TimeMs = 0
    protocol: int = PROTOCOL
    version: Annotated[str, Meta(max_length=MAX_NAME)] = ""
    page: Annotated[str, Meta(max_length=500)] = ""
    key: Annotated[str, Meta(pattern=whole("([0-9a-f]{64})?"))] = ""
    double_loss: bool = False


class TableNews(PlainNames, frozen=True, kw_only=True, tag_field="format", tag="sightline.table-state/1"):
    """The state of a table: small, resent every few seconds, without hidden information.

    Args:
        t: milliseconds since 1970.
        match: the name of its match, or empty.
        round: the match's own round.
        title: the last event, in English.
        troubles: a sentence for each problem, in English.
        troubles_in: the same in other languages, by their tags.
        waiting: the number of unsent events.
        strip: whether the strip answers; None without a strip.
        calls: the number of open calls, for a lamp in the hall.
        bare_call: whether a judge is called without evidence, because nothing can be stored.
        handed: the result handed in by its players.
    """

    t: TimeMs
    match: Annotated[str, Meta(max_length=MAX_NAME)] = ""
    round: int = 0
    title: Text = ""
    troubles: Annotated[tuple[Text, ...], Meta(max_length=20)] = ()
    troubles_in: Annotated[dict[str, Annotated[tuple[Text, ...], Meta(max_length=20)]], Meta(max_length=40)] = (
        msgspec.field(default_factory=dict)
    )
    waiting: Annotated[int, Meta(ge=0)] = 0
    strip: bool | None = None
    calls: Annotated[int, Meta(ge=0)] = 0
    bare_call: bool = False
    handed: HandedResult | None = None


class HandedResult(Struct, frozen=True, kw_only=True):
    """A result as handed in by the players at their table.

    Args:
        round: the round.
        first, second: the players, in the order of the list.
        result: the result.
        agreed: which of the two players stated it.
    """

    round: Annotated[int, Meta(ge=1, le=MAX_ROUND)]
    first: Name
    second: Name
    result: Result
    agreed: tuple[Literal["first", "second"], ...] = ()

    @property
    def is_agreed(self) -> bool:
        """Whether both players stated it."""
        return {*self.agreed} == {"first", "second"}


class OnWay(Struct, frozen=True, kw_only=True):
    """A judge on the way to a call."""

    call: EventName
    judge: Annotated[str, Meta(max_length=MAX_NAME)] = ""


class TableSeat(Struct, frozen=True, kw_only=True, tag_field="format", tag="sightline.seat/1"):
    """A desk's message to one table about its round. The broker never retains it, so it cannot be stale.

    Args:
        round: the round whose pairings are public; 0 before any.
        runs: whether its clock runs.
        left_s: the time that this table has left, including extra time; negative once it is over.
        extension_s: the extra time of this table in the round.
        first, second: the players here; empty for nobody.
        result: the result that the desk has.
        on_way: the judges on their way to open calls of this table.
        sealed: the table's key with its certificate from the tournament's authority.
    """

    round: int = 0
    runs: bool = False
    left_s: float = 0.0
    extension_s: int = 0
    first: Annotated[str, Meta(max_length=MAX_NAME)] = ""
    second: Annotated[str, Meta(max_length=MAX_NAME)] = ""
    result: Result = "*"
    on_way: Annotated[tuple[OnWay, ...], Meta(max_length=40)] = ()
    sealed: SealedKey | None = None


class HallEvent(Struct, frozen=True, kw_only=True, tag_field="format", tag="sightline.told/1"):
    """An event of a table, with its call after it.

    Args:
        event: the exact bytes of the event's line in the table's log, since the next line holds their hash.
        call: the call after it; None for an event without a call.
        t: the time of sending, milliseconds since 1970, to measure the delay.
    """

    event: msgspec.Raw
    call: Call | None = None
    t: TimeMs = 0


class Kept(Struct, frozen=True, kw_only=True, tag_field="format", tag="sightline.kept/1"):
    """A desk has stored these events, so the table need not resend them. ``protocol`` is 0 if the desk names none."""

    ids: tuple[Name, ...]
    protocol: int = 0


class DeskCommand(Struct, frozen=True, kw_only=True, tag_field="format", tag="sightline.command/1"):
    """A step of a call by a judge at the desk.

    Args:
        id: a unique name, by which a repeated command is carried out only once.
        call: the call.
        type: the step, as the event that it becomes.
        payload: the fields of the step.
        actor: the judge.
        protocol: the desk's protocol version; 0 if it names none.
    """

    id: EventName
    call: EventName
    type: EventType
    payload: dict[str, str | int] = {}
    actor: Person
    protocol: int = 0


class Answer(Struct, frozen=True, kw_only=True, tag_field="format", tag="sightline.answer/1"):
    """The result of a command: done, or the reason in English."""

    id: EventName
    is_done: bool
    sentence: Text = ""


HallMessage = Status | TableNews | HallEvent | Kept | DeskCommand | Answer | TableSeat

_NUMBERED = re.compile(r"sightline\.([a-z-]+)/(\d+)")
_KINDS = (Status, TableNews, HallEvent, Kept, DeskCommand, Answer, TableSeat)
_TAGS = {str(kind.__struct_config__.tag): kind for kind in _KINDS}
_Message = TypeVar("_Message", Status, TableNews, HallEvent, Kept, DeskCommand, Answer, TableSeat)


def hall_bytes(message: HallMessage) -> bytes:
    """Return the wire form of a message."""
    return msgspec.json.encode(message)


def hall_message(data: bytes, wanted: type[_Message], topic: str) -> _Message:
    """Decode a message, of the type that belongs to its topic.

    Raises:
        NewerFormat: a newer Sightline sent it.
        DocumentError: another program sent it, or it breaks its format.
    """
    if len(data) > MAX_MESSAGE_BYTES:
        raise BadValue(said("This is longer than any message of Sightline."), document=topic)
    found, tag = format_of(data), str(wanted.__struct_config__.tag)
    if found != tag:
        raise _unknown(found, tag, topic)
    return decode_fields(data, wanted, topic)


def event_of(message: HallEvent, topic: str) -> TableEvent:
    """Decode the event in a message.

    Raises:
        DocumentError: its line is not an event.
    """
    return table_event_from_line(bytes(message.event), topic)


def _unknown(found: str | None, tag: str, topic: str) -> DocumentError:
    ours, numbered = _NUMBERED.fullmatch(found or ""), _NUMBERED.fullmatch(tag)
    if ours and numbered and ours[1] == numbered[1] and int(ours[2]) > int(numbered[2]):
        text: Said = said("A newer Sightline sends “{found}” here. Update this one.", found=str(found))
        return NewerFormat(text, document=topic)
    return UnknownFormat(said("Another program left a message here. Clear it in the broker."), document=topic)
