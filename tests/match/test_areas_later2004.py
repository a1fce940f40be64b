"""Areas of a DOOM 2004 scenario that are revealed later, with their invaders and tokens (seed 002)."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import pytest

from assistant.errors import IllegalStep, NotYours
from assistant.match.actor import JUDGE, player

HALL = {
    "id": "hall",
    "door": "hall-door",
    "invaders": [{"kind": "trite", "cells": [[10, 0]]}, {"kind": "trite", "cells": [[10, 2]]}],
    "items": [{"id": "hall-key", "kind": "key", "what": "blue", "cell": [11, 1]}],
    "damaging": [[9, 3]],
}


def opened(build: ModuleType, *, on_board: int = 0, **area: Any) -> Any:
    """Return a match with the door to the hall open, and that many trites already in the start area."""
    base = build.mission(build.KNEE_DEEP)
    match = build.begun(build.with_setup(base, areas=[{**HALL, **area}], goals={"frags": 6}, locks={}))
    match.do("see", document=build.corridor(12, 4, {"hall-door": ((8, 1), (9, 1))}))
    match.do("begin")
    for n in range(1, on_board + 1):
        match.do("place", by=JUDGE, figure=f"trite-{n}", cells=[[n, 3]])
    match.do("action", action="advance")
    match.do("place", figure="red-marine", cells=[[8, 1]])
    match.do("door", door="hall-door", open=True)
    return match


# “El jugador invasor ahora crea la parte del tablero de juego que forma el área de inicio del escenario” (seed 002)


def test_an_area_comes_with_its_invaders_and_tokens_when_its_door_is_opened(build: ModuleType) -> None:
    match = opened(build)
    assert [p["fields"] for p in match.session.view(build.JUDGE_VIEW)["prompts"]] == [{"area": "hall"}]
    assert "hall-key" not in [item.id for item in match.game.items]
    with pytest.raises(IllegalStep, match="lay out the new area first"):
        match.do("end")
    with pytest.raises(NotYours):
        match.do("reveal_area", by=player("marines"), area="hall")
    match.do("reveal_area", area="hall")
    assert match.game.piece("trite-1").cells == ((10, 0),)
    assert match.game.piece("trite-2").cells == ((10, 2),)
    assert "hall-key" in [item.id for item in match.game.items]
    assert match.game.damaging == {(9, 3)}
    with pytest.raises(IllegalStep, match="is already on the table"):
        match.do("reveal_area", area="hall")
    match.do("undo")
    assert match.game.areas_due == ("hall",)
    assert not match.game.piece("trite-1").on_table


def test_an_area_waits_for_its_door_and_tells_nothing_before(build: ModuleType) -> None:
    base = build.mission(build.KNEE_DEEP)
    match = build.begun(build.with_setup(base, areas=[HALL]))
    match.do("begin")
    with pytest.raises(IllegalStep, match="when its door is opened"):
        match.do("reveal_area", area="hall")
    assert "hall" not in str(match.session.view(build.JUDGE_VIEW))


# “no puede colocar más invasores en el tablero que las figuras disponibles … puede optar por eliminar
# una figura invasora … (o cuando se revela una nueva área del escenario)” (seed 002)


def test_an_area_takes_figures_of_the_box_and_frees_one_only_when_it_is_empty(build: ModuleType) -> None:
    match = opened(build, on_board=3)
    with pytest.raises(IllegalStep, match="take no figure back"):
        match.do("reveal_area", area="hall", removed=["zombie-1"])
    match.do("reveal_area", area="hall")
    assert match.game.piece("trite-4").cells == ((10, 0),), "the fourth and last one; the other place stays empty"
    assert match.game.piece("trite-1").cells == ((1, 3),)
    match.do("undo")
    match.do("reveal_area", area="hall", removed=["trite-1"])
    assert match.game.piece("trite-1").cells == ((10, 0),)
    assert match.game.piece("trite-4").cells == ((10, 2),)


def test_an_area_without_a_door_is_revealed_when_the_invader_says(build: ModuleType) -> None:
    base = build.mission(build.KNEE_DEEP)
    match = build.begun(build.with_setup(base, areas=[{"id": "cellar"}]))
    match.do("begin")
    assert str(match.do("reveal_area", area="cellar").title) == "A new area: cellar"
