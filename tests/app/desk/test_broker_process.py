"""The broker of a desk runs as the founder of the tournament and may log without limit."""

from __future__ import annotations

import contextlib
import datetime
import os
import signal
import socket
from pathlib import Path

import hall_builders as halls
import pytest
from hall_builders import wait_for

from assistant.app.tournament.founding import Founding, found_tournament
from assistant.documents.join import join_from_text
from assistant.hosting.broker_process import BrokerProcess, BrokerWillNot, answers_at

pytestmark = pytest.mark.skipif(halls.MOSQUITTO is None, reason=halls.NO_MOSQUITTO)

VISITORS = 700
"""Each visitor leaves two lines in the log. Together they exceed a pipe's 64 KB."""


def founded(folder: Path, port: int) -> Path:
    """Return the configuration of a tournament as an organiser's command writes it."""
    wanted = Founding(event="open", tables=["one"], host="127.0.0.1", port=port)
    return found_tournament(folder, wanted, datetime.datetime.now(datetime.UTC)).configuration


def test_a_broker_after_many_messages_goes_on(tmp_path: Path) -> None:
    port = halls.free_port()
    broker = BrokerProcess(founded(tmp_path / "hall", port), port)
    try:
        for _ in range(VISITORS):
            with socket.create_connection(("127.0.0.1", port), 5) as visitor:
                visitor.sendall(b"no greeting of TLS")
        code = join_from_text((tmp_path / "hall" / "codes" / "one.txt").read_text())
        table = halls.FakeTable("one")
        table.join(code, tmp_path / "table")
        wait_for(lambda: table.link is not None and table.link._link.is_up, 10)
        table.leave()
    finally:
        broker.close()
    assert (tmp_path / "hall" / "mosquitto.log").stat().st_size > 65_536


def process_of(configuration: Path) -> int:
    """Return the process whose command names that configuration."""
    wanted = os.fsencode(configuration)
    (found,) = (int(path.parent.name) for path in Path("/proc").glob("[0-9]*/cmdline") if wanted in command_in(path))
    return found


def command_in(cmdline: Path) -> list[bytes]:
    """Return the words of a process's command line, or none for a finished process."""
    with contextlib.suppress(OSError):
        return cmdline.read_bytes().split(b"\0")
    return []


def test_a_broker_that_is_killed_is_started_again_and_a_closed_one_is_not(tmp_path: Path) -> None:
    port = halls.free_port()
    configuration = founded(tmp_path / "hall", port)
    broker = BrokerProcess(configuration, port)
    try:
        code = join_from_text((tmp_path / "hall" / "codes" / "one.txt").read_text())
        table = halls.FakeTable("one")
        table.join(code, tmp_path / "table")
        wait_for(lambda: table.link is not None and table.link._link.is_up, 10)
        first = process_of(configuration)
        os.kill(first, signal.SIGKILL)
        wait_for(lambda: table.link is not None and not table.link._link.is_up, 10)
        wait_for(lambda: table.link is not None and table.link._link.is_up, 20)
        assert process_of(configuration) != first
        table.leave()
    finally:
        broker.close()
    assert not answers_at(port)


def test_why_a_broker_does_not_start_is_reported_in_its_own_words(tmp_path: Path) -> None:
    port = halls.free_port()
    configuration = founded(tmp_path / "hall", port)
    (tmp_path / "hall" / "passwords").unlink()
    with pytest.raises(
        BrokerWillNot, match=r"does not start \(Error: Unable to open pwfile|does not start \(.*passwords"
    ):
        BrokerProcess(configuration, port)
