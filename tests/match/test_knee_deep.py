"""Knee Deep in the Dead of DOOM 2004 (seed 002): from the first order to the red security door, with physical dice.

The board, the dice' faces and the cards are samples of ours; set-up numbers, turns and goals are the rules'.
"""

from __future__ import annotations

from types import ModuleType
from typing import Any

import pytest

from assistant.errors import IllegalStep, NotYours
from assistant.games.doom2004.match.attack_rules import damage_of, make_profile
from assistant.match.actor import player

YELLOW, GREEN, RED = "yellow", "green", "red"


@pytest.fixture
def table(build: ModuleType) -> Any:
    """Two marines before the corridor whose end is the red security door."""
    return build.on_table(build.KNEE_DEEP, seed="knee deep")


def face(range_: int = 0, damage: int = 0, *, ammo: bool = False, miss: bool = False) -> dict[str, Any]:
    return {"range": range_, "damage": damage, "ammo": ammo, "miss": miss}


def pistol(match: Any, target: str, yellow: dict[str, Any], green: dict[str, Any], **more: Any) -> None:
    dice = [[YELLOW, yellow], [GREEN, green]]
    match.do("attack", targets=[target], weapon="pistol", rolled_here=False, dice=dice, **more)


def test_each_of_two_marines_starts_with_the_kit_of_the_table(table: Any) -> None:
    for equipment in table.game.equipment.values():
        assert (equipment.ammo["bullets"], equipment.wounds, equipment.armor, len(equipment.cards)) == (3, 9, 2, 3)
    assert len(table.game.deck.hand) == 5
    assert "zombie-5" not in table.game.pieces, "the blue invaders stay in the box without a blue marine"


def test_knee_deep_is_played_from_the_first_turn_to_the_red_door(table: Any) -> None:
    table.do("begin")
    red_takes_the_key(table)
    green_guards(table)
    the_invader_is_interrupted(table)
    red_goes_to_the_door(table)
    the_marines_escape(table)


def red_takes_the_key(match: Any) -> None:
    # Red advances: two steps, a shot at the zombie (damage 3 against armour 2 is one wound), two more steps.
    with pytest.raises(IllegalStep, match="declare the action"):
        match.do("move", figure="red-marine", cells=[[1, 0]])
    match.do("action", action="advance")
    match.do("move", figure="red-marine", cells=[[2, 0]])
    match.do("take", item="shotgun-token")
    pistol(match, "zombie-1", face(2, 2, ammo=True), face(2, 1))
    match.do("resolve")
    assert not match.game.piece("zombie-1").on_table
    assert match.game.equipment["red-marine"].ammo["bullets"] == 2, "one bullet face, one token"
    match.do("move", figure="red-marine", cells=[[4, 1]])
    match.do("take", item="red-key")
    assert match.game.keys == ("red",)
    match.do("end")


def green_guards(match: Any) -> None:
    # Green readies: he moves, so he may not attack, and places the order to guard.
    match.do("action", action="ready")
    match.do("move", figure="green-marine", cells=[[3, 2]])
    with pytest.raises(IllegalStep, match="no attack is left"):
        pistol(match, "imp-1", face(), face())
    match.do("order", order="guard")
    with pytest.raises(IllegalStep, match="only one"):
        match.do("order", order="dodge")
    match.do("end")
    assert match.game.side_to_act() == "invader"


def the_invader_is_interrupted(match: Any) -> None:
    # The invader draws a card for each marine, spawns nothing and activates the imp; Green interrupts it.
    match.do("draw")
    assert len(match.game.deck.hand) == 7
    match.do("activations")
    match.do("activate", figure="imp-1")
    pistol(match, "imp-1", face(3, 2), face(2, 2, ammo=True), guard="green-marine")
    match.do("resolve")
    assert not match.game.piece("imp-1").on_table, "damage 4 against armour 2 is two wounds"
    assert match.game.piece("green-marine").marks == ()
    match.do("end")
    match.do("activate", figure="zombie-3")
    match.do("move", figure="zombie-3", cells=[[5, 1]])
    match.do("attack", targets=["red-marine"], rolled_here=False, dice=[[RED, face(1, 5)]])
    match.do("resolve")
    assert match.game.piece("red-marine").harm == 2
    match.do("end")
    match.do("end")
    assert match.game.round == 2


def red_goes_to_the_door(match: Any) -> None:
    # Red kills the zombie and goes to the door; Green covers him.
    match.do("action", action="advance")
    pistol(match, "zombie-3", face(1, 2), face(1, 0))
    match.do("resolve")
    assert not match.game.standing("invader")
    match.do("move", figure="red-marine", cells=[[8, 1]])
    match.do("end")
    match.do("action", action="sprint")
    match.do("end")
    match.do("draw")
    match.do("discard", cards=list(match.game.deck.hand[:1]))
    match.do("activations")
    match.do("end")


def the_marines_escape(match: Any) -> None:
    # With the key in hand he opens the red security door: the marines escape.
    match.do("action", action="advance")
    match.do("door", door="red-door", open=True)
    assert match.game.winner == "marines"
    assert match.game.ending.worded("ru") == "выход открыт (Красная дверь): морпехи спаслись"


def test_a_locked_door_stays_closed_without_its_key(table: Any) -> None:
    match = table
    match.do("place", figure="red-marine", cells=[[8, 1]])
    match.do("begin")
    match.do("action", action="sprint")
    with pytest.raises(IllegalStep, match="locked"):
        match.do("door", door="red-door", open=True)


