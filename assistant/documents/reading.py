"""What every reader and writer of a document shares: bytes, the format's name, the field at fault, JSON."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from msgspec import UNSET, Struct

from assistant.errors import BadValue, DocumentError, InputError, MissingField, UnknownFormat
from assistant.table.camera import PointMm
from assistant.translations.foreign import recognised, system_reason
from assistant.translations.messages import Said, message, said

MAX_DOCUMENT_BYTES = 32 << 20
"""A board of 40,000 cells is under 1 MB; anything beyond this is not one of our documents."""

Read = TypeVar("Read")


class Wire(Struct, dict=True):
    """A part of a document that differs from its value in memory, as an edge or a table of exact numbers does.

    The value is made while the document is decoded: what the value refuses is refused where it stands, and nothing
    that makes it has to carry the path along.
    """

    def __post_init__(self) -> None:
        self.made  # noqa: B018 - kept by each class as a cached property

    @property
    def made(self) -> object:
        """The value in memory."""
        raise NotImplementedError


class _FormatWire(Struct):
    format: Any = UNSET


def read_bytes(path: Path, most_bytes: int = MAX_DOCUMENT_BYTES) -> bytes:
    """The bytes of a document, as they stand in the file.

    Raises:
        DocumentError: the file is not there, cannot be read, or is far too large for a document.
    """
    try:
        with path.open("rb") as file:
            data = file.read(most_bytes + 1)  # a device or a pipe tells no size and may have no end
    except OSError as problem:
        text = said("cannot be read ({reason}). Check the file's name.", reason=system_reason(problem))
        raise DocumentError(text, document=str(path)) from None
    except ValueError as problem:  # a name from a list may hold what no file system takes
        raise DocumentError(
            said("is not a file name ({reason}); check it", reason=str(problem)), document=repr(str(path))
        ) from None
    if len(data) > most_bytes:
        text = said(
            "the file has over {mb} MB, which is no document of ours; check that it is the right file",
            mb=most_bytes >> 20,
        )
        raise DocumentError(text, document=str(path))
    return data


def decode(data: bytes, expected: str, kind: type[Read], document: str) -> Read:
    """The parts of a JSON document of the expected format, each of its declared type and nothing converted.

    The format's name is read first and alone, so that a wrong file is refused as such and quickly,
    rather than for the first field that it happens to lack.

    Raises:
        InputError: no JSON object, another format, a field that is missing or of the wrong kind, or a value that
            contradicts itself.
    """
    try:
        probe = msgspec.json.decode(data, type=_FormatWire)
    except msgspec.ValidationError:
        raise BadValue(said("must be an object of format {expected}", expected=expected), document=document) from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as problem:
        raise no_json(problem, document) from None
    check_format({} if probe.format is UNSET else {"format": probe.format}, expected, document)
    return decode_fields(data, kind, document)


def decode_fields(data: bytes, kind: type[Read], document: str, field: str | None = None) -> Read:
    """The parts of a JSON object that names no format, or whose format was looked at.

    Args:
        data: the text.
        kind: the type of the whole.
        document: its name.
        field: where in the document it stands, if that is a part of one.

    Raises:
        InputError: no JSON, a field that is missing or of the wrong kind, or a value that contradicts itself.
    """
    try:
        return msgspec.json.decode(data, type=kind)
    except msgspec.ValidationError as problem:
        found = field_problem(problem, document)
        found.field = ".".join(part for part in (field, found.field) if part) or None
        raise found from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as problem:
        raise no_json(problem, document, field) from None


def format_of(data: bytes) -> str | None:
    """The format that a document names; None for one that names none or is no JSON object."""
    try:
        named = msgspec.json.decode(data, type=_FormatWire).format
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    return named if isinstance(named, str) else None


def check_format(raw: dict[str, Any], expected: str, document: str, field: str = "format") -> None:
    """Makes sure that a decoded document names the expected format.

    Raises:
        MissingField: it names none.
        UnknownFormat: it names another one.
    """
    if "format" not in raw:
        raise MissingField(
            said("the document does not say “{expected}”", expected=expected), document=document, field=field
        )
    if raw["format"] != expected:
        text = said("expected “{expected}”, found {found}", expected=expected, found=repr(str(raw["format"])[:60]))
        raise UnknownFormat(text, document=document, field=field)


def refuse_repeated(ids: Sequence[str | int], noun: str, where: str, document: str | None = None) -> None:
    """Makes sure that no id stands twice in a list.

    Raises:
        BadValue: one does; the field is the second of the two.
    """
    seen: set[str | int] = set()
    for i, each in enumerate(ids):
        if each in seen:
            raise BadValue(
                said("{noun} “{each}” is there twice", noun=Said(noun), each=each),
                document=document,
                field=f"{where}[{i}].id",
            )
        seen.add(each)


def to_json(document: Mapping[str, object]) -> str:
    """The document as one line of JSON."""
    return msgspec.json.encode(document).decode()


def point_document(point_mm: PointMm) -> list[float]:
    """A place on the table as the documents write it, to a thousandth of a millimetre."""
    return [round(point_mm[0], 3), round(point_mm[1], 3)]


def area_mm2(corners_mm: tuple[PointMm, ...]) -> float:
    """The signed area of a polygon."""
    total = 0.0
    for (x0, y0), (x1, y1) in zip(corners_mm, [*corners_mm[1:], corners_mm[0]], strict=True):
        total += x0 * y1 - x1 * y0
    return total / 2


DECODER = (
    message("expected {kind} of length {length}, got {found}"),
    message("expected {kind} of length {length}"),
    message("expected {kind} matching regex {pattern}"),
    message("expected {expected}, got {found}"),
    message("expected {expected}"),
    message("object contains unknown field {name}"),
    message("invalid enum value {value}"),
    message("invalid value {value}"),
)
"""What msgspec says is wrong with a value."""


JSON = (
    message("JSON is malformed: {what} (byte {byte})"),
    message("Input data was truncated"),
    message("invalid character"),
    message("trailing characters"),
    message("expected ',' or '}'"),
    message("expected ',' or ']'"),
    message("expected ':'"),
)
"""What msgspec says of a text that is no JSON."""


def no_json(problem: Exception, document: str, field: str | None = None) -> BadValue:
    """The error about a text that is no JSON, by what msgspec says of it."""
    reason = recognised(str(problem), JSON)
    return BadValue(said("not valid JSON ({reason})", reason=reason), document=document, field=field)


def told_by_decoder(text: str) -> Said:
    """What msgspec says is wrong with a value, without the value's place."""
    plain = text.replace("`", "").rstrip(".")
    return recognised(plain[:1].lower() + plain[1:], DECODER)


def field_problem(problem: msgspec.ValidationError, document: str) -> InputError:
    """Our error for one of the decoder: ``Expected `int`, got `float` - at `$.cells[0][0]` ``.

    What a value refused when it was made is its cause, which keeps its class and sentence and gets its place.
    """
    refused = problem.__cause__
    if isinstance(refused, InputError):
        place = _path(str(problem).removeprefix(str(refused)).removeprefix(" - at "))
        found = refused.in_document(document, f"{place}." if place else "")
        found.field = found.field or place or None
        return found
    text, _, place = str(problem).partition(" - at ")
    field = _path(place)
    missing = re.fullmatch(r"Object missing required field `(\S+)`", text)
    if missing:
        path = f"{field}.{missing[1]}" if field else missing[1]
        return MissingField(said("this field is missing"), document=document, field=path)
    return BadValue(told_by_decoder(text), document=document, field=field or None)


def _path(place: str) -> str:
    return place.strip("`").removeprefix("$").lstrip(".")
