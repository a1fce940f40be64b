"""A house may let the program roll shots and armour; without that people enter what their own rules give."""

from __future__ import annotations

import json
from types import ModuleType
from typing import Any

import pytest

from assistant.match.actor import JUDGE
from assistant.match.replay import replay_match

PISTOL = {"pistol": {"kind": "pistol", "range_steps": 12}}


def shooting(roads: ModuleType, apart_mm: float = 300, **options: str) -> Any:
    """Return a knight with a pistol in its shooting phase, so far from a digger of two wounds."""
    match = roads.skirmish(
        roads.fighter("a", "knights", 300, 300, weapons=["pistol"]),
        roads.fighter("b", "diggers", 300 + apart_mm, 300, out_at=2),
        arms=PISTOL,
        options=options,
    )
    roads.go_to(match, "shoot", "knights")
    return match


def ask(match: Any, kind: str, **fields: Any) -> Any:
    return match.session.way({"type": kind, **fields}, JUDGE)["ask"]


def last_event(match: Any) -> Any:
    return json.loads(match.journal.lines[-1])


def test_people_enter_hits_and_wounds_where_the_house_says_nothing(roads: ModuleType) -> None:
    match = shooting(roads)
    assert ask(match, "shoot", figure="a", target="b", weapon="pistol")["field"] == "hits"
    match.do("shoot", figure="a", target="b", weapon="pistol", hits=3)
    assert ask(match, "wound", figure="b")["field"] == "wounds"
    match.do("wound", figure="b", wounds=1)
    assert match.game.piece("b").harm == 1


@pytest.mark.parametrize("needed", [2, 6])
def test_the_program_rolls_a_shot_and_armour_by_the_numbers_of_the_house(roads: ModuleType, needed: int) -> None:
    match = shooting(roads, shot_roll=f"on_{needed}", armour_roll=f"on_{needed}")
    assert ask(match, "shoot", figure="a", target="b", weapon="pistol") is None
    match.do("shoot", figure="a", target="b", weapon="pistol", hits=3, roll=6)
    shot = last_event(match)
    assert shot.get("hits", 0) == int(shot["roll"] >= needed), "neither hits nor a die that somebody sends count"
    if shot.get("hits"):
        assert ask(match, "wound", figure="b") is None
        match.do("wound", figure="b")
        wound = last_event(match)
        assert len(wound["saves"]) == shot["hits"]
        assert wound.get("wounds", 0) == sum(face < needed for face in wound["saves"])
    assert not replay_match(match.document(), "m").findings, "the same dice are drawn again"


def test_no_die_hits_out_of_range(roads: ModuleType) -> None:
    match = shooting(roads, 700, shot_roll="on_2")
    match.do("shoot", figure="a", target="b", weapon="pistol")
    assert match.game.hits == ()


def test_no_more_wounds_are_offered_than_the_model_has_left(roads: ModuleType) -> None:
    match = shooting(roads)
    match.do("shoot", figure="a", target="b", weapon="pistol", hits=3)
    assert {pick["value"] for pick in ask(match, "wound", figure="b")["picks"]} == {0, 1, 2}


def test_one_answer_says_all_that_came_of_hits(roads: ModuleType) -> None:
    """Wounds, a fall and the end were three questions in a row, each with the sentence that the rules lack it."""
    match = shooting(roads)
    match.do("shoot", figure="a", target="b", weapon="pistol", hits=1)
    asked = ask(match, "wound", figure="b")
    words = [pick["text"] for pick in asked["picks"]]
    assert words == ["Armour holds", "No wound, but down", "1 wound", "1 wound and down"]
    for pick in asked["picks"]:
        assert ask(match, "wound", figure="b", wounds=pick["value"], **pick["fills"]) is None, "nothing more is asked"
    match.do("wound", figure="b", wounds=1, down=True)
    roads.go_to(match, "melee", "diggers")
    roads.go_to(match, "shoot", "knights")
    match.do("shoot", figure="a", target="b", weapon="pistol", hits=3)
    assert [pick["text"] for pick in ask(match, "wound", figure="b")["picks"]][-1] == "1 wound: out of the game"


@pytest.mark.parametrize("how", ["duck", "take cover"])
def test_the_die_of_a_shot_that_the_program_rolls_is_the_sum_against_a_reaction(roads: ModuleType, how: str) -> None:
    """A player chose the program's dice, was asked for the sum, and the typed number did not count."""
    match = shooting(roads, 200, shot_roll="on_2")
    match.do("announce", figure="a", target="b")
    match.do("react", figure="b", shooter="a", how=how, rolled_here=False, roll=6)
    against = match.game.reaction.total
    assert ask(match, "shoot", figure="a", target="b", weapon="pistol") is None
    match.do("shoot", figure="a", target="b", weapon="pistol")
    shot = last_event(match)
    assert shot["total"] == shot["roll"]
    assert shot.get("hits", 0) == int(shot["roll"] >= max(2, against))
    assert not replay_match(match.document(), "m").findings


def test_only_a_judge_takes_back_what_the_program_rolled(roads: ModuleType) -> None:
    """A rolled shot could be undone and rolled again until it hit."""
    match = shooting(roads, shot_roll="on_2", armour_roll="on_6")
    match.do("shoot", figure="a", target="b", weapon="pistol")
    assert match.session.timeline.entries()[-1].reveals
    assert match.game.hits, "the die of this seed hits"
    match.do("wound", figure="b")
    assert match.session.timeline.entries()[-1].reveals


def test_a_target_says_what_its_shot_needs_though_no_range_is_known(roads: ModuleType) -> None:
    """Targets of the crossbow, whose range nobody has written down, named the distance alone."""
    match = roads.skirmish(
        roads.fighter("a", "knights", 300, 300, weapons=["crossbow"]),
        roads.fighter("b", "diggers", 600, 300),
        roads.fighter("c", "diggers", 600, 500),
        arms={"crossbow": {"kind": "bulky"}},
        options={"shot_roll": "on_4"},
    )
    roads.go_to(match, "shoot", "knights")
    notes = [pick["note"] for pick in ask(match, "announce", figure="a")["picks"]]
    assert len(notes) == 2
    assert all(note.endswith("hits on 4 or more") for note in notes), notes
