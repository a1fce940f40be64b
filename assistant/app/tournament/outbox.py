"""What a table still has to tell its desk: kept on the disk until a desk says that it has it.

Events are never let go of; where the outbox becomes too large, its oldest pictures are.
"""

from __future__ import annotations

import threading
from collections.abc import Container, Iterable
from pathlib import Path
from typing import NamedTuple

from assistant.errors import CannotDo
from assistant.store import map_database_errors, open_database, transaction
from assistant.translations.messages import said

MOST_BYTES = 256 << 20
"""Limit of waiting pictures: some thousand, a long day without the hall's network."""

VERSION = 1

_SCHEMA = """
CREATE TABLE IF NOT EXISTS waiting (n INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT UNIQUE NOT NULL, payload BLOB);
CREATE TABLE IF NOT EXISTS picture (n INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, jpeg BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS standing (topic TEXT PRIMARY KEY, payload BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS answered (id TEXT PRIMARY KEY, payload BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS taken (one INTEGER PRIMARY KEY CHECK (one = 1), seq INTEGER NOT NULL);
"""

_SIZE = "SELECT COALESCE(SUM(LENGTH({column})), 0) FROM {table}"


class OutboxFull(CannotDo):
    """Pictures were dropped because too much waited.

    Args:
        mb: the limit.
        count: how many pictures are gone.
    """

    def __init__(self, mb: int, count: int) -> None:
        super().__init__(
            said(
                "The messages for the desk have reached {mb} MB, so the oldest pictures were dropped (so far: "
                "{count}). No event was dropped. Start the broker again.",
                mb=mb,
                count=count,
            )
        )


class Waiting(NamedTuple):
    """An event that no desk has yet: its place in the row, its id, and the message."""

    n: int
    id: str
    payload: bytes


