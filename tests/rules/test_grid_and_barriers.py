"""A board as bits, and its barriers: names at a point, bits shared with a moved board, non-edges."""

from __future__ import annotations

from dataclasses import replace

import pytest

from assistant.rules.barriers import Barriers
from assistant.rules.bitboard import FALLING, LEVEL, RISING, UPRIGHT
from assistant.rules.grid import EdgeSet, Grid
from assistant.rules.ruling import Blocker
from assistant.table.lattice import Edge

EAST, SOUTH, WEST, NORTH = (((3, 3), (4, 3)), ((3, 3), (3, 4)), ((2, 3), (3, 3)), ((3, 2), (3, 3)))


@pytest.mark.parametrize("ends", [EAST, SOUTH, WEST, NORTH])
def test_the_wall_that_ends_at_a_point_is_named_wherever_it_comes_from(build, ends):
    barriers = Barriers.of(Grid(build.board(walls=[ends])), frozenset({"wall"}))
    assert barriers.name_at((3, 3)) == Blocker("wall", edge=Edge.between(*ends))


def test_of_several_barriers_at_a_point_the_first_clockwise_from_the_east_is_named(build):
    kinds = frozenset({"wall", "obstacle"})
    named = Barriers.of(Grid(build.board(walls=[NORTH, WEST], obstacles=[SOUTH])), kinds).name_at((3, 3))
    assert named == Blocker("obstacle", edge=Edge.between(*SOUTH))
    named = Barriers.of(Grid(build.board(walls=[NORTH], obstacles=[WEST])), kinds).name_at((3, 3))
    assert named == Blocker("obstacle", edge=Edge.between(*WEST))


@pytest.mark.parametrize("lie", [FALLING, RISING, LEVEL, UPRIGHT])
def test_strictly_read_each_corner_of_a_solid_cell_stops_what_touches_it(build, lie):
    grid = Grid(build.board())
    plane = Barriers.of(grid, frozenset({"wall"})).plane(lie, "strict", solid=grid.frame.bit((3, 3)))
    bare = Barriers.of(grid, frozenset({"wall"})).plane(lie, "strict")
    corners = sum(grid.frame.bit(point) for point in ((3, 3), (4, 3), (3, 4), (4, 4)))
    assert plane == bare | grid.frame.interleave(0, 0, corners)
    assert plane != bare


def test_a_board_on_which_pieces_alone_moved_shares_its_ground(build):
    board = build.board(walls=[EAST], difficult=[(5, 5)])
    before = Grid(board)
    moved = replace(board, figures=board.figures[:1])
    assert Grid(moved, before).rim is before.rim
    assert Grid(moved, before).figures.keys() == {"a"}
    other = replace(board, difficult=frozenset({(6, 6)}))
    assert Grid(other, before).difficult == before.frame.bit((6, 6))


@pytest.mark.parametrize(("walls", "is_level"), [([EAST], True), ([SOUTH], False), ([], None)])
def test_where_no_edge_lies_one_way_there_are_no_bits_for_it(build, walls, is_level):
    grid = Grid(build.board(walls=walls))
    bit = grid.frame.bit((3, 3))
    wanted = {True: EdgeSet(0, bit), False: EdgeSet(bit, 0), None: EdgeSet()}[is_level]
    assert grid.edges("wall") == wanted


def test_an_edge_of_the_rim_is_none_that_parts_two_cells(build):
    grid = Grid(build.board(cells=[(0, 0), (1, 0)], a=(0, 0), d=(1, 0)))
    assert grid.edge_set([Edge((0, 0), (0, 1)), Edge((0, 0), (1, 0))]) == EdgeSet()
    assert grid.edge_set([Edge((1, 0), (1, 1))]) == EdgeSet(grid.frame.bit((1, 0)), 0)
