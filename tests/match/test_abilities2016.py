"""Cards and abilities of DOOM 2016, composed of effects by a mission; the cards themselves are ours."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import pytest
from msgspec.structs import replace

from assistant.errors import BadValue, IllegalStep, UnknownName
from assistant.games.doom2016.match.attack_rules import count_colors, damage_of, has_cover
from assistant.games.doom2016.match.invader import PlayEvent2016, SpendArgent
from assistant.games.doom2016.match.rounds import list_initiative_cards
from assistant.games.doom2016.match.setup import AttackProfile, DamageArea, DrawCards, RerollDice
from assistant.match.actor import JUDGE
from assistant.match.audience import JUDGE_VIEW
from assistant.match.chance import Chance
from assistant.match.session import Session

ONE_RED = {"range": 9, "dice": {"red": 1}}
CARDS = {
    "plain": {"name": "Plain", "kind": "main", "movement": 1, "attack": ONE_RED},
    "rocket": {
        "name": "Rocket",
        "kind": "main",
        "attack": {**ONE_RED, "effects": [{"effect": "area_damage", "damage": 2}]},
    },
    "freeze": {"name": "Freeze", "kind": "main", "attack": {**ONE_RED, "effects": [{"effect": "stun"}]}},
    "scope": {"name": "Scope", "kind": "main", "attack": {**ONE_RED, "effects": [{"effect": "ignore_cover"}]}},
    "double": {
        "name": "Double",
        "kind": "main",
        "attack": ONE_RED,
        "effects": [
            {"effect": "attack", "attack": {"range": 1, "dice": {"black": 1}}},
            {"effect": "movement", "points": 2},
        ],
    },
    "block": {"name": "Block", "kind": "reaction", "shields": 1, "effects": [{"effect": "dodge"}], "when": "defending"},
    "fury": {"name": "Fury", "effects": [{"effect": "dice", "dice": {"black": 1}}], "when": "attacking"},
    "skin": {"name": "Skin", "effects": [{"effect": "damage", "amount": -2}], "when": "defending"},
    "savage": {"name": "Savage", "effects": [{"effect": "heal", "points": 3}, {"effect": "movement", "points": 1}]},
}
ABILITIES = [
    {"name": "Steady", "when": "attacking", "exhausts": True, "effects": [{"effect": "reroll", "count": 1}]},
    {"name": "Dash", "effects": [{"effect": "movement", "points": 3}], "action": "main"},
    {"name": "Supplies", "effects": [{"effect": "draw", "count": 2}], "exhausts": True},
    {"name": "Aim", "when": "attacking", "effects": [{"effect": "ignore_cover"}]},
    {"name": "Grenade", "effects": [{"effect": "area_damage", "damage": 1, "radius": 2, "spares": "marines"}]},
]
MANY_EVENTS = ["fury", "fury", "skin"] * 6
"""More than the invader draws at first, so that cards are left to be revealed."""

HEAL_TWO = {"effect": "heal", "points": 2}

RAGE = {"name": "Rage", "when": "attacking", "argent": 1, "effects": [{"effect": "dice", "dice": {"red": 1}}]}


def begun(build: ModuleType, *, tutorial: bool = False, **setup: Any) -> Any:
    """Alpha with every card in his pile and the invader with every event, on a corridor."""
    base = build.mission(build.TUTORIAL)
    marines = [
        {**marine, "deck": [*CARDS, *CARDS], "hand": 16, "abilities": ABILITIES} for marine in base.setup["marines"]
    ]
    demons = [{**demon, "abilities": [RAGE]} for demon in base.setup["demons"]]
    goals = {**base.setup["goals"], "tutorial": tutorial}
    cards = {"events": ["fury", "fury", "skin"] * 2, "glory": ["savage"] * 3, "cards": CARDS}
    figures = {"marines": marines, "demons": demons}
    changes = {**figures, **cards, "goals": goals, "dice_in_box": {"red": 4, "black": 2}, **setup}
    match = build.begun(build.with_setup(base, **changes))
    match.do("see", document=build.corridor(13, 3))
    match.do("status", shuffled_here=False)
    return match


def alpha_plays(build: ModuleType, card: str, **setup: Any) -> Any:
    match = begun(build, **setup)
    match.do("reveal", card="alpha")
    match.do("play", card=card)
    return match


def roll(match: Any, defender: str, red: int) -> None:
    match.do("attack", defender=defender, rolled_here=False, dice=[["red", red]])


def roll_at_cover(match: Any) -> None:
    """Roll Alpha's red die at a demon behind three figures that fill the corridor from wall to wall."""
    places = {"possessed-2": [8, 1], "alpha": [1, 1], "possessed-1": [4, 0], "bravo": [4, 1], "charlie": [4, 2]}
    for figure, cell in places.items():
        match.do("place", figure=figure, cells=[cell])
    roll(match, "possessed-2", 3)


