"""DOOM: The Board Game (2016): rounds, initiative, activations, damage, portals and decks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from assistant.games.doom2016.match import (
    ability_steps,
    attack_steps,
    hand_steps,
    marine_steps,
    portal_steps,
    round_steps,
    table_steps,
    teleporter_steps,
)
from assistant.games.doom2016.match.advice import advise
from assistant.games.doom2016.match.asks import DEEDS, ask_about
from assistant.games.doom2016.match.guide import guide
from assistant.games.doom2016.match.panels import list_panels
from assistant.games.doom2016.match.play_rules import PLAY_RULES
from assistant.games.doom2016.match.prompts import list_prompts
from assistant.games.doom2016.match.setup import Setup2016
from assistant.games.doom2016.match.start import start
from assistant.games.doom2016.match.state import Match2016
from assistant.games.doom2016.match.view import build_tracker, build_view
from assistant.games.doom2016.rules.attack_reasons import ATTACK_RULES
from assistant.match.asks import Ask
from assistant.match.audience import AttackQuery, Audience
from assistant.match.game import Prompt
from assistant.match.guide import Guide, Wish
from assistant.match.panels import Panel
from assistant.match.system import MatchSystem
from assistant.table.tracker import TrackerView


class _Match(MatchSystem[Setup2016, Match2016]):
    """Matches of DOOM 2016."""

    modules = (
        round_steps,
        marine_steps,
        teleporter_steps,
        table_steps,
        portal_steps,
        attack_steps,
        ability_steps,
        hand_steps,
    )
    deeds = DEEDS
    attack_rules = ATTACK_RULES
    play_rules = PLAY_RULES

    def begin(self, setup: Setup2016, options: Mapping[str, str], seed: str) -> Match2016:
        return start(setup, options, seed)

    def view(self, state: Match2016, audience: Audience) -> Mapping[str, object]:
        return build_view(state, audience)

    def prompts(self, state: Match2016) -> tuple[Prompt, ...]:
        return list_prompts(state)

    def ask(self, state: Match2016, command: Mapping[str, Any], field: str, audience: Audience) -> Ask | None:
        return super().ask(state, command, field, audience) or ask_about(state, command, field, audience)

    def panels(self, state: Match2016, audience: Audience) -> tuple[Panel, ...]:
        return list_panels(state, audience)

    def tracker(self, state: Match2016) -> TrackerView:
        return build_tracker(state)

    def advise(self, state: Match2016, question: AttackQuery) -> Mapping[str, object]:
        return advise(state, question)

    def guide(self, state: Match2016, wish: Wish, audience: Audience) -> Guide:
        return guide(state, wish, audience)


SYSTEM = _Match()
"""What the session needs of this game."""
