"""No question that nothing can come of: after a miss, without a wound or damage, without a card that would help."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import pytest
from loading import beside

from assistant.match.actor import JUDGE, player
from assistant.match.audience import PUBLIC
from assistant.match.game import INVADER, MARINES

CLAIMS = beside(__file__, "test_claims2004")
DEFENCE = beside(__file__, "test_moments")
ANN = player(MARINES, "Ann")
IMP = "imp-1"
SHORT = CLAIMS.face(0, 2)
WEAK = CLAIMS.face(9, 0)


def sides_asked(match: Any) -> list[str]:
    return [one["side"] for one in match.session.view(PUBLIC)["asked"]]


def prompt_of(match: Any, kind: str) -> Any:
    return next(one for one in match.session.view(PUBLIC)["prompts"] if one["type"] == kind)


def shot_at_imp(build: ModuleType, card: str, face: Any = CLAIMS.HIT, harm: int = 0) -> Any:
    match = CLAIMS.Match(build, cards=CLAIMS.with_events(card), places={"imp_1": [[3, 0]]}).begin("unload")
    if harm:
        match.do("damage", by=JUDGE, figure=IMP, amount=harm)
    match.shoot(IMP, by=ANN, faces=[face])
    return match.played


@pytest.mark.parametrize("face", [SHORT, WEAK])
def test_an_attack_without_a_wound_asks_for_no_dodge(build: ModuleType, face: Any) -> None:
    assert sides_asked(shot_at_imp(build, "dodge", face)) == []
    assert sides_asked(shot_at_imp(build, "dodge")) == [INVADER]


def test_a_card_that_heals_is_asked_for_only_while_an_invader_is_hurt(build: ModuleType) -> None:
    assert sides_asked(shot_at_imp(build, "dark", SHORT)) == []
    assert sides_asked(shot_at_imp(build, "dark", SHORT, harm=1)) == [INVADER]


def test_a_hit_without_a_wound_says_that_the_armour_holds(build: ModuleType) -> None:
    match = shot_at_imp(build, "any", WEAK)
    assert prompt_of(match, "resolve")["title"] == "A hit, but the armour of Imp 1 holds: go on"
    assert "Imp 1 takes 2 wounds: apply it" in prompt_of(shot_at_imp(build, "any"), "resolve")["title"]


def test_no_damage_asks_the_invader_for_no_shield(build: ModuleType) -> None:
    shields = {name: DEFENCE.give_shield("defending") for name in build.mission(build.TUTORIAL).setup["cards"]}
    match = DEFENCE.attacked(DEFENCE.with_events(build, shields), events=True)
    assert INVADER in sides_asked(match)
    match.do("undo", by=JUDGE)
    match.do("undo", by=JUDGE)
    match.do("attack", by=ANN, defender=IMP, rolled_here=False, dice=[["black", 0]] * 3)
    match.do("defend", by=player(INVADER, "Bob"))
    assert sides_asked(match) == []
    assert prompt_of(match, "resolve")["question"] == ""


def test_the_end_of_a_turn_says_what_it_gives_up(build: ModuleType) -> None:
    match = CLAIMS.Match(build, places={"imp_1": [[3, 0]]}).begin("advance").played
    assert prompt_of(match, "end")["note"] == "4 points of movement unused, 1 attack unused"
    match = DEFENCE.attacked(build)
    match.do("resolve", by=JUDGE)
    assert prompt_of(match, "end")["note"] == "4 points of movement unused"
