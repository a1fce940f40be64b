"""A message that the broker refuses is set aside. Everything else reaches the desk, and the table reports it."""

from __future__ import annotations

import pytest
from hall_builders import wait_for

from assistant.app.tournament.outbox import Waiting
from assistant.hosting.mqtt import is_topic

PICTURE = b"\xff\xd8\xff" + b"j" * 1_000
TOO_LARGE = b'"' + b"x" * (2 << 20) + b'"'


def told(table) -> str:
    return " ".join(str(problem) for problem in table.problems if problem)


def poison_topic(outbox) -> None:
    """Store a message as an older table did after `POST /calls/new {"id": "nl1\n"}`."""
    outbox.put(Waiting(0, "old", b"{}"), ("sightline/open/one/call/nl1\n", b"{}"))
    outbox.drop(["old"])


def poison_wildcard(outbox) -> None:
    outbox.put(Waiting(0, "old", b"{}"), ("sightline/open/one/call/+", b"{}"))
    outbox.drop(["old"])


def poison_size(outbox) -> None:
    outbox.put(Waiting(0, "large", TOO_LARGE))


def poison_picture(outbox) -> None:
    outbox.put_picture("c\x00/a.jpg", PICTURE)


def poison_large_picture(outbox) -> None:
    outbox.put_picture("c/a.jpg", PICTURE * 2_000)


def poison_foreign_topic(outbox) -> None:
    """Well formed, and no right to it."""
    outbox.put(Waiting(0, "old", b"{}"), ("sightline/open/two/call/c1", b"{}"))
    outbox.drop(["old"])


@pytest.mark.parametrize(
    "poison",
    [poison_topic, poison_wildcard, poison_size, poison_picture, poison_large_picture, poison_foreign_topic],
)
def test_a_message_that_the_broker_refuses_holds_nothing_up(hall, broker, poison):
    table = hall.table("one")
    wait_for(lambda: table.link._link.is_up)
    poison(table.link._outbox)
    desk, _ = hall.desk()
    call = table.open_call()
    table.link.take_part(call, "photo.jpg", PICTURE)
    wait_for(lambda: desk.store.call(call) is not None)
    wait_for(lambda: desk.store.part_names(call) == ["photo.jpg"])
    if poison in (poison_size, poison_picture, poison_large_picture):
        wait_for(lambda: "refuses some messages" in told(table))
    assert b"malformed" not in (broker.configuration.parent / "mosquitto.log").read_bytes()


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # paho forgets the refused socket
def test_after_a_restart_the_rest_still_goes_out_and_the_table_says_so(hall, broker, tmp_path):
    table = hall.table("one")
    poison_topic(table.link._outbox)
    poison_foreign_topic(table.link._outbox)
    broker.stop()
    broker.start()
    desk, _ = hall.desk()
    wait_for(lambda: "refuses some messages of this table (so far: 2)" in told(table))
    call = table.open_call()
    wait_for(lambda: desk.store.call(call) is not None)


@pytest.mark.parametrize("topic", ["", "a/+", "a/#", "a\nb", "a\x00", "a\x85", "a/" + "x" * 70_000, "a\ufffe"])
def test_what_is_no_topic(topic):
    assert not is_topic(topic)


def test_ordinary_topics_are_ones():
    assert is_topic("sightline/open/table-1/call/call-1f")
    assert is_topic("sightline/открытый/стол")
