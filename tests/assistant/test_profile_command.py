"""``sightline profile``: a whole set-up saved by name, listed, and tried on a photo."""

from __future__ import annotations

import json

import pytest

from assistant.cli import run
from assistant.errors import MissingField
from assistant.profiles import Profiles


@pytest.fixture
def kept(tmp_path, dev_scenes):
    """The documents of a development scene, kept under names."""
    folder, profiles = dev_scenes / "easy-03", Profiles(tmp_path)
    profiles.keep("table", "club", (folder / "table.json").read_bytes())
    profiles.keep("camera", "webcam", (folder / "camera.json").read_bytes())
    profiles.keep("roster", "marines", (folder / "roster.json").read_bytes())
    profiles.keep_tiles("dev", dev_scenes.parent / "tiles-dev")
    return tmp_path


NAMED = ["--table", "club", "--lens", "webcam", "--tiles", "dev", "--roster", "marines", "--camera", "usb:0"]


def test_a_set_up_is_kept_listed_and_shown(kept, capsys):
    data = ["--data", str(kept)]

    assert run(["profile", "evening", *NAMED, *data]) == 0
    assert run(["profile", *data]) == 0
    listed = capsys.readouterr().out.splitlines()
    assert listed == ["camera webcam", "table club", "roster marines", "tiles dev", "setup evening"]
    assert run(["profile", "evening", *data]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "format": "sightline.setup/1",
        "source": "usb:0",
        "table": "club",
        "camera": "webcam",
        "tiles": "dev",
        "roster": "marines",
    }


def test_a_kept_set_up_reads_a_photo(kept, dev_scenes, capsys):
    photo = str(dev_scenes / "easy-03" / "photo.jpg")

    assert run(["profile", "evening", *NAMED, "--try", photo, "--data", str(kept)]) == 0
    seen = json.loads(capsys.readouterr().out)
    truth = json.loads((dev_scenes / "easy-03" / "truth.json").read_text())
    assert sorted(tile["id"] for tile in seen["tiles"]) == sorted(tile["id"] for tile in truth["tiles"])


def test_a_set_up_without_a_table_reads_by_its_tiles(kept, dev_scenes, capsys):
    photo = str(dev_scenes / "easy-04" / "photo.jpg")

    assert run(["profile", "bare", "--tiles", "dev", "--try", photo, "--data", str(kept)]) == 0
    seen = json.loads(capsys.readouterr().out)
    truth = json.loads((dev_scenes / "easy-04" / "truth.json").read_text())
    assert sorted(tile["id"] for tile in seen["tiles"]) == sorted(tile["id"] for tile in truth["tiles"])
    assert seen["camera"]["tiles_seen"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["evening", "--table", "absent"], "There is no table named “absent”"),
        (["evening", "--table", "club", "--lens", "absent"], "There is no camera named “absent”"),
        (["evening", "--table", "club", "--camera", "gopro"], "there is no camera “gopro”"),
        (["../up", "--table", "club"], "cannot be a name"),
        (["nothing"], "There is no set-up named “nothing”"),
    ],
)
def test_what_is_not_there_is_named(kept, capsys, arguments, words):
    assert run(["profile", *arguments, "--data", str(kept)]) == 2
    out, told = capsys.readouterr()
    assert out == ""
    assert words in told
    assert len(told.strip().splitlines()) == 1


def test_a_damaged_set_up_is_refused_before_it_is_kept(tmp_path):
    profiles = Profiles(tmp_path)
    with pytest.raises(MissingField, match="source"):
        profiles.keep("setup", "x", b'{"format": "sightline.setup/1", "table": "club"}')

    assert profiles.names("setup") == ()
    assert profiles.newest("setup") is None
