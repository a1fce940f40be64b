"""The letter of “Дороги Апокалипсиса”, sentence by sentence, where the match once read it otherwise.

Each test quotes the sentence of the known fragment (seed 003) that it proves, under the heading where it stands.
"""

from __future__ import annotations

from types import ModuleType
from typing import Any

import pytest

from assistant.errors import IllegalStep, NotYours
from assistant.match.actor import JUDGE
from assistant.match.audience import PUBLIC


def two(roads: ModuleType, *, ones: Any = None, others: Any = None, **more: Any) -> Any:
    """Return one knight and one digger in contact, and a digger far away."""
    return roads.skirmish(
        roads.fighter("ratnik", "knights", 300, 300, **(ones or {})),
        roads.fighter("digger", "diggers", 325, 300, **(others or {})),
        roads.fighter("far", "diggers", 1100, 800),
        **more,
    )


def refused_by(caught: Any) -> str:
    rule = caught.value.rule
    assert rule is not None, f"no rule is named: {caught.value}"
    assert rule.source
    return str(rule.id)


PISTOLS = {"pistol": {"kind": "pistol"}, "brace": {"kind": "pistol"}, "axe": {"kind": "melee"}}


def test_with_a_weapon_that_has_not_been_shot_with_one_shoots_first_again(roads: ModuleType) -> None:
    """«Если у игрока бойца-цели еще есть не стрелявшее в этом ходу оружие, то он может объявить стрельбу на
    опережение.» The weapon counts, not the model.
    """
    match = roads.skirmish(
        roads.fighter("a", "knights", 300, 300, weapons=["pistol", "brace"]),
        roads.fighter("b", "diggers", 700, 300),
        roads.fighter("c", "diggers", 700, 500),
        arms=PISTOLS,
    )
    match.do("watch", figure="a")
    roads.go_to(match, "shoot", "diggers")
    match.do("shoot", figure="a", target="b", weapon="pistol")
    first = {"figure": "a", "how": "shoot first", "rolled_here": False, "roll": 6, "shooter_roll": 1}
    match.do("react", shooter="c", **first)
    with pytest.raises(IllegalStep, match="cannot shoot \\(again\\)"):
        match.do("shoot", figure="a", target="c", weapon="pistol")
    match.do("shoot", figure="a", target="c", weapon="brace")
    match.do("shoot", figure="c", target="a")
    with pytest.raises(IllegalStep, match="no weapon left to shoot with first") as caught:
        match.do("react", shooter="b", **first)
    assert refused_by(caught) == "roads/shoot-first"


@pytest.mark.parametrize("weapon", ["axe", "brace", "weapon"])
def test_nobody_shoots_with_a_blade_or_with_what_he_does_not_carry(roads: ModuleType, weapon: str) -> None:
    """«Для удобства все это колюще-режущее оружие считается Оружием для рукопашной.»"""
    match = roads.skirmish(
        roads.fighter("a", "knights", 300, 300, weapons=["axe"], carries=["pistol"]),
        roads.fighter("b", "diggers", 700, 300),
        arms=PISTOLS,
    )
    roads.go_to(match, "shoot")
    with pytest.raises(IllegalStep, match=r"does not shoot|carries: Axe, Pistol") as caught:
        match.do("shoot", figure="a", target="b", weapon=weapon)
    assert refused_by(caught) == "roads/shots"
    match.do("shoot", figure="a", target="b", weapon="pistol")


# Модификаторы результатов боя


def test_the_bonus_of_a_charge_is_for_this_turn_alone(roads: ModuleType) -> None:
    """«Боец, нападавший в этот ход, добавляет +1 к своему результату боя.»"""
    match = roads.skirmish(
        roads.fighter("ratnik", "knights", 300, 300), roads.fighter("digger", "diggers", 400, 300, toughness=9)
    )
    roads.go_to(match, "move")
    match.do("charge", figure="ratnik", target="digger")
    roads.go_to(match, "melee")
    assert roads.fight(match, "ratnik", "digger", [3], [3])["results"] == [3 + 4 + 4 + 1, 3 + 9 + 4]
    match.do("wound", figure="ratnik")
    roads.go_to(match, "melee", "diggers")
    assert roads.fight(match, "ratnik", "digger", [3], [3])["results"] == [3 + 4 + 4, 3 + 9 + 4]


