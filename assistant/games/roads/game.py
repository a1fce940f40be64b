"""Roads of the Apocalypse, as the program finds it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assistant.games.roads.rules.ruleset import Roads
from assistant.match.games import DemoTable, Game
from assistant.translations.messages import message

if TYPE_CHECKING:
    from assistant.documents.tables import OddsTables
    from assistant.match.system import MatchSystem


def _match() -> MatchSystem:
    from assistant.games.roads.match import SYSTEM  # noqa: PLC0415 - who only rules does not wait for it

    return SYSTEM


def _odds() -> type[OddsTables]:
    from assistant.games.roads.tables import TablesRoads  # noqa: PLC0415 - likewise

    return TablesRoads


GAME = Game(
    title=message("Roads of the Apocalypse"),
    package="assistant.games.roads",
    rule_set=Roads,
    match=_match,
    odds=_odds,
    place=3,
    demo=DemoTable("roads_first_skirmish", presses=2),
)
