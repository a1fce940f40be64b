"""Effects of a marine's steps in DOOM 2016: glory kills on entering, teleporters that turn over under him."""

from __future__ import annotations

import json
from types import ModuleType
from typing import Any

import pytest

from assistant.errors import IllegalStep
from assistant.games.doom2016.match.places import turn_over


def alpha_sprints(build: ModuleType, cells: list[list[int]], *, seen: bool = True, **demons: list[list[int]]) -> Any:
    """Alpha on his cell with six points; the named demons are on the given cells, staggered."""
    match = build.begun(build.mission(build.TUTORIAL))
    if seen:
        match.do("see", document=build.corridor(13, 3, {"d1": ((9, 1), (10, 1))}))
    match.do("status", shuffled_here=False)
    for name in ("possessed-1", "possessed-2", "imp-1", "imp-2"):
        if name.replace("-", "_") not in demons:
            match.do("frag", figure=name)
    match.do("place", figure="alpha", cells=cells)
    for name, place in demons.items():
        match.do("place", figure=name.replace("_", "-"), cells=place)
        match.do("damage", figure=name.replace("_", "-"), amount=2)
    match.do("damage", figure="alpha", amount=5)
    match.do("reveal", card="alpha")
    match.do("sprint", card=match.game.deck("alpha").hand[0])
    return match


# “Как только морпех входит в клетку с таким демоном, демон тут же умирает. Это и есть ИДЕАЛЬНОЕ УБИЙСТВО. Когда морпех
# совершает Идеальное убийство, он немедленно вскрывает верхнюю карту колоды карт Идеального убийства. Каждая вскрытая
# карта … позволяет морпеху немедленно восстановить два очка здоровья.” (seed 001)


@pytest.mark.parametrize("seen", [True, False])
def test_who_ends_a_move_in_the_cell_of_a_staggered_demon_kills_it(build: ModuleType, seen: bool) -> None:
    match = alpha_sprints(build, [[2, 1]], seen=seen, imp_1=[[4, 1]])
    receipt = match.do("move", figure="alpha", cells=[[4, 1]], cost=3)
    way = "Alpha moved from C2 to E2" if seen else "Alpha moves"
    assert str(receipt.title) == f"{way}; glory kill: Imp 1"
    assert not match.game.piece("imp-1").on_table
    assert match.game.piece("alpha").cells == ((4, 1),)
    assert match.game.piece("alpha").harm == 3
    assert len(match.game.deck("glory").discard) == 1
    assert match.game.turn.movement == 6 - 3, "one step, and one more point into an enemy's cell"


def test_who_walks_through_a_staggered_demon_kills_it_and_goes_on(build: ModuleType) -> None:
    match = alpha_sprints(build, [[2, 1]], imp_1=[[3, 1]])
    match.do("move", figure="alpha", cells=[[5, 1]], via=[[3, 1]])
    assert not match.game.piece("imp-1").on_table
    assert match.game.piece("alpha").cells == ((5, 1),)
    assert match.game.turn.movement == 6 - 4


def test_a_demon_in_the_only_way_dies_though_nobody_named_it(build: ModuleType) -> None:
    match = alpha_sprints(build, [[2, 0]], imp_1=[[3, 0]])
    match.do("see", document=build.corridor(13, 1))
    match.do("move", figure="alpha", cells=[[4, 0]])
    assert not match.game.piece("imp-1").on_table, "a corridor of one row has no other way"


def test_a_way_round_that_costs_no_more_leaves_the_demon_alive(build: ModuleType) -> None:
    match = alpha_sprints(build, [[2, 1]], imp_1=[[3, 1]])
    match.do("move", figure="alpha", cells=[[4, 1]])
    assert match.game.piece("imp-1").on_table
    assert match.game.turn.movement == 4


