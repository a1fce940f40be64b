"""The broker's rights: no client publishes or reads under another's topic."""

from __future__ import annotations

import ssl
import time
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import hall_builders as halls
import pytest
from hall_builders import wait_for
from paho.mqtt.client import CallbackAPIVersion, Client, MQTTMessage, MQTTv5

from assistant.app.tournament.founding import BROKER_BYTES
from assistant.documents.hall import TableNews, hall_bytes, hall_message
from assistant.hosting.mqtt import BrokerError

ROOT = "sightline/open"

OF_A_TABLE = ("status", "state", "event", "call/c1", "picture/c1/a.jpg", "ack/k1")
"""Topics of a table, below its own name."""

OF_A_DESK = ("cmd/k1", "kept")
"""Topics from desks to a table."""


class Listener:
    """A client with somebody's login that records every message."""

    def __init__(self, broker: halls.Broker, name: str, topics: tuple[str, ...] = ()) -> None:
        code = broker.codes[name]
        self.heard: list[tuple[str, bytes]] = []
        self.granted = 0
        self._client = Client(CallbackAPIVersion.VERSION2, f"{name}-{uuid.uuid4().hex}", protocol=MQTTv5)
        self._client.username_pw_set(code.name, code.password)
        self._client.tls_set(
            str(broker.configuration.parent / "tls" / "authority.pem"), tls_version=ssl.PROTOCOL_TLS_CLIENT
        )
        self._client.on_message = self._take
        self._client.on_subscribe = self._count
        self._client.connect("127.0.0.1", broker.port)
        self._client.loop_start()
        for topic in topics:
            self._client.subscribe(topic, 1)
        wait_for(lambda: self.granted == len(topics))

    def say(self, topic: str, payload: bytes = b"x", *, retained: bool = False) -> None:
        """Hand a message over, and waits until the broker has answered to it."""
        self._client.publish(topic, payload, 1, retained).wait_for_publish(5)

    def leave_behind(self, topic: str, payload: bytes) -> None:
        """Hand a message over for the broker to keep, whatever becomes of it."""
        self._client.publish(topic, payload, 1, True)

    def close(self) -> None:
        self._client.disconnect()
        self._client.loop_stop()

    def _take(self, _client: Client, _data: Any, message: MQTTMessage) -> None:
        self.heard.append((message.topic, message.payload))

    def _count(self, *_: Any) -> None:
        self.granted += 1


@pytest.fixture
def logged_in(broker: halls.Broker) -> Iterator[Any]:
    """Logs programs in, and out."""
    made: list[Listener] = []

    def log_in(name: str, *topics: str) -> Listener:
        made.append(Listener(broker, name, topics))
        return made[-1]

    yield log_in
    for one in made:
        one.close()


def test_a_table_is_heard_under_its_own_topics_alone(logged_in: Any) -> None:
    desk = logged_in("desk", f"{ROOT}/#")
    own = logged_in("one", f"{ROOT}/one/#", f"{ROOT}/desks/+")
    other = logged_in("two")
    for part in (*OF_A_TABLE, *OF_A_DESK):
        for retained in (False, True):
            other.say(f"{ROOT}/one/{part}", b"forged", retained=retained)
    for part in OF_A_DESK:
        other.say(f"{ROOT}/two/{part}", b"forged")  # a table gives itself no commands
    for topic in (
        f"{ROOT}/desks/desk",
        f"{ROOT}/desks/two",
        "sightline/other/two/event",
        "homeassistant/sensor/one/x/config",
    ):
        other.say(topic, b"forged")
    for part in OF_A_TABLE:
        other.say(f"{ROOT}/two/{part}", b"own")
    wait_for(lambda: len(desk.heard) >= len(OF_A_TABLE))
    time.sleep(0.3)
    assert desk.heard == [(f"{ROOT}/two/{part}", b"own") for part in OF_A_TABLE]
    assert own.heard == []
    later = logged_in("desk-2", f"{ROOT}/#")  # nothing was left at the broker, either
    time.sleep(0.3)
    assert [payload for _, payload in later.heard if payload == b"forged"] == []


