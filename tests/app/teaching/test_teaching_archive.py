"""Tile sets as zips: a round trip changes nothing, and nothing faulty comes in."""

from __future__ import annotations

import io
import stat
import zipfile

import cv2
import numpy as np
import pytest
from zip_files import zipped

from assistant.app.teaching.library import TaughtGames
from assistant.documents import tile_set_document, tile_set_from_json, to_json
from assistant.errors import InputError
from assistant.table.lattice import Edge
from assistant.table.tiles import TileSet, TileSide
from vision.teaching import tile_sets
from vision.teaching.tile_sets import TaughtSide, lay_out, with_sides

SIDE = TileSide("07A", "07A.png", frozenset({(0, 0), (1, 0)}), {Edge((1, 0), (1, 1)): "wall"}, frozenset({(1, 0)}))
SET = TileSet("home", 25.4, 64, 2.0, (SIDE,))
DOCUMENT = to_json(tile_set_document(SET)).encode()


def png(width: int = 128, height: int = 64) -> bytes:
    _, data = cv2.imencode(".png", np.full((height, width, 3), 90, np.uint8))
    return bytes(data)


@pytest.fixture
def games(tmp_path):
    return TaughtGames(tmp_path)


def test_what_is_exported_is_imported_the_same(games, tmp_path):
    games.imported(None, zipped({"tileset.json": DOCUMENT, "07A.png": png()}))
    data = games.exported("home")
    other = TaughtGames(tmp_path / "other")
    name, tile_set = other.imported("theirs", data)

    assert (name, tile_set) == ("theirs", SET)
    assert other.exported("theirs") == data
    assert other.tile_set("theirs") == SET


FAULTS = {
    "no zip": (b"something else", "not a zip file"),
    "cut short": (zipped({"tileset.json": DOCUMENT, "07A.png": png()})[:-60], "not a zip file"),
    "no document": (zipped({"07A.png": png()}), "holds no tileset.json"),
    "no picture": (zipped({"tileset.json": DOCUMENT}), "lacks the picture"),
    "stray file": (zipped({"tileset.json": DOCUMENT, "07A.png": png(), "x.png": png()}), "does not name"),
    "path upwards": (zipped({"tileset.json": DOCUMENT, "../07A.png": png()}), "cannot be in a tile set"),
    "absolute path": (zipped({"/tmp/07A.png": png(), "tileset.json": DOCUMENT}), "cannot be in a tile set"),
    "backslash": (zipped({"..\\07A.png": png(), "tileset.json": DOCUMENT}), "cannot be in a tile set"),
    "folder": (zipped({"a/tileset.json": DOCUMENT}), "cannot be in a tile set"),
    "program": (zipped({"tileset.json": DOCUMENT, "run.exe": b"MZ"}), "cannot be in a tile set"),
    "two of a name": (zipped({"tileset.json": DOCUMENT, "07A.png": png(), "07a.PNG": png()}), "two files of one name"),
    "wrong size": (zipped({"tileset.json": DOCUMENT, "07A.png": png(64, 64)}), "its cells need 128x64"),
    "no PNG": (zipped({"tileset.json": DOCUMENT, "07A.png": b"\xff\xd8\xff"}), "is not a PNG"),
    "cut picture": (zipped({"tileset.json": DOCUMENT, "07A.png": png()[:80]}), "07A.png"),
    "broken document": (zipped({"tileset.json": b"{", "07A.png": png()}), "not valid JSON"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_faulty_zip_is_refused_in_one_sentence_and_nothing_is_kept(games, fault):
    data, sentence = FAULTS[fault]

    with pytest.raises(InputError, match=sentence) as refused:
        games.imported(None, data)

    assert "\n" not in str(refused.value)
    assert games.profiles.names("tiles") == ()


def test_a_link_in_a_zip_is_refused(games):
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as made:
        link = zipfile.ZipInfo("07A.png")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        made.writestr(link, "/etc/passwd")
        made.writestr("tileset.json", DOCUMENT)

    with pytest.raises(InputError, match="is a link"):
        games.imported(None, target.getvalue())


def test_limits_are_checked_before_anything_is_unpacked(games, monkeypatch):
    many = zipped({f"{i}.png": b"" for i in range(tile_sets.MAX_FILES + 1)})
    with pytest.raises(InputError, match="401 files"):
        games.imported(None, many)

    monkeypatch.setattr(tile_sets, "MAX_PICTURE_BYTES", 100)
    with pytest.raises(InputError, match=r"“\w+.\w+” in the zip has over"):
        games.imported(None, zipped({"tileset.json": DOCUMENT, "07A.png": png()}))


def test_a_set_whose_pictures_would_fill_the_memory_is_refused(games):
    huge = to_json(
        {
            "format": "sightline.tileset/1", "name": "huge", "cell_mm": 25.4, "pixels_per_cell": 1024,
            "tiles": [{"id": "A", "image": "A.png", "cells": [[0, 0], [30, 30]], "edges": []}],
        }
    ).encode()  # fmt: skip

    with pytest.raises(InputError, match="megapixels"):
        games.imported(None, zipped({"tileset.json": huge, "A.png": png()}))


def test_a_faulty_import_leaves_the_set_before(games):
    games.imported(None, zipped({"tileset.json": DOCUMENT, "07A.png": png()}))
    with pytest.raises(InputError):
        games.imported(None, zipped({"tileset.json": DOCUMENT, "07A.png": png(64, 64)}))

    assert games.tile_set("home") == SET


def test_two_names_that_lead_to_one_picture_are_refused():
    image = np.zeros((64, 128, 3), np.uint8)
    other = TaughtSide(TileSide("07a", "07a.png", SIDE.cells), image)

    with pytest.raises(InputError, match="too like another"):
        with_sides(SET, [other])


def test_taught_pictures_are_transparent_outside_the_cells():
    corner = TileSide("L", "L.png", frozenset({(0, 0), (0, 1), (1, 1)}))
    taught = TaughtSide(corner, np.full((128, 128, 3), 200, np.uint8))
    tile_set = with_sides(TileSet("home", 25.4, 64, 2.0, ()), [taught])

    def look(folder):
        assert tile_set_from_json((folder / "tileset.json").read_bytes()) == tile_set
        return cv2.imread(str(folder / "L.png"), cv2.IMREAD_UNCHANGED)

    image = lay_out(tile_set, [taught], None, look)
    assert image[:64, 64:, 3].max() == 0
    assert image[64:, :, 3].min() == 255
    assert image[:64, 64:, :3].max() == 0
