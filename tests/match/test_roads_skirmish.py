"""A skirmish of `roads` to its rout, with physical dice; warbands and field are samples of ours."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import pytest

from assistant.errors import IllegalStep
from assistant.match.audience import PUBLIC


@pytest.fixture
def field(build: ModuleType) -> Any:
    """Knights and diggers on their field, before the first turn."""
    return build.on_table(build.BRIDGE)


def roll(match: Any, value: int) -> None:
    match.do("test", rolled_here=False, roll=value)


def test_the_skirmish_ends_with_the_rout_of_the_diggers(field: Any) -> None:
    match = field
    match.do("begin")
    assert match.game.due == (), "nothing is due before anybody is hurt"

    # The knights: the squire charges a digger, Mortar charges the brute, who causes fear.
    match.do("next")
    match.do("charge", figure="squire", target="digger-1", center_mm=[575, 300])
    match.do("charge", figure="mortar", target="brute", center_mm=[625, 200])
    assert [due.kind for due in match.game.due] == ["fear to charge"]
    assert match.game.due[0].value == 5, "Mortar tests on his own Spirit"
    with pytest.raises(IllegalStep, match="a test is due"):
        match.do("next")
    roll(match, 5)
    assert "charged" in match.game.piece("mortar").marks
    match.do("next")

    # The crossbow shoots the old man: two hits typed in, one wound.
    match.do("shoot", figure="crossbow", target="old-man", hits=2)
    match.do("wound", figure="old-man", wounds=3)
    assert not match.game.piece("old-man").on_table, "three wounds take him out"
    match.do("next")

    # Models within a step of the fighting are drawn in; the second digger keeps out.
    assert match.game.to_draw_in == ("digger-2",)
    match.do("draw_in", figure="digger-2", avoids=True)

    # The squire: axe and mace make two dice; 5 + 4 + 4 + 1 for the charge against 2 + 3 + 3.
    match.do("fight", fighters=["squire", "digger-1"], rolled_here=False, rolls=[[5, 2], [2]])
    match.do("strike")
    hits = match.game.hits[0]
    assert (hits.figure, hits.hits) == ("digger-1", 6)
    assert hits.weapons == ("axe", "mace") * 3, "hits of two weapons take turns"
    match.do("wound", figure="digger-1", out=True)
    match.do("advance", figure="squire", stays=True)

    # Mortar's shield makes the brute roll his best die again: 4 + 6 + 4 + 1 against 3 + 6 + 3.
    match.do("fight", fighters=["mortar", "brute"], rolled_here=False, rolls=[[4], [6, 3]])
    match.do("reroll", figure="mortar", why="block", rolled_here=False, faces=[2])
    assert match.game.duel.rolls[1].final == (2, 3)
    match.do("strike")
    assert match.game.hits[0].hits == 3
    match.do("wound", figure="brute", down=True)
    with pytest.raises(IllegalStep, match="have fought"):
        match.do("fight", fighters=["mortar", "brute"], rolled_here=False, rolls=[[], []])
    match.do("next")

    # The diggers' turn: two of four are out, which is a third or more, so they test for rout; then the brute for wits.
    assert match.game.active == "diggers"
    assert [due.kind for due in match.game.due] == ["rout", "stupidity"]
    assert match.game.due[0].value == 3, "the leader is out: the best Spirit of who is not down"
    roll(match, 4)
    assert match.game.winner == "knights"
    assert "break" in str(match.game.ending)


def test_a_side_may_withdraw_only_when_its_rout_test_is_due(field: Any) -> None:
    match = field
    match.do("begin")
    with pytest.raises(IllegalStep, match="only when"):
        match.do("withdraw")
    match.do("wound", figure="crossbow", out=True)
    for _ in range(4):
        match.do("next")
    while match.game.due:
        roll(match, 1)
    for _ in range(4):
        match.do("next")
    assert match.game.active == "knights"
    assert match.game.due[0].kind == "rout", "one of three is a third"
    assert match.session.guide({}, PUBLIC)["steps"][0]["rule"] == "roads/rout"
    test = next(prompt for prompt in match.session.view(PUBLIC)["prompts"] if prompt["type"] == "test")
    assert test["note"].endswith("or it loses."), "why it is due, and what is lost"
    match.do("withdraw")
    assert match.game.winner == "diggers"


def test_a_model_alone_against_two_tests_after_its_melee_and_flees_if_it_fails(
    build: ModuleType, roads: ModuleType
) -> None:
    base = build.mission(build.BRIDGE)
    places = {"squire": [600, 325], "digger-1": [600, 300], "digger-2": [600, 350], "brute": [1100, 800]}
    fighters = [
        {**fighter, "center_mm": places.get(fighter["id"], fighter["center_mm"])} for fighter in base.setup["fighters"]
    ]
    base = build.with_setup(base, fighters=fighters)
    match = build.begun(base)
    match.do("see", document=build.field(base))
    match.do("begin")
    for _ in range(3):
        match.do("next")
    for name in match.game.to_draw_in:
        match.do("draw_in", figure=name, avoids=True)
    roads.end_phase(match)
    assert [(due.kind, due.figure) for due in match.game.due] == [("escape", "squire")]
    told = match.session.guide({}, PUBLIC)["steps"]
    assert [step["rule"] for step in told] == ["roads/escape"], "the assistant says why and with what chance"
    roll(match, 6)
    assert "fleeing" in match.game.piece("squire").marks
    assert sorted(hit.by for hit in match.game.hits) == ["digger-1", "digger-2"]
    with pytest.raises(IllegalStep, match="work out the hits"):
        roll(match, 3)
    match.do("wound", figure="squire")
    roll(match, 3)
    assert match.game.flights == {"squire": 3}
    match.do("flee", figure="squire", center_mm=[450, 325])
    match.do("next")
    while match.game.active == "diggers":
        roll(match, 1) if match.game.due else match.do("next")
    assert [(due.kind, due.figure) for due in match.game.due] == [("rally", "squire")]
    roll(match, 2)
    assert match.game.piece("squire").marks == ("still",), "he stops and does nothing else this turn"


def test_a_watch_lasts_through_the_enemys_turn_and_ends_with_its_shot(field: Any) -> None:
    match = field
    match.do("begin")
    match.do("watch", figure="crossbow")
    for _ in range(4):
        match.do("next")
    while match.game.due:
        roll(match, 1)
    match.do("next")
    match.do("shoot", figure="crossbow", target="digger-1", hits=0)
    assert "watch" not in match.game.piece("crossbow").marks
    with pytest.raises(IllegalStep, match="only a model on overwatch"):
        match.do("shoot", figure="squire", target="digger-1")


def test_a_camouflaged_model_cannot_be_shot_at_and_is_not_hidden_beside_an_enemy(field: Any) -> None:
    match = field
    match.do("begin")
    match.do("next")
    match.do("hide", figure="crossbow")
    match.do("move", figure="squire", center_mm=[560, 300])
    with pytest.raises(IllegalStep, match="too near"):
        match.do("hide", figure="squire")
    for _ in range(3):
        match.do("next")
        for name in match.game.to_draw_in:
            match.do("draw_in", figure=name, avoids=True)
    while match.game.due:
        roll(match, 1)
    match.do("next")
    match.do("next")
    with pytest.raises(IllegalStep, match="camouflaged"):
        match.do("shoot", figure="digger-1", target="crossbow")


def test_a_model_that_is_down_and_wounded_by_a_hit_is_out(field: Any) -> None:
    match = field
    match.do("begin")
    match.do("wound", figure="brute", down=True)
    match.do("place", figure="mortar", center_mm=[625, 200])
    for _ in range(3):
        match.do("next")
    for name in match.game.to_draw_in:
        match.do("draw_in", figure=name, avoids=True)
    match.do("fight", fighters=["mortar", "brute"], rolled_here=False, rolls=[[], []])
    match.do("strike")
    assert match.game.hits[0].hits == 1, "one attack die, one automatic hit"
    match.do("wound", figure="brute", wounds=1)
    assert not match.game.piece("brute").on_table


def test_a_jump_down_takes_a_test_for_each_step_and_a_failed_one_ends_in_a_fall(field: Any) -> None:
    match = field
    match.do("begin")
    match.do("next")
    with pytest.raises(IllegalStep, match="nobody jumps down"):
        match.do("manoeuvre", figure="squire", kind="down", steps=3)
    match.do("manoeuvre", figure="squire", kind="down", steps=2)
    assert [(due.kind, due.value) for due in match.game.due] == [("jump", 4)] * 2
    roll(match, 4)
    roll(match, 5)
    assert [due.kind for due in match.game.due] == ["fall"], "2 steps, 2 dice of 3"
    roll(match, 3)
    roll(match, 6)
    assert match.game.due == ()
    assert match.game.out_count("knights") == 1, "2 + 3 damage are more than the squire can bear"


def test_a_failed_climb_leaves_the_model_where_it_is(field: Any) -> None:
    match = field
    match.do("begin")
    match.do("next")
    match.do("manoeuvre", figure="squire", kind="climb", steps=2)
    roll(match, 6)
    assert match.game.piece("squire").marks == ("rooted",)
    with pytest.raises(IllegalStep, match="stay in place"):
        match.do("move", figure="squire")


def test_fear_makes_the_charged_fight_with_half_a_die(field: Any) -> None:
    match = field
    match.do("begin")
    for _ in range(4):
        match.do("next")
    roll(match, 1)  # the brute has its wits together
    match.do("next")
    match.do("charge", figure="brute", target="squire", center_mm=[225, 300])
    assert [(due.kind, due.figure) for due in match.game.due] == [("fear of the charger", "squire")]
    roll(match, 6)
    match.do("next")
    match.do("next")
    for name in match.game.to_draw_in:
        match.do("draw_in", figure=name, avoids=True)
    match.do("fight", fighters=["brute", "squire"], rolled_here=False, rolls=[[3, 2], [5, 1]])
    steps = match.session.view(PUBLIC)["fight"]
    assert steps["results"] == [3 + 6 + 3 + 1 + 1, 3 + 4 + 4], "a charge and the squire's 1 help the brute; 5 counts 3"


def test_what_was_open_around_a_model_ends_when_it_is_out(field: Any) -> None:
    match = field
    match.do("begin")
    match.do("next")
    match.do("charge", figure="mortar", target="brute", center_mm=[625, 200])
    match.do("wound", figure="mortar", out=True)
    assert match.game.due == ()
    assert match.game.charging is None
    match.do("charge", figure="squire", target="digger-1", center_mm=[575, 300])
    match.do("next")
    match.do("next")
    for name in match.game.to_draw_in:
        match.do("draw_in", figure=name, avoids=True)
    match.do("fight", fighters=["squire", "digger-1"], rolled_here=False, rolls=[[5, 2], [2]])
    match.do("wound", figure="digger-1", out=True)
    assert match.game.duel is None
    assert match.game.to_advance == ("squire",)
