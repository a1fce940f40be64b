"""``sightline.evidence/1``: the frozen moment and outcome of a judge's call, signed, in one zip.

The zip has a canonical form: no compression, the same date for every entry, the order of the manifest. So it can be
rebuilt from its contents and compared byte by byte, which reveals a changed byte anywhere. Names and sizes of an
untrusted zip are checked before anything is read. Nothing is unpacked, and no name leads outside.
"""

from __future__ import annotations

import hashlib
import io
import re
import struct
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from assistant.documents.reading import decode, refuse_repeated
from assistant.documents.sealed_key import SealedKey
from assistant.documents.table_event import Hash, TimeMs
from assistant.errors import BadValue, MissingField, NoEvidence
from assistant.kept_files import opened_zip
from assistant.table.fields import Name
from assistant.translations.messages import said

EVIDENCE_FORMAT = "sightline.evidence/1"

MANIFEST = "manifest.json"
SIGNATURE = "signature.bin"
CALL = "call.json"
EVENTS = "events.jsonl"
MOMENT = "frozen/moment.json"

MAX_EVIDENCE_BYTES = 192 << 20
"""Size cap in bytes. Some minutes of pictures take under 64 MB. A larger file is meant to fill the memory."""

MOST_PARTS = 600

_SIGNATURE_BYTES = 64
_LOCAL_HEADER = struct.Struct("<26xHH")
"""The lengths of the name and the extra field in an entry's local header."""

_PART = re.compile(r"manifest\.json|signature\.bin|call\.json|events\.jsonl|frozen/[a-z0-9][a-z0-9-]{0,60}\.(json|jpg)")
_DATE = (1980, 1, 1, 0, 0, 0)


