"""Evidence forged by somebody with a key: changed parts, and consistent references to them."""

from __future__ import annotations

import hashlib
from typing import Any

import msgspec
from msgspec.structs import replace

from assistant.app.tournament.checking import Checked
from assistant.app.tournament.table_key import TableKey
from assistant.documents.evidence import (
    CALL,
    EVENTS,
    MOMENT,
    evidence_from_zip,
    evidence_zip,
    manifest_bytes,
    part_facts,
)


def found(checked: Checked) -> str:
    """Everything that was found, a line each."""
    return "\n".join(str(one) for one in checked.findings)


def signed_again(data: bytes, parts: dict[str, bytes], key: TableKey, **changes: Any) -> bytes:
    """Return the evidence with other parts, as somebody with a key would make it."""
    old = evidence_from_zip(data)
    whole = {**old.parts, **parts}
    manifest = replace(old.manifest, parts=part_facts(whole), key=key.public, **changes)
    signed = manifest_bytes(manifest)
    return evidence_zip(signed, key.sign(signed), whole)


def with_moment(data: bytes, change: Any) -> dict[str, bytes]:
    """Return the parts that follow if the frozen moment is changed and everything that names it is made to fit."""
    old = evidence_from_zip(data)
    moment = msgspec.json.decode(old.parts[MOMENT])
    change(moment)
    document = msgspec.json.encode(moment)
    frozen_hash = hashlib.sha256(document).hexdigest()
    prev, lines = "0" * 64, []
    for line in old.parts[EVENTS].splitlines():
        event = {**msgspec.json.decode(line), "prev_hash": prev}
        if event["type"] == "opened":
            event["payload"]["frozen_hash"] = frozen_hash
        lines.append(msgspec.json.encode(event))
        prev = hashlib.sha256(lines[-1]).hexdigest()
    call = {**msgspec.json.decode(old.parts[CALL]), "frozen_hash": frozen_hash}
    return {MOMENT: document, EVENTS: b"".join(line + b"\n" for line in lines), CALL: msgspec.json.encode(call)}


def head_of(parts: dict[str, bytes]) -> str:
    """Return the hash of the last event."""
    return hashlib.sha256(parts[EVENTS].splitlines()[-1]).hexdigest()
