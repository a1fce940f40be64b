"""DOOM 2004 asks each side that may still answer on its own device, and reveals nothing (seed 004, “Timing”)."""

from __future__ import annotations

from random import Random
from types import ModuleType
from typing import Any

import pytest
from loading import beside
from msgspec.structs import replace

from assistant.errors import InputError, NotYours
from assistant.match.actor import JUDGE, player
from assistant.match.audience import PUBLIC
from assistant.match.game import INVADER, MARINES, GameState
from assistant.match.moments import list_open
from assistant.match.replay import replay_match
from assistant.match.session import Session

CLAIMS = beside(__file__, "test_claims2004")
ANN, BOB = player(MARINES, "Ann"), player(INVADER, "Bob")
SIDES = (MARINES, INVADER)
RED, GREEN, IMP, ZOMBIE = "red-marine", "green-marine", "imp-1", "zombie-1"


def begun(build: ModuleType, *events: str, **setup: Any) -> Any:
    """Return a match whose invader holds only these events, and enough copies never to run out."""
    return CLAIMS.Match(build, cards=CLAIMS.with_events(*events), **setup)


def let_be(match: Any, side: str) -> None:
    """A side lets everything be that it is asked."""
    asked = [one["id"] for one in match.played.session.view(PUBLIC)["asked"] if one["side"] == side]
    match.do("pass", by=player(side), of=side, asked=asked)


def waits(match: Any, by: Any, type_: str, **fields: Any) -> str:
    sentence = match.refuses(type_, by=by, **fields)
    assert "wait for an answer" in sentence
    return str(sentence)


# “If a marine player doesn't give the invader player the opportunity to play a card before he attacks and just starts
# rolling dice, the invader player can quickly interrupt and play his card before the attack is resolved.” (seed 004)


@pytest.mark.parametrize("answer", ["dodge", "dark"])
def test_an_attack_waits_for_the_invaders_card(build: ModuleType, answer: str) -> None:
    match = begun(build, answer, places={"imp_1": [[3, 0]]}).begin("unload")
    match.do("damage", by=JUDGE, figure=IMP, amount=1)
    match.shoot(IMP, by=ANN)
    assert "a card against the attack of Red marine?" in waits(match, ANN, "resolve")
    card = match.game.deck.hand[0]
    if answer == "dodge":
        match.do("dodge_by_card", by=BOB, figure=IMP, card=card)
    else:
        match.do("play_event", by=BOB, card=card, figure=IMP)
        assert match.game.piece(IMP).harm == 0
        let_be(match, INVADER)
        match.do("resolve", by=ANN)


def test_an_aimed_re_roll_waits_for_the_dodge(build: ModuleType) -> None:
    match = begun(build, "dodge").begin("ready")
    match.do("order", order="aim")
    match.put(imp_1=[[3, 0]])
    match.shoot(IMP, aimed=True, by=ANN)
    rolled = {"which": [0], "rolled_here": False, "faces": [CLAIMS.HIT]}
    waits(match, ANN, "reroll", **rolled)
    let_be(match, INVADER)
    match.do("reroll", by=ANN, **rolled)
    assert "only once" in match.refuses("dodge_by_card", by=BOB, figure=IMP, card=match.game.deck.hand[0])
    match.do("resolve", by=ANN)


# “… can be played until the marine player declares his action. As always, the invader player should be given a
# reasonable chance to play his cards first.” (seed 004)


def test_the_declaration_waits_for_a_card_before_the_turn(build: ModuleType) -> None:
    match = begun(build, "before").begin()
    waits(match, ANN, "action", action="sprint")
    match.do("play_event", by=BOB, card=match.game.deck.hand[0])
    let_be(match, INVADER)
    match.do("action", by=ANN, action="sprint")
    match.do("end", by=ANN)
    waits(match, ANN, "action", action="sprint")


# “antes de que pueda continuar el turno del marine” (seed 002)


@pytest.mark.parametrize(
    ("type_", "fields"),
    [
        ("move", {"figure": RED, "cells": [[3, 0]]}),
        ("end", {}),
        ("order", {"order": "aim"}),
        ("take", {"item": "second"}),
    ],
)
def test_after_a_token_the_turn_waits_for_a_trap(build: ModuleType, type_: str, fields: dict[str, Any]) -> None:
    items = [{"id": name, "kind": "ammo", "what": "rockets", "cell": [2, 0]} for name in ("first", "second")]
    match = begun(build, "trap", items=items).begin("ready")
    match.do("move", by=ANN, figure=RED, cells=[[2, 0]])
    match.do("take", by=ANN, item="first")
    waits(match, ANN, type_, **fields)
    let_be(match, INVADER)
    match.do(type_, by=ANN, **fields)


# “This is also true for the marine guard order.” (seed 004)


def test_an_attack_of_an_invader_waits_for_guards_and_dodges(build: ModuleType) -> None:
    match = begun(build, "any", places={"red_marine": [[4, 0]], "green_marine": [[4, 1]]}).begin("ready")
    match.do("order", order="guard")
    match.do("end")
    match.do("action", action="ready")
    match.do("order", order="dodge")
    match.to_activations().act(IMP)
    match.shoot(GREEN, "imp", by=BOB)
    asked = [(one["side"], one["figure"]) for one in match.played.session.view(PUBLIC)["asked"]]
    assert sorted(asked) == [(MARINES, GREEN), (MARINES, RED)]
    waits(match, BOB, "resolve")
    let_be(match, MARINES)
    match.do("resolve", by=BOB)
    match.do("end", by=BOB)
    waits(match, BOB, "end")
    let_be(match, MARINES)
    match.do("end", by=BOB)


