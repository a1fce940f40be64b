"""A match of DOOM: The Boardgame (2004): marine turns, the invader's three steps, orders, wounds, ammunition."""

from __future__ import annotations

from assistant.games.doom2004.match import (
    attack_steps,
    board_steps,
    invader_steps,
    reroll_steps,
    spawn_steps,
    turn_steps,
)
from assistant.games.doom2004.match.guide import advise, guide
from assistant.games.doom2004.match.setup import Setup2004, check_setup
from assistant.games.doom2004.match.state import Match2004, start
from assistant.games.doom2004.match.view import build_tracker, build_view, list_goals, list_panels
from assistant.games.doom2004.rules.reasons import ATTACK_RULES
from assistant.match.system import MatchSystem


class Matches2004(MatchSystem[Setup2004, Match2004]):
    """Matches of DOOM 2004."""

    modules = (reroll_steps, attack_steps, board_steps, turn_steps, spawn_steps, invader_steps)
    attack_rules = ATTACK_RULES

    begin = staticmethod(start)
    check_setup = staticmethod(check_setup)
    view = staticmethod(build_view)
    panels = staticmethod(list_panels)
    goals = staticmethod(list_goals)
    tracker = staticmethod(build_tracker)
    advise = staticmethod(advise)
    guide = staticmethod(guide)


SYSTEM = Matches2004()
