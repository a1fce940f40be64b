"""``sightline.call/1``: a judge's call at a table, with its state."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from assistant.documents.reading import decode
from assistant.documents.table_event import EventName, Hash, Person, Seq, TimeMs
from assistant.table.fields import MAX_NAME, PlainWords

CALL_FORMAT = "sightline.call/1"

MAX_EXTENSION_S = 4 * 3600
"""Cap in seconds on extra time. More is a slip of the finger."""

CallState = Literal["open", "ruled", "appealed", "closed"]
FreeCorrection = Literal["terrain_drawn", "terrain_moved", "terrain_gone", "base_there", "base_gone"]
CorrectionKind = (
    Literal["figure", "gone", "door", "new_door", "no_door", "nobody", "name", "answer", "sure", "step"]
    | FreeCorrection
)
CallText = Annotated[str, Meta(max_length=2000)]
ExtensionS = Annotated[int, Meta(ge=0, le=MAX_EXTENSION_S)]


class HandCorrection(PlainWords, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A correction by hand of the camera's or the program's data.

    Args:
        t: milliseconds since 1970, UTC.
        by: the person.
        kind: a figure's place or removal, a door, an empty place, a name, the answer to a question, a confirmation, a
            step of the match, a piece of terrain, or a figure that a camera was unsure of.
        subject: the figure, the door, the question, the terrain or the number of the step.
        value: the new value, as text.
    """

    t: TimeMs
    by: Person
    kind: CorrectionKind
    subject: Annotated[str, Meta(max_length=MAX_NAME)]
    value: CallText


class Call(PlainWords, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The state of a judge's call after its last event.

    Args:
        id: unique among the calls of all tables.
        table: the table.
        opened_t: milliseconds since 1970, UTC, as every ``_t``.
        opened_by: the caller.
        question: in the caller's words; may be empty, since one tap is enough to call.
        frozen_hash: the hash of the list of frozen parts, which contains the hash of each part.
        corrections: the corrections by hand before the call.
        state: ``open`` until a judge rules, ``ruled``, ``appealed`` until the head judge rules, ``closed``.
        disputed: the facts in dispute, as the judge notes them.
        ruling: the judge's words.
        reason: the judge's words.
        penalty: the judge's words, or empty.
        extension_s: the extra time for the table, over all rulings of the call.
        judge: the author of the last ruling.
        grounds: the grounds of the appeal.
        appealed_by: the person who appealed.
        spoken_t: the time at which the ruling was last spoken at the table; None before.
        changed_t: the time of its last event.
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
    """Return the ``sightline.call/1`` document of a call."""
    return {"format": CALL_FORMAT, **msgspec.to_builtins(call)}


# In messages of a hall a call has no format field, so the format cannot be its struct tag.
class _CallWire(Call, frozen=True, kw_only=True, forbid_unknown_fields=True):
    format: str


def call_from_json(data: bytes, document: str = "call") -> Call:
    """Return the call of a ``sightline.call/1`` document.

    Raises:
        DocumentError: the document breaks its format.
    """
    return msgspec.convert(decode(data, CALL_FORMAT, _CallWire, document), Call, from_attributes=True)