def test_a_table_hears_its_own_commands_and_no_other_tables_anything(logged_in: Any) -> None:
    curious = logged_in("two", "#", f"{ROOT}/+/+", *(f"{ROOT}/one/{part}" for part in (*OF_A_TABLE, *OF_A_DESK)))
    table, desk = logged_in("one"), logged_in("desk")
    for part in OF_A_TABLE:
        table.say(f"{ROOT}/one/{part}", b"private", retained=part in ("status", "state", "call/c1"))
    for part in OF_A_DESK:
        desk.say(f"{ROOT}/one/{part}", b"private")
    for part in OF_A_DESK:
        desk.say(f"{ROOT}/two/{part}", b"for two")
    wait_for(lambda: len({topic for topic, _ in curious.heard}) >= len(OF_A_DESK))
    time.sleep(0.3)
    assert {topic for topic, _ in curious.heard} == {f"{ROOT}/two/{part}" for part in OF_A_DESK}
    late = logged_in("two", "#")  # retained messages are hidden from it, too
    time.sleep(0.3)
    assert late.heard == []


def test_a_desk_gives_commands_and_tells_no_events_and_a_watcher_tells_nothing(logged_in: Any) -> None:
    hearing = logged_in("desk-2", f"{ROOT}/#")
    table = logged_in("one", f"{ROOT}/one/#")
    desk, watcher = logged_in("desk"), logged_in("home-assistant", "#")
    for part in OF_A_TABLE:
        desk.say(f"{ROOT}/one/{part}", b"forged")
        watcher.say(f"{ROOT}/one/{part}", b"forged")
    watcher.say(f"{ROOT}/one/cmd/k1", b"forged")
    desk.say(f"{ROOT}/desks/desk-2", b"forged")
    desk.say(f"{ROOT}/one/cmd/k1", b"rule")
    for part in OF_A_TABLE:
        table.say(f"{ROOT}/one/{part}", b"own")
    wait_for(lambda: len(hearing.heard) >= len(OF_A_TABLE) and len(table.heard) >= 2)
    time.sleep(0.3)
    assert hearing.heard == [(f"{ROOT}/one/{part}", b"own") for part in OF_A_TABLE]
    assert table.heard == [(f"{ROOT}/one/cmd/k1", b"rule"), (f"{ROOT}/one/status", b"own")]
    assert {topic for topic, _ in watcher.heard} == {f"{ROOT}/one/status", f"{ROOT}/one/state"}


def test_nobody_ends_a_connection_by_the_names_that_a_hall_can_read(broker: halls.Broker, hall: Any) -> None:
    """A broker ends a client for another of the same id, whatever the user: ids must not be guessed."""
    desk, _ = hall.desk()
    table = hall.table("one")
    wait_for(lambda: table.link.is_desk_there)
    code, run = broker.codes["two"], table.link._status.run
    clients = []
    for wanted in (f"open-one-{run}", f"open-one-{run}-", "open-one", "one", run):
        client = Client(CallbackAPIVersion.VERSION2, wanted, protocol=MQTTv5)
        client.username_pw_set(code.name, code.password)
        client.tls_set(str(broker.configuration.parent / "tls" / "authority.pem"), tls_version=ssl.PROTOCOL_TLS_CLIENT)
        client.connect("127.0.0.1", broker.port)
        client.loop_start()
        wait_for(client.is_connected)
        clients.append(client)
    call = table.open_call()
    wait_for(lambda: desk.store.call(call))
    for client in clients:
        client.disconnect()
        client.loop_stop()
    assert [problem for problem in table.problems if isinstance(problem, BrokerError)] == []


def test_the_news_of_a_table_forge_no_line_at_the_desk() -> None:
    forged = "M\u202e\x00\n<b>"
    news = TableNews(t=1, match=forged, title=forged, troubles=(forged,), troubles_in={"ru": (forged,)})
    for seen in (news, hall_message(hall_bytes(news), TableNews, "state")):
        assert (seen.match, seen.title) == ("M <b>", "M <b>")
        assert (seen.troubles, seen.troubles_in) == (("M <b>",), {"ru": ("M <b>",)})


def test_a_table_that_leaves_messages_without_end_fills_no_memory(broker: halls.Broker, logged_in: Any) -> None:
    text = broker.configuration.read_text()
    assert f"\nmemory_limit {BROKER_BYTES}\n" in text
    broker.stop()
    most = 20_000_000
    broker.configuration.write_text(text.replace(f"memory_limit {BROKER_BYTES}", f"memory_limit {most}"))
    broker.start()
    flood = logged_in("two")
    for number in range(60):
        flood.leave_behind(f"{ROOT}/two/picture/c{number}/a.jpg", b"x" * 1_000_000)
    time.sleep(2)
    process = broker.process
    assert process is not None
    assert process.poll() is None
    held = next(line for line in Path(f"/proc/{process.pid}/status").read_text().splitlines() if "VmHWM" in line)
    assert int(held.split()[1]) * 1024 < 2 * most
