"""Shared parts of a tournament's tests and bench: a real Mosquitto and PostgreSQL on loopback, tables and desks.

Both are started on a free port with a folder of their own and ended by their process id.
"""

from __future__ import annotations

import contextlib
import datetime
import os
import random
import shutil
import signal
import socket
import subprocess
import time
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from paho.mqtt.publish import single
from paho.mqtt.subscribe import simple

from assistant.app.tournament.desk import TournamentDesk
from assistant.app.tournament.desk_store import DeskStore
from assistant.app.tournament.founding import Founding, found_tournament
from assistant.app.tournament.outbox import MOST_BYTES, TableOutbox
from assistant.app.tournament.steps import call_after
from assistant.app.tournament.table_link import TableLink
from assistant.documents.call import Call
from assistant.documents.hall import DeskCommand, Status, TableNews
from assistant.documents.join import JoinCode
from assistant.documents.match import line_hash
from assistant.documents.table_event import NO_EVENT, Person, TableEvent, table_event_line
from assistant.errors import SightlineError

MOSQUITTO = shutil.which("mosquitto") or shutil.which("mosquitto", path="/usr/sbin:/usr/local/sbin")
NO_MOSQUITTO = "there is no Mosquitto here; install the package mosquitto"
NO_POSTGRES = "there is no PostgreSQL server here, or no user to run it as; install the package postgresql"
PLAYER = Person(role="player", name="Ann")
JUDGE = Person(role="judge", name="Jo", place="desk")


def free_port() -> int:
    """Return a free port of this machine.

    Below those that the system hands out by itself: between here and the start of a server, a connection or a test
    beside it may be given one of these.
    """
    while True:
        port = random.randrange(20_000, 32_000)
        with socket.socket() as found, contextlib.suppress(OSError):
            found.bind(("127.0.0.1", port))
            return port


def wait_for(what: Callable[[], Any], timeout_s: float = 30.0) -> float:
    """Wait until a condition holds; return the time in seconds.

    Raises:
        TimeoutError: it did not come to hold.
    """
    began = time.monotonic()
    while not what():
        if time.monotonic() - began > timeout_s:
            raise TimeoutError(f"waited {timeout_s} s")
        time.sleep(0.005)
    return time.monotonic() - began


@dataclass
class Broker:
    """A Mosquitto of our own."""

    configuration: Path
    port: int
    codes: dict[str, JoinCode]
    process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it and wait until it answers.

        Raises:
            RuntimeError: it ended instead; with its own words.
            TimeoutError: it does not answer.
        """
        assert MOSQUITTO is not None
        path = self.configuration.parent / "mosquitto.log"
        log = path.open("ab")
        self.process = started = subprocess.Popen([MOSQUITTO, "-c", str(self.configuration)], stdout=log, stderr=log)
        log.close()

        def answers() -> bool:
            if started.poll() is not None:
                raise RuntimeError(f"Mosquitto ended with {started.returncode}: {path.read_text()[-500:]}")
            try:
                socket.create_connection(("127.0.0.1", self.port), 0.2).close()
            except OSError:
                return False
            return True

        wait_for(answers)

    def kill(self) -> None:
        """End it as a power cut does."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        """End it in order."""
        self._end(signal.SIGTERM)

    def _end(self, number: signal.Signals) -> None:
        process, self.process = self.process, None
        if process is None:
            return

        def has_ended() -> bool:
            # Repeatedly: Mosquitto forgets messages between its first open port and its loop.
            process.send_signal(number)
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(0.5)
            return process.returncode is not None

        wait_for(has_ended, 30)


def make_broker(
    folder: Path, tables: Sequence[str], desks: Sequence[str] = ("desk",), *, founded_after_days: int = 0
) -> Broker:
    """Return a founded tournament with its broker, not started yet; its certificates may have another date."""
    port = free_port()
    wanted = Founding(event="open", tables=tables, host="127.0.0.1", port=port, desks=desks)
    now = datetime.datetime.now(datetime.UTC) + datetime.timedelta(days=founded_after_days)
    founded = found_tournament(folder, wanted, now)
    return Broker(founded.configuration, port, dict(founded.codes))


def say(broker: Broker, name: str, topic: str, payload: bytes) -> None:
    """Another program with that user's password leaves a message at the broker."""
    single(topic, payload, 1, True, "127.0.0.1", broker.port, f"stranger-{name}", **_login(broker, name))


