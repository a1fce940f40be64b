"""A skirmish of Roads of the Apocalypse: turns by side, tests on demand, melee, rout."""

from __future__ import annotations

from assistant.games.roads.match import (
    flight_steps,
    hide_steps,
    jump_steps,
    melee_steps,
    model_steps,
    phase_steps,
    shot_steps,
    turn_steps,
    weapons,
)
from assistant.games.roads.match.guide import guide
from assistant.games.roads.match.move_reading import read_move, report_found
from assistant.games.roads.match.setup import SetupRoads
from assistant.games.roads.match.state import MatchRoads, start
from assistant.games.roads.match.view import advise, build_tracker, build_view, list_goals, list_panels
from assistant.games.roads.rules.reasons import RULES
from assistant.match.audience import Audience, Panel
from assistant.match.system import MatchSystem


class _Match(MatchSystem[SetupRoads, MatchRoads]):
    """Matches of `roads`."""

    modules = (
        turn_steps,
        phase_steps,
        model_steps,
        jump_steps,
        hide_steps,
        flight_steps,
        shot_steps,
        melee_steps,
        weapons,
    )
    attack_rules = RULES

    begin = staticmethod(start)
    view = staticmethod(build_view)
    read_move = staticmethod(read_move)
    tell_news = staticmethod(report_found)
    tracker = staticmethod(build_tracker)
    advise = staticmethod(advise)
    guide = staticmethod(guide)
    goals = staticmethod(list_goals)

    def panels(self, state: MatchRoads, audience: Audience, /) -> tuple[Panel, ...]:
        return list_panels(state)


SYSTEM = _Match()
"""The match system of this game."""
