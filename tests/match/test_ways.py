"""The way to every command: whole matches by answering questions alone, and no prompt without a way."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from assistant.app.matches.archive import load_shipped_mission
from assistant.errors import InputError, NotYours
from assistant.match.actor import JUDGE, TABLE, Actor, player
from assistant.match.audience import Audience
from assistant.match.game import INVADER, MARINES
from assistant.match.games import games
from assistant.match.ground import board_of, door_in_words
from assistant.match.missions import new_header
from assistant.match.session import Session
from assistant.match.steps import COMMON
from assistant.match.views import list_prompts
from assistant.table.board import Door
from assistant.table.lattice import edge_between

MISSIONS = ("doom2016_tutorial_sample", "doom2004_knee_deep_sample", "roads_bridge_sample")

TOLD_IN_WORDS = frozenset({"reason", "text"})
"""Fields with free text; every other one is chosen."""


def answers(ask: Mapping[str, Any], whims: random.Random) -> Iterator[Any]:
    """Yield a person's possible answers, in random order."""
    if ask["may_skip"] and (not ask["picks"] or whims.random() < 0.5):
        yield ask["skipped"]
    if ask["kind"] == "number":
        yield from (ask["value"], ask["value"] + 1)
    elif ask["kind"] == "words":
        yield "Rage"
    elif ask["kind"] == "place":
        yield [whims.uniform(50, 1000), whims.uniform(50, 800)]
    elif ask["most"] > 1:
        picks = whims.sample(ask["picks"], min(len(ask["picks"]), whims.randint(ask["least"], ask["most"])))
        yield [value for pick in picks for value in pick["value"]]
    else:
        picks = list(ask["picks"])
        whims.shuffle(picks)
        yield from (pick["value"] for pick in picks)


def walked(session: Session, command: Mapping[str, Any], by: Actor, whims: random.Random) -> Mapping[str, Any]:
    """Return the way of a command after every question was answered, or at the question that nobody can answer."""
    way = session.way(command, by)
    for _ in range(40):
        if way["ask"] is None or way["refusal"] is not None:
            return {"type": way["type"], **way["fields"], "refusal": way["refusal"]}
        value = next(answers(way["ask"], whims))
        way = session.way({"type": way["type"], **way["fields"], way["ask"]["field"]: value}, by)
    raise AssertionError(f"{command} is asked about without end: {way}")


def take_a_step(session: Session, whims: random.Random) -> str:
    """Take one prompted step by answering its questions; return it."""
    prompts = list(list_prompts(session.system, session.timeline.game))
    # What ends a turn comes last: a player with other steps left mostly takes one of them.
    prompts.sort(key=lambda p: (p.type in ("end", "next", "activations", "gain_argent"), whims.random()))
    why = []
    for prompt in prompts:
        by = player(prompt.side) if prompt.side else TABLE
        command = walked(session, {"type": prompt.type, **prompt.fields}, by, whims)
        if command.pop("refusal") is not None:
            continue
        try:
            session.command(command, by)
        except InputError as problem:
            why.append(f"{command}: {problem}")
            continue
        return prompt.type
    for moment in session.moments():  # everything waits for an answer
        session.command({"type": "pass", "of": moment.side, "asked": [moment.id]}, TABLE)
        return "pass"
    raise AssertionError(f"nothing of {[prompt.type for prompt in prompts]} can be done: {'; '.join(why)}")


@pytest.mark.parametrize("name", MISSIONS)
@pytest.mark.parametrize("seed", [1, 2])
def test_answering_every_question_plays_a_match(build, name, seed):
    session, whims, done = build.on_table(name).session, random.Random(seed), Counter()
    while session.timeline.game.winner is None and done.total() < 40:
        done[take_a_step(session, whims)] += 1
    assert len(done) >= 5, done


def test_a_game_of_a_package_of_its_own_is_played_by_answers_too(lanterns):
    mission = load_shipped_mission("lanterns_first_night")
    header = new_header(mission, match_id="night", seed="seed", created_t=0, options={})
    session, whims = Session(header, journal=None, clock_ms=lambda: 0), random.Random(3)
    session.command({"type": "see", "document": mission.table}, JUDGE)
    for _ in range(40):
        if session.timeline.game.winner is None:
            take_a_step(session, whims)
    way = session.way({"type": "creep"}, JUDGE)
    assert session.timeline.game.winner is not None or way["ask"]["kind"] == "figure"


