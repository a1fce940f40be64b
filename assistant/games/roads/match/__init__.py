"""Roads of the Apocalypse: turns by side, tests when the rules demand them, melee, rout."""

from __future__ import annotations

from collections.abc import Mapping

from assistant.games.roads.match import (
    flight_steps,
    hide_steps,
    jump_steps,
    melee_steps,
    model_steps,
    shot_steps,
    turn_steps,
    weapons,
)
from assistant.games.roads.match.guide import guide
from assistant.games.roads.match.move_reading import read_move, report_found
from assistant.games.roads.match.setup import SetupRoads
from assistant.games.roads.match.state import MatchRoads, start
from assistant.games.roads.match.view import advise, build_tracker, build_view, list_panels
from assistant.games.roads.rules.reasons import RULES
from assistant.match.audience import AttackQuery, Audience, Panel
from assistant.match.guide import Guide, Wish
from assistant.match.seen_places import SeenAs, SeenPlace
from assistant.match.system import MatchSystem
from assistant.table.free_table import FreeTable
from assistant.table.tracker import TrackerView
from assistant.translations.messages import Said


class _Match(MatchSystem[SetupRoads, MatchRoads]):
    """Matches of `roads`."""

    modules = (
        turn_steps,
        model_steps,
        jump_steps,
        hide_steps,
        flight_steps,
        shot_steps,
        melee_steps,
        weapons,
    )
    attack_rules = RULES

    def begin(self, setup: SetupRoads, options: Mapping[str, str], seed: str) -> MatchRoads:
        return start(setup, options, seed)

    def view(self, state: MatchRoads, audience: Audience) -> Mapping[str, object]:
        return build_view(state, audience)

    def panels(self, state: MatchRoads, audience: Audience) -> tuple[Panel, ...]:
        return list_panels(state)

    def read_move(self, state: MatchRoads, seen: SeenPlace, after: FreeTable) -> SeenAs | None:
        return read_move(state, seen, after)

    def tell_news(self, before: MatchRoads, after: MatchRoads) -> tuple[Said, ...]:
        return report_found(before, after)

    def tracker(self, state: MatchRoads) -> TrackerView:
        return build_tracker(state)

    def advise(self, state: MatchRoads, question: AttackQuery) -> Mapping[str, object]:
        return advise(state, question)

    def guide(self, state: MatchRoads, wish: Wish, audience: Audience) -> Guide:
        return guide(state, wish, audience)


SYSTEM = _Match()
"""What the session needs of this game."""
