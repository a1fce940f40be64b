"""Spawn spaces, blasts, scatter, blow-through and damaging obstacles of DOOM (2004)."""

from __future__ import annotations

import pytest

from assistant.games.doom2004.rules.areas import (
    blast,
    blow_through,
    count_obstacle_wounds,
    find_hidden_spaces,
    scatter,
    turn_direction,
)
from assistant.match.games import rule_set

EAST, SOUTH, WEST, NORTH = (1, 0), (0, 1), (-1, 0), (0, -1)

ROW = [(x, 0) for x in range(6)]


def table(board, **options):
    return rule_set("doom2004", options).on(board)


def empty(board):
    return board.cells - board.blocking - set(board.figure_at)


def marines(build, *cells, **rest):
    base = build.board(a=cells[0], d=None, **rest)
    return build.with_figures(base, [build.figure(f"m{i}", c, "marines") for i, c in enumerate(cells)])


def test_invaders_appear_out_of_every_marines_sight(build):
    board = marines(build, (0, 0), cells=ROW, blocking=[(2, 0)])
    assert find_hidden_spaces(table(board), board.figures, empty(board)) == {(3, 0), (4, 0), (5, 0)}


def test_a_closed_door_hides_the_spaces_behind_it(build):
    board = marines(build, (0, 0), cells=ROW, doors=[((3, 0), (3, 1))])
    assert find_hidden_spaces(table(board), board.figures, empty(board)) == {(3, 0), (4, 0), (5, 0)}


def test_invaders_on_the_board_do_not_hide_new_ones(build):
    board = build.board(a=(0, 0), d=(2, 0), cells=ROW)
    assert find_hidden_spaces(table(board), board.figures[:1], empty(board)) == frozenset()


def test_marines_hide_spaces_from_each_other_unless_the_option_says_otherwise(build):
    """The second marine stands in the first one's line to (4, 1), and an obstacle hides that space from him."""
    cells = [(x, y) for x in range(5) for y in range(3)]
    board = marines(build, (0, 0), (2, 0), cells=cells, blocking=[(3, 0)])
    assert find_hidden_spaces(table(board), board.figures, empty(board)) == {(4, 0), (4, 1)}
    assert find_hidden_spaces(table(board, spawn_los_marines="pass"), board.figures, empty(board)) == {(4, 0)}


def test_blast_goes_round_walls_and_hits_a_large_figure_once(build):
    board = build.board(a=(0, 0), d=[(2, 0), (2, 1)], others=[(0, 3)], walls=[((1, y), (1, y + 1)) for y in (-1, 0, 1)])
    near = blast(table(board), (0, 0), 1)
    assert near.figures == ("a",)
    assert (1, 0) not in near.spaces
    assert blast(table(board), (0, 0), 3).figures == ("a", "d", "o1")
    assert blast(table(board), (1, 0), 1).figures == ("d",)


def test_scatter_four_spaces_back_to_the_marine(build):
    board = build.board(a=(0, 0), d=(4, 0))
    assert scatter(table(board), (4, 0), (-1, 0), 4) == (0, 0)


@pytest.mark.parametrize(
    "terrain", [{"walls": [((2, 0), (2, 1))]}, {"blocking": [(1, 0)]}, {"doors": [((2, 0), (2, 1))]}]
)
def test_scatter_fizzles_on_what_is_in_the_way(build, terrain):
    board = build.board(a=(0, 0), d=(4, 0), **terrain)
    assert scatter(table(board), (4, 0), (-1, 0), 4) is None


def test_scatter_off_the_board_fizzles_and_odd_directions_are_refused(build):
    board = build.board(a=(0, 0), d=(4, 0))
    assert scatter(table(board), (4, 0), (0, -1), 9) is None
    with pytest.raises(ValueError, match="eight directions"):
        scatter(table(board), (4, 0), (2, 1), 1)


def test_blow_through_goes_on_to_adjacent_spaces_and_hits_nobody_twice(build):
    board = build.board(a=(0, 0), d=[(3, 0), (3, 1)], others=[(4, 0), (6, 0)])
    assert blow_through(table(board), (3, 0), {"d"}) == (((4, 0), "o1"),)
    assert blow_through(table(board), (4, 0), {"d", "o1"}) == ()
    parted = build.board(a=(0, 0), d=(3, 0), others=[(4, 0)], walls=[((4, 0), (4, 1))])
    assert blow_through(table(parted), (3, 0), {"d"}) == ()


def test_damaging_obstacles_wound_on_entering_and_on_staying():
    lava = frozenset({(1, 0), (2, 0)})
    path = [((0, 0),), ((1, 0),), ((2, 0),), ((3, 0),)]
    assert count_obstacle_wounds(path, lava) == 2
    assert count_obstacle_wounds(path[:3], lava, stayed=True) == 3
    assert count_obstacle_wounds([((0, 0), (0, 1)), ((1, 0), (1, 1)), ((2, 0), (2, 1))], lava) == 1
    assert count_obstacle_wounds([], lava) == 0


def test_a_scatter_card_is_turned_clockwise_by_the_compass():
    """“Turn it so that the compass rose on the card is facing the same direction …” (seed 004, p. 11)."""
    assert [turn_direction(EAST, turns) for turns in range(5)] == [EAST, SOUTH, WEST, NORTH, EAST]
    assert turn_direction((1, -1), 1) == (1, 1)
