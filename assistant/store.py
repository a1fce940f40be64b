"""Matches on disk: SQLite with a write-ahead log and one writer.

An event is acknowledged once it is on disk. With ``synchronous=FULL`` SQLite waits for the disk at every commit, so an
acknowledged event survives a crash at any moment. A disk may still lose data in a power failure. Only this file maps
SQLite's errors.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self

from assistant.documents import match_from_lines, match_lines
from assistant.errors import NameTaken, StoreError, UnknownName
from assistant.kept_files import OWN_EYES, locked_file
from assistant.translations.foreign import system_reason
from assistant.translations.messages import Said, said

SCHEMA_VERSION = 1

_SCHEMA = """
CREATE TABLE IF NOT EXISTS match (id TEXT PRIMARY KEY, header BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS event (
    match_id TEXT NOT NULL REFERENCES match(id), seq INTEGER NOT NULL, line BLOB NOT NULL,
    PRIMARY KEY (match_id, seq)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS table_event (seq INTEGER PRIMARY KEY, line BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS frozen (
    call_id TEXT NOT NULL, name TEXT NOT NULL, content BLOB NOT NULL, PRIMARY KEY (call_id, name)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS snapshot (match_id TEXT PRIMARY KEY REFERENCES match(id), state BLOB NOT NULL) WITHOUT ROWID;
"""

FULL = said("The disk is full, and the last step has not happened. Free some space and repeat it.")

DAMAGED = said(
    "The file of the matches is damaged. Move sightline.db out of the data folder and import your last export."
)


class DamagedStore(StoreError):
    """The database is damaged. ``set_aside`` moves it away. ``salvage`` reads what is left."""

    sentence = DAMAGED


@dataclass(frozen=True, slots=True)
class StoredMatch:
    """A stored match: its lines with the header first, and its snapshot if there is one."""

    lines: tuple[bytes, ...]
    snapshot: bytes | None


DATABASE = "sightline.db"
"""File name of the match database in the data folder."""

LOCK = "sightline.lock"
"""File that a running program locks to own the data folder."""


def damage_of(folder: Path) -> str | None:
    """Describe the damage of the match database, or None if it is intact or absent.

    The file is opened read-only, so a running program is not disturbed.
    """
    path = folder / DATABASE
    if not path.exists():
        return None
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as database:
            found = str(database.execute("PRAGMA quick_check(1)").fetchone()[0])
    except sqlite3.Error as problem:
        return str(problem)
    return None if found == "ok" else found


class Store:
    """The data folder's matches and judges' calls. Only one program at a time may have it open.

    Args:
        folder: the data folder, created if missing.

    Raises:
        StoreError: another program has it open, or the database cannot be opened.
    """

    def __init__(self, folder: Path) -> None:
        self._guard = threading.Lock()
        with map_database_errors():
            folder.mkdir(parents=True, exist_ok=True)
            self._lock_file = _own_folder(folder)
        try:
            with map_database_errors():
                self._db = open_database(folder / DATABASE, _SCHEMA, SCHEMA_VERSION)
        except StoreError:
            self._lock_file.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the database and release the folder."""
        with self._guard, map_database_errors():
            self._db.close()
            self._lock_file.close()

    def create(self, match_id: str, header: bytes) -> MatchJournal:
        """Create a match whose first line is that header.

        Raises:
            StoreError: the name is taken, or it cannot be written.
        """
        try:
            self._write("INSERT INTO match (id, header) VALUES (?, ?)", (match_id, header))
        except sqlite3.IntegrityError:
            raise NameTaken(match_id) from None
        return MatchJournal(self, match_id)

    def journal(self, match_id: str) -> MatchJournal:
        return MatchJournal(self, match_id)

    def append(self, match_id: str, seq: int, line: bytes) -> None:
        """Append an event's line to a match. On return it is on disk.

        Raises:
            StoreError: it could not be written; nothing has changed.
        """
        try:
            self._write("INSERT INTO event (match_id, seq, line) VALUES (?, ?, ?)", (match_id, seq, line))
        except sqlite3.IntegrityError:
            raise StoreError(
                said("Event {seq} of “{match_id}” is there already. Open the match again.", seq=seq, match_id=match_id)
            ) from None

    def keep_snapshot(self, match_id: str, state: bytes) -> None:
        """Save a snapshot, replacing the last one.

        Raises:
            StoreError: it could not be written; the match is unharmed.
        """
        self._write("INSERT OR REPLACE INTO snapshot (match_id, state) VALUES (?, ?)", (match_id, state))

    def matches(self) -> tuple[str, ...]:
        return tuple(row[0] for row in self._read("SELECT id FROM match ORDER BY id", ()))

    def headers(self) -> dict[str, bytes]:
        return {row[0]: bytes(row[1]) for row in self._read("SELECT id, header FROM match ORDER BY id", ())}

    def event_counts(self) -> dict[str, int]:
        joined = "match LEFT JOIN event ON event.match_id = match.id"
        rows = self._read(f"SELECT match.id, COUNT(event.seq) FROM {joined} GROUP BY match.id", ())
        return {row[0]: row[1] for row in rows}

    def load(self, match_id: str) -> StoredMatch:
        """Return the lines and the snapshot of a match.

        Raises:
            UnknownName: there is no such match.
            StoreError: the database cannot be read.
        """
        headers = self._read("SELECT header FROM match WHERE id = ?", (match_id,))
        if not headers:
            raise UnknownName(said("There is no match “{match_id}”. Choose one of the list.", match_id=match_id))
        events = self._read("SELECT line FROM event WHERE match_id = ? ORDER BY seq", (match_id,))
        snapshots = self._read("SELECT state FROM snapshot WHERE match_id = ?", (match_id,))
        lines = (bytes(headers[0][0]), *(bytes(row[0]) for row in events))
        return StoredMatch(lines, bytes(snapshots[0][0]) if snapshots else None)

    def exported(self, match_id: str) -> bytes:
        return match_lines(self.load(match_id).lines)

    def bring_back(self, salvaged: Salvaged) -> None:
        """Save all salvaged data in one transaction.

        Raises:
            StoreError: it cannot be written.
        """
        with self._guard, map_database_errors(), transaction(self._db):
            for match_id, lines in salvaged.matches.items():
                self._db.execute("INSERT INTO match (id, header) VALUES (?, ?)", (match_id, lines[0]))
                rows = [(match_id, seq, line) for seq, line in enumerate(lines[1:], 1)]
                self._db.executemany("INSERT INTO event (match_id, seq, line) VALUES (?, ?, ?)", rows)
            events = list(enumerate(salvaged.table_events, 1))
            self._db.executemany("INSERT INTO table_event (seq, line) VALUES (?, ?)", events)
            parts = [(call, name, data) for call, found in salvaged.frozen.items() for name, data in found.items()]
            self._db.executemany("INSERT INTO frozen (call_id, name, content) VALUES (?, ?, ?)", parts)

    def imported(self, data: bytes, match_id: str) -> None:
        """Import a whole match under a free name, in one transaction.

        Raises:
            DocumentError: it is not a match, or its hash chain is broken.
            StoreError: the name is taken, or it cannot be written.
        """
        match_from_lines(data)
        lines = [line for line in data.split(b"\n") if line.strip()]
        with self._guard, map_database_errors():
            try:
                with transaction(self._db):
                    self._db.execute("INSERT INTO match (id, header) VALUES (?, ?)", (match_id, lines[0]))
                    rows = ((match_id, seq, line) for seq, line in enumerate(lines[1:], 1))
                    self._db.executemany("INSERT INTO event (match_id, seq, line) VALUES (?, ?, ?)", rows)
            except sqlite3.IntegrityError:
                raise NameTaken(match_id) from None

    def append_table_event(self, seq: int, line: bytes, call_id: str = "", parts: Mapping[str, bytes] = {}) -> None:
        """Save an event of the table with its frozen parts in one transaction. On return it is on disk.

        Raises:
            StoreError: it could not be written; nothing has changed.
        """
        rows = [(call_id, name, content) for name, content in parts.items()]
        with self._guard, map_database_errors(), transaction(self._db):
            self._db.execute("INSERT INTO table_event (seq, line) VALUES (?, ?)", (seq, line))
            self._db.executemany("INSERT INTO frozen (call_id, name, content) VALUES (?, ?, ?)", rows)

    def table_events(self) -> tuple[bytes, ...]:
        return tuple(bytes(row[0]) for row in self._read("SELECT line FROM table_event ORDER BY seq", ()))

    def frozen_parts(self, call_id: str) -> dict[str, bytes]:
        """Return the frozen parts of a call by name, or none for an unknown call."""
        rows = self._read("SELECT name, content FROM frozen WHERE call_id = ? ORDER BY name", (call_id,))
        return {row[0]: bytes(row[1]) for row in rows}

    def frozen_part(self, call_id: str, name: str) -> bytes | None:
        rows = self._read("SELECT content FROM frozen WHERE call_id = ? AND name = ?", (call_id, name))
        return bytes(rows[0][0]) if rows else None

    def forget_frozen(self, call_ids: Iterable[str]) -> None:
        """Delete the frozen parts of calls, but keep their events.

        Raises:
            StoreError: it could not be written; nothing has changed.
        """
        with self._guard, map_database_errors(), transaction(self._db):
            self._db.executemany("DELETE FROM frozen WHERE call_id = ?", [(call_id,) for call_id in call_ids])

    def rename(self, match_id: str, name: str) -> None:
        """Rename a match. Its lines are unchanged, so its hash chain stays valid.

        Raises:
            UnknownName: there is no such match.
            StoreError: the name is taken, or it cannot be written.
        """
        self.load(match_id)
        with self._guard, map_database_errors():
            try:
                with transaction(self._db):
                    kept = "INSERT INTO match (id, header) SELECT ?, header FROM match WHERE id = ?"
                    self._db.execute(kept, (name, match_id))
                    for table in ("event", "snapshot"):
                        self._db.execute(f"UPDATE {table} SET match_id = ? WHERE match_id = ?", (name, match_id))
                    self._db.execute("DELETE FROM match WHERE id = ?", (match_id,))
            except sqlite3.IntegrityError:
                raise NameTaken(name) from None

    def _write(self, statement: str, values: tuple[object, ...]) -> None:
        with self._guard, map_database_errors(), transaction(self._db):
            self._db.execute(statement, values)

    def _read(self, statement: str, values: tuple[object, ...]) -> list[tuple[Any, ...]]:
        with self._guard, map_database_errors():
            return self._db.execute(statement, values).fetchall()


class MatchJournal:
    """The journal of one match: appends its lines to the store."""

    def __init__(self, store: Store, match_id: str) -> None:
        self._store = store
        self._match_id = match_id

    def append(self, seq: int, line: bytes) -> None:
        self._store.append(self._match_id, seq, line)


@contextmanager
def transaction(db: sqlite3.Connection) -> Iterator[None]:
    """Run the block in one transaction."""
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
        db.execute("COMMIT")
    except BaseException:
        # After some errors, such as a full disk, SQLite has already rolled back by itself.
        if db.in_transaction:
            db.execute("ROLLBACK")
        raise


@contextmanager
def map_database_errors() -> Iterator[None]:
    """Map database errors in the block, except broken table constraints.

    Raises:
        StoreError: it cannot be read or written.
    """
    try:
        yield
    except sqlite3.IntegrityError:
        raise
    except sqlite3.Error as problem:
        if _primary_code(problem) in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
            raise DamagedStore from problem
        raise StoreError(_word_problem(problem)) from problem
    except OSError as problem:
        text = said(
            "The data folder cannot be used ({reason}). Check that it may be written to.",
            reason=system_reason(problem),
        )
        raise StoreError(text) from problem


def _word_problem(problem: sqlite3.Error) -> Said:
    primary = _primary_code(problem)
    if primary == sqlite3.SQLITE_FULL:
        return FULL
    if primary in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM):
        return said("The data folder cannot be written to. Check its rights or choose another one.")
    return said("The match cannot be saved ({reason}). Check the disk and repeat the step.", reason=str(problem))


def _primary_code(problem: sqlite3.Error) -> int | None:
    code = getattr(problem, "sqlite_errorcode", None)
    return None if code is None else code & 0xFF


def _own_folder(folder: Path) -> IO[bytes]:
    text = said(
        "Another Sightline has the data folder {folder} open. Stop it or choose another folder.", folder=str(folder)
    )
    return locked_file(folder / LOCK, text)


def open_database(path: Path, schema: str, version: int) -> sqlite3.Connection:
    """Open a database readable by its own user only, create its tables, and flush every commit to disk.

    Call it within ``map_database_errors``.

    Raises:
        StoreError: it is damaged, or a newer Sightline wrote it.
    """
    # Create the file before SQLite does, because other users of the machine must not read a side's secrets. SQLite
    # gives the log beside it the same permissions.
    path.touch(OWN_EYES)
    path.chmod(OWN_EYES)
    db = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    try:
        db.execute("PRAGMA journal_mode=WAL")
        db.execute("PRAGMA synchronous=FULL")
        db.execute("PRAGMA foreign_keys=ON")
        _check(db, version)
        db.executescript(schema)
        db.execute(f"PRAGMA user_version={version}")
    except BaseException:
        db.close()
        raise
    return db


def _check(db: sqlite3.Connection, version: int) -> None:
    if db.execute("PRAGMA user_version").fetchone()[0] > version:
        raise StoreError(said("A newer Sightline wrote this data folder. Update this one."))
    if db.execute("PRAGMA quick_check(1)").fetchone()[0] != "ok":
        raise DamagedStore


def set_aside(folder: Path, ending: str) -> Path:
    """Move a damaged database and its log away, and return the new path.

    Raises:
        StoreError: another program has it open, or it cannot be moved.
    """
    with map_database_errors(), _own_folder(folder):
        aside = folder / f"{DATABASE}.{ending}"
        for suffix in ("", "-wal", "-shm"):
            found = folder / f"{DATABASE}{suffix}"
            if found.exists():
                found.replace(folder / f"{aside.name}{suffix}")
    return aside


@dataclass(frozen=True, slots=True)
class Salvaged:
    """Data read from a damaged database: the lines of each match in order, by name, and the table's own events."""

    matches: Mapping[str, tuple[bytes, ...]]
    table_events: tuple[bytes, ...]
    frozen: Mapping[str, Mapping[str, bytes]]


def salvage(path: Path) -> Salvaged:
    """Read all that is readable in a damaged database, row by row, without changing it."""
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as db:
            headers = dict(_readable(db, "SELECT id, header FROM match WHERE id > ? ORDER BY id LIMIT 1", ""))
            matches = {
                name: (bytes(header), *_chain(db, "SELECT seq, line FROM event WHERE match_id = ? AND seq = ?", name))
                for name, header in headers.items()
            }
            events = _chain(db, "SELECT seq, line FROM table_event WHERE ? = '' AND seq = ?", "")
            frozen: dict[str, dict[str, bytes]] = {}
            wanted = "SELECT rowid, call_id, name, content FROM frozen WHERE rowid > ? ORDER BY rowid LIMIT 1"
            for _, call_id, name, content in _readable(db, wanted, 0):
                frozen.setdefault(call_id, {})[name] = bytes(content)
    except sqlite3.Error:  # even the first page is unreadable
        return Salvaged({}, (), {})
    return Salvaged(matches, tuple(events), frozen)


def _readable(db: sqlite3.Connection, wanted: str, first: str | int) -> Iterator[tuple[Any, ...]]:
    """Yield rows in key order until one cannot be read."""
    key: Any = first
    while True:
        try:
            row = db.execute(wanted, (key,)).fetchone()
        except sqlite3.Error:
            return
        if row is None:
            return
        yield row
        key = row[0]


def _chain(db: sqlite3.Connection, wanted: str, name: str) -> Iterator[bytes]:
    """Yield lines from the first until one is missing or unreadable."""
    seq = 1
    while True:
        try:
            row = db.execute(wanted, (name, seq)).fetchone()
        except sqlite3.Error:
            return
        if row is None:
            return
        yield bytes(row[1])
        seq += 1
