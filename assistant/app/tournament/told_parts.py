"""What of a call's frozen parts goes to the desk, and the call with it in the words of whoever sits there."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping

from assistant.app.tournament.call_report import CallReport, report_call
from assistant.documents.call import Call
from assistant.documents.evidence import MOMENT
from assistant.documents.moment import Moment, moment_from_json
from assistant.errors import UnknownName
from assistant.translations.messages import said
from assistant.translations.speech import Speech

JPEG, JSON = b"\xff\xd8\xff", b"{"


def told_name(name: str) -> str:
    """The name of a frozen part in a topic, where a slash means something else."""
    return name.replace("/", "-")


def is_told_part(name: str, content: bytes) -> bool:
    """Whether bytes that came under that name may be what it says."""
    return content.startswith(JPEG if name.endswith(".jpg") else JSON) and name.endswith((".jpg", ".json"))


def iterate_told(parts: Mapping[str, bytes]) -> Iterator[tuple[str, bytes]]:
    """The parts that a desk is told, what a judge needs first before the rest; what else was read stays in evidence.

    Raises:
        DocumentError: what was frozen cannot be read.
    """
    moment = moment_from_json(parts[MOMENT])
    ruled = sorted({one.picture for one in moment.rulings}, reverse=True)
    newest_first = reversed(range(len(moment.pictures)))
    needed = [moment.pictures[place] for place in dict.fromkeys([*ruled, *newest_first])]
    documents = [one.believed or one.observation for one in needed[: len(ruled)]]
    pictures = [moment.pictures[-1].picture, *(one.picture for one in needed)] if needed else []
    for name in dict.fromkeys([MOMENT, *documents, *pictures]):
        yield told_name(name), parts[name]


def report_of_told(call: Call, part: Callable[[str], bytes | None], speech: Speech) -> CallReport | None:
    """A call with what was frozen for it; None until all that it needs has come, and is what the call froze.

    Args:
        call: the call.
        part: a part by the name under which it was told; None while it has not come.
        speech: the reader's language.

    Raises:
        InputError: what came cannot be read.
    """
    data = part(told_name(MOMENT))
    if data is None or hashlib.sha256(data).hexdigest() != call.frozen_hash:
        return None
    moment = moment_from_json(data)
    try:
        return report_call(call, moment, lambda name: _as_frozen(moment, name, part(told_name(name))), speech)
    except _NotCome:
        return None


class _NotCome(UnknownName):
    """A part has not come yet, or is another one than was frozen."""

    sentence = said("nothing of this name was frozen for the call")


def _as_frozen(moment: Moment, name: str, content: bytes | None) -> bytes:
    if content is None or hashlib.sha256(content).hexdigest() != moment.parts.get(name):
        raise _NotCome
    return content