def harm(match: Any, figure: str) -> int:
    return int(match.game.piece(figure).harm)


# “Некоторые карты Действий имеют уникальные способности, которые морпехи могут использовать для различных действий,
# таких как дополнительные атаки или переброс кубиков.” (seed 001, “Розыгрыш карт действий”)


def test_a_card_gives_another_attack_and_movement(build: ModuleType) -> None:
    match = alpha_plays(build, "double")
    assert [attack.range for attack in match.game.turn.attacks] == [9, 1]
    assert match.game.turn.movement == 2


def test_an_ability_rolls_a_die_again_and_exhausts_the_class_card(build: ModuleType) -> None:
    match = alpha_plays(build, "plain")
    with pytest.raises(IllegalStep, match="while it attacks"):
        match.do("use_ability", figure="alpha", ability="Steady")
    roll(match, "imp-1", 0)
    with pytest.raises(IllegalStep, match="the defence comes first"):
        match.do("use_ability", figure="alpha", ability="Steady")
    match.do("defend")
    with pytest.raises(IllegalStep, match="0 dice may be rolled again"):
        match.do("reroll", which=[0])
    match.do("use_ability", figure="alpha", ability="Steady")
    with pytest.raises(IllegalStep, match="each once"):
        match.do("reroll", which=[1])
    match.do("reroll", which=[0], rolled_here=False, faces=[3])
    with pytest.raises(IllegalStep, match="0 dice"):
        match.do("reroll", which=[0])
    with pytest.raises(IllegalStep, match="exhausted"):
        match.do("use_ability", figure="alpha", ability="Steady")
    assert match.game.pending.dice == (("red", 3),)


# “Большинство карт имеют прямые эффекты, такие как уменьшение урона или добавление кубиков атаки.” (seed 001)


def test_an_event_adds_a_die_that_must_be_rolled(build: ModuleType) -> None:
    match = demon_attacks(build)
    assert "fury" in match.game.deck("invader").hand
    match.do("defend")
    match.let_be()
    match.do("play_event", card="fury")
    with pytest.raises(IllegalStep, match="roll the added dice"):
        match.do("resolve")
    with pytest.raises(IllegalStep, match="1 black"):
        match.do("roll_added", rolled_here=False, dice=[["red", 2]])
    match.do("roll_added", rolled_here=False, dice=[["black", 2]])
    assert match.game.pending.dice == (("red", 1), ("black", 0), ("black", 2))
    with pytest.raises(IllegalStep, match="no dice have to be added"):
        match.do("roll_added")


# “6 Кубиков (4 Красных, 2 Черных)” (seed 001)


def test_no_more_dice_are_added_than_the_box_has(build: ModuleType) -> None:
    base = build.mission(build.TUTORIAL)
    rage = {**RAGE, "argent": 0, "effects": [{"effect": "dice", "dice": {"red": 4}}]}
    match = demon_attacks(build, demons=[{**demon, "abilities": [rage]} for demon in base.setup["demons"]])
    match.do("defend")
    with pytest.raises(IllegalStep, match="no more red dice"):
        match.do("use_ability", figure="imp-1", ability="Rage")


