"""A wrong reading of a table without a grid is saved as one file and read again from it."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction

import cv2
import numpy as np
import pytest
from zip_files import entries, zipped

from assistant.app.care.report_score import list_free_mistakes
from assistant.cli import run
from assistant.documents import free_sighting_document, to_json
from assistant.documents.report import FreeReport, PhotoRefusal, report_from_zip
from assistant.errors import DocumentError
from assistant.table.free_sighting import FreeSighting, FreeSpot
from assistant.table.free_table import FreeFigure, FreeTable, Stats
from assistant.table.roster import DoorSpec, Roster, RosterFigure


@pytest.fixture(scope="module")
def written(golden, tmp_path_factory):
    """The report of a photo on which a model is set right to be away, written by the command."""
    folder, scene = tmp_path_factory.mktemp("reports"), golden / "scenes" / "free-8002"
    named = [f"--{name}={scene / name}.json" for name in ("table", "camera", "roster", "free-table")]
    right = scene / "truth.json"
    call = ["report", "write", str(scene / "photo.jpg"), str(folder / "one.zip"), *named, f"--right={right}"]
    assert run([*call, "--words=one is missing"]) == 0
    return folder


def test_a_report_holds_the_photo_what_was_read_and_what_is_right(written, golden):
    report = report_from_zip((written / "one.zip").read_bytes())
    truth = json.loads((golden / "scenes" / "free-8002" / "truth.json").read_bytes())

    assert isinstance(report, FreeReport)
    assert (report.head.words, report.head.source) == ("one is missing", "photo")
    assert set(report.observed.spots) == {figure.id for figure in report.observed.table.figures}
    assert report.right is not None
    assert [figure.id for figure in report.right.figures] == [figure["id"] for figure in truth["figures"]]
    assert report.box.terrain == report.observed.table.terrain


def test_it_is_read_again_and_scored_by_what_was_set_right(written, tmp_path, capsys):
    files = entries((written / "one.zip").read_bytes())
    seen = report_from_zip((written / "one.zip").read_bytes()).observed
    gone = seen.table.figures[0]
    right = replace(seen, table=replace(seen.table, figures=seen.table.figures[1:]))
    files["right.json"] = to_json(free_sighting_document(right)).encode()
    (tmp_path / "sent").mkdir()
    (tmp_path / "sent" / "one.zip").write_bytes(zipped(files))

    assert run(["report", "score", str(tmp_path / "sent")]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "one.zip: mistakes then: 1, now: 1"
    assert lines[1].strip().startswith(f"false {gone.id} (")


def test_a_refused_photo_is_reported_with_its_reason(golden, tmp_path, capsys):
    scene = golden / "scenes" / "free-8002"
    cv2.imwrite(str(tmp_path / "photo.jpg"), np.full((1080, 1920, 3), 90, np.uint8))
    named = [f"--{name}={scene / name}.json" for name in ("table", "camera", "roster", "free-table")]
    assert run(["report", "write", str(tmp_path / "photo.jpg"), str(tmp_path / "one.zip"), *named]) == 0
    report = report_from_zip((tmp_path / "one.zip").read_bytes())
    assert isinstance(report, FreeReport)
    assert isinstance(report.observed, PhotoRefusal)

    capsys.readouterr()
    assert run(["report", "score", str(tmp_path)]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "1 refused photo, readable now: 0"


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"sighting.json": None}, "lacks sighting.json"),
        ({"box.json": b"{"}, "box.json"),
        ({"right.json": b'{"format":"sightline.board/1"}'}, "right.json"),
    ],
)
def test_what_is_no_report_is_refused_with_its_part(written, change, words):
    files = entries((written / "one.zip").read_bytes()) | change
    with pytest.raises(DocumentError, match=words):
        report_from_zip(zipped({name: content for name, content in files.items() if content is not None}))


@pytest.mark.parametrize("more", [["--setup=club"], ["--tiles=."], []])
def test_what_does_not_name_such_a_table_is_refused_in_one_sentence(golden, tmp_path, capsys, more):
    scene = golden / "scenes" / "free-8002"
    named = [f"--free-table={scene / 'free-table.json'}"]
    if more:
        named += [f"--table={scene / 'table.json'}", f"--roster={scene / 'roster.json'}"]
    assert run(["report", "write", str(scene / "photo.jpg"), str(tmp_path / "x.zip"), *named, *more]) == 2
    told = capsys.readouterr().err
    assert (told.count("\n"), "--table" in told, (tmp_path / "x.zip").exists()) == (1, True, False)


def model(
    name: str, x: float, y: float, *, facing_deg: int = 0, base_mm: int = 30, elevation_mm: int = 0
) -> FreeFigure:
    place = Fraction(str(x)), Fraction(str(y))
    height, stats = Fraction(30), Stats(4, 4, 4, 4)
    return FreeFigure(
        name, "ours", place, Fraction(base_mm), height, Fraction(elevation_mm), Fraction(facing_deg), stats
    )


def table(*figures: FreeFigure) -> FreeTable:
    return FreeTable(Fraction(50), (Fraction(600), Fraction(400)), (), figures)


BOX = Roster(
    tuple(RosterFigure(f"{kind}-{n}", kind, "ours", (1, 1), 30.0, 30.0) for kind in ("ogre", "raider") for n in (1, 2)),
    DoorSpec(0, 1, 30.0, 2.0),
)


@pytest.mark.parametrize(
    ("seen", "spot", "told"),
    [
        (model("ogre~1", 101, 101), FreeSpot(0.2), []),
        (model("ogre~1", 103, 100), FreeSpot(0.2), ["moved ogre-1 (100, 100), read 3.0 mm off"]),
        (model("raider~1", 100, 100), FreeSpot(0.2), ["raider (100, 100) is ogre"]),
        (model("raider~1", 100, 100), FreeSpot(0.2, kinds=("raider", "ogre")), []),
        (model("Bob", 100, 100), FreeSpot(0.2), []),
        (model("ogre~1", 100, 100, facing_deg=350), FreeSpot(0.2, facing_error_deg=5.0), []),
        (
            model("ogre~1", 100, 100, facing_deg=330),
            FreeSpot(0.2, facing_error_deg=5.0),
            ["ogre-1 looks 30 degrees off"],
        ),
        (model("ogre~1", 100, 100, facing_deg=330), FreeSpot(0.2), []),
        (
            model("ogre~1", 100, 100, elevation_mm=40),
            FreeSpot(0.2),
            ["ogre-1 stands 0 mm high, read at 40 mm"],
        ),
        (model("ogre~1", 116, 100), FreeSpot(0.2), ["missed ogre-1 (100, 100)", "false ogre~1 (116, 100)"]),
    ],
)
def test_every_mistake_about_a_figure_is_reported(seen, spot, told):
    read = FreeSighting(table(seen), {seen.id: spot})
    assert list(list_free_mistakes(table(model("ogre-1", 100, 100)), BOX, read)) == told


def test_wrong_contact_is_reported_and_the_nearest_figures_are_the_same():
    right = table(model("ogre-1", 100, 100), model("ogre-2", 130, 100))
    apart = table(model("ogre~1", 130.5, 100), model("ogre~2", 100, 100))
    spots = {name: FreeSpot(0.2) for name in ("ogre~1", "ogre~2")}
    assert list(list_free_mistakes(right, BOX, FreeSighting(apart, spots))) == ["ogre-1 and ogre-2 touch"]
    assert list(list_free_mistakes(apart, BOX, FreeSighting(right, {}))) == ["ogre~1 and ogre~2 do not touch"]
