"""Figures of the simulated table put where a match has them."""

from __future__ import annotations

import pytest

from assistant.table.lattice import Edge
from vision.simulation.moves import Put, put_figures, set_doors
from vision.simulation.sample import sample_scene
from vision.simulation.virtual_camera import VirtualCamera


@pytest.fixture(scope="module")
def scene():
    return sample_scene()


@pytest.fixture(scope="module")
def box(scene):
    return {placed.figure.id: placed for placed in scene.figures}


def free_cells(scene, count):
    taken = {cell for placed in scene.figures for cell in placed.cells}
    return sorted(scene.cells - taken)[:count]


def test_a_figure_goes_where_it_is_put_into_the_box_and_back(scene, box):
    name, (end,) = "medic-1", free_cells(scene, 1)
    moved = put_figures(scene, box, [Put(name, box[name].cells, (end,))])
    assert moved.placed(name).cells == (end,)
    gone = put_figures(moved, box, [Put(name, (end,), ())])
    assert name not in [placed.figure.id for placed in gone.figures]
    assert put_figures(gone, box, [Put(name, (), (end,))]).placed(name).center_mm == moved.placed(name).center_mm


def test_of_two_alike_the_one_is_moved_that_stands_there(scene, box):
    (end,) = free_cells(scene, 1)
    moved = put_figures(scene, box, [Put("ranger-1", box["ranger-2"].cells, (end,))])
    assert moved.placed("ranger-2").cells == (end,)
    assert moved.placed("ranger-1") == box["ranger-1"]


def test_a_match_is_laid_out_and_figures_outside_it_go_into_the_box(scene, box):
    first, second = free_cells(scene, 2)
    laid = put_figures(scene, box, [Put("medic-1", (), (first,)), Put("ranger-1", (), (second,))], is_everybody=True)
    assert {placed.figure.id: placed.cells for placed in laid.figures} == {"medic-1": (first,), "ranger-1": (second,)}


def test_whom_the_table_has_no_room_for_stays_in_the_box(scene, box):
    taken = box["brute-1"].cells[0]
    for end in (taken, (99, 99)):
        after = put_figures(scene, box, [Put("medic-1", box["medic-1"].cells, (end,)), Put("nobody-1", (), (end,))])
        assert {placed.figure.id for placed in after.figures} == set(box) - {"medic-1"}


def test_once_somebody_was_put_nothing_moves_by_itself_any_more(scene, box):
    clock = [0.0]
    camera = VirtualCamera(scene, lambda: clock[0], size_wh=(320, 180))
    before = camera.frame()
    (end,) = free_cells(scene, 1)
    camera.put([Put("medic-1", box["medic-1"].cells, (end,))])
    assert (camera.frame() != before).any()
    assert camera.standing.placed("medic-1").cells == (end,)
    clock[0] = 60.0
    camera.frame()
    assert camera.standing.placed("medic-1").cells == (end,)


def test_doors_are_taken_away_and_brought_and_those_that_stay_are_not_touched(scene):
    first, second = scene.doors
    gone = set_doors(scene, (), [second.edge])
    assert gone.doors == (second,)
    assert set_doors(gone, scene.doors, [first.edge, second.edge]) == scene
    x, y = min(cell for cell in scene.cells if (cell[0] + 1, cell[1]) in scene.cells)
    edge = Edge((x + 1, y), (x + 1, y + 1))
    off_board = Edge((90, 90), (90, 91))
    brought = set_doors(scene, (), [first.edge, edge, off_board])
    assert {door.edge for door in brought.doors} == {first.edge, edge}
    assert first in brought.doors


def test_the_camera_shows_a_door_that_is_gone_and_the_same_picture_when_it_is_back(scene):
    camera = VirtualCamera(scene, lambda: 0.0, size_wh=(320, 180), is_still=True)
    before = camera.frame().astype(int)
    camera.set_doors(frozenset())
    opened = camera.frame().astype(int)
    camera.set_doors(None)
    closed = camera.frame().astype(int)
    assert camera.standing.doors == scene.doors
    assert abs(opened - before).max() > 60
    assert abs(closed - before).max() < 40  # the sensor's noise is new in every picture