def test_nobody_is_asked_who_cannot_have_an_answer(build: ModuleType) -> None:
    cards = {**CLAIMS.with_events("any"), "dodge": CLAIMS.EVENTS["dodge"]}
    match = CLAIMS.Match(build, cards=cards, places={"imp_1": [[3, 0]]}).begin("unload")
    match.shoot([1, 1], by=ANN)
    assert match.played.session.view(PUBLIC)["asked"] == [], "nobody stands there"
    match.do("resolve", by=ANN)
    match.shoot(IMP, by=ANN)
    game, system = match.game, match.played.session.system
    assert [moment.side for moment in list_open(system, game)] == [INVADER], "any card of the hand may be the dodge"
    rest = tuple(card for card in game.deck.pile if card != "dodge")
    lies_open = replace(game, deck=replace(game.deck, hand=rest[:3], pile=rest[3:], discard=("dodge",)))
    assert list_open(system, lies_open) == ()
    assert list_open(system, replace(game, deck=replace(game.deck, hand=()))) == ()


# A step that takes from a side is that side's (the wounds of a marine are his tokens, seed 002).


@pytest.mark.parametrize(("type_", "fields"), [("damage", {"amount": 1}), ("frag", {}), ("place", {"cells": [[2, 2]]})])
def test_nobody_takes_from_the_other_side(build: ModuleType, type_: str, fields: dict[str, Any]) -> None:
    match = begun(build, "any").begin()
    for figure, other in ((RED, BOB), (IMP, ANN)):
        with pytest.raises(NotYours):
            match.do(type_, by=other, figure=figure, **fields)
    match.do(type_, by=ANN, figure=RED, **fields)


# “No secret leaks by who is asked”: another hand with the same number of cards gives the same questions.


def with_another_hand(game: Any, whims: Random) -> Any:
    """Return the same match for everybody else: hand and pile are dealt anew."""
    unseen = [*game.deck.hand, *game.deck.pile]
    whims.shuffle(unseen)
    held = len(game.deck.hand)
    return replace(game, deck=replace(game.deck, hand=tuple(unseen[:held]), pile=tuple(unseen[held:])))


def test_who_is_asked_tells_nothing_of_the_hand(build: ModuleType, players: ModuleType) -> None:
    asked = 0
    for seed in range(3):
        match, whims = build.on_table(build.KNEE_DEEP, seed=f"secret {seed}"), Random(seed)
        system = match.session.system
        for _ in range(80):
            if match.game.winner is not None:
                break
            players.take_a_step(match, whims)
            now = list_open(system, match.game)
            asked += bool(now)
            assert list_open(system, with_another_hand(match.game, whims)) == now
    assert asked > 20


# A whole match with two devices that answer at random times.


def play_on_two_devices(match: Any, players: ModuleType, seed: int) -> int:
    """Play until somebody wins, each side on its own device; return how often somebody had to wait."""
    whims, waited = Random(seed), 0
    for _ in range(6_000):
        if match.game.winner is not None:
            return waited
        side = whims.choice(SIDES)
        if whims.random() < 0.4 and (passes := [each for each in players.list_passes(match) if each[2] == side]):
            match.do("pass", by=player(side), **passes[0][1])
            continue
        for type_, fields, of in players.wanted(match, whims):
            if of not in (None, side):
                continue
            try:
                match.do(type_, by=player(side), **fields)
            except InputError as problem:
                waited += "wait for an answer" in str(problem)
            else:
                break
    raise AssertionError("nobody has won")


def require_nobody_overruled(session: Session) -> int:
    """Fail if a command closed a moment without its side's answer or pass; return the number of open moments."""
    found = 0
    events = {event.seq: event for event in session._events}  # the actors and commands as they were kept
    for done in session.timeline.steps():
        event = events[done.entry.seq]
        before: GameState = done.before
        for moment in type(event.command).moments(before):  # type: ignore[attr-defined]
            if moment.side != event.actor.side and event.actor.role == "player":
                assert moment.id in before.passed, f"{done.entry.title} overrules {moment.side}"
                found += 1
    return found


@pytest.mark.parametrize("seed", [1, 2])
def test_a_whole_match_on_two_devices(
    build: ModuleType, players: ModuleType, invariants: ModuleType, seed: int
) -> None:
    match = build.on_table(build.KNEE_DEEP, seed=f"two {seed}")
    assert play_on_two_devices(match, players, seed) > 3
    assert require_nobody_overruled(match.session) > 5  # nobody is asked what can change nothing
    invariants.require_sound(match)
    found = replay_match(match.document(), "match")
    assert found.findings == ()
    assert found.timeline.game == match.game


def test_a_close_that_was_too_fast_is_taken_back_by_the_invader(build: ModuleType) -> None:
    match = begun(build, "dodge", places={"imp_1": [[3, 0]]}).begin("unload")
    match.shoot(IMP, by=ANN)
    match.do("resolve")  # on the shared tablet, before the invader's own device has said anything
    match.do("undo", by=BOB)
    match.do("dodge_by_card", by=BOB, figure=IMP, card=match.game.deck.hand[0])