def test_a_mission_whose_attack_needs_more_dice_than_the_box_has_is_refused(build: ModuleType) -> None:
    with pytest.raises(BadValue, match="dice"):
        begun(build, dice_in_box={"red": 1, "black": 1})


# “Нельзя использовать несколько одинаковых карт одновременно.” (seed 001)


def test_an_event_is_played_from_the_hand(build: ModuleType) -> None:
    match = demon_attacks(build, events=[*MANY_EVENTS, "rare"], cards={**CARDS, "rare": {**CARDS["fury"], "name": "R"}})
    hand = match.game.deck("invader").hand
    other = next(card for card in ("rare", "skin", "fury") if card not in hand)
    with pytest.raises(IllegalStep):
        match.do("play_event", card=other)


@pytest.mark.parametrize(("choice", "left_out"), [("strongest", "black"), ("weakest", "red")])
def test_of_three_colours_a_stun_takes_the_strongest_or_the_weakest_die(
    build: ModuleType, choice: str, left_out: str
) -> None:
    base = build.mission(build.TUTORIAL)
    faces = {"red": [0, 0, 1], "yellow": [1, 1, 1], "black": [2, 2, 3]}
    match = build.begun(build.with_setup(base, dice=faces), options={"stun_drop_die": choice})
    profile = AttackProfile(dice={"yellow": 1, "black": 1, "red": 1})
    rolled = count_colors(match.game, profile, stunned=True, drop=None)
    assert rolled == {color: 1 for color in faces if color != left_out}
    assert count_colors(match.game, profile, stunned=False, drop=None) == dict.fromkeys(faces, 1)


def test_two_events_of_one_name_are_not_used_at_once(build: ModuleType) -> None:
    match = demon_attacks(build)
    match.do("defend")
    match.let_be()
    match.do("play_event", card="fury")
    match.do("roll_added")
    with pytest.raises(IllegalStep, match="of this name"):
        match.do("play_event", card="fury")


def test_an_event_for_the_defence_is_for_the_defence(build: ModuleType) -> None:
    match = demon_attacks(build)
    with pytest.raises(IllegalStep, match="while it is attacked"):
        match.do("play_event", card="skin")
    other = alpha_plays(build, "plain")
    with pytest.raises(IllegalStep, match="no demon acts"):
        other.do("play_event", card="skin")
    roll(other, "imp-1", 3)
    other.do("play_event", card="skin")
    other.do("defend")
    other.do("resolve")
    assert harm(other, "imp-1") == 1


# “Способности позволяют морпехам и демонам использовать дополнительные возможности, не указанные в стандартных
# правилах.” (seed 001): damage to an area, stuns on a hit, cover that is ignored; “Оглушение с фигуры снимается после
# выполнения ею атаки или защиты.”; “Во время атаки, когда Защитник, у которого есть Укрытие, вскрывает карту для своей
# защиты …, он может вскрыть дополнительную карту.”


def test_damage_to_an_area_hurts_everybody_around_the_defender(build: ModuleType) -> None:
    match = alpha_plays(build, "rocket")
    match.do("place", figure="imp-2", cells=[[4, 1]])
    match.do("place", figure="possessed-1", cells=[[6, 0]])
    match.do("place", figure="bravo", cells=[[2, 1]])
    roll(match, "imp-1", 1)
    match.do("defend")
    match.do("resolve")
    assert (harm(match, "imp-2"), harm(match, "bravo"), harm(match, "possessed-2")) == (2, 2, 2)
    assert harm(match, "possessed-1") == 0, "three cells away"


def test_a_hit_stuns_and_a_miss_does_not(build: ModuleType) -> None:
    for icons, marks in ((3, ("stunned",)), (0, ())):
        match = alpha_plays(build, "freeze")
        roll(match, "imp-1", icons)
        match.do("defend")
        match.do("resolve")
        assert match.game.piece("imp-1").marks == marks


