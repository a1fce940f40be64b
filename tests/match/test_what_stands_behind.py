"""Background of a button: a sum, the effect of a card, the rule's owner; and reasons for missing offers."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest
from msgspec.structs import replace

from assistant.errors import IllegalStep
from assistant.games.doom2016.match.attack_rules import ask_defence
from assistant.games.doom2016.match.card_words import describe_card
from assistant.match.actor import JUDGE, player
from assistant.match.audience import JUDGE_VIEW, PUBLIC, Audience
from assistant.match.game import INVADER, MARINES

KNEE_DEEP, FIRST_FIGHT = "doom2004_knee_deep_sample", "doom2016_first_fight"
SHARED = Audience(is_shared=True)


def prompts(match: Any, kind: str, reader: Audience = JUDGE_VIEW) -> list[dict[str, Any]]:
    return [one for one in match.session.view(reader)["prompts"] if one["type"] == kind]


def last_line(match: Any) -> str:
    title: str = match.session.history()[-1]["title"]
    return title


def shot_at(match: Any, damage: int) -> None:
    match.do("attack", defender="bravo", rolled_here=False, dice=[["black", 2], ["red", damage]])


def test_a_card_says_what_it_does(imp_acts):
    game = imp_acts.game
    words = {card: str(describe_card(game, card)) for card in game.setup.cards}
    assert words["slip-1"] == "Slip: when attacked: dodges; from the deck: dodge"
    assert words["rush-1"] == "Rush: 2 points of movement"
    assert words["armour-1"] == "Armour: reaction, 2 shields"
    assert words["rifle-1"] == "Rifle: 4 points of movement, range 6, dice 2 black, 1 red; from the deck: 1 shield"


def test_a_card_in_the_hand_says_its_uses_in_a_word(build):
    match = build.begun(build.mission(FIRST_FIGHT))
    match.script([("status", {"shuffled_here": False}), ("reveal", {"card": "alpha"})])
    uses = {
        use["text"] for hand in match.session.hands(player(MARINES)) for card in hand["cards"] for use in card["uses"]
    }
    assert uses == {"Play", "Sprint: 6 points"}


def test_no_event_of_the_sample_missions_does_nothing(build):
    for mission in (FIRST_FIGHT, "doom2016_simulated_fight"):
        setup = build.begun(build.mission(mission)).game.setup
        assert [card for card in setup.events if not setup.cards[card].effects] == []


def test_the_defender_sees_the_damage_that_stands(imp_acts):
    shot_at(imp_acts, 3)
    [defend] = prompts(imp_acts, "defend")
    assert defend["note"] == "5 rolled = 5 damage"


def test_the_sum_of_the_damage_stands_at_the_button_and_in_the_history(imp_acts):
    shot_at(imp_acts, 3)
    imp_acts.do("defend")
    attack = imp_acts.game.pending
    shields = attack.cards[-1].shields
    assert imp_acts.session.history()[-1]["title"].startswith("Bravo reveals ")
    imp_acts.do("modify", reason="fury", damage=1, shields=0)
    [resolve] = prompts(imp_acts, "resolve")
    taken = 0 if attack.cards[-1].dodge else 6 - shields
    assert "5 rolled + 1 (Fury)" in resolve["note"]
    assert resolve["note"].endswith(f"= {taken} damage")
    imp_acts.do("resolve")
    assert last_line(imp_acts).endswith(resolve["note"])


def test_what_is_asked_before_the_damage_shows_the_sum_and_no_hand(imp_acts):
    shot_at(imp_acts, 3)
    imp_acts.do("defend")
    view = imp_acts.session.view(PUBLIC)
    [resolve] = [one for one in view["prompts"] if one["type"] == "resolve"]
    passes = [one for one in view["prompts"] if one["type"] == "pass"]
    assert resolve["question"] == "" or resolve["question"].endswith("? If not:")
    for one in passes:
        assert one["title"].startswith("Bravo takes ") or one["title"] == "No."
        assert one["question"].endswith("?")
        assert "Armour: reaction" not in str(one)


def test_only_a_marine_whose_deck_may_answer_is_asked_and_the_defender_first(imp_acts):
    shot_at(imp_acts, 3)
    imp_acts.do("defend")
    asked = [one for one in imp_acts.session.view(PUBLIC)["asked"] if one["side"] == MARINES]
    assert asked[0]["text"].startswith("does Bravo react to ")
    for one in asked[1:]:
        deck = imp_acts.game.deck(one["about"])
        cards = [imp_acts.game.card(card) for card in (*deck.hand, *deck.pile)]
        assert any(card.kind == "reaction" and card.effects for card in cards)


def test_a_reaction_is_played_by_the_marine_whose_card_was_tapped(imp_acts):
    shot_at(imp_acts, 3)
    imp_acts.do("defend")
    timeline = imp_acts.session.timeline
    game = imp_acts.game
    marines = [marine for marine in game.decks if marine != INVADER]
    decks = {marine: replace(game.deck(marine), hand=("armour-1",), pile=()) for marine in marines}
    open_attack = replace(game.the_attack(), cards=())
    imp_acts.session._timeline = dataclasses.replace(
        timeline, game=replace(game, decks={**game.decks, **decks}, pending=open_attack)
    )
    hands = {hand["owner"]: hand["cards"] for hand in imp_acts.session.hands(player(MARINES))}
    uses = {owner: [use["command"] for card in cards for use in card["uses"]] for owner, cards in hands.items()}
    assert uses["bravo"] == [{"type": "react", "card": "armour-1", "figure": "bravo"}]
    assert not any(found for owner, found in uses.items() if owner != "bravo")
    imp_acts.do("react", card="armour-1", figure="alpha")  # the rules let him, for nothing


def test_nobody_is_asked_to_react_once_no_damage_can_get_through(imp_acts):
    shot_at(imp_acts, 3)
    imp_acts.do("defend")
    game = imp_acts.game
    own = {marine: deck for marine, deck in game.decks.items() if marine != INVADER}
    only_armour = [replace(deck, hand=("armour-1",), pile=()) for deck in own.values()]
    game = replace(game, decks={**game.decks, **dict(zip(own, only_armour, strict=True))})
    open_attack = replace(game.the_attack(), cards=(), changes=())
    hit, dodged = (replace(game, pending=replace(open_attack, reaction_dodge=is_dodged)) for is_dodged in (False, True))
    assert [one.figure for one in ask_defence(hit)] == ["bravo"], "armour helps nobody else"
    assert list(ask_defence(dodged)) == []


def test_a_question_and_its_command_come_apart(imp_acts):
    shot_at(imp_acts, 3)
    imp_acts.do("defend")
    [resolve] = prompts(imp_acts, "resolve", SHARED)
    assert resolve["title"].startswith("Apply ") or resolve["title"].startswith("No damage")
    assert resolve["text"] == " ".join(filter(None, (resolve["question"], resolve["title"])))


def test_the_result_of_2004_is_told_term_by_term(build):
    match = build.on_table(KNEE_DEEP)
    match.script([("begin", {}), ("action", {"action": "advance"})])
    face = {"range": 5, "damage": 1, "ammo": True, "miss": False}
    match.do(
        "attack", targets=["zombie-1"], weapon="pistol", rolled_here=False, dice=[["green", face], ["yellow", face]]
    )
    [resolve] = prompts(match, "resolve")
    assert resolve["note"] == "range 10, needed 5; 2 damage rolled; 2 ÷ armour 2 of Zombie 1 = 1 wound"
    match.do("resolve")
    assert last_line(match) == f"Red marine hits Zombie 1: {resolve['note']}"


def test_a_miss_of_2004_says_why(build):
    match = build.on_table(KNEE_DEEP)
    match.script([("begin", {}), ("action", {"action": "advance"})])
    near, miss = ({"range": 1, "damage": 1, "ammo": False, "miss": is_miss} for is_miss in (False, True))
    match.do(
        "attack", targets=["zombie-1"], weapon="pistol", rolled_here=False, dice=[["green", near], ["yellow", miss]]
    )
    assert prompts(match, "resolve")[0]["note"] == "a die shows a miss"


def test_actions_of_2004_say_what_they_allow(build):
    match = build.on_table(KNEE_DEEP)
    match.do("begin")
    notes = {one["fields"]["action"]: one["note"] for one in prompts(match, "action")}
    assert notes == {
        "sprint": "8 points of movement",
        "unload": "2 attacks",
        "advance": "4 points of movement, 1 attack",
        "ready": "4 points of movement or 1 attack, and an order",
    }


def test_an_attack_without_a_target_says_so(build):
    match = build.on_table(KNEE_DEEP)
    match.script([("begin", {}), ("action", {"action": "advance"})])
    for figure in ("zombie-1", "zombie-3", "imp-1"):
        match.do("frag", figure=figure)
    view = match.session.view(SHARED)
    assert {"text": "Attack", "why": "No target in sight and in range."} in view["impossible"]
    assert "attack" not in {one["type"] for one in view["prompts"]}


def test_a_sole_figure_of_a_card_needs_no_choice(build):
    base = build.mission(FIRST_FIGHT)
    match = build.begun(base)
    match.do("see", document=base.table)
    match.script([("status", {"shuffled_here": False}), ("reveal", {"card": "invader"})])
    offered = prompts(match, "activate_kind")
    sole = next(one for one in offered if one["fields"]["kind"] == "imp")
    assert (sole["title"], sole["fields"]) == ("Activate Imp 1", {"kind": "imp", "figure": "imp-1"})
    match.do("activate_kind", kind="imp", figure="imp-1")
    assert match.game.turn.figure == "imp-1"


def test_between_activations_the_next_thing_is_named(build):
    match = build.begun(build.mission(FIRST_FIGHT))
    assert match.session.view(PUBLIC)["stage"] is None
    match.do("status")
    assert match.session.view(PUBLIC)["stage"] == "initiative"


def two(roads: Any, apart_mm: float, **more: Any) -> Any:
    return roads.skirmish(
        roads.fighter("a", "knights", 300, 300, mobility=5, **more), roads.fighter("b", "diggers", 300 + apart_mm, 300)
    )


def test_the_phase_of_a_skirmish_is_named(roads):
    match = two(roads, 400)
    assert match.session.view(PUBLIC)["stage"] == "start"
    roads.go_to(match, "move")
    assert match.session.view(PUBLIC)["stage"] == "move"


def test_phases_without_anything_to_do_are_passed_in_one_step(roads):
    """Neither has anything to shoot with, and they do not touch: after the moves comes the other's turn."""
    match = roads.skirmish(
        roads.fighter("a", "knights", 300, 300, weapons=["axe"]),
        roads.fighter("b", "diggers", 900, 300, weapons=["axe"]),
        arms={"axe": {"kind": "melee"}},
    )
    roads.go_to(match, "move", "knights")
    [end] = prompts(match, "next")
    assert (end["fields"], end["note"]) == ({"passes": 3}, "nothing to do in: shoot, melee, start")
    before = match.game
    match.do("next", **end["fields"])
    assert (match.game.active, match.game.phase) == ("diggers", "move")
    assert "nothing to do in" in last_line(match)
    match.do("undo")
    assert match.game == before, "an undo goes over all of it"


