"""Figures of the simulated table put where a match has them."""

from __future__ import annotations

import pytest

from vision.simulation.puts import Put, put_figures
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


def test_a_match_is_laid_out_and_whoever_is_not_in_it_goes_into_the_box(scene, box):
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
