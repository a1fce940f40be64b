"""DOOM: The Board Game (2016), as the program finds it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assistant.games.doom2016.rules.ruleset import Doom2016
from assistant.match.games import DemoTable, Game

if TYPE_CHECKING:
    from assistant.documents.tables import OddsTables
    from assistant.match.system import MatchSystem


def _match() -> MatchSystem:
    from assistant.games.doom2016.match import SYSTEM  # noqa: PLC0415 - who only rules does not wait for it

    return SYSTEM


def _odds() -> type[OddsTables]:
    from assistant.games.doom2016.tables import Tables2016  # noqa: PLC0415 - likewise

    return Tables2016


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
    match=_match,
    odds=_odds,
    place=1,
    demo=DemoTable("doom2016_sample_table", seed=18, names=DEMO_NAMES),
)
