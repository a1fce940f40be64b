"""The clocks of a match: per turn, per round and per side, with limits, stopped by hand, true over a restart."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from assistant.app.matches.archive import KeptMatches
from assistant.app.matches.choice import MatchShow
from assistant.errors import DocumentError, IllegalStep, NotYours
from assistant.match.actor import JUDGE, TABLE, player
from assistant.match.audience import PUBLIC
from assistant.match.session import Session

SECOND_MS = 1_000
HOUR_MS = 3_600_000


class Wall:
    """A wall clock that is set by hand, milliseconds since 1970."""

    def __init__(self) -> None:
        self.now_ms = 1_700_000_000_000

    def __call__(self) -> int:
        return self.now_ms

    def wait_s(self, seconds: int) -> None:
        self.now_ms += seconds * SECOND_MS


@pytest.fixture
def wall() -> Wall:
    return Wall()


def shown(match: Any) -> dict[str, Any]:
    clock: dict[str, Any] = match.session.view(PUBLIC)["clock"]
    return clock


def test_each_marine_has_a_turn_clock_of_his_own(build: ModuleType, wall: Wall) -> None:
    match = build.begun(build.mission(build.KNEE_DEEP), clock=wall)
    match.do("begin")
    wall.wait_s(30)
    match.do("action", action="advance")
    wall.wait_s(10)
    assert shown(match)["turn_ms"] == 40 * SECOND_MS

    match.do("end")
    wall.wait_s(5)
    assert shown(match)["turn_ms"] == 5 * SECOND_MS
    assert shown(match)["round_ms"] == 45 * SECOND_MS
    assert shown(match)["side_ms"] == {"marines": 45 * SECOND_MS}


def test_an_undone_end_of_a_turn_gives_the_turn_and_the_round_their_time_back(build: ModuleType, wall: Wall) -> None:
    match = build.begun(build.mission(build.KNEE_DEEP), clock=wall)
    match.do("begin")
    wall.wait_s(30)
    match.do("action", action="advance")
    wall.wait_s(10)
    match.do("end")
    wall.wait_s(3)
    match.do("undo")
    wall.wait_s(2)
    assert shown(match)["turn_ms"] == 42 * SECOND_MS
    assert shown(match)["round_ms"] == 45 * SECOND_MS
    match.do("end")
    assert shown(match)["turn_ms"] == 3 * SECOND_MS  # as much as that turn has had


def test_after_the_end_no_time_is_played(build: ModuleType, wall: Wall) -> None:
    match = build.begun(build.mission(build.KNEE_DEEP), clock=wall)
    match.do("begin")
    wall.wait_s(30)
    match.do("declare", by=JUDGE, winner="marines", ending="all demons fled")
    wall.wait_s(50)
    assert shown(match)["round_ms"] == 30 * SECOND_MS
    match.do("undo", by=JUDGE)
    wall.wait_s(5)
    assert shown(match)["round_ms"] == 35 * SECOND_MS
    assert shown(match)["side_ms"] == {"marines": 35 * SECOND_MS}


def test_a_test_of_the_other_side_does_not_begin_a_turn(build: ModuleType, wall: Wall) -> None:
    match = build.begun(build.mission(build.BRIDGE), clock=wall)
    match.do("begin")
    wall.wait_s(20)
    match.do("next")
    side = match.game.active
    wall.wait_s(7)
    assert match.game.active == side
    assert shown(match)["turn_ms"] == 27 * SECOND_MS


def test_limits_are_an_event_that_outlives_undo_and_restart(build: ModuleType, wall: Wall) -> None:
    match = build.begun(build.mission(build.TUTORIAL), clock=wall)
    match.do("damage", figure="alpha", amount=1) if match.game.round else match.do("status")
    match.do("limits", turn_s=90, side_s=1800)
    match.do("undo", by=JUDGE)

    clock = shown(match)
    assert (clock["turn_limit_s"], clock["side_limit_s"]) == (90, 1800)
    again = Session.resumed(match.document().splitlines(), journal=None, clock_ms=wall)
    assert again.timeline.clock == match.session.timeline.clock
    match.do("limits")
    assert shown(match)["turn_limit_s"] is None


@pytest.mark.parametrize("limit", [0, -1, 86_401, 1.5, "60"])
def test_a_limit_is_a_number_of_seconds_of_a_day(build: ModuleType, limit: object) -> None:
    match = build.begun(build.mission(build.TUTORIAL))
    with pytest.raises(DocumentError):
        match.do("limits", turn_s=limit)


def test_stopped_clocks_stay_stopped_over_a_restart(build: ModuleType, wall: Wall, tmp_path: Path) -> None:
    kept = KeptMatches(tmp_path, wall)
    session = kept.begin("m", build.mission(build.TUTORIAL), {})
    session.command({"type": "status"}, TABLE)
    wall.wait_s(3)
    session.command({"type": "pause"}, TABLE)
    kept.close()
    wall.now_ms += HOUR_MS

    again = KeptMatches(tmp_path, wall)
    clock = again.go_on("m").view(PUBLIC)["clock"]
    assert (clock["running"], clock["side_ms"]) == (False, {"invader": 3 * SECOND_MS})
    again.close()


def test_the_time_in_which_the_program_was_not_running_counts_for_nobody(
    build: ModuleType, wall: Wall, tmp_path: Path
) -> None:
    kept = KeptMatches(tmp_path, wall)
    session = kept.begin("m", build.mission(build.TUTORIAL), {})
    session.command({"type": "status"}, TABLE)
    wall.wait_s(3)
    session.command({"type": "note", "text": "a call"}, JUDGE)
    kept.close()
    wall.now_ms += HOUR_MS

    again = KeptMatches(tmp_path, wall)
    session = again.go_on("m")
    wall.wait_s(2)
    assert session.view(PUBLIC)["clock"]["side_ms"] == {"invader": 5 * SECOND_MS}
    assert session.history("en")[-1]["title"] != "The match goes on", "it is no step of the game"
    again.close()


def test_the_time_in_which_another_match_was_shown_counts_for_nobody(
    build: ModuleType, wall: Wall, tmp_path: Path
) -> None:
    kept = KeptMatches(tmp_path, wall)
    show = MatchShow(lambda match: None, lambda: None, lambda view: None).show
    first, second = (kept.begin(name, build.mission(build.TUTORIAL), {}) for name in ("first", "second"))
    first.command({"type": "status"}, TABLE)
    show(first)
    wall.wait_s(3)
    first.command({"type": "note", "text": "a call"}, JUDGE)
    show(second)
    wall.now_ms += HOUR_MS
    show(kept.go_on("first"))
    wall.wait_s(2)
    show(kept.go_on("first"))  # it is shown already, and somebody plays it
    assert first.view(PUBLIC)["clock"]["side_ms"] == {"invader": 5 * SECOND_MS}
    kept.close()


def test_waking_a_match_before_its_first_turn_changes_nothing(build: ModuleType, wall: Wall, tmp_path: Path) -> None:
    kept = KeptMatches(tmp_path, wall)
    kept.begin("m", build.mission(build.TUTORIAL), {})
    kept.close()
    again = KeptMatches(tmp_path, wall)
    assert again.go_on("m").seq == 0
    again.close()


def test_nobody_at_the_table_leaves_time_out(build: ModuleType) -> None:
    match = build.begun(build.mission(build.TUTORIAL))
    with pytest.raises(NotYours, match="judge"):
        match.do("wake", by=TABLE)


def test_a_disk_that_takes_nothing_more_keeps_nobody_from_looking_at_the_match(
    build: ModuleType, wall: Wall, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    kept = KeptMatches(tmp_path, wall)
    session = kept.begin("m", build.mission(build.TUTORIAL), {})
    session.command({"type": "status"}, TABLE)
    kept.close()
    wall.now_ms += HOUR_MS

    again = KeptMatches(tmp_path, wall)
    again.store._db.execute("PRAGMA query_only=ON")
    assert again.go_on("m").seq == 1
    assert "clocks of the match m" in caplog.text
    again.store._db.execute("PRAGMA query_only=OFF")
    again.close()


def test_time_that_a_judge_gives_back_stays_whatever_is_undone(build: ModuleType, wall: Wall) -> None:
    match = build.begun(build.mission(build.TUTORIAL), clock=wall)
    match.do("limits", side_s=1800)
    match.session.command({"type": "extend", "seconds": 90, "call": "c", "id": "one"}, JUDGE)
    match.session.command({"type": "extend", "seconds": 90, "call": "c", "id": "one"}, JUDGE)
    match.session.command({"type": "extend", "seconds": 30}, JUDGE)
    match.do("limits", side_s=3600)
    assert (shown(match)["extra_s"], shown(match)["side_limit_s"]) == (120, 3600)
    with pytest.raises(NotYours, match="only a judge"):
        match.session.command({"type": "extend", "seconds": 30}, TABLE)
    match.session.command({"type": "extend", "seconds": -30}, JUDGE)
    assert shown(match)["extra_s"] == 90
    for seconds in (-91, 0):
        with pytest.raises(IllegalStep, match="not got so much"):
            match.session.command({"type": "extend", "seconds": seconds}, JUDGE)
    with pytest.raises(DocumentError):
        match.session.command({"type": "extend", "seconds": 10**6}, JUDGE)


def test_the_clock_of_the_asked_side_runs_until_it_answers_around_one_tablet(roads: ModuleType) -> None:
    """The page asked the Diggers whether they react to a shot, while the clock of the Knights ran."""
    match = roads.skirmish(
        roads.fighter("a", "knights", 300, 300, weapons=["pistol"]),
        roads.fighter("b", "diggers", 600, 300),
        arms={"pistol": {"kind": "pistol", "range_steps": 12}},
    )
    roads.go_to(match, "shoot", "knights")
    assert match.session.timeline.clock.side == "knights"
    match.do("announce", figure="a", target="b")
    assert match.session.timeline.clock.side == "diggers"
    match.do("react", figure="b", shooter="a", how="duck", rolled_here=False, roll=6)
    assert match.session.timeline.clock.side == "knights"


def test_the_clock_of_a_side_stands_while_it_may_only_ask_for_an_announcement(roads: ModuleType) -> None:
    """With devices of their own the other side paid for the whole phase in which its enemies chose their shots."""
    match = roads.skirmish(
        roads.fighter("a", "knights", 300, 300, weapons=["pistol"]),
        roads.fighter("b", "diggers", 600, 300),
        arms={"pistol": {"kind": "pistol", "range_steps": 12}},
    )
    roads.go_to(match, "shoot", "knights")
    match.session.command({"type": "place", "figure": "b", "center_mm": [610, 300]}, player("diggers"))
    assert "diggers" in match.session.timeline.devices
    assert match.session.timeline.clock.side == "knights"
    assert match.session.view(PUBLIC)["waits"] is None
