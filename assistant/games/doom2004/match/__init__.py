"""DOOM: The Boardgame (2004): marines in their order, the invader's three steps, orders, wounds and ammunition."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from assistant.games.doom2004.match import (
    area_steps,
    attack_steps,
    board_steps,
    invader_steps,
    reroll_steps,
    scatter_steps,
    spawn_steps,
    teleporter_steps,
    turn_steps,
)
from assistant.games.doom2004.match.advice import advise
from assistant.games.doom2004.match.asks import DEEDS, ask_about
from assistant.games.doom2004.match.guide import guide
from assistant.games.doom2004.match.panels import list_panels
from assistant.games.doom2004.match.play_rules import PLAY_RULES
from assistant.games.doom2004.match.prompts import list_prompts
from assistant.games.doom2004.match.setup import Setup2004
from assistant.games.doom2004.match.start import start
from assistant.games.doom2004.match.state import Match2004
from assistant.games.doom2004.match.view import build_tracker, build_view
from assistant.games.doom2004.rules.attack_reasons import ATTACK_RULES
from assistant.match.asks import Ask
from assistant.match.audience import AttackQuery, Audience, Prompt
from assistant.match.guide import Guide, Wish
from assistant.match.panels import Panel
from assistant.match.system import TypedMatchSystem
from assistant.table.tracker import TrackerView

STEPS = (
    *turn_steps.STEPS,
    *board_steps.STEPS,
    *attack_steps.STEPS,
    *reroll_steps.STEPS,
    *scatter_steps.STEPS,
    *invader_steps.STEPS,
    *spawn_steps.STEPS,
    *area_steps.STEPS,
    *teleporter_steps.STEPS,
)


class _Match(TypedMatchSystem[Setup2004, Match2004]):
    """Matches of DOOM 2004."""

    setup_type = Setup2004
    state_type = Match2004
    steps = STEPS
    deeds = DEEDS
    attack_rules = ATTACK_RULES
    play_rules = PLAY_RULES

    def begin(self, setup: Setup2004, options: Mapping[str, str], seed: str) -> Match2004:
        return start(setup, options, seed)

    def view_of(self, state: Match2004, audience: Audience) -> Mapping[str, object]:
        return build_view(state, audience)

    def prompts_of(self, state: Match2004) -> tuple[Prompt, ...]:
        return list_prompts(state)

    def ask_about(self, state: Match2004, command: Mapping[str, Any], field: str, audience: Audience) -> Ask | None:
        return ask_about(state, command, field, audience)

    def panels_of(self, state: Match2004, audience: Audience) -> tuple[Panel, ...]:
        return list_panels(state, audience)

    def tracker_of(self, state: Match2004) -> TrackerView:
        return build_tracker(state)

    def advice_on(self, state: Match2004, question: AttackQuery) -> Mapping[str, object]:
        return advise(state, question)

    def guide_for(self, state: Match2004, wish: Wish, audience: Audience) -> Guide:
        return guide(state, wish, audience)


SYSTEM = _Match()
"""What the session needs of this game."""
