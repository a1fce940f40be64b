"""Registration of DOOM: The Board Game (2016), found by its entry point."""

from __future__ import annotations

from assistant.games.doom2016.rules.ruleset import Doom2016
from assistant.match.games import DemoTable, Game

DEMO_NAMES = (
    ("ranger", "rangers"),
    ("medic", "rangers"),
    ("crawler", "swarm"),
    ("spitter", "swarm"),
    ("harrier", "swarm"),
    ("brute", "swarm"),
)

GAME = Game(
    title="DOOM: The Board Game (2016)",
    package="assistant.games.doom2016",
    rule_set=Doom2016,
    match="match:SYSTEM",
    odds="tables:Tables2016",
    place=1,
    demo=DemoTable("doom2016_sample_table", seed=18, names=DEMO_NAMES),
)
