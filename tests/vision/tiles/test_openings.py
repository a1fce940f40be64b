"""Possible places of doors, before any look at the picture."""

from __future__ import annotations

import numpy as np
import pytest

from assistant.table.lattice import Edge
from assistant.table.tiles import TileSet, TileSide
from vision.evidence.doors import door_weights
from vision.tiles.board_view import openings_of
from vision.tiles.placements import TilePlacement
from vision.tiles.prints import PX_PER_CELL, TilePrints, prints_from_images

WALL = Edge((0, 0), (0, 1))


@pytest.fixture(scope="module")
def prints() -> TilePrints:
    """A tile of two cells in a column, with a wall printed on the left of the upper one."""
    side = TileSide("a", "a.png", frozenset({(0, 0), (0, 1)}), {WALL: "wall"})
    image = np.full((2 * PX_PER_CELL, PX_PER_CELL, 4), 255, np.uint8)
    return prints_from_images(TileSet("set", 25.4, PX_PER_CELL, 2.0, (side,)), [image])


def test_tiles_meet_at_seams_and_keep_their_printed_lines_wherever_they_lie(prints: TilePrints) -> None:
    left, right = (TilePlacement(0, 0, (column, 4), 0.0, None, 8.0) for column in (3, 4))
    openings = openings_of([left, right], prints)
    upper, lower = Edge((4, 4), (4, 5)), Edge((4, 5), (4, 6))
    assert openings.seams == {upper, lower}
    assert openings.lines == {Edge((3, 4), (3, 5)), upper}
    within = Edge((3, 5), (4, 5))
    assert openings.features([upper, lower, within]).tolist() == [[0, 1], [1, 0], [0, 0]]


def test_on_a_board_of_one_tile_any_edge_without_a_line_may_be_an_opening(prints: TilePrints) -> None:
    alone = openings_of([TilePlacement(0, 0, (0, 0), 0.0, None, 8.0)], prints)
    assert alone.seams == frozenset()
    assert alone.features([Edge((0, 1), (1, 1)), WALL]).tolist() == [[0.5, 0], [0, 1]]
    assert alone.features([]).shape == (0, 2)


def test_what_ships_expects_doors_in_openings_and_not_on_printed_lines() -> None:
    opening, line = door_weights()[-2:]
    assert line < 0 < opening
