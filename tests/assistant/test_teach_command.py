"""``sightline teach`` and ``sightline tileset`` on the command line."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from assistant.app.teaching.box import NothingFound
from assistant.cli import run
from assistant.cli.teach import _report_differences
from assistant.documents import table_document, tile_set_from_json, to_json
from assistant.profiles import Profiles
from assistant.table.roster import RosterFigure
from tests.vision.teaching.conftest import Shows, shown
from tests.vision.teaching.test_box_pairs import ALL, photo
from vision.simulation.scene import Clutter

SHARP = np.random.default_rng(0).integers(0, 256, (256, 256, 3), np.uint8)


@pytest.fixture
def place(dev_scenes):
    return dev_scenes / "easy-01"


@pytest.fixture
def documents(place):
    return ["--table", str(place / "table.json"), "--camera", str(place / "camera.json")]


def test_a_tile_is_taught_exported_and_imported(place, documents, tmp_path, capsys):
    data = ["--data", str(tmp_path / "data")]
    photo = str(place / "photo.jpg")

    assert run(["teach", "tile", photo, "--id", "07A", "--set", "home", *documents, *data]) == 0
    printed = capsys.readouterr()
    taught = tile_set_from_json(printed.out.encode())
    assert [side.id for side in taught.sides] == ["07A"]
    assert "reading" in printed.err
    assert "cells" in printed.err
    kept = tile_set_from_json(Profiles(tmp_path / "data").read("tiles", "home"))
    assert kept.sides == taught.sides

    again = ["teach", "tile", photo, "--id", "07A", "--set", "home", *documents, *data]
    assert run(again) == 2
    assert "07A: already in the tile set" in capsys.readouterr().err
    assert run([*again, "--replace"]) == 0
    capsys.readouterr()

    zipped = str(tmp_path / "home.zip")
    assert run(["tileset", "export", "home", zipped, *data]) == 0
    assert run(["tileset", "import", zipped, "--name", "copy", *data]) == 0
    capsys.readouterr()
    assert run(["tileset", "list", *data]) == 0
    assert capsys.readouterr().out == "copy\t1\nhome\t1\n"


def test_a_box_is_read_on_where_one_photo_cuts_a_tile_off(monkeypatch, tmp_path, capsys):
    whole = photo(*ALL)
    read = iter([replace(whole, tiles=tuple(replace(tile, is_cut=True) for tile in whole.tiles)), whole])
    monkeypatch.setattr("assistant.app.teaching.box._read_photo", lambda photo, cell_mm: next(read))
    photos = [str(tmp_path / name) for name in ("1.png", "2.png")]
    for name in photos:
        cv2.imwrite(name, SHARP)
    assert run(["teach", "box", *photos, "--set", "home", "--data", str(tmp_path / "data")]) == 0
    printed = capsys.readouterr()
    assert printed.err.count("cuts a tile off") == 1
    assert "home: 3 tile sides" in printed.out


@pytest.mark.parametrize("lesson", ["tile", "box"])
def test_a_damaged_photo_is_named_before_the_others_are_read(documents, tmp_path, capsys, lesson):
    good, bad = str(tmp_path / "good.png"), str(tmp_path / "bad.png")
    cv2.imwrite(good, SHARP)
    cv2.imwrite(bad, SHARP[:1])
    given = {"tile": ["--id", "A", *documents], "box": ["--set", "home"]}[lesson]
    assert run(["teach", lesson, good, bad, *given, "--data", str(tmp_path)]) == 2
    printed = capsys.readouterr().err
    assert "reading" not in printed
    assert f"{bad}: This file cannot be read as a photo (256x1 pixels" in printed


def test_a_photo_of_a_box_that_shows_no_tile_is_named(monkeypatch, tmp_path, capsys):
    def shows_nothing(photo, cell_mm):
        raise NothingFound

    monkeypatch.setattr("assistant.app.teaching.box._read_photo", shows_nothing)
    path = str(tmp_path / "1.png")
    cv2.imwrite(path, SHARP)
    assert run(["teach", "box", path, "--set", "home", "--data", str(tmp_path)]) == 1
    assert f"{path}: No tile was found in this photo" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "status", "sentence"),
    [
        (["tileset", "export", "none", "x.zip"], 2, "There is no tile set named"),
        (["tileset", "import", "missing.zip"], 2, "cannot be read"),
        (["teach", "tile", "missing.jpg", "--id", "A", "--table", "t.json"], 2, "cannot be read"),
        (["teach", "figure", "p.jpg", "--kind", "imp"], 2, "--help"),
    ],
)
def test_an_impossible_request_is_refused_in_one_sentence(arguments, status, sentence, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)

    assert run([*arguments, "--data", str(tmp_path)]) == status

    printed = capsys.readouterr()
    assert printed.out == ""
    assert sentence in printed.err
    assert printed.err.count("\n") == 1


def test_a_ring_that_another_kind_has_is_reported(tmp_path, capsys):
    shown = Shows().figure(71, ring="#d13a34")
    cv2.imwrite(str(tmp_path / "photo.png"), shown.photo)
    (tmp_path / "table.json").write_text(to_json(table_document(shown.markers)))
    data = ["--table", str(tmp_path / "table.json"), "--roster", "box", "--data", str(tmp_path / "data")]

    for kind in ("imp", "ghoul"):
        assert run(["teach", "figure", str(tmp_path / "photo.png"), "--kind", kind, "--side", "demons", *data]) == 0
    told = capsys.readouterr().err

    assert "shared with Imp; their looks tell them apart" in told
    assert told.count("shared with") == 1
    assert told.count("The height was not given: 30 mm is assumed.") == 2


@pytest.mark.parametrize("other", ["figure", "door"])
def test_one_of_two_things_in_a_photo_is_never_taught_without_a_word(tmp_path, capsys, other):
    alone = Shows().figure(61, ring="#d13a34")
    (figure,) = alone.scene.figures
    beside_mm = (figure.center_mm[0] - 60.0, figure.center_mm[1] + 10.0)
    if other == "figure":
        both = shown(replace(alone.scene, figures=(figure, replace(figure, center_mm=beside_mm))))
    else:
        both = shown(replace(alone.scene, clutter=(Clutter("door token", beside_mm, 25.0, 3),)))
    for name, one in (("alone", alone), ("both", both)):
        cv2.imwrite(str(tmp_path / f"{name}.png"), one.photo)
    (tmp_path / "table.json").write_text(to_json(table_document(alone.markers)))
    photos = [str(tmp_path / f"{name}.png") for name in ("alone", "both")]
    given = ["--kind", "imp", "--side", "demons", "--table", str(tmp_path / "table.json"), "--data", str(tmp_path)]

    assert run(["teach", "figure", *photos, *given]) == 1
    printed = capsys.readouterr()
    assert printed.out == ""
    assert "both.png: There is more than one thing on the table." in printed.err


def test_a_figure_that_something_touches_is_taught_only_if_it_is_said_to_be_alone(tmp_path, capsys):
    alone = Shows().figure(61, ring="#d13a34")
    (figure,) = alone.scene.figures
    away_mm = np.array(figure.center_mm) - alone.view.camera_center_mm[:2]
    beside_mm = np.array([-away_mm[1], away_mm[0]]) / np.linalg.norm(away_mm) * (figure.figure.base_mm + 0.3)
    x, y = (figure.center_mm + beside_mm).tolist()
    both = shown(replace(alone.scene, figures=(figure, replace(figure, center_mm=(x, y)))))
    cv2.imwrite(str(tmp_path / "both.png"), both.photo)
    (tmp_path / "table.json").write_text(to_json(table_document(alone.markers)))
    given = ["--kind", "imp", "--side", "demons", "--table", str(tmp_path / "table.json"), "--data", str(tmp_path)]

    assert run(["teach", "figure", str(tmp_path / "both.png"), *given]) == 1
    assert "both.png: Something seems to touch the figure." in capsys.readouterr().err
    assert run(["teach", "figure", str(tmp_path / "both.png"), "--alone", "--height-mm", "30", *given]) == 0
    assert "assumed" not in capsys.readouterr().err


def test_a_round_base_is_as_long_as_it_is_wide(place, documents, tmp_path, capsys):
    figure = ["--kind", "imp", "--side", "demons", "--base", "round", "--spaces", "2x1"]
    assert run(["teach", "figure", str(place / "photo.jpg"), *figure, *documents, "--data", str(tmp_path)]) == 2
    assert "as long as it is wide" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["", " ", "im\np", "im\x1b[31mp", "a" * 201])
@pytest.mark.parametrize("option", ["--kind", "--side", "--id"])
def test_a_name_that_no_document_or_line_can_hold_is_refused_by_its_option(documents, tmp_path, capsys, option, name):
    names = {"--kind": "imp", "--side": "demons", "--id": "imp"} | {option: name}
    given = [part for pair in names.items() for part in pair]
    assert run(["teach", "figure", "absent.jpg", *given, *documents, "--data", str(tmp_path)]) == 2
    printed = capsys.readouterr().err
    assert option in printed
    assert "give a name on one line" in printed


def test_a_name_too_like_another_is_refused_before_the_reading(place, documents, tmp_path, capsys):
    data = ["--data", str(tmp_path)]
    taught = ["teach", "tile", str(place / "photo.jpg"), "--set", "home", *documents, *data]
    assert run([*taught, "--id", "07A"]) == 0
    capsys.readouterr()
    for more in ([], ["--replace"]):
        assert run([*taught, "--id", "../07A", *more]) == 2
        printed = capsys.readouterr().err
        assert "“../07A” is too like another tile's" in printed
        assert "reading" not in printed


def test_a_kind_with_another_side_or_size_in_the_roster_is_named(capsys):
    known = [
        RosterFigure("imp-1", "imp", "demons", (1, 1), 22.0, 30.0),
        RosterFigure("cyb", "cyb", "x", (2, 2), 44, 60),
    ]
    _report_differences(RosterFigure("imp-2", "imp", "marines", (2, 1), 22.0, 30.0), known)
    printed = capsys.readouterr().err
    assert "kind Imp have the side demons" in printed
    assert "kind Imp take 1x1 spaces" in printed
    _report_differences(RosterFigure("imp-1", "imp", "marines", (2, 1), 22.0, 30.0), known)
    assert capsys.readouterr().err == ""


def test_a_photo_without_markers_teaches_nothing(documents, tmp_path, capsys):
    blank = tmp_path / "blank.png"
    cv2.imwrite(str(blank), np.full((1080, 1920, 3), 90, np.uint8))

    for command in (["tile", "--id", "A"], ["figure", "--kind", "imp", "--side", "demons"], ["door", "--count", "8"]):
        assert run(["teach", command[0], str(blank), *command[1:], *documents, "--data", str(tmp_path)]) == 1
        printed = capsys.readouterr()
        assert printed.out == ""
        assert "marker" in printed.err.splitlines()[-1]
