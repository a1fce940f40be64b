"""The program as a player starts it, joined by its code: its page calls, the desk rules, the page shows the ruling."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import hall_builders as halls
import pytest
from hall_builders import JUDGE, wait_for
from hall_programs import running_table

from assistant.app.tournament.steps import GiveRuling


@pytest.mark.timeout(120)
def test_a_call_at_a_running_table_is_ruled_on_at_the_desk(hall: Any, broker: halls.Broker, tmp_path: Path) -> None:
    desk, watcher = hall.desk()
    table = running_table(broker.configuration.parent / "codes" / "one.txt", tmp_path / "table")
    wait_for(lambda: "one" in desk.hall.tables and desk.hall.tables["one"].status is not None, 20)
    entries = halls.hear(broker, "home-assistant", "homeassistant/#", 5)
    assert all(json.loads(one)["~"] == "sightline/open/one" for one in entries), "what Home Assistant finds by itself"
    called = table.ask("calls/new", {"id": "call-1", "question": "Does the wall end here?"})
    wait_for(lambda: called["id"] in watcher.calls, 1.0)
    wait_for(lambda: desk.store.call(called["id"]))
    wait_for(lambda: desk.store.part_names(called["id"]) == ["frozen-moment.json"])
    desk.speak(called["id"], GiveRuling(ruling="It does.", extension_s=60), JUDGE)
    shown = table.ask(f"calls/{called['id']}")
    assert (shown["state"], shown["ruling"]) == ("ruled", "It does.")
    wait_for(lambda: desk.store.event_counts() == {"one": 2})
    assert table.end() == 0
    wait_for(lambda: desk.hall.tables["one"].status.state == "stopped")
