"""``sightline.join/1``: the one-line code with which a table or a desk joins a tournament."""

from __future__ import annotations

import base64
import binascii
import zlib
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from assistant.documents.reading import decode, read_bytes
from assistant.errors import BadValue, DocumentError
from assistant.table.fields import Name
from assistant.translations.messages import said

JOIN_FORMAT = "sightline.join/1"
PREFIX = "sightline-join:"
MAX_CODE = 8_000
"""Size cap in characters. A code with its certificate has about 1,200."""

MAX_PATH = 300
"""Longest path in characters. A longer text must be a code."""

MAX_UNPACKED = 32_000


class JoinCode(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="format", tag=JOIN_FORMAT):
    """The address of a tournament's broker, with credentials.

    Args:
        event: the tournament.
        name: the table, or the desk.
        host: the broker's address.
        port: its port.
        password: proves the name, so anybody with the code can act as that table.
        authority_pem: the certificate authority of the broker; empty without TLS.
    """

    event: Name
    name: Name
    host: Name
    port: Annotated[int, Meta(ge=1, le=65535)]
    password: Name
    authority_pem: Annotated[str, Meta(max_length=20_000)] = ""

    def __repr__(self) -> str:
        return f"JoinCode({self.event!r}, {self.name!r})"


def join_text(code: JoinCode) -> str:
    """Return the code as one line of letters and digits."""
    return PREFIX + base64.urlsafe_b64encode(zlib.compress(msgspec.json.encode(code), 9)).decode().rstrip("=")


def read_join(place: str) -> JoinCode:
    """Read a join code from a file, or from the typed text.

    Raises:
        DocumentError: it is not a join code, or the file cannot be read.
    """
    if len(place) > MAX_PATH or place.startswith(PREFIX):
        return join_from_text(place)
    return join_from_text(read_bytes(Path(place)).decode(errors="replace"), place)


def join_from_text(text: str, document: str = "join code") -> JoinCode:
    """Decode a join code.

    Raises:
        DocumentError: it is not a join code, or is damaged.
    """
    packed = "".join(text.split()).removeprefix(PREFIX)
    if len(packed) > MAX_CODE:
        raise _no_code(document)
    try:
        unpacker = zlib.decompressobj()
        data = unpacker.decompress(base64.urlsafe_b64decode(packed + "=" * (-len(packed) % 4)), MAX_UNPACKED)
    except (binascii.Error, ValueError, zlib.error):
        raise _no_code(document) from None
    if not unpacker.eof:
        raise _no_code(document)
    return decode(data, JOIN_FORMAT, JoinCode, document)


def _no_code(document: str) -> DocumentError:
    return BadValue(said("This is not a join code, or only part of one. Copy the whole line."), document=document)
