"""Matches of a data folder resume where they were, in this program and in the next one."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.app.matches.archive import SNAPSHOT_EVERY, KeptMatches, list_shipped_missions, load_shipped_mission
from assistant.errors import StoreError, UnknownName
from assistant.match.actor import JUDGE


def test_every_shipped_mission_can_be_begun_and_gone_on_with(tmp_path: Path) -> None:
    matches = KeptMatches(tmp_path)
    for name in list_shipped_missions():
        begun = matches.begin(name, load_shipped_mission(name), {})
        assert matches.go_on(name) is begun
    matches.close()
    again = KeptMatches(tmp_path)
    assert again.store.matches() == list_shipped_missions()
    assert all(again.go_on(name).seq == 0 for name in list_shipped_missions())
    again.close()


def test_a_match_goes_on_after_its_last_event_with_a_snapshot_to_start_from(tmp_path: Path) -> None:
    matches = KeptMatches(tmp_path, lambda: 1_000)
    session = matches.begin("m", load_shipped_mission("doom2016_tutorial_sample"), {})
    for _ in range(SNAPSHOT_EVERY + 3):
        session.command({"type": "note", "text": "x"}, JUDGE)
    assert matches.store.load("m").snapshot is not None
    matches.close()
    again = KeptMatches(tmp_path)
    assert again.go_on("m").timeline.game == session.timeline.game
    assert again.go_on("m").seq == SNAPSHOT_EVERY + 3
    again.close()


def test_names_are_free_once_and_missions_known(tmp_path: Path) -> None:
    matches = KeptMatches(tmp_path)
    mission = load_shipped_mission("roads_bridge_sample")
    matches.begin("m", mission, {})
    with pytest.raises(StoreError, match="is taken"):
        matches.begin("m", mission, {})
    with pytest.raises(UnknownName):
        matches.go_on("n")
    with pytest.raises(UnknownName, match="choose one of"):
        load_shipped_mission("e1m1")
    matches.close()
