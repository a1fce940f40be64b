"""The worked examples of table B9 of the rules facts that are about place; those on dice are with the attack."""

from __future__ import annotations

import pytest

from assistant.match.games import rule_set
from assistant.rules.ruling import Blocker


def sees(board, **options):
    return rule_set("doom2004", options).rule(board, "a", "d").line_of_sight


def costs(board, figure, points, **options):
    return {end.cells: end.cost for end in rule_set("doom2004", options).reach(board, figure, points).ends}


def test_los_diagram_demon_seen_obstacle_corner_and_demon_hide_the_others(build):
    assert sees(build.board(a=(0, 0), d=(3, 1)))
    assert not sees(build.board(a=(0, 0), d=(4, 0), blocking=[(2, 0)]))
    assert not sees(build.board(a=(0, 0), d=(2, 2), walls=[((1, 1), (1, 2)), ((1, 1), (2, 1))]))
    assert not sees(build.board(a=(0, 0), d=(6, 2), others=[[(3, 1), (4, 1)]]))


@pytest.mark.parametrize(
    ("a", "d", "blockers", "seen"),
    [
        ((0, 0), (3, 1), [(2, 0), (3, 0)], True),
        ((0, 0), (2, 1), [(1, 0), (2, 0)], False),
        ((0, 2), (1, 0), [(0, 1), (0, 0)], False),
    ],
)
def test_los_formula_examples(build, a, d, blockers, seen):
    assert sees(build.board(a=a, d=d, others=blockers)) is seen
    assert sees(build.board(a=a, d=d, blocking=blockers)) is seen


def test_two_figures_that_the_diagonal_only_touches_hide_nothing(build):
    assert sees(build.board(a=(0, 0), d=(2, 2), others=[(1, 0), (0, 1)]))


@pytest.mark.parametrize("place", [(1, 0), (0, 1)])
def test_the_figure_whose_corner_stops_a_line_is_named_where_corners_do(build, place):
    board = build.board(a=(0, 0), d=(1, 1), others=[place])
    [line] = rule_set("doom2004", {"los_touch": "blocks"}).rule(board, "a", "d").lines
    assert line.blocked_by == Blocker("figure", id="o1")


@pytest.mark.parametrize("place", [(1, 0), (1, 1)])
def test_a_knights_move_enters_both_cells_between(build, place):
    assert not sees(build.board(a=(0, 0), d=(2, 1), others=[place]))


def test_advance_one_step_round_a_corner_and_three_back(build):
    corridor = [(0, 0), (1, 0), (1, 1), (1, 2)]
    walls = [((1, 1), (2, 1))]
    board = build.board(a=(1, 0), d=None, cells=[*corridor, (2, 0), (2, 1)], walls=walls)
    out = costs(board, "a", 1)
    assert out[(2, 1),] == 1
    back = build.board(a=(2, 1), d=None, cells=[*corridor, (2, 0), (2, 1)], walls=walls)
    assert costs(back, "a", 3)[(0, 0),] == 2


def test_demon_snakes_left_then_up_then_sidesteps(build):
    def after(cells, **options):
        return costs(build.board(a=cells, d=None), "a", 1, **options)

    assert after([(0, 0), (1, 0)])[(-1, 0), (0, 0)] == 1
    assert after([(-1, 0), (0, 0)])[(-1, 0), (-1, 1)] == 1
    assert after([(-1, 0), (-1, 1)])[(0, 1), (0, 2)] == 1


def test_cyberdemon_right_diagonal_up_in_three_steps(build):
    base = [(0, 0), (1, 0), (0, 1), (1, 1)]
    end = tuple(sorted((x + 2, y + 2) for x, y in base))
    board = build.board(a=base, d=None)
    assert costs(board, "a", 3)[end] == 2
    # The three steps of the diagram lead there as well: right, diagonally, up.
    path = [(1, 0), (2, 1), (2, 2)]
    for (x0, y0), (x, y) in zip([(0, 0), *path], path, strict=False):
        here = build.board(a=[(x0 + i, y0 + j) for i, j in base], d=None)
        assert costs(here, "a", 1)[tuple(sorted((x + i, y + j) for i, j in base))] == 1
