"""The frozen parts of a call that go to the desk, and the call with them in words for a judge."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from assistant.app.tournament.call_report import CallReport, GetPart, report_call
from assistant.app.tournament.steps import PastStep
from assistant.documents.call import Call
from assistant.documents.evidence import MOMENT
from assistant.documents.moment import FrozenMoment, FrozenPicture, moment_from_json
from assistant.errors import UnknownName
from assistant.translations.messages import said
from assistant.translations.speech import Speech

JPEG, JSON = b"\xff\xd8\xff", b"{"


def topic_name(name: str) -> str:
    """Return the name of a frozen part for use in a topic, where a slash has another meaning."""
    return name.replace("/", "-")


def is_part(name: str, content: bytes) -> bool:
    """Return whether bytes under that name may be a frozen part."""
    return content.startswith(JPEG if name.endswith(".jpg") else JSON) and name.endswith((".jpg", ".json"))


def iterate_parts_to_send(parts: Mapping[str, bytes]) -> Iterator[tuple[str, bytes]]:
    """Yield the parts for a desk, the most urgent first.

    First come the moment, the readings of ruled pictures, the newest picture and the ruled pictures. Then come the
    earlier pictures, the newest first, each after its reading.

    Raises:
        DocumentError: the frozen moment cannot be read.
    """
    moment = moment_from_json(parts[MOMENT])
    ruled = sorted({one.picture for one in moment.rulings}, reverse=True)
    newest_first = [*reversed(range(len(moment.pictures)))]
    needed = [moment.pictures[place] for place in dict.fromkeys([*newest_first[:1], *ruled])]
    names = [*(_read_of(one) for one in needed), *(one.picture for one in needed)]
    for place in newest_first:
        names += [_read_of(moment.pictures[place]), moment.pictures[place].picture]
    for name in dict.fromkeys([MOMENT, *names, *sorted(moment.parts)]):  # everything, so that a desk has evidence too
        yield topic_name(name), parts[name]


def _read_of(picture: FrozenPicture) -> str:
    return picture.believed or picture.observation


class SentMoment(NamedTuple):
    """The received part of a call's frozen moment. A missing part is refused by name."""

    moment: FrozenMoment
    part: GetPart


def sent_moment(call: Call, part: Callable[[str], bytes | None]) -> SentMoment | None:
    """Return the frozen moment of a call, or None until its document has come with the call's hash.

    Args:
        call: the call.
        part: returns the part of a topic name; None until it has come.

    Raises:
        DocumentError: the document cannot be read.
    """
    data = part(topic_name(MOMENT))
    if data is None or hashlib.sha256(data).hexdigest() != call.frozen_hash:
        return None
    moment = moment_from_json(data)
    return SentMoment(moment, lambda name: _as_frozen(moment, name, part(topic_name(name))))


def report_of_sent(
    call: Call, part: Callable[[str], bytes | None], speech: Speech, steps: Sequence[PastStep]
) -> CallReport | None:
    """Describe a call with its frozen parts in words, or return None until all needed parts have come.

    Args:
        call: the call.
        part: returns the part of a topic name; None until it has come.
        speech: the reader's language.
        steps: all rulings and appeals of the call.

    Raises:
        InputError: a part cannot be read.
    """
    sent = sent_moment(call, part)
    try:
        return None if sent is None else report_call(call, sent.moment, sent.part, speech, steps)
    except _NotCome:
        return None


class _NotCome(UnknownName):
    """A part is missing, or differs from the frozen one."""

    sentence = said("This picture has not come from the table yet; try again in a moment.")


def _as_frozen(moment: FrozenMoment, name: str, content: bytes | None) -> bytes:
    if content is None or hashlib.sha256(content).hexdigest() != moment.parts.get(name):
        raise _NotCome
    return content