class TableOutbox:
    """Waiting events and pictures, in a database of their own.

    Args:
        file: the database; one for each tournament that the table was ever in.
        most_bytes: how large it may become before pictures are let go of.

    Raises:
        StoreError: the database cannot be opened.
    """

    def __init__(self, file: Path, most_bytes: int = MOST_BYTES) -> None:
        self._guard = threading.Lock()
        self._most_bytes = most_bytes
        self._dropped = 0
        with map_database_errors():
            file.parent.mkdir(parents=True, exist_ok=True)
            self._db = open_database(file, _SCHEMA, VERSION)
            self._bytes = sum(
                self._db.execute(_SIZE.format(column=column, table=table)).fetchone()[0]
                for table, column in (("waiting", "payload"), ("picture", "jpeg"))
            )

    def close(self) -> None:
        with self._guard, map_database_errors():
            self._db.close()

    @property
    def taken_seq(self) -> int:
        """The number of the last event that was put here, whether a desk has it by now or not."""
        with self._guard, map_database_errors():
            found = self._db.execute("SELECT seq FROM taken").fetchone()
        return 0 if found is None else int(found[0])

    def put(self, waiting: Waiting, standing: tuple[str, bytes] | None = None) -> None:
        """Keep a message on the disk until a desk has it. The same event again is dropped.

        Args:
            waiting: the event, ``n`` its number at the table.
            standing: a topic and what it shows from now on; nothing there takes it away.

        Raises:
            StoreError: it could not be written.
        """
        with self._guard, map_database_errors(), transaction(self._db):
            row = (waiting.id, waiting.payload)
            added = self._db.execute("INSERT OR IGNORE INTO waiting (id, payload) VALUES (?, ?)", row)
            self._bytes += len(waiting.payload) * added.rowcount
            self._db.execute("INSERT OR REPLACE INTO taken (one, seq) VALUES (1, ?)", (waiting.n,))
            if standing is not None:
                self._db.execute("INSERT OR REPLACE INTO standing (topic, payload) VALUES (?, ?)", standing)
            self._make_room()

    def put_picture(self, name: str, jpeg: bytes) -> None:
        """Keep a picture until a desk has it, or until there is no room for it.

        Raises:
            StoreError: it could not be written.
        """
        with self._guard, map_database_errors(), transaction(self._db):
            added = self._db.execute("INSERT OR IGNORE INTO picture (name, jpeg) VALUES (?, ?)", (name, jpeg))
            self._bytes += len(jpeg) * added.rowcount
            self._make_room()

    @property
    def problem(self) -> OutboxFull | None:
        """The pictures that were dropped since the outbox was last empty, if any."""
        return OutboxFull(self._most_bytes >> 20, self._dropped) if self._dropped else None

    def count(self) -> int:
        """Return the number of waiting events."""
        with self._guard, map_database_errors():
            found: int = self._db.execute("SELECT COUNT(*) FROM waiting").fetchone()[0]
        return found

    def is_waiting(self, event_id: str) -> bool:
        """Return whether no desk has an event yet."""
        with self._guard, map_database_errors():
            return self._db.execute("SELECT 1 FROM waiting WHERE id = ?", (event_id,)).fetchone() is not None

    def after(self, n: int, most: int) -> list[Waiting]:
        """Return the first events behind a place in the row."""
        with self._guard, map_database_errors():
            rows = self._db.execute(
                "SELECT n, id, payload FROM waiting WHERE n > ? ORDER BY n LIMIT ?", (n, most)
            ).fetchall()
        return [Waiting(*row) for row in rows]

    def drop(self, ids: Iterable[str]) -> None:
        """Drop events that a desk has."""
        with self._guard, map_database_errors(), transaction(self._db):
            for event_id in ids:
                gone = self._db.execute("DELETE FROM waiting WHERE id = ? RETURNING LENGTH(payload)", (event_id,))
                self._let_go(sum(row[0] for row in gone.fetchall()))

    def first_picture(self, aside: Container[str] = ()) -> tuple[str, bytes] | None:
        """Return the oldest waiting picture that is not set aside, with its name."""
        with self._guard, map_database_errors():
            names = self._db.execute("SELECT n, name FROM picture ORDER BY n").fetchall()
            wanted = next((n for n, name in names if name not in aside), None)
            found = self._db.execute("SELECT name, jpeg FROM picture WHERE n = ?", (wanted,)).fetchone()
        return None if found is None else (found[0], bytes(found[1]))

    def drop_picture(self, name: str) -> None:
        """Drop a picture that a desk has, or that no desk takes."""
        with self._guard, map_database_errors(), transaction(self._db):
            gone = self._db.execute("DELETE FROM picture WHERE name = ? RETURNING LENGTH(jpeg)", (name,))
            self._let_go(sum(row[0] for row in gone.fetchall()))

    def standing(self) -> list[tuple[str, bytes]]:
        """Return every topic with its retained message; empty for one to be removed."""
        with self._guard, map_database_errors():
            return [(topic, bytes(payload)) for topic, payload in self._db.execute("SELECT * FROM standing").fetchall()]

    def taken_away(self, topic: str) -> None:
        """Forget a topic whose message was removed."""
        with self._guard, map_database_errors(), transaction(self._db):
            self._db.execute("DELETE FROM standing WHERE topic = ? AND LENGTH(payload) = 0", (topic,))

    def answer_to(self, command_id: str) -> bytes | None:
        """Return the answer to a command, or None before it was carried out."""
        with self._guard, map_database_errors():
            found = self._db.execute("SELECT payload FROM answered WHERE id = ?", (command_id,)).fetchone()
        return None if found is None else bytes(found[0])

    def keep_answer(self, command_id: str, payload: bytes) -> None:
        """Keep an answer, so that a repeated command is not carried out again."""
        with self._guard, map_database_errors(), transaction(self._db):
            self._db.execute("INSERT OR REPLACE INTO answered (id, payload) VALUES (?, ?)", (command_id, payload))

    def _let_go(self, size: int) -> None:
        """So much less waits; once nothing does, there is nothing to warn of any more."""
        self._bytes -= size
        if self._bytes == 0:
            self._dropped = 0

    def _make_room(self) -> None:
        while self._bytes > self._most_bytes:
            oldest = self._db.execute("SELECT n, LENGTH(jpeg) FROM picture ORDER BY n LIMIT 1").fetchone()
            if oldest is None:
                return
            self._db.execute("DELETE FROM picture WHERE n = ?", oldest[:1])
            self._bytes -= oldest[1]
            self._dropped += 1