def test_what_was_shot_with_in_the_own_turn_has_not_been_in_the_enemys(roads: ModuleType) -> None:
    """«Если у игрока бойца-цели еще есть не стрелявшее в этом ходу оружие, то он может объявить стрельбу на
    опережение.»
    """
    match = roads.skirmish(roads.fighter("a", "knights", 300, 300), roads.fighter("b", "diggers", 700, 300))
    roads.go_to(match, "shoot")
    match.do("shoot", figure="a", target="b")
    roads.go_to(match, "shoot", "diggers")
    match.do("react", figure="a", shooter="b", how="shoot first", rolled_here=False, roll=6, shooter_roll=1)
    assert match.game.reaction.is_first


def test_a_charge_at_an_enemy_in_contact_is_refused(roads: ModuleType) -> None:
    """«Тест производится, когда атака объявлена, расстояние до цели измерено и позволяет атакующему войти в бой.»

    Who is in the fight does not enter it anew with every turn, to add 1 for a charge.
    """
    match = two(roads)
    roads.go_to(match, "move")
    with pytest.raises(IllegalStep, match="touches Digger already") as caught:
        match.do("charge", figure="ratnik", target="digger")
    assert refused_by(caught) == "roads/into-contact"
    roads.go_to(match, "melee")
    assert roads.fight(match, "ratnik", "digger", [3], [3])["results"] == [3 + 4 + 4, 3 + 4 + 4]


@pytest.mark.parametrize(
    ("type_", "how"),
    [
        ("move", {"how": "walk"}),
        ("move", {"how": "run"}),
        ("manoeuvre", {"kind": "gap", "steps": 1}),
        ("manoeuvre", {"kind": "leap", "steps": 2}),
    ],
)
def test_into_contact_leads_a_charge_and_no_walk_run_or_jump(
    roads: ModuleType, type_: str, how: dict[str, Any]
) -> None:
    """«Это исключительное обстоятельство, при котором модель может участвовать в рукопашной без нападения.»

    So says the sentence on an advance; a model that walked into contact would not even test for fear.
    """
    match = roads.skirmish(
        roads.fighter("ratnik", "knights", 300, 300, leap=4),
        roads.fighter("beast", "diggers", 400, 300, fear=True),
    )
    roads.go_to(match, "move")
    with pytest.raises(IllegalStep, match="only a charge ends in contact") as caught:
        match.do(type_, figure="ratnik", center_mm=[375, 300], **how)
    assert refused_by(caught) == "roads/into-contact"
    match.do("charge", figure="ratnik", target="beast")
    assert [due.kind for due in match.game.due] == ["fear to charge"]


# Ненависть


def test_hatred_re_rolls_in_the_first_round_of_a_melee_alone(roads: ModuleType) -> None:
    """«После первого раунда боя воин теряет первоначальный запал и впоследствии дерется как обычно.»"""
    match = two(roads, ones={"hates": ["diggers"], "toughness": 9}, others={"toughness": 9})
    roads.go_to(match, "melee")
    match.do("fight", fighters=["ratnik", "digger"], rolled_here=False, rolls=[[1], [2]])
    match.do("reroll", figure="ratnik", why="hatred", which=[0], rolled_here=False, faces=[2])
    match.do("strike")
    roads.go_to(match, "melee", "diggers")
    match.do("fight", fighters=["ratnik", "digger"], rolled_here=False, rolls=[[1], [2]])
    with pytest.raises(IllegalStep, match="its hatred is spent") as caught:
        match.do("reroll", figure="ratnik", why="hatred", which=[0], rolled_here=False, faces=[6])
    assert refused_by(caught) == "roads/hatred"
    offers = match.session.guide({}, PUBLIC)["offers"]
    assert not [offer for offer in offers if offer["fields"].get("why") == "hatred"]


def test_hatred_is_fresh_again_in_another_melee(roads: ModuleType) -> None:
    """«…могут перебросить любые броски атаки в первый ход каждого рукопашного боя.»"""
    match = two(roads, ones={"hates": ["diggers"], "toughness": 9}, others={"toughness": 9})
    roads.go_to(match, "melee")
    roads.fight(match, "ratnik", "digger", [2], [2])
    roads.go_to(match, "move", "diggers")
    assert match.game.seasoned == ("digger", "ratnik")
    match.do("place", figure="digger", center_mm=[500, 300])
    assert match.game.seasoned == (), "who stands in no contact is in no melee"


# Тест на Разгром, Побег, Страх: «меньше или равен»