def test_who_is_stunned_already_is_not_stunned_a_second_time(build: ModuleType) -> None:
    """«Оглушение с фигуры снимается после выполнения ею атаки или защиты. Если фигура уже оглушена, то повторного
    оглушения не происходит.»
    """
    match = alpha_plays(build, "freeze")
    match.do("stun", by=JUDGE, figure="imp-1", on=True)
    roll(match, "imp-1", 1)
    match.do("defend")
    match.do("resolve")
    assert match.game.piece("imp-1").marks == ()


def test_who_ignores_cover_leaves_the_defender_one_card(build: ModuleType) -> None:
    match = alpha_plays(build, "scope", events=MANY_EVENTS)
    roll_at_cover(match)
    assert match.game.pending.cover, "it stands behind three others"
    match.do("defend")
    with pytest.raises(IllegalStep, match="only a defender in cover"):
        match.do("defend", again=True)


def test_cover_is_ignored_after_its_second_card_too_and_the_first_card_counts(build: ModuleType) -> None:
    """The attacker's effects (step 4) come after the defence (step 3), and change its result (seed 001)."""
    for revealed in (0, 1, 2):
        match = alpha_plays(build, "plain", events=MANY_EVENTS)
        roll_at_cover(match)
        for again in (False, True)[:revealed]:
            match.do("defend", again=again)
        match.do("use_ability", figure="alpha", ability="Aim")
        if revealed == 0:
            match.do("defend")
        first, blank = match.game.pending.cards[0], match.game.pending.cards[0].__class__()
        covered = replace(match.game, pending=replace(match.game.pending, cards=(first, blank)))
        assert damage_of(covered, covered.pending) == damage_of(match.game, match.game.pending)
        match.do("resolve")


def test_an_effect_that_names_no_number_is_one() -> None:
    """A card that says “re-roll a die” or “draw a card” needs no number in the mission."""
    assert RerollDice().count == DrawCards().count == DamageArea(damage=2).radius == AttackProfile().range == 1
    assert SpendArgent(kind="imp").count == 1


def test_a_card_is_played_in_an_activation_and_lies_in_play_until_its_end(build: ModuleType) -> None:
    match = begun(build)
    with pytest.raises(IllegalStep):
        match.do("play", card="plain")
    match.do("reveal", card="alpha")
    match.do("play", card="plain")
    assert match.game.turn.in_play == ("plain",)
    assert match.game.deck("alpha").hand.count("plain") == 1, "he held two"


def test_typed_initiative_cards_keep_their_order_unless_the_program_shuffles_them(build: ModuleType) -> None:
    plain = begun(build)
    plain_order = plain.game.initiative
    assert plain_order == list_initiative_cards(plain.game)
    base = build.mission(build.TUTORIAL)
    orders = set()
    for number in range(6):
        match = build.begun(base, seed=f"seed {number}")
        match.do("see", document=build.corridor(13, 3))
        match.do("status", shuffled_here=True)
        assert sorted(match.game.initiative) == sorted(plain_order)
        orders.add(match.game.initiative)
    assert len(orders) > 1


# “Каждая карта реакции имеет описание, как и когда она может быть разыграна.” (seed 001)


def test_a_reaction_dodges_only_for_the_defender(build: ModuleType) -> None:
    match = demon_attacks(build)
    with pytest.raises(IllegalStep, match="while it is attacked"):
        match.do("react", figure="bravo", card="block")
    match.do("react", card="block")
    match.do("defend")
    match.do("resolve")
    assert harm(match, "alpha") == 0


def test_a_printed_reaction_is_read_off_the_card(build: ModuleType) -> None:
    base = build.mission(build.TUTORIAL)
    marines = [{**marine, "deck": []} for marine in base.setup["marines"]]
    match = build.begun(build.with_setup(base, marines=marines))
    match.do("see", document=build.corridor(13, 3))
    match.do("status", shuffled_here=False)
    attack_alpha(match)
    match.do("defend")
    match.do("react", card="armour of the box", shields=1)
    match.do("resolve")
    assert harm(match, "alpha") == 0, "one icon and one shield"