def test_a_demon_that_is_not_staggered_lives_and_nobody_ends_in_its_cell(build: ModuleType) -> None:
    match = alpha_sprints(build, [[2, 1]], imp_1=[[3, 1]])
    match.do("heal", figure="imp-1", amount=2)
    with pytest.raises(IllegalStep, match="empty cells"):
        match.do("move", figure="alpha", cells=[[3, 1]])
    match.do("move", figure="alpha", cells=[[5, 1]], via=[[3, 1]])
    assert match.game.piece("imp-1").on_table


def test_two_on_the_way_both_die_and_the_match_replays(build: ModuleType) -> None:
    match = alpha_sprints(build, [[2, 1]], imp_1=[[3, 1]], possessed_1=[[4, 1]])
    match.do("move", figure="alpha", cells=[[4, 1]], via=[[3, 1]])
    assert match.game.standing("invader") == ()
    assert match.game.piece("alpha").harm == 1
    last = json.loads(match.document().splitlines()[-1])
    assert last["kills"] == ["imp-1", "possessed-1"]
    with pytest.raises(IllegalStep, match="revealed something"):
        match.do("undo")
    match.do("undo", by=build.JUDGE)
    assert len(match.game.standing("invader")) == 2


# “морпех должен встать на клетку с таким Телепортом, маркер Телепорта переворачивается активной стороной вверх.”


@pytest.mark.parametrize("seen", [True, False])
def test_a_teleporter_turns_over_under_a_marine_at_the_end_of_his_move(build: ModuleType, seen: bool) -> None:
    match = alpha_sprints(build, [[8, 1]], seen=seen)
    match.do("move", figure="alpha", cells=[[9, 2]], cost=1)
    assert match.game.teleporters_active == ("teleporter-1", "teleporter-2")
    match.do("undo")
    assert match.game.teleporters_active == ("teleporter-1",)


def test_a_teleporter_does_not_turn_over_under_a_passing_marine(build: ModuleType) -> None:
    match = alpha_sprints(build, [[8, 2]])
    match.do("move", figure="alpha", cells=[[8, 1]], via=[[9, 2]])
    assert match.game.teleporters_active == ("teleporter-1",)


def test_a_glory_kill_on_a_teleporter_turns_it_over(build: ModuleType) -> None:
    match = alpha_sprints(build, [[8, 1]], imp_1=[[9, 2]])
    match.do("glory_kill", demon="imp-1")
    assert "teleporter-2" in match.game.teleporters_active


def test_a_demon_turns_no_teleporter_over(build: ModuleType) -> None:
    match = alpha_sprints(build, [[2, 1]], imp_1=[[8, 1]])
    match.do("end")
    match.do("reveal", card="invader")
    match.do("activate_kind", kind="imp")
    match.do("activate", figure="imp-1")
    match.do("move", figure="imp-1", cells=[[9, 2]])
    assert match.game.teleporters_active == ("teleporter-1",)
    with pytest.raises(IllegalStep, match="only a marine says"):
        match.do("move", figure="imp-1", cells=[[8, 2]], via=[[8, 1]])


def test_an_objective_that_is_taken_counts_one(build: ModuleType) -> None:
    base = build.mission(build.TUTORIAL)
    items = [{"id": f"goal-{n}", "kind": "objective", "cell": [n, 0]} for n in (2, 3)]
    match = build.begun(build.with_setup(base, items=items))
    match.do("status", shuffled_here=False)
    match.do("place", figure="alpha", cells=[[2, 0]])
    match.do("reveal", card="alpha")
    match.do("sprint", card=match.game.deck("alpha").hand[0])
    match.do("take", item="goal-2")
    assert match.game.objectives == 1
    match.do("place", figure="alpha", cells=[[3, 0]])
    match.do("take", item="goal-3")
    assert match.game.objectives == 2


def test_a_teleporter_that_is_active_is_not_turned_over_again(build: ModuleType) -> None:
    match = build.begun(build.mission(build.TUTORIAL))
    assert match.game.teleporters_active == ("teleporter-1",)
    both = turn_over(match.game, ("teleporter-1", "teleporter-2"))
    assert both.teleporters_active == ("teleporter-1", "teleporter-2")