@pytest.mark.parametrize("name", MISSIONS)
def test_no_prompt_of_a_match_is_without_a_way(build, players, name):
    """At every moment of whole matches, each prompt is complete, or asks for something to tap or type."""
    match, whims, seen = build.on_table(name), random.Random(5), set()
    for _ in range(60):
        if match.game.winner is not None:
            break
        for prompt in list_prompts(match.session.system, match.game):
            by = player(prompt.side) if prompt.side else TABLE
            moment = (prompt.type, *prompt.fields)
            if moment in seen and whims.random() < 0.8:
                continue
            seen.add(moment)
            require_way(match.session, {"type": prompt.type, **prompt.fields}, by)
        players.take_a_step(match, whims)
    assert len(seen) >= 5


def require_way(session: Session, command: Mapping[str, Any], by: Actor) -> None:
    way = session.way(command, by)
    ask = way["ask"]
    if ask is None or way["refusal"] is not None:
        assert way["refusal"] is None or " " in way["refusal"], way
        return
    assert ask["picks"] or ask["kind"] in ("number", "place", "words") or ask["may_skip"], way
    assert ask["kind"] != "words" or ask["field"] in TOLD_IN_WORDS, way
    assert ask["text"], way


@pytest.mark.parametrize("name", MISSIONS)
def test_every_command_of_a_game_is_prompted_or_offered_in_words(build, players, name):
    match, whims = build.on_table(name), random.Random(7)
    system = match.session.system
    offered = set(system.labels)
    for _ in range(200):
        if match.game.winner is None:
            offered |= {prompt.type for prompt in list_prompts(system, match.game)}
            players.take_a_step(match, whims)
    rarely = {
        "roads": {"withdraw", "waive", "charge", "flee", "advance", "draw_in", "fight", "strike", "reroll", "react"}
        | {"call_off"},  # only after a figure was put right: test_roads_claims.py
        "doom2016": {"respawn", "reroll", "displace", "draw_events"},
    }
    missing = {step.__struct_config__.tag for step in (*system.steps, *COMMON)} - offered
    assert missing <= {"see", "ruling", "pass"} | rarely.get(
        match.session.header.ruleset, {"respawn", "reroll", "end_card"}
    ), missing


def test_a_move_is_offered_with_what_it_costs(build):
    match = build.on_table(MISSIONS[1])
    match.script([("begin", {}), ("action", {"action": "advance"})])
    way = match.session.way({"type": "move", "figure": match.game.turn.figure}, TABLE)
    costs = {pick["cost"] for pick in way["ask"]["picks"]}
    assert costs == {1, 2, 3, 4}
    for pick in way["ask"]["picks"][:3]:
        assert match.session.way({"type": "move", **way["fields"], "cells": pick["value"]}, TABLE)["refusal"] is None


def test_only_legal_targets_are_offered(build):
    match = build.on_table(MISSIONS[0])
    match.script(
        [("status", {"shuffled_here": False}), ("reveal", {"card": "invader"}), ("activate_kind", {"kind": "imp"})]
    )
    match.do("activate", figure="imp-1")
    way = match.session.way({"type": "attack"}, TABLE)
    game = match.game
    assert {pick["figure"] for pick in way["ask"]["picks"]} <= {piece.id for piece in game.standing(MARINES)}
    for piece in game.standing():
        is_offered = piece.id in {pick["figure"] for pick in way["ask"]["picks"]}
        refusal = match.session.way({"type": "attack", "defender": piece.id}, TABLE)["refusal"]
        assert is_offered == (refusal is None)


def test_an_answer_that_is_certain_is_not_asked_for(build):
    match = build.on_table(MISSIONS[0])
    match.script([("status", {"shuffled_here": False}), ("reveal", {"card": "invader"})])
    ready = match.session.way({"type": "activate_kind"}, TABLE)
    kinds = match.game.kinds_on_table()
    assert (ready["ask"] is None) == (len(kinds) == 1)


