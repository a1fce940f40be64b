"""Creates a tournament's folder: the broker's configuration and certificate, a join code for each table and desk."""

from __future__ import annotations

import base64
import csv
import datetime
import hashlib
import io
import ipaddress
import os
import re
import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from assistant.app.tournament.home_assistant import discovery_topics
from assistant.app.tournament.topics import ROOT, check_topic_name
from assistant.documents.join import JoinCode, join_text, read_join
from assistant.errors import BadValue
from assistant.hosting.certificates import page_certificate
from assistant.hosting.mqtt import MAX_PAYLOAD_BYTES
from assistant.kept_files import write_kept
from assistant.translations.messages import said

ITERATIONS = 10_000
"""PBKDF2 iterations. Mosquitto's own tool takes 101. The passwords are 128 random bits, so the number hardly
matters."""

SALT_BYTES = 12
MOST_TABLES = 5_000
BROKER_BYTES = 512_000_000
"""Memory limit of the broker in bytes. Beyond it the broker refuses messages instead of taking the whole machine."""

MAX_HOST = 253
"""The longest host name in the domain name system."""

_HOST = re.compile(
    r"(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9])?\.)*[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?", re.ASCII | re.IGNORECASE
)
"""Dotted names. The last begins with a letter, otherwise it would be a mistyped number."""


@dataclass(frozen=True, slots=True)
class Founding:
    """The requested tournament.

    Args:
        event: its name.
        tables: the names of its tables.
        host: the address under which tables reach the broker.
        port: its port.
        desks: the number of possible desks.
        watchers: further users who may read everything public, such as Home Assistant.

    Raises:
        BadValue: a name is not allowed or repeated, or tables cannot reach the host's address.
    """

    event: str
    tables: Sequence[str]
    host: str
    port: int
    desks: Sequence[str] = ("desk",)
    watchers: Sequence[str] = ("home-assistant",)

    def __post_init__(self) -> None:
        check_topic_name(self.event, "event")
        _check_host(self.host)
        if len(self.tables) > MOST_TABLES:
            raise BadValue(said("a tournament has {most} tables at most", most=MOST_TABLES), field="tables")
        seen: set[str] = set()
        for name in (*self.tables, *self.desks, *self.watchers):
            check_topic_name(name, "tables")
            if name in seen:
                raise BadValue(said("the name “{name}” is there twice", name=name), field="tables")
            seen.add(name)


@dataclass(frozen=True, slots=True)
class Founded:
    """The broker's configuration, and the join codes by name."""

    configuration: Path
    codes: Mapping[str, JoinCode]


def found_tournament(folder: Path, wanted: Founding, now: datetime.datetime) -> Founded:
    """Write the files of broker, desks and tables, but never over an existing tournament.

    Args:
        folder: a new folder.
        wanted: the requested tournament.
        now: the time, with its zone.

    Raises:
        BadValue: the folder holds a tournament already.
        StoreError: it cannot be written.
    """
    configuration = folder / "mosquitto.conf"
    if configuration.exists():
        raise BadValue(
            said(
                "there is a tournament in this folder already; its join codes would become invalid. Choose a new folder"
            ),
            document=str(folder),
        )
    page = page_certificate(folder / "tls", sorted({wanted.host, "localhost", "127.0.0.1"}), now)
    authority = page.authority_pem.decode()
    names = (*wanted.desks, *wanted.tables, *wanted.watchers)
    codes = {
        name: JoinCode(
            event=wanted.event,
            name=name,
            host=wanted.host,
            port=wanted.port,
            password=secrets.token_urlsafe(16),
            authority_pem=authority,
        )
        for name in names
    }
    write_kept(folder / "passwords", "".join(map(_password_line, codes.values())).encode())
    write_kept(folder / "acl", _rights(wanted).encode())
    for name, code in codes.items():
        write_kept(folder / "codes" / f"{name}.txt", f"{join_text(code)}\n".encode())
    write_kept(folder / "codes.csv", _code_list(codes.values()).encode())
    write_kept(folder / "tables.txt", "".join(f"{name}\n" for name in wanted.tables).encode())
    write_kept(configuration, _configuration(folder.resolve(), wanted, page.certificate, page.key).encode())
    return Founded(configuration, codes)


