"""The tutorial mission of DOOM 2016 (seed 001) from its first round to the last demon, with physical dice and cards.

The board, the dice and the cards are samples of ours; the order of the steps is what the rules say.
"""

from __future__ import annotations

from types import ModuleType
from typing import Any

import pytest

from assistant.errors import IllegalStep, NotYours
from assistant.match.actor import player

RIFLE = {"card": "rifle", "is_main": True, "movement": 4, "attack": {"range": 9, "dice": {"black": 3}}}


@pytest.fixture
def table(build: ModuleType) -> Any:
    """Three marines, all cards and dice on the table, the door d1 in the middle of a corridor."""
    base = build.mission(build.TUTORIAL)
    marines = [{**marine, "deck": []} for marine in base.setup["marines"]]
    match = build.begun(build.with_setup(base, marines=marines, events=[], glory=[]))
    match.do("see", document=build.TABLES[build.TUTORIAL](base))
    return match


def attack(match: Any, defender: str, icons: list[int], shields: int = 0) -> None:
    """An attack with black dice that show these icons, against a card that shows these shields."""
    match.do("attack", defender=defender, rolled_here=False, dice=[["black", n] for n in icons])
    match.do("defend", shields=shields)
    match.do("resolve")


def test_the_tutorial_is_played_from_the_first_round_to_the_last_demon(table: Any) -> None:
    alpha_shoots_an_imp(table)
    the_others_act_in_round_one(table)
    a_door_brings_the_pinkies(table)
    the_pinkies_act(table)
    charlie_comes_back(table)
    the_marines_finish_the_pinkies(table)


def alpha_shoots_an_imp(match: Any) -> None:
    # Round 1, status phase: three marines and two kinds of demons make five initiative cards (rules A10).
    match.do("status", shuffled_here=False)
    assert sorted(match.game.initiative) == ["alpha", "bravo", "charlie", "invader", "invader"]

    # Alpha shoots an imp: 5 icons less 1 shield are 4, its whole health.
    match.do("reveal", card="alpha")
    match.do("play", **RIFLE)
    attack(match, "imp-1", [2, 2, 1], shields=1)
    assert not match.game.piece("imp-1").on_table
    match.do("end")


def the_others_act_in_round_one(match: Any) -> None:
    # The invader activates the possessed: speed 3, one attack each.
    match.do("reveal", card="invader")
    match.do("activate_kind", kind="possessed")
    match.do("activate", figure="possessed-1")
    match.do("move", figure="possessed-1", cells=[[2, 0]])
    assert match.game.turn.movement == 1
    attack(match, "bravo", [2, 1])
    assert match.game.piece("bravo").harm == 3
    match.do("end")
    match.do("activate", figure="possessed-2")
    match.do("end")

    # Bravo stuns the possessed beside him with a grenade, then leaves it with 1 health: staggered.
    match.do("reveal", card="bravo")
    match.do("play", **RIFLE)
    match.do("stun", figure="possessed-1")
    attack(match, "possessed-1", [2, 0, 0], shields=2)  # a stunned defender reveals no card
    assert match.game.is_staggered(match.game.piece("possessed-1"))
    assert match.game.piece("possessed-1").marks == ()
    match.do("glory_kill", demon="possessed-1")
    assert match.game.piece("bravo").cells == ((2, 0),)
    assert match.game.piece("bravo").harm == 1  # a glory kill heals two
    match.do("end")

    # The last imp acts, and Charlie takes the health pack.
    match.do("reveal", card="invader")
    match.do("activate_kind", kind="imp")
    match.do("activate", figure="imp-2")
    match.do("attack", defender="charlie", rolled_here=False, dice=[["red", 3], ["black", 2]])
    match.do("defend", shields=1)
    match.do("resolve")
    assert match.game.piece("charlie").harm == 4
    match.do("end")
    match.do("reveal", card="charlie")
    match.do("play", **RIFLE)
    match.do("move", figure="charlie", cells=[[2, 2]])
    match.do("take", item="health-1")
    assert match.game.piece("charlie").harm == 0
    match.do("end")
    assert match.game.phase == "round over"


def a_door_brings_the_pinkies(match: Any) -> None:
    # Round 2: no demon may open the door while portals lie there; a marine does, and both portals open.
    match.do("status", shuffled_here=False)
    match.do("reveal", card="bravo")
    match.do("play", **RIFLE)
    attack(match, "possessed-2", [2, 1, 0])
    match.do("end")
    match.do("reveal", card="alpha")
    match.do("play", **RIFLE)
    attack(match, "imp-2", [2, 2, 0])
    assert match.game.standing("invader") == ()
    assert match.game.winner is None, "the marines must open a door first"
    assert not any(card.face_up for card in match.game.demon_cards.values())
    match.do("end")
    match.do("reveal", card="charlie")
    match.do("sprint", card="any card")
    match.do("move", figure="charlie", cells=[[6, 1]])
    with pytest.raises(IllegalStep, match="no door"):
        match.do("open_door", door="d9")
    match.do("open_door", door="d1")
    assert match.game.summons_due == ("portal-1", "portal-2")
    with pytest.raises(IllegalStep, match="summon first"):
        match.do("end")
    with pytest.raises(NotYours):
        match.do("summon", by=player("marines"), portal="portal-1", group=0, cells={})
    match.do("summon", portal="portal-1", group=1, cells={"pinky-1": [[8, 1]]})
    match.do(
        "summon", portal="portal-2", group=3, cells={"pinky-2": [[11, 0]], "pinky-3": [[11, 2]]}, argent={"pinky": 1}
    )
    assert match.game.demon_cards["pinky"].face_up
    assert match.game.demon_cards["pinky"].argent == 1
    assert match.game.portals == ()
    match.do("end")