@pytest.mark.parametrize(("options", "winner"), [({}, None), ({"natural_six": "fails"}, "diggers")])
def test_a_six_against_spirit_six_passes(roads: ModuleType, options: dict[str, str], winner: str | None) -> None:
    """«Если результат меньше или равен Силе духа командира отряда, игрок прошёл тест и может продолжать битву.»"""
    match = roads.skirmish(
        roads.fighter("leader", "knights", 300, 300, spirit=6, is_leader=True),
        roads.fighter("b", "knights", 300, 400),
        roads.fighter("c", "diggers", 900, 300),
        options=options,
    )
    match.do("wound", figure="b", out=True)
    roads.go_to(match, "melee", "diggers")
    match.do("next")
    assert [due.kind for due in match.game.due] == ["rout"]
    roads.roll(match, 6)
    assert match.game.winner == winner


# Ужас


def test_every_opponent_hits_a_model_that_flees_in_terror(roads: ModuleType) -> None:
    """«…убегают от ужасного существа, как в правилах Побег»: «каждый из его противников может нанести ему по одному
    удару, которые автоматически попадают».
    """
    match = two(roads, others={"terror": True})
    assert [(due.kind, due.figure) for due in match.game.due] == [("terror", "ratnik")]
    roads.roll(match, 5)
    assert [(hit.figure, hit.by, hit.hits) for hit in match.game.hits] == [("ratnik", "digger", 1)]
    with pytest.raises(IllegalStep, match="work out the hits") as caught:
        roads.roll(match, 2)
    assert refused_by(caught) == "roads/free-hits"
    match.do("wound", figure="ratnik")
    roads.roll(match, 2)
    match.do("flee", figure="ratnik")
    assert match.game.piece("ratnik").center_mm == pytest.approx((200, 300)), "two steps straight away"


@pytest.mark.parametrize(("options", "due"), [({}, ["fear of the charger"]), ({"fear_meets_terror": "ignores"}, [])])
def test_a_fearsome_model_meets_terror_as_fear(roads: ModuleType, options: dict[str, str], due: list[str]) -> None:
    """«Существа, вызывающие страх, ему не подвержены, и воспринимают ужасных существ как страшных.»"""
    match = roads.skirmish(
        roads.fighter("horror", "knights", 300, 300, terror=True),
        roads.fighter("ogre", "diggers", 400, 300, fear=True),
        options=options,
    )
    roads.go_to(match, "move")
    match.do("charge", figure="horror", target="ogre")
    assert [test.kind for test in match.game.due] == due
    if due:
        prompts = [prompt["type"] for prompt in match.session.view(PUBLIC)["prompts"]]
        assert prompts == ["test", "waive"], "«…существа, которые вызываю страх, могут игнорировать эти тесты»"
        match.do("waive")
    assert "charged" in roads.marks(match, "horror")
    roads.go_to(match, "start", "diggers")
    assert "terror" not in [test.kind for test in match.game.due], "no test of terror within 3 steps"


# Многосторонние бои: каждый с каждым


def test_in_a_fight_of_several_everybody_fights_everybody_he_touches(roads: ModuleType) -> None:
    """«В многосторонней схватке каждый воин должен сражаться с каждым противником, находящимся в контакте, в течение
    всей фазы Рукопашной.»
    """
    match = roads.skirmish(
        roads.fighter("hero", "knights", 300, 300, toughness=9),
        roads.fighter("a", "diggers", 275, 300),
        roads.fighter("b", "diggers", 325, 300),
        roads.fighter("friend", "knights", 400, 360),
    )
    roads.go_to(match, "melee")
    roads.fight(match, "hero", "b", [2], [2, 2])
    match.do("wound", figure="b")
    with pytest.raises(IllegalStep, match="A, Hero: in a many-sided fight") as caught:
        match.do("next")
    assert refused_by(caught) == "roads/many-sided"
    roads.end_phase(match)
    assert match.game.active == "diggers"


def test_one_against_one_they_may_fight_and_need_not(roads: ModuleType) -> None:
    """«…все бойцы, чьи базы соприкасаются с вражескими базами, могут драться.»"""
    match = two(roads)
    roads.go_to(match, "melee")
    match.do("next")
    assert match.game.active == "diggers"


# Ужас в схватке


