"""DOOM: The Board Game (2016): rounds, initiative, activations, damage, portals and decks."""

from __future__ import annotations

from collections.abc import Mapping

from assistant.games.doom2016.match import attack, cards, corrections, invader, moving, rounds
from assistant.games.doom2016.match.guide import advise, build_guide
from assistant.games.doom2016.match.panels import list_panels
from assistant.games.doom2016.match.setup import Setup2016
from assistant.games.doom2016.match.start import start
from assistant.games.doom2016.match.state import Match2016
from assistant.games.doom2016.match.view import build_tracker, build_view
from assistant.games.doom2016.rules.reasons import ATTACK_RULES
from assistant.match.audience import AttackQuery, Audience, Panel
from assistant.match.guide import Guide, Wish
from assistant.match.system import MatchSystem
from assistant.table.tracker import TrackerView


class Matches2016(MatchSystem[Setup2016, Match2016]):
    """Matches of DOOM 2016."""

    modules = (rounds, moving, cards, invader, attack, corrections)
    attack_rules = ATTACK_RULES

    def begin(self, setup: Setup2016, options: Mapping[str, str], seed: str) -> Match2016:
        return start(setup, options, seed)

    def view(self, state: Match2016, audience: Audience) -> Mapping[str, object]:
        return build_view(state, audience)

    def panels(self, state: Match2016, audience: Audience) -> tuple[Panel, ...]:
        return list_panels(state, audience)

    def tracker(self, state: Match2016) -> TrackerView:
        return build_tracker(state)

    def advise(self, state: Match2016, question: AttackQuery) -> Mapping[str, object]:
        return advise(state, question)

    def guide(self, state: Match2016, wish: Wish, audience: Audience) -> Guide:
        return build_guide(state, wish, audience)


SYSTEM = Matches2016()
