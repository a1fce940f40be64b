"""No state of a match is a dead end: a search over random boards and commands (`dead_ends`)."""

from __future__ import annotations

import os
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from loading import beside

DEAD_ENDS = beside(__file__, "dead_ends")

MISSIONS = {
    path.stem.removeprefix("random_missions"): path.stem
    for path in sorted(Path(__file__).parent.glob("random_missions*.py"))
}
"""The missions of chance of each game, by the file that makes them."""

MANY = int(os.environ.get("STATES", "100000"))


def habits_of(missions: ModuleType) -> Any:
    """Return the habits that the missions of a game name, or none."""
    return getattr(missions, "HABITS", DEAD_ENDS.USUAL)


@pytest.mark.parametrize("game", MISSIONS)
def test_somebody_always_has_a_legal_step(game: str) -> None:
    missions = beside(__file__, MISSIONS[game])
    seen = DEAD_ENDS.search(missions.GAME, missions.random_start, 600, "few", habits_of(missions))
    assert len(seen) > 10


@pytest.mark.slow
@pytest.mark.parametrize("game", MISSIONS)
def test_somebody_always_has_a_legal_step_in_many_states(game: str) -> None:
    missions = beside(__file__, MISSIONS[game])
    DEAD_ENDS.search(missions.GAME, missions.random_start, MANY, os.environ.get("SEED", "many"), habits_of(missions))
