"""A table and a desk as people start them, over a real Mosquitto: calls stay in order, and a kill loses none."""

from __future__ import annotations

import signal
import threading
import urllib.error
from pathlib import Path

import hall_builders as halls
import pytest
from hall_builders import wait_for
from hall_programs import running_desk, running_table, seconds_to_desk

from assistant.app.tournament.desk_store import DeskStore


@pytest.mark.timeout(180)
def test_calls_of_a_table_that_is_killed_and_back_are_all_at_the_desk_once_and_in_order(
    broker: halls.Broker, tmp_path: Path
) -> None:
    code = broker.configuration.parent / "codes" / "one.txt"
    desk = running_desk(broker.configuration.parent, tmp_path / "desk")
    table = running_table(code, tmp_path / "table")
    wait_for(lambda: {one["name"]: one["condition"] for one in desk.ask("hall")["tables"]}["one"] == "online", 20)
    assert seconds_to_desk(table, desk, "first", "Does the wall end here?") < 1.0

    table.become("judge")  # at a table of a tournament an owner may be a player, and closes no call

    kept = ["first"]

    def keep_calling() -> None:
        """Call until the table is gone. A call counts once acknowledged and ends at once, since few may be open."""
        try:
            for number in range(500):
                kept.append(table.ask("calls/new", {"id": f"call-{number}"})["id"])
                table.ask(f"calls/{kept[-1]}/closing", {"id": f"off-{number}"})
        except urllib.error.HTTPError:
            raise
        except OSError:
            return

    calling = threading.Thread(target=keep_calling)
    calling.start()
    wait_for(lambda: len(kept) > 10, 30)
    table.end(signal.SIGKILL)
    calling.join()
    back = running_table(code, tmp_path / "table")
    calls = back.ask("calls")["calls"][::-1]
    own = [call["id"] for call in calls]  # one more than it could tell, perhaps
    still_open = [call["id"] for call in calls if call["state"] != "closed"]
    assert set(kept) <= set(own)
    assert set(still_open) <= {"first", *own[-1:]}
    last = seconds_to_desk(back, desk, "last")
    assert last < 1.0

    wait_for(lambda: [call["id"] for call in desk.ask("hall")["calls"]] == [*still_open, "last"], 20)
    assert back.end() == 0
    assert desk.end() == 0
    store = DeskStore(f"sqlite:///{tmp_path / 'desk' / 'desk-open.db'}")
    assert [call.id for call in store.calls(with_closed=True)] == [*own, "last"], "the oldest first"
    assert store.event_counts() == {"one": 2 * len(own) - len(still_open) + 1}
    store.close()


@pytest.mark.timeout(180)
def test_calls_wait_for_a_postgresql_that_is_away_from_the_start_and_for_a_desk_that_is_killed(
    broker: halls.Broker, postgres: halls.Postgres, tmp_path: Path
) -> None:
    place, url = broker.configuration.parent, postgres.fresh_url()
    postgres.stop()
    try:
        desk = running_desk(place, tmp_path / "desk", url)
        table = running_table(place / "codes" / "one.txt", tmp_path / "table")
        table.ask("calls/new", {"id": "no-database"})
        wait_for(lambda: "does not answer" in str(desk.ask("hall/problems")["problems"]), 20)
        with pytest.raises(urllib.error.HTTPError) as told:
            desk.ask("hall")
        assert told.value.code == 503
        told.value.close()
    finally:
        postgres.start()
    wait_for(lambda: desk.ask("hall/problems")["problems"] == [], 20)
    wait_for(lambda: [call["id"] for call in desk.ask("hall")["calls"]] == ["no-database"], 20)

    desk.end(signal.SIGKILL)
    table.ask("calls/new", {"id": "no-desk"})
    back = running_desk(place, tmp_path / "desk", url)
    wait_for(lambda: [call["id"] for call in back.ask("hall")["calls"]] == ["no-database", "no-desk"], 20)
    words = {"type": "rule", "ruling": "It stands."}
    assert back.ask("hall/calls/no-desk/steps", words)["call"]["state"] == "ruled"
    assert table.ask("calls/no-desk")["ruling"] == "It stands."
    assert (table.end(), back.end()) == (0, 0)
    store = DeskStore(url)
    assert store.event_counts() == {"one": 3}
    store.close()
