"""A print without a tile's edge is the table: a mat, or a loud cloth."""

from __future__ import annotations

from typing import Any

import numpy as np

from assistant.table.lattice import Cell, grow
from vision.tiles.board_view import BoardView, board_view
from vision.tiles.placements import cells_of
from vision.tiles.prints import TilePrints
from vision.tiles.unknown import ending_as_tiles


def bare_cells(board: BoardView, count: int, without: frozenset[Cell] = frozenset()) -> frozenset[Cell]:
    """Cells of the table beside the board, joined, as a network may take them for print."""
    rim = grow(board.cells) - board.cells - grow(without)
    group = frozenset([min(rim)])
    while len(group) < count:
        group = group | frozenset([min(grow(group) - group - board.cells - grow(without))])
    return group


def on_a_mat(board: BoardView, keep: frozenset[Cell], known: Any, prints: TilePrints) -> BoardView:
    """Return the board on a mat with large rings in two colours; the cells to keep stay unchanged."""
    photo = board.photo.copy()
    rows, columns = np.mgrid[0 : photo.shape[0], 0 : photo.shape[1]]
    on_table = board.view.table_from_image(np.column_stack([columns.ravel(), rows.ravel()]) * 1.0, board.thickness_mm)
    places = board.lattice.lattice_from_table(on_table)
    is_kept = np.array([tuple(cell) in keep for cell in np.floor(places).astype(int).tolist()])
    waves = 0.5 + 0.5 * np.sin(np.hypot(places[:, 0] - 4.3, 0.7 * places[:, 1] + 2.9) * 2.1)
    mat = waves[:, None] * (90, 40, 120) + (1 - waves[:, None]) * (40, 130, 60)
    whole = np.where(is_kept[:, None], photo.reshape(-1, 3), mat).astype(np.uint8)
    return board_view(whole.reshape(photo.shape), board.view, board.lattice, known, prints)


def test_a_tile_ends_where_the_table_begins(photographed: Any, without_one: Any) -> None:
    board, _, missed = without_one
    cells = cells_of(missed, photographed.prints)
    assert ending_as_tiles(board, [cells]) == [cells]


def test_bare_table_does_not_end_where_it_is_taken_for_print(photographed: Any, without_one: Any) -> None:
    board, _, missed = without_one
    bare = bare_cells(board, 7, cells_of(missed, photographed.prints))
    assert ending_as_tiles(board, [bare]) == []


def test_a_mat_is_distinguished_from_the_tile_that_lies_on_it(photographed: Any, without_one: Any) -> None:
    board, known, missed = without_one
    cells = cells_of(missed, photographed.prints)
    mat = on_a_mat(board, board.cells | cells, known, photographed.prints)
    bare = bare_cells(board, 9, cells)
    assert ending_as_tiles(mat, [bare, cells]) == [cells]


def test_of_nothing_nothing_ends(without_one: Any) -> None:
    assert ending_as_tiles(without_one.board, []) == []
