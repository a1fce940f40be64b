"""Reactions to a shot in `roads` (rules C5): duck, take cover, shoot first; players enter the shot's own roll."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import pytest

from assistant.errors import IllegalStep
from assistant.match.actor import JUDGE


@pytest.fixture
def match(build: ModuleType) -> Any:
    """The shooting phase of the knights; crossbow and old man both have Mobility 4 in the sample."""
    played = build.on_table(build.BRIDGE)
    played.do("begin")
    played.do("next")
    played.do("next")
    return played


def react(match: Any, how: str, roll: int, shooter_roll: int = 1, **more: Any) -> str:
    typed = {"rolled_here": False, "roll": roll, "shooter_roll": shooter_roll}
    return str(match.do("react", figure="old-man", shooter="crossbow", how=how, **typed, **more).title)


def mobility(match: Any, figure: str) -> int:
    return int(match.game.fighter(figure).mobility)


def test_who_ducks_higher_than_the_shot_is_not_hit(match: Any) -> None:
    own = mobility(match, "old-man")
    total = 3 + own
    assert react(match, "duck", 3) == f"Old man ducks: 3 + {own} = {total}. The shot needs {total} or more"
    with pytest.raises(IllegalStep, match="the total of"):
        match.do("shoot", figure="crossbow", target="old-man", hits=1)
    with pytest.raises(IllegalStep, match="no hits"):
        match.do("shoot", figure="crossbow", target="old-man", hits=1, total=2 + own)
    with pytest.raises(IllegalStep, match="before anybody else"):
        match.do("shoot", figure="crossbow", target="brute", hits=1, total=9)
    match.do("shoot", figure="crossbow", target="old-man", hits=1, total=3 + own)
    assert match.game.hits[0].figure == "old-man", "a tie goes to the shooter"
    assert match.game.reaction is None


def test_who_finds_no_cover_within_a_step_lies_down(match: Any) -> None:
    react(match, "take cover", 6)
    assert {"moved", "prone"} <= set(match.game.piece("old-man").marks)
    match.do("undo", by=JUDGE)
    where = match.game.piece("old-man").center_mm or (600.0, 300.0)
    with pytest.raises(IllegalStep, match="in no cover there"):
        react(match, "take cover", 6, center_mm=[where[0] + 30, where[1]])


def test_who_wins_shoots_first_and_then_the_declared_shooter(match: Any) -> None:
    lead = mobility(match, "crossbow") - mobility(match, "old-man")
    assert react(match, "shoot first", 6, max(1, 5 - lead)).startswith("Old man tries to shoot first: 6")
    with pytest.raises(IllegalStep, match="Old man shoots"):
        match.do("shoot", figure="crossbow", target="old-man")
    receipt = match.do("shoot", figure="old-man", target="crossbow")
    assert str(receipt.title) == "Old man shoots first, at -1 to hit, at Crossbow: 0 hits"
    match.do("shoot", figure="crossbow", target="old-man", hits=1)
    assert match.game.hits[0].by == "crossbow"


def test_a_tie_goes_to_the_declared_shooter_and_one_reaction_is_all(match: Any) -> None:
    lead = mobility(match, "crossbow") - mobility(match, "old-man")
    react(match, "shoot first", 3 + max(0, lead), 3 + max(0, -lead))
    with pytest.raises(IllegalStep):
        match.do("shoot", figure="old-man", target="crossbow")
    with pytest.raises(IllegalStep, match="has reacted"):
        react(match, "duck", 6)
    match.do("shoot", figure="crossbow", target="old-man", hits=0)


def test_only_a_shot_that_is_allowed_is_reacted_to(match: Any) -> None:
    match.do("shoot", figure="crossbow", target="old-man")
    with pytest.raises(IllegalStep, match="cannot shoot"):
        react(match, "duck", 6)
