"""Profiles: saved whole or not at all, undone, backed up and restored."""

from __future__ import annotations

import io
import json
import os
import random
import zipfile

import pytest

from assistant import profiles as profiles_module
from assistant.errors import BadValue, DocumentError, InputError, NoBackup, StoreError, UnknownName
from assistant.profiles import BACKUP_FORMAT, KEPT_VERSIONS, MANIFEST, MAX_BACKUP_FILES, Profiles


def camera(focal: float = 1000.0) -> bytes:
    matrix = [[focal, 0.0, 639.5], [0.0, focal, 359.5], [0.0, 0.0, 1.0]]
    return json.dumps(
        {"format": "sightline.camera/1", "width": 1280, "height": 720, "matrix": matrix, "distortion": [0.0] * 5}
    ).encode()


TILE_SET = json.dumps(
    {
        "format": "sightline.tileset/1",
        "cell_mm": 25.4,
        "pixels_per_cell": 64,
        "tiles": [{"id": "A", "image": "A.png", "cells": [[0, 0]], "edges": []}],
    }
).encode()


@pytest.fixture
def profiles(tmp_path):
    return Profiles(tmp_path / "data")


@pytest.fixture
def tile_folder(tmp_path):
    folder = tmp_path / "tiles"
    folder.mkdir()
    (folder / "tileset.json").write_bytes(TILE_SET)
    (folder / "A.png").write_bytes(b"picture")
    (folder / "notes.txt").write_bytes(b"not part of it")
    return folder


def test_what_is_kept_is_read_back(profiles):
    profiles.keep("camera", "Old webcam", camera())

    assert profiles.names("camera") == ("Old webcam",)
    assert profiles.read("camera", "Old webcam") == camera()
    assert profiles.names("table") == ()


def test_an_earlier_version_can_be_taken_back(profiles):
    for focal in (1000.0, 1100.0):
        profiles.keep("camera", "webcam", camera(focal))

    profiles.take_back("camera", "webcam")

    assert profiles.read("camera", "webcam") == camera(1000.0)
    with pytest.raises(UnknownName, match="no earlier version"):
        profiles.take_back("camera", "webcam")


def test_only_a_few_versions_stay(profiles):
    for focal in range(1000, 1010):
        path = profiles.keep("camera", "webcam", camera(focal))

    assert len(list(path.parent.iterdir())) == KEPT_VERSIONS
    assert profiles.read("camera", "webcam") == camera(1009)


def test_an_old_version_that_another_program_removes_meanwhile_stops_nothing(profiles, monkeypatch):
    for focal in range(1000, 1000 + KEPT_VERSIONS):
        path = profiles.keep("camera", "webcam", camera(focal))
    listed = sorted(path.parent.iterdir())
    monkeypatch.setattr(profiles_module, "_list_versions", lambda _: listed)
    listed[0].unlink()

    profiles.keep("camera", "webcam", camera(2000.0))

    assert profiles.names("camera") == ("webcam",)
    monkeypatch.undo()
    assert profiles.read("camera", "webcam") == camera(2000.0)


def test_a_broken_document_changes_nothing(profiles):
    profiles.keep("camera", "webcam", camera())

    with pytest.raises(DocumentError):
        profiles.keep("camera", "webcam", b'{"format": "sightline.camera/1"}')

    assert profiles.read("camera", "webcam") == camera()


def test_a_write_that_fails_leaves_the_version_before(profiles, tile_folder):
    profiles.keep_tiles("game", tile_folder)
    (tile_folder / "A.png").unlink()

    with pytest.raises(StoreError, match=r"A\.png"):
        profiles.keep_tiles("game", tile_folder)

    path = profiles.path("tiles", "game")
    assert sorted(file.name for file in path.iterdir()) == ["A.png", "tileset.json"]
    assert len(list(path.parent.iterdir())) == 1


def test_an_impossible_data_folder_is_reported(tmp_path):
    (tmp_path / "data").write_bytes(b"a file where the folder should be")

    with pytest.raises(StoreError, match="Check the data folder"):
        Profiles(tmp_path / "data").keep("camera", "webcam", camera())


@pytest.mark.parametrize(
    "name", ["", "..", "a/b", "a\\b", ".hidden", "x" * 65, "a\nb", "C:", "CON", "nul.txt", "a ", "a."]
)
def test_names_that_would_leave_the_folder_are_refused(profiles, name):
    with pytest.raises(BadValue, match="cannot be a name"):
        profiles.keep("camera", name, camera())


def test_an_unknown_name_lists_the_known_ones(profiles):
    profiles.keep("camera", "webcam", camera())

    with pytest.raises(UnknownName, match="There are: webcam"):
        profiles.read("camera", "phone")


def test_a_backup_restores_everything_elsewhere(profiles, tile_folder, tmp_path):
    profiles.keep("camera", "webcam", camera())
    profiles.keep_tiles("Spiel 1", tile_folder)
    other = Profiles(tmp_path / "other")
    other.keep("camera", "webcam", camera(500.0))
    other.keep("camera", "phone", camera(700.0))

    restored = other.restore(profiles.backup())

    assert restored == (("camera", "webcam"), ("tiles", "Spiel 1"))
    assert other.read("camera", "webcam") == camera()
    assert other.read("camera", "phone") == camera(700.0)
    assert (other.path("tiles", "Spiel 1") / "A.png").read_bytes() == b"picture"
    other.take_back("camera", "webcam")
    assert other.read("camera", "webcam") == camera(500.0)