class PartFacts(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Name, size and hash of a part of the evidence."""

    id: Annotated[str, Meta(max_length=80)]
    size_bytes: Annotated[int, Meta(ge=0, le=MAX_EVIDENCE_BYTES)]
    sha256: Hash


class EvidenceManifest(
    Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="format", tag=EVIDENCE_FORMAT
):
    """The signed list of parts.

    Args:
        call: the call of the evidence.
        table: the table.
        written_t: milliseconds since 1970, UTC.
        key: the table's public key (Ed25519), in hexadecimal digits.
        head: the hash of the table's last event at that time; with the count it shows whether events are missing.
        event_count: the number of the table's events at that time.
        versions: the versions of the program that wrote it.
        parts: everything else in the file except the signature.
        sealed: the key's certificate from the tournament's authority; absent for a table on its own.
        written_at: the desk that wrote the file from the table's data; absent if the table wrote it.
    """

    call: Name
    table: Name
    written_t: TimeMs
    key: Hash
    head: Hash
    event_count: Annotated[int, Meta(ge=1, lt=1 << 53)]
    versions: Mapping[str, str]
    parts: Annotated[tuple[PartFacts, ...], Meta(max_length=MOST_PARTS)]
    sealed: SealedKey | UnsetType = UNSET
    written_at: Name | UnsetType = UNSET


@dataclass(frozen=True)
class Evidence:
    """An evidence file whose claims are not yet checked.

    Args:
        manifest: the claimed contents.
        signed: the signed bytes.
        signature: the signature.
        parts: the actual contents, by name.
        is_as_written: whether writing these parts reproduces this file, byte by byte.
    """

    manifest: EvidenceManifest
    signed: bytes
    signature: bytes
    parts: Mapping[str, bytes]
    is_as_written: bool


def part_facts(parts: Mapping[str, bytes]) -> tuple[PartFacts, ...]:
    """Return the manifest entries of parts, sorted by name."""
    return tuple(
        PartFacts(id=name, size_bytes=len(content), sha256=hashlib.sha256(content).hexdigest())
        for name, content in sorted(parts.items())
    )


def manifest_bytes(manifest: EvidenceManifest) -> bytes:
    """Return the bytes of a manifest that the key signs."""
    return msgspec.json.encode(manifest)


def evidence_zip(signed: bytes, signature: bytes, parts: Mapping[str, bytes]) -> bytes:
    """Write the ``sightline.evidence/1`` file of a manifest, its signature and its parts."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_STORED) as archive:
        for name, content in [(MANIFEST, signed), (SIGNATURE, signature), *sorted(parts.items())]:
            entry = zipfile.ZipInfo(name, _DATE)
            entry.create_system = 3  # the same on every system
            entry.external_attr = 0o600 << 16
            archive.writestr(entry, content)
    return target.getvalue()


def evidence_from_zip(data: bytes, document: str = "evidence") -> Evidence:
    """Read the evidence in a zip. Every part is a slice of the file itself, so nothing can expand.

    Raises:
        NoEvidence: it is not a zip, is too large, or has an unexpected entry.
        DocumentError: its manifest breaks its format.
    """
    if len(data) > MAX_EVIDENCE_BYTES:
        text = said("The file has over {mb} MB, more than any evidence.", mb=MAX_EVIDENCE_BYTES >> 20)
        raise NoEvidence(text, document=document)
    damaged = said("This is not a zip file, or it is damaged. Ask for another copy.")
    with opened_zip(data, NoEvidence(damaged, document=document)) as archive:
        entries = archive.infolist()
    _check_entries(entries, document)
    content = {entry.filename: _read_entry(data, entry, document) for entry in entries}
    signed, signature = (content.pop(name, None) for name in (MANIFEST, SIGNATURE))
    if signed is None or signature is None or len(signature) != _SIGNATURE_BYTES:
        text = said("This zip file holds no signed manifest. Choose an evidence file saved from the page of a table.")
        raise NoEvidence(text, document=document)
    manifest = decode(signed, EVIDENCE_FORMAT, EvidenceManifest, f"{document}: {MANIFEST}")
    refuse_repeated([part.id for part in manifest.parts], "part", "parts", f"{document}: {MANIFEST}")
    return Evidence(manifest, signed, signature, content, evidence_zip(signed, signature, content) == data)


def part_of(evidence: Evidence, name: str, document: str) -> bytes:
    """Return a required part of an evidence file.

    Raises:
        MissingField: the part is missing.
    """
    if name not in evidence.parts:
        raise MissingField(said("This part is missing. Ask for another copy."), document=document, field=name)
    return evidence.parts[name]


def _check_entries(entries: list[zipfile.ZipInfo], document: str) -> None:
    """Reject unexpected entries by the zip's directory alone."""
    if len(entries) > MOST_PARTS + 2:
        raise NoEvidence(
            said("The file has over {count} entries, more than any evidence.", count=MOST_PARTS), document=document
        )
    seen: set[str] = set()
    for entry in entries:
        name = entry.filename
        if not _PART.fullmatch(name):
            shown = ascii(name[:80])
            raise NoEvidence(said("Evidence never has an entry named {name}.", name=shown), document=document)
        if name in seen:
            raise NoEvidence(said("the entry {name} is there twice", name=name), document=document)
        if entry.compress_type != zipfile.ZIP_STORED or entry.flag_bits & 1 or entry.file_size != entry.compress_size:
            text = said("The entry {name} is compressed or encrypted. Evidence never is.", name=name)
            raise NoEvidence(text, document=document)
        seen.add(name)


def _read_entry(data: bytes, entry: zipfile.ZipInfo, document: str) -> bytes:
    """Return the bytes of an entry. Rebuilding the zip compares the other fields of its header."""
    header = data[entry.header_offset : entry.header_offset + _LOCAL_HEADER.size]
    if len(header) < _LOCAL_HEADER.size:
        raise _cut_short(entry, document)
    name_bytes, extra_bytes = _LOCAL_HEADER.unpack(header)
    begin = entry.header_offset + _LOCAL_HEADER.size + name_bytes + extra_bytes
    content = data[begin : begin + entry.file_size]
    if len(content) < entry.file_size:
        raise _cut_short(entry, document)
    return content


def _cut_short(entry: zipfile.ZipInfo, document: str) -> BadValue:
    return NoEvidence(
        said("The entry {name} is cut short. Ask for another copy.", name=entry.filename), document=document
    )
