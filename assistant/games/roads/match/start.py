"""The first state of a `roads` skirmish."""

from __future__ import annotations

from collections.abc import Mapping

from assistant.games.roads.match.marks import LEADER, RAGING
from assistant.games.roads.match.setup import SetupRoads
from assistant.games.roads.match.state import MatchRoads
from assistant.match.game import Piece


def start(setup: SetupRoads, options: Mapping[str, str], seed: str) -> MatchRoads:
    """The skirmish before its first event; nothing in it is drawn by chance."""
    pieces = {}
    for fighter in setup.fighters:
        told = {LEADER: fighter.is_leader, "fear": fighter.fear, "terror": fighter.terror, RAGING: fighter.frenzy}
        pieces[fighter.id] = Piece(
            id=fighter.id,
            kind=fighter.kind,
            side=fighter.side,
            center_mm=fighter.center_mm,
            marks=tuple(sorted(mark for mark, holds in told.items() if holds)),
        )
    return MatchRoads(setup=setup, options=dict(options), pieces=pieces)
