"""Tile sets made from a seed agree with their document."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from assistant.documents import tile_set_from_json
from assistant.table.lattice import Edge
from vision.simulation.dataset import write_tiles
from vision.simulation.decals import DECALS, Spot
from vision.simulation.figures import BodyLook, base_mesh, figure_mesh
from vision.simulation.floors import FLOORS, Sheet
from vision.simulation.game_setup import random_roster
from vision.simulation.table_tops import TABLE_TOPS
from vision.simulation.tile_art import CELL_MM, PrintedTiles, random_tiles
from vision.simulation.tile_shapes import border, list_inner_edges


@pytest.fixture(scope="module")
def printed() -> PrintedTiles:
    return random_tiles(np.random.default_rng(4), "test")


def test_the_same_seed_prints_the_same_tiles(printed: PrintedTiles) -> None:
    again = random_tiles(np.random.default_rng(4), "test")
    assert again.tile_set == printed.tile_set
    assert all(np.array_equal(again.images[name], image) for name, image in printed.images.items())
    assert np.array_equal(again.door.face, printed.door.face)


def test_another_seed_prints_other_tiles(printed: PrintedTiles) -> None:
    other = random_tiles(np.random.default_rng(5), "test")
    assert other.tile_set != printed.tile_set


def test_a_written_set_is_read_back_the_same(printed: PrintedTiles, tmp_path: Path) -> None:
    write_tiles(tmp_path, printed)
    assert tile_set_from_json((tmp_path / "tileset.json").read_bytes()) == printed.tile_set
    for side in printed.tile_set.sides:
        image = cv2.imread(str(tmp_path / side.image), cv2.IMREAD_UNCHANGED)
        assert np.array_equal(image, printed.images[side.id])
    door = cv2.imread(str(tmp_path / "door.png"))
    assert door.shape[0] / door.shape[1] == pytest.approx(30 / CELL_MM, abs=0.01)


def test_pictures_span_the_bounding_box_and_are_clear_outside_the_cells(printed: PrintedTiles) -> None:
    step = printed.tile_set.pixels_per_cell
    assert 48 <= step <= 96
    assert 8 <= len(printed.tile_set.sides) <= 12
    for side in printed.tile_set.sides:
        left, top, columns, rows = side.bounds
        alpha = printed.images[side.id][..., 3]
        assert alpha.shape == (rows * step, columns * step)
        for column in range(columns):
            for row in range(rows):
                part = alpha[row * step : (row + 1) * step, column * step : (column + 1) * step]
                assert (part == (255 if (column + left, row + top) in side.cells else 0)).all()


@pytest.mark.parametrize("seed", range(6))
def test_printed_lines_touch_cells_and_look_as_their_kinds_do(seed: int) -> None:
    printed = random_tiles(np.random.default_rng([seed, 1]), "test")
    step = printed.tile_set.pixels_per_cell
    for side in printed.tile_set.sides:
        edges_of_cells = set(border(side.cells)) | set(list_inner_edges(side.cells))
        assert set(side.edges) <= edges_of_cells
        assert side.difficult <= side.cells
        for edge in side.edges:
            if side.edges[edge] != "impassable" and edge in list_inner_edges(side.cells):
                color = _color_at_middle(printed.images[side.id], edge, side.bounds[:2], step)
                dark = color.max() < 60
                red = int(color[2]) > int(color[0]) + 60 and int(color[2]) > int(color[1]) + 60
                assert dark if side.edges[edge] == "wall" else red


def _color_at_middle(image: np.ndarray, edge: Edge, first: tuple[int, int], step: int) -> np.ndarray:
    x, y = ((np.array(edge, float).mean(0) - first) * step).astype(int)
    return image[y, x, :3]


@pytest.mark.parametrize("name", FLOORS)
def test_every_floor_fills_its_sheet(name: str) -> None:
    floor = FLOORS[name](np.random.default_rng(3), Sheet(3, 2, 48), (0.9, 1.0, 1.1))
    assert floor.shape == (96, 144, 3)
    assert np.isfinite(floor).all()
    assert floor.std() > 0.005


@pytest.mark.parametrize("name", DECALS)
def test_every_decal_draws_round_its_spot_only(name: str) -> None:
    picture = np.full((200, 200, 3), 0.5, np.float32)
    DECALS[name](np.random.default_rng(8), picture, Spot((60.0, 60.0), 50.0, 30.0))
    changed = np.abs(picture - 0.5).max(-1) > 0.02
    assert changed.any()
    assert not changed[150:, 150:].any()


@pytest.mark.parametrize("name", TABLE_TOPS)
def test_every_table_top_is_a_share_of_the_light_and_has_no_hole(name: str) -> None:
    image = TABLE_TOPS[name](np.random.default_rng(2))
    assert image.shape == (1024, 1024, 3)
    assert image.min() > 0
    assert image.max() <= 1.0


def test_rosters_hold_rings_sizes_and_large_bases_as_the_format_asks() -> None:
    kinds_without_ring, large = 0, 0
    for seed in range(14):
        roster, looks = random_roster(np.random.default_rng(seed))
        rings = {figure.kind: figure.ring for figure in roster.figures}
        kinds_without_ring += sum(ring is None for ring in rings.values())
        assert sum(ring is None for ring in rings.values()) <= 1
        assert len({f.id for f in roster.figures}) == len(roster.figures)
        assert looks.keys() == rings.keys()
        for figure in {f.kind: f for f in roster.figures}.values():
            large += figure.base_shape == "rectangle"
            extent = np.ptp(base_mesh(figure, looks[figure.kind]).vertices, axis=0)
            assert extent == pytest.approx([*figure.base_size_mm, 3.0], abs=0.2)
            room = np.array(figure.size) * CELL_MM
            assert (np.array(figure.base_size_mm) <= room).all()
    assert kinds_without_ring > 1
    assert large > 4


def test_paint_changes_the_colors_of_a_body_and_not_its_shape_or_ring() -> None:
    roster, _ = random_roster(np.random.default_rng(1))
    plain = BodyLook("humanoid", (0.2, 0.2, 0.2), 5)
    painted = plain._replace(paints=((0.5, 0.1, 0.1), (0.1, 0.5, 0.1)))
    before, after = (figure_mesh(roster.figures[0], look, 3) for look in (plain, painted))
    assert np.array_equal(before.vertices, after.vertices)
    base_vertices = len(base_mesh(roster.figures[0], plain).vertices)
    assert np.array_equal(before.colors_bgr[:base_vertices], after.colors_bgr[:base_vertices])
    body = after.colors_bgr[base_vertices:]
    assert (body[:, 0] > 3 * body[:, 1]).any()
    assert (body[:, 1] > 3 * body[:, 0]).any()