def test_a_model_drawn_in_while_in_terror_fights_without_combat_skill(roads: ModuleType) -> None:
    """«Если воины в ужасе втягиваются в рукопашную схватку, то их Боевое умение равно нулю.»"""
    match = roads.skirmish(
        roads.fighter("squire", "knights", 500, 300, spirit=1),
        roads.fighter("horror", "diggers", 400, 300, terror=True),
        roads.fighter("ratnik", "knights", 700, 300),
        roads.fighter("digger", "diggers", 700, 325),
    )
    assert [due.kind for due in match.game.due] == ["terror"]
    roads.roll(match, 6, 3)
    match.do("flee", figure="squire")
    assert match.game.piece("squire").center_mm[0] == pytest.approx(650)
    for _ in range(3):
        match.do("next")
    assert match.game.to_draw_in == ("squire",)
    match.do("draw_in", figure="squire")
    told = roads.fight(match, "squire", "digger", [3, 3], [3])
    assert told["results"] == [3 + 4 + 0 + 1, 3 + 4 + 4]


# Бешенство


def frenzied(roads: ModuleType, x: float = 600, **more: Any) -> Any:
    return roads.skirmish(
        roads.fighter("berserker", "knights", 300, 300, frenzy=True, charge_steps=8, **more),
        roads.fighter("ogre", "diggers", x, 300, fear=True),
    )


def test_a_model_in_frenzy_must_charge_what_is_in_range(roads: ModuleType) -> None:
    """«Бешеные модели всегда обязаны атаковать, если любая вражеская модель находится в радиусе атаки…»"""
    match = frenzied(roads)
    with pytest.raises(IllegalStep, match="must charge"):
        match.do("watch", figure="berserker")
    match.do("next")
    aside = ({"type_": "hide"}, {"type_": "move", "center_mm": [300, 400]})
    for command in (*({**each, "figure": "berserker"} for each in aside), {"type_": "next"}):
        with pytest.raises(IllegalStep, match="must charge") as caught:
            match.do(**command)
        assert refused_by(caught) == "roads/frenzy"
    prompts = match.session.view(PUBLIC)["prompts"]
    charge = next(prompt for prompt in prompts if prompt["type"] == "charge")
    match.do("charge", **charge["fields"])
    assert match.game.due == (), "«…они игнорируют всю остальную психологию, в частности страх»"
    assert match.game.opponents_of("berserker") == ("ogre",)
    match.do("next")


@pytest.mark.parametrize(("cost", "must_charge"), [("free", True), ("taken", False)])
def test_a_model_in_frenzy_that_jumped_charges_only_as_far_as_its_movement_left(
    roads: ModuleType, cost: str, must_charge: bool
) -> None:
    """A leap brings the enemy from 9 steps to 5, and 4 of the charge of 8 may be spent on it."""
    match = roads.skirmish(
        roads.fighter("berserker", "knights", 300, 300, frenzy=True, charge_steps=8, leap=4),
        roads.fighter("ogre", "diggers", 775, 300),
        options={"leap_movement": cost},
    )
    roads.go_to(match, "move")
    match.do("manoeuvre", figure="berserker", kind="leap", steps=4, center_mm=[500, 300])
    roads.roll(match, *(1 for _ in match.game.due))
    assert match.game.piece("berserker").center_mm == (500, 300)
    prompts = match.session.view(PUBLIC)["prompts"]
    charges = [prompt["fields"] for prompt in prompts if prompt["type"] == "charge" and prompt["fields"]]
    if must_charge:
        with pytest.raises(IllegalStep, match="must charge"):
            match.do("next")
        match.do("charge", **charges[0])
        assert match.game.opponents_of("berserker") == ("ogre",)
    else:
        assert charges == []
        with pytest.raises(IllegalStep, match="goes at most 4 steps"):
            match.do("charge", figure="berserker", target="ogre")
    match.do("next")


@pytest.mark.parametrize("x", [725, 724])
def test_a_model_in_frenzy_reaches_an_enemy_at_the_very_end_of_its_range(roads: ModuleType, x: float) -> None:
    """Two bases beside the enemy leave free places only round it, beyond the range: it charges straight on then."""
    beside = [] if x == 725 else [roads.fighter(f"guard {y}", "knights", 700, y) for y in (286, 314)]
    match = roads.skirmish(
        roads.fighter("berserker", "knights", 300, 300, frenzy=True, charge_steps=8),
        roads.fighter("ogre", "diggers", x, 300),
        *beside,
    )
    roads.go_to(match, "move")
    with pytest.raises(IllegalStep, match="must charge"):
        match.do("next")
    match.do("charge", figure="berserker", target="ogre")
    assert "berserker" in match.game.opponents_of("ogre")
    match.do("next")


