"""A match of DOOM: The Board Game (2016): rounds, initiative, activations, damage, portals and decks."""

from __future__ import annotations

from assistant.games.doom2016.match import attack, cards, corrections, invader, moving, rounds
from assistant.games.doom2016.match.goals import list_goals
from assistant.games.doom2016.match.guide import advise, build_guide
from assistant.games.doom2016.match.panels import list_panels
from assistant.games.doom2016.match.setup import Setup2016
from assistant.games.doom2016.match.start import check_setup, start
from assistant.games.doom2016.match.state import Match2016
from assistant.games.doom2016.match.view import build_tracker, build_view
from assistant.games.doom2016.rules.reasons import ATTACK_RULES
from assistant.match.system import MatchSystem


class Matches2016(MatchSystem[Setup2016, Match2016]):
    """Matches of DOOM 2016."""

    modules = (rounds, moving, cards, invader, attack, corrections)
    attack_rules = ATTACK_RULES

    begin = staticmethod(start)
    check_setup = staticmethod(check_setup)
    view = staticmethod(build_view)
    panels = staticmethod(list_panels)
    goals = staticmethod(list_goals)
    tracker = staticmethod(build_tracker)
    advise = staticmethod(advise)
    guide = staticmethod(build_guide)


SYSTEM = Matches2016()
