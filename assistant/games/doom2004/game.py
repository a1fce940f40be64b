"""DOOM: The Boardgame (2004), as the program finds it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assistant.games.doom2004.rules.ruleset import Doom2004
from assistant.match.games import DemoTable, Game

if TYPE_CHECKING:
    from assistant.documents.tables import OddsTables
    from assistant.match.system import MatchSystem


def _match() -> MatchSystem:
    from assistant.games.doom2004.match import SYSTEM  # noqa: PLC0415 - who only rules does not wait for it

    return SYSTEM


def _odds() -> type[OddsTables]:
    from assistant.games.doom2004.tables import Tables2004  # noqa: PLC0415 - likewise

    return Tables2004


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
    match=_match,
    odds=_odds,
    place=2,
    demo=DemoTable("doom2004_sample_table", seed=43, names=DEMO_NAMES),
)
