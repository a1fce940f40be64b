"""The figures of a match on a board at first sight, whatever its cells are called now."""

from __future__ import annotations

from dataclasses import replace

import pytest

from assistant.table.board import Board, Figure
from assistant.table.observation import SeenFigure
from assistant.tracking.alignment import Renaming, find_board_renaming, relocalize

PLACES = {"imp-1": ((1, 1),), "imp-2": ((7, 2),), "imp-3": ((2, 6),)}


@pytest.fixture
def match_board(minds) -> Board:
    figures = tuple(Figure(name, "imp", "invader", cells) for name, cells in PLACES.items())
    # A wall that stands on one side only: the other walls of this table look the same from both ends.
    odd = next(iter(minds.WALLS))
    return Board(minds.CELLS, {**minds.WALLS, odd: "obstacle"}, (), figures)


@pytest.fixture
def seen(minds):
    """Returns a camera's report of a board."""

    def told(board: Board):
        figures = tuple(SeenFigure(None, f.kind, None, (0.0, 0.0), f.cells, 0.9) for f in board.figures)
        return replace(minds.observed([]), board=board, figures=figures)

    return told


@pytest.mark.parametrize("quarters", range(4))
def test_figures_are_recalled_where_the_lattice_has_other_names(match_board, seen, quarters):
    change = Renaming(quarters, (5, -3))
    now = change.board(match_board)
    assert find_board_renaming(now, match_board) == change
    assert relocalize(match_board, seen(now)) == {name: change.cells(cells) for name, cells in PLACES.items()}


def test_a_board_of_which_a_part_was_missed_is_the_same_board(match_board, seen):
    left = frozenset(cell for cell in match_board.cells if cell[1] < 6)
    edges = {edge: kind for edge, kind in match_board.edges.items() if set(edge.cells) <= left}
    part = replace(match_board, cells=left, edges=edges, figures=match_board.figures[:2])
    assert relocalize(match_board, seen(part)) == PLACES


def test_a_table_on_which_most_stand_elsewhere_is_a_new_one(match_board, seen):
    figures = tuple(replace(figure, cells=((n, 5),)) for n, figure in enumerate(match_board.figures))
    assert relocalize(match_board, seen(replace(match_board, figures=figures))) == {}


def test_another_board_recalls_nobody(match_board):
    edges = {edge: "impassable" for edge in match_board.edges}
    assert find_board_renaming(replace(match_board, edges=edges), match_board) is None
