"""The awaited side: headline and clock of the side that must answer; a move names its start and end."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import pytest

from assistant.match import session
from assistant.match.actor import JUDGE, player
from assistant.match.audience import PUBLIC, Audience
from assistant.match.views import list_prompts

MARINES, INVADER = player("marines", "Ann"), player("invader", "Bob")
RIFLE = {"card": "rifle", "is_main": True, "movement": 4, "attack": {"range": 9, "dice": {"black": 3}}}
DICE = {"rolled_here": False, "dice": [["black", 1]] * 3}


@pytest.fixture
def fight(build: ModuleType) -> Any:
    """Alpha has a rifle ready, with an imp in sight."""
    base = build.mission(build.TUTORIAL)
    marines = [{**one, "deck": [], "abilities": []} for one in base.setup["marines"]]
    match = build.begun(build.with_setup(base, marines=marines, glory=[], events=[]))
    match.do("see", document=build.corridor(13, 3, {"d1": ((11, 1), (12, 1))}))
    match.do("status", shuffled_here=False)
    for figure, cells in (("possessed-1", [[9, 2]]), ("imp-1", [[4, 0]]), ("bravo", [[0, 2]])):
        match.do("place", figure=figure, cells=cells)
    match.do("reveal", card="alpha")
    match.do("play", **RIFLE)
    return match


def waits(match: Any, side: str | None = None, language: str = "en") -> Any:
    return match.session.view(Audience(side=side, language=language))["waits"]


def test_the_defender_is_waited_for_and_his_clock_runs(fight: Any) -> None:
    assert (waits(fight), fight.session.timeline.clock.side) == (None, "marines")
    fight.do("attack", by=MARINES, defender="imp-1", **DICE)
    for side in (None, "marines", "invader"):
        assert waits(fight, side) == {"side": "invader", "text": "defend Imp 1"}
    assert waits(fight, language="ru")["text"] != "defend Imp 1"
    assert fight.session.timeline.clock.side == "invader"
    assert fight.session.view(PUBLIC)["to_act"] == "marines"


def test_while_a_side_with_a_device_of_its_own_is_asked_its_clock_runs(fight: Any) -> None:
    fight.do("attack", by=MARINES, defender="imp-1", **DICE)
    fight.do("defend", by=INVADER, shields=0)
    open_now = [one["side"] for one in fight.session.view(PUBLIC)["asked"]]
    assert waits(fight) == (None if "invader" not in open_now else {"side": "invader", "text": waits(fight)["text"]})
    assert fight.session.timeline.clock.side == ("invader" if "invader" in open_now else "marines")
    fight.do("resolve", by=INVADER)
    assert (waits(fight), fight.session.timeline.clock.side) == (None, "marines")


def test_the_time_of_a_defence_counts_for_the_defender(fight: Any) -> None:
    fight.do("attack", by=MARINES, defender="imp-1", **DICE)
    before = fight.session.timeline.clock.side_ms.get("invader", 0)
    fight.do("defend", by=INVADER, shields=0)
    assert fight.session.timeline.clock.side_ms["invader"] > before


def test_a_move_says_from_where_to_where_and_what_it_did_besides(fight: Any) -> None:
    fight.do("move", figure="alpha", cells=[[2, 1]])
    assert fight.session.history()[-1]["title"] == "Alpha moved from A1 to C2"


def test_each_target_has_its_odds_and_a_move_has_none(fight: Any) -> None:
    fight.do("place", figure="possessed-1", cells=[[3, 2]])
    ask = fight.session.way({"type": "attack"}, MARINES)["ask"]
    assert {pick["figure"] for pick in ask["picks"]} >= {"imp-1", "possessed-1"}
    for pick in ask["picks"]:
        told = fight.session.advise({"attacker": "alpha", "defender": pick["figure"]})["odds"]
        assert [share["chance"] for share in pick["odds"]["outlook"]] == [told["frag"]]
    ends = fight.session.way({"type": "move", "figure": "alpha"}, MARINES)["ask"]["picks"]
    assert ends
    assert all(pick["odds"] is None for pick in ends)


def test_a_view_shows_one_moment_though_another_thread_takes_a_step(
    fight: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = fight.session.view(PUBLIC)["seq"]
    fight.do("note", text="a step whose prompts nobody has asked for")
    steps = iter([lambda: fight.do("attack", by=MARINES, defender="imp-1", **DICE)])

    def list_late(*args: Any) -> Any:
        for step in steps:
            step()
        return list_prompts(*args)

    monkeypatch.setattr(session, "list_prompts", list_late)
    shown = fight.session.view(PUBLIC)
    assert (shown["seq"], shown["waits"]) == (before + 1, None)
    now = fight.session.view(PUBLIC)
    assert (now["seq"], [prompt["type"] for prompt in now["prompts"]]) == (before + 2, ["defend"])


def test_an_attack_that_rolls_at_a_tap_names_its_only_target_with_its_odds(fight: Any) -> None:
    """“Attack” rolled at once against the only target, without a word about whom it meets, and could not be undone."""

    def prompt() -> Any:
        return next(one for one in fight.session.view(Audience(side="marines"))["prompts"] if one["type"] == "attack")

    assert prompt()["target"] is None, "two targets are a question"
    for piece in fight.game.standing("invader"):
        if piece.id != "imp-1":
            fight.do("frag", figure=piece.id, by=JUDGE)
    assert prompt()["target"] == "imp-1"
    assert prompt()["odds"]["outlook"]
