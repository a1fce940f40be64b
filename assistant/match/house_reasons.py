"""House options that a step of a match rests on: the effect of another choice.

Options of rulings are part of the ruling itself. These are the options of play.
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
    """Yield the house options of play that change the legality or the outcome of this settled step."""
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
    """Return another choice's effect as a phrase, or None without one."""
    try:
        step.check(then)
        ended = step.apply(then)
    except InputError:
        return None if after is None else "refused"
    if after is None:
        return "allowed"
    return None if replace(ended, options=game.options) == after else "otherwise"
