"""Claims about “Дороги Апокалипсиса” out of seed 003, read as a lawyer would, each tried on a running match.

Each test is a claim with its sentence. ``CLAIMS.md`` beside the game's coverage table lists them all with verdicts.
`test_the_table_lists_every_claim` holds the two together; ``python tests/match/test_roads_claims.py`` writes it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import pytest

from assistant.errors import IllegalStep, NotYours
from assistant.games.roads.match.duel import count_excess
from assistant.games.roads.match.melee_steps import word_standing_of
from assistant.match.actor import JUDGE, TABLE, player
from assistant.match.audience import PUBLIC

TABLE_FILE = Path(__file__).parents[2] / "assistant" / "games" / "roads" / "CLAIMS.md"
K, X = player("k"), player("x")


class Claim(NamedTuple):
    """A claim: its heading with the sentence, the consequence, and the finding before this test."""

    test: str
    heading: str
    sentence: str
    says: str
    verdict: str


CLAIMS: list[Claim] = []


def claim(heading: str, sentence: str, says: str, verdict: str = "right") -> Callable[[Callable[..., None]], Any]:
    """List a test as a claim.

    ``verdict``: ``right``; ``mended`` (it was wrong, lax, or could not be said); ``option NAME`` (the seed is open);
    ``by hand`` (the seed lacks the rule, and the players say what happens).
    """

    def listed(test: Callable[..., None]) -> Any:
        CLAIMS.append(Claim(test.__name__, heading, sentence, says, verdict))
        return test

    return listed


def refuses(match: Any, words: str, type_: str, **fields: Any) -> str:
    """Return the id of the rule by which a command is refused in these words."""
    with pytest.raises(IllegalStep, match=words) as caught:
        match.do(type_, **fields)
    return "" if caught.value.rule is None else str(caught.value.rule.id)


def verdict(match: Any) -> tuple[str, str]:
    """Return the verdict on the last step, and the rule that it names."""
    found = match.session.judge(match.session.seq, JUDGE)
    return found["verdict"], found["rule"]["id"]


def dues(match: Any) -> list[tuple[str, str | None]]:
    return [(due.kind, due.figure) for due in match.game.due]


def prompted(match: Any, type_: str) -> list[Mapping[str, Any]]:
    return [one for one in match.session.view(PUBLIC)["prompts"] if one["type"] == type_]


def in_phase(roads: ModuleType, phase: str, *models: Any, side: str | None = None, **more: Any) -> Any:
    """Return a skirmish of these models, with a digger far away, in that phase."""
    match = roads.skirmish(*models, roads.fighter("far", "x", 1100, 800), **more)
    roads.go_to(match, phase, side)
    return match


def duel(roads: ModuleType, *, ones: Any = None, others: Any = None, **more: Any) -> Any:
    """Return one against one in contact, in the melee phase of the knights."""
    pair = roads.fighter("a", "k", 300, 300, **(ones or {})), roads.fighter("d", "x", 325, 300, **(others or {}))
    return in_phase(roads, "melee", *pair, **more)


def results(roads: ModuleType, match: Any, *rolls: list[int], **more: Any) -> list[int]:
    told: list[int] = roads.fight(match, "a", "d", *rolls, **more)["results"]
    return told


# Гранаты, дальность, осечки


@claim("Гранаты", "автоматически проваливают все тесты на осечку", "a thrown weapon whose test is called is gone")
def test_a_grenade_fails_its_test(roads: ModuleType) -> None:
    match = in_phase(
        roads, "shoot", roads.fighter("a", "k", 300, 300, weapons=["bomb"]), arms={"bomb": {"kind": "thrown"}}
    )
    match.do("shoot", figure="a", target="far", weapon="bomb", misfire_test=True, misfires=False)
    assert match.game.spent == {"a": ("bomb",)}


@claim("Гранаты", "автоматически проваливают все тесты на осечку", "without a test called for it is not gone")
def test_a_grenade_without_a_test_stays(roads: ModuleType) -> None:
    match = in_phase(
        roads, "shoot", roads.fighter("a", "k", 300, 300, weapons=["bomb"]), arms={"bomb": {"kind": "thrown"}}
    )
    match.do("shoot", figure="a", target="far", weapon="bomb")
    assert match.game.spent == {}


@claim("Вне диапазона дальности", "бросать кубик все равно необходимо – пусть вы и не попадете", "no hits, but a roll")
def test_out_of_range_is_rolled_without_hits(roads: ModuleType) -> None:
    match = in_phase(
        roads,
        "shoot",
        roads.fighter("a", "k", 300, 300, weapons=["gun"]),
        arms={"gun": {"kind": "pistol", "range_steps": 6}},
    )
    assert refuses(match, "out of range", "shoot", figure="a", target="far", weapon="gun", hits=1).endswith("range")
    match.do("shoot", figure="a", target="far", weapon="gun", misfire_test=True, misfires=True)
    assert match.game.spent == {"a": ("gun",)}


@claim("Вне диапазона дальности", "цель вне пределов дальности оружия", "exactly at the range is within it")
def test_the_edge_of_the_range_is_within(roads: ModuleType) -> None:
    match = in_phase(
        roads,
        "shoot",
        roads.fighter("a", "k", 300, 300, weapons=["gun"]),
        roads.fighter("d", "x", 625, 300),
        arms={"gun": {"kind": "pistol", "range_steps": 6}},
    )
    match.do("shoot", figure="a", target="d", weapon="gun", hits=1)


# Кто может сражаться, Втягивание


@claim(
    "Кто может сражаться", "все бойцы, чьи базы соприкасаются с вражескими базами, могут драться", "bases that touch"
)
def test_only_bases_that_touch_fight(roads: ModuleType) -> None:
    match = in_phase(roads, "melee", roads.fighter("a", "k", 300, 300), roads.fighter("d", "x", 325.1, 300))
    match.do("draw_in", figure="a", avoids=True) if match.game.to_draw_in else None
    assert refuses(match, "not in contact", "fight", fighters=["a", "d"]) == "roads/who-fights"


@claim("Кто может сражаться", "могут драться", "one against one may be left out")
def test_a_duel_may_be_left_out(roads: ModuleType) -> None:
    match = duel(roads)
    match.do("next")
    assert match.game.active == "x"


@claim("Кто может сражаться", "все бойцы … могут драться", "the side whose turn it is not wants its fight", "mended")
def test_the_other_side_may_begin_its_fight(roads: ModuleType) -> None:
    match = duel(roads)
    match.do("fight", by=X, fighters=["d", "a"], rolled_here=False, rolls=[[3], [3]])
    assert match.game.duel is not None


@claim("Кто может сражаться", "не стреляют в фазу Стрельбы", "who touches an enemy does not shoot")
def test_a_fighter_does_not_shoot(roads: ModuleType) -> None:
    match = in_phase(roads, "shoot", roads.fighter("a", "k", 300, 300), roads.fighter("d", "x", 325, 300))
    assert refuses(match, "is fighting", "shoot", figure="a", target="far") == "roads/who-fights"


@claim("Втягивание", "в радиусе одного шага", "exactly a step away is drawn in, a hair more is not")
def test_a_step_is_drawn_in(roads: ModuleType) -> None:
    for x, drawn in ((400, ("near",)), (400.1, ())):
        models = (
            roads.fighter("a", "k", 300, 300),
            roads.fighter("d", "x", 325, 300),
            roads.fighter("near", "k", x, 300),
        )
        match = in_phase(roads, "shoot", *models)
        match.do("next")
        assert match.game.to_draw_in == drawn


def near_a_fight(roads: ModuleType) -> Any:
    """Return a squire within a step of one fight, and another fight five steps away."""
    models = [("a", "k", 300, 300), ("d", "x", 325, 300), ("a2", "k", 500, 300), ("d2", "x", 525, 300)]
    match = in_phase(roads, "shoot", *(roads.fighter(*one) for one in models), roads.fighter("e", "k", 300, 360))
    match.do("next")
    return match


@claim(
    "Втягивание",
    "придвиньте всех воинов в радиусе одного шага от сражающихся",
    "not into a fight farther away",
    "mended",
)
def test_nobody_is_drawn_in_over_five_steps(roads: ModuleType) -> None:
    match = near_a_fight(roads)
    assert refuses(match, "would touch none", "draw_in", figure="e", center_mm=[550, 300]) == "roads/draw-in"
    match.do("draw_in", figure="e")
    assert match.game.opponents_of("e") == ("d",)


@claim("Втягивание", "в радиусе одного шага", "round the enemy by more than a step it does not go", "mended")
def test_nobody_is_drawn_in_round_the_enemy(roads: ModuleType) -> None:
    match = near_a_fight(roads)
    assert refuses(match, "at most 1 step", "draw_in", figure="e", center_mm=[350, 300]) == "roads/draw-in"


@claim("Втягивание", "придвиньте … в базовый контакт", "it ends in contact with a fighting enemy")
def test_drawing_in_ends_in_contact(roads: ModuleType) -> None:
    match = near_a_fight(roads)
    assert refuses(match, "would touch none", "draw_in", figure="e", center_mm=[310, 350]) == "roads/draw-in"


@claim(
    "Втягивание", "могут и избежать боя … остаются на месте", "who avoids it stays; how is the players' word", "by hand"
)
def test_avoiding_is_by_hand(roads: ModuleType) -> None:
    match = near_a_fight(roads)
    match.do("draw_in", figure="e", avoids=True)
    assert match.game.piece("e").center_mm == (300, 360)
    assert verdict(match) == ("by hand", "roads/avoiding")


@claim("Втягивание", "не могут стрелять, но могут играть Мелодии", "within a step: a melody, no shot", "mended")
def test_within_a_step_one_plays_a_melody(roads: ModuleType) -> None:
    models = roads.fighter("a", "k", 300, 300), roads.fighter("d", "x", 325, 300)
    match = in_phase(roads, "shoot", *models, roads.fighter("bard", "k", 300, 360, melodies=["march"]))
    assert refuses(match, "within a step", "shoot", figure="bard", target="far") == "roads/draw-in"
    assert refuses(match, "plays: March", "melody", figure="bard", melody="lament") == "roads/melodies"
    match.do("melody", figure="bard", melody="march")
    assert verdict(match) == ("by hand", "roads/melodies")


@claim("Порядок", "проведем их в первую очередь", "duels come first, where the house says so", "option duel_order")
def test_duels_come_first_where_the_house_says_so(roads: ModuleType) -> None:
    models = [
        ("a", "k", 300, 300),
        ("a2", "k", 350, 300),
        ("d", "x", 325, 300),
        ("b", "k", 600, 300),
        ("e", "x", 625, 300),
    ]
    for choice in ("any", "duels_first"):
        match = in_phase(roads, "melee", *(roads.fighter(*one) for one in models), options={"duel_order": choice})
        roads.fight(match, "a", "d", [2, 2], [2])
        match.do("wound", figure="d") if match.game.hits else None
        if choice == "any":
            match.do("fight", fighters=["b", "e"])
        else:
            assert refuses(match, "come before", "fight", fighters=["b", "e"]) == "roads/many-sided"


# Расчёт результата


@claim("Расчет результатов боя", "наивысший результат … текущую Стойкость и Боевое умение", "die + toughness + combat")
def test_the_sum(roads: ModuleType) -> None:
    assert results(roads, duel(roads, ones={"toughness": 5, "combat": 2}), [4], [1]) == [4 + 5 + 2 + 1, 1 + 4 + 4]


@claim("Определение победителя", "побеждает игрок с большей Подвижностью", "a tie goes to the faster, with one hit")
def test_a_tie_goes_to_the_faster(roads: ModuleType) -> None:
    match = duel(roads, others={"mobility": 5})
    results(roads, match, [3], [3])
    assert [(hit.figure, hit.hits) for hit in match.game.hits] == [("a", 1)]


@claim("Определение победителя", "объявляется ничья, и никакие удары не наносятся", "equal and equally fast: nothing")
def test_a_draw_hits_nobody(roads: ModuleType) -> None:
    match = duel(roads)
    results(roads, match, [3], [3])
    assert match.game.hits == ()


@claim("Количество попаданий", "Разница в результатах – количество попаданий", "hits are the difference")
def test_hits_are_the_difference(roads: ModuleType) -> None:
    match = duel(roads)
    results(roads, match, [6], [2])
    assert match.game.hits[0].hits == 4


@claim("Текущая стойкость", "с вычетом уже полученных ранений", "two wounds of six leave four")
def test_wounds_come_off(roads: ModuleType) -> None:
    match = duel(roads, ones={"toughness": 6})
    match.do("wound", figure="a", wounds=2)
    assert results(roads, match, [2], [2])[0] == 2 + 4 + 4


@claim("Текущая стойкость", "стойкость бойца во всех тестах считается максимальной", "the painless count all of it")
def test_the_painless_count_all(roads: ModuleType) -> None:
    match = duel(roads, ones={"toughness": 6, "painless": True})
    match.do("wound", figure="a", wounds=2)
    assert results(roads, match, [2], [2])[0] == 2 + 6 + 4


@claim("Кубик атаки", "засчитывается только самый высокий результат", "several dice: the highest alone")
def test_the_highest_die_alone(roads: ModuleType) -> None:
    assert results(roads, duel(roads, ones={"dice": 3}), [2, 5, 4], [2])[0] == 5 + 4 + 4


@claim("Кубик атаки", "«прибавить Х к результату боя» … применяется уже ПОСЛЕ броска", "+X off the sheet", "mended")
def test_an_ability_of_the_sheet_adds(roads: ModuleType) -> None:
    assert results(roads, duel(roads, ones={"adds": 2}), [3], [2]) == [3 + 4 + 4 + 2, 2 + 4 + 4]


@claim("Кубик атаки", "«прибавить Х к результату боя»", "+X said in the fight, with its word in the history", "mended")
def test_an_ability_in_the_fight_adds(roads: ModuleType) -> None:
    match = duel(roads)
    match.do("fight", fighters=["a", "d"], rolled_here=False, rolls=[[3], [3]])
    match.do("modify", figure="d", change=3, reason="Rage")
    assert match.session.view(PUBLIC)["fight"]["results"] == [11, 14]
    assert verdict(match) == ("by hand", "roads/abilities")


@claim("Парное оружие", "дополнительный кубик атаки на каждое дополнительное оружие", "three weapons: two dice more")
def test_each_further_weapon_is_a_die(roads: ModuleType) -> None:
    results(roads, duel(roads, ones={"weapons": ["axe", "mace", "knife"]}), [1, 2, 3], [2])


@claim("Парное оружие", "не применим к воинам, несущим другое громоздкое оружие", "a bulky weapon is no second one")
def test_a_bulky_weapon_is_no_die(roads: ModuleType) -> None:
    match = duel(roads, ones={"weapons": ["axe", "gun"]}, arms={"gun": {"kind": "bulky"}})
    results(roads, match, [3], [2])
    assert match.game.hits[0].weapons == ("axe",)


@claim("Модификаторы", "за каждую единицу, выброшенную противником", "each of his ones, not one for all")
def test_each_one_confuses(roads: ModuleType) -> None:
    assert results(roads, duel(roads, others={"dice": 2}), [3], [1, 1])[0] == 3 + 4 + 4 + 2


@claim("Модификаторы", "Боец, нападавший в этот ход", "the bonus of a charge is gone in the next turn")
def test_the_charge_counts_this_turn(roads: ModuleType) -> None:
    match = in_phase(roads, "move", roads.fighter("a", "k", 300, 300), roads.fighter("d", "x", 400, 300, toughness=9))
    match.do("charge", figure="a", target="d")
    roads.go_to(match, "melee")
    assert results(roads, match, [3], [3])[0] == 12
    match.do("wound", figure="a")
    roads.go_to(match, "melee", "x")
    assert results(roads, match, [3], [3])[0] == 11


@claim("Модификаторы", "Если ваш боец стоит на некоем возвышении", "+1 higher, -1 into cover, as people see it")
def test_higher_and_across(roads: ModuleType) -> None:
    seen = {"a": ["higher"], "d": ["across_cover"]}
    assert results(roads, duel(roads), [3], [3], conditions=seen) == [12, 10]


@claim("Модификаторы", "результат броска кубика атаки снижается наполовину", "5 is 3 or 2", "option fear_halving_round")
def test_fear_halves(roads: ModuleType) -> None:
    for choice, half in (("up", 3), ("down", 2)):
        models = roads.fighter("a", "k", 300, 300, fear=True), roads.fighter("d", "x", 400, 300)
        match = in_phase(roads, "move", *models, options={"fear_halving_round": choice})
        match.do("charge", figure="a", target="d")
        roads.roll(match, 6)
        roads.go_to(match, "melee")
        assert results(roads, match, [1], [5])[1] == half + 4 + 4 + 1


@claim("Количество ударов", "Пример: Ратник (P4; CS4) … бросает 2 … 11", "by the formula 10", "option seed_example_fix")
def test_the_printed_example(roads: ModuleType) -> None:
    for choice, sum_ in (("formula", 10), ("printed", 11)):
        match = duel(roads, options={"seed_example_fix": choice})
        assert results(roads, match, [2], [3])[0] == sum_


# Оружие, попадания, блок, критический удар


@claim("Схватка и замена оружия", "перед началом схватки может заменить", "before it, announced")
def test_weapons_change_before(roads: ModuleType) -> None:
    match = duel(roads, ones={"weapons": ["gun"], "carries": ["knife"]}, arms={"gun": {"kind": "bulky"}})
    match.do("wield", figure="a", weapons=["knife"])
    results(roads, match, [3], [2])
    assert refuses(match, "first|keeps its weapons", "wield", figure="a", weapons=["gun"])


@claim("Попадания", "отрабатываются поочередно от каждого оружия", "two hits: the axe, then the mace")
def test_weapons_take_turns(roads: ModuleType) -> None:
    match = duel(roads, ones={"weapons": ["axe", "mace"]})
    results(roads, match, [5, 2], [3])
    assert match.game.hits[0].weapons == ("axe", "mace")


@claim("Попадания", "Нечетные удары можно нанесены любым оружием", "the winner says which", "mended")
def test_the_odd_hit_is_any_weapons(roads: ModuleType) -> None:
    match = duel(roads, ones={"weapons": ["axe", "mace"]})
    match.do("fight", fighters=["a", "d"], rolled_here=False, rolls=[[6, 2], [3]])
    with pytest.raises(NotYours):
        match.do("strike", by=X, odd_weapon="mace")
    assert refuses(match, "one of: Axe, Mace", "strike", odd_weapon="spear") == "roads/hits"
    match.do("strike", by=K, odd_weapon="mace")
    assert sorted(match.game.hits[0].weapons) == ["axe", "mace", "mace"]


@claim("Раны, броня", "используя данные оружия из листа воина", "strength and armour stand beside the hits", "mended")
def test_the_sheet_is_shown(roads: ModuleType) -> None:
    arms = {"axe": {"strength": "4", "critical": "splits the shield"}}
    match = duel(roads, ones={"weapons": ["axe"], "dice": 2}, others={"armour": "5+"}, arms=arms)
    results(roads, match, [6, 6], [2])
    sheets = match.session.view(PUBLIC)["hits"][0]["sheets"]
    assert sheets == ["Axe: strength 4", "Axe, 1 critical blow: splits the shield", "D, armour: 5+"]


def test_every_change_of_a_result_is_named(roads: ModuleType) -> None:
    """Only the charge was named, so the sum of a model that did not roll again seemed to change by itself."""
    match = duel(roads, ones={"dice": 2}, others={"dice": 2})
    match.do("fight", fighters=["a", "d"], rolled_here=False, rolls=[[6, 6], [4, 1]])
    sums = word_standing_of(match.game)
    assert "+1 for a critical blow, +1 for a 1 of the enemy" in str(sums)


@claim("Блок", "заставить противника перебросить наибольший кубик атаки", "the highest of his, once")
def test_a_block(roads: ModuleType) -> None:
    match = duel(roads, ones={"dice": 2}, others={"shield": True})
    match.do("fight", fighters=["a", "d"], rolled_here=False, rolls=[[6, 4], [2]])
    match.do("reroll", figure="d", why="block", rolled_here=False, faces=[1])
    assert match.game.duel.rolls[0].final == (1, 4)
    refuses(match, "used already", "reroll", figure="d", why="block")


@claim("Блок", "Если оба бойца используют щиты, то они компенсируют", "two shields: nobody blocks")
def test_two_shields_cancel(roads: ModuleType) -> None:
    match = duel(roads, ones={"shield": True}, others={"shield": True})
    match.do("fight", fighters=["a", "d"], rolled_here=False, rolls=[[6], [2]])
    assert refuses(match, "cancel", "reroll", figure="d", why="block") == "roads/block"


@claim("Критический удар", "каждая следующая '6' … добавляет +1", "three sixes are two more")
def test_criticals(roads: ModuleType) -> None:
    assert results(roads, duel(roads, ones={"dice": 3}), [6, 6, 6], [2])[0] == 6 + 4 + 4 + 2


@claim("Атака сбитых с ног", "автоматически считаются попавшими", "each die of the standing one hits")
def test_the_fallen_are_hit(roads: ModuleType) -> None:
    match = duel(roads, ones={"dice": 3})
    match.do("wound", figure="d", down=True)
    match.do("fight", fighters=["a", "d"])
    match.do("strike")
    assert match.game.hits[0].hits == 3


@claim("Атака сбитых с ног", "он автоматически погибает", "a wound through armour ends it; without one it lives")
def test_a_wound_ends_the_fallen(roads: ModuleType) -> None:
    for wounds, stands in ((0, True), (1, False)):
        match = duel(roads)
        match.do("wound", figure="d", down=True)
        match.do("fight", fighters=["a", "d"])
        match.do("strike")
        match.do("wound", figure="d", wounds=wounds)
        assert match.game.piece("d").on_table is stands


@claim("Атака сбитых с ног", "не может парировать удары", "the fallen do not block")
def test_the_fallen_do_not_block(roads: ModuleType) -> None:
    match = duel(roads, others={"shield": True})
    match.do("wound", figure="d", down=True)
    match.do("fight", fighters=["a", "d"])
    assert refuses(match, "cannot block", "reroll", figure="d", why="block") == "roads/block"


@claim("Атака сбитых с ног", "Если противник находится в бою со сбитым с ног", "of a shot or not", "option fallen_dies")
def test_a_shot_at_the_fallen(roads: ModuleType) -> None:
    for choice, stands in (("melee", True), ("any", False)):
        models = roads.fighter("a", "k", 300, 300), roads.fighter("d", "x", 600, 300)
        match = in_phase(roads, "shoot", *models, options={"fallen_dies": choice})
        match.do("wound", figure="d", down=True)
        match.do("shoot", figure="a", target="d", hits=1)
        match.do("wound", figure="d", wounds=1)
        assert match.game.piece("d").on_table is stands


# Многосторонние бои


def row(roads: ModuleType, *more: Any, side: str | None = None, **options: Any) -> Any:
    """a1-b1-a2-b2 in a row of contacts, in the melee phase."""
    models = [("a1", "k", 300, 300), ("b1", "x", 325, 300), ("a2", "k", 350, 300), ("b2", "x", 375, 300)]
    return in_phase(roads, "melee", *(roads.fighter(*one) for one in models), *more, side=side, options=options)


@claim("Многосторонние бои", "все участники … находящиеся в большинстве", "two against two in a row: nobody", "mended")
def test_two_against_two_has_no_majority(roads: ModuleType) -> None:
    match = row(roads)
    for pair in (("a1", "b1"), ("a2", "b1"), ("a2", "b2")):
        assert count_excess(match.game, pair) == {}


@claim("Многосторонние бои", "все участники … в большинстве", "or who touches the enemy", "option outnumber_melee")
def test_the_house_may_count_pair_by_pair(roads: ModuleType) -> None:
    match = row(roads, outnumber_melee="contact")
    assert count_excess(match.game, ("a1", "b1")) == {"a1": 1}
    assert count_excess(match.game, ("a2", "b2")) == {"b2": 1}


@claim("Многосторонние бои", "все бойцы троицы получат +2 к результату боя и +2 кубика атаки", "three against one: +2")
def test_three_against_one(roads: ModuleType) -> None:
    models = [("a", "k", 300, 300), ("a2", "k", 350, 300), ("a3", "k", 325, 325), ("d", "x", 325, 300)]
    match = in_phase(roads, "melee", *(roads.fighter(*one) for one in models))
    assert results(roads, match, [3, 2, 2], [3]) == [3 + 4 + 4 + 2, 11]


@claim("Многосторонние бои", "за каждого превосходящего бойца", "three in one melee against two: +1 each", "mended")
def test_the_majority_counts_the_whole_melee(roads: ModuleType) -> None:
    match = row(roads, roads.fighter("a3", "k", 400, 300))
    assert [count_excess(match.game, pair) for pair in (("a1", "b1"), ("a2", "b1"), ("a3", "b2"))] == [
        {"a1": 1}, {"a2": 1}, {"a3": 1},
    ]  # fmt: skip


@claim("Многосторонние бои", "находящиеся в большинстве", "a mate who is down counts or not", "option outnumber_down")
def test_the_fallen_in_the_majority(roads: ModuleType) -> None:
    for choice, excess in (("count", {"a": 1}), ("ignored", {})):
        models = [("a", "k", 300, 300), ("a2", "k", 350, 300), ("d", "x", 325, 300)]
        match = in_phase(roads, "melee", *(roads.fighter(*one) for one in models), options={"outnumber_down": choice})
        match.do("wound", figure="a2", down=True)
        assert count_excess(match.game, ("a", "d")) == excess
        rolls = [[3] * (1 + len(excess)), [3]]
        match.do("fight", fighters=["a", "d"], rolled_here=False, rolls=rolls)
        why = [step["text"] for step in match.session.view(PUBLIC)["fight"]["steps"]]
        assert any("outnumber_down" in text for text in why), "the word of the option stands in the reason"


@claim("Многосторонние бои", "Игрок, превосходящий по численности, может решить, кто … будет бить", "he says", "mended")
def test_the_larger_side_decides(roads: ModuleType) -> None:
    models = [("a1", "k", 300, 300), ("a2", "k", 350, 300), ("b1", "x", 325, 300)]
    match = in_phase(roads, "melee", *(roads.fighter(*one) for one in models), side="x")
    with pytest.raises(NotYours):
        match.do("fight", by=X, fighters=["b1", "a1"], rolled_here=False, rolls=[[3], [3, 3]])
    match.do("fight", by=K, fighters=["a2", "b1"], rolled_here=False, rolls=[[3, 3], [3]])


@claim("Многосторонние бои", "каждый воин должен сражаться с каждым противником … в контакте", "none is left out")
def test_everybody_fights_everybody(roads: ModuleType) -> None:
    match = row(roads)
    assert refuses(match, "in a many-sided fight", "next") == "roads/many-sided"
    roads.end_phase(match)


@claim("Кубик атаки", "столько D6, сколько позволяют способности бойца", "nine dice and more are rolled", "mended")
def test_nine_dice(roads: ModuleType) -> None:
    a1 = roads.fighter("a1", "k", 300, 300, dice=3, frenzy=True, weapons=["axe", "mace"])
    rest = [("a2", "k", 350, 300), ("a3", "k", 325, 325), ("b1", "x", 325, 300)]
    match = in_phase(roads, "melee", a1, *(roads.fighter(*one) for one in rest))
    match.do("fight", fighters=["a1", "b1"])
    assert len(match.game.duel.rolls[0].final) == 9
    match.do("strike")


@claim("Многосторонние бои", "может отползти на один шаг от сражающихся", "a step, away, in its own movement phase")
def test_the_fallen_crawl_a_step(roads: ModuleType) -> None:
    models = [("a", "k", 300, 300), ("a2", "k", 350, 300), ("d", "x", 325, 300)]
    match = in_phase(roads, "move", *(roads.fighter(*one) for one in models))
    match.do("wound", figure="a", down=True)
    assert refuses(match, "at most 1 step", "crawl", figure="a", center_mm=[249, 300]) == "roads/crawl"
    match.do("crawl", figure="a", center_mm=[250, 300])


@claim("Многосторонние бои", "В схватке «один против многих»", "two against two: nobody crawls", "mended")
def test_nobody_crawls_out_of_two_against_two(roads: ModuleType) -> None:
    match = row(roads)
    roads.end_phase(match)
    roads.go_to(match, "move", "k")
    match.do("wound", figure="a2", down=True)
    assert refuses(match, "several against one", "crawl", figure="a2", center_mm=[350, 340]) == "roads/crawl"


# Продвижение, Бегство из боя


@claim("Продвижение", "не имеет значения, чей сейчас ход … на один шаг", "in the enemy's turn, too; a step at most")
def test_an_advance_is_a_step_in_any_turn(roads: ModuleType) -> None:
    match = duel(roads)
    roads.go_to(match, "melee", "x")
    match.do("fight", fighters=["a", "d"], rolled_here=False, rolls=[[6], [1]])
    match.do("strike")
    match.do("wound", figure="d", out=True)
    assert refuses(match, "at most 1 step", "advance", figure="a", center_mm=[300, 351]) == "roads/advance"
    match.do("advance", by=K, figure="a", center_mm=[300, 350])


@claim("Продвижение", "не отрабатывайте схватку в этот ход", "a new enemy is fought in the next melee phase")
def test_an_advance_does_not_fight_now(roads: ModuleType) -> None:
    match = duel(roads)
    match.do("place", figure="far", center_mm=[375, 300])
    roads.fight(match, "a", "d", [6], [1])
    match.do("wound", figure="d", out=True)
    match.do("advance", figure="a", center_mm=[350, 300])
    assert refuses(match, "next melee phase", "fight", fighters=["a", "far"]) == "roads/advance"


@claim(
    "Бегство из боя", "Выход из боя … по собственному желанию игрока (смотрите «уход от рукопашной»)", "told", "mended"
)
def test_nobody_walks_out_of_a_fight(roads: ModuleType) -> None:
    models = [("a", "k", 300, 300), ("d", "x", 325, 300), ("e", "x", 300, 325)]
    match = in_phase(roads, "move", *(roads.fighter(*one) for one in models), roads.fighter("free", "k", 900, 300))
    ways: dict[str, dict[str, Any]] = {
        "move": {"how": "run", "center_mm": [100, 100]},
        "charge": {"target": "far"},
        "manoeuvre": {"kind": "down", "center_mm": [280, 280]},
    }
    for type_, fields in ways.items():
        assert refuses(match, "whether it leaves the melee", type_, figure="a", **fields) == "roads/leaving"
    match.do("leave", figure="a", hits=2)
    assert verdict(match)[0] == "by hand"
    match.do("wound", figure="a", wounds=1)
    assert refuses(match, "still touch D", "move", figure="a", center_mm=[301, 301]) == "roads/leaving"
    match.do("move", figure="a", how="run", center_mm=[100, 100])
    assert verdict(match) == ("by hand", "roads/leaving")


@claim("Бегство из боя", "по собственному желанию игрока", "an attempt that fails stays in the melee", "mended")
def test_a_failed_attempt_stays(roads: ModuleType) -> None:
    match = in_phase(roads, "move", roads.fighter("a", "k", 300, 300), roads.fighter("d", "x", 325, 300))
    match.do("leave", figure="a", stays=True)
    refuses(match, "stay in place", "move", figure="a", center_mm=[200, 300])


@claim("Бегство из боя", "производя каждый по одному попаданию … немедленно", "a hit by each, before it runs")
def test_breaking_takes_a_hit_by_each(roads: ModuleType) -> None:
    models = [("a", "k", 300, 300), ("d", "x", 325, 300), ("e", "x", 300, 325)]
    match = in_phase(roads, "melee", *(roads.fighter(*one) for one in models))
    roads.end_phase(match)
    roads.roll(match, 6)
    assert [hit.by for hit in match.game.hits] == ["d", "e"]
    assert refuses(match, "work out the hits", "test") == "roads/free-hits"


@claim(
    "Бегство из боя", "его противники автоматически наносят ему удары", "who is down or stupid strikes none", "mended"
)
def test_the_fallen_and_the_stupid_hit_nobody_who_breaks(roads: ModuleType) -> None:
    models = [("a", "k", 300, 300), ("d", "x", 325, 300), ("e", "x", 300, 325)]
    match = in_phase(roads, "melee", *(roads.fighter(*one) for one in models))
    match.do("wound", figure="e", down=True)
    roads.end_phase(match)
    assert dues(match) == [("escape", "a")]
    roads.roll(match, 6)
    assert [hit.by for hit in match.game.hits] == ["d"]


# Разгром, командиры, побег


@claim(
    "Тест на Разгром",
    "треть (33%) или больше его отряда вне игры",
    "4 of 12 and 1 of 3, not 3 of 10",
    "option rout_third",
)
def test_a_third_is_out(roads: ModuleType) -> None:
    for count, out, due in ((12, 4, True), (3, 1, True), (10, 3, False), (7, 3, True), (7, 2, False)):
        models = [roads.fighter(f"a{i}", "k", 30 + 60 * i, 100) for i in range(count)]
        match = roads.skirmish(*models, roads.fighter("far", "x", 1100, 800))
        for i in range(out):
            match.do("wound", figure=f"a{i}", out=True)
        roads.go_to(match, "melee", "x")
        match.do("next")
        assert (("rout", None) in dues(match)) is due


@claim("Тест на Разгром", "меньше или равен Силе духа командира", "equal passes; the leader's, though others have more")
def test_the_rout_is_on_the_leader(roads: ModuleType) -> None:
    models = [
        roads.fighter("a", "k", 100, 100, is_leader=True, spirit=3),
        roads.fighter("b", "k", 200, 100, spirit=5),
        roads.fighter("c", "k", 300, 100),
    ]
    match = roads.skirmish(*models, roads.fighter("far", "x", 1100, 800))
    match.do("wound", figure="c", out=True)
    roads.go_to(match, "melee", "x")
    match.do("next")
    assert match.game.due[0].value == 3
    roads.roll(match, 3)
    assert match.game.winner is None


@claim("Тест на Разгром", "Если командир вне игры или сбит с ног … наибольший показатель", "then the best who stands")
def test_without_the_leader_the_best(roads: ModuleType) -> None:
    models = [
        roads.fighter("a", "k", 100, 100, is_leader=True, spirit=6),
        roads.fighter("b", "k", 200, 100, spirit=5),
        roads.fighter("c", "k", 300, 100, spirit=2),
    ]
    match = roads.skirmish(*models, roads.fighter("far", "x", 1100, 800))
    match.do("wound", figure="c", out=True)
    match.do("wound", figure="a", down=True)
    roads.go_to(match, "melee", "x")
    match.do("next")
    assert match.game.due[0].value == 5


@claim(
    "Тест на Разгром", "Даже отряды, обычно имеющие иммунитет к психологии … должны", "the immune test, too", "mended"
)
def test_the_immune_test_for_rout(roads: ModuleType) -> None:
    models = [roads.fighter(name, "k", 100 * i, 100, immune=True) for i, name in enumerate("abc", 1)]
    match = roads.skirmish(*models, roads.fighter("far", "x", 1100, 800))
    match.do("wound", figure="c", out=True)
    roads.go_to(match, "melee", "x")
    match.do("next")
    assert dues(match) == [("rout", None)]


@claim("Тест на Разгром", "обычно имеющие иммунитет к психологии", "no fear, terror, escape or stupidity", "mended")
def test_the_immune_take_no_other_test(roads: ModuleType) -> None:
    models = [
        roads.fighter("a", "k", 300, 300, immune=True, stupid=True),
        roads.fighter("d", "x", 400, 300, fear=True, terror=True),
    ]
    match = roads.skirmish(*models, roads.fighter("far", "x", 1100, 800))
    assert dues(match) == []
    roads.go_to(match, "move")
    match.do("charge", figure="a", target="d")
    assert dues(match) == []


@claim("Добровольное бегство", "только в том случае, если он уже должен кидать тест на Разгром", "not otherwise")
def test_withdrawal_needs_a_rout_test(roads: ModuleType) -> None:
    match = in_phase(roads, "start", roads.fighter("a", "k", 300, 300))
    assert refuses(match, "only when its rout test is due", "withdraw") == "roads/withdrawal"


@claim("Командиры отрядов", "в трех шагах от командира, может использовать его Силу духа", "at exactly three steps")
def test_a_leader_lends_at_three_steps(roads: ModuleType) -> None:
    for x, spirit in ((475, 6), (475.1, 3)):
        models = (
            roads.fighter("lead", "k", 300, 300, is_leader=True, spirit=6),
            roads.fighter("b", "k", x, 300, spirit=3),
        )
        assert in_phase(roads, "start", *models).game.spirit_of("b") == spirit


@claim("Командиры отрядов", "если он сам сбит с ног или убегает", "a fallen leader lends nothing")
def test_a_fallen_leader_lends_nothing(roads: ModuleType) -> None:
    models = roads.fighter("lead", "k", 300, 300, is_leader=True, spirit=6), roads.fighter("b", "k", 400, 300, spirit=3)
    match = in_phase(roads, "start", *models)
    match.do("wound", figure="lead", down=True)
    assert match.game.spirit_of("b") == 3


@claim("Тупость", "значение Силы духа существа", "its own, or a leader's", "option stupidity_spirit")
def test_stupidity_on_whose_spirit(roads: ModuleType) -> None:
    for choice, value in (("own", 2), ("leader", 6)):
        models = [
            roads.fighter("lead", "k", 300, 300, is_leader=True, spirit=6),
            roads.fighter("ogre", "k", 400, 300, spirit=2, stupid=True),
        ]
        match = roads.skirmish(*models, roads.fighter("far", "x", 1100, 800), options={"stupidity_spirit": choice})
        assert match.game.due[0].value == value


@claim("Побег", "один против двоих или более … в районе трех шагов нет дружественных фигур", "alone in three steps")
def test_escape_is_for_the_lonely(roads: ModuleType) -> None:
    for x, alone in ((475, False), (476, True)):
        models = [("a", "k", 300, 300), ("d", "x", 300, 275), ("e", "x", 300, 325), ("pal", "k", x, 300)]
        match = in_phase(roads, "melee", *(roads.fighter(*one) for one in models))
        roads.end_phase(match)
        assert (("escape", "a") in dues(match)) is alone


@claim("Побег", "сбитые с ног или убегающие друзья не считаются", "a fallen friend is no company")
def test_a_fallen_friend_is_no_company(roads: ModuleType) -> None:
    models = [("a", "k", 300, 300), ("d", "x", 300, 275), ("e", "x", 300, 325), ("pal", "k", 400, 300)]
    match = in_phase(roads, "melee", *(roads.fighter(*one) for one in models))
    match.do("wound", figure="pal", down=True)
    roads.end_phase(match)
    assert ("escape", "a") in dues(match)


def fleeing(roads: ModuleType, *more: Any) -> Any:
    """Return a squire in flight, whose rally has failed: he runs to the upper edge, 300 mm away."""
    models = [roads.fighter("a", "k", 600, 300), roads.fighter("b", "x", 700, 300, terror=True)]
    match = roads.skirmish(*models, *more, roads.fighter("pal", "k", 100, 800))
    roads.roll(match, 6, 1)
    match.do("flee", figure="a")
    while match.game.active == "k" or match.game.phase != "melee":
        match.do("next")
    match.do("next")
    assert match.game.due[0].kind == "rally"
    return match


@claim("Побег", "бежит D6 шагов в направлении строго от своих врагов", "straight away, the whole of the die")
def test_a_flight_is_straight_and_whole(roads: ModuleType) -> None:
    models = roads.fighter("a", "k", 600, 300), roads.fighter("b", "x", 700, 300, terror=True)
    match = roads.skirmish(*models, roads.fighter("pal", "k", 100, 800))
    roads.roll(match, 6, 3)
    refuses(match, "straight away", "flee", figure="a", center_mm=[600, 450])
    refuses(match, "the full 3 steps", "flee", figure="a", center_mm=[500, 300])
    match.do("flee", figure="a", center_mm=[450.5, 300])


@claim("Ужас", "все противники в радиусе 3 шагов от ужасного существа … убегают", "from each that is near", "mended")
def test_a_flight_leads_from_every_terror(roads: ModuleType) -> None:
    models = [
        roads.fighter("a", "k", 600, 400),
        roads.fighter("b", "x", 700, 400, terror=True),
        roads.fighter("c", "x", 600, 500, terror=True),
        roads.fighter("pal", "k", 100, 800),
    ]
    match = roads.skirmish(*models)
    roads.roll(match, 6, 2)
    match.do("flee", figure="a")
    x, y = match.game.piece("a").center_mm
    assert x < 600
    assert y < 400


@claim("Побег", "по направлению к ближайшему краю стола", "not aslant to another edge", "mended")
def test_a_flight_to_the_edge_is_straight(roads: ModuleType) -> None:
    match = fleeing(roads)
    roads.roll(match, 6, 2)
    refuses(match, "to the nearest edge", "flee", figure="a", center_mm=[490, 221])
    match.do("flee", figure="a")
    assert match.game.piece("a").center_mm == pytest.approx((550, 200))


@claim("Побег", "избегая бойцов противника", "round an enemy in its way, not over him", "mended")
def test_a_flight_keeps_clear_of_enemies_on_its_way(roads: ModuleType) -> None:
    match = fleeing(roads, roads.fighter("wall", "x", 550, 250))
    roads.roll(match, 6, 2)
    refuses(match, "keeps clear", "flee", figure="a", center_mm=[550, 200.5])
    match.do("flee", figure="a")
    x, _ = match.game.piece("a").center_mm
    assert abs(x - 550) > 20


@claim("Побег", "ничего не может делать в этот ход", "who rallies stands still")
def test_who_rallies_stands_still(roads: ModuleType) -> None:
    match = fleeing(roads)
    roads.roll(match, 1)
    roads.go_to(match, "move", "k")
    refuses(match, "can do nothing", "move", figure="a")


# Страх, ужас, бешенство, тупость, ненависть


@claim("Страх", "модель не может атаковать и должна оставаться неподвижной", "may shoot or not", "option fear_stay")
def test_who_fears_to_charge_stays(roads: ModuleType) -> None:
    for choice in ("shoots", "idle"):
        models = roads.fighter("a", "k", 300, 300), roads.fighter("d", "x", 500, 300, fear=True)
        match = in_phase(roads, "move", *models, options={"fear_stay": choice})
        match.do("charge", figure="a", target="d")
        roads.roll(match, 6)
        refuses(match, "stay in place|can do nothing", "move", figure="a")
        roads.go_to(match, "shoot")
        if choice == "shoots":
            match.do("shoot", figure="a", target="d")
        else:
            refuses(match, "can do nothing", "shoot", figure="a", target="d")


@claim("Страх", "существа, которые вызываю страх, могут игнорировать эти тесты", "they may, and need not")
def test_the_fearsome_may_ignore_it(roads: ModuleType) -> None:
    models = roads.fighter("a", "k", 300, 300, fear=True), roads.fighter("d", "x", 400, 300, terror=True)
    for waives in (True, False):
        match = in_phase(roads, "move", *models)
        match.do("charge", figure="a", target="d")
        match.do("waive") if waives else roads.roll(match, 1)
        assert match.game.opponents_of("a") == ("d",)


@claim("Ужас", "Ужасные существа вообще не подвержены ни страху, ни ужасу", "terror against terror: no test")
def test_terror_fears_nothing(roads: ModuleType) -> None:
    models = roads.fighter("a", "k", 300, 300, terror=True), roads.fighter("d", "x", 400, 300, terror=True)
    match = roads.skirmish(*models)
    assert dues(match) == []
    roads.go_to(match, "move")
    match.do("charge", figure="a", target="d")
    assert dues(match) == []


@claim("Бешенство", "удвоенным количеством кубиков … не удваивается", "two dice are four, the second weapon one more")
def test_frenzy_doubles_the_profile(roads: ModuleType) -> None:
    match = duel(roads, ones={"dice": 2, "frenzy": True, "weapons": ["axe", "mace"]})
    match.do("fight", fighters=["a", "d"])
    assert len(match.game.duel.rolls[0].final) == 5


@claim("Бешенство", "Если бешеная модель сбита с ног, она более не является бешеной", "lost for good")
def test_frenzy_is_lost_when_down(roads: ModuleType) -> None:
    match = duel(roads, ones={"frenzy": True})
    match.do("wound", figure="a", down=True)
    match.do("next")
    roads.go_to(match, "start", "k")
    match.do("stand_up", figure="a")
    assert "frenzied" not in roads.marks(match, "a")


@claim("Тупость", "не может стрелять, играть Мелодии или наносить удары", "no melody either", "mended")
def test_the_stupid_play_no_melody(roads: ModuleType) -> None:
    ogre = roads.fighter("ogre", "k", 300, 300, stupid=True, melodies=["march"])
    match = roads.skirmish(ogre, roads.fighter("far", "x", 1100, 800))
    roads.roll(match, 6, 5)
    match.do("next")
    match.do("next")
    refuses(match, "can do nothing|plays no melody", "melody", figure="ogre", melody="march")


@claim("Тупость", "двигается прямо вперёд с половинной скоростью", "offered with the place where it ends")
def test_a_shuffle_is_offered_with_its_end(roads: ModuleType) -> None:
    ogre = roads.fighter("ogre", "k", 300, 300, stupid=True, walk_steps=4)
    match = roads.skirmish(ogre, roads.fighter("far", "x", 1100, 800))
    roads.roll(match, 6, 3)
    match.do("next")
    (offer,) = (one for one in prompted(match, "move") if one["fields"].get("figure") == "ogre")
    assert offer["fields"]["center_mm"] == pytest.approx([400, 300])
    match.do("move", **offer["fields"])
    match.do("next")


@claim("Тупость", "Он может упасть с края обрыва", "a fall without a jump can be said", "mended")
def test_a_model_may_fall(roads: ModuleType) -> None:
    match = in_phase(roads, "move", roads.fighter("a", "k", 300, 300))
    match.do("fall", figure="a", steps=2)
    assert dues(match) == [("fall", "a")]
    roads.roll(match, 6, 1)
    assert match.game.piece("a").harm == 3 + 1


@claim("Ненависть", "могут перебросить любые броски атаки в первый ход каждого рукопашного боя", "not in the second")
def test_hatred_in_the_first_round(roads: ModuleType) -> None:
    match = duel(roads, ones={"hates": ["x"], "toughness": 9}, others={"toughness": 9})
    match.do("fight", fighters=["a", "d"], rolled_here=False, rolls=[[1], [2]])
    match.do("reroll", figure="a", why="hatred", which=[0], rolled_here=False, faces=[2])
    match.do("strike")
    match.do("wound", figure="a") if match.game.hits else None
    roads.go_to(match, "melee", "x")
    match.do("fight", fighters=["a", "d"], rolled_here=False, rolls=[[1], [2]])
    assert refuses(match, "is spent", "reroll", figure="a", why="hatred", which=[0]) == "roads/hatred"


@claim("Ненависть", "каждого рукопашного боя", "fresh in a melee that an advance begins in the same turn", "mended")
def test_hatred_is_fresh_after_an_advance(roads: ModuleType) -> None:
    match = duel(roads, ones={"hates": ["x"]})
    match.do("place", figure="far", center_mm=[375, 300])
    roads.fight(match, "a", "d", [6], [1])
    match.do("wound", figure="d", out=True)
    match.do("advance", figure="a", center_mm=[350, 300])
    roads.go_to(match, "melee", "x")
    match.do("fight", fighters=["a", "far"], rolled_here=False, rolls=[[1], [2]])
    match.do("reroll", figure="a", why="hatred", which=[0], rolled_here=False, faces=[6])


# Особые маневры: how far


@claim("Лазание", "равное половине её Подвижности … за одну фазу", "half in a phase, also in parts")
def test_a_climb_is_half_the_mobility(roads: ModuleType) -> None:
    match = in_phase(roads, "move", roads.fighter("a", "k", 300, 300))
    assert refuses(match, "at most 2 steps more", "manoeuvre", figure="a", kind="climb", steps=2.5) == "roads/climb"
    match.do("manoeuvre", figure="a", kind="climb", steps=2)


@claim("Лазание", "равное половине её Подвижности", "it does not end steps away to the side", "mended")
def test_a_climb_does_not_end_far_away(roads: ModuleType) -> None:
    match = in_phase(roads, "move", roads.fighter("a", "k", 300, 300))
    for kind in ("climb", "descend", "down"):
        refuses(match, "at most 1 step", "manoeuvre", figure="a", kind=kind, steps=1, center_mm=[800, 300])
    match.do("manoeuvre", figure="a", kind="climb", steps=1, center_mm=[325, 300])


@claim(
    "Лазание", "Если высота больше, чем Подвижность, воин не может одолеть её", "the wall of the table counts", "mended"
)
def test_the_wall_of_the_table_is_too_high(roads: ModuleType) -> None:
    rock = roads.wall("rock", 312.5, 200, 500, 400, height_mm=250)
    match = in_phase(roads, "move", roads.fighter("a", "k", 300, 300), terrain=(rock,))
    told = {"figure": "a", "kind": "climb", "steps": 2, "terrain": "rock"}
    assert refuses(match, "higher than 4 steps", "manoeuvre", height=2, **told) == "roads/climb"


@claim("Лазание", "Боец должен касаться того, по чему собирается лезть", "of what the table shows", "mended")
def test_a_climb_starts_in_contact(roads: ModuleType) -> None:
    rock = roads.wall("rock", 320, 200, 500, 400, height_mm=100)
    match = in_phase(roads, "move", roads.fighter("a", "k", 300, 300), terrain=(rock,))
    assert refuses(match, "touches nothing", "manoeuvre", figure="a", kind="climb", steps=1) == "roads/climb"
    match.do("place", figure="a", center_mm=[307.5, 300])
    match.do("manoeuvre", figure="a", kind="climb", center_mm=[325, 300])
    roads.roll(match, 1)
    assert match.game.table().figure("a").elevation_mm == 100


@claim("Лазание", "падает с того места, где начинал движение", "a wall of four: a fall of four", "mended")
def test_a_failed_descent_falls_from_where_it_began(roads: ModuleType) -> None:
    match = in_phase(roads, "move", roads.fighter("a", "k", 300, 300))
    match.do("manoeuvre", figure="a", kind="descend", steps=2, height=4)
    roads.roll(match, 6)
    assert [(due.kind, due.steps) for due in match.game.due] == [("fall", 4)]


@claim("Прыжки через провалы", "провалы (максимум до шага в ширину)", "a gap of a step does not carry ten", "mended")
def test_a_gap_is_a_step_wide(roads: ModuleType) -> None:
    match = in_phase(roads, "move", roads.fighter("a", "k", 300, 300))
    told = {"figure": "a", "kind": "gap", "steps": 1}
    assert refuses(match, "at most 1 step", "manoeuvre", center_mm=[800, 300], **told) == "roads/jump-gap"
    refuses(match, "too wide", "manoeuvre", figure="a", kind="gap", center_mm=[800, 300])
    match.do("manoeuvre", center_mm=[350, 300], **told)


@claim("Прыжки через провалы", "допрыгнуть до дальнего края", "the gap on the table says its width and depth", "mended")
def test_the_gap_of_the_table_counts(roads: ModuleType) -> None:
    pit = roads.wall("pit", 310, 0, 345, 600, height_mm=100, kind="gap")
    match = in_phase(roads, "move", roads.fighter("a", "k", 300, 300), terrain=(pit,))
    match.do("manoeuvre", figure="a", kind="gap", steps=1, center_mm=[350, 300])
    roads.roll(match, 6)
    assert [(due.kind, due.steps) for due in match.game.due] == [("fall", 2)]


@claim("Прыжки через провалы", "достаточного запаса передвижения", "nobody says more than he has left", "mended")
def test_the_movement_left_before_a_gap_is_known(roads: ModuleType) -> None:
    match = in_phase(roads, "move", roads.fighter("a", "k", 300, 300, walk_steps=4, run_steps=4))
    match.do("move", figure="a", center_mm=[475, 300])
    match.do("manoeuvre", figure="a", kind="gap", steps=1, left=3, fall_steps=1)
    assert dues(match) == [("fall", "a")], "half a step was left"


@claim("Прыжок вниз", "высотой не более двух шагов", "two and no more; from the table's own height", "mended")
def test_a_jump_down_is_two_steps(roads: ModuleType) -> None:
    match = in_phase(roads, "move", roads.fighter("a", "k", 300, 300))
    told = {"figure": "a", "kind": "down"}
    assert refuses(match, "nobody jumps down 2.1 steps", "manoeuvre", steps=2.1, **told) == "roads/jump-down"
    match.do("manoeuvre", steps=2, **told)
    assert len(match.game.due) == 2, "«тест на Подвижность за каждый полный шаг»"


@claim("Гигантский скачок", "прыгнуть на четыре шага, высота скачка входит в его дистанцию", "place and rise", "mended")
def test_a_leap_is_held_to_its_steps(roads: ModuleType) -> None:
    match = in_phase(roads, "move", roads.fighter("a", "k", 300, 300, leap=4))
    told = {"figure": "a", "kind": "leap"}
    assert refuses(match, "at most 1 step", "manoeuvre", steps=1, center_mm=[800, 300], **told) == "roads/giant-leap"
    assert refuses(match, "at most 4 steps, incl", "manoeuvre", center_mm=[800, 300], **told) == "roads/giant-leap"
    refuses(match, "at most 4 steps, incl", "manoeuvre", rise=1.1, center_mm=[450, 300], **told)
    match.do("manoeuvre", rise=1, center_mm=[449, 300], **told)


@claim("Гигантский скачок", "дабы преодолеть препятствия", "a leap over a wall rises as high as the wall", "mended")
def test_a_leap_over_a_wall_rises(roads: ModuleType) -> None:
    wall = roads.wall("wall", 340, 200, 360, 400, height_mm=50)
    match = in_phase(roads, "move", roads.fighter("a", "k", 300, 300, leap=4), terrain=(wall,))
    told = {"figure": "a", "kind": "leap", "center_mm": [400, 300]}
    assert refuses(match, "a leap over wall rises 1 step", "manoeuvre", rise=0.5, **told) == "roads/giant-leap"
    match.do("manoeuvre", rise=1, **told)
    assert dues(match) == [("jump", "a")]


@claim("Гигантский скачок", "тест на прыжок вниз делается по верхней точке скачка", "rise 2: two tests", "mended")
def test_a_leap_tests_by_its_highest_point(roads: ModuleType) -> None:
    match = in_phase(roads, "move", roads.fighter("a", "k", 300, 300, leap=4), roads.fighter("d", "x", 420, 300))
    match.do("manoeuvre", figure="a", kind="leap", steps=2, rise=2, center_mm=[390, 300], target="d")
    assert dues(match) == [("jump", "a")] * 2
    assert "jumped" not in roads.marks(match, "a")
    roads.roll(match, 1, 1)
    assert match.game.opponents_of("a") == ("d",)


@claim("Атака в прыжке", "в радиусе шага от места, где приземлился", "exactly a step; then +1 and a die")
def test_a_jump_attack_is_within_a_step(roads: ModuleType) -> None:
    for x, near in ((475, True), (475.2, False)):
        models = roads.fighter("a", "k", 300, 300, leap=4), roads.fighter("d", "x", x, 300)
        match = in_phase(roads, "move", *models)
        told = {"figure": "a", "kind": "leap", "center_mm": [400, 300], "target": "d"}
        if near:
            match.do("manoeuvre", **told)
        else:
            refuses(match, "not within a step", "manoeuvre", **told)


@claim("Падение", "D3 урона на каждый шаг высоты", "a started step", "option jump_height_partial")
def test_a_fall_is_a_d3_a_step(roads: ModuleType) -> None:
    for choice, dice in (("floor_tests", 2), ("floor_both", 1)):
        match = in_phase(roads, "move", roads.fighter("a", "k", 300, 300), options={"jump_height_partial": choice})
        match.do("manoeuvre", figure="a", kind="down", steps=1.5)
        roads.roll(match, 6)
        assert match.game.due[0].steps == dice


@claim("Падение", "не может больше двигаться или прятаться в этот ход", "neither")
def test_the_fallen_neither_move_nor_hide(roads: ModuleType) -> None:
    match = in_phase(roads, "move", roads.fighter("a", "k", 300, 300))
    match.do("fall", figure="a", steps=1)
    roads.roll(match, 1)
    refuses(match, "moves no more", "move", figure="a")
    refuses(match, "does not hide", "hide", figure="a")


# Маскировка, дозор, засада


@claim("Маскировка", "Боец, который бежит или нападает, не может маскироваться", "not after a run")
def test_who_ran_does_not_hide(roads: ModuleType) -> None:
    match = in_phase(roads, "move", roads.fighter("a", "k", 300, 300))
    match.do("move", figure="a", how="run", center_mm=[400, 300])
    assert refuses(match, "ran, charged", "hide", figure="a") == "roads/camouflage"


@claim(
    "Маскировка",
    "в пределах половины своего значения Подвижности",
    "mobility 5: two and a half",
    "option half_mobility_round",
)
def test_half_the_mobility_finds(roads: ModuleType) -> None:
    for choice, x in (("keep", 450), ("up", 475)):
        models = roads.fighter("a", "k", 300, 300), roads.fighter("d", "x", x, 300, mobility=5)
        match = in_phase(roads, "move", *models, options={"half_mobility_round": choice})
        assert refuses(match, "too near", "hide", figure="a") == "roads/camouflage"
        match.do("place", figure="d", center_mm=[x + 0.5, 300])
        match.do("hide", figure="a")


@claim("Дозор", "Боец должен полностью отказаться от своего хода", "a watcher neither moves nor shoots in its turn")
def test_a_watcher_does_nothing_else(roads: ModuleType) -> None:
    match = in_phase(roads, "start", roads.fighter("a", "k", 300, 300))
    match.do("watch", figure="a")
    roads.go_to(match, "move")
    refuses(match, "on overwatch", "move", figure="a", center_mm=[350, 300])
    roads.go_to(match, "shoot")
    refuses(match, "on overwatch", "shoot", figure="a", target="far")


@claim("Дозор", "Если воин пострадал … немедленно выходит из дозора", "a wound ends it, armour that holds does not")
def test_a_wound_ends_the_watch(roads: ModuleType) -> None:
    for wounds, watches in ((0, True), (1, False)):
        match = in_phase(roads, "start", roads.fighter("a", "k", 300, 300))
        match.do("watch", figure="a")
        roads.go_to(match, "shoot", "x")
        match.do("shoot", figure="far", target="a", hits=1)
        match.do("wound", figure="a", wounds=wounds)
        assert ("watch" in roads.marks(match, "a")) is watches


@claim("Дозор", "если модель вынуждена двигаться по любой причин", "moving into cover ends it", "mended")
def test_moving_into_cover_ends_the_watch(roads: ModuleType) -> None:
    hedge = roads.wall("hedge", 330, 280, 340, 320, height_mm=20, kind="cover")
    match = in_phase(roads, "start", roads.fighter("a", "k", 300, 300), terrain=(hedge,))
    match.do("watch", figure="a")
    roads.go_to(match, "shoot", "x")
    match.do("react", figure="a", shooter="far", how="take cover", rolled_here=False, roll=3)
    assert "watch" not in roads.marks(match, "a")


def ambush(roads: ModuleType) -> Any:
    models = [
        roads.fighter("a", "k", 300, 300, weapons=["bow"]),
        roads.fighter("d", "x", 600, 300),
        roads.fighter("w", "x", 600, 400),
    ]
    match = in_phase(roads, "move", *models, arms={"bow": {"kind": "bulky", "silent": True}})
    match.do("hide", figure="a")
    roads.go_to(match, "shoot")
    match.do("shoot", figure="a", target="d", weapon="bow", hits=1)
    return match


@claim("Стрельба из засады", "Цель погибает сразу после выстрела", "a target that lives gives it away", "mended")
def test_a_target_that_lives_gives_the_shooter_away(roads: ModuleType) -> None:
    match = ambush(roads)
    match.do("wound", figure="d", wounds=1)
    assert match.game.piece("d").on_table
    assert "camouflaged" not in roads.marks(match, "a")


@claim(
    "Стрельба из засады", "всем бойцам, увидевшим гибель цели", "all who saw it test; one success is enough", "mended"
)
def test_the_witnesses_test_after_the_death(roads: ModuleType) -> None:
    match = ambush(roads)
    match.do("wound", figure="d", out=True)
    assert sorted(dues(match)) == [("ambush", "far"), ("ambush", "w")]
    roads.roll(match, 6, 6)
    assert "camouflaged" in roads.marks(match, "a")


# Реакции


def shot_at(roads: ModuleType, *, terrain: Any = (), **more: Any) -> Any:
    models = roads.fighter("s", "k", 300, 300), roads.fighter("t", "x", 600, 300, **more)
    return in_phase(roads, "shoot", *models, terrain=terrain)


@claim("Реакции на выстрел", "После объявления выстрела, игрок бойца-цели может объявить", "announced before", "mended")
def test_a_shot_is_announced(roads: ModuleType) -> None:
    match = shot_at(roads)
    match.do("announce", by=K, figure="s", target="t")
    refuses(match, "a shot is announced", "next")
    with pytest.raises(NotYours):
        match.do("react", by=K, figure="t", shooter="s", how="duck")
    match.do("react", by=X, figure="t", shooter="s", how="duck", rolled_here=False, roll=4)
    match.do("shoot", by=K, figure="s", target="t", hits=1, total=9)
    assert match.game.shot is None


@claim("Реакции на выстрел", "игрок бойца-цели может объявить", "nobody announces the enemy's shot for him", "mended")
def test_nobody_invents_a_shot(roads: ModuleType) -> None:
    match = shot_at(roads)
    with pytest.raises(NotYours):
        match.do("react", by=X, figure="t", shooter="s", how="duck")


@claim("Пригнись!", "прибавляет к результату свою Подвижность против броска стрелка", "below it no hits, equal hits")
def test_a_duck(roads: ModuleType) -> None:
    match = shot_at(roads)
    match.do("react", figure="t", shooter="s", how="duck", rolled_here=False, roll=3)
    assert refuses(match, "7 against 6", "shoot", figure="s", target="t", hits=1, total=6) == "roads/duck"
    match.do("shoot", figure="s", target="t", hits=1, total=7)


@claim("В укрытие!", "Если в радиусе 1 шага есть укрытие, то боец перемещается в него", "no cover: no place", "mended")
def test_no_cover_no_place(roads: ModuleType) -> None:
    match = shot_at(roads)
    told = {"figure": "t", "shooter": "s", "how": "take cover", "rolled_here": False, "roll": 3}
    assert refuses(match, "in no cover there", "react", center_mm=[600, 345], **told) == "roads/take-cover"
    match.do("react", **told)
    assert "prone" in roads.marks(match, "t")


@claim("В укрытие!", "если же нет, то он падает", "beside cover it moves into it and does not lie down", "mended")
def test_beside_cover_it_moves_in(roads: ModuleType) -> None:
    low = roads.wall("low", 630, 280, 660, 320, height_mm=20, kind="cover")
    match = shot_at(roads, terrain=(low,))
    told = {"figure": "t", "shooter": "s", "how": "take cover", "rolled_here": False, "roll": 3}
    refuses(match, "in no cover there", "react", center_mm=[600, 345], **told)
    refuses(match, "at most 1 step", "react", center_mm=[672, 300], **told)
    match.do("react", **told)
    assert "prone" not in roads.marks(match, "t")
    assert match.game.piece("t").center_mm == pytest.approx((617.5, 300), abs=0.01)


@claim("В укрытие!", "перемещается в него", "nobody steps out of a melee into cover", "mended")
def test_cover_is_no_way_out_of_a_melee(roads: ModuleType) -> None:
    low = roads.wall("low", 630, 280, 660, 320, height_mm=20, kind="cover")
    models = [("s", "k", 300, 300), ("t", "x", 600, 300), ("b", "k", 600, 325)]
    match = in_phase(roads, "shoot", *(roads.fighter(*one) for one in models), terrain=(low,))
    told = {"figure": "t", "shooter": "s", "how": "take cover", "rolled_here": False, "roll": 3}
    refuses(match, "is fighting", "react", center_mm=[617, 300], **told)
    match.do("react", **told)
    assert "prone" in roads.marks(match, "t")


@claim("В укрытие!", "никаких действий до конца этого хода, кроме стрельбы", "who lies only shoots")
def test_who_lies_only_shoots(roads: ModuleType) -> None:
    match = shot_at(roads, melodies=["march"])
    match.do("react", figure="t", shooter="s", how="take cover", rolled_here=False, roll=3)
    match.do("shoot", figure="s", target="t", total=1)
    assert "prone" in roads.marks(match, "t")


@claim("Стрельба на опережение", "При равенстве результатов побеждает стрелок", "equal: the announced shooter")
def test_shooting_first_is_higher(roads: ModuleType) -> None:
    for roll, first in ((3, False), (4, True)):
        match = shot_at(roads)
        match.do("react", figure="t", shooter="s", how="shoot first", rolled_here=False, roll=roll, shooter_roll=3)
        assert match.game.reaction.is_first is first


@claim("Стрельба на опережение", "Победивший в опережении стреляет первым", "a shooter who is dead shoots no more")
def test_a_dead_shooter_shoots_no_more(roads: ModuleType) -> None:
    match = shot_at(roads)
    match.do("announce", figure="s", target="t")
    match.do("react", figure="t", shooter="s", how="shoot first", rolled_here=False, roll=6, shooter_roll=1)
    match.do("shoot", figure="t", target="s", hits=1)
    match.do("wound", figure="s", down=True)
    assert (match.game.shot, match.game.reaction) == (None, None)


@claim("Реакции на выстрел", "После объявления выстрела", "a shot that nobody can take any more is off", "mended")
def test_a_shot_that_cannot_be_taken_is_off(roads: ModuleType) -> None:
    match = shot_at(roads)
    match.do("announce", figure="s", target="t")
    assert prompted(match, "call_off") == []
    refuses(match, "takes the shot", "call_off")
    match.do("place", figure="s", center_mm=[577, 300])
    assert len(prompted(match, "call_off")) == 1
    assert "call_off" in {offer["type"] for offer in match.session.guide({}, PUBLIC)["offers"]}
    match.do("call_off")
    match.do("next")


# Кто: moments of the other side


def waits(match: Any, by: Any, type_: str, **fields: Any) -> None:
    assert refuses(match, "wait for an answer", type_, by=by, **fields) == "match/moments"


def lets_be(match: Any, by: Any) -> None:
    """A side passes in all that it is asked, on its own device."""
    asked = [one.id for one in match.session.moments() if one.side == by.side]
    match.session.command({"type": "pass", "of": by.side, "asked": asked}, by)


@claim("Блок", "модель со щитом может заставить противника перебросить", "he may, before the other decides", "mended")
def test_a_fight_waits_for_the_block(roads: ModuleType) -> None:
    match = duel(roads, others={"shield": True})
    match.do("fight", by=K, fighters=["a", "d"], rolled_here=False, rolls=[[6], [2]])
    waits(match, K, "strike")
    match.do("reroll", by=X, figure="d", why="block", rolled_here=False, faces=[3])
    match.do("strike", by=K)
    assert match.game.hits[0].hits == 1


@claim("Блок", "может", "he need not, and then says so", "mended")
def test_a_fight_goes_on_when_the_block_is_let_be(roads: ModuleType) -> None:
    match = duel(roads, others={"shield": True})
    match.do("fight", by=K, fighters=["a", "d"], rolled_here=False, rolls=[[6], [2]])
    lets_be(match, X)
    match.do("strike", by=K)
    assert match.game.hits[0].hits == 4


@claim("Ненависть", "могут перебросить любые броски атаки", "before the fight is decided", "mended")
def test_a_fight_waits_for_hatred(roads: ModuleType) -> None:
    match = duel(roads, others={"hates": ["k"]})
    match.do("fight", by=K, fighters=["a", "d"], rolled_here=False, rolls=[[6], [1]])
    waits(match, K, "strike")
    match.do("reroll", by=X, figure="d", why="hatred", which=[0], rolled_here=False, faces=[5])
    match.do("strike", by=K)


@claim("Реакции на выстрел", "После объявления выстрела, игрок бойца-цели может объявить", "before its roll", "mended")
def test_a_shot_waits_for_the_reaction(roads: ModuleType) -> None:
    match = shot_at(roads)
    waits(match, K, "shoot", figure="s", target="t", hits=2)
    match.do("announce", by=K, figure="s", target="t")
    waits(match, K, "shoot", figure="s", target="t", hits=2)
    match.do("react", by=X, figure="t", shooter="s", how="duck", rolled_here=False, roll=6)
    assert refuses(match, "10 against 9", "shoot", by=K, figure="s", target="t", hits=2, total=9) == "roads/duck"
    match.do("shoot", by=K, figure="s", target="t", hits=2, total=10)


@claim("Реакции на выстрел", "может объявить", "the shooter does not react for the target", "mended")
def test_the_shooter_does_not_react_for_his_target(roads: ModuleType) -> None:
    match = shot_at(roads)
    waits(match, K, "react", figure="t", shooter="s", how="take cover")


@claim("Дозор", "в любой другой момент движения", "the mover does not arrive before the watcher has said no", "mended")
def test_a_move_waits_for_the_watcher(roads: ModuleType) -> None:
    models = roads.fighter("w", "k", 300, 300), roads.fighter("t", "x", 600, 300)
    match = roads.skirmish(*models)
    match.do("watch", by=K, figure="w")
    roads.go_to(match, "move", "x")
    match.do("move", by=X, figure="t", center_mm=[550, 300])
    waits(match, X, "go_on")
    lets_be(match, K)
    match.do("go_on", by=X)
    assert match.game.piece("t").center_mm == (550, 300)


@claim(
    "Дозор", "Во время хода противника воин может стрелять", "his turn does not end over the watcher's head", "mended"
)
def test_a_turn_waits_for_the_watcher(roads: ModuleType) -> None:
    models = roads.fighter("w", "k", 300, 300), roads.fighter("t", "x", 600, 300)
    match = roads.skirmish(*models)
    match.do("watch", by=K, figure="w")
    roads.go_to(match, "melee", "x")
    waits(match, X, "next")
    match.do("announce", by=K, figure="w", target="t")
    lets_be(match, X)
    match.do("shoot", by=K, figure="w", target="t", hits=1)


@claim("Кто может сражаться", "все бойцы … могут драться", "a turn does not end over the duel he wants", "mended")
def test_a_turn_waits_for_the_duel_of_the_other(roads: ModuleType) -> None:
    match = duel(roads)
    waits(match, K, "next")
    lets_be(match, X)
    match.do("next", by=K)


@claim("Продвижение", "не имеет значения, чей сейчас ход", "a turn does not end over the other's advance", "mended")
def test_a_turn_waits_for_the_advance_of_the_other(roads: ModuleType) -> None:
    match = duel(roads)
    roads.go_to(match, "melee", "x")
    match.do("fight", by=K, fighters=["a", "d"], rolled_here=False, rolls=[[6], [1]])
    match.do("strike", by=K)
    match.do("wound", by=X, figure="d", out=True)
    waits(match, X, "next")
    match.do("advance", by=K, figure="a", stays=True)
    match.do("next", by=X)


@claim("Оружие", "Игрок должен объявить об этом перед началом схватки", "who may change is asked before it", "mended")
def test_a_fight_waits_for_the_change_of_weapons(roads: ModuleType) -> None:
    arms = {"gun": {"kind": "bulky"}}
    match = duel(roads, others={"weapons": ["gun"], "carries": ["knife"]}, arms=arms)
    waits(match, K, "fight", fighters=["a", "d"])
    match.do("wield", by=X, figure="d", weapons=["knife"])
    match.do("fight", by=K, fighters=["a", "d"])


@claim("Блок", "может", "a hasty close is taken back by him whose answer it was", "mended")
def test_a_hasty_close_is_taken_back(roads: ModuleType) -> None:
    match = duel(roads, others={"shield": True})
    match.do("fight", fighters=["a", "d"], rolled_here=False, rolls=[[6], [1]])
    match.session.command({"type": "strike"}, JUDGE)
    match.do("undo", by=JUDGE)
    match.session.command({"type": "strike"}, TABLE)
    match.do("undo", by=X)
    match.do("reroll", by=X, figure="d", why="block", rolled_here=False, faces=[1])


@claim("Последствия ранений", "отработайте их так же, как и при стрельбе", "the owner says what hits did", "mended")
def test_the_owner_says_what_his_hits_did(roads: ModuleType) -> None:
    match = duel(roads)
    roads.fight(match, "a", "d", [6], [2])
    with pytest.raises(NotYours):
        match.do("wound", by=K, figure="d", out=True)
    match.do("wound", by=X, figure="d", wounds=1)


@claim("Ход", "в радиусе атаки (измеряется …)", "a walk without a length in the set-up is the players' word", "by hand")
def test_a_walk_without_a_length_is_by_hand(roads: ModuleType) -> None:
    match = in_phase(roads, "move", roads.fighter("a", "k", 300, 300), roads.fighter("b", "k", 300, 600, walk_steps=4))
    match.do("move", figure="a", center_mm=[900, 300])
    assert verdict(match) == ("by hand", "roads/moves")
    refuses(match, "at most 4 steps", "move", figure="b", center_mm=[501, 600])
    match.do("move", figure="b", center_mm=[500, 600])
    assert verdict(match)[0] == "yes"


@claim(
    "Вне диапазона дальности",
    "бросать кубик все равно необходимо",
    "the fragment lacks the roll to hit: a shot is the players' word, in range and out of it",
    "by hand",
)
def test_a_shot_is_by_hand(roads: ModuleType) -> None:
    models = roads.fighter("a", "k", 300, 300, weapons=["gun"]), roads.fighter("b", "k", 900, 700, weapons=["gun"])
    match = in_phase(roads, "shoot", *models, arms={"gun": {"kind": "pistol", "range_steps": 10}})
    for name in ("a", "b"):
        match.do("shoot", figure=name, target="far", weapon="gun")
        assert verdict(match) == ("by hand", "roads/shots")


@claim(
    "Необычное оружие", "Неисправности", "that a jam ends, and that the fallen rise, is the players' word", "by hand"
)
def test_what_only_people_know_is_by_hand(roads: ModuleType) -> None:
    match = in_phase(
        roads, "shoot", roads.fighter("a", "k", 300, 300, weapons=["gun"]), arms={"gun": {"kind": "pistol"}}
    )
    match.do("shoot", figure="a", target="far", weapon="gun", misfire_test=True, misfires=True)
    match.do("clear_jam", figure="a", weapon="gun")
    assert verdict(match) == ("by hand", "roads/jams")
    match.do("wound", figure="a", down=True)
    match.do("stand_up", figure="a")
    assert verdict(match) == ("by hand", "roads/rising")


@claim("Ход", "передвижение", "no way ends off the table", "mended")
def test_no_way_ends_off_the_table(roads: ModuleType) -> None:
    match = in_phase(roads, "move", roads.fighter("a", "k", 300, 300))
    refuses(match, "would leave the table", "move", figure="a", center_mm=[-10, 300])


# What a second reading of the seed asked


@claim(
    "Гигантский скачок",
    "способен прыгнуть на четыре шага",
    "four steps a turn in all, in one leap or in several, rises included",
    "mended",
)
def test_leaps_of_a_turn_are_no_longer_than_its_ability(roads: ModuleType) -> None:
    match = in_phase(roads, "move", roads.fighter("a", "k", 300, 300, leap=4))
    match.do("manoeuvre", figure="a", kind="leap", steps=1, rise=1, center_mm=[350, 300])
    roads.roll(match, 1)
    refuses(match, "leaps at most 2 steps", "manoeuvre", figure="a", kind="leap", steps=3, center_mm=[500, 300])
    match.do("manoeuvre", figure="a", kind="leap", steps=2, center_mm=[450, 300])
    refuses(match, "leapt as far as it can", "manoeuvre", figure="a", kind="leap", steps=1, center_mm=[500, 300])
    roads.go_to(match, "start", "x")
    roads.go_to(match, "move", "k")
    match.do("manoeuvre", figure="a", kind="leap", steps=4, center_mm=[650, 300])


@claim("Гигантский скачок", "прыгнуть на четыре шага", "whether a leap comes off the movement", "option leap_movement")
def test_whether_a_leap_costs_movement(roads: ModuleType) -> None:
    for choice in ("free", "taken"):
        lame = roads.fighter("a", "k", 300, 300, leap=4, walk_steps=4)
        match = in_phase(roads, "move", lame, options={"leap_movement": choice})
        match.do("move", figure="a", center_mm=[450, 300])
        told = {"figure": "a", "kind": "leap", "steps": 2, "center_mm": [550, 300]}
        if choice == "free":
            match.do("manoeuvre", **told)
        else:
            refuses(match, "1 step of movement left", "manoeuvre", **told)


@claim("Ход", "передвижение", "no model ends on another's base, friend or not", "mended")
def test_nobody_ends_on_a_base(roads: ModuleType) -> None:
    models = roads.fighter("a", "k", 300, 300, leap=4), roads.fighter("b", "k", 400, 300)
    match = in_phase(roads, "move", *models)
    for type_, more in (("move", {}), ("manoeuvre", {"kind": "leap", "steps": 3})):
        refuses(match, "would stand on B", type_, figure="a", center_mm=[380, 300], **more)
    match.do("move", figure="a", center_mm=[375, 300])


@claim("Ход", "передвижение", "a charge does not end on a mate's base, an advance neither", "mended")
def test_no_charge_and_no_advance_ends_on_a_mate(roads: ModuleType) -> None:
    models = roads.fighter("a", "k", 300, 300), roads.fighter("b", "k", 400, 300), roads.fighter("d", "x", 425, 300)
    match = in_phase(roads, "move", *models)
    refuses(match, "would stand on B", "charge", figure="a", target="d", center_mm=[402, 305])
    match.do("charge", figure="a", target="d")
    roads.go_to(match, "melee")
    match.do("wound", figure="d", out=True)
    refuses(match, "would stand on B", "advance", figure="a", center_mm=[401, 299])


@claim(
    "В укрытие!",
    "никаких действий до конца этого хода, кроме стрельбы",
    "who lies neither ducks nor hides again",
    "mended",
)
def test_who_lies_only_shoots_first(roads: ModuleType) -> None:
    models = [("a", "k", 300, 300), ("a2", "k", 300, 350), ("d", "x", 600, 300)]
    match = in_phase(roads, "shoot", *(roads.fighter(*one) for one in models))
    match.do("announce", figure="a", target="d")
    match.do("react", figure="d", shooter="a", how="take cover", rolled_here=False, roll=6)
    match.do("shoot", figure="a", target="d", total=1)
    match.do("announce", figure="a2", target="d")
    for how in ("duck", "take cover"):
        told = {"figure": "d", "shooter": "a2", "how": how, "rolled_here": False, "roll": 6}
        assert refuses(match, "only shoots this turn", "react", **told) == "roads/take-cover"
    match.do("react", figure="d", shooter="a2", how="shoot first", rolled_here=False, roll=6, shooter_roll=1)


@claim("Маскировка", "если он завершает движение", "who hides moves no more this turn", "mended")
def test_who_hides_has_ended_its_move(roads: ModuleType) -> None:
    match = in_phase(roads, "move", roads.fighter("a", "k", 300, 300, leap=4, walk_steps=4))
    match.do("move", figure="a", center_mm=[350, 300])
    match.do("hide", figure="a")
    for type_, more in (("move", {}), ("move", {"how": "run"}), ("manoeuvre", {"kind": "leap", "steps": 1})):
        refuses(match, "has moved already", type_, figure="a", center_mm=[400, 300], **more)


@claim("Маскировка", "он так же может скрытно двигаться за укрытием", "a later walk keeps it hidden, a run does not")
def test_a_hidden_model_sneaks(roads: ModuleType) -> None:
    for how, stays in (("walk", True), ("run", False)):
        match = in_phase(roads, "move", roads.fighter("a", "k", 300, 300))
        match.do("hide", figure="a")
        roads.go_to(match, "move", "x")
        roads.go_to(match, "move", "k")
        match.do("move", figure="a", how=how, center_mm=[340, 300])
        assert ("camouflaged" in roads.marks(match, "a")) is stays


@claim("Маскировка", "не может быть целью стрельбы", "nor announced, nor from watch")
def test_the_hidden_are_not_shot_at(roads: ModuleType) -> None:
    match = in_phase(roads, "move", roads.fighter("a", "x", 300, 300), roads.fighter("d", "k", 600, 300), side="x")
    match.do("hide", figure="a")
    roads.go_to(match, "shoot", "k")
    for type_ in ("shoot", "announce"):
        assert refuses(match, "is camouflaged", type_, figure="d", target="a") == "roads/camouflage"


@claim("Маскировка", "не может стрелять, не выдавая свою позицию", "a shot without a death shows it")
def test_a_shot_shows_the_hidden(roads: ModuleType) -> None:
    match = in_phase(roads, "move", roads.fighter("a", "k", 300, 300))
    match.do("hide", figure="a")
    roads.go_to(match, "shoot")
    match.do("shoot", figure="a", target="far")
    assert "camouflaged" not in roads.marks(match, "a")


@claim("Дозор", "Пешие воины могут встать в дозор в начале своего хода", "no rider, nobody later in the turn")
def test_watch_is_for_models_on_foot_at_the_start(roads: ModuleType) -> None:
    models = roads.fighter("a", "k", 300, 300, on_foot=False), roads.fighter("b", "k", 600, 600)
    match = in_phase(roads, "start", *models)
    refuses(match, "on foot", "watch", figure="a")
    roads.go_to(match, "move")
    refuses(match, "at the start of the turn", "watch", figure="b")


@claim(
    "Дозор", "может оставаться замаскированным, если он начал свой ход замаскированным", "but does not hide on watch"
)
def test_a_watcher_stays_hidden_and_does_not_hide(roads: ModuleType) -> None:
    match = in_phase(roads, "move", roads.fighter("a", "k", 300, 300), roads.fighter("b", "k", 600, 600))
    match.do("hide", figure="a")
    roads.go_to(match, "start", "x")
    roads.go_to(match, "start", "k")
    match.do("watch", figure="a")
    match.do("watch", figure="b")
    assert {"camouflaged", "watch"} <= roads.marks(match, "a")
    roads.go_to(match, "move")
    refuses(match, "does nothing else", "hide", figure="b")


@claim("Дозор", "Как только боец в дозоре пострелял, уберите маркер дозора", "one shot, and the watch is over")
def test_a_watcher_shoots_once(roads: ModuleType) -> None:
    match = in_phase(roads, "start", roads.fighter("a", "k", 300, 300), roads.fighter("d", "x", 600, 300))
    match.do("watch", figure="a")
    roads.go_to(match, "start", "x")
    match.do("shoot", figure="a", target="d")
    refuses(match, "only a model on overwatch", "shoot", figure="a", target="d")


@claim("Дозор", "не стреляет в ход противника, то она выходит из дозора", "it is over in its own next turn")
def test_a_watch_ends_with_the_enemys_turn(roads: ModuleType) -> None:
    match = in_phase(roads, "start", roads.fighter("a", "k", 300, 300))
    match.do("watch", figure="a")
    roads.go_to(match, "start", "x")
    roads.go_to(match, "move", "k")
    assert "watch" not in roads.marks(match, "a")
    match.do("move", figure="a", center_mm=[340, 300])


@claim("Лазание", "за исключением животных и многих механизмов", "who does not climb goes neither up nor down")
def test_animals_do_not_climb(roads: ModuleType) -> None:
    match = in_phase(roads, "move", roads.fighter("a", "k", 300, 300, climbs=False))
    for kind in ("climb", "descend"):
        assert refuses(match, "does not climb", "manoeuvre", figure="a", kind=kind, steps=1) == "roads/climb"


@claim("Лазание", "Если тест провален, модель не может двигаться в этот ход", "no second try; it may shoot")
def test_a_failed_climb_roots(roads: ModuleType) -> None:
    match = in_phase(roads, "move", roads.fighter("a", "k", 300, 300), roads.fighter("d", "x", 500, 300))
    match.do("manoeuvre", figure="a", kind="climb", steps=1)
    roads.roll(match, 6)
    refuses(match, "stay in place", "move", figure="a", center_mm=[340, 300])
    refuses(match, "stay in place", "manoeuvre", figure="a", kind="climb", steps=1)
    roads.go_to(match, "shoot")
    match.do("shoot", figure="a", target="d")


@claim(
    "Лазание", "не может бежать во время лазания … Оставшееся передвижение", "half a wall leaves two of four to walk"
)
def test_what_a_climb_leaves(roads: ModuleType) -> None:
    match = in_phase(roads, "move", roads.fighter("a", "k", 300, 300, walk_steps=4, run_steps=8))
    match.do("manoeuvre", figure="a", kind="climb", steps=1)
    roads.roll(match, 1)
    refuses(match, "climbs this turn and does not run", "move", figure="a", how="run", center_mm=[340, 300])
    refuses(match, "at most 2 steps", "move", figure="a", center_mm=[401, 300])
    match.do("move", figure="a", center_mm=[400, 300])


@claim("Прыжки через провалы", "выстрелить после этого, если она не бежит", "after a run over a gap it does not shoot")
def test_a_jump_and_a_shot(roads: ModuleType) -> None:
    for runs in (False, True):
        models = roads.fighter("a", "k", 300, 300, walk_steps=4, run_steps=8), roads.fighter("d", "x", 700, 300)
        match = in_phase(roads, "move", *models)
        match.do("move", figure="a", how="run" if runs else "walk", center_mm=[350, 300])
        match.do("manoeuvre", figure="a", kind="gap", steps=1, center_mm=[400, 300])
        roads.roll(match, 1)
        roads.go_to(match, "shoot")
        if runs:
            refuses(match, "ran or is on overwatch", "shoot", figure="a", target="d")
        else:
            match.do("shoot", figure="a", target="d")


@claim("Прыжки через провалы", "должен пройти тест на Подвижность, либо упасть", "it falls as deep as the gap")
def test_a_failed_jump_falls_into_the_gap(roads: ModuleType) -> None:
    match = in_phase(roads, "move", roads.fighter("a", "k", 300, 300, walk_steps=4))
    match.do("manoeuvre", figure="a", kind="gap", steps=1, fall_steps=2, center_mm=[350, 300])
    roads.roll(match, 6, 5, 3)
    assert match.game.piece("a").harm == 5
    assert refuses(match, "has fallen", "move", figure="a", center_mm=[310, 300]) == "roads/fall"


@claim("Прыжок вниз", "тест на Подвижность за каждый полный шаг", "two steps: two tests; one and a half: one")
def test_a_test_for_each_full_step(roads: ModuleType) -> None:
    for steps, count in ((2, 2), (1.5, 1), (0.5, 0)):
        match = in_phase(roads, "move", roads.fighter("a", "k", 300, 300))
        match.do("manoeuvre", figure="a", kind="down", steps=steps)
        assert dues(match) == [("jump", "a")] * count


@claim("Прыжок вниз", "Если он провалит любой из тестов, воин падает с того места, откуда прыгал", "the second, too")
def test_any_failed_test_is_a_fall(roads: ModuleType) -> None:
    match = in_phase(roads, "move", roads.fighter("a", "k", 300, 300))
    match.do("manoeuvre", figure="a", kind="down", steps=2)
    roads.roll(match, 1, 6)
    assert (match.game.due[0].kind, match.game.due[0].steps) == ("fall", 2)


@claim("Прыжок вниз", "не отнимается от дистанции передвижения", "after two steps down a whole walk is left")
def test_a_jump_down_costs_no_movement(roads: ModuleType) -> None:
    match = in_phase(roads, "move", roads.fighter("a", "k", 300, 300, walk_steps=4))
    match.do("manoeuvre", figure="a", kind="down", steps=2)
    roads.roll(match, 1, 1)
    match.do("move", figure="a", center_mm=[500, 300])


@claim("Атака в прыжке", "Если модель … желает атаковать врага вызывающего страх", "fear comes before the jump")
def test_a_jump_at_the_fearsome_tests_fear_first(roads: ModuleType) -> None:
    models = roads.fighter("a", "k", 300, 300), roads.fighter("d", "x", 360, 300, fear=True)
    match = in_phase(roads, "move", *models)
    match.do("manoeuvre", figure="a", kind="down", steps=1, target="d", center_mm=[330, 300])
    assert dues(match) == [("fear to charge", "a"), ("jump", "a")]
    roads.roll(match, 6)
    assert dues(match) == []
    assert match.game.opponents_of("a") == ()


@claim("Атака в прыжке", "Если хотя бы один тест провален, … не может двигаться и атаковать", "no contact, no bonus")
def test_a_failed_jump_attack(roads: ModuleType) -> None:
    match = in_phase(roads, "move", roads.fighter("a", "k", 300, 300), roads.fighter("d", "x", 360, 300))
    match.do("manoeuvre", figure="a", kind="down", steps=2, target="d", center_mm=[330, 300])
    roads.roll(match, 1, 6, 1, 1)
    assert not {"jumped", "charged"} & roads.marks(match, "a")
    refuses(match, "has fallen", "charge", figure="a", target="d")


@claim("Атака в прыжке", "только на первый раунд рукопашного боя", "the bonus is gone in the next turn")
def test_the_bonus_of_a_jump_is_for_one_round(roads: ModuleType) -> None:
    match = in_phase(roads, "move", roads.fighter("a", "k", 300, 300), roads.fighter("d", "x", 360, 300))
    match.do("manoeuvre", figure="a", kind="down", steps=1, target="d", center_mm=[330, 300])
    roads.roll(match, 1)
    assert "jumped" in roads.marks(match, "a")
    roads.go_to(match, "melee", "x")
    match.do("fight", fighters=["a", "d"], rolled_here=False, rolls=[[2], [2]])


@claim("Оружие", "может сражаться только одной рукой", "a rifle, a sword and an axe: no second die")
def test_a_bulky_weapon_leaves_one_hand(roads: ModuleType) -> None:
    match = duel(
        roads,
        ones={"weapons": ["rifle", "sword", "axe"]},
        arms={"rifle": {"kind": "bulky"}, "sword": {"kind": "melee"}, "axe": {"kind": "melee"}},
    )
    refuses(match, "roll 1 dice for A", "fight", fighters=["a", "d"], rolled_here=False, rolls=[[1, 1], [1]])
    match.do("fight", fighters=["a", "d"], rolled_here=False, rolls=[[1], [1]])


@claim("Парное оружие", "Гранаты могут считаться дополнительным оружием", "a sword and a grenade: a die more")
def test_a_grenade_is_a_second_weapon(roads: ModuleType) -> None:
    arms = {"bomb": {"kind": "thrown"}, "sword": {"kind": "melee"}}
    match = duel(roads, ones={"weapons": ["sword", "bomb"]}, arms=arms)
    match.do("fight", fighters=["a", "d"], rolled_here=False, rolls=[[1, 1], [1]])


@claim("Ужас", "в радиусе 3 шагов от ужасного существа в начале своего хода", "at exactly three steps, not beyond")
def test_terror_reaches_three_steps(roads: ModuleType) -> None:
    for x, near in ((475, True), (476, False)):
        match = roads.skirmish(roads.fighter("a", "k", 300, 300), roads.fighter("t", "x", x, 300, terror=True))
        assert (("terror", "a") in dues(match)) is near


@claim("Страх", "в этом раунде рукопашной, результат броска кубика атаки снижается вдвое", "not in the next round")
def test_fear_is_for_this_round(roads: ModuleType) -> None:
    match = in_phase(roads, "move", roads.fighter("a", "k", 300, 300, fear=True), roads.fighter("d", "x", 400, 300))
    match.do("charge", figure="a", target="d")
    roads.roll(match, 6)
    assert "afraid" in roads.marks(match, "d")
    roads.go_to(match, "melee", "x")
    assert "afraid" not in roads.marks(match, "d")


@claim("Тест на Разгром", "Игра заканчивается немедленно", "no step follows a failed test")
def test_a_rout_ends_the_game(roads: ModuleType) -> None:
    models = [roads.fighter(f"k{n}", "k", 200 + 60 * n, 200) for n in range(3)]
    match = roads.skirmish(*models, roads.fighter("e", "x", 1000, 800))
    match.do("wound", figure="k0", out=True)
    roads.go_to(match, "start", "x")
    while match.game.active != "k":
        roads.end_phase(match)
    roads.roll(match, 5)
    assert match.game.winner == "x"
    refuses(match, "the match is over", "next")


@claim("Атака сбитых с ног", "Если противник находится в бою со сбитым с ног воином", "both down: nobody hits")
def test_two_fallen_hit_nobody(roads: ModuleType) -> None:
    match = duel(roads)
    for name in ("a", "d"):
        match.do("wound", figure=name, down=True)
    match.do("fight", fighters=["a", "d"], rolled_here=False, rolls=[[], []])
    match.do("strike")
    assert match.game.hits == ()


@claim(
    "Тупость",
    "не может … наносить удары в ближнем бою (хотя оппонент всё равно должен делать броски)",
    "a win: no hits",
)
def test_the_stupid_strike_nobody(roads: ModuleType) -> None:
    match = roads.skirmish(roads.fighter("a", "k", 300, 300, stupid=True, spirit=1), roads.fighter("d", "x", 325, 300))
    roads.roll(match, 6)
    assert dues(match) == []
    roads.go_to(match, "melee")
    roads.fight(match, "a", "d", [6], [1])
    assert match.game.hits == ()


@claim(
    "Атака сбитых с ног",
    "он может атаковать его",
    "in a fight of many, too: the turn does not end over the blow that the larger side wants",
    "mended",
)
def test_a_turn_waits_for_the_blow_at_the_fallen(roads: ModuleType) -> None:
    models = [("a", "k", 300, 300), ("b", "k", 350, 300), ("d", "x", 325, 300)]
    match = in_phase(roads, "melee", *(roads.fighter(*one) for one in models), side="x")
    match.do("wound", figure="d", down=True)
    with pytest.raises(IllegalStep, match="fight D"):
        match.do("next", by=X)
    match.do("fight", by=K, fighters=["a", "d"])


HEAD = """# Claims out of seed 003, each tried on the engine

Who, how far, when, and all of it together: every row is a claim of a sentence, with the test in
`tests/match/test_roads_claims.py` that tries it. *Mended*: it was wrong, lax, or could not be said when it was first
tried. *Option*: the sentence can be read otherwise, and the house chooses. *By hand*: the fragment lacks the rule, and
the players' word counts, which the verdict on such a step says. `python tests/match/test_roads_claims.py` writes this.

| # | heading | sentence | claim | verdict | test |
| --- | --- | --- | --- | --- | --- |
"""


def table() -> str:
    lines = (
        f"| {number} | {one.heading} | «{one.sentence}» | {one.says} | {one.verdict} | `{one.test}` |"
        for number, one in enumerate(CLAIMS, 1)
    )
    return HEAD + "\n".join(lines) + "\n"


def test_the_table_lists_every_claim() -> None:
    assert len(CLAIMS) >= 90
    assert TABLE_FILE.read_text(encoding="utf-8") == table()


if __name__ == "__main__":
    TABLE_FILE.write_text(table(), encoding="utf-8")
    sys.exit(0)