@pytest.mark.parametrize("looker", [TABLE, player(MARINES)])
def test_questions_tell_nobody_what_is_in_a_hidden_hand(build, looker):
    match = build.on_table(MISSIONS[0])
    match.do("status")
    hand = match.game.deck(INVADER).hand
    names = [*hand, *(match.game.card(card).name for card in hand)]
    told = []
    for command in (
        {"type": "play_event"},
        *({"type": "play_event", "card": card} for card in (*match.game.deck(INVADER).pile[:2], *hand[:2])),
        {"type": "gain_argent"},
        {"type": "gain_argent", "cards": list(hand[:1])},
        {"type": "summon", "portal": "portal-1"},
        {"type": "summon", "portal": "portal-1", "group": 0},
    ):
        way = match.session.way(command, looker)
        told.append(json.dumps([way["ask"], way["refusal"]]))
        assert way["refusal"] is not None
    told.append(json.dumps(match.session.actions(looker)))
    assert len(set(told[1:5])) == 1, "the answers give away whether a card is in the hand"
    assert not [name for name in names if any(name in words for words in told)]


def test_cards_of_a_hand_are_offered_on_a_device_of_its_side_only(build):
    match = build.on_table(MISSIONS[0])
    match.do("status")
    ask = match.session.way({"type": "play_event"}, player(INVADER))["ask"]
    assert [pick["value"] for pick in ask["picks"]] == list(dict.fromkeys(match.game.deck(INVADER).hand))
    with pytest.raises(NotYours):
        match.session.command({"type": "play_event", "card": match.game.deck(INVADER).hand[0]}, TABLE)


def test_what_is_offered_besides_can_be_done(build):
    match = build.on_table(MISSIONS[0])
    match.script([("status", {"shuffled_here": False}), ("reveal", {"card": "alpha"})])
    by = player(MARINES)
    for deed in match.session.actions(by):
        way = match.session.way({"type": deed["type"]}, by)
        assert way["refusal"] is None, (deed, way)
    assert "exhaust_class" in {deed["type"] for deed in match.session.actions(by)}
    assert "sprint" in {prompt.type for prompt in list_prompts(match.session.system, match.game)}
    assert {game.id for game in games() if game.match} >= {"doom2016", "doom2004", "roads"}


def test_what_lies_beside_the_board_shows_each_side_its_own_hand_alone(build):
    match = build.on_table(MISSIONS[0])
    match.do("status")

    def hands(side):
        panels = match.session.view(Audience(side=side))["panels"]
        return {panel["title"]: panel["cards"] for panel in panels if panel["is_hand"]}

    assert len(hands(INVADER)["Hand: Invader"]) == len(match.game.deck(INVADER).hand)
    assert hands(INVADER)["Hand: Alpha"] == []
    assert hands(MARINES)["Hand: Invader"] == []
    assert len(hands(MARINES)["Hand: Alpha"]) == len(match.game.deck("alpha").hand)
    assert not any(hands(None).values())


def test_a_number_is_one_tap_where_it_is_usual_and_only_where_it_is_allowed(build, roads):
    match = build.on_table(MISSIONS[0])
    match.do("status")
    way = match.session.way({"type": "damage", "figure": "alpha"}, JUDGE)
    assert [pick["text"] for pick in way["ask"]["picks"]] == ["1", "2", "3", "4", "5"]
    match = roads.skirmish(
        roads.fighter("archer", "red", 200, 200, weapons=["bow", "knife"]),
        roads.fighter("far", "blue", 1100, 800),
        arms={"bow": {"kind": "bulky", "range_steps": 3}, "knife": {"kind": "melee"}},
    )
    roads.go_to(match, "shoot")
    way = match.session.way({"type": "shoot", "figure": "archer", "target": "far"}, TABLE)
    assert way["fields"]["weapon"] == "bow", "a knife does not shoot"
    hits = way["ask"]
    assert (hits["kind"], [pick["value"] for pick in hits["picks"]]) == ("number", [0])  # it is out of range


def test_a_single_target_is_filled_in_and_named(build):
    match = build.on_table(MISSIONS[0])
    match.script(
        [("status", {"shuffled_here": False}), ("reveal", {"card": "invader"}), ("activate_kind", {"kind": "imp"})]
    )
    match.do("activate", figure="imp-1")
    for marine in ("bravo", "charlie"):
        if marine in match.game.pieces and match.game.piece(marine).on_table:
            match.do("frag", figure=marine)
    way = match.session.way({"type": "attack"}, TABLE)
    assert (way["ask"], way["fields"]["defender"], way["certain"]) == (None, "alpha", ["Alpha"])
    assert way["has_dice"], "who attacks is still asked who rolls"
    advice = match.session.advise({"attacker": "imp-1", "defender": "alpha"})["odds"]
    assert [share["chance"] for share in way["odds"]["outlook"]] == [advice["frag"]], "beside the roll"