def hear(broker: Broker, name: str, topics: str, count: int) -> list[bytes]:
    """Count the messages that another program with that user's password receives there."""
    heard = simple(topics, 1, count, True, "127.0.0.1", broker.port, f"listener-{name}", **_login(broker, name))
    return [bytes(message.payload) for message in (heard if isinstance(heard, list) else [heard])]


def _login(broker: Broker, name: str) -> dict[str, Any]:
    code = broker.codes[name]
    tls = {"ca_certs": str(broker.configuration.parent / "tls" / "authority.pem")}
    return {"auth": {"username": code.name, "password": code.password}, "tls": tls}


@dataclass
class Postgres:
    """A PostgreSQL server of our own."""

    folder: Path
    port: int
    binaries: Path

    def fresh_url(self) -> str:
        """Return the address of a database of its own in this server."""
        name = f"desk_{uuid.uuid4().hex[:8]}"
        self._run("createdb", "-h", "127.0.0.1", "-p", str(self.port), "-U", "postgres", name)
        return f"postgresql://postgres@127.0.0.1:{self.port}/{name}"

    def start(self) -> None:
        """Start it and waits until it answers."""
        # The server is killed here, never the machine: only against that would it have to wait for the disk.
        options = f"-p {self.port} -c listen_addresses=127.0.0.1 -c fsync=off"
        options += f" -c unix_socket_directories={self.folder}"
        arguments = ["-D", str(self.folder / "data"), "-l", str(self.folder / "log"), "-o", options, "-w", "start"]
        self._run("pg_ctl", *arguments)

    def stop(self) -> None:
        """Kill it at once; committed data stay."""
        self._run("pg_ctl", "-D", str(self.folder / "data"), "-m", "immediate", "-w", "stop")

    def kill(self) -> None:
        """End it as a power cut does: the process that leads it, and with that all that it started."""
        leader = int((self.folder / "data" / "postmaster.pid").read_text().split()[0])
        family = [leader, *_children(leader)]
        os.kill(leader, signal.SIGKILL)
        # Until all of them are gone, even from the process list, no other may use the folder.
        wait_for(lambda: not any(Path(f"/proc/{pid}").exists() for pid in family), 20)

    def initialize(self) -> None:
        """Make its data folder."""
        arguments = ["-D", str(self.folder / "data"), "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-sync"]
        self._run("initdb", *arguments)

    def _run(self, program: str, *arguments: str) -> None:
        as_user = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
        subprocess.run(
            [*as_user, str(self.binaries / program), *arguments], check=True, stdout=subprocess.DEVNULL, cwd="/"
        )


def _children(pid: int) -> list[int]:
    tasks = Path(f"/proc/{pid}/task").glob("*/children")
    return [int(child) for task in tasks for child in task.read_text().split()]