def test_a_judge_may_find_that_a_model_in_frenzy_cannot_get_there(roads: ModuleType) -> None:
    match = frenzied(roads)
    match.do("next")
    with pytest.raises(NotYours):
        match.do("hold_back", figure="berserker")
    match.do("hold_back", by=JUDGE, figure="berserker")
    match.do("next")


def test_a_model_in_frenzy_minds_psychology_out_of_range(roads: ModuleType) -> None:
    """«Если бешеные воины находятся на расстоянии атаки от вражеской модели, они игнорируют всю остальную
    психологию…»
    """
    match = frenzied(roads, x=800, stupid=True)
    assert [due.kind for due in match.game.due] == ["stupidity"]
    with pytest.raises(IllegalStep, match="no enemy in charge range") as caught:
        match.do("waive")
    assert refused_by(caught) == "roads/frenzy"
    assert [prompt["type"] for prompt in match.session.view(PUBLIC)["prompts"]] == ["test"]
    roads.roll(match, 1)
    near = frenzied(roads, x=600, stupid=True)
    assert near.game.due == (), "in range it takes no such test"


# Побег


def alone(roads: ModuleType, x: float = 600) -> Any:
    """Return a knight who fights two alone and has failed his test."""
    match = roads.skirmish(
        roads.fighter("squire", "knights", x, 300),
        roads.fighter("one", "diggers", x + 20, 285),
        roads.fighter("two", "diggers", x + 20, 315),
    )
    roads.go_to(match, "melee")
    roads.end_phase(match)
    assert [due.kind for due in match.game.due] == ["escape"]
    roads.roll(match, 6)
    assert [hit.by for hit in match.game.hits] == ["one", "two"], "«…может нанести ему по одному удару»"
    match.do("wound", figure="squire")
    return match


def test_a_flight_has_the_length_of_its_die_and_leads_straight_away(roads: ModuleType) -> None:
    """«Если боец выжил, он бежит D6 шагов в направлении строго от своих врагов.»"""
    match = alone(roads)
    roads.roll(match, 3)
    wrong = {
        "3 steps and no more": [449, 300],
        "the full 3 steps": [500, 300],
        "straight away from its enemies": [750, 300],
    }
    for told, place in wrong.items():
        with pytest.raises(IllegalStep, match=told) as caught:
            match.do("flee", figure="squire", center_mm=place)
        assert refused_by(caught) == "roads/flight"
    with pytest.raises(IllegalStep, match="does not reach the edge"):
        match.do("flee", figure="squire", reaches_edge=True)
    match.do("flee", figure="squire")
    assert match.game.piece("squire").center_mm == pytest.approx((450, 300))


def test_a_flight_that_something_stops_may_be_shorter(roads: ModuleType) -> None:
    match = alone(roads)
    roads.roll(match, 3)
    match.do("flee", figure="squire", center_mm=[500, 300], is_stopped=True)
    assert match.game.flights == {}


def test_a_rally_stops_a_flight_and_a_failure_leads_to_the_nearest_edge(roads: ModuleType) -> None:
    """«Если он прошел его, он останавливается, но ничего не может делать в этот ход. Если он провалил тест или
    атакован,
    он бежит на D6 шагов по направлению к ближайшему краю стола, избегая бойцов противника.»
    """
    match = alone(roads)
    roads.roll(match, 1)
    match.do("flee", figure="squire")
    assert match.game.piece("squire").center_mm == pytest.approx((550, 300))
    while match.game.active == "knights" or match.game.phase != "melee":
        match.do("next")
        for name in match.game.to_draw_in:
            match.do("draw_in", figure=name, avoids=True)
    match.do("next")
    assert [due.kind for due in match.game.due] == ["rally"]
    roads.roll(match, 6, 2)
    with pytest.raises(IllegalStep, match="nearest edge"):
        match.do("flee", figure="squire", center_mm=[451, 300])
    match.do("flee", figure="squire")
    assert match.game.piece("squire").center_mm == pytest.approx((550, 200)), "the upper edge is the nearest"


def test_a_model_at_the_edge_is_out(roads: ModuleType) -> None:
    """«Если он достигает края стола до того, как смог образумиться, он выходит из сражения.»"""
    match = alone(roads, x=100)
    roads.roll(match, 6)
    match.do("flee", figure="squire")
    assert match.game.winner == "diggers"


