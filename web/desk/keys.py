"""The list of keys that a tournament keeps: with it evidence can be checked when the tables are packed away."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping

from msgspec import json

from assistant.app.tournament.call_report import speak_time
from assistant.app.tournament.table_key import key_fingerprint
from assistant.documents.sealed_key import SealedKey

COLUMNS = ("Tournament", "Table", "Fingerprint", "Signed at", "Key", "Signature")


def keys_csv(sealed: Mapping[str, bytes]) -> str:
    """A row for each table that has joined."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    for name in sorted(sealed):
        one = json.decode(sealed[name], type=SealedKey)
        writer.writerow((one.event, one.name, key_fingerprint(one.key), speak_time(one.t), one.key, one.signature))
    return out.getvalue()
