"""Broker, desk and table are killed and restarted: no event is lost or duplicated."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import hall_builders as halls
import pytest
from hall_builders import JUDGE, wait_for

from assistant.app.tournament.desk_store import DeskStore
from assistant.app.tournament.steps import GiveRuling
from assistant.documents.join import join_text

TABLE = Path(halls.__file__).with_name("table_process.py")


def test_a_broker_that_is_killed_loses_nothing(hall, broker):
    desk, watcher = hall.desk()
    table = hall.table("one")
    first = table.open_call("before")
    wait_for(lambda: desk.store.call(first))
    broker.kill()
    wait_for(lambda: "broker" in watcher.wrong)
    assert "does not answer" in str(watcher.wrong["broker"])
    told = [table.open_call(f"meanwhile {n}") for n in range(20)]
    broker.start()
    wait_for(lambda: desk.store.event_counts() == {"one": 21}, 30)
    assert {call.id for call in desk.store.calls()} == {first, *told}
    assert watcher.wrong == {}
    wait_for(lambda: table.link._outbox.count() == 0)


def test_events_that_the_broker_took_and_lost_are_sent_again(hall, broker):
    """It confirms a message before anybody has it, so its confirmation proves nothing."""
    table = hall.table("one")
    calls = [table.open_call() for _ in range(5)]
    time.sleep(0.5)
    broker.kill()
    broker.start()
    desk, _ = hall.desk()
    wait_for(lambda: {call.id for call in desk.store.calls()} == set(calls), 30)
    assert desk.store.event_counts() == {"one": 5}


def test_a_ruling_waits_for_a_table_that_is_away(hall, broker):
    desk, _ = hall.desk()
    table = hall.table("one")
    call = table.open_call()
    wait_for(lambda: desk.store.call(call))
    table.link._link._client.socket().close()  # the network is gone for a moment
    answered = desk.speak(call, GiveRuling(ruling="Move it back."), JUDGE)
    assert answered.state == "ruled"
    assert len(table.commands) == 1


class DeskProcess:
    """The program as an organiser starts it, on a broker that runs already."""

    def __init__(self, hall: Path, data: Path, store: str) -> None:
        words = ["desk", str(hall), "--host", "127.0.0.1", "--port", "0", "--data", str(data), "--store", store]
        program = [sys.executable, "-c", "from assistant.cli import main; main()", *words]
        self.process = subprocess.Popen(program, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        assert self.process.stdout is not None
        assert self.process.stdout.readline().startswith(b"http")

    def end(self, number: signal.Signals) -> None:
        """Send it that signal and waits until it is gone."""
        self.process.send_signal(number)
        self.process.wait(20)
        assert self.process.stdout is not None
        self.process.stdout.close()


@pytest.mark.timeout(120)
@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_a_desk_that_is_killed_while_tables_tell_loses_nothing_and_doubles_nothing(
    hall, broker, tmp_path, request, kind
):
    url = f"sqlite:///{tmp_path / 'killed.db'}"
    if kind == "postgresql":
        url = request.getfixturevalue("postgres").fresh_url()
    place = (broker.configuration.parent, tmp_path / "data", url)
    store = DeskStore(url)
    tables = [hall.table(name) for name in ("one", "two", "three")]
    told: dict[str, list[str]] = {table.name: [] for table in tables}
    is_over = threading.Event()

    def keep_telling() -> None:
        while not is_over.wait(0.005):
            for table in tables:
                told[table.name].append(table.open_call())

    telling = threading.Thread(target=keep_telling)
    desk = DeskProcess(*place)
    telling.start()
    wait_for(lambda: sum(store.event_counts().values()) > 100, 30)
    desk.end(signal.SIGKILL)
    desk = DeskProcess(*place)
    is_over.set()
    telling.join()
    wait_for(lambda: all(table.link._outbox.count() == 0 for table in tables), 30)
    desk.end(signal.SIGTERM)
    assert store.event_counts() == {name: len(calls) for name, calls in told.items()}
    assert {call.id for call in store.calls()} == {call for calls in told.values() for call in calls}
    store.close()


class Process:
    """A table in a process of its own, which can be killed."""

    def __init__(self, code: str, folder: Path) -> None:
        self.process = subprocess.Popen(
            [sys.executable, str(TABLE), code, str(folder)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[3])},
        )
        self.told: list[str] = []

    def say(self, count: int) -> None:
        """Have it call a judge that often. It prints each call once it is stored."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(f"{count}\n")
        self.process.stdin.flush()
        for _ in range(count):
            self.told.append(self.process.stdout.readline().strip())

    def end(self, number: signal.Signals) -> None:
        """Send it that signal. After a fatal one, wait for its end."""
        self.process.send_signal(number)
        if number is not signal.SIGSTOP:
            self.process.wait(10)
            for stream in (self.process.stdin, self.process.stdout):
                if stream is not None:
                    stream.close()


@pytest.mark.timeout(120)
def test_a_table_that_is_killed_tells_the_rest_when_it_is_back(hall, broker, tmp_path):
    desk, _ = hall.desk()
    told: list[str] = []
    for round_number in range(3):
        table = Process(join_text(broker.codes["two"]), tmp_path / "two")
        table.say(30 + round_number)
        table.end(signal.SIGKILL)
        told += table.told
    last = Process(join_text(broker.codes["two"]), tmp_path / "two")
    wait_for(lambda: {call.id for call in desk.store.calls()} == set(told), 30)
    assert desk.store.event_counts() == {"two": len(told)}
    last.end(signal.SIGTERM)


@pytest.mark.timeout(120)
def test_silence_is_shown_as_offline_within_ten_seconds(hall, broker, tmp_path):
    desk, _ = hall.desk()
    table = Process(join_text(broker.codes["three"]), tmp_path / "three")
    table.say(1)
    seen = desk.hall.tables
    wait_for(lambda: "three" in seen and seen["three"].condition(time.time()) == "online")
    table.end(signal.SIGSTOP)
    try:
        assert wait_for(lambda: seen["three"].condition(time.time()) == "offline", 10) < 10
    finally:
        table.end(signal.SIGKILL)


def test_a_table_that_stops_in_order_is_switched_off(hall):
    desk, _ = hall.desk()
    table = hall.table("four")
    seen = desk.hall.tables
    wait_for(lambda: "four" in seen and seen["four"].condition(time.time()) == "online")
    table.leave()
    wait_for(lambda: seen["four"].condition(time.time()) == "stopped")
