"""Moves of both DOOM games: large figures, doors on the way, displacement, teleporters, what ends where."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.errors import CannotDo
from assistant.games.doom2016.rules.places import find_displacements, find_summon_placements
from assistant.match.games import rule_set
from assistant.rules.capabilities import Marks
from assistant.table.board import Board, Door
from assistant.table.lattice import Edge

GAMES = ("doom2016", "doom2004")
SQUARE = ((0, 0), (0, 1), (1, 0), (1, 1))


def costs(board, figure="a", points=9, game="doom2016", open_doors=False, **options):
    reach = rule_set(game, options).reach(board, figure, points, open_doors)
    return {end.cells: end.cost for end in reach.ends}


def at(x, y, base=SQUARE):
    return tuple(sorted((x + i, y + j) for i, j in base))


def test_large_figure_of_2016_never_moves_diagonally(build):
    found = costs(build.board(a=list(SQUARE), d=None), points=2)
    assert found[at(1, 0)] == 1
    assert found[at(1, 1)] == 2


def test_large_figure_of_2016_ignores_terrain_and_small_figures(build):
    board = build.board(
        a=list(SQUARE),
        d=(2, 0),
        difficult=[(2, 1)],
        blocking=[(3, 1)],
        impassable=[((2, 0), (2, 1))],
        obstacles=[((2, 1), (2, 2))],
    )
    found = costs(board, points=2)
    assert found[at(1, 0)] == 1
    assert found[at(2, 0)] == 2


def test_large_figure_of_2016_is_stopped_by_walls_and_stands_across_none(build):
    board = build.board(a=list(SQUARE), d=None, walls=[((2, 0), (2, 1)), ((0, 3), (0, 4))])
    found = costs(board, points=3)
    assert at(1, 0) not in {cells for cells, cost in found.items() if cost == 1}
    assert at(-1, 2) not in found
    assert found[at(0, 2)] == 2


def test_two_cell_figure_of_2016_turns_for_a_point(build):
    found = costs(build.board(a=[(0, 0), (1, 0)], d=None), points=1)
    turned = {cells for cells in found if cells[0][0] == cells[1][0]}
    assert turned == {((c, r), (c, r + 1)) for c in (0, 1) for r in (-1, 0)}


def test_turn_needs_room_from_walls_and_large_figures(build):
    walled = build.board(a=[(0, 0), (1, 0)], d=None, walls=[((0, 1), (1, 1)), ((1, 1), (2, 1))])
    assert ((0, 0), (0, 1)) not in costs(walled, points=1)
    beside = build.board(a=[(0, 0), (1, 0)], d=[(0, 1), (1, 1)])
    assert ((0, 0), (0, 1)) not in costs(beside, points=1)


def test_displaced_figures_go_to_the_nearest_empty_cells_they_could_walk_to(build):
    board = build.board(
        a=list(SQUARE), d=(2, 0), others=[(3, 0)], impassable=[((2, 0), (3, 0)), ((3, 0), (4, 0)), ((4, 0), (4, 1))]
    )
    rules = rule_set("doom2016")
    found = find_displacements(board, rules.move_rules(), "a", at(1, 0))
    assert set(found) == {"d"}
    # Neither up nor to the upper right. To the upper left, the way round its own left side is open.
    assert set(found["d"]) == {(1, -1), (3, 1)}


def test_displacement_walks_further_if_all_around_is_taken(build):
    cells = [(x, 0) for x in range(6)] + [(x, 1) for x in range(6)]
    board = build.board(a=list(SQUARE), d=(2, 0), others=[(3, 0), (3, 1), (2, 1)], cells=cells)
    found = find_displacements(board, rule_set("doom2016").move_rules(), "a", at(1, 0))
    # The cells that the large figure leaves are empty by then.
    assert found["d"] == ((0, 0), (0, 1), (4, 0), (4, 1))


@pytest.mark.parametrize(("game", "price"), [("doom2016", 1), ("doom2004", 2)])
def test_doors_are_opened_on_the_way_at_their_price(build, game, price):
    row = [(x, 0) for x in range(4)]
    board = build.board(a=(0, 0), d=None, cells=row, doors=[((2, 0), (2, 1))])
    assert max(costs(board, game=game).values()) == 1
    opened = costs(board, game=game, open_doors=True)
    assert opened[(3, 0),] == 3 + price
    assert opened[(1, 0),] == 1


def test_a_door_of_two_edges_is_paid_once_even_if_it_is_passed_twice(build):
    """A wall inside the first room ends at the door, so the way round it leads out and in again."""
    cells = [(x, y) for x in range(3) for y in range(2)]
    door = Door("gate", (Edge.between((1, 0), (1, 1)), Edge.between((1, 1), (1, 2))))
    base = build.board(a=(0, 0), d=None, cells=cells, walls=[((0, 1), (1, 1))])
    board = Board(base.cells, base.edges, (door,), base.figures)
    assert costs(board, open_doors=True)[(0, 1),] == 1 + 2


@pytest.mark.parametrize(
    ("game", "at_ends"), [("doom2016", {"door_reach": "corner"}), ("doom2004", {"door_cells": "diagonal"})]
)
def test_a_door_is_opened_from_the_cells_along_it_or_also_from_those_at_its_ends(build, game, at_ends):
    board = build.board(doors=[((2, 0), (2, 1))])
    along = {(1, 0), (2, 0)}
    assert rule_set(game, {}).door_cells(board) == (("d1", along),)
    assert rule_set(game, at_ends).door_cells(board) == (("d1", along | {(1, -1), (2, -1), (1, 1), (2, 1)}),)


@pytest.mark.parametrize("game", GAMES)
def test_nobody_stands_across_a_closed_door_or_a_wall(build, game):
    rules = rule_set(game, {})
    wide = build.figure("a", list(SQUARE), "marines")
    line = ((1, 0), (1, 1))
    assert rules.may_stand(build.board(), wide)
    assert not rules.may_stand(build.board(walls=[line]), wide)
    shut = build.board(doors=[line])
    assert not rules.may_stand(shut, wide)
    (door,) = shut.doors
    assert rules.may_stand(Board(shut.cells, shut.edges, (Door(door.id, door.edges, open=True),), shut.figures), wide)


def test_too_many_doors_are_refused_with_advice(build):
    cells = [(x, y) for x in range(12) for y in range(12)]
    doors = [((x, y), (x, y + 1)) for x in range(1, 12) for y in range(12)]
    board = build.board(a=(0, 0), d=None, cells=cells, doors=doors)
    with pytest.raises(CannotDo, match="Open some on the board"):
        costs(board, points=60, open_doors=True)


def test_four_spaces_of_2004_move_like_one_and_need_the_room(build):
    free = build.board(a=list(SQUARE), d=None)
    assert costs(free, points=1, game="doom2004")[at(1, 1)] == 1
    narrow = build.board(a=list(SQUARE), d=None, blocking=[(3, 0)])
    assert at(2, 0) not in costs(narrow, points=2, game="doom2004")


def test_a_demon_of_two_spaces_goes_with_either_end_first_and_never_sideways(build):
    """An end steps straight and the other takes its place, or both go diagonally (p. 11, “Oversized Invaders”)."""
    lying = build.board(a=[(0, 0), (1, 0)], d=None)
    ends = {cells for cells, cost in costs(lying, points=1, game="doom2004").items() if cost == 1}
    right = {((1, 0), (2, 0)), ((1, -1), (1, 0)), ((1, 0), (1, 1))}
    left = {((-1, 0), (0, 0)), ((0, -1), (0, 0)), ((0, 0), (0, 1))}
    together = {((dx, dy), (1 + dx, dy)) for dx in (-1, 1) for dy in (-1, 1)}
    assert ends == right | left | together
    walled = build.board(a=[(0, 0), (1, 0)], d=None, walls=[((2, 0), (2, 1))])
    assert ((1, 0), (2, 0)) not in costs(walled, points=1, game="doom2004")


def test_2004_passes_friends_and_not_enemies(build):
    row = [(x, 0) for x in range(4)]
    enemy = build.board(a=(0, 0), d=(1, 0), cells=row)
    assert costs(enemy, game="doom2004") == {((0, 0),): 0}
    friend = build.with_figures(enemy, [enemy.figures[0], build.figure("b", (1, 0), "marines")])
    assert costs(friend, game="doom2004") == {((0, 0),): 0, ((2, 0),): 2, ((3, 0),): 3}


def test_marine_goes_between_teleporters_and_telefrags_without_extra(build):
    board = build.board(a=(0, 0), d=(8, 8))
    marks = Marks(active=frozenset({(1, 0), (8, 8)}))
    found = {e.cells: e.cost for e in rule_set("doom2016").marked_reach(board, "a", 2, marks).ends}
    assert found[(8, 8),] == 2
    free = rule_set("doom2016", {"teleport_cost": "free"}).marked_reach(board, "a", 2, marks)
    assert {e.cells: e.cost for e in free.ends}[(8, 8),] == 1


def test_marine_wakes_a_teleporter_and_cannot_go_to_a_sleeping_one(build):
    board = build.board(a=(0, 0), d=None)
    marks = Marks(active=frozenset({(8, 8)}), inactive=frozenset({(1, 0), (-4, 9)}))
    found = {e.cells: e.cost for e in rule_set("doom2016").marked_reach(board, "a", 2, marks).ends}
    assert found[(8, 8),] == 2
    assert ((-4, 9),) not in found


@pytest.mark.parametrize(("choice", "cost"), [("normal", 2), ("no_extra", 1)])
def test_glory_kill_ends_on_the_staggered_demon(build, choice, cost):
    board = build.board(a=(0, 0), d=(1, 0))
    rules = rule_set("doom2016", {"glory_cost": choice})
    staggered = rules.marked_reach(board, "a", 2, Marks(staggered=frozenset({"d"})))
    assert {e.cells: e.cost for e in staggered.ends}[(1, 0),] == cost
    healthy = rules.marked_reach(board, "a", 2, Marks())
    assert ((1, 0),) not in {e.cells for e in healthy.ends}


def test_summoned_demons_stand_on_the_portal_or_next_to_it(build):
    board = build.board(a=(0, 0), d=None, walls=[((3, 3), (4, 3))])
    small = find_summon_placements(board, (3, 3))
    assert ((3, 3),) in small
    assert ((3, 2),) not in small
    assert len(small) == 8
    large = find_summon_placements(board, (3, 3), 2, 2)
    assert all(any(abs(x - 3) <= 1 and abs(y - 3) <= 1 for x, y in base) for base in large)
    assert at(3, 2) not in large


@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_reach_is_monotone_in_points(game, build, data):
    board = data.draw(build.boards)
    figure = data.draw(st.sampled_from(board.figures)).id
    points = data.draw(st.integers(0, 6))
    fewer, more = costs(board, figure, points, game), costs(board, figure, points + 1, game)
    assert fewer == {cells: cost for cells, cost in more.items() if cost <= points}
    assert fewer[board.figure(figure).cells] == 0


@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_opening_doors_never_takes_an_end_away(game, build, data):
    board = data.draw(build.boards)
    figure = data.draw(st.sampled_from(board.figures)).id
    closed = costs(board, figure, 5, game)
    opened = costs(board, figure, 5, game, open_doors=True)
    assert all(opened[cells] <= cost for cells, cost in closed.items())
