"""A desk's store: events, calls, commands and rounds, in SQLite, or in PostgreSQL if several desks share it.

A repeated event is stored once. Only a later state of a call replaces it.
"""

from __future__ import annotations

import threading
import uuid
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, NamedTuple

from sqlalchemy import Connection, Row, Table, func, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import DBAPIError, OperationalError, SQLAlchemyError

from assistant.app.tournament.desk_tables import (
    CALL,
    CLAIM,
    COMMAND,
    EVENT,
    FACT,
    HEARD,
    PART,
    PENALTY,
    ROUND,
    SEALED,
    SEALED_BEFORE,
    SHOWN,
    TABLES,
    database_url,
    open_engine,
)
from assistant.documents.call import Call, call_document, call_from_json
from assistant.documents.hall import Answer, DeskCommand, NewerFormat, hall_bytes, hall_message
from assistant.documents.reading import to_json
from assistant.documents.rounds import Round, round_from_json, round_json
from assistant.documents.table_event import TableEvent
from assistant.errors import StoreError
from assistant.translations.messages import said

SCHEMA_VERSION = 1


_FOUNDING = 20261123
"""Number of the PostgreSQL lock that desks hold while they create missing tables. It may be any number unused there."""


class DeskStoreAway(StoreError):
    """The database does not answer. Tables keep their events until it does."""

    def __init__(self, where: str) -> None:
        super().__init__(
            said(
                "The desk's database ({where}) does not answer. Start it or check the network. On Debian the "
                "package postgresql installs one. Until then every table keeps its messages, and this page "
                "continues by itself.",
                where=where,
            )
        )


class KeptEvent(NamedTuple):
    """An event, its line in the table's log, and its call after it.

    ``t_ms`` is its time by the desk's clock, or 0 to use the table's time. ``round`` is the round of a new call.
    """

    event: TableEvent
    line: bytes
    call: Call | None
    t_ms: int = 0
    round: int = 0


class HeardCall(NamedTuple):
    """The time of a call by the desk's clock, and its round. Round 0 means before any was shown."""

    t_ms: int
    round: int


class CallClaim(NamedTuple):
    """A judge on the way to a call. The name is empty if there is none."""

    call: str
    judge: str
    t: int
    is_escalated: bool


class Penalty(NamedTuple):
    """A player's penalty, and whether it still holds after the last ruling of its call."""

    call: str
    player: str
    infraction: str
    level: str
    judge: str
    t: int
    stands: bool


class KeptPart(NamedTuple):
    """A frozen picture or document of a call."""

    of_table: str
    call: str
    name: str
    content: bytes


class OpenCommand(NamedTuple):
    """A command without a table's answer yet."""

    table: str
    command: DeskCommand


