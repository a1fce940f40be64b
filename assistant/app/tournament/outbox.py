"""A table's unsent messages to its desk, on disk until a desk confirms that it has them.

Events are never dropped. If the outbox grows too large, its oldest pictures are dropped.
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
"""Limit of the outbox in bytes: some thousand pictures, a long day without the hall's network."""

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
    """Pictures were dropped because the outbox was full.

    Args:
        mb: the limit.
        count: the number of dropped pictures.
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
    """An event that no desk has yet: its position in the queue, its id, and the message."""

    n: int
    id: str
    payload: bytes


class TableOutbox:
    """Waiting events and pictures, in a separate database.

    Args:
        file: the database, one per tournament.
        most_bytes: size limit beyond which pictures are dropped.

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
        """The number of the last event put here, whether or not a desk has it by now."""
        with self._guard, map_database_errors():
            found = self._db.execute("SELECT seq FROM taken").fetchone()
        return 0 if found is None else int(found[0])

    def put(self, waiting: Waiting, standing: tuple[str, bytes] | None = None) -> None:
        """Store a message until a desk has it, ignoring an event that is already here.

        Args:
            waiting: the event, ``n`` its number at the table.
            standing: a topic and its retained message from now on; an empty message removes it.

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
        """Store a picture until a desk has it, or until it has to make room.

        Raises:
            StoreError: it could not be written.
        """
        with self._guard, map_database_errors(), transaction(self._db):
            added = self._db.execute("INSERT OR IGNORE INTO picture (name, jpeg) VALUES (?, ?)", (name, jpeg))
            self._bytes += len(jpeg) * added.rowcount
            self._make_room()

    @property
    def problem(self) -> OutboxFull | None:
        """The count of pictures dropped since the outbox was last empty, as a problem, or None."""
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
        """Return the first events after a position in the queue."""
        with self._guard, map_database_errors():
            rows = self._db.execute(
                "SELECT n, id, payload FROM waiting WHERE n > ? ORDER BY n LIMIT ?", (n, most)
            ).fetchall()
        return [Waiting(*row) for row in rows]

    def drop(self, ids: Iterable[str]) -> None:
        """Remove events that a desk has."""
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
        """Remove a picture that a desk has, or that no desk accepts."""
        with self._guard, map_database_errors(), transaction(self._db):
            gone = self._db.execute("DELETE FROM picture WHERE name = ? RETURNING LENGTH(jpeg)", (name,))
            self._let_go(sum(row[0] for row in gone.fetchall()))

    def standing(self) -> list[tuple[str, bytes]]:
        """Return every topic with its retained message, which is empty for a topic to remove."""
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
        """Store an answer, so that a repeated command is not carried out again."""
        with self._guard, map_database_errors(), transaction(self._db):
            self._db.execute("INSERT OR REPLACE INTO answered (id, payload) VALUES (?, ?)", (command_id, payload))

    def _let_go(self, size: int) -> None:
        """Subtract a size from the total. An empty outbox also ends the warning."""
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