def find_postgres() -> Path | None:
    """Return the folder of PostgreSQL's server programs, where they can be run: the server refuses to run as root."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/pg_ctl"))
    can_run = os.geteuid() != 0 or (shutil.which("runuser") and "postgres" in _users())
    return found[-1].parent if found and can_run else None


def _users() -> set[str]:
    return {line.partition(":")[0] for line in Path("/etc/passwd").read_text().splitlines()}


def make_postgres(folder: Path, binaries: Path) -> Postgres:
    """Return our own server, not started yet; its folder belongs to its user."""
    folder.mkdir(parents=True)
    if os.geteuid() == 0:
        shutil.chown(folder, "postgres", "postgres")
    made = Postgres(folder, free_port(), binaries)
    made.initialize()
    return made


@dataclass
class FakeTable:
    """A table without a camera: a chain of events, calls, and the desk's orders."""

    name: str
    calls: dict[str, Call] = field(default_factory=dict)
    problems: list[SightlineError | None] = field(default_factory=list)
    commands: list[DeskCommand] = field(default_factory=list)
    seq: int = 0
    head: str = NO_EVENT
    link: TableLink | None = None
    events: list[str] = field(default_factory=list)
    ahead_s: float = 0

    def join(
        self,
        code: JoinCode,
        folder: Path,
        most_bytes: int = MOST_BYTES,
        *,
        key: str = "",
        ahead_s: float = 0,
        double_loss: bool = True,
    ) -> None:
        """Join the tournament, with an outbox in that folder and a clock that far ahead."""
        self.ahead_s = ahead_s
        outbox = TableOutbox(folder / "outbox.db", most_bytes)
        since_t = round(time.time() * 1000)
        told = {"since_t": since_t, "version": "test", "key": key, "double_loss": double_loss}
        status = Status(state="online", run=uuid.uuid4().hex[:12], **told)
        self.link = TableLink(code, outbox, self.carry_out, self.tell, status, now_s=lambda: time.time() + self.ahead_s)
        self.link.show(TableNews(t=0, match="evening", round=1))
        self.link.start()

    def leave(self) -> None:
        """Stop in order."""
        assert self.link is not None
        self.link.close()
        self.link = None

    def do(self, kind: str, call: str | None = None, actor: Person = PLAYER, **payload: Any) -> TableEvent:
        """Take a step at the table, and tells it."""
        self.seq += 1
        made = TableEvent(
            id=uuid.uuid4().hex,
            seq=self.seq,
            prev_hash=self.head,
            t=round((time.time() + self.ahead_s) * 1000),
            table=self.name,
            actor=actor,
            type=kind,  # type: ignore[arg-type]
            call=call,
            payload=payload,
        )
        if call is not None:
            self.calls[call] = call_after(self.calls.get(call), made)
        self.events.append(made.id)
        line = table_event_line(made)
        self.head = line_hash(line)
        assert self.link is not None
        self.link.take(made, line, None if call is None else self.calls[call])
        return made

    def open_call(self, question: str = "cover or not?") -> str:
        """Call a judge; return the call's id."""
        call = uuid.uuid4().hex[:12]
        self.do("opened", call, question=question, frozen_hash="a" * 64)
        return call

    def carry_out(self, command: DeskCommand) -> None:
        """Take a judge's step."""
        self.commands.append(command)
        self.do(command.type, command.call, command.actor, **command.payload)

    def tell(self, problem: SightlineError | None) -> None:
        """Record a problem."""
        self.problems.append(problem)


@dataclass
class Watcher:
    """A desk's display: its calls, and its problems."""

    calls: dict[str, Call] = field(default_factory=dict)
    heard_s: dict[str, float] = field(default_factory=dict)
    wrong: dict[str, SightlineError] = field(default_factory=dict)

    def call_changed(self, call: Call) -> None:
        """Keep the call, and when it was heard first."""
        self.heard_s.setdefault(call.id, time.time())
        self.calls[call.id] = call

    def parts_changed(self, call_id: str) -> None:
        """Nothing is drawn here."""

    def report(self, part: str, problem: SightlineError | None) -> None:
        """Record a problem."""
        if problem is None:
            self.wrong.pop(part, None)
        else:
            self.wrong[part] = problem


def make_desk(code: JoinCode, url: str, tables: Sequence[str] = ()) -> tuple[TournamentDesk, Watcher]:
    """Return a desk on that store, not started yet, and its display."""
    watcher = Watcher()
    return TournamentDesk(code, DeskStore(url), watcher, tables=tables), watcher
