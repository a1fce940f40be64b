"""``sightline.call/1``: a judge was called to a table, with how that stands."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from assistant.documents.reading import decode
from assistant.documents.table_event import EventName, Hash, Person, Seq, TimeMs
from assistant.table.fields import MAX_NAME

CALL_FORMAT = "sightline.call/1"

MAX_EXTENSION_S = 4 * 3600
"""No judge gives a table more than that; a slip of the finger might."""

CallState = Literal["open", "ruled", "appealed", "closed"]
FreeCorrection = Literal["terrain_drawn", "terrain_moved", "terrain_gone", "base_there", "base_gone"]
CorrectionKind = (
    Literal["figure", "gone", "door", "new_door", "no_door", "nobody", "name", "answer", "sure", "step"]
    | FreeCorrection
)
CallText = Annotated[str, Meta(max_length=2000)]
ExtensionS = Annotated[int, Meta(ge=0, le=MAX_EXTENSION_S)]


class HandCorrection(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Something that a person set right by hand, against what the camera or the program had.

    Args:
        t: milliseconds since 1970, UTC.
        by: who did it.
        kind: what was set: where a figure stands or that it is gone, a door, that nothing stands somewhere, a name, the
            answer to a question, that something is as it was read, a step of the match, a piece of terrain, whether
            somebody stands where a camera was not sure of it.
        subject: the figure, the door, the question, the terrain or the number of the step.
        value: what it was set to, as text.
    """

    t: TimeMs
    by: Person
    kind: CorrectionKind
    subject: Annotated[str, Meta(max_length=MAX_NAME)]
    value: CallText


class Call(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A judge's call as it stands after its last event.

    Args:
        id: names it among the calls of all tables.
        table: where it was made.
        opened_t: when it began, milliseconds since 1970, UTC.
        opened_by: who called.
        question: what the caller asks, in the caller's words; may be empty: one tap calls.
        frozen_hash: the hash of the list of what was frozen, which holds the hash of each of its parts.
        corrections: what was set right by hand before the call, and by whom.
        state: ``open`` until a judge rules, ``ruled``, ``appealed`` until the head judge rules, ``closed``.
        disputed: the facts in dispute, as the judge notes them.
        ruling: what the judge ruled.
        reason: why.
        penalty: what was given besides, if anything.
        extension_s: the time that the table gets back, in seconds, over all of the call's rulings.
        judge: who ruled last.
        grounds: why the ruling was appealed.
        appealed_by: who appealed.
        spoken_t: when the ruling was last spoken at the table; None while it has not been.
        changed_t: when its last event was.
        seq: the number of its last event at the table.
    """

    id: EventName
    table: EventName
    opened_t: TimeMs
    opened_by: Person
    question: CallText
    frozen_hash: Hash
    changed_t: TimeMs
    seq: Seq
    corrections: tuple[HandCorrection, ...] = ()
    state: CallState = "open"
    disputed: CallText = ""
    ruling: CallText = ""
    reason: CallText = ""
    penalty: CallText = ""
    extension_s: ExtensionS = 0
    judge: Person | None = None
    grounds: CallText = ""
    appealed_by: Person | None = None
    spoken_t: TimeMs | None = None


def call_document(call: Call) -> dict[str, Any]:
    """The ``sightline.call/1`` document of a call."""
    return {"format": CALL_FORMAT, **msgspec.to_builtins(call)}


# Among the messages of a hall a call stands without its format, so that this cannot be a tag of its own.
class _CallWire(Call, frozen=True, kw_only=True, forbid_unknown_fields=True):
    format: str


def call_from_json(data: bytes, document: str = "call") -> Call:
    """The call of a ``sightline.call/1`` document.

    Raises:
        DocumentError: the document breaks its format.
    """
    return msgspec.convert(decode(data, CALL_FORMAT, _CallWire, document), Call, from_attributes=True)