# “Некоторые способности добавляют очки движения.” “Эта способность может использоваться как основное действие.”


def test_an_ability_grants_movement_for_the_main_action(build: ModuleType) -> None:
    match = begun(build)
    match.do("reveal", card="alpha")
    with pytest.raises(IllegalStep, match="own activation"):
        match.do("use_ability", figure="bravo", ability="Dash")
    match.do("use_ability", figure="alpha", ability="Dash")
    assert match.game.turn.movement == 3
    with pytest.raises(IllegalStep, match="used up"):
        match.do("play", card="plain")
    with pytest.raises(UnknownName, match="no ability"):
        match.do("use_ability", figure="alpha", ability="Flight")


def test_a_class_card_is_ready_again_at_the_next_activation(build: ModuleType) -> None:
    match = begun(build)
    match.do("reveal", card="alpha")
    before = len(match.game.deck("alpha").hand)
    match.do("use_ability", figure="alpha", ability="Supplies")
    assert len(match.game.deck("alpha").hand) == before + 2
    with pytest.raises(IllegalStep, match="exhausted"):
        match.do("use_ability", figure="alpha", ability="Supplies")
    match.do("end")
    for name in ("bravo", "charlie"):
        match.do("reveal", card=name)
        match.do("end")
    for kind in ("imp", "possessed"):
        match.do("reveal", card="invader")
        match.do("activate_kind", kind=kind)
        match.do("end")
    match.do("status", shuffled_here=False)
    match.do("reveal", card="alpha")
    match.do("use_ability", figure="alpha", ability="Supplies")


def test_an_area_round_the_figure_itself_spares_its_own_side(build: ModuleType) -> None:
    match = begun(build)
    match.do("reveal", card="alpha")
    match.do("place", figure="imp-1", cells=[[2, 0]])
    match.do("use_ability", figure="alpha", ability="Grenade")
    assert (harm(match, "imp-1"), harm(match, "bravo"), harm(match, "possessed-1")) == (1, 0, 0)


# “Чтобы использовать Аргент-энергию, Захватчик сбрасывает маркер Аргент-энергии с карты Демона. Затем он использует
# способность карты Демона”; “В обучающей миссии Захватчику следует игнорировать любую способность” (seed 001)


def test_an_ability_of_a_demon_is_paid_with_argent_which_the_tutorial_ignores(build: ModuleType) -> None:
    match = begun(build)
    match.do("gain_argent", cards=[match.game.deck("invader").hand[0]], onto={"imp": 1})
    attack_alpha(match)
    match.do("defend")
    match.do("use_ability", figure="imp-1", ability="Rage")
    assert match.game.demon_cards["imp"].argent == 0
    assert match.game.pending.dice_due == {"red": 1}
    poor = demon_attacks(build)
    poor.do("defend")
    with pytest.raises(IllegalStep, match="not enough argent"):
        poor.do("use_ability", figure="imp-1", ability="Rage")
    tutorial = demon_attacks(build, tutorial=True)
    tutorial.do("defend")
    with pytest.raises(IllegalStep, match="tutorial ignores"):
        tutorial.do("use_ability", figure="imp-1", ability="Rage")


def test_argent_is_paid_as_far_as_the_card_has_it_and_goes_back_to_the_box(build: ModuleType) -> None:
    match = begun(build)
    match.do("gain_argent", cards=[match.game.deck("invader").hand[0]], onto={"imp": 1})
    before = match.game.demon_cards["imp"].argent
    with pytest.raises(IllegalStep, match="not enough argent"):
        match.do("spend_argent", kind="imp", count=before + 1)
    match.do("spend_argent", kind="imp", count=before)
    assert match.game.demon_cards["imp"].argent == 0
    with pytest.raises(IllegalStep, match="not enough argent"):
        match.do("spend_argent", kind="imp")


