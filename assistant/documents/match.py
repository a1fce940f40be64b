"""``sightline.match/1``: a header and its events, one JSON object a line, each with the previous line's hash.

The hash is SHA-256 over the bytes of the line without its line break. So a reader in any language can check the chain,
whatever its JSON style. ``prev`` of the first event is the hash of the header.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

import msgspec

from assistant.documents.reading import check_format, field_problem, no_json
from assistant.errors import BadValue, MissingField
from assistant.table.fields import learn
from assistant.translations.messages import said

MATCH_FORMAT = "sightline.match/1"

ENVELOPE = ("seq", "t", "actor", "id", "prev")
"""The fields that every event has in addition to those of its type. ``id`` is the client's name of its command,
if any."""

Converted = TypeVar("Converted")


@dataclass(frozen=True)
class MatchLog:
    """The contents of a match file: the header, the events in order, and the hash of the last line."""

    header: Mapping[str, Any]
    events: tuple[Mapping[str, Any], ...]
    last_hash: str

    def hash_after(self, seq: int) -> str:
        """Return the hash of an event's line by its number, which is 0 for the header."""
        following: str = self.events[seq]["prev"] if seq < len(self.events) else self.last_hash
        return following


def line_hash(line: bytes) -> str:
    """Return the hash that the next line must name."""
    return hashlib.sha256(line).hexdigest()


def header_line(header: Mapping[str, Any]) -> bytes:
    """Return the first line of a match, without a line break."""
    return msgspec.json.encode({"format": MATCH_FORMAT, **header})


def event_line(event: Mapping[str, Any], prev: str) -> bytes:
    """Return the line of an event, without a line break, after the line with the hash ``prev``."""
    return msgspec.json.encode({**event, "prev": prev})


def match_lines(lines: Iterable[bytes]) -> bytes:
    """Join the lines of a match into its document."""
    return b"".join(line + b"\n" for line in lines)


def match_from_lines(data: bytes, document: str = "match") -> MatchLog:
    """Read the header and the events of a match, and check its hash chain.

    Raises:
        DocumentError: a line is not a JSON object, has another format, is missing, or was altered; the line is named.
    """
    lines = [line for line in data.split(b"\n") if line.strip()]
    if not lines:
        raise MissingField(
            said("The file is empty. A match begins with its header."), document=document, field="line 1"
        )
    header = _object(lines[0], 1, document)
    check_format(header, MATCH_FORMAT, document)
    last_hash = line_hash(lines[0])
    events = []
    for number, line in enumerate(lines[1:], 2):
        event = _object(line, number, document)
        _check_link(event, number, last_hash, document)
        last_hash = line_hash(line)
        events.append(event)
    return MatchLog(header, tuple(events), last_hash)


def convert(raw: Mapping[str, Any], wanted: Any, document: str) -> Any:
    """Decode an object's fields strictly as the wanted type. `Any`, since a union is not a ``type``.

    Raises:
        DocumentError: a field is missing, unknown or of another type; the field is named.
    """
    learn(wanted)
    try:
        return msgspec.convert(raw, wanted, strict=True)
    except msgspec.ValidationError as problem:
        raise field_problem(problem, document) from None


def _object(line: bytes, number: int, document: str) -> dict[str, Any]:
    try:
        raw = msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as problem:
        raise no_json(problem, document, f"line {number}") from None
    if not isinstance(raw, dict):
        raise BadValue(said("must be an object"), document=document, field=f"line {number}")
    return raw


def _check_link(event: Mapping[str, Any], number: int, last_hash: str, document: str) -> None:
    where = f"line {number}"
    for field in ("seq", "t", "actor", "type", "prev"):
        if field not in event:
            raise MissingField(said("this field is missing"), document=document, field=f"{where}.{field}")
    if event["seq"] != number - 1:
        text = said(
            "Event {number} is missing. Event {event} is in its place.",
            number=number - 1,
            event=repr(event["seq"]),
        )
        raise BadValue(text, document=document, field=f"{where}.seq")
    if event["prev"] != last_hash:
        text = said("The hash of the line before does not match. The file was changed after it was written.")
        raise BadValue(text, document=document, field=f"{where}.prev")
