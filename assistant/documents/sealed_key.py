"""``sightline.key/1``: a table's public key, signed by the authority of its tournament."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from assistant.documents.table_event import Hash, TimeMs
from assistant.table.fields import Name, whole

KEY_FORMAT = "sightline.key/1"


class SealedKey(Struct, frozen=True, kw_only=True, tag_field="format", tag=KEY_FORMAT):
    """A key signed by the authority when its table or desk joined.

    Args:
        event: the tournament.
        name: the table, or the desk.
        key: the public key (Ed25519), in hexadecimal digits.
        is_desk: true for a desk, which may sign for every table; absent for a table, which signs for itself.
        t: the time of signing, milliseconds since 1970, UTC.
        signature: the authority's signature (ECDSA, SHA-256) over all other fields, in hexadecimal digits; empty before
            signing.
    """

    event: Name
    name: Name
    key: Hash
    t: TimeMs
    is_desk: bool | UnsetType = UNSET
    signature: Annotated[str, Meta(max_length=400, pattern=whole("[0-9a-f]*"))] = ""


def sealed_bytes(sealed: SealedKey) -> bytes:
    """Return the bytes that the authority signs."""
    return msgspec.json.encode(msgspec.structs.replace(sealed, signature=""))