def test_who_would_be_all_there_is_to_a_step_is_named_all_the_same(roads):
    match = roads.skirmish(roads.fighter("hero", "red", 200, 200), roads.fighter("ogre", "blue", 900, 200))
    ask = match.session.way({"type": "watch"}, player("red"))["ask"]
    assert (ask["field"], [pick["figure"] for pick in ask["picks"]]) == ("figure", ["hero"])


def test_a_spawn_card_with_two_groups_is_chosen_with_its_group_by_one_tap(build):
    match = build.on_table(MISSIONS[1])
    match.do("begin")
    for _ in match.game.setup.marines:
        match.do("action", action="sprint")
        match.do("end")
    match.do("draw")
    by, hand = player(INVADER), match.game.deck.hand
    ask = match.session.way({"type": "spawn"}, by)["ask"]
    assert ask is not None, "the hand has spawn cards"
    for card in {pick["value"] for pick in ask["picks"]}:
        assert card in hand
        assert [pick["fills"]["group"] for pick in ask["picks"] if pick["value"] == card] == list(
            range(len(match.game.setup.cards[card].spawns))
        )
    then = match.session.way({"type": "spawn", "card": ask["picks"][0]["value"], **ask["picks"][0]["fills"]}, by)
    assert then["ask"] is None or then["ask"]["field"] == "cells", "the group is not asked for again"


def test_event_cards_become_argent_one_by_one_in_two_answers(build):
    match = build.on_table(MISSIONS[0])
    match.do("status")
    by = player(INVADER)
    ask = match.session.way({"type": "gain_argent"}, by)["ask"]
    assert (ask["field"], ask["most"]) == ("cards", 1)
    then = match.session.way({"type": "gain_argent", "cards": ask["picks"][0]["value"]}, by)["ask"]
    assert then["field"] == "onto"
    match.session.command(
        {"type": "gain_argent", "cards": ask["picks"][0]["value"], "onto": then["picks"][0]["value"]}, by
    )
    assert "gain_argent" in {prompt.type for prompt in list_prompts(match.session.system, match.game)}


def test_a_group_that_is_summoned_can_be_placed_at_once(build):
    base = build.mission("doom2016_first_fight")
    match = build.begun(base)
    match.do("see", document=base.table)
    match.do("status")
    by = player(INVADER)
    way = match.session.way({"type": "summon", "portal": "portal-1", "group": 0}, by)
    assert way["ask"]["may_skip"]
    placed = way["ask"]["skipped"]
    assert sorted(placed) == ["possessed-2", "possessed-3"]
    taken = [tuple(cell) for cells in placed.values() for cell in cells]
    assert len(set(taken)) == 2
    assert all(max(abs(column - 9), abs(row - 1)) <= 1 for column, row in taken)


def test_a_group_of_two_kinds_is_chosen_with_the_card_that_gets_its_argent(build):
    base = build.mission("doom2016_first_fight")
    invasion = [{"portal": "blue", "demons": {"possessed": 1, "imp": 1}, "argent": 1}]
    match = build.begun(build.with_setup(base, invasion=invasion, triggers=[]))
    match.do("see", document=base.table)
    match.do("status")
    by = player(INVADER)
    ask = match.session.way({"type": "summon", "portal": "portal-1"}, by)["ask"]
    assert (ask["field"], [pick["value"] for pick in ask["picks"]]) == ("group", [0, 0])
    assert [pick["fills"]["argent"] for pick in ask["picks"]] == [{"possessed": 1}, {"imp": 1}]
    chosen = {"type": "summon", "portal": "portal-1", "group": 0, **ask["picks"][1]["fills"]}
    there = match.session.way(chosen, by)["ask"]
    assert match.session.way({**chosen, "cells": there["skipped"]}, by)["ask"] is None, "three taps with the prompt"


def test_a_door_is_called_by_the_spaces_beside_it(build):
    """Its number is not on the table. A mission's name for it comes before its place."""
    game = build.begun(build.mission("doom2016_sample_table")).session.wanted()
    column, row = (min(part) for part in zip(*board_of(game).cells, strict=True))
    beside, below = (column + 1, row), (column, row + 1)
    unnamed, named = (
        Door(name, (edge_between((column, row), cell),)) for name, cell in (("door-2", beside), ("red-door", below))
    )
    assert door_in_words(game, unnamed).worded("en") == "the door A1–B1"
    assert door_in_words(game, unnamed).worded("ru") == "дверь A1–B1"
    assert door_in_words(game, named).worded("en") == "Red door (A1–A2)"