def test_the_invader_wins_with_six_frags_and_the_last_card_counts_as_one(build: ModuleType) -> None:
    match = build.begun(build.mission(build.KNEE_DEEP))
    match.do("begin")
    while match.game.frags == 0:
        for _ in match.game.setup.marines:
            match.do("action", action="sprint")
            match.do("end")
        match.do("draw")
        over = len(match.game.deck.hand) - 8
        if over > 0:
            match.do("discard", cards=list(match.game.deck.hand[:over]))
        match.do("activations")
        match.do("end")
    assert match.game.frags == 1, "the last card of the deck was drawn"
    for _ in range(4):
        match.do("frag", figure="red-marine")
        match.do("place", figure="red-marine", cells=[[0, 0]])
    assert match.game.winner is None
    match.do("frag", figure="red-marine")
    assert match.game.winner == "invader"


def test_invaders_spawn_only_out_of_sight_of_every_marine(build: ModuleType, table: Any) -> None:
    match = table
    card = next(card for card, told in match.game.setup.cards.items() if {"demon": 1} in told.spawns)
    to_spawn_step(match, holding=card)
    kind = next(iter(match.game.setup.cards[card].spawns[0]))
    name = next(piece.id for piece in match.game.pieces.values() if piece.kind == kind and not piece.on_table)
    with pytest.raises(IllegalStep, match="a marine sees"):
        match.do("spawn", card=card, cells={name: [[3, 3], [4, 3]]})
    match.do("place", figure="imp-1", cells=[[7, 2]])
    match.do("place", figure="green-marine", cells=[[8, 2]])
    match.do("place", figure="zombie-1", cells=[[11, 0]])
    with pytest.raises(IllegalStep, match="cannot stand on this ground"):
        match.do("spawn", card=card, cells={name: [[8, 1], [9, 1]]})  # across the closed door
    match.do("spawn", card=card, cells={name: [[10, 1], [10, 2]]})  # behind the closed red door
    assert match.game.piece(name).on_table
    with pytest.raises(NotYours):
        match.do("spawn", by=player("marines"), card=card, cells={})


def to_spawn_step(match: Any, holding: str) -> None:
    """Play sprints until the invader holds the card and is about to spawn."""
    match.do("begin")
    while True:
        for _ in match.game.setup.marines:
            match.do("action", action="sprint")
            match.do("end")
        match.do("draw")
        spare = [card for card in match.game.deck.hand if card != holding]
        over = len(match.game.deck.hand) - 8
        if over > 0:
            match.do("discard", cards=spare[:over])
        if holding in match.game.deck.hand:
            return
        match.do("activations")
        match.do("end")


@pytest.mark.parametrize("aimed", [True, False])
def test_aim_and_dodge_cancel_each_other_out_and_an_attack_is_rerolled_once(table: Any, aimed: bool) -> None:
    match = table
    match.do("begin")
    match.do("action", action="ready")
    match.do("order", order="aim")
    match.do("end")
    match.do("action", action="ready")
    match.do("end")
    match.do("draw")
    match.do("activations")
    match.do("end")
    match.do("action", action="advance")
    pistol(match, "zombie-1", face(miss=True), face(2, 1), aimed=aimed)
    if not aimed:
        with pytest.raises(IllegalStep, match="nothing to re-roll"):
            match.do("reroll", which=[0])
        return
    assert "aim" not in match.game.piece("red-marine").marks
    match.do("reroll", which=[0], rolled_here=False, faces=[face(3, 3)])
    with pytest.raises(IllegalStep, match="nothing to re-roll"):
        match.do("reroll", which=[0])
    match.do("resolve")
    assert not match.game.piece("zombie-1").on_table


def test_bonuses_and_penalties_of_a_card_change_range_and_damage(table: Any) -> None:
    match = table
    match.do("begin")
    match.do("action", action="advance")
    match.do("move", figure="red-marine", cells=[[2, 0]])
    pistol(match, "zombie-1", face(2, 2), face(2, 1))
    game, attack = match.game, match.game.pending
    plain, marine = make_profile(game, game.piece("red-marine"), attack), game.piece("red-marine")
    assert damage_of(game, attack) == 3 + plain.deadly
    match.do("modify", reason="better bullets", range=1, damage=2)
    match.do("modify", reason="smoke", range=-1, damage=-1)
    attack = match.game.pending
    assert damage_of(match.game, attack) == 3 + plain.deadly + 2 - 1
    helped = make_profile(match.game, marine, attack)
    assert (helped.accuracy, helped.deadly) == (plain.accuracy + 1, plain.deadly + 2), "what hinders is no icon"
    match.do("modify", reason="thick smoke", damage=-9)
    assert damage_of(match.game, match.game.pending) == 0


def test_a_wound_takes_the_orders_to_aim_and_to_guard_away(table: Any) -> None:
    match = table
    match.do("begin")
    match.do("action", action="ready")
    match.do("order", order="guard")
    match.do("damage", figure="red-marine", amount=1)
    assert match.game.piece("red-marine").marks == ()


def test_how_far_a_marine_goes_is_not_known_before_his_action(build):
    match = build.on_table("doom2004_knee_deep_sample")
    match.do("begin")
    assert match.game.mover() == ("red-marine", None)
    match.do("action", action="ready")
    assert match.game.mover() == ("red-marine", 4)
