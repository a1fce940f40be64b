"""Registration of Roads of the Apocalypse, found by its entry point."""

from __future__ import annotations

from assistant.games.roads.rules.ruleset import Roads
from assistant.match.games import DemoTable, Game
from assistant.translations.messages import message

GAME = Game(
    title=message("Roads of the Apocalypse"),
    package="assistant.games.roads",
    rule_set=Roads,
    match="match:SYSTEM",
    odds="tables:TablesRoads",
    place=3,
    demo=DemoTable("roads_first_skirmish", presses=2),
)
