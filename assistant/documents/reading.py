"""Common code for all readers and writers: bytes, the format's name, the field at fault, JSON."""

from __future__ import annotations

import codecs
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from msgspec import UNSET, Struct

from assistant.errors import BadValue, DocumentError, InputError, MissingField, UnknownFormat
from assistant.table.camera import PointMm
from assistant.table.fields import learn
from assistant.translations.foreign import recognised, system_reason
from assistant.translations.messages import Said, message, said

MAX_DOCUMENT_BYTES = 32 << 20
"""Size cap in bytes. A board of 40,000 cells has under 1 MB."""

Read = TypeVar("Read")


class Wire(Struct, dict=True):
    """A part of a document that differs from its value in memory, such as an edge or exact numbers.

    It builds its value while the document is decoded. So the decoder names the path of a refused value, and no function
    needs to pass paths along.
    """

    def __post_init__(self) -> None:
        self.made  # noqa: B018 - kept by each class as a cached property

    @property
    def made(self) -> object:
        raise NotImplementedError


class _FormatWire(Struct):
    format: Any = UNSET


def read_bytes(path: Path, most_bytes: int = MAX_DOCUMENT_BYTES) -> bytes:
    """Read a document's bytes, converted to UTF-8 if a Windows shell or editor wrote it otherwise.

    Raises:
        DocumentError: the file does not exist, cannot be read, or is far too large.
    """
    try:
        with path.open("rb") as file:
            data = file.read(most_bytes + 1)  # a device or a pipe reports no size and may never end
    except OSError as problem:
        text = said("cannot be read ({reason}). Check the file's name.", reason=system_reason(problem))
        raise DocumentError(text, document=str(path)) from None
    except ValueError as problem:  # a name from a list may be impossible in the file system
        raise DocumentError(
            said("This is not a valid file name ({reason}). Check it.", reason=str(problem)), document=repr(str(path))
        ) from None
    if len(data) > most_bytes:
        text = said(
            "The file has over {mb} MB, more than any document of Sightline. Check that it is the right file.",
            mb=most_bytes >> 20,
        )
        raise DocumentError(text, document=str(path))
    return plain_utf8(data)


_MARKED = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))


def plain_utf8(data: bytes) -> bytes:
    """Strip a Windows editor's byte order mark, and convert a Windows shell's encoding to UTF-8."""
    for mark, encoding in _MARKED:
        if data.startswith(mark):
            try:
                return data.decode(encoding).encode()
            except UnicodeDecodeError:
                return data
    return data


def decode(data: bytes, expected: str, kind: type[Read], document: str) -> Read:
    """Decode a JSON document of the expected format, without converting field types.

    The format's name is read first and alone, so a wrong file is refused quickly and by name.

    Raises:
        InputError: it is not a JSON object, has another format or a missing or mistyped field, or a value contradicts
            itself.
    """
    data = plain_utf8(data)
    try:
        probe = msgspec.json.decode(data, type=_FormatWire)
    except msgspec.ValidationError:
        raise BadValue(said("must be an object of format {expected}", expected=expected), document=document) from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as problem:
        raise no_json(problem, document) from None
    check_format({} if probe.format is UNSET else {"format": probe.format}, expected, document)
    return decode_fields(data, kind, document)


def decode_fields(data: bytes, kind: type[Read], document: str, field: str | None = None) -> Read:
    """Decode a JSON object without a format, or with a checked one. ``field`` is its path in the document.

    Raises:
        InputError: it is not JSON, a field is missing or mistyped, or a value contradicts itself.
    """
    learn(kind)
    try:
        return msgspec.json.decode(plain_utf8(data), type=kind)
    except msgspec.ValidationError as problem:
        found = field_problem(problem, document)
        found.field = ".".join(part for part in (field, found.field) if part) or None
        raise found from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as problem:
        raise no_json(problem, document, field) from None


def format_of(data: bytes) -> str | None:
    """Return the format that a document names, or None."""
    try:
        named = msgspec.json.decode(plain_utf8(data), type=_FormatWire).format
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    return named if isinstance(named, str) else None


def check_format(raw: dict[str, Any], expected: str, document: str, field: str = "format") -> None:
    """Check that a decoded document names the expected format.

    Raises:
        MissingField: it names none.
        UnknownFormat: it names another format.
    """
    if "format" not in raw:
        raise MissingField(
            said("the document does not say “{expected}”", expected=expected), document=document, field=field
        )
    if raw["format"] != expected:
        text = said("expected “{expected}”, found {found}", expected=expected, found=repr(str(raw["format"])[:60]))
        raise UnknownFormat(text, document=document, field=field)


def refuse_repeated(ids: Sequence[str | int], noun: str, where: str, document: str | None = None) -> None:
    """Check that no id is repeated in a list.

    Raises:
        BadValue: one is repeated; the field is its second occurrence.
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
    """Return the document as one line of JSON."""
    return msgspec.json.encode(document).decode()


def point_document(point_mm: PointMm) -> list[float]:
    """Return a point on the table for a document, rounded to a thousandth of a millimetre."""
    return [round(point_mm[0], 3), round(point_mm[1], 3)]


def area_mm2(corners_mm: tuple[PointMm, ...]) -> float:
    """Return the signed area of a polygon."""
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
"""Messages of msgspec about a wrong value."""

JSON = (
    message("JSON is malformed: {what} (byte {byte})"),
    message("Input data was truncated"),
    message("invalid character"),
    message("trailing characters"),
    message("expected ',' or '}'"),
    message("expected ',' or ']'"),
    message("expected ':'"),
)
"""Messages of msgspec about malformed JSON."""


def no_json(problem: Exception, document: str, field: str | None = None) -> BadValue:
    """Return our error for malformed JSON."""
    reason = recognised(str(problem), JSON)
    return BadValue(said("not valid JSON ({reason})", reason=reason), document=document, field=field)


def told_by_decoder(text: str) -> Said:
    """Translate a msgspec message about a value, without its path."""
    plain = text.replace("`", "").rstrip(".")
    return recognised(plain[:1].lower() + plain[1:], DECODER)


def field_problem(problem: msgspec.ValidationError, document: str) -> InputError:
    """Map a decoder's error to ours: ``Expected `int`, got `float` - at `$.cells[0][0]` ``.

    If a value rejected itself, the cause is one of our errors. It keeps its class and sentence, and gets the path.
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
