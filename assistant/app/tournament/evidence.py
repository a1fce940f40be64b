"""The evidence of a call: everything that was frozen, what became of it, and the table's signature over both."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.metadata import version

import msgspec

from assistant.app.tournament.call_book import CallBook
from assistant.app.tournament.table_key import TableKey
from assistant.documents.call import call_document
from assistant.documents.evidence import (
    CALL,
    EVENTS,
    EvidenceManifest,
    evidence_zip,
    manifest_bytes,
    part_facts,
)
from assistant.documents.table_event import NO_EVENT


def program_versions() -> dict[str, str]:
    """What evidence says of the program that wrote it."""
    return {name: version(name) for name in ("sightline", "numpy", "msgspec", "cryptography")}


@dataclass(frozen=True)
class EvidenceWriter:
    """Writes the evidence of the calls of one table.

    Args:
        book: the calls.
        key: signs.
        clock_ms: milliseconds since 1970, UTC.
    """

    book: CallBook
    key: TableKey
    clock_ms: Callable[[], int]

    def write(self, call_id: str) -> bytes:
        """The ``sightline.evidence/1`` file of a call as it stands now.

        Raises:
            UnknownName: there is no such call.
            StoreError: what was frozen cannot be read.
        """
        call, lines, frozen = self.book.kept(call_id)
        parts: Mapping[str, bytes] = {
            **frozen,
            CALL: msgspec.json.encode(call_document(call)),
            EVENTS: b"".join(line + b"\n" for line in lines),
        }
        manifest = EvidenceManifest(
            call=call.id,
            table=call.table,
            written_t=self.clock_ms(),
            key=self.key.public,
            head=hashlib.sha256(lines[-1]).hexdigest() if lines else NO_EVENT,
            event_count=len(lines),
            versions=program_versions(),
            parts=part_facts(parts),
        )
        signed = manifest_bytes(manifest)
        return evidence_zip(signed, self.key.sign(signed), parts)