def test_a_fleeing_model_runs_on_to_the_edge_when_charged(roads: ModuleType) -> None:
    """«…атакующая фигура передвигается в контакт с ним как обычно, однако затем убегающий воин отбегает на
    расстояние D6
    шагов по направлению к ближайшему краю стола, избегая, таким образом, каких-либо ударов.»
    """
    match = alone(roads)
    roads.roll(match, 1)
    match.do("flee", figure="squire")
    roads.go_to(match, "move", "diggers")
    match.do("charge", figure="one", target="squire")
    assert [(due.kind, due.figure) for due in match.game.due] == [("flight", "squire")]
    roads.roll(match, 4)
    match.do("flee", figure="squire")
    assert match.game.piece("squire").center_mm == pytest.approx((550, 100))
    assert match.game.hits == ()


# Нападение


def test_a_charge_ends_in_contact_and_no_farther_than_it_reaches(roads: ModuleType) -> None:
    """«…что происходит, когда модели входят в базовый контакт»; «…расстояние до цели измерено и позволяет
    атакующему войти
    в бой».
    """
    match = roads.skirmish(
        roads.fighter("a", "knights", 300, 300, charge_steps=4), roads.fighter("b", "diggers", 500, 300),
        roads.fighter("c", "diggers", 600, 300),
    )  # fmt: skip
    roads.go_to(match, "move")
    with pytest.raises(IllegalStep, match="would not touch") as caught:
        match.do("charge", figure="a", target="b", center_mm=[470, 300])
    assert refused_by(caught) == "roads/charge"
    with pytest.raises(IllegalStep, match="at most 4 steps"):
        match.do("charge", figure="a", target="c")
    match.do("charge", figure="a", target="b")
    assert match.game.opponents_of("a") == ("b",)


# Продвижение


def test_an_advance_is_one_step_and_fights_in_the_next_phase(roads: ModuleType) -> None:
    """«Модель может продвинуться на один шаг. … Если вы используете продвижение, чтобы напасть на врага, придвиньте
    модель,
    но не отрабатывайте схватку в этот ход. Схватка продолжится в следующей фазе Рукопашной.»
    """
    match = roads.skirmish(
        roads.fighter("a", "knights", 300, 300), roads.fighter("b", "diggers", 325, 300),
        roads.fighter("c", "diggers", 378, 300), roads.fighter("d", "diggers", 900, 800),
    )  # fmt: skip
    roads.go_to(match, "melee")
    roads.fight(match, "a", "b", [6], [1])
    match.do("wound", figure="b", out=True)
    with pytest.raises(IllegalStep, match="at most 1 step,"):
        match.do("advance", figure="a", center_mm=[351, 300])
    match.do("advance", figure="a", center_mm=[350, 300])
    match.do("place", figure="a", center_mm=[353, 300])
    assert match.game.opponents_of("a") == ("c",)
    match.do("undo")
    match.do("undo", by=JUDGE)
    match.do("place", figure="c", center_mm=[375, 300])
    match.do("advance", figure="a", center_mm=[350, 300])
    with pytest.raises(IllegalStep, match="next melee phase") as caught:
        match.do("fight", fighters=["a", "c"], rolled_here=False, rolls=[[3], [3]])
    assert refused_by(caught) == "roads/advance"
    roads.go_to(match, "melee", "diggers")
    assert roads.fight(match, "a", "c", [3], [3])["results"] == [11, 11], "«Никакие модификаторы … не применяются»"


# Многосторонние бои


def test_a_downed_model_of_the_larger_side_crawls_a_step_away(roads: ModuleType) -> None:
    """«В схватке «один против многих», если боец стороны, что в большинстве, сбит с ног, то в фазу движения он может
    отползти на один шаг от сражающихся, и перевести дух.»
    """
    match = roads.skirmish(
        roads.fighter("hero", "diggers", 300, 300),
        roads.fighter("a", "knights", 275, 300), roads.fighter("b", "knights", 325, 300),
    )  # fmt: skip
    roads.go_to(match, "move", "knights")
    match.do("wound", figure="a", down=True)
    assert "crawl" in [prompt["type"] for prompt in match.session.view(PUBLIC)["prompts"]]
    with pytest.raises(IllegalStep, match="at most 1 step,"):
        match.do("crawl", figure="a", center_mm=[224, 300])
    with pytest.raises(IllegalStep, match="away from the fighting") as caught:
        match.do("crawl", figure="a", center_mm=[285, 300])
    assert refused_by(caught) == "roads/crawl"
    match.do("crawl", figure="a", center_mm=[225, 300])
    assert "down" in roads.marks(match, "a")
    with pytest.raises(IllegalStep, match="has moved already"):
        match.do("crawl", figure="a", center_mm=[200, 300])


