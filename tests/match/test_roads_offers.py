"""What a skirmish offers the side that plays, nothing in vain and nothing kept back; and why a shot is as it is."""

from __future__ import annotations

from types import ModuleType
from typing import Any

from assistant.games.roads.match.due_checks import reasons_of_shot
from assistant.games.roads.match.marks import HIDDEN, STILL, WATCH
from assistant.games.roads.match.may_act import may_act

PISTOL = {"pistol": {"kind": "pistol"}}


def standing(roads: ModuleType, apart_mm: float, **more: Any) -> Any:
    """A knight with a pistol and a digger, so far apart."""
    return roads.skirmish(
        roads.fighter("a", "knights", 300, 300, weapons=["pistol"], charge_steps=4, **more),
        roads.fighter("b", "diggers", 300 + apart_mm, 300),
        arms=PISTOL,
    )


def with_mark(match: Any, figure: str, mark: str) -> Any:
    return match.game.with_piece(match.game.piece(figure).marked(mark))


def test_a_shot_is_offered_at_whoever_is_not_hidden(roads: ModuleType) -> None:
    match = standing(roads, 300)
    roads.go_to(match, "shoot", "knights")
    assert may_act(match.game, "shoot")
    assert not may_act(with_mark(match, "b", HIDDEN), "shoot")
    match.do("shoot", figure="a", target="b", weapon="pistol")
    assert not may_act(match.game, "shoot"), "the pistol has been shot with"


def test_a_charge_is_offered_while_an_enemy_is_in_reach(roads: ModuleType) -> None:
    near, far = standing(roads, 150), standing(roads, 700)
    for match in (near, far):
        roads.go_to(match, "move", "knights")
    assert may_act(near.game, "charge")
    assert not may_act(far.game, "charge")
    assert may_act(far.game, "walk")


def test_a_gap_is_offered_to_who_may_move_and_in_a_frenzy_while_he_must_charge(roads: ModuleType) -> None:
    calm, wild = standing(roads, 150), standing(roads, 150, frenzy=True)
    for match in (calm, wild):
        roads.go_to(match, "move", "knights")
    assert may_act(calm.game, "manoeuvre")
    assert may_act(wild.game, "manoeuvre"), "he may charge out of a jump"
    assert not may_act(with_mark(calm, "a", STILL), "manoeuvre")


def test_a_fight_is_offered_to_who_touches_an_enemy(roads: ModuleType) -> None:
    touching, apart = standing(roads, 25), standing(roads, 150)
    for match, is_offered in ((touching, True), (apart, False)):
        roads.go_to(match, "melee")
        assert may_act(match.game, "fight") is is_offered


def test_a_shot_out_of_hiding_tells_of_the_ambush_and_one_on_watch_of_the_watch(roads: ModuleType) -> None:
    """«…если в конце фазы стрельбы … бойцы противника видят …» and “Стрельба в дозоре” are rules of their own."""
    match = standing(roads, 300)

    def rules(mark: str) -> set[str]:
        return {reason.rule for reason in reasons_of_shot(with_mark(match, "a", mark), "a", "b")}

    assert reasons_of_shot(match.game, "a", "b") == ()
    assert rules(HIDDEN)
    assert rules(WATCH)
    assert rules(HIDDEN).isdisjoint(rules(WATCH))
