"""The list of a tournament's keys, for checking evidence after the tables are packed away."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable

from msgspec import json

from assistant.app.tournament.call_report import speak_time
from assistant.app.tournament.table_key import key_fingerprint
from assistant.documents.sealed_key import SealedKey

COLUMNS = ("Tournament", "Table", "Fingerprint", "Signed at", "Key", "Signature")


def keys_csv(documents: Iterable[bytes]) -> str:
    """Return a row for each signed key of a table. A table that lost its folder has two."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    sealed = (json.decode(one, type=SealedKey) for one in documents)
    for one in sorted(sealed, key=lambda one: (one.name, one.t)):
        writer.writerow((one.event, one.name, key_fingerprint(one.key), speak_time(one.t), one.key, one.signature))
    return out.getvalue()