def test_no_phase_is_passed_in_which_somebody_can_act(roads):
    match = roads.skirmish(
        roads.fighter("a", "knights", 300, 300, weapons=["bow"]),
        roads.fighter("b", "diggers", 500, 300, weapons=["bow"]),
        arms={"bow": {"kind": "bulky"}},
    )
    roads.go_to(match, "move", "knights")
    assert prompts(match, "next")[0]["fields"] == {}
    with pytest.raises(IllegalStep, match="one phase at a time"):
        match.do("next", passes=1)


def test_the_end_of_the_phase_comes_first_once_everybody_has_moved(roads):
    match = two(roads, 600)
    roads.go_to(match, "move", "knights")
    assert match.session.view(JUDGE_VIEW)["prompts"][0]["type"] != "next"
    match.do("move", figure="a", center_mm=[320, 300])
    assert match.session.view(JUDGE_VIEW)["prompts"][0]["type"] == "next"


def test_a_tie_says_who_wins_and_why(roads):
    match = two(roads, 25)
    roads.go_to(match, "melee")
    [fight] = prompts(match, "fight")
    assert (fight["title"], fight["fields"]) == ("A and B fight", {"fighters": ["a", "b"]})
    match.do("fight", fighters=["a", "b"], rolled_here=False, rolls=[[4], [4]])
    assert [die["whose"] for die in match.session.view(PUBLIC)["happened"]["dice"]] == ["a", "b"]
    [strike] = prompts(match, "strike")
    assert "by Mobility 5 against 4" in strike["note"]
    match.do("strike")
    assert "by Mobility 5 against 4: 1 hit" in last_line(match)
    way = match.session.way({"type": "wound", "figure": "b"}, JUDGE)
    assert {pick["value"] for pick in way["ask"]["picks"]} == {0, 1}, "one hit wounds once at most"
    assert "Your own rules" in way["ask"]["note"]