class DeskStore:
    """The store of a desk. It connects on first use.

    Args:
        url: ``sqlite:///FILE``, or ``postgresql://USER:PASSWORD@HOST/DATABASE``.

    Raises:
        BadValue: the URL names no database.
    """

    def __init__(self, url: str) -> None:
        self._url = database_url(url)
        self._engine = open_engine(self._url)
        self._opening = threading.Lock()
        self._id = ""

    @property
    def where(self) -> str:
        """The database for display, without its password."""
        if self._url.get_backend_name() == "sqlite":
            return str(self._url.database)
        return f"{self._url.host or 'localhost'}:{self._url.port or 5432}/{self._url.database}"

    def open(self) -> str:
        """Create missing tables. Return the id of this store, by which desks recognise that they share it.

        Raises:
            DeskStoreAway: the database does not answer.
            StoreError: it was written by a newer Sightline, or cannot be used.
        """
        with self._opening:
            if not self._id:
                with self._transaction(writes=True) as db:
                    if db.dialect.name == "postgresql":
                        # Without the lock, two desks on an empty database would create the same tables twice.
                        db.execute(select(func.pg_advisory_xact_lock(_FOUNDING)))
                    TABLES.create_all(db)
                    for name, value in (("version", str(SCHEMA_VERSION)), ("id", uuid.uuid4().hex[:12])):
                        db.execute(self._insert(FACT).values(name=name, value=value).on_conflict_do_nothing())
                    known = {row.name: row.value for row in db.execute(select(FACT))}
                if int(known["version"]) > SCHEMA_VERSION:
                    raise StoreError(said("the desk's database was written by a newer Sightline; update this one"))
                self._id = str(known["id"])
        return self._id

    def close(self) -> None:
        self._engine.dispose()

    def note(self, name: str) -> None:
        """Record a one-time event by name."""
        with self._work(writes=True) as db:
            db.execute(self._insert(FACT).values(name=name, value="done").on_conflict_do_nothing())

    def is_noted(self, name: str) -> bool:
        """Return whether that event was recorded, including before this run of the desk."""
        with self._work() as db:
            return db.execute(select(FACT.c.name).where(FACT.c.name == name)).first() is not None

    def keep(self, batch: Sequence[KeptEvent]) -> None:
        """Store events and their calls. On return they are on the database's disk.

        Raises:
            StoreError: nothing was stored.
        """
        if not batch:
            return
        events = [
            {"id": e.id, "of_table": e.table, "seq": e.seq, "call": e.call, "line": line} for e, line, *_ in batch
        ]
        # A fixed order everywhere, because desks that write the same rows at once would deadlock.
        events.sort(key=lambda row: str(row["id"]))
        with self._work(writes=True) as db:
            db.execute(self._insert(EVENT).on_conflict_do_nothing(), events)
            self._keep_calls(db, [kept.call for kept in batch if kept.call is not None])
            self._keep_heard(db, batch)

    def keep_part(self, part: KeptPart) -> None:
        """Store a frozen part of a call. The first of its name stays.

        Raises:
            StoreError: it was not stored.
        """
        with self._work(writes=True) as db:
            db.execute(self._insert(PART).on_conflict_do_nothing(), [part._asdict()])

    def part_names(self, call_id: str) -> list[str]:
        """Return the names of a call's received parts."""
        asked = select(PART.c.name).where(PART.c.call == call_id).order_by(PART.c.name)
        with self._work() as db:
            return [row[0] for row in db.execute(asked)]

    def part(self, call_id: str, name: str) -> bytes | None:
        """Return one of these parts, a JPEG or a JSON document, or None if it has not come."""
        asked = select(PART.c.content).where(PART.c.call == call_id, PART.c.name == name)
        with self._work() as db:
            row = db.execute(asked).one_or_none()
        return None if row is None else bytes(row[0])

    def _keep_calls(self, db: Connection, calls: Sequence[Call]) -> None:
        latest: dict[str, Call] = {}
        for call in sorted(calls, key=lambda call: (call.id, call.seq)):
            latest[call.id] = call
        if not latest:
            return
        adding = self._insert(CALL)
        changed = {name: adding.excluded[name] for name in ("seq", "state", "document")}
        adding = adding.on_conflict_do_update(
            index_elements=["id"], set_=changed, where=adding.excluded.seq > CALL.c.seq
        )
        db.execute(adding, [_call_row(call) for call in latest.values()])

    def _keep_heard(self, db: Connection, batch: Sequence[KeptEvent]) -> None:
        """Record the times of calls. The earliest of several counts, since a message may come late."""
        rows = {
            kept.event.call: {"call": kept.event.call, "t": kept.t_ms or kept.event.t, "round": kept.round}
            for kept in sorted(batch, key=lambda kept: -kept.t_ms)
            if kept.event.type == "opened" and kept.event.call is not None
        }
        if rows:
            adding = self._insert(HEARD)
            adding = adding.on_conflict_do_update(
                index_elements=["call"], set_={"t": adding.excluded.t}, where=adding.excluded.t < HEARD.c.t
            )
            db.execute(adding, [rows[call] for call in sorted(rows)])

    def heard(self) -> dict[str, HeardCall]:
        """Return the times and rounds of calls, by call id."""
        with self._work() as db:
            return {call: HeardCall(t, number) for call, t, number in db.execute(select(HEARD))}

    def claims(self) -> dict[str, CallClaim]:
        """Return the claims, by call id."""
        with self._work() as db:
            return {row[0]: CallClaim(*row) for row in db.execute(select(CLAIM))}

    def change_claim(self, call_id: str, change: Callable[[CallClaim | None], CallClaim]) -> CallClaim:
        """Change the claim on a call, one desk at a time. Passes on the change's errors."""
        with self._work(writes=True) as db:
            self._alone(db, "claim")
            row = db.execute(select(CLAIM).where(CLAIM.c.call == call_id)).one_or_none()
            after = change(None if row is None else CallClaim(*row))
            adding = self._insert(CLAIM)
            changed = {name: adding.excluded[name] for name in ("judge", "t", "is_escalated")}
            db.execute(adding.on_conflict_do_update(index_elements=["call"], set_=changed), [after._asdict()])
        return after

    def seal(self, name: str, key: str, make: Callable[[], bytes]) -> tuple[str, bytes]:
        """Return the first key of a table or desk and its signed document, made now if the name has none."""
        with self._work(writes=True) as db:
            self._alone(db, "sealed")
            row = db.execute(select(SEALED.c.key, SEALED.c.document).where(SEALED.c.name == name)).one_or_none()
            if row is not None:
                return str(row[0]), bytes(row[1])
            document = make()
            db.execute(SEALED.insert(), [{"name": name, "key": key, "document": document}])
        return key, document

    def reseal(self, name: str, key: str, document: bytes) -> None:
        """Replace the key of a name, and keep its old one in `SEALED_BEFORE`."""
        with self._work(writes=True) as db:
            self._alone(db, "sealed")
            before = select(SEALED.c.key, SEALED.c.document).where(SEALED.c.name == name, SEALED.c.key != key)
            for row in db.execute(before).fetchall():
                kept = {"key": row[0], "document": row[1]}
                db.execute(self._insert(SEALED_BEFORE).on_conflict_do_nothing(), [kept])
            db.execute(SEALED.update().where(SEALED.c.name == name).values(key=key, document=document))

    def sealed_before(self) -> list[bytes]:
        """Return the signed keys that were replaced later."""
        with self._work() as db:
            return [bytes(row[0]) for row in db.execute(select(SEALED_BEFORE.c.document))]

    def sealed(self) -> dict[str, bytes]:
        """Return the signed keys by table or desk name."""
        with self._work() as db:
            return {row[0]: bytes(row[1]) for row in db.execute(select(SEALED.c.name, SEALED.c.document))}

    def penalties(self) -> list[Penalty]:
        """Return all penalties, the oldest first, except those of a ruling that its table refused."""
        kept = (PENALTY.c.call, PENALTY.c.player, PENALTY.c.infraction, PENALTY.c.level, PENALTY.c.judge, PENALTY.c.t)
        with self._work() as db:
            rows = db.execute(select(*kept, PENALTY.c.ended_by).order_by(PENALTY.c.id)).fetchall()
        return [Penalty(*row[:6], stands=row[6] == "") for row in rows]

    def _alone(self, db: Connection, table: str) -> None:
        """Let one desk at a time change a table. SQLite has only one writer anyhow."""
        if self._engine.dialect.name == "postgresql":
            db.exec_driver_sql(f"LOCK TABLE {table} IN EXCLUSIVE MODE")

    def calls(self, *, with_closed: bool = False) -> list[Call]:
        """Return the calls, the oldest first.

        Raises:
            StoreError: they cannot be read.
        """
        asked = select(CALL.c.document).order_by(CALL.c.opened_t, CALL.c.id)
        if not with_closed:
            asked = asked.where(CALL.c.state != "closed")
        with self._work() as db:
            return [call_from_json(bytes(row[0])) for row in db.execute(asked)]

    def call(self, call_id: str) -> Call | None:
        with self._work() as db:
            row = db.execute(select(CALL.c.document).where(CALL.c.id == call_id)).one_or_none()
        return None if row is None else call_from_json(bytes(row[0]))

    def events_of_call(self, call_id: str) -> list[bytes]:
        """Return the lines of the events of a call, in the order of its table."""
        asked = select(EVENT.c.line).where(EVENT.c.call == call_id).order_by(EVENT.c.seq)
        with self._work() as db:
            return [bytes(row[0]) for row in db.execute(asked)]

    def events_of_table(self, table: str) -> list[bytes]:
        """Return the lines of all events of a table, in its order."""
        asked = select(EVENT.c.line).where(EVENT.c.of_table == table).order_by(EVENT.c.seq)
        with self._work() as db:
            return [bytes(row[0]) for row in db.execute(asked)]

    def event_counts(self) -> dict[str, int]:
        """Return the number of events of each table."""
        asked = select(EVENT.c.of_table, func.count()).group_by(EVENT.c.of_table)
        with self._work() as db:
            return {row[0]: row[1] for row in db.execute(asked)}

    def add_command(
        self, table: str, command: DeskCommand, made_s: float, penalties: Sequence[Penalty] | None = None
    ) -> None:
        """Store a command until its table answers.

        Args:
            table: the table.
            command: the command.
            made_s: its time, seconds since 1970.
            penalties: the penalties of a ruling, which end the call's earlier ones; None to change none.
        """
        row = {"id": command.id, "of_table": table, "made_s": made_s, "document": hall_bytes(command)}
        with self._work(writes=True) as db:
            is_new = db.execute(self._insert(COMMAND).values(row).on_conflict_do_nothing()).rowcount == 1
            if penalties is None or not is_new:
                return
            before = PENALTY.update().where(PENALTY.c.call == command.call, PENALTY.c.ended_by == "")
            db.execute(before.values(ended_by=command.id))
            for one in penalties:
                kept = {name: value for name, value in one._asdict().items() if name != "stands"}
                db.execute(PENALTY.insert(), [{**kept, "command": command.id, "ended_by": ""}])

    def command(self, command_id: str) -> DeskCommand | None:
        """Return the command of that id, or None."""
        asked = select(COMMAND.c.document).where(COMMAND.c.id == command_id)
        with self._work() as db:
            row = db.execute(asked).one_or_none()
        return None if row is None else hall_message(bytes(row[0]), DeskCommand, "command")

    def open_commands(self, table: str | None = None) -> list[OpenCommand]:
        """Return the unanswered commands of one table or of all, the oldest first.

        Skips commands that a newer desk on the same database wrote.
        """
        asked = select(COMMAND.c.of_table, COMMAND.c.document).where(COMMAND.c.answer.is_(None))
        asked = asked.order_by(COMMAND.c.made_s)
        if table is not None:
            asked = asked.where(COMMAND.c.of_table == table)
        with self._work() as db:
            rows = [(row[0], bytes(row[1])) for row in db.execute(asked)]
        found: list[OpenCommand] = []
        for of_table, document in rows:
            with suppress(NewerFormat):
                found.append(OpenCommand(of_table, hall_message(document, DeskCommand, "command")))
        return found

    def keep_answer(self, answer: Answer) -> None:
        """Store a table's answer. The first answer stays."""
        changing = COMMAND.update().where(COMMAND.c.id == answer.id, COMMAND.c.answer.is_(None))
        with self._work(writes=True) as db:
            db.execute(changing.values(answer=hall_bytes(answer)))
            if not answer.is_done:  # undo the refused ruling's effect on penalties
                db.execute(PENALTY.delete().where(PENALTY.c.command == answer.id))
                db.execute(PENALTY.update().where(PENALTY.c.ended_by == answer.id).values(ended_by=""))

    def answer(self, command_id: str) -> Answer | None:
        """Return the answer to a command, or None if there is none yet."""
        with self._work() as db:
            row = db.execute(select(COMMAND.c.answer).where(COMMAND.c.id == command_id)).one_or_none()
        return None if row is None or row[0] is None else hall_message(bytes(row[0]), Answer, "answer")

    def rounds(self) -> list[Round]:
        """Return the rounds in their order."""
        with self._work() as db:
            return [_read_round(row) for row in db.execute(select(ROUND.c.document).order_by(ROUND.c.number))]

    def change_rounds(self, change: Callable[[list[Round]], Iterable[Round]], now_s: float) -> list[Round]:
        """Change the rounds, one desk at a time, and keep each state with its time.

        Args:
            change: maps the present rounds to the new or changed ones.
            now_s: the time, for the delayed public view.

        Raises:
            SightlineError: an error of ``change``; nothing is changed then.
            StoreError: they could not be stored.
        """
        with self._work(writes=True) as db:
            self._alone(db, "round")
            asked = select(ROUND.c.document).order_by(ROUND.c.number)
            rounds = {one.number: one for one in map(_read_round, db.execute(asked))}
            for one in change(list(rounds.values())):
                rounds[one.number] = one
                row = {"number": one.number, "document": round_json(one)}
                adding = self._insert(ROUND)
                changed = {"document": adding.excluded.document}
                db.execute(adding.on_conflict_do_update(index_elements=["number"], set_=changed), [row])
                db.execute(SHOWN.insert(), [{"t": now_s, "document": row["document"]}])
        return [rounds[number] for number in sorted(rounds)]

    def rounds_at(self, then_s: float) -> list[Round]:
        """Return the rounds as they were at a time in seconds since 1970."""
        asked = select(SHOWN.c.document).where(SHOWN.c.t <= then_s).order_by(SHOWN.c.id)
        with self._work() as db:
            found = {one.number: one for one in map(_read_round, db.execute(asked))}
        return [found[number] for number in sorted(found)]

    def _insert(self, table: Table) -> Any:
        """Return an insert that supports conflict handling. Each database has its own class for it."""
        return postgresql.insert(table) if self._engine.dialect.name == "postgresql" else sqlite.insert(table)

    @contextmanager
    def _work(self, *, writes: bool = False) -> Iterator[Connection]:
        self.open()
        with self._transaction(writes=writes) as db:
            yield db

    @contextmanager
    def _transaction(self, *, writes: bool) -> Iterator[Connection]:
        try:
            with self._engine.connect().execution_options(writes=writes) as db, db.begin():
                yield db
        except SQLAlchemyError as problem:
            is_away = isinstance(problem, OperationalError) and self._url.get_backend_name() == "postgresql"
            if is_away or (isinstance(problem, DBAPIError) and problem.connection_invalidated):
                raise DeskStoreAway(self.where) from problem
            reason = " ".join(str(problem).split())[:200]
            text = said("the desk's database cannot be used ({reason}); check its address", reason=reason)
            raise StoreError(text) from problem


def _call_row(call: Call) -> dict[str, Any]:
    return {
        "id": call.id,
        "of_table": call.table,
        "seq": call.seq,
        "opened_t": call.opened_t,
        "state": call.state,
        "document": to_json(call_document(call)).encode(),
    }


def _read_round(row: Row[tuple[Any]]) -> Round:
    return round_from_json(bytes(row[0]))
