"""The house options on which a step of a match rests: what another choice would have made of it.

Options of rulings stand in the ruling itself; these are the others, those of play.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from assistant.errors import InputError
from assistant.match.game import GameState, Step
from assistant.rules.reasons import Rule, reason
from assistant.rules.ruling import Reason
from assistant.translations.messages import message

HOUSE = Rule(
    "match/house-option",
    message("an open point of the printed rules, settled by a house rule"),
    message("Where the printed rules are silent, the house's option decides."),
    {
        "refused": message("This rests on the house option {option} = {choice}; with {other} it would be refused."),
        "allowed": message("This rests on the house option {option} = {choice}; with {other} it would be allowed."),
        "otherwise": message("This rests on the house option {option} = {choice}; with {other} it would differ."),
    },
)


def find_house_reasons(step: Step[Any], game: GameState) -> Iterator[Reason]:
    """The house options of play without which this step, as it was settled, would be judged or would end otherwise."""
    is_legal, chosen = step.is_allowed(game), game.rules.options
    after = step.apply(game) if is_legal else None
    for option in game.rules.option_table:
        for other in option.choices if not option.in_rulings else ():
            if other == chosen[option.name]:
                continue
            then = replace(game, options={**game.options, option.name: other})
            phrase = _compare(step, then, after, game)
            if phrase is not None:
                yield reason(HOUSE, phrase, option=option.name, choice=chosen[option.name], other=other)


def _compare(step: Step[Any], then: GameState, after: GameState | None, game: GameState) -> str | None:
    """What another choice would change, as a phrase; None where it changes nothing."""
    try:
        step.check(then)
        ended = step.apply(then)
    except InputError:
        return None if after is None else "refused"
    if after is None:
        return "allowed"
    return None if replace(ended, options=game.options) == after else "otherwise"