def test_a_roll_says_what_it_means(roads):
    match = roads.skirmish(
        roads.fighter("a", "knights", 300, 300, stupid=True), roads.fighter("b", "diggers", 900, 300)
    )
    assert prompts(match, "test")[0]["title"].endswith("4 or less on a D6")
    roads.roll(match, 6)
    assert last_line(match).endswith("failed, a roll decides")
    roads.roll(match, 4)
    assert last_line(match).endswith("rolled 4: it stands still this turn")


def test_the_end_of_melee_says_how_many_fights_it_gives_up(roads):
    match = roads.skirmish(roads.fighter("a", "knights", 300, 300), roads.fighter("b", "diggers", 325, 300))
    roads.go_to(match, "melee", "knights")
    assert [one["note"] for one in prompts(match, "next")] == ["1 fight is left"]
    roads.fight(match, "a", "b", [4], [4])
    assert [one["note"] for one in prompts(match, "next")] != ["1 fight is left"]


def test_the_end_of_the_round_says_how_many_invaders_have_not_acted(build):
    match = build.on_table(build.KNEE_DEEP)
    match.do("begin")
    while match.game.phase == "marine":
        match.do("action", action="sprint")
        match.do("end")
    match.do("draw")
    match.do("activations")
    left = len(match.game.standing("invader"))
    while left:
        words = "1 invader has not acted" if left == 1 else f"{left} invaders have not acted"
        assert [one["note"] for one in prompts(match, "end")] == [words]
        match.do("activate", **prompts(match, "activate")[0]["fields"])
        match.do("end")
        left -= 1
    assert [one["note"] for one in prompts(match, "end")] == [""]
