"""What stands on the board: doors, bases with rings, and patches in which it leans one way."""

from __future__ import annotations

import numpy as np
import pytest

from assistant.table.lattice import Edge, inner_edges
from assistant.table.roster import DoorSpec
from vision.bases import BaseShape, Stand, stands
from vision.board_view import BoardView, from_linear, to_linear
from vision.doors import find_doors
from vision.figures import find_figures
from vision.network import chances
from vision.patches import BASE_FRAME, CHANNELS, DOOR_FRAME, base_patches, door_patches
from vision.ring_colors import ring_likelihood
from vision.simulation.scene import Scene
from vision.training.samples import crowded_scene, rendered_board, samples_of

SEEDS = (800_001, 800_002, 800_003)
"""Tables that no network was trained on."""


@pytest.fixture(scope="module")
def tables() -> list[tuple[Scene, BoardView]]:
    """Three simulated tables of the three buckets, with print and photo of their boards."""
    made = []
    for seed in SEEDS:
        rng = np.random.default_rng([seed, 77])
        scene = crowded_scene(seed, ("easy", "normal", "hard")[seed % 3], rng)
        made.append((scene, rendered_board(scene, rng)))
    return made


def test_most_doors_are_found_and_few_are_invented(tables: list[tuple[Scene, BoardView]]) -> None:
    right = standing = found = 0
    for scene, board in tables:
        seen = {door.edge for door in find_doors(board, scene.roster.doors)}
        true = {door.edge for door in scene.doors}
        right, standing, found = right + len(seen & true), standing + len(true), found + len(seen)
    assert right >= 0.6 * standing
    assert right >= 0.7 * found


def test_no_more_doors_are_reported_than_the_box_holds(tables: list[tuple[Scene, BoardView]]) -> None:
    _, board = max(tables, key=lambda table: len(table[0].doors))
    few = DoorSpec(1, 1, 30.0, 2.0)
    assert len(find_doors(board, few)) <= 1
    assert find_doors(board, DoorSpec(0, 1, 30.0, 2.0)) == []


def test_figures_with_rings_are_found_with_their_kind(tables: list[tuple[Scene, BoardView]]) -> None:
    right = standing = 0
    for scene, board in tables:
        seen = {figure.cells: figure.model for figure in find_figures(board, scene.roster)}
        for placed in scene.figures:
            if placed.figure.ring is not None:
                model = seen.get(tuple(sorted(placed.cells)))
                standing += 1
                right += model is not None and model.kind == placed.figure.kind
    assert right >= 0.7 * standing


def test_no_two_figures_share_a_cell(tables: list[tuple[Scene, BoardView]]) -> None:
    for scene, board in tables:
        cells = [cell for figure in find_figures(board, scene.roster) for cell in figure.cells]
        assert len(cells) == len(set(cells))


def test_what_stands_leans_to_the_right_and_up_in_every_patch(tables: list[tuple[Scene, BoardView]]) -> None:
    for _, board in tables:
        edges = inner_edges(board.cells)[:12]
        patches = door_patches(board, edges, 30.0, 2.0)
        assert patches.shape == (len(edges), CHANNELS, *DOOR_FRAME.size_wh[::-1])
        rows, columns = np.mgrid[0 : patches.shape[2], 0 : patches.shape[3]]
        outlines = patches[:, 7]
        weight = outlines.sum(axis=(1, 2))
        assert (((outlines * columns).sum(axis=(1, 2)) / weight) >= DOOR_FRAME.foot_px[0] - 1).all()
        assert (((outlines * rows).sum(axis=(1, 2)) / weight) <= DOOR_FRAME.foot_px[1] + 1).all()
        cells = sorted(board.cells)[:5]
        assert base_patches(board, cells).shape == (len(cells), CHANNELS, *BASE_FRAME.size_wh[::-1])


def test_samples_of_a_seed_are_always_the_same() -> None:
    first, again = samples_of(800_011), samples_of(800_011)
    assert np.array_equal(first.door_patches, again.door_patches)
    assert first.door_labels.sum() >= 1
    assert len(first.base_labels) == len(first.base_patches)


def test_no_patches_give_no_chances() -> None:
    assert chances("doors", np.zeros((0, CHANNELS, 66, 84), dtype=np.float32)).shape == (0, 2)
    assert chances("bases", np.zeros((0, CHANNELS, 64, 64), dtype=np.float32)).shape == (0, 3)


def test_chances_add_up_to_one() -> None:
    rng = np.random.default_rng(1)
    rows = chances("doors", rng.random((3, CHANNELS, 66, 84), dtype=np.float32))
    assert rows.sum(axis=1) == pytest.approx(1.0, abs=1e-5)


def test_a_ring_is_known_in_shade_and_mixed_with_grey() -> None:
    colors = ("#1b9e3a", "#e07a1f", "#2563c9")
    for index, bgr in enumerate(((58, 158, 27), (31, 122, 224), (201, 99, 37))):
        pure = to_linear(np.array([[bgr]], dtype=np.uint8))
        for shade in (0.3, 0.6, 1.0):
            mixed = from_linear(shade * (0.7 * pure + 0.3 * 0.2))
            assert int(ring_likelihood(mixed, colors)[0, 0].argmax()) == index


def test_grey_is_no_coloured_ring() -> None:
    grey = np.full((1, 1, 3), 120, dtype=np.uint8)
    assert ring_likelihood(grey, ("#1b9e3a", "#e07a1f")).max() < 0.1


def test_a_base_stands_only_where_all_its_cells_are() -> None:
    shape = BaseShape(False, (47.4, 22.0), (2, 1))
    cells = frozenset({(0, 0), (1, 0), (1, 1)})
    assert list(stands(shape, cells)) == [Stand(shape, (0, 0))]
    assert Stand(shape, (0, 0)).cells == ((0, 0), (1, 0))


def test_inner_edges_part_two_cells_of_the_board() -> None:
    assert inner_edges(frozenset({(0, 0), (1, 0), (5, 5)})) == [Edge((1, 0), (1, 1))]
