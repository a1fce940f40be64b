"""A call at a table reaches the desk at once, and the desk's ruling reaches the table."""

from __future__ import annotations

import time

import pytest
from hall_builders import JUDGE, wait_for
from timing import soonest_s

from assistant.app.tournament.steps import GiveRuling
from assistant.errors import IllegalStep, UnknownName


def test_a_call_is_at_the_desk_within_a_second_and_the_ruling_at_the_table(hall):
    desk, watcher = hall.desk()
    table = hall.table("one")
    wait_for(lambda: desk.hall.tables.get("one") and desk.hall.tables["one"].condition(time.time()) == "online")

    calls = []

    def made() -> None:
        calls.append(table.open_call("does the wall end here?"))
        wait_for(lambda: calls[-1] in watcher.calls)

    assert soonest_s(made, 1.0) < 1.0
    call = calls[-1]
    wait_for(lambda: desk.store.call(call))
    ruled = desk.speak(call, GiveRuling(ruling="Cover holds.", extension_s=120), JUDGE)

    assert (ruled.state, ruled.ruling, ruled.extension_s) == ("ruled", "Cover holds.", 120)
    assert ruled.judge == JUDGE
    assert table.calls[call] == ruled
    wait_for(lambda: desk.store.event_counts() == {"one": len(calls) + 1})


def test_a_call_is_called_off_and_gone(hall):
    desk, _ = hall.desk()
    table = hall.table("one")
    call = table.open_call()
    wait_for(lambda: desk.store.call(call))
    table.do("ruled", call, JUDGE, ruling="So it is.")
    table.do("closed", call, JUDGE)
    wait_for(lambda: desk.store.call(call).state == "closed")
    assert desk.store.calls() == []
    assert [one.id for one in desk.store.calls(with_closed=True)] == [call]


def test_what_cannot_be_ruled_is_refused_before_anything_is_sent(hall):
    desk, _ = hall.desk()
    table = hall.table("one")
    call = table.open_call()
    wait_for(lambda: desk.store.call(call))
    with pytest.raises(UnknownName):
        desk.speak("nothing", GiveRuling(ruling="x"), JUDGE)
    with pytest.raises(IllegalStep):
        desk.speak(call, GiveRuling(ruling=" "), JUDGE)
    assert table.commands == []
