"""DOOM: The Boardgame (2004): marines in their order, the invader's three steps, orders, wounds and ammunition."""

from __future__ import annotations

from collections.abc import Mapping

from assistant.games.doom2004.match import (
    attack_steps,
    board_steps,
    invader_steps,
    reroll_steps,
    spawn_steps,
    turn_steps,
)
from assistant.games.doom2004.match.guide import advise, guide
from assistant.games.doom2004.match.setup import Setup2004
from assistant.games.doom2004.match.state import Match2004, start
from assistant.games.doom2004.match.view import build_tracker, build_view, list_panels
from assistant.games.doom2004.rules.reasons import ATTACK_RULES
from assistant.match.audience import AttackQuery, Audience, Panel
from assistant.match.guide import Guide, Wish
from assistant.match.system import MatchSystem
from assistant.table.tracker import TrackerView


class Matches2004(MatchSystem[Setup2004, Match2004]):
    """Matches of DOOM 2004."""

    modules = (reroll_steps, attack_steps, board_steps, turn_steps, spawn_steps, invader_steps)
    attack_rules = ATTACK_RULES

    def begin(self, setup: Setup2004, options: Mapping[str, str], seed: str) -> Match2004:
        return start(setup, options, seed)

    def view(self, state: Match2004, audience: Audience) -> Mapping[str, object]:
        return build_view(state, audience)

    def panels(self, state: Match2004, audience: Audience) -> tuple[Panel, ...]:
        return list_panels(state, audience)

    def tracker(self, state: Match2004) -> TrackerView:
        return build_tracker(state)

    def advise(self, state: Match2004, question: AttackQuery) -> Mapping[str, object]:
        return advise(state, question)

    def guide(self, state: Match2004, wish: Wish, audience: Audience) -> Guide:
        return guide(state, wish, audience)


SYSTEM = Matches2004()
