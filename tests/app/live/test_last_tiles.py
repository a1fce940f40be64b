"""A crowded photo finds the tiles of the table's last picture, also from another side and after a restart."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

from assistant.app.live.game_files import ReadableGame
from assistant.app.live.last_tiles import LastTiles
from assistant.app.live.reader import GameReader
from assistant.app.live.shots import ReadPicture, Shot
from assistant.errors import NoTiles
from vision.photo.decoding import decode_photo
from vision.reading import TableReader
from vision.simulation.compose import random_scene
from vision.simulation.dataset import take_photo
from vision.tiles.placements import cells_of
from vision.tiles.prints import prints_from_images


@pytest.fixture(scope="module")
def game() -> ReadableGame:
    scene = random_scene(2011, "easy")
    tiles = scene.printed.tile_set
    prints = prints_from_images(tiles, [scene.printed.images[side.id] for side in tiles.sides])
    return ReadableGame("table", scene.markers, scene.view.lens, prints, scene.roster, {})


@pytest.fixture(scope="module")
def photo() -> bytes:
    return take_photo(random_scene(2011, "easy"))[0]


@pytest.fixture(scope="module")
def read(game: ReadableGame, photo: bytes) -> ReadPicture:
    return GameReader(game).read(photo)


@pytest.fixture(scope="module")
def crowded(game: ReadableGame, photo: bytes) -> bytes:
    """The photo with coloured lids on all spaces of each tile but three."""
    image = decode_photo(photo)
    reader = TableReader(game.prints, game.roster, game.markers, game.lens)
    laid = reader.lay_tiles(image, reader.find_view(image))
    for placement in laid.placements:
        for number, (column, row) in enumerate(sorted(cells_of(placement, game.prints))[3:]):
            corners = [(column + x, row + y) for x, y in ((0, 0), (1, 0), (1, 1), (0, 1))]
            pixels = laid.board.view.image_from_table(laid.board.lattice.table_from_lattice(np.array(corners)), 2.0)
            cv2.fillConvexPoly(image, np.rint(pixels).astype(np.int32), (40, 90 + 20 * (number % 5), 160))
    return cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 95])[1].tobytes()


@pytest.fixture(autouse=True)
def no_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the lids leave too few keypoints and slopes to find a tile."""

    def none(*_: object) -> Iterator[object]:
        return iter(())

    monkeypatch.setattr(TableReader, "_find_whole_tiles", lambda *_: None)
    monkeypatch.setattr(TableReader, "_size_of_whole_tiles", lambda *_: None)
    monkeypatch.setattr(TableReader, "_candidates", none)


@pytest.fixture
def shot(game: ReadableGame, read: ReadPicture) -> Shot:
    return Shot("live-1", "live", read, game.setup, 0.0)


def test_a_crowded_photo_after_a_restart_starts_from_the_last_tiles(
    game: ReadableGame, shot: Shot, crowded: bytes, tmp_path: Path
) -> None:
    file = tmp_path / "last-tiles.json"
    with pytest.raises(NoTiles):
        GameReader(game, LastTiles(file)).read(crowded)
    LastTiles(file).keep(shot)
    found = GameReader(game, LastTiles(file)).read(crowded).observation
    assert {tile.id for tile in found.tiles} == {tile.id for tile in shot.read.observation.tiles}


def test_a_crowded_photo_from_another_side_starts_from_the_tiles_of_the_picture(
    game: ReadableGame, read: ReadPicture, crowded: bytes
) -> None:
    joint = GameReader(game).read_side(crowded, read, by_same_camera=True).observation
    assert {tile.id for tile in joint.tiles} == {tile.id for tile in read.observation.tiles}


def test_the_last_tiles_of_another_table_are_not_sought(game: ReadableGame, shot: Shot, tmp_path: Path) -> None:
    file = tmp_path / "last-tiles.json"
    LastTiles(file).keep(shot)
    assert LastTiles(file).of(game)
    assert not LastTiles(file).of(game.without_markers())


def test_a_damaged_file_of_last_tiles_costs_no_photo(game: ReadableGame, tmp_path: Path) -> None:
    file = tmp_path / "last-tiles.json"
    file.write_bytes(b'{"table": "a", "seen": ')
    assert not LastTiles(file).of(game)