def renew_rights(folder: Path) -> bool:
    """Rewrite the broker's access list in a folder of an older Sightline. Return whether it changed.

    Raises:
        DocumentError: a join code in the folder is invalid.
        StoreError: they cannot be written.
    """
    path = folder / "acl"
    before = path.read_text(encoding="utf-8")
    tables = (folder / "tables.txt").read_text(encoding="utf-8").split()
    codes = [read_join(str(place)) for place in sorted((folder / "codes").glob("*.txt"))]
    codes.sort(key=lambda code: before.find(f"user {code.name}\n"))
    desks = [code.name for code in codes if f"topic write {ROOT}/{code.event}/desks/{code.name}\n" in before]
    watchers = [code.name for code in codes if code.name not in (*tables, *desks)]
    if not desks:
        return False  # somebody wrote their own access list
    own = codes[0]
    rights = _rights(Founding(own.event, tables, own.host, own.port, desks, watchers))
    if rights == before:
        return False
    write_kept(path, rights.encode())
    return True


def _check_host(host: str) -> None:
    """Refuse an address that tables cannot reach, or that a certificate cannot name."""
    try:
        is_one = not ipaddress.ip_address(host).is_unspecified and "%" not in host
    except ValueError:
        is_one = len(host) <= MAX_HOST and _HOST.fullmatch(host) is not None
    if not is_one:
        raise BadValue(
            said(
                "“{host}” is not an address that tables can reach; give this machine's name or number alone, "
                "such as hall.local or 192.168.1.20",
                host=host[:60],
            ),
            field="host",
        )


def _password_line(code: JoinCode) -> str:
    """Return a line of Mosquitto's password file, as its own tool writes it: PBKDF2 with SHA-512."""
    salt = secrets.token_bytes(SALT_BYTES)
    made = hashlib.pbkdf2_hmac("sha512", code.password.encode(), salt, ITERATIONS)
    letters = (base64.b64encode(part).decode() for part in (salt, made))
    return f"{code.name}:$7${ITERATIONS}${'$'.join(letters)}\n"


def _rights(wanted: Founding) -> str:
    """Return the broker's access list, by which a table speaks only for itself."""
    event = f"{ROOT}/{wanted.event}"
    lines = [f"# Who may say and hear what in {wanted.event}."]
    for desk in wanted.desks:
        lines += [f"user {desk}", *(f"topic read {event}/+/{part}" for part in ("status", "state", "event"))]
        lines += [f"topic read {event}/+/call/+", f"topic read {event}/+/ack/+", f"topic read {event}/+/picture/+/+"]
        lines += [f"topic write {event}/+/cmd/+"]
        lines += [f"topic write {event}/+/kept", f"topic write {event}/+/seat"]
        lines += [f"topic write {event}/desks/{desk}", ""]
    for watcher in wanted.watchers:
        lines += [f"user {watcher}", f"topic read {event}/+/status", f"topic read {event}/+/state"]
        lines += [f"topic read {topic}" for topic in discovery_topics("+")]
        lines += [""]
    # A pattern for all users would let a desk or a watcher pose as a table.
    for table in wanted.tables:
        own = f"{event}/{table}"
        lines += [f"user {table}", f"topic read {event}/desks/+"]
        lines += [f"topic write {own}/{part}" for part in ("state", "event", "call/+", "picture/+/+", "ack/+")]
        lines += [f"topic readwrite {own}/status", f"topic read {own}/cmd/+", f"topic read {own}/kept"]
        lines += [f"topic read {own}/seat"]
        lines += [f"topic write {topic}" for topic in discovery_topics(table)]
        lines += [""]
    return "\n".join(lines)


def _configuration(folder: Path, wanted: Founding, certificate: Path, key: Path) -> str:
    place = folder / "tls"
    return "\n".join(
        (
            f"# The broker of {wanted.event}. Start it with: mosquitto -c {folder / 'mosquitto.conf'}",
            "per_listener_settings false",
            # If root starts it, Mosquitto drops to a user who may not read these keys, unless this line forbids that.
            *(["user root"] if os.geteuid() == 0 else []),
            f"listener {wanted.port}",
            f"certfile {place / certificate.name}",
            f"keyfile {place / key.name}",
            "tls_version tlsv1.2",
            "allow_anonymous false",
            f"password_file {folder / 'passwords'}",
            f"acl_file {folder / 'acl'}",
            "# Who is there and which calls are open outlives the broker; events wait at the tables.",
            "persistence true",
            f"persistence_location {folder}/",
            "autosave_interval 30",
            "max_inflight_messages 1000",
            "max_queued_messages 10000",
            "set_tcp_nodelay true",
            f"message_size_limit {MAX_PAYLOAD_BYTES}",
            "# A table's code cannot fill the memory of this computer. Five hundred tables need a tenth of it.",
            f"memory_limit {BROKER_BYTES}",
            "connection_messages true",
            "",
        )
    )


def _code_list(codes: Iterable[JoinCode]) -> str:
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(("Name", "Join code"))
    writer.writerows((code.name, join_text(code)) for code in codes)
    return out.getvalue()