def test_a_downed_model_alone_does_not_crawl(roads: ModuleType) -> None:
    match = two(roads)
    match.do("wound", figure="ratnik", down=True)
    match.do("next")
    with pytest.raises(IllegalStep, match="several against one"):
        match.do("crawl", figure="ratnik", center_mm=[260, 300])


# Оружие, Схватка и замена оружия

ARMS = {
    "shotgun": {"kind": "bulky", "range_steps": 10},
    "pistol": {"kind": "pistol", "range_steps": 6},
    "grenade": {"kind": "thrown", "range_steps": 3},
    "bow": {"kind": "bulky", "silent": True},
}


def test_a_bulky_weapon_strikes_nobody_and_leaves_one_hand(roads: ModuleType) -> None:
    """«…он не может использовать громоздкое и тяжелое оружие, такое как дробовик, в рукопашной схватке… боец с
    громоздким
    или тяжелым оружием, больше чем пистолет, может сражаться только одной рукой…»
    """
    match = two(roads, ones={"weapons": ["shotgun", "knife"]}, others={"weapons": ["shotgun"]}, arms=ARMS)
    roads.go_to(match, "melee")
    roads.fight(match, "ratnik", "digger", [6], [1])
    assert match.game.hits[0].weapons == ("knife",) * match.game.hits[0].hits
    match.do("undo", by=JUDGE)
    match.do("undo", by=JUDGE)
    roads.fight(match, "ratnik", "digger", [1], [6])
    assert set(match.game.hits[0].weapons) == {"fists"}, "«…то он использует кулаки или зубы»"


@pytest.mark.parametrize("second", ["pistol", "grenade"])
def test_a_pistol_and_a_blade_are_a_pair(roads: ModuleType, second: str) -> None:
    """«Боец с пистолетом в одной и с оружием для рукопашной в другой руке, сражается как имеющий парное оружие…»;
    «Гранаты
    могут считаться дополнительным оружием…»
    """
    match = two(roads, ones={"weapons": ["knife", second]}, arms=ARMS)
    roads.go_to(match, "melee")
    roads.fight(match, "ratnik", "digger", [5, 2], [1])
    assert set(match.game.hits[0].weapons) == {"knife", second}


def test_weapons_are_changed_before_a_fight_and_not_during_it(roads: ModuleType) -> None:
    """«…боец перед началом схватки может заменить свое стрелковое оружие оружием для рукопашной. … Бойцы не могут
    менять
    оружие в течение схватки, они должны сражаться с тем, что выбрали, до тех пор, пока схватка не будет завершена.»
    """
    sheet = {"weapons": ["shotgun"], "carries": ["sword", "knife"], "toughness": 9}
    match = two(roads, ones=sheet, others={"toughness": 9}, arms=ARMS)
    roads.go_to(match, "melee")
    offered = [
        prompt["fields"]["weapons"] for prompt in match.session.view(PUBLIC)["prompts"] if prompt["type"] == "wield"
    ]
    assert offered == [["sword"], ["knife"]]
    for weapons, told in ((["axe"], "carries"), (["sword", "knife", "shotgun"], "hands for 2")):
        with pytest.raises(IllegalStep, match=told) as caught:
            match.do("wield", figure="ratnik", weapons=weapons)
        assert refused_by(caught) == "roads/weapon-swap"
    match.do("wield", figure="ratnik", weapons=["sword", "knife"])
    roads.fight(match, "ratnik", "digger", [3, 3], [3])
    for side in ("knights", "diggers"):
        if side == "diggers":
            roads.go_to(match, "melee", side)
        with pytest.raises(IllegalStep, match="keeps its weapons"):
            match.do("wield", figure="ratnik", weapons=["shotgun"])
    match.do("place", figure="digger", center_mm=[600, 300])
    match.do("next")
    roads.go_to(match, "move", "knights")
    match.do("wield", figure="ratnik", weapons=["shotgun"])


