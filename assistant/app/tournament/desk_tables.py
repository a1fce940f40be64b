"""The database tables of a desk, and how to open it: SQLite, or PostgreSQL if several desks share it."""

from __future__ import annotations

from typing import Any

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Connection,
    Engine,
    Float,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    create_engine,
    event,
)
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, NoSuchModuleError
from sqlalchemy.pool import NullPool

from assistant.errors import BadValue
from assistant.translations.messages import said

CONNECT_S = 3
WAIT_FOR_LOCK_S = 10

TABLES = MetaData()
FACT = Table("fact", TABLES, Column("name", String, primary_key=True), Column("value", String, nullable=False))
EVENT = Table(
    "event",
    TABLES,
    Column("id", String, primary_key=True),
    Column("of_table", String, nullable=False, index=True),
    Column("seq", BigInteger, nullable=False),
    Column("call", String, index=True),
    Column("line", LargeBinary, nullable=False),
)
CALL = Table(
    "call",
    TABLES,
    Column("id", String, primary_key=True),
    Column("of_table", String, nullable=False),
    Column("seq", BigInteger, nullable=False),
    Column("opened_t", BigInteger, nullable=False),
    Column("state", String, nullable=False, index=True),
    Column("document", LargeBinary, nullable=False),
)
HEARD = Table(
    "heard",
    TABLES,
    Column("call", String, primary_key=True),
    Column("t", BigInteger, nullable=False),
    Column("round", Integer, nullable=False),
)
"""The time of each call by the desk's own clock, and its round."""

CLAIM = Table(
    "claim",
    TABLES,
    Column("call", String, primary_key=True),
    Column("judge", String, nullable=False),
    Column("t", BigInteger, nullable=False),
    Column("is_escalated", Boolean, nullable=False),
)
"""The judge on the way to a call, and whether the head judge is requested."""

SEALED = Table(
    "sealed",
    TABLES,
    Column("name", String, primary_key=True),
    Column("key", String, nullable=False),
    Column("document", LargeBinary, nullable=False),
)
"""The key of each table, signed by the tournament's authority: the first one, or one that a judge accepted."""

SEALED_BEFORE = Table(
    "sealed_before",
    TABLES,
    Column("key", String, primary_key=True),
    Column("document", LargeBinary, nullable=False),
)
"""Former keys of tables that lost their folder. Their signatures stay valid."""

PENALTY = Table(
    "penalty",
    TABLES,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("call", String, nullable=False, index=True),
    Column("command", String, nullable=False),
    Column("player", String, nullable=False, index=True),
    Column("infraction", String, nullable=False),
    Column("level", String, nullable=False),
    Column("judge", String, nullable=False),
    Column("t", BigInteger, nullable=False),
    Column("ended_by", String, nullable=False),
)
"""Penalties by player, with the command that gave each and the one that withdrew it."""

COMMAND = Table(
    "command",
    TABLES,
    Column("id", String, primary_key=True),
    Column("of_table", String, nullable=False),
    Column("made_s", Float, nullable=False),
    Column("document", LargeBinary, nullable=False),
    Column("answer", LargeBinary),
)
PART = Table(
    "part",
    TABLES,
    Column("call", String, primary_key=True),
    Column("name", String, primary_key=True),
    Column("of_table", String, nullable=False),
    Column("content", LargeBinary, nullable=False),
)
ROUND = Table(
    "round",
    TABLES,
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("document", LargeBinary, nullable=False),
)
SHOWN = Table(
    "shown",
    TABLES,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("t", Float, nullable=False, index=True),
    Column("document", LargeBinary, nullable=False),
)


def database_url(url: str) -> URL:
    """Return the database URL with its driver.

    Raises:
        BadValue: the URL names no database.
    """
    try:
        found = make_url(url)
        backend = found.drivername.partition("+")[0]
    except (ArgumentError, ValueError):
        backend = ""
    if backend not in ("sqlite", "postgresql"):
        raise BadValue(
            said("this names no database; write sqlite:///FILE or postgresql://USER:PASSWORD@HOST/DATABASE"),
            field="store",
        )
    return found.set(drivername="postgresql+psycopg" if backend == "postgresql" else "sqlite")


def open_engine(url: URL) -> Engine:
    """Return the engine of a database, which connects on first use.

    Raises:
        BadValue: a package that PostgreSQL needs is missing.
    """
    if url.get_backend_name() == "sqlite":
        engine = create_engine(url, poolclass=NullPool, connect_args={"timeout": WAIT_FOR_LOCK_S})
        event.listen(engine, "connect", _prepare_sqlite)
        event.listen(engine, "begin", _begin_sqlite)
        return engine
    try:
        arguments = {"connect_timeout": CONNECT_S, "prepare_threshold": 5}
        return create_engine(url, pool_pre_ping=True, pool_recycle=600, connect_args=arguments)
    except (ImportError, NoSuchModuleError):
        raise BadValue(
            said("PostgreSQL needs one more package; install it with: pip install “sightline[desk]”"), field="store"
        ) from None


def _prepare_sqlite(connection: Any, _record: object) -> None:
    connection.isolation_level = None  # SQLAlchemy's documented way to control when a transaction begins
    cursor = connection.cursor()
    cursor.execute("PRAGMA journal_mode=WAL")
    cursor.execute("PRAGMA synchronous=FULL")
    cursor.close()


def _begin_sqlite(connection: Connection) -> None:
    # Start as a writer: a transaction that begins with reading cannot always go on to write.
    writes = connection.get_execution_options().get("writes", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")
