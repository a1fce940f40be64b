"""Possible doors in the trunk's features: windows that reach up to a door's top, and what stands beside the edge."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from assistant.table.lattice import list_inner_edges
from assistant.table.roster import DoorSpec
from vision.evidence.doors import DoorViews, door_features, door_views, judge_doors, trunk_hints
from vision.evidence.hidden_print import PLACES, WINDOW, cell_views, print_maps
from vision.evidence.occupancy import find_occupancy
from vision.evidence.patches import patch_source
from vision.scene.occupants import judge_places
from vision.training.samples import table_of

SPEC = DoorSpec(4, 1, 30.0, 2.0)


@pytest.fixture(scope="module")
def views(photographed: Any) -> DoorViews:
    board = photographed.reading.seen.board
    return door_views(patch_source(board, photographed.reader.roster), SPEC, list_inner_edges(board.cells))


def test_a_window_shows_both_cells_beside_its_edge_the_one_behind_higher_up(
    photographed: Any, views: DoorViews
) -> None:
    board, roster = photographed.reading.seen.board, photographed.reader.roster
    cells = sorted(board.cells)
    middles = cell_views(board, roster, cells).windows[:, PLACES : 2 * PLACES, PLACES : 2 * PLACES]
    places_of = dict(zip(cells, middles, strict=True))
    for edge, window, (behind, before) in zip(views.edges, views.windows, views.beside, strict=True):
        assert {behind, before} == {*edge.cells}
        rows = [np.flatnonzero(np.isin(window, places_of[cell]).any(axis=1)) for cell in (behind, before)]
        assert (rows[0] == np.arange(PLACES, 2 * PLACES)).all()
        assert (rows[1] == np.arange(2 * PLACES, 3 * PLACES)).all()


def test_an_outline_rises_from_the_edge_as_far_as_a_door_of_the_box_leans(views: DoorViews) -> None:
    rows = np.arange(WINDOW)
    for outline, (_, lean_up, *_) in zip(views.outlines, views.geometry, strict=True):
        assert outline[2 * PLACES + 1 :].max() < 0.1, "nothing before the edge"
        shown = rows[outline.max(axis=1) > 0.5]
        assert len(shown) == pytest.approx(-lean_up * PLACES, abs=1)


def test_the_networks_know_what_stands_beside_an_edge_and_state_doors_that_are_there() -> None:
    scene, board = table_of(800_001, crowded=True)
    source, edges = patch_source(board, scene.roster), list_inner_edges(board.cells)
    maps = print_maps(source)
    occupancy = find_occupancy(source, maps, scene.roster)
    views = door_views(source, scene.roster.doors, edges)
    hints = trunk_hints(views, occupancy)
    behind, before = views.beside[3]
    assert np.exp(hints[3, 3:6]) == pytest.approx(occupancy.by_trunk.chance_of[behind], abs=2e-4)
    assert np.exp(hints[3, 6:]) == pytest.approx(occupancy.by_trunk.chance_of[before], abs=2e-4)
    judged = {door.edge: door.confidence for door in judge_doors(source, scene.roster.doors, views, maps, occupancy)}
    true = {door.edge for door in scene.doors}
    assert len(true) > 2
    assert np.mean([judged[edge] for edge in true]) > 0.9
    assert np.mean([judged[edge] for edge in judged.keys() - true]) < 0.02


def test_a_door_seen_along_its_row_is_not_reported_twice_and_a_second_one_stays() -> None:
    """From so low a door hides a third of the next edge in its row."""
    beside, true = [], []
    for seed in (800_006, 800_009, 800_018):
        scene, board = table_of(seed, crowded=True)
        places, doors = judge_places(board, scene.roster), {door.edge for door in scene.doors}
        for door in places.doors:
            nearby = doors - {door.edge}
            in_row = any(e.is_horizontal == door.edge.is_horizontal and not {*e}.isdisjoint(door.edge) for e in nearby)
            if in_row:
                (true if door.edge in doors else beside).append(door.confidence)
    assert len(beside) > 10
    assert max(beside) < 0.3
    assert len(true) > 1
    assert min(true) > 0.9


def test_a_board_without_an_edge_has_no_doors(photographed: Any) -> None:
    source = patch_source(photographed.reading.seen.board, photographed.reader.roster)
    maps = print_maps(source)
    occupancy = find_occupancy(source, maps, photographed.reader.roster)
    views = door_views(source, SPEC, [])
    assert door_features(views, maps, occupancy).shape == (0, 5)
    assert judge_doors(source, SPEC, views, maps, occupancy) == []
