"""Exports all matches and calls automatically, every evening and at exit."""

from __future__ import annotations

import datetime
import io
import logging
import threading
import zipfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from assistant.documents import match_from_lines
from assistant.errors import BadValue, DocumentError, StoreError
from assistant.kept_files import opened_zip, write_kept
from assistant.store import Store
from assistant.translations.messages import said

FOLDER = "exports"
EVENING_HOUR = 22
LOOK_S = 600.0
KEPT = 7
"""Kept exports: a week of evenings."""

MATCHES, EVENTS = "matches/", "table-events.jsonl"

MAX_EXPORT_BYTES = 512 << 20
"""Size cap in bytes on one entry when an export is read back."""

log = logging.getLogger(__name__)


def export_all(store: Store, folder: Path, day: datetime.date) -> Path:
    """Write every match and the table's calls into one zip, and delete all exports but the newest `KEPT`.

    Raises:
        StoreError: something cannot be read or written.
    """
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in store.matches():
            archive.writestr(f"{MATCHES}{name}.jsonl", store.exported(name))
        archive.writestr(EVENTS, b"".join(line + b"\n" for line in store.table_events()))
    path = folder / FOLDER / f"sightline-{day.isoformat()}.zip"
    write_kept(path, out.getvalue())
    for old in list_exports(folder)[:-KEPT]:
        old.unlink(missing_ok=True)
    return path


def list_exports(folder: Path) -> list[Path]:
    """Return the exports, the oldest first."""
    return sorted((folder / FOLDER).glob("sightline-????-??-??.zip"))


def newest_export(folder: Path) -> dict[str, tuple[bytes, ...]]:
    """Return the lines of each match in the newest readable export, or an empty mapping if there is none."""
    for path in reversed(list_exports(folder)):
        try:
            return _matches_in(path.read_bytes())
        except (OSError, BadValue, DocumentError) as problem:
            log.warning("%s cannot be read: %s", path.name, problem)
    return {}


def _matches_in(data: bytes) -> dict[str, tuple[bytes, ...]]:
    found: dict[str, tuple[bytes, ...]] = {}
    with opened_zip(
        data,
        BadValue(said("This is not a backup, or it is damaged. Choose a file made by “sightline backup” or the page.")),
    ) as archive:
        for entry in archive.infolist():
            if entry.filename.startswith(MATCHES) and entry.file_size <= MAX_EXPORT_BYTES:
                content = archive.read(entry)
                match_from_lines(content)
                lines = tuple(line for line in content.split(b"\n") if line.strip())
                found[entry.filename.removeprefix(MATCHES).removesuffix(".jsonl")] = lines
    return found


@dataclass
class EveningExport:
    """Exports once each evening while the program runs, and again at exit."""

    store: Store
    folder: Path
    now: Callable[[], datetime.datetime] = lambda: datetime.datetime.now().astimezone()
    _closing: threading.Event = field(default_factory=threading.Event)

    def start(self) -> None:
        """Start watching the clock in its own thread."""
        threading.Thread(target=self._run, name="evening-export", daemon=True).start()

    def close(self) -> None:
        """Stop watching the clock, and write a last export."""
        self._closing.set()
        self._export()

    def look(self) -> bool:
        """Export if it is evening and today has no export yet. Return whether it exported."""
        now = self.now()
        path = self.folder / FOLDER / f"sightline-{now.date().isoformat()}.zip"
        return now.hour >= EVENING_HOUR and not path.exists() and self._export()

    def _export(self) -> bool:
        try:
            if not (self.store.matches() or self.store.table_events()):
                return False
            export_all(self.store, self.folder, self.now().date())
        except StoreError as problem:  # a full disk is reported as its own problem
            log.warning("nothing was exported: %s", problem)
            return False
        return True

    def _run(self) -> None:
        while not self._closing.wait(LOOK_S):
            self.look()
