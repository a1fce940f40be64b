"""No command of any kind takes an answer from the other side: every command of a game is tried on states of chance.

A side's device gives each command that it may, prompted or not. What another side could have answered must still be
open to it afterwards, unless the command waited for it. So a command that closes something and asks nobody shows here.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random
from typing import Any

import pytest
from loading import beside
from msgspec.structs import replace

from assistant.errors import IllegalStep, InputError
from assistant.match.audience import JUDGE_VIEW
from assistant.match.game import GameState, Step
from assistant.match.games import system_of
from assistant.match.steps import See
from assistant.match.ways import refusal_of
from assistant.translations.messages import said

DEAD_ENDS = beside(__file__, "dead_ends")
MISSIONS = {path.stem.removeprefix("random_missions"): path.stem for path in Path(__file__).parent.glob("random_m*.py")}
MANY = int(os.environ.get("LOOKS", "400"))

ANSWERS: Mapping[str, tuple[str, ...]] = {
    "doom2016": ("react", "defend", "play_event", "use_ability", "reroll", "displace"),
    "doom2004": ("play_event", "dodge", "dodge_by_card", "reroll", "attack"),
    "roads": ("react", "reroll", "shoot", "fight", "advance", "draw_in"),
}
"""The commands by which a side answers another."""

PUT_OFF = {
    ("play_event", "attack"): "the marine attacks when the invaders of the card have acted",
    ("end", "react"): "a reaction without a moment of its own may come in any later activation",
    ("defend", "use_ability"): "the attacker waits for the end of the defence",
    ("react", "play_event"): "the activation goes on when the marine has reacted",
    ("announce", "shoot"): "two on watch shoot one after the other",
    ("stand_up", "shoot"): "a shot is announced first, now that somebody may react",
    ("fight", "fight"): "the fight that was wanted is begun",
    ("wield", "fight"): "a fight waits for the hits that are open",
}
"""Commands that only postpone an answer, or give it."""


def waits_for_stun(system: Any, game: Any, card: Mapping[str, Any], whims: Random) -> bool:
    """Return whether a reaction is only postponed: a stunned defender of 2016 plays none that protects him.

    «Если оглушенный защищается – он не может брать карту, защищающую от атаки. Оглушение с фигуры снимается после
    выполнения ею атаки или защиты.» So he may play that very card in that very state but for his stun.
    """
    if card["type"] != "react" or game.rules.options.get("stunned_reaction") != "refused" or game.pending is None:
        return False
    stunned = game.piece(card.get("figure") or game.pending.defender)
    marks = tuple(mark for mark in stunned.marks if mark != "stunned")
    is_barred = stunned.id == game.pending.defender and marks != stunned.marks
    return is_barred and DEAD_ENDS._try(system, game.with_piece(replace(stunned, marks=marks)), card, whims) is not None


def guard(game: GameState, side: str) -> Any:
    """Refuse commands that the device of a side may not give now."""

    def require_allowed(step: Step[Any]) -> None:
        is_own = step.side(game) in (None, side) and not step.sides_besides(game) - {side} and not step.for_judge
        waits = any(one.id not in game.passed and one.side != side for one in type(step).moments(game))
        if not is_own or waits:
            raise IllegalStep(said("wait for your turn"))

    return require_allowed


def find_command(system: Any, game: GameState, side: str, kind: str, whims: Random) -> dict[str, Any] | None:
    """Return a command of that type that a side's device may give now, or None if there is none."""
    refuses = refusal_of(system, game, guard(game, side))
    prompted = [{"type": kind, **prompt.fields} for prompt in system.prompts(game) if prompt.type == kind]
    for command in prompted[:3] or [{"type": kind}]:
        finder = DEAD_ENDS.Wanderer(system, game, JUDGE_VIEW, refuses, trials=60, whims=whims)
        found: dict[str, Any] | None = finder.complete(command)
        if found is not None and refuses(found) is None:  # out of trials it hands the command back as it was
            return found
    return None


def list_commands(system: Any, game: GameState, side: str, whims: Random) -> Iterator[tuple[str, Step[Any]]]:
    """Yield a command of each type that the device of a side may give now."""
    kinds = {prompt.type for prompt in system.prompts(game)} | set(system.labels)
    for kind in sorted(kind for kind in kinds if not system.is_by_hand(kind)):
        fields = find_command(system, game, side, kind, whims)
        step = None if fields is None else DEAD_ENDS._try(system, game, fields, whims)
        if step is not None:
            try:
                guard(game, side)(step)
            except InputError:
                continue
            yield kind, step


def is_free(game: Any) -> bool:
    """Return whether nothing has to be finished first, so that a postponed answer does not count as lost."""
    return not hasattr(game, "find_open") or game.find_open() is None


def find_lost(system: Any, game: GameState, whims: Random) -> Iterator[tuple[str, str]]:
    """Pairs of a command and the answer that it takes from another side."""
    sides = sorted({piece.side for piece in game.pieces.values()})
    for side in sides:
        found = {kind: find_command(system, game, side, kind, whims) for kind in ANSWERS[game.rules.name]}
        had = {kind: answer for kind, answer in found.items() if answer}
        for other in [one for one in sides if one != side and had]:
            for kind, step in list_commands(system, game, other, whims):
                after = step.apply(game).concluded()
                if after.winner is None and is_free(after):
                    yield from (
                        (kind, answer)
                        for answer, command in had.items()
                        if (kind, answer) not in PUT_OFF
                        and not find_command(system, after, side, answer, whims)
                        and not waits_for_stun(system, after, command, whims)
                    )


def require_nobody_loses(name: str, states: int, seed: str) -> None:
    missions = beside(__file__, MISSIONS[name])
    system, habits = system_of(missions.GAME), getattr(missions, "HABITS", DEAD_ENDS.USUAL)
    looked = number = 0
    while looked < states:
        begun = f"{seed}/{number}"
        start, whims = missions.random_start(Random(begun)), Random(begun)
        game = See(document=dict(start.table)).apply(system.start(start.setup, start.options, begun))
        number += 1
        for count in range(120):
            if game.winner is not None or looked >= states:
                break
            if whims.random() < 0.5:
                looked += 1
                lost = sorted(set(find_lost(system, game, whims)))
                assert not lost, f"{begun}, step {count}: {lost}"
            step = DEAD_ENDS.find_step(system, game, whims, habits)
            assert step is not None
            game = step.apply(game).concluded()


@pytest.mark.parametrize("game", sorted(MISSIONS))
def test_no_command_takes_an_answer(game: str) -> None:
    require_nobody_loses(game, 20, "few")


@pytest.mark.slow
@pytest.mark.parametrize("game", sorted(MISSIONS))
def test_no_command_takes_an_answer_in_many_states(game: str) -> None:
    require_nobody_loses(game, MANY, os.environ.get("SEED", "many"))
