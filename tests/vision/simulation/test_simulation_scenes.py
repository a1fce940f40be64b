"""Random scenes keep to their bucket, and their documents describe the table exactly."""

from __future__ import annotations

import json
from collections.abc import Callable

import numpy as np
import pytest

from assistant.documents import (
    board_from_json,
    camera_from_json,
    roster_document,
    roster_from_json,
    table_from_json,
    to_json,
)
from assistant.errors import BoardError, UnknownName
from assistant.table.observation import LatticePose
from vision.simulation.compose import BUCKETS, markers_in_view, random_scene
from vision.simulation.scene import Bucket, PlacedTile, Scene, on_table, quarter_turn, tile_points
from vision.simulation.truth import camera_document, table_document, truth_document

SceneOf = Callable[[int, Bucket], Scene]
CASES: list[tuple[int, Bucket]] = [(seed, bucket) for bucket in BUCKETS for seed in (1, 2, 5)]


def lattice_places(scene: Scene, points_mm: np.ndarray) -> np.ndarray:
    angle = np.radians(scene.grid.angle_deg)
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    return (np.asarray(points_mm) - scene.grid.origin_mm) @ turn / scene.grid.cell_mm


@pytest.mark.parametrize(("seed", "bucket"), CASES)
def test_a_scene_keeps_to_its_bucket(scene_of: SceneOf, seed: int, bucket: Bucket) -> None:
    scene, rules = scene_of(seed, bucket), BUCKETS[bucket]
    assert rules.tilt_deg[0] <= scene.around[0] <= rules.tilt_deg[1]
    assert scene.lighting.name in rules.lights
    assert rules.tiles[0] <= len(scene.tiles) <= rules.tiles[1]
    assert len(scene.figures) <= rules.figures[1]
    assert 600 <= scene.view.center_mm[2] <= 1200
    assert len(markers_in_view(scene.view, scene.markers)) >= 3
    assert 4 <= len(scene.markers.markers) <= 6


@pytest.mark.parametrize(("seed", "bucket"), CASES)
def test_figures_stand_near_the_middle_of_their_cells_and_touch_nothing(
    scene_of: SceneOf, seed: int, bucket: Bucket
) -> None:
    scene = scene_of(seed, bucket)
    for index, placed in enumerate(scene.figures):
        middle = on_table(scene.grid, (np.array(placed.cells) + 0.5).mean(0)[None])[0]
        assert np.abs(np.subtract(placed.center_mm, middle)).max() <= 2.5
        for other in scene.figures[:index]:
            if placed.figure.base_shape == other.figure.base_shape == "round":
                gap = np.hypot(*np.subtract(placed.center_mm, other.center_mm))
                assert gap > (placed.figure.base_mm + other.figure.base_mm) / 2


@pytest.mark.parametrize(("seed", "bucket"), CASES)
def test_doors_stand_on_edges_between_two_cells(scene_of: SceneOf, seed: int, bucket: Bucket) -> None:
    scene = scene_of(seed, bucket)
    for door in scene.doors:
        assert all(cell in scene.cells for cell in door.edge.cells)
        places = lattice_places(scene, np.array([door.from_mm, door.to_mm]))
        assert np.abs(places - np.array(door.edge)).max() < 0.08
        assert np.hypot(*np.subtract(door.from_mm, door.to_mm)) == pytest.approx(25.4)


@pytest.mark.parametrize(("seed", "bucket"), CASES)
def test_tiles_lie_on_one_lattice_with_a_small_misfit_and_do_not_overlap(
    scene_of: SceneOf, seed: int, bucket: Bucket
) -> None:
    scene = scene_of(seed, bucket)
    sides = scene.printed.tile_set
    assert sum(len(sides.side(tile.id).cells) for tile in scene.tiles) == len(scene.cells)
    assert scene.tiles[0].misfit_mm == (0.0, 0.0)
    for tile in scene.tiles:
        assert np.hypot(*tile.misfit_mm) <= 0.4
        assert abs(tile.misfit_deg) <= 0.3
        cells = sides.side(tile.id).cells
        middles = lattice_places(scene, tile_points(scene, tile, np.array(sorted(cells)) + 0.5))
        assert {tuple(c) for c in np.floor(middles).astype(int).tolist()} == set(tile.lattice_cells(cells))