def the_pinkies_act(match: Any) -> None:
    # Both invader's cards are still to come. The pinkies use the first: one of them frags Charlie with a card's help.
    match.do("reveal", card="invader")
    match.do("activate_kind", kind="pinky")
    match.do("activate", figure="pinky-1")
    match.do("move", figure="pinky-1", cells=[[7, 1]])
    match.do("attack", defender="charlie", rolled_here=False, dice=[["red", 3], ["red", 3], ["black", 2]])
    match.do("defend", shields=0)
    match.do("modify", reason="a card", damage=2)
    match.do("resolve")
    assert match.game.frags == 1
    assert not match.game.piece("charlie").on_table
    match.do("end")
    match.do("end")  # the invader passes over the other two
    match.do("reveal", card="invader")
    assert match.game.turn is None, "no demon card is ready, so the last card is passed over"
    assert match.game.phase == "round over"


def charlie_comes_back(match: Any) -> None:
    # Round 3: one kind is left on the board, so one card is the invader's; Charlie comes back on the teleporter.
    match.do("status", shuffled_here=False)
    assert sorted(match.game.initiative) == ["alpha", "bravo", "charlie", "invader"]
    match.do("reveal", card="charlie")
    with pytest.raises(IllegalStep, match="respawn"):
        match.do("play", **RIFLE)
    match.do("respawn", teleporter="teleporter-1")
    assert match.game.piece("charlie").cells == ((0, 2),)
    match.do("end")


def the_marines_finish_the_pinkies(match: Any) -> None:
    # The marines finish the three pinkies; thick skin takes one off each attack.
    for marine, pinky in (("alpha", "pinky-1"), ("bravo", "pinky-2")):
        match.do("reveal", card=marine)
        match.do("play", **RIFLE)
        match.do("damage", figure=pinky, amount=6)
        match.do("end")
    assert match.game.is_staggered(match.game.piece("pinky-1"))
    match.do("reveal", card="invader")
    match.do("activate_kind", kind="pinky")
    match.do("end")
    match.do("status", shuffled_here=False)
    match.do("reveal", card="alpha")
    match.do("play", **RIFLE)
    attack(match, "pinky-1", [1, 1, 0])
    assert not match.game.piece("pinky-1").on_table
    match.do("frag", figure="pinky-2")
    match.do("frag", figure="pinky-3")
    assert match.game.winner == "marines"
    with pytest.raises(IllegalStep, match="over"):
        match.do("end")


@pytest.mark.parametrize(("marines", "needed"), [(1, 4), (2, 4), (3, 3)])
def test_the_invader_wins_with_as_many_frags_as_the_number_of_marines_asks_for(
    build: ModuleType, marines: int, needed: int
) -> None:
    base = build.mission(build.TUTORIAL)
    match = build.begun(build.with_setup(base, marines=base.setup["marines"][:marines]))
    match.do("status", shuffled_here=False)
    for count in range(needed):
        assert match.game.winner is None
        match.do("frag", figure="alpha")
        assert match.game.frags == count + 1
        if match.game.winner is None:
            match.do("reveal", card="alpha")
            match.do("respawn", teleporter="teleporter-1")
            match.do("end")
            finish_the_round(match)
            match.do("status", shuffled_here=False)
    assert match.game.winner == "invader"


def finish_the_round(match: Any) -> None:
    while match.game.phase != "round over":
        card = match.game.initiative[0]
        match.do("reveal", card=card)
        if match.game.turn is None:
            continue
        if card == "invader":
            match.do("activate_kind", kind=next(k for k, c in match.game.demon_cards.items() if c.ready and c.face_up))
        match.do("end")


def test_a_lone_marine_has_two_initiative_cards(build: ModuleType) -> None:
    base = build.mission(build.TUTORIAL)
    match = build.begun(build.with_setup(base, marines=base.setup["marines"][:1]))
    match.do("status")
    assert sorted(match.game.initiative) == ["alpha", "alpha", "invader", "invader"]


def test_a_stunned_attacker_rolls_one_die_less_and_is_free_of_it_afterwards(table: Any) -> None:
    match = table
    match.do("status", shuffled_here=False)
    match.do("stun", figure="alpha")
    match.do("reveal", card="alpha")
    match.do("play", **RIFLE)
    with pytest.raises(IllegalStep, match="2 black"):
        match.do("attack", defender="imp-1", rolled_here=False, dice=[["black", 2]] * 3)
    attack(match, "imp-1", [1, 1])
    assert match.game.piece("alpha").marks == ()
    assert match.game.piece("imp-1").harm == 2