def archive(**files: bytes) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as zipped:
        for name, content in files.items():
            zipped.writestr(name, content)
    return target.getvalue()


OURS = {MANIFEST: json.dumps({"format": BACKUP_FORMAT}).encode()}


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"PK\x03\x04 not really",
        archive(),
        archive(**{MANIFEST: b'{"format": "sightline.backup/9"}'}),
        archive(**{MANIFEST: b"[1]"}),
        archive(**OURS, **{"camera/../../evil.json": b"{}"}),
        archive(**OURS, **{"../evil": b"x"}),
        archive(**OURS, **{"/etc/evil": b"x"}),
        archive(**OURS, **{"tiles/game/../../x": b"x"}),
        archive(**OURS, **{"tiles/game/A.png": b"no document"}),
    ],
    ids=["empty", "no zip", "no manifest", "newer", "list", "up", "out", "absolute", "up in tiles", "no tile set"],
)
def test_what_is_no_backup_is_refused(profiles, data):
    with pytest.raises(BadValue, match="backup"):
        profiles.restore(data)
    assert profiles.names("camera") == profiles.names("tiles") == ()


@pytest.mark.parametrize(
    "entries",
    [
        {f"camera/c{number}.json": b"" for number in range(MAX_BACKUP_FILES + 1)},
        {f"tiles/t/{number}.png": bytes(12 << 20) for number in range(4)},
    ],
    ids=["too many files", "packed beyond belief"],
)
def test_a_backup_made_to_fill_the_memory_is_refused_before_it_is_unpacked(profiles, monkeypatch, entries):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in entries.items():
            archive.writestr(name, content)
    unpacked: list[str] = []
    monkeypatch.setattr(zipfile.ZipFile, "read", lambda _self, entry: unpacked.append(entry))

    with pytest.raises(NoBackup, match="far too large"):
        profiles.restore(packed.getvalue())
    assert unpacked == []


@pytest.mark.skipif(os.name == "nt", reason="Windows tells rights otherwise")
def test_profiles_are_for_the_users_own_eyes(profiles):
    profiles.keep("camera", "hall", camera())
    assert profiles.path("camera", "hall").stat().st_mode & 0o077 == 0


def test_a_backup_with_one_broken_document_changes_nothing(profiles):
    data = archive(**OURS, **{"camera/a.json": camera(), "table/b.json": b"{}"})

    with pytest.raises(DocumentError):
        profiles.restore(data)

    assert profiles.names("camera") == ()


def test_a_backup_that_lacks_a_picture_changes_nothing(profiles):
    data = archive(**OURS, **{"camera/a.json": camera(), "tiles/game/tileset.json": TILE_SET})

    with pytest.raises(BadValue, match=r"lacks the picture “A\.png”"):
        profiles.restore(data)

    assert profiles.names("camera") == profiles.names("tiles") == ()


def test_a_backup_of_the_first_version_stays_readable(profiles, tmp_path):
    """The file is from the first day. Later versions of the format must still read it."""
    first = {
        "backup.json": b'{"format":"sightline.backup/1"}',
        "camera/webcam.json": camera(),
        "tiles/Game 1/tileset.json": TILE_SET,
        "tiles/Game 1/A.png": b"picture",
    }

    assert profiles.restore(archive(**first)) == (("camera", "webcam"), ("tiles", "Game 1"))
    assert profiles.read("camera", "webcam") == camera()


def test_whatever_is_spoiled_in_a_backup_nothing_falls_over(profiles, tile_folder, tmp_path):
    """A spoiled directory of the zip made the reading seek to before its beginning."""
    profiles.keep("camera", "webcam", camera())
    profiles.keep_tiles("Game 1", tile_folder)
    whole = profiles.backup()
    rng = random.Random(1)
    for number in range(300):
        data = bytearray(whole[: rng.randrange(len(whole))] if number % 3 == 0 else whole)
        for _ in range(rng.choice((1, 1, 2, 6)) if data else 0):
            data[rng.randrange(len(data))] = rng.randrange(256)
        other = Profiles(tmp_path / str(number))
        try:
            other.restore(bytes(data))
        except InputError:
            assert other.names("camera") == other.names("tiles") == ()


def test_a_directory_that_points_before_the_file_is_reported(profiles):
    profiles.keep("camera", "webcam", camera())
    data = bytearray(profiles.backup())
    end = data.rindex(b"PK\x05\x06")
    data[end + 16 : end + 20] = (0x7FFFFFFF).to_bytes(4, "little")  # where the directory begins

    with pytest.raises(BadValue, match="damaged"):
        profiles.restore(bytes(data))


def test_a_damaged_backup_is_refused(profiles):
    profiles.keep("camera", "webcam", camera())
    data = bytearray(profiles.backup())
    data[60:90] = bytes(30)

    with pytest.raises(BadValue, match="damaged"):
        profiles.restore(bytes(data))
