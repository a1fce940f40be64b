"""The named cause of cover is what the line meets: each side of a line, each corner, and nothing beside it."""

from __future__ import annotations

import pytest

from assistant.rules.bitboard import LEVEL, UPRIGHT
from assistant.rules.cover import CoverCells
from assistant.rules.grid import Grid
from assistant.rules.line_walks import walk_line
from assistant.rules.ruling import Blocker

SLANTED = next(lie for lie in range(4) if lie not in (LEVEL, UPRIGHT))
FAR = (-3, -3)
"""Out of every line's way."""


def named(board, start, end, lie, *, border=False, side=False):
    """Return the reported obstacles of the line between two lattice points, under two house options."""
    cover = CoverCells(Grid(board), difficult_border=border, figure_edges=side)
    dx, dy = end[0] - start[0], end[1] - start[1]
    steps = [step._replace(x=step.x + start[0], y=step.y + start[1]) for step in walk_line(dx, dy)]
    return cover.name(cover.between(("a", "d")), steps, lie)


@pytest.mark.parametrize("place", [(3, 0), (3, 1)])
def test_a_figure_on_either_side_of_a_level_line_is_named_where_its_side_counts(build, place):
    board = build.board(a=FAR, d=(9, 9), others=[place])
    assert named(board, (1, 1), (6, 1), LEVEL, side=True) == Blocker("figure", id="o1")
    assert named(board, (1, 1), (6, 1), LEVEL) is None


@pytest.mark.parametrize("place", [(0, 3), (1, 3)])
def test_a_figure_on_either_side_of_an_upright_line_is_named_where_its_side_counts(build, place):
    board = build.board(a=FAR, d=(9, 9), others=[place])
    assert named(board, (1, 1), (1, 6), UPRIGHT, side=True) == Blocker("figure", id="o1")
    assert named(board, (1, 1), (1, 6), UPRIGHT) is None


@pytest.mark.parametrize("place", [(3, -1), (3, 2), (6, 0), (0, 1)])
def test_who_stands_a_cell_off_the_line_or_beyond_its_ends_is_not_named(build, place):
    board = build.board(a=FAR, d=(9, 9), others=[place])
    assert named(board, (1, 1), (6, 1), LEVEL, side=True, border=True) is None


@pytest.mark.parametrize("place", [(-1, 3), (2, 3)])
def test_who_stands_a_cell_beside_an_upright_line_is_not_named(build, place):
    board = build.board(a=FAR, d=(9, 9), others=[place])
    assert named(board, (1, 1), (1, 6), UPRIGHT, side=True) is None


@pytest.mark.parametrize(("cells", "ends", "lie"), [
    ([(3, 0), (3, 1)], ((1, 1), (6, 1)), LEVEL),
    ([(0, 3), (1, 3)], ((1, 1), (1, 6)), UPRIGHT),
])  # fmt: skip
def test_between_two_cells_of_a_large_figure_or_of_difficult_ground_a_line_is_inside(build, cells, ends, lie):
    large = build.board(a=FAR, d=(9, 9), others=[cells])
    rough = build.board(a=FAR, d=(9, 9), difficult=cells)
    assert named(large, *ends, lie) == Blocker("figure", id="o1")
    assert named(rough, *ends, lie) == Blocker("difficult", cell=cells[0])


@pytest.mark.parametrize("place", [(2, 2), (3, 2), (2, 3), (3, 3)])
def test_difficult_ground_at_any_of_four_sides_of_a_touched_corner_is_named_where_its_border_counts(build, place):
    """The slanted line passes through (3, 3) and enters the cells (2, 2) and (3, 3) alone."""
    board = build.board(a=FAR, d=(9, 9), difficult=[place])
    assert named(board, (2, 2), (4, 4), SLANTED, border=True) == Blocker("difficult", cell=place)
    entered = place in {(2, 2), (3, 3)}
    assert named(board, (2, 2), (4, 4), SLANTED) == (Blocker("difficult", cell=place) if entered else None)
    entered = not entered  # by the line that lies the other way
    assert named(board, (4, 2), (2, 4), SLANTED, border=True) == Blocker("difficult", cell=place)
    assert named(board, (4, 2), (2, 4), SLANTED) == (Blocker("difficult", cell=place) if entered else None)


def test_a_figure_at_a_touched_corner_is_not_difficult_ground(build):
    board = build.board(a=FAR, d=(9, 9), others=[(3, 2)], difficult=[(8, 8)])
    assert named(board, (2, 2), (4, 4), SLANTED, border=True) is None


def test_the_first_thing_on_the_way_is_the_one_that_is_named(build):
    board = build.board(a=FAR, d=(9, 9), others=[(4, 4)], difficult=[(3, 3)])
    assert named(board, (2, 2), (7, 7), SLANTED) == Blocker("difficult", cell=(3, 3))
    assert named(board, (7, 7), (2, 2), SLANTED) == Blocker("figure", id="o1")


def test_neither_shooter_nor_target_gives_cover_and_spared_ground_does_not_either(build):
    board = build.board(a=(3, 3), d=[(4, 4), (5, 4), (4, 5), (5, 5)], difficult=[(3, 3), (6, 6)])
    cover = CoverCells(Grid(board), difficult_border=False, figure_edges=True)
    steps = [step._replace(x=step.x + 2, y=step.y + 2) for step in walk_line(6, 6)]
    assert cover.name(cover.between(("a", "d"), [(3, 3)]), steps, SLANTED) == Blocker("difficult", cell=(6, 6))
    assert cover.name(cover.between(("a", "d")), steps, SLANTED) == Blocker("difficult", cell=(3, 3))
