"""Tiles laid by hand: off any one lattice by millimetres and degrees, and still read."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from assistant import documents
from vision.photo.decoding import decode_photo
from vision.photo.rectify import Bend, PlaneFrame, bend_of
from vision.reading import Reading, TableReader
from vision.simulation.compose import random_scene
from vision.simulation.dataset import write_scene
from vision.simulation.scene import Scene
from vision.tiles.keypoints import find_keypoints
from vision.tiles.lattice_fit import Lattice
from vision.tiles.placements import lattice_frame
from vision.tiles.prints import load_prints


def laid_by_hand(scene: Scene, seed: int) -> Scene:
    """Return the scene with its tiles up to 1.5 mm each way and 1.5 degrees off, and 2 % apart."""
    rng = np.random.default_rng(seed)
    middle = np.mean([tile.shift for tile in scene.tiles], axis=0)
    tiles = []
    for tile in scene.tiles:
        x, y, turn = rng.uniform(-1, 1, 3)
        apart = (np.array(tile.shift) - middle) * 0.02 * scene.grid.cell_mm
        axes = np.array(
            [[math.cos(a), math.sin(a)] for a in np.radians([scene.grid.angle_deg, scene.grid.angle_deg + 90])]
        )
        off = apart @ axes + 1.5 * np.array([x, y])
        tiles.append(replace(tile, misfit_mm=(float(off[0]), float(off[1])), misfit_deg=float(1.5 * turn)))
    return replace(scene, tiles=tuple(tiles))


@pytest.fixture(scope="module")
def loose(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, Any], Reading]:
    """The truth of a table laid by hand, and its reading."""
    base: Path = tmp_path_factory.mktemp("loose")
    write_scene(base, laid_by_hand(random_scene(34, "normal", name="table"), 8))
    folder = base / "table"
    reader = TableReader(
        load_prints(folder / "tiles"),
        documents.roster_from_json((folder / "roster.json").read_bytes()),
        documents.table_from_json((folder / "table.json").read_bytes()),
        documents.camera_from_json((folder / "camera.json").read_bytes()),
    )
    reading = reader.read(decode_photo((folder / "photo.jpg").read_bytes()))
    return json.loads((folder / "truth.json").read_text()), reading


def test_every_tile_laid_by_hand_is_found_where_it_lies(loose: tuple[dict[str, Any], Reading]) -> None:
    truth, reading = loose
    seen = {tile.id: tile for tile in reading.observation.tiles}
    assert set(seen) == {tile["id"] for tile in truth["tiles"]}
    for tile in truth["tiles"]:
        assert math.dist(seen[tile["id"]].center_mm, tile["center_mm"]) < 0.5
        assert abs((seen[tile["id"]].rotation_deg - tile["rotation_deg"] + 180) % 360 - 180) < 0.5


def test_the_cells_of_a_tile_are_looked_at_where_it_lies(loose: tuple[dict[str, Any], Reading]) -> None:
    truth, reading = loose
    lattice, true_mm = reading.seen.board.lattice, {tile["id"]: tile["center_mm"] for tile in truth["tiles"]}
    assert lattice.bend is not None
    off_mm: dict[str, list[float]] = {"bent": [], "even": []}
    for tile in reading.observation.tiles:
        points = lattice.lattice_from_table(np.array([tile.center_mm]))
        middle = np.round(points * 2) / 2
        for name, of in (("bent", lattice), ("even", lattice.even)):
            off_mm[name].append(math.dist(of.table_from_lattice(middle)[0], true_mm[tile.id]))
    assert max(off_mm["bent"]) < 0.6
    assert max(off_mm["even"]) > 1.0


def test_the_grid_that_is_reported_is_an_even_one(loose: tuple[dict[str, Any], Reading]) -> None:
    _, reading = loose
    board, grid = reading.seen.board, reading.observation.grid
    assert grid.cell_mm == board.lattice.cell_mm
    assert grid.cell_mm / 25.4 == pytest.approx(1.02, abs=0.02)


def test_a_bent_lattice_and_the_table_are_inverse() -> None:
    rng = np.random.default_rng(1)
    known = [((column, row), rng.uniform(-2, 2, 2)) for column in range(4) for row in range(5)]
    lattice = Lattice((10.0, 20.0), 61.0, 25.4, bend_of(known))
    points = rng.uniform(-12, 15, (200, 2))
    assert lattice.lattice_from_table(lattice.table_from_lattice(points)) == pytest.approx(points, abs=1e-3)
    even_mm = lattice.even.table_from_lattice(np.array([[2, 3]]))
    offset_mm = dict(known)[2, 3]
    assert lattice.table_from_lattice(np.array([[2, 3]])) == pytest.approx(even_mm + offset_mm, abs=1e-4)
    # Far from all known tiles, the lattice shift is their common one.
    assert np.abs(lattice.table_from_lattice(points) - lattice.even.table_from_lattice(points)).max() < 3.0


def test_a_bent_lattice_with_another_origin_is_the_same() -> None:
    lattice = Lattice(
        (10.0, 20.0), 61.0, 25.4, bend_of([((0, 0), np.array([1.0, 2.0])), ((1, 0), np.array([0.0, -1.0]))])
    )
    points = np.array([[0.0, 0.0], [0.3, 0.2], [4.0, -2.0]])
    moved = lattice.shifted((3, -2))
    assert moved.table_from_lattice(points - [3, -2]) == pytest.approx(lattice.table_from_lattice(points))


def test_a_bent_frame_shows_the_points_of_its_lattice_evenly() -> None:
    lattice = Lattice((10.0, 20.0), 30.0, 25.4, bend_of([((i, i % 3), np.array([i - 2.0, 1.0])) for i in range(5)]))
    frame = lattice_frame(lattice, (-1, -1), (6, 5), 20 / 25.4)
    points = np.array([[0, 0], [1, 1], [4, 1], [2.5, 0.5]])
    pixels = (points + 1) * 20 - 0.5
    assert frame.table_from_frame(pixels) == pytest.approx(lattice.table_from_lattice(points), abs=1e-4)
    assert frame.frame_from_table(lattice.table_from_lattice(points)) == pytest.approx(pixels, abs=0.02)
    part = frame.cut(20, 40, (50, 30))
    assert part.table_from_frame(pixels - [20, 40]) == pytest.approx(frame.table_from_frame(pixels), abs=1e-4)


def test_beyond_its_rim_a_bend_is_that_of_the_rim() -> None:
    bend = Bend((0.0, 0.0), 2.0, np.arange(8, dtype=np.float32).reshape(2, 2, 2))
    assert bend.at(np.array([[-5.0, -5.0], [9.0, 9.0]])) == pytest.approx(np.array([[0, 1], [6, 7]]), abs=0.01)


def test_an_even_frame_is_where_it_was() -> None:
    frame = PlaneFrame((3.0, 4.0), 20.0, 2.0, (10, 10))
    assert frame.cut(2, 1, (3, 3)).table_from_frame(np.array([[0, 0]])) == pytest.approx(
        frame.table_from_frame(np.array([[2, 1]]))
    )


def test_keypoints_of_a_picture_and_of_the_same_turned_over_lie_in_the_same_places() -> None:
    """OpenCV places them a quarter of a pixel off: half a millimetre for a tile that lies the other way round."""
    rng = np.random.default_rng(2)
    dots = rng.integers(0, 255, (30, 30, 3)).astype(np.uint8)
    image = np.asarray(cv2.resize(dots, (300, 300), interpolation=cv2.INTER_CUBIC), dtype=np.uint8)
    found = find_keypoints(image, 1.0).points_mm
    over = 300 - find_keypoints(np.ascontiguousarray(image[::-1, ::-1]), 1.0).points_mm
    off = over[:, None, :] - found[None]
    nearest = off[np.arange(len(over)), (off**2).sum(axis=2).argmin(axis=1)]
    assert len(found) > 100
    assert np.abs(np.median(nearest, axis=0)).max() < 0.1