# Гранаты и другое метательное, Вне диапазона дальности


def archers(roads: ModuleType, x: float, **more: Any) -> Any:
    match = roads.skirmish(
        roads.fighter("a", "knights", 300, 300, weapons=["shotgun", "grenade"]),
        roads.fighter("b", "diggers", x, 300),
        arms=ARMS, **more,
    )  # fmt: skip
    roads.go_to(match, "shoot")
    return match


def test_a_thrown_weapon_fails_every_test_for_a_misfire(roads: ModuleType) -> None:
    """«Гранаты и метательное оружие автоматически проваливают все тесты на осечку, так как предполагается, что боец
    просто
    выбросил свой последний боеприпас.»
    """
    match = archers(roads, 400)
    match.do("shoot", figure="a", target="b", weapon="grenade", misfire_test=True)
    assert match.game.spent == {"a": ("grenade",)}
    roads.go_to(match, "shoot", "diggers")
    roads.go_to(match, "shoot", "knights")
    with pytest.raises(IllegalStep, match="thrown the last") as caught:
        match.do("shoot", figure="a", target="b", weapon="grenade")
    assert refused_by(caught) == "roads/misfire"
    with pytest.raises(IllegalStep, match="not jammed"):
        match.do("clear_jam", figure="a", weapon="grenade")


def test_a_shot_out_of_range_is_rolled_all_the_same(roads: ModuleType) -> None:
    """«Если при стрельбе цель вне пределов дальности оружия, то бросать кубик все равно необходимо – пусть вы и не
    попадете,
    узнать, не заклинит ли оружие, все равно необходимо.»
    """
    match = archers(roads, 1000)
    with pytest.raises(IllegalStep, match="out of range") as caught:
        match.do("shoot", figure="a", target="b", weapon="shotgun", hits=1)
    assert refused_by(caught) == "roads/out-of-range"
    match.do("shoot", figure="a", target="b", weapon="shotgun", misfire_test=True, misfires=True)
    assert "shot" in roads.marks(match, "a")
    roads.go_to(match, "shoot", "diggers")
    roads.go_to(match, "shoot", "knights")
    with pytest.raises(IllegalStep, match="jammed"):
        match.do("shoot", figure="a", target="b", weapon="shotgun")
    match.do("clear_jam", figure="a", weapon="shotgun")
    match.do("shoot", figure="a", target="b", weapon="shotgun")


# Втягивание в рукопашную схватку


def test_a_model_that_stayed_out_of_a_fight_does_not_shoot(roads: ModuleType) -> None:
    """«…воины, не втянутые в схватку, но находящиеся на расстоянии шага от сражающихся, не могут стрелять…»"""
    match = roads.skirmish(
        roads.fighter("a", "knights", 300, 300), roads.fighter("b", "diggers", 325, 300),
        roads.fighter("near", "knights", 300, 370), roads.fighter("away", "knights", 300, 380),
        roads.fighter("far", "diggers", 800, 300),
    )  # fmt: skip
    roads.go_to(match, "shoot")
    with pytest.raises(IllegalStep, match="within a step of a fight") as caught:
        match.do("shoot", figure="near", target="far")
    assert refused_by(caught) == "roads/draw-in"
    match.do("shoot", figure="away", target="far")


def drawn_in(roads: ModuleType) -> Any:
    """Return a melee with a squire half a step from the fighting enemy."""
    match = roads.skirmish(
        roads.fighter("mortar", "knights", 200, 200),
        roads.fighter("squire", "knights", 275, 200),
        roads.fighter("digger", "diggers", 225, 200),
    )
    roads.go_to(match, "shoot")
    match.do("next")
    assert match.game.to_draw_in == ("squire",)
    return match


def test_a_model_drawn_in_moves_into_contact(roads: ModuleType) -> None:
    """“придвиньте всех воинов в радиусе одного шага от сражающихся в базовый контакт”."""
    match = drawn_in(roads)
    match.do("draw_in", figure="squire")
    assert match.game.piece("squire").center_mm == pytest.approx((250, 200), abs=0.01)
    assert match.game.opponents_of("squire") == ("digger",)


def test_drawing_in_ends_in_contact(roads: ModuleType) -> None:
    match = drawn_in(roads)
    with pytest.raises(IllegalStep, match="would touch none") as caught:
        match.do("draw_in", figure="squire", center_mm=[260, 200])
    assert refused_by(caught) == "roads/draw-in"
