"""The field types that the table's values share with the documents, with the bounds that a reader checks.

A value with the same fields in a document and in memory is declared once, and the reader decodes the dataclass itself.
That is why this room imports ``msgspec``, and otherwise only the standard library.
"""

from __future__ import annotations

import re
import threading
import unicodedata
from collections.abc import Callable
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import force_setattr

from assistant.table.lattice import LIMIT

MAX_NAME = 200
"""Longest name in characters, ten times the longest that people give."""


_LEARNING = threading.Lock()
_LEARNT: set[Any] = set()


def learn(kind: Any) -> None:
    """Make msgspec inspect a type before several threads decode it.

    msgspec inspects a type on first use, and publishes the result to other threads before it is complete. msgspec 0.22
    crashes if one of them decodes the type at that moment.
    """
    if kind not in _LEARNT:
        with _LEARNING:
            msgspec.json.Decoder(kind)
            _LEARNT.add(kind)


def whole(pattern: str) -> str:
    """Anchor a pattern to a field's whole text, in Python and JSON Schema. ``$`` alone would admit a newline."""
    return f"^(?:{pattern})$(?!\\n)"


IDENTIFIER = whole("[0-9a-zA-Z-]+")
"""Pattern of an external identifier that is safe in topics, file names, headers and addresses."""

PRINTABLE = whole("[^\\x00-\\x1f\\x7f-\\x9f]+")
"""Pattern of an identifier without control characters, the most permissive one in documents."""

_INVISIBLE = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
"""Categories of invisible characters, which turn, hide or forge the words beside them."""


_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Characters that print nothing although their category is a letter's."""

MOST_MARKS = 3
"""Largest number of marks on one letter. Living scripts need no more, and many would cover the lines above."""


def _is_shown(letter: str) -> bool:
    return unicodedata.category(letter) not in _INVISIBLE and letter not in _BLANK


def plain_line(text: str) -> str:
    """Return the text on one line, without invisible characters, and trimmed."""
    kept, marks = [], 0
    for letter in text:
        marks = marks + 1 if unicodedata.combining(letter) or unicodedata.category(letter) == "Me" else 0
        if letter.isspace():
            kept.append(" ")
        elif _is_shown(letter) and marks <= MOST_MARKS:
            kept.append(letter)
    return " ".join("".join(kept).split())


def plain_text(text: str) -> str:
    """Clean a text of several lines in the same way, keeping line breaks, three in a row at most."""
    lines = "\n".join(plain_line(line) for line in re.split(r"\r\n|[\r\n]", text))
    return re.sub(r"\n{4,}", "\n\n\n", lines).strip()


def seen_text(text: str) -> str:
    """Return the text without invisible characters. Spaces and line breaks stay."""
    spaced = text.replace("\u2028", "\n").replace("\u2029", "\n")
    return "".join(letter for letter in spaced if _is_shown(letter) or letter in "\t\n\r")


class PlainWords(Struct, frozen=True):
    """A value with texts by people, which are cleaned on construction, wherever they come from."""

    def __post_init__(self) -> None:
        _make_plain(self, plain_text)


class PlainNames(Struct, frozen=True):
    """A value with names by people, which are cleaned to one line."""

    def __post_init__(self) -> None:
        _make_plain(self, plain_line)


def _make_plain(value: Struct, plain: Callable[[str], str]) -> None:
    for name in value.__struct_fields__:
        held = getattr(value, name)
        made = _plainly(held, plain)
        if made != held:
            force_setattr(value, name, made)


def _plainly(held: Any, plain: Callable[[str], str]) -> Any:
    """Clean a field's texts, including those in a list or a mapping of languages."""
    if isinstance(held, str):
        return plain(held)
    if isinstance(held, tuple):
        return tuple(_plainly(one, plain) for one in held)
    if isinstance(held, dict):
        return {key: _plainly(one, plain) for key, one in held.items()}
    return held


Name = Annotated[str, Meta(min_length=1, max_length=MAX_NAME)]
Integer = Annotated[int, Meta(gt=-LIMIT, lt=LIMIT)]
Positive = Annotated[float, Meta(gt=0)]
NotNegative = Annotated[float, Meta(ge=0)]
Confidence = Annotated[float, Meta(ge=0, le=1)]
HexColor = Annotated[str, Meta(pattern=whole("#[0-9a-fA-F]{6}"))]
MarkerId = Annotated[int, Meta(ge=0)]

CellPair = tuple[Integer, Integer]
"""A cell or a lattice point within the limits."""