def test_a_defender_in_cover_may_pass_over_its_first_card_and_must_take_the_second(table: Any) -> None:
    match = table
    match.do("place", figure="possessed-1", cells=[[2, 0]])
    match.do("place", figure="possessed-2", cells=[[3, 0]])
    match.do("place", figure="bravo", cells=[[0, 2]])
    match.do("status", shuffled_here=False)
    match.do("reveal", card="alpha")
    match.do("play", **RIFLE)
    match.do("attack", defender="possessed-2", rolled_here=False, dice=[["black", 2], ["black", 0], ["black", 0]])
    match.do("defend", shields=2)
    match.do("defend", again=True, shields=1)
    with pytest.raises(IllegalStep, match="only one"):
        match.do("defend", again=True, shields=2)
    match.do("resolve")
    assert match.game.piece("possessed-2").harm == 1


def test_argent_comes_from_up_to_three_event_cards_in_the_status_phase(build: ModuleType) -> None:
    match = build.begun(build.mission(build.TUTORIAL))
    match.do("status")
    hand = match.game.deck("invader").hand
    assert len(hand) == 6
    match.do("gain_argent", cards=list(hand[:2]), onto={"imp": 1, "invasion": 1})
    with pytest.raises(IllegalStep, match="at most 3"):
        match.do("gain_argent", cards=list(hand[2:4]), onto={"imp": 2})
    assert match.game.demon_cards["imp"].argent == 1
    assert match.game.invasion_argent == 1
    assert len(match.game.deck("invader").hand) == 4


def test_a_large_demon_that_ends_on_a_marine_pushes_him_to_a_free_cell(table: Any) -> None:
    match = table
    match.do("place", by=player("invader"), figure="pinky-1", cells=[[2, 0], [3, 0]])
    match.do("status", shuffled_here=False)
    match.do("reveal", card="invader")
    match.do("activate_kind", kind="pinky")
    match.do("activate", figure="pinky-1")
    match.do("move", figure="pinky-1", cells=[[1, 0], [2, 0]])
    assert [(p.type, p.side) for p in match.session.system.prompts(match.game)][:1] == [("displace", "marines")]
    match.do("displace", by=player("marines"), figure="bravo", cells=[[1, 1]])
    assert match.game.piece("bravo").cells == ((1, 1),)
    assert match.game.turn.movement == 4


def test_a_fragged_marine_gives_a_token_and_shuffles_all_his_cards(build: ModuleType) -> None:
    match = build.begun(build.mission(build.TUTORIAL))
    match.do("status", shuffled_here=False)
    before = match.game.deck("alpha").cards
    match.do("frag", figure="alpha")
    deck = match.game.deck("alpha")
    assert match.game.frags == 1
    assert (len(deck.hand), deck.discard, deck.cards) == (3, (), before)


def test_a_weapon_token_puts_its_cards_on_top_of_the_action_deck(build: ModuleType) -> None:
    match = build.begun(build.mission(build.TUTORIAL))
    match.do("place", figure="alpha", cells=[[7, 0]])
    match.do("status", shuffled_here=False)
    match.do("reveal", card="alpha")
    match.do("take", item="launcher")
    assert sorted(match.game.deck("alpha").pile[:3]) == ["launcher-1", "launcher-2", "launcher-3"]
    assert "launcher" not in [item.id for item in match.game.items]


def test_the_attacked_marine_plays_a_reaction(build: ModuleType) -> None:
    base = build.mission(build.TUTORIAL)
    marine = {**base.setup["marines"][0], "deck": ["uac-3"] * 3}
    cards = {**base.setup["cards"], "uac-3": {**base.setup["cards"]["uac-3"], "set": ""}}
    match = build.begun(build.with_setup(base, marines=[marine], cards=cards))
    match.do("status", shuffled_here=False)
    match.do("reveal", card="invader")
    match.do("activate_kind", kind="imp")
    match.do("activate", figure="imp-1")
    with pytest.raises(IllegalStep, match="no attack"):
        match.do("react", card="uac-3")
    match.do("attack", defender="alpha", rolled_here=False, dice=[["red", 3], ["black", 2]])
    match.do("defend")
    match.do("react", card="uac-3")
    match.do("resolve")
    assert match.game.piece("alpha").harm == 5 - 2, "the armour's two shields; the pile had no card to reveal"
    assert match.game.deck("alpha").discard == ("uac-3",)


def test_an_attack_on_a_figure_that_a_card_frags_is_over(table: Any) -> None:
    match = table
    match.do("status", shuffled_here=False)
    match.do("reveal", card="invader")
    match.do("activate_kind", kind="imp")
    match.do("activate", figure="imp-1")
    match.do("attack", defender="alpha", rolled_here=False, dice=[["red", 3], ["black", 2]])
    match.do("frag", figure="alpha")
    assert match.game.pending is None
    assert match.game.frags == 1
    match.do("frag", figure="imp-1")
    with pytest.raises(IllegalStep, match="not on the board"):
        match.do("move", by=player("invader"), figure="imp-1", cells=[[2, 1]])
    match.do("end")
