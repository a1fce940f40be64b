"""The evidence of a call: its frozen parts, its events, and the table's signature over both."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from typing import NamedTuple

import msgspec

from assistant.app.tournament.call_book import CallBook
from assistant.app.tournament.table_key import TableKey
from assistant.documents.call import Call, call_document
from assistant.documents.evidence import (
    CALL,
    EVENTS,
    EvidenceManifest,
    evidence_zip,
    manifest_bytes,
    part_facts,
)
from assistant.documents.sealed_key import SealedKey
from assistant.documents.table_event import NO_EVENT


def program_versions() -> dict[str, str]:
    """Return the versions, for the evidence, of the program and of everything that its numbers depend on."""
    return {name: version(name) for name in ("sightline", "numpy", "msgspec", "cryptography")}


def write_evidence(book: CallBook, key: TableKey, call_id: str, t_ms: int, sealed: SealedKey | None = None) -> bytes:
    """Write the ``sightline.evidence/1`` file of a call in its present state.

    Args:
        book: the calls of the table.
        key: signs the file.
        call_id: the call.
        t_ms: the time, milliseconds since 1970, UTC.
        sealed: the key's certificate from the tournament's authority, if any.

    Raises:
        UnknownName: there is no such call.
        StoreError: the frozen parts cannot be read.
    """
    call, lines, frozen = book.kept(call_id)
    return pack_evidence(call, lines, frozen, Signer(key, sealed), t_ms)


class Signer(NamedTuple):
    """The signer of evidence: a key, its certificate from the tournament's authority, and a desk's name."""

    key: TableKey
    sealed: SealedKey | None = None
    desk: str = ""


def pack_evidence(
    call: Call,
    lines: Sequence[bytes],
    frozen: Mapping[str, bytes],
    signer: Signer,
    t_ms: int,
) -> bytes:
    """Sign and pack a call, its table's event lines and its frozen parts into one file."""
    parts: Mapping[str, bytes] = {
        **frozen,
        CALL: msgspec.json.encode(call_document(call)),
        EVENTS: b"".join(line + b"\n" for line in lines),
    }
    manifest = EvidenceManifest(
        call=call.id,
        table=call.table,
        written_t=t_ms,
        key=signer.key.public,
        head=hashlib.sha256(lines[-1]).hexdigest() if lines else NO_EVENT,
        event_count=len(lines),
        versions=program_versions(),
        parts=part_facts(parts),
        sealed=signer.sealed or msgspec.UNSET,
        written_at=signer.desk or msgspec.UNSET,
    )
    signed = manifest_bytes(manifest)
    return evidence_zip(signed, signer.key.sign(signed), parts)