def test_documents_are_read_back_by_the_strict_readers(scene_of: SceneOf) -> None:
    scene = scene_of(2, "hard")
    assert roster_from_json(to_json(roster_document(scene.roster)).encode()) == scene.roster
    assert table_from_json(to_json(table_document(scene.markers)).encode()) == scene.markers
    assert camera_from_json(to_json(camera_document(scene.view.lens)).encode()) == scene.view.lens
    truth = truth_document(scene)
    board = board_from_json(json.dumps(truth["board"]).encode())
    assert board == scene.board
    assert truth["camera"]["markers_seen"]
    assert all("confidence" not in entry for entry in [*truth["tiles"], *truth["doors"], *truth["figures"]])


def test_the_stronger_line_holds_where_two_tiles_meet(scene_of: SceneOf) -> None:
    strength = {"obstacle": 0, "impassable": 1, "wall": 2}
    for seed, bucket in CASES:
        scene = scene_of(seed, bucket)
        for tile in scene.tiles:
            for edge, kind in tile.lattice_edges(scene.printed.tile_set.side(tile.id).edges).items():
                assert strength[scene.edges[edge]] >= strength[kind]


def test_the_same_seed_gives_the_same_scene() -> None:
    first, second = random_scene(9, "easy"), random_scene(9, "easy")
    assert truth_document(first) == truth_document(second)
    assert first.view == second.view
    assert first.clutter == second.clutter
    assert truth_document(random_scene(10, "easy")) != truth_document(first)


def test_a_quarter_turn_takes_x_towards_y() -> None:
    assert quarter_turn(1) @ [1, 0] == pytest.approx([0, 1])
    tile = PlacedTile("t", 1, (3, 0))
    assert tile.lattice_cells(frozenset({(0, 0), (1, 0)})) == {(2, 0), (2, 1)}


def test_a_moved_figure_stands_in_the_middle_of_its_new_cell(scene_of: SceneOf) -> None:
    scene = scene_of(5, "normal")
    walker = next(p for p in scene.figures if len(p.cells) == 1)
    taken = {cell for placed in scene.figures for cell in placed.cells}
    target = min(scene.cells - taken)
    moved = scene.with_figure_moved(walker.figure.id, (target,), yaw_deg=0.0)
    assert moved.placed(walker.figure.id).cells == (target,)
    assert lattice_places(moved, np.array(moved.placed(walker.figure.id).center_mm)) == pytest.approx(
        np.array(target) + 0.5
    )


def test_a_figure_cannot_be_moved_off_the_board_nor_one_that_is_not_there(scene_of: SceneOf) -> None:
    scene = scene_of(5, "normal")
    walker = next(p for p in scene.figures if len(p.cells) == 1)
    with pytest.raises(BoardError):
        scene.with_figure_moved(walker.figure.id, ((99, 99),), yaw_deg=0.0)
    with pytest.raises(UnknownName):
        scene.placed("nobody")


def test_a_grid_is_reported_with_its_angle_below_a_right_angle(scene_of: SceneOf) -> None:
    for seed, bucket in CASES:
        grid = scene_of(seed, bucket).grid
        assert isinstance(grid, LatticePose)
        assert 0 <= grid.angle_deg < 90


def test_a_tile_of_another_game_beside_the_board_is_not_part_of_the_truth() -> None:
    for seed in range(700, 760):
        scene = random_scene(seed, "hard")
        if any(thing.kind == "foreign tile" for thing in scene.clutter):
            break
    assert any(thing.kind == "foreign tile" for thing in scene.clutter)
    assert len(truth_document(scene)["tiles"]) == len(scene.tiles)
    assert {tile.id for tile in scene.tiles} <= scene.printed.tile_set.side_by_id.keys()
