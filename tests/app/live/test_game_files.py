"""The data that pictures are read with, and their size on the page."""

from __future__ import annotations

import json

import numpy as np
import pytest

from assistant.app.live.game_files import GameFiles, game_from_files
from assistant.app.live.reader import GameReader, encode_for_page
from assistant.app.setup.sample import sample_game
from assistant.table.camera import NO_MARKERS
from vision.photo.decoding import decode_photo


@pytest.fixture(scope="module")
def sample():
    return sample_game()


def test_a_large_photo_is_shown_smaller_but_measured_in_its_own_pixels():
    picture = encode_for_page(np.zeros((3000, 4000, 3), np.uint8))

    assert (picture.width_px, picture.height_px) == (4000, 3000)
    assert decode_photo(picture.jpeg).shape == (1536, 2048, 3)


def test_named_documents_take_the_place_of_the_samples(sample, dev_scenes):
    folder = dev_scenes / "easy-03"
    game = game_from_files(GameFiles(table=folder / "table.json", roster=folder / "roster.json"), sample)

    assert {marker.id for marker in game.markers.markers} == {112, 15, 131, 77}
    assert game.lens is None  # another table without a camera file: the lens is estimated
    assert game.prints is sample.prints
    assert game.sources["roster"].endswith("roster.json")
    assert game_from_files(GameFiles(), sample) is sample


def test_tiles_without_a_table_are_read_by_their_own_prints(sample, dev_scenes):
    game = game_from_files(GameFiles(tiles=dev_scenes.parent / "tiles-dev"), sample)

    assert game.markers is NO_MARKERS
    assert game.lens is None
    assert game.sources["table"] == "—"
    folder = dev_scenes / "easy-04"
    named = GameFiles(tiles=dev_scenes.parent / "tiles-dev", roster=folder / "roster.json")
    read = GameReader(game_from_files(named, sample)).read((folder / "photo.jpg").read_bytes())
    truth = json.loads((folder / "truth.json").read_text(encoding="utf-8"))
    assert sorted(tile.id for tile in read.observation.tiles) == sorted(tile["id"] for tile in truth["tiles"])