# “у каждой карты Идеального убийства есть способность, которую может использовать морпех” (seed 001)


def test_a_glory_kill_card_is_used_once_in_the_activation_that_revealed_it(build: ModuleType) -> None:
    match = alpha_plays(build, "double")
    match.do("damage", figure="alpha", amount=8)
    match.do("place", figure="imp-1", cells=[[1, 1]])
    match.do("damage", figure="imp-1", amount=2)
    match.do("move", figure="alpha", cells=[[1, 1]])
    assert harm(match, "alpha") == 6, "every glory kill heals two"
    assert "use_glory" in [prompt["type"] for prompt in match.session.view(JUDGE_VIEW)["prompts"]]
    match.do("use_glory", card="savage")
    assert harm(match, "alpha") == 3
    assert match.game.turn.movement == 1
    with pytest.raises(IllegalStep, match="or is used"):
        match.do("use_glory", card="savage")


def test_what_may_be_used_is_prompted_and_offered_and_replays(build: ModuleType, client: ModuleType) -> None:
    match = alpha_plays(build, "plain")
    roll(match, "imp-1", 0)
    match.do("defend")
    prompts = match.session.view(JUDGE_VIEW)["prompts"]
    assert {"figure": "alpha", "ability": "Steady"} in [prompt["fields"] for prompt in prompts]
    client.pressed(match, client.offer(client.looked(match), "use_ability"))
    client.pressed(match, client.offer(client.looked(match), "reroll"), which=[0])
    again = Session.resumed(match.document().splitlines(), journal=None, clock_ms=lambda: 0)
    assert again.timeline.game == match.game
    match.do("undo", by=JUDGE)
    assert match.game.pending.rerolls == 1


def test_an_effect_that_the_vocabulary_does_not_know_is_refused(build: ModuleType) -> None:
    with pytest.raises(BadValue, match=r"effects\[0\]|effect"):
        begun(build, glory=["odd"], cards={**CARDS, "odd": {"name": "Odd", "effects": [{"effect": "flies"}]}})


def demon_attacks(build: ModuleType, **setup: Any) -> Any:
    match = begun(build, **setup)
    attack_alpha(match)
    return match


def attack_alpha(match: Any) -> None:
    """The first imp attacks Alpha with one icon."""
    match.do("reveal", card="invader")
    match.do("activate_kind", kind="imp")
    match.do("activate", figure="imp-1")
    match.do("attack", defender="alpha", rolled_here=False, dice=[["red", 1], ["black", 0]])


def test_a_base_of_two_cells_has_no_cover(build: ModuleType) -> None:
    # «Большие фигуры не могут иметь Укрытия.» (seed 001)
    match = alpha_plays(build, "plain", events=MANY_EVENTS)
    roll_at_cover(match)
    attack, there = match.game.pending, match.game.piece(match.game.pending.defender)
    assert has_cover(match.game, attack)
    column, row = there.cells[0]
    large = replace(there, cells=((column, row), (column + 1, row)))
    assert not has_cover(match.game.with_piece(large), attack)


def test_an_event_helps_the_demon_that_acts(build: ModuleType) -> None:
    match = begun(build, events=MANY_EVENTS, cards={**CARDS, "regrow": {"name": "Regrow", "effects": [HEAL_TWO]}})
    match.do("damage", figure="imp-1", amount=2)
    match.do("reveal", card="invader")
    match.do("activate_kind", kind="imp")
    match.do("activate", figure="imp-1")
    held = match.game.deck("invader")
    with pytest.raises(IllegalStep, match="not in the hand"):
        match.do("play_event", card="regrow")
    step = PlayEvent2016(card="regrow")
    holding = match.game.with_deck("invader", replace(held, hand=("regrow", *held.hand)))
    assert step.settle(holding, Chance("any")).apply(holding).piece("imp-1").harm == 0
