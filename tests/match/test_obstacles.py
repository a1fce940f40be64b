"""Damaging obstacles of DOOM 2004 (rules B3), and blasts that hit each figure once (B5)."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import pytest

from assistant.errors import IllegalStep
from assistant.games.doom2004.match.board_steps import count_move_wounds


def on_lava(build: ModuleType, *cells: tuple[int, int], seen: bool = True) -> Any:
    base = build.with_setup(build.mission(build.KNEE_DEEP), damaging=[list(cell) for cell in cells])
    played = build.begun(base)
    if seen:
        played.do("see", document=build.TABLES[build.KNEE_DEEP](base))
    played.do("begin")
    played.do("action", action="sprint")
    return played


def harm(played: Any) -> int:
    return int(played.game.piece("red-marine").harm)


@pytest.mark.parametrize("seen", [True, False])
def test_entering_costs_a_wound_whatever_the_armour(build: ModuleType, seen: bool) -> None:
    played = on_lava(build, (1, 0), seen=seen)
    way = "Red marine moved from A1 to B1" if seen else "Red marine moves"
    assert str(played.do("move", figure="red-marine", cells=[[1, 0]]).title) == f"{way}: 1 wound from obstacles"
    assert harm(played) == 1
    played.do("end")
    assert harm(played) == 1, "who moved did not stay the whole turn"
    played.do("undo", by=build.JUDGE, to=0)
    assert harm(played) == 0


def test_the_shortest_way_with_the_fewest_wounds_is_taken(build: ModuleType) -> None:
    past = on_lava(build, (1, 0))
    past.do("move", figure="red-marine", cells=[[2, 0]])
    assert harm(past) == 0, "diagonally past it costs no more"
    across = on_lava(build, *((1, row) for row in range(4)))
    across.do("move", figure="red-marine", cells=[[2, 0]])
    assert harm(across) == 1


def test_staying_for_the_whole_turn_costs_one_more_and_may_kill(build: ModuleType) -> None:
    played = on_lava(build, (0, 0))
    played.do("damage", figure="red-marine", amount=8)
    played.do("end")
    assert not played.game.piece("red-marine").on_table
    assert played.game.frags == 1, "the invader gets the frag (B3)"


def test_a_wound_typed_in_by_a_client_is_overwritten(build: ModuleType) -> None:
    played = on_lava(build, (1, 0))
    played.do("move", figure="red-marine", cells=[[1, 0]], wounds=0)
    assert harm(played) == 1


def test_an_attack_names_each_figure_once(build: ModuleType) -> None:
    played = build.on_table(build.KNEE_DEEP)
    played.do("begin")
    played.do("action", action="unload")
    with pytest.raises(IllegalStep, match="each figure once"):
        played.do("attack", targets=["zombie-1", "zombie-1"], weapon="grenade")


def test_a_move_unknown_to_the_table_counts_only_its_ends(build: ModuleType) -> None:
    played = on_lava(build, (1, 0), (3, 0))
    assert count_move_wounds(played.game, "red-marine", ((3, 0),), cost=0) == 1
    assert count_move_wounds(played.game, "red-marine", ((2, 0),), cost=0) == 0
