"""Readings of tiles: difficult ground from its outlines, several photos together, rotations, fewer cells."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.errors import InputError
from assistant.table.lattice import Edge, sides
from vision.teaching.difficult_ground import EdgeSight, difficult_cells
from vision.teaching.edge_network import KINDS
from vision.teaching.tile_reading import SIDE_PX, best_of, merge_readings, picture_name, rotate_reading
from vision.teaching.tile_reading import _decide as decided

BOARD = frozenset((c, r) for c in range(4) for r in range(3))


def sights_of(cells, ground, kinds=None, *, odds=3.0):
    """Return a clear photo's beliefs about a tile with that difficult ground and those lines."""
    found = {}
    for edge in sorted({edge for cell in cells for edge in sides(cell)}):
        first, second = (cell in ground for cell in edge.cells)
        outlined = np.array([odds if first and not second else -odds, odds if second and not first else -odds])
        logs = np.full(len(KINDS), -4.0)
        logs[KINDS.index((kinds or {}).get(edge))] = -0.05
        found[edge] = EdgeSight(logs, outlined)
    return found


def reading_of(cells, ground=frozenset(), kinds=None, image=None):
    width, height = max(c for c, _ in cells) + 1, max(r for _, r in cells) + 1
    if image is None:
        image = np.random.default_rng(5).integers(0, 255, (height * SIDE_PX, width * SIDE_PX, 3)).astype(np.uint8)
    return decided(image, cells, dict.fromkeys(cells, 0.9), sights_of(cells, ground, kinds), 1)


@given(st.frozensets(st.sampled_from(sorted(BOARD))))
@settings(max_examples=60)
def test_difficult_ground_is_what_its_outline_encloses(ground):
    found, sure = difficult_cells(BOARD, sights_of(BOARD, ground))

    # An outline along every edge of the ground says where it is, or is not, from both sides.
    assert found == ground
    assert min(sure.values()) > 0.5


def test_a_missing_dash_does_not_let_the_ground_flow_out():
    ground = frozenset({(1, 1), (2, 1), (1, 0), (2, 0)})
    sights = sights_of(BOARD, ground, odds=1.0)
    gap = Edge((3, 0), (3, 1))
    sights[gap] = EdgeSight(sights[gap].kinds, np.array([-0.5, -1.0]))

    found, sure = difficult_cells(BOARD, sights)

    assert found == ground
    assert sure[2, 0] < sure[1, 1]


def test_four_quarter_turns_bring_a_reading_back():
    cells = frozenset({(0, 0), (1, 0), (2, 0), (2, 1)})
    kinds = {Edge((1, 0), (1, 1)): "wall", Edge((2, 1), (3, 1)): "obstacle"}
    reading = reading_of(cells, frozenset({(2, 1)}), kinds)

    turned = rotate_reading(reading, 1)
    back = rotate_reading(turned, 3)

    assert turned.cells == frozenset({(1, 0), (1, 1), (1, 2), (0, 2)})
    assert turned.edges[Edge((0, 2), (1, 2))] is None
    assert (back.cells, back.edges, back.difficult) == (reading.cells, reading.edges, reading.difficult)
    assert np.array_equal(back.image, reading.image)
    assert turned.difficult == frozenset({(0, 2)})


def test_a_second_photo_taken_from_the_other_side_is_turned_to_the_first():
    cells = frozenset((c, r) for c in range(3) for r in range(2))
    kinds = {Edge((1, 0), (1, 1)): "wall", Edge((0, 1), (1, 1)): "impassable"}
    first = reading_of(cells, frozenset({(0, 0)}), kinds)
    weak = first.sights[Edge((1, 0), (1, 1))]
    doubtful = dict(first.sights) | {Edge((1, 0), (1, 1)): EdgeSight(np.log([0.55, 0.4, 0.03, 0.02]), weak.difficult)}
    unsure = decided(first.image, cells, first.cell_confidence, doubtful, 1)

    both = merge_readings(unsure, rotate_reading(first, 2))

    assert unsure.edges[Edge((1, 0), (1, 1))] is None
    assert both is not None
    assert both.edges == first.edges
    assert both.difficult == first.difficult
    assert both.photos == 2


def test_photos_of_another_shape_are_left_out():
    first, other = reading_of(BOARD), reading_of(frozenset({(0, 0), (1, 0)}))

    assert merge_readings(first, other) is None
    assert best_of([first, other, first]).photos == 2
    with pytest.raises(ValueError, match="no reading"):
        best_of([])


def test_a_tile_set_gets_the_printed_lines_only():
    side = reading_of(BOARD, kinds={Edge((1, 1), (1, 2)): "impassable"}).side("12 B")

    assert side.edges == {Edge((1, 1), (1, 2)): "impassable"}
    assert side.image == "12-B.png"


@pytest.mark.parametrize(("name", "file"), [("07A", "07A.png"), ("../x", "x.png"), ("Зал 1", "Зал-1.png")])
def test_the_name_of_a_side_becomes_a_plain_file_name(name, file):
    assert picture_name(name) == file


def test_a_name_of_nothing_but_signs_is_refused():
    with pytest.raises(InputError, match="cannot be a tile's name"):
        picture_name("../..")
