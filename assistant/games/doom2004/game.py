"""Registration of DOOM: The Boardgame (2004), found by its entry point."""

from __future__ import annotations

from assistant.games.doom2004.rules.ruleset import Doom2004
from assistant.match.games import DemoTable, Game

DEMO_NAMES = (
    ("marine", "marines"),
    ("medic", "marines"),
    ("zombie", "invader"),
    ("imp", "invader"),
    ("trite", "invader"),
    ("mancubus", "invader"),
)

GAME = Game(
    title="DOOM: The Boardgame (2004)",
    package="assistant.games.doom2004",
    rule_set=Doom2004,
    match="match:SYSTEM",
    odds="tables:Tables2004",
    place=2,
    demo=DemoTable("doom2004_sample_table", seed=43, names=DEMO_NAMES),
)
