"""Two devices that answer at random times: no answer is lost, no secret shows, undo and replay work."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from random import Random
from types import ModuleType
from typing import Any

import pytest
from msgspec.structs import replace

from assistant.errors import InputError
from assistant.match.actor import JUDGE, Actor, player
from assistant.match.audience import Audience
from assistant.match.game import INVADER, Moment
from assistant.match.moments import ask_reader, find_waiting, list_open
from assistant.match.replay import replay_match

MISSIONS = ["doom2016_tutorial_sample", "doom2004_knee_deep_sample", "roads_bridge_sample"]
MAX_STEPS = 4_000


class Hands:
    """A clock that a test moves on."""

    def __init__(self) -> None:
        self.now_ms = 1_700_000_000_000

    def __call__(self) -> int:
        return self.now_ms


def sides_of(match: Any) -> list[str]:
    return sorted({piece.side for piece in match.game.pieces.values()})


def wanted(match: Any, players: ModuleType, whims: Random) -> Iterator[tuple[str, dict[str, Any], Actor]]:
    """Yield the devices' present options: passes and every prompt."""
    asked = [("pass", {"of": one.side, "asked": [one.id]}, player(one.side)) for one in match.session.moments()]
    whims.shuffle(asked)
    if whims.random() < 0.5:
        yield from asked
    for type_, fields, side in players.wanted(match, whims):
        sides = [side] if side else sides_of(match)
        whims.shuffle(sides)
        judged = type_ in ("hold_back", "call_off")
        yield from ((type_, fields, JUDGE if judged else player(one)) for one in sides)
    yield from asked


def answers_of(match: Any) -> list[tuple[Moment, dict[str, Any]]]:
    """Return the possible answers of the questioned sides, each on its own device."""
    return [
        (one, dict(answer))
        for one in match.session.moments()
        for answer in one.answers
        if could_give(match, one, answer)
    ]


def could_give(match: Any, moment: Moment, answer: Any) -> bool:
    return match.session._finder(player(moment.side), "en").complete(dict(answer)) is not None


def require_kept(match: Any, before: list[tuple[Moment, dict[str, Any]]], by: Actor, given: str) -> None:
    """Require that each bystander keeps every answer, unless passed or the match is over.

    A fight that the other side begins is no answer lost: it is what was asked for, or it is over before the next one.
    """
    for moment, answer in before if match.game.winner is None else ():
        if moment.side != by.side and moment.id not in match.game.passed and answer["type"] != given:
            assert could_give(match, moment, answer), f"{moment.side} has lost {answer} of {moment.id} by {given}"


def require_refused(match: Any) -> None:
    """Require that no device closes a moment that another side may still answer."""
    session, timeline = match.session, match.session.timeline
    for step in session.system.steps:
        for side in sides_of(match):
            waiting = find_waiting(step, timeline, player(side))
            if waiting:
                tag = step.__struct_config__.tag
                shown = [p["type"] for p in session.view(Audience(side=side))["prompts"]]
                assert tag not in shown
                with pytest.raises(InputError):
                    session.command({"type": tag}, player(side))


def other_hands(game: Any, whims: Random) -> Any:
    """Return the same match with other cards in the invader's hand, if the game has hands: as many, as many left."""
    decks = getattr(game, "decks", None)
    deck = getattr(game, "deck", None) if decks is None else decks.get(INVADER)
    if deck is None or not deck.hand or len(deck.pile) < len(deck.hand):
        return None
    cards = [*deck.pile, *deck.hand]
    whims.shuffle(cards)
    size = len(deck.hand)
    changed = replace(deck, hand=tuple(cards[:size]), pile=tuple(cards[size:]))
    return game.with_deck(INVADER, changed) if decks is not None else replace(game, deck=changed)


def require_no_leak(match: Any, whims: Random) -> None:
    """Require that questions and their displays do not depend on the invader's hand."""
    session = match.session
    asks, timeline, system = session.header.asks, session.timeline, session.system
    twin = other_hands(timeline.game, whims)
    if twin is None:
        return
    others = dataclasses.replace(timeline, game=twin)
    assert list_open(system, twin) == list_open(system, timeline.game)
    for side in (None, *(one for one in sides_of(match) if one != INVADER)):
        told = [
            ask_reader(system, one, Audience(side=side), asks, timeline.changed_ms, lambda moment: True)
            for one in (timeline, others)
        ]
        assert told[0] == told[1]


def played(match: Any, players: ModuleType, seed: int, clock: Hands, often: float) -> dict[str, int]:
    """Play a whole match on the devices of its sides; return how often each command was given."""
    whims, given = Random(seed), dict[str, int]()
    for _ in range(MAX_STEPS):
        if match.game.winner is not None:
            return given
        clock.now_ms += whims.choice([0, 500, 4_000, 15_000])
        is_looked_at = whims.random() < often and bool(match.session.moments())
        before = answers_of(match) if is_looked_at else []
        if is_looked_at:
            if match.session.header.asks.quick is False:
                require_refused(match)
            require_no_leak(match, whims)
        for type_, fields, actor in wanted(match, players, whims):
            try:
                match.session.command({"type": type_, **fields}, actor)
            except InputError:
                continue
            given[type_] = given.get(type_, 0) + 1
            if is_looked_at and not match.session.header.asks.quick:
                require_kept(match, before, actor, type_)
            break
        else:
            raise AssertionError(f"nothing can be done: {match.session.moments()}")
        if whims.random() < 0.03:
            now = match.game
            match.session.command({"type": "undo"}, JUDGE)
            match.session.command({"type": "redo", "to": None}, JUDGE)
            assert match.game == now
    raise AssertionError("nobody has won")


@pytest.mark.parametrize("mission", MISSIONS)
@pytest.mark.parametrize("moments", ["asked", "quick"])
def test_a_whole_match_with_two_devices_that_answer_at_random_times(
    build: ModuleType, players: ModuleType, mission: str, moments: str
) -> None:
    clock = Hands()
    match = build.on_table(mission, seed="answers", options={"moments": moments, "speak_up": "10"}, clock=clock)
    given = played(match, players, 7, clock, often=0.3)
    assert sum(given.values()) > 20
    replayed = replay_match(match.document(), "m")
    assert replayed.findings == ()
    assert replayed.timeline.game == match.game


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(30))
@pytest.mark.parametrize("mission", MISSIONS)
def test_many_matches_with_devices_that_answer_at_random_times(
    build: ModuleType, players: ModuleType, mission: str, seed: int
) -> None:
    clock = Hands()
    moments = "quick" if seed % 3 == 0 else "asked"
    match = build.on_table(mission, seed=f"answers {seed}", options={"moments": moments, "speak_up": "5"}, clock=clock)
    played(match, players, seed, clock, often=1.0)
    assert replay_match(match.document(), "m").timeline.game == match.game
