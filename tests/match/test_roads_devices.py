"""Whole skirmishes of `roads` with a device for each side that answers at random times: no answer is lost."""

from __future__ import annotations

import random
from collections import Counter
from types import ModuleType
from typing import Any

import pytest

from assistant.errors import IllegalStep, InputError
from assistant.match.actor import JUDGE, Actor, player
from assistant.match.replay import replay_match

MOST_STEPS = 6_000
ANSWERS = 0.4
"""Share of answers among a questioned side's reactions; the rest are passes."""


def played_by_devices(match: Any, players: ModuleType, seed: int) -> Counter[str]:
    """Play until somebody wins; count the waiting closes, the passes and the answers."""
    whims, found = random.Random(seed), Counter[str]()
    for _ in range(MOST_STEPS):
        if match.game.winner is not None:
            return found
        found[_take_a_step(match, players, whims)] += 1
    raise AssertionError(f"nobody has won after {MOST_STEPS} steps")


def _take_a_step(match: Any, players: ModuleType, whims: random.Random) -> str:
    refused = []
    for type_, fields, side in players.wanted(match, whims):
        actor = JUDGE if type_ == "hold_back" else player(side or whims.choice(match.game.setup.sides))
        before = match.game
        try:
            match.session.command({"type": type_, **fields}, actor)
        except IllegalStep as problem:
            if problem.rule is not None and problem.rule.id == "match/moments":
                return _is_answered(match, type_, actor, whims)
            refused.append(f"{type_} {fields}: {problem}")
        except InputError as problem:
            refused.append(f"{type_} {fields}: {problem}")
        else:
            _require_passed(match, type_, actor, before)
            return "step"
    raise AssertionError("nothing can be done: " + "; ".join(refused))


def _require_passed(match: Any, type_: str, actor: Actor, before: Any) -> None:
    """Nobody else might still have answered when that command went through."""
    asked = match.session.system.commands[type_].moments(before)
    lost = [one.id for one in asked if actor.role == "player" and one.side != actor.side]
    assert set(lost) <= set(before.passed), f"{type_} by {actor.side} over {lost}"


def _is_answered(match: Any, type_: str, actor: Actor, whims: random.Random) -> str:
    """Answer or pass for one of the questioned sides, on its own device."""
    command = match.session.system.commands[type_]
    waiting = [one for one in command.moments(match.game) if one.side != actor.side]
    moment = whims.choice([one for one in waiting if one.id not in match.game.passed])
    own = player(moment.side)
    for answer in moment.answers if whims.random() < ANSWERS else ():
        try:
            match.session.command({**answer, **_chosen(answer)}, own)
        except InputError:
            continue
        return "answer"
    match.session.command({"type": "pass", "of": moment.side, "asked": [moment.id]}, own)
    return "pass"


def _chosen(answer: Any) -> dict[str, Any]:
    """Return the remaining fields of an answer, as that side would choose them."""
    rest: dict[str, dict[str, Any]] = {"react": {"how": "duck"}, "advance": {"stays": True}, "shoot": {"hits": 0}}
    return rest.get(answer["type"], {})


def skirmish(build: ModuleType, players: ModuleType, seed: int) -> Any:
    """Return a skirmish of the bridge, in which every side joins with a device."""
    match = build.on_table(build.BRIDGE)
    found = played_by_devices(match, players, seed)
    replay = replay_match(match.document(), "m")
    assert replay.findings == ()
    assert replay.timeline.game == match.game
    return found


@pytest.mark.parametrize("seed", [1, 2])
def test_two_devices_play_a_whole_skirmish(build: ModuleType, players: ModuleType, seed: int) -> None:
    assert skirmish(build, players, seed)["pass"]


@pytest.mark.slow
def test_two_devices_play_many_whole_skirmishes(build: ModuleType, players: ModuleType) -> None:
    found = Counter[str]()
    for seed in range(60):
        found += skirmish(build, players, seed)
    assert found["pass"] > found["answer"] > 20
