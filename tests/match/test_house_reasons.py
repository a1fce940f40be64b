"""“Was that legal?” names the house options behind an answer, with the effect of another choice."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

from assistant.errors import IllegalStep
from assistant.match.actor import JUDGE
from assistant.match.audience import JUDGE_VIEW
from assistant.match.house_reasons import find_house_reasons


def rests(match: Any) -> dict[str, str]:
    """Return the options on which the last step rests, each with its sentence."""
    found = match.session.judge(match.session.seq, JUDGE)["reasons"]
    texts = [one["text"] for one in found if one["rule"] == "match/house-option"]
    return {text.split("option ")[1].split(" = ")[0]: text for text in texts}


def at(roads: ModuleType, phase: str, *models: tuple[Any, ...], **more: Any) -> Any:
    match = roads.skirmish(*(roads.fighter(*one) for one in models), roads.fighter("far", "x", 1100, 800), **more)
    roads.go_to(match, phase)
    return match


def crawls(roads: ModuleType) -> Any:
    trio = [("a1", "k", 300, 300), ("b1", "x", 325, 300), ("a2", "k", 350, 300), ("b2", "x", 375, 300)]
    models = [*trio, ("a3", "k", 400, 300)]
    match = at(roads, "move", *models, options={"crawl_from": "any_majority"})
    match.do("wound", figure="a2", down=True)
    match.do("crawl", figure="a2", center_mm=[350, 340])
    return match


def fights_late(roads: ModuleType) -> Any:
    models = [
        ("a", "k", 300, 300),
        ("a2", "k", 350, 300),
        ("d", "x", 325, 300),
        ("b", "k", 600, 300),
        ("e", "x", 625, 300),
    ]
    match = at(roads, "melee", *models)
    roads.fight(match, "a", "d", [2, 2], [2])
    if match.game.hits:
        match.do("wound", figure="d")
    match.do("fight", fighters=["b", "e"])
    return match


def climbs_aside(roads: ModuleType) -> Any:
    match = at(roads, "move", ("a", "k", 300, 300))
    match.do("manoeuvre", figure="a", kind="climb", steps=1, center_mm=[345, 300])
    return match


def fears_to_charge(roads: ModuleType) -> Any:
    models = roads.fighter("a", "k", 300, 300), roads.fighter("d", "x", 500, 300, fear=True)
    match = roads.skirmish(*models)
    roads.go_to(match, "move")
    match.do("charge", figure="a", target="d")
    roads.roll(match, 6)
    return match


def wounds_the_fallen(roads: ModuleType) -> Any:
    match = at(roads, "shoot", ("a", "k", 300, 300), ("d", "x", 600, 300))
    match.do("wound", figure="d", down=True)
    match.do("shoot", figure="a", target="d", hits=1)
    match.do("wound", figure="d", wounds=1)
    return match


def begins_stupid(roads: ModuleType) -> Any:
    models = [
        roads.fighter("lead", "k", 300, 300, is_leader=True, spirit=6),
        roads.fighter("ogre", "k", 400, 300, spirit=2, stupid=True),
    ]
    return roads.skirmish(*models, roads.fighter("far", "x", 1100, 800))


@pytest.mark.parametrize(
    ("option", "other", "scene"),
    [
        ("crawl_from", "with one it would be refused", crawls),
        ("duel_order", "with duels_first it would be refused", fights_late),
        ("jump_reach", "with base it would be refused", climbs_aside),
        ("fear_stay", "with idle it would differ", fears_to_charge),
        ("fallen_dies", "with any it would differ", wounds_the_fallen),
        ("stupidity_spirit", "with leader it would differ", begins_stupid),
    ],
)
def test_a_step_of_roads_names_the_option_that_decided(
    roads: ModuleType, option: str, other: str, scene: Callable[[ModuleType], Any]
) -> None:
    found = rests(scene(roads))
    assert other in found[option]


def test_a_step_that_rests_on_no_option_names_none(roads: ModuleType) -> None:
    match = at(roads, "start", ("a", "k", 300, 300))
    match.do("watch", figure="a")
    assert rests(match) == {}


def test_a_test_against_stupidity_says_whose_spirit_counts(roads: ModuleType) -> None:
    match = begins_stupid(roads)
    said = match.session.view(JUDGE_VIEW)["why_due"][0]["text"]
    assert said.endswith("option stupidity_spirit = own; with leader Ogre would test on 6.")


def test_hits_on_the_fallen_say_what_the_house_chose(roads: ModuleType) -> None:
    for choice, ending in (
        ("melee", "with any a wound would end D."),
        ("any", "with melee this shot could not end D."),
    ):
        match = at(roads, "shoot", ("a", "k", 300, 300), ("d", "x", 600, 300), options={"fallen_dies": choice})
        match.do("wound", figure="d", down=True)
        match.do("shoot", figure="a", target="d", hits=1)
        steps = match.session.guide({}, JUDGE_VIEW)["steps"]
        assert steps[-1]["text"].endswith(ending)


def test_a_refusal_names_the_option_that_would_allow_it(roads: ModuleType) -> None:
    match = at(roads, "move", ("a", "k", 300, 300))
    fields = {"figure": "a", "kind": "climb", "steps": 1, "center_mm": [480, 300]}
    with pytest.raises(IllegalStep, match="the house lets A end at most 1 step to the side"):
        match.do("manoeuvre", **fields)
    step = match.session.system.command({"type": "manoeuvre", **fields})
    found = [one.text for one in find_house_reasons(step, match.game)]
    assert any("jump_reach = step; with people it would be allowed" in text for text in found)


def test_a_shot_is_the_players_word_and_the_rest_was_legal(roads: ModuleType) -> None:
    match = at(roads, "shoot", ("a", "k", 300, 300), ("d", "x", 600, 300))
    match.do("shoot", figure="a", target="d", hits=1)
    found = match.session.judge(match.session.seq, JUDGE)
    assert (found["verdict"], found["rule"]["id"]) == ("by hand", "roads/shots")
    assert found["sentence"] == "People entered what the rules in hand do not say. The rest was legal."


def test_other_games_name_their_options_too(build: ModuleType) -> None:
    match = build.begun(build.mission(build.TUTORIAL), options={"event_hand": "7"})
    match.do("status")
    assert "with 6 it would differ" in rests(match)["event_hand"]
