"""What the triggers of a mission bring about in a match (source 001, “Карта угрозы”, “Карта задач”)."""

from __future__ import annotations

from msgspec.structs import replace

from assistant.games.doom2016.match.state import Match2016
from assistant.games.doom2016.match.triggers import GainThreat, Moment, Outcome, SummonFrom, Trigger
from assistant.match.game import Cells
from assistant.translations.messages import said


def fire(game: Match2016, on: Moment, *, door: str | None = None, cells: Cells = ()) -> Match2016:
    """The game after everything that this moment triggers, in the mission's order."""
    for trigger in game.setup.triggers:
        if trigger.on == on and _fits(game, trigger, door, cells):
            game = replace(game, fired=(*game.fired, trigger.name))
            for outcome in trigger.outcomes:
                game = _bring_about(game, trigger, outcome)
    return game


def _fits(game: Match2016, trigger: Trigger, door: str | None, cells: Cells) -> bool:
    if trigger.once and trigger.name in game.fired:
        return False
    if trigger.on == "door_opened":
        return trigger.door in (None, door)
    if trigger.on == "area_entered":
        return bool(set(trigger.area) & set(cells))
    return trigger.round in (None, game.round)


def _bring_about(game: Match2016, trigger: Trigger, outcome: Outcome) -> Match2016:
    if isinstance(outcome, SummonFrom):
        there = {portal.id for portal in game.portals} - set(game.summons_due)
        return replace(game, summons_due=(*game.summons_due, *(name for name in outcome.portals if name in there)))
    if isinstance(outcome, GainThreat):
        return replace(game, threat=min(game.setup.threat_tokens, game.threat + outcome.count))
    return game.won_by(outcome.side, said("{card}: the mission is over", card=trigger.name))
