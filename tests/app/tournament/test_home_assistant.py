"""Home Assistant shows a table as available exactly while it is, by the table's own messages."""

from __future__ import annotations

import json
from typing import get_args

import pytest
from jinja2 import Environment

from assistant.app.tournament.home_assistant import discovery
from assistant.app.tournament.topics import Topics
from assistant.documents.hall import Presence, Status, TableNews, hall_bytes

ENTRIES = [json.loads(message.payload) for message in discovery(Topics("open"), "one", "1.0")]


def shown(template: str, payload: bytes) -> str:
    """Return Home Assistant's rendering of a message."""
    return Environment(autoescape=True).from_string(template).render(value_json=json.loads(payload))


@pytest.mark.parametrize("state", get_args(Presence))
def test_a_table_is_available_only_while_it_is_online(state: Presence) -> None:
    payload = hall_bytes(Status(state=state, run="r"))
    sensors = [entry["availability"] for entry in ENTRIES if "availability" in entry]
    assert len(sensors) == 5
    for there in sensors:
        words = {there["payload_available"]: True, there["payload_not_available"]: False}
        assert there["topic"] == "~/status"
        assert words[shown(there["value_template"], payload)] == (state == "online")


@pytest.mark.parametrize("state", get_args(Presence))
def test_its_presence_says_the_same(state: Presence) -> None:
    (presence,) = (entry for entry in ENTRIES if entry["unique_id"].endswith("_presence"))
    words = {presence["payload_on"]: True, presence["payload_off"]: False}
    value = shown(presence["value_template"], hall_bytes(Status(state=state, run="r")))
    assert words[value] == (state == "online")


@pytest.mark.parametrize(("calls", "is_on"), [({}, False), ({"calls": 0}, False), ({"calls": 2}, True)])
def test_a_lamp_hears_that_a_judge_is_called(calls: dict[str, int], is_on: bool) -> None:
    (judge,) = (entry for entry in ENTRIES if entry["unique_id"].endswith("_judge"))
    words = {judge["payload_on"]: True, judge["payload_off"]: False}
    payload = hall_bytes(TableNews(t=0, **calls)) if calls else b"{}"
    assert (judge["state_topic"], words[shown(judge["value_template"], payload)]) == ("~/state", is_on)
