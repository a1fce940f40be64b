"""A wrong reading is saved as one file, read again from it, and compared with the correction."""

from __future__ import annotations

import io
import json
import os
import time
import zipfile
from dataclasses import replace
from importlib.metadata import version

import cv2
import msgspec
import numpy as np
import pytest
from zip_files import entries, zipped

from assistant.app.care import report_score, reports
from assistant.app.care.report_score import list_mistakes
from assistant.app.care.reports import KeptReports
from assistant.cli import run
from assistant.documents import board_document, to_json
from assistant.documents.report import PhotoRefusal, report_from_zip, report_zip
from assistant.errors import DocumentError
from assistant.table.board import Board, Door, Figure
from assistant.table.lattice import Edge
from assistant.table.observation import CameraSighting, LatticePose, Observation
from vision.photo.decoding import decode_photo

SOUTH_GPS = "GPS of the owner's house"


@pytest.fixture(scope="module")
def documents(golden):
    folder = golden / "scenes" / "dev" / "easy-03"
    named = {name: folder / f"{name}.json" for name in ("table", "camera", "roster")}
    named["tiles"] = golden / "scenes" / "tiles-dev"
    return [str(part) for name, path in named.items() for part in (f"--{name}", path)]


@pytest.fixture(scope="module")
def written(golden, documents, tmp_path_factory):
    """The report of a photo whose file names its owner, with one figure corrected to absent."""
    folder = tmp_path_factory.mktemp("reports")
    photo = (golden / "scenes" / "dev" / "easy-03" / "photo.jpg").read_bytes()
    note = b"Exif\x00\x00" + SOUTH_GPS.encode()
    told = photo[:2] + b"\xff\xe1" + (len(note) + 2).to_bytes(2, "big") + note + photo[2:]
    (folder / "photo.jpg").write_bytes(told)
    assert run(["report", "write", str(folder / "photo.jpg"), str(folder / "first.zip"), *documents]) == 0
    seen = report_from_zip((folder / "first.zip").read_bytes()).observed
    right = replace(seen.board, figures=seen.board.figures[1:])
    (folder / "right.json").write_text(to_json(board_document(right)))
    return folder, right


def test_a_report_holds_photo_and_reading_and_nothing_of_the_photographer(written):
    folder, _ = written
    data = (folder / "first.zip").read_bytes()
    report = report_from_zip(data)

    assert SOUTH_GPS.encode() in (folder / "photo.jpg").read_bytes()
    assert SOUTH_GPS.encode() not in report.photo
    before, after = decode_photo((folder / "photo.jpg").read_bytes()), decode_photo(report.photo)
    assert before.shape == after.shape
    assert float(np.mean(cv2.absdiff(before, after))) < 3
    assert len(report.observed.board.figures) == 6
    assert report.right is None
    assert str(folder) not in data.decode("latin-1")
    head = json.loads(entries(data)["report.json"])
    assert head == {
        "format": "sightline.report/1", "version": version("sightline"), "source": "photo", "words": "",
        "setup": "", "sides_lens": "camera",
    }  # fmt: skip


@pytest.fixture(scope="module")
def refused(documents, tmp_path_factory):
    """The report of a photo from which no table can be read."""
    folder = tmp_path_factory.mktemp("refused")
    cv2.imwrite(str(folder / "photo.jpg"), np.full((1080, 1920, 3), 90, np.uint8))
    assert run(["report", "write", str(folder / "photo.jpg"), str(folder / "one.zip"), *documents]) == 0
    return folder / "one.zip"


def test_the_report_of_a_refused_photo_holds_the_documents_and_the_reason(refused):
    files = entries(refused.read_bytes())
    report = report_from_zip(refused.read_bytes())
    assert json.loads(files["refusal.json"]) == {
        "format": "sightline.refusal/1", "kind": "TooFewMarkers", "message": report.observed.message,
    }  # fmt: skip
    assert "marker" in report.observed.message
    assert {"photo.jpg", "table.json", "camera.json", "roster.json", "tiles/tileset.json"} < files.keys()
    assert "observation.json" not in files
    assert report_zip(report) == refused.read_bytes()


def test_a_refused_photo_is_added_once_and_counts_as_refused(refused, tmp_path, capsys):
    for words in ("1 report added", "1 report was there already"):
        assert run(["report", "add", str(refused), "--data", str(tmp_path)]) == 0
        assert capsys.readouterr().out.startswith(words)
    assert run(["report", "score", "--data", str(tmp_path)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "marker" in lines[0]
    assert lines[1:] == ["1 report, free of mistakes now: 0", "1 refused photo, readable now: 0"]


@pytest.mark.parametrize(("truth", "words"), [(False, "readable now"), (True, "refused then, mistakes now: 0")])
def test_a_refused_photo_that_is_read_now_is_scored_by_its_true_table(written, tmp_path, capsys, truth, words):
    """Nothing was read, so the true table has a lattice of its own: here turned and moved."""
    read = report_from_zip((written[0] / "first.zip").read_bytes())
    board = read.observed.board
    figures = tuple(Figure(f.id, f.kind, f.side, tuple(map(turned, f.cells))) for f in board.figures)
    doors = tuple(replace(door, edges=tuple(map(turned_edge, door.edges))) for door in board.doors)
    right = Board(frozenset(map(turned, board.cells)), doors=doors, figures=figures, cell_mm=board.cell_mm)
    refused = replace(read, observed=PhotoRefusal(kind="NoTiles", message="No tile."), right=right if truth else None)
    (tmp_path / "one.zip").write_bytes(report_zip(refused))
    assert run(["report", "score", str(tmp_path)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert words in lines[0]
    assert lines[1:] == [f"1 report, free of mistakes now: {int(truth)}", "1 refused photo, readable now: 1"]


def turned(cell):
    """Return the same cell in a lattice turned by a quarter and begun elsewhere."""
    return 7 - cell[1], cell[0] - 30


def turned_edge(edge):
    ends = sorted((8 - y, x - 30) for x, y in (edge.start, edge.end))
    return Edge(*ends)


@pytest.mark.parametrize("name", ["second.jpg", "kept.zip", "second.JPG"])
def test_a_second_photo_or_an_earlier_report_is_never_written_over(written, documents, tmp_path, capsys, name):
    (tmp_path / name).write_bytes(b"mine")
    assert run(["report", "write", str(written[0] / "photo.jpg"), str(tmp_path / name), *documents]) == 2
    printed = capsys.readouterr()
    assert (printed.out, printed.err.count("\n")) == ("", 1)
    assert name in printed.err
    assert (tmp_path / name).read_bytes() == b"mine"


def test_words_of_a_received_report_never_steer_the_terminal(report, tmp_path, capsys):
    add(tmp_path, with_words(report, "one\nleft out: all\x1b[31m red \u202e"))
    assert run(["report", "score", "--data", str(tmp_path / "data")]) == 0
    printed = capsys.readouterr().out
    assert "“one left out: all[31m red " in printed
    assert not {"\x1b", "\u202e"} & set(printed)


def test_a_zip_packed_anew_by_hand_is_a_report_under_any_ending(report, tmp_path, capsys):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as file:
        file.writestr("tiles/", b"")
        for name, content in entries(report_zip(report)).items():
            file.writestr(name, content)
    (tmp_path / "SENT.ZIP").write_bytes(packed.getvalue())
    assert run(["report", "score", str(tmp_path)]) == 0
    assert "SENT.ZIP" in capsys.readouterr().out


def test_a_report_with_a_damaged_photo_is_named_and_left_out(report, tmp_path, capsys):
    (tmp_path / "bad.zip").write_bytes(report_zip(replace(report, photo=b"not a photo")))
    assert run(["report", "score", str(tmp_path)]) == 2
    printed = capsys.readouterr()
    assert "bad.zip" in printed.err
    assert printed.out == ""


def test_a_true_table_with_a_kind_outside_the_roster_is_refused(written, documents, tmp_path, capsys):
    folder, right = written
    strange = replace(right, figures=(replace(right.figures[0], kind="dragon"), *right.figures[1:]))
    (tmp_path / "right.json").write_text(to_json(board_document(strange)))
    target = tmp_path / "one.zip"
    call = ["report", "write", str(folder / "photo.jpg"), str(target), *documents]
    assert run([*call, "--right", str(tmp_path / "right.json")]) == 2
    assert "right.json" in capsys.readouterr().err
    assert not target.exists()


def test_one_command_adds_a_saved_report_to_those_that_are_measured(written, tmp_path, capsys):
    folder, _ = written
    assert run(["report", "add", str(folder / "first.zip"), "--data", str(tmp_path)]) == 0
    assert "1 report added to " in capsys.readouterr().out

    assert run(["report", "score", "--data", str(tmp_path)]) == 0
    assert capsys.readouterr().out.splitlines()[-1].startswith("1 report, ")


@pytest.fixture
def report(written):
    return report_from_zip((written[0] / "first.zip").read_bytes())


def with_words(report, words):
    return replace(report, head=msgspec.structs.replace(report.head, words=words))


def without_figure(report, number):
    figures = report.observed.board.figures
    return replace(report, right=replace(report.observed.board, figures=figures[:number] + figures[number + 1 :]))


def says(report):
    return report.head.words, report.right and tuple(figure.id for figure in report.right.figures)


def add(tmp_path, *reports):
    """Run the command on files of these reports."""
    files = []
    for number, one in enumerate(reports):
        files.append(tmp_path / f"{number}.zip")
        files[-1].write_bytes(one if isinstance(one, bytes) else report_zip(one))
    return run(["report", "add", *map(str, files), "--data", str(tmp_path / "data")])


def kept(tmp_path):
    return [report_from_zip(file.read_bytes()) for file in KeptReports(tmp_path / "data").files()]


def test_two_reports_of_one_picture_with_other_words_or_another_true_table_are_both_kept(report, tmp_path, capsys):
    given = [
        with_words(without_figure(report, 0), "nobody stands there"),
        with_words(without_figure(report, 0), "the door is open"),
        without_figure(report, 0),
        without_figure(report, 1),
    ]
    assert add(tmp_path, *given) == 0
    assert {says(one) for one in kept(tmp_path)} == {says(one) for one in given}
    assert "4 reports added" in capsys.readouterr().out


def test_a_report_made_by_hand_is_added_without_the_place_and_the_turn_in_its_photo(written, report, tmp_path):
    """Its photo was kept as it came. Viewers turned it, the reader did not."""
    assert add(tmp_path, replace(report, photo=(written[0] / "photo.jpg").read_bytes())) == 0
    (one,) = kept(tmp_path)
    assert SOUTH_GPS.encode() not in one.photo
    assert decode_photo(one.photo).shape == decode_photo(report.photo).shape


def test_place_and_owner_leave_a_photo_whatever_holds_them(report, tmp_path):
    xmp = b"http://ns.adobe.com/xap/1.0/\x00<exif:GPSLatitude>48</exif:GPSLatitude>"
    noted = report.photo[:2] + b"\xff\xe1" + (len(xmp) + 2).to_bytes(2, "big") + xmp + report.photo[2:]
    whole = cv2.imencode(".png", decode_photo(report.photo))[1].tobytes()
    assert add(tmp_path, replace(report, photo=noted), with_words(replace(report, photo=whole), "a PNG")) == 0
    for one in kept(tmp_path):
        assert one.photo.startswith(b"\xff\xd8")
        assert b"GPSLatitude" not in one.photo


def test_a_photo_of_a_report_that_is_cut_short_is_named_by_its_file(written, report, tmp_path, capsys):
    with_metadata = (written[0] / "photo.jpg").read_bytes()
    assert add(tmp_path, report, replace(report, photo=with_metadata[: len(with_metadata) // 2])) == 2
    assert "1.zip" in capsys.readouterr().err


def test_what_the_data_folder_has_already_is_not_counted_as_added(report, tmp_path, capsys):
    assert add(tmp_path, report, without_figure(report, 0), report) == 0
    told = capsys.readouterr().out.splitlines()
    assert told[0].startswith("2 reports added to ")
    assert told[1:] == ["1 report was there already"]
    assert [one.right is not None for one in kept(tmp_path)] == [True]  # it completes the one without the true table

    assert add(tmp_path, without_figure(report, 0)) == 0
    assert capsys.readouterr().out.splitlines() == ["1 report was there already"]


def test_a_damaged_file_is_named_and_the_others_are_added_and_scored(report, tmp_path, capsys):
    assert add(tmp_path, b"no zip", without_figure(report, 0)) == 2
    told = capsys.readouterr()
    assert told.out.startswith("1 report added")
    assert (told.err.count("\n"), "0.zip" in told.err) == (1, True)

    (KeptReports(tmp_path / "data").folder / "0.zip").write_bytes(b"PK")
    assert run(["report", "score", "--data", str(tmp_path / "data")]) == 2
    told = capsys.readouterr()
    assert told.out.splitlines()[-1].startswith("1 report, free of mistakes now: ")
    assert "0.zip" in told.err


def test_a_full_folder_of_taps_stops_neither_the_owners_command_nor_a_correction(report, tmp_path, monkeypatch):
    monkeypatch.setattr(reports, "MOST_REPORTS", 1)
    folder = KeptReports(tmp_path)
    file = folder.keep(report)
    other = with_words(report, "another one")
    with pytest.raises(reports.ReportsFull, match="report prune"):
        folder.keep(other)
    assert folder.add(other)
    assert folder.complete(without_figure(report, 0), file).exists()
    assert not file.exists()


def test_reports_never_fill_the_disk_by_their_size(report, tmp_path, monkeypatch):
    monkeypatch.setattr(reports, "MOST_BYTES", 2 * len(report_zip(report)) - 1)
    folder = KeptReports(tmp_path)
    folder.keep(report)
    with pytest.raises(reports.ReportsFull):
        folder.keep(with_words(report, "another one"))


def keep(tmp_path, *given):
    folder = KeptReports(tmp_path / "data")
    for age_s, one in enumerate(reversed(given)):
        os.utime(folder.keep(one), (time.time() - 100 * age_s,) * 2)
    return folder


def prune(tmp_path, *keep):
    return run(["report", "prune", *keep, "--data", str(tmp_path / "data")])


def test_room_is_made_by_the_oldest_reports_without_the_true_table(report, tmp_path, capsys):
    keep(tmp_path, with_words(without_figure(report, 0), "true"), *(with_words(report, word) for word in "abc"))
    assert prune(tmp_path, "--keep", "2") == 0
    assert capsys.readouterr().out.startswith("2 reports removed")
    assert sorted(one.head.words for one in kept(tmp_path)) == ["c", "true"]
    assert prune(tmp_path, "--keep", "0") == 0
    assert [one.right is not None for one in kept(tmp_path)] == [True]


def test_no_report_is_removed_without_a_number_to_keep_and_no_added_one_at_all(report, tmp_path, capsys):
    keep(tmp_path, with_words(report, "a"))
    assert prune(tmp_path) == 2
    assert add(tmp_path, with_words(report, "b")) == 0
    assert len(kept(tmp_path)) == 2
    assert prune(tmp_path, "--keep", "0") == 0
    assert [one.head.words for one in kept(tmp_path)] == ["b"]


def test_a_damaged_report_is_named_by_prune_with_exit_status_2(report, tmp_path, capsys):
    folder = keep(tmp_path, with_words(report, "a"))
    (folder.folder / "0.zip").write_bytes(b"PK")
    assert prune(tmp_path, "--keep", "0") == 2
    assert "0.zip" in capsys.readouterr().err
    assert [file.name for file in folder.files()] == ["0.zip"]


def test_a_report_holds_no_name_that_its_owner_gave_a_tile_set(report):
    assert report.tiles.name == "tiles"


def test_the_last_correction_of_a_picture_wins(report, tmp_path):
    folder = KeptReports(tmp_path)
    file = folder.keep(report)
    file = folder.complete(without_figure(report, 0), file)
    folder.complete(without_figure(report, 1), file)
    (last,) = folder.files()
    assert report_from_zip(last.read_bytes()).right == without_figure(report, 1).right


def test_a_report_never_takes_one_away_that_the_owner_added(report, tmp_path):
    folder = KeptReports(tmp_path)
    added = with_words(without_figure(report, 0), "nobody stands there")
    folder.add(added)
    file = folder.keep(report)
    folder.complete(without_figure(report, 1), file)
    assert {says(report_from_zip(file.read_bytes())) for file in folder.files()} == {
        says(added),
        says(without_figure(report, 1)),
    }


def test_a_tap_on_a_picture_with_an_earlier_true_table_puts_that_one_at_no_risk(report, tmp_path):
    folder = KeptReports(tmp_path)
    earlier = folder.complete(without_figure(report, 0), None)
    file = folder.keep(report)
    assert file is None
    assert folder.complete(without_figure(report, 1), file) != earlier
    assert earlier in folder.files()


def test_a_report_written_again_is_the_same_file_without_a_time(report, written):
    data = (written[0] / "first.zip").read_bytes()
    assert report_zip(report) == data
    with zipfile.ZipFile(io.BytesIO(data)) as file:
        assert {entry.date_time[0] for entry in file.infolist()} == {1980}


def test_a_reading_whose_lattice_lies_askew_is_scored(report):
    askew = replace(report.observed.grid, angle_deg=report.observed.grid.angle_deg + 5, cell_mm=24.0)
    read = replace(report.observed, grid=askew)
    assert list(list_mistakes(report.observed.board, report.observed.grid, read))


def test_readings_without_markers_are_compared_by_their_tiles(report, monkeypatch):
    """Each such reading has a frame of its own, and every cell was a mistake."""
    turn = np.exp(1j * np.deg2rad(37.0))

    def moved_mm(place_mm):
        moved = turn * complex(*place_mm) + (120 - 80j)
        return moved.real, moved.imag

    seen = report.observed
    camera = replace(seen.camera, markers_seen=(), tiles_seen=("1A",))
    grid = replace(seen.grid, origin_mm=moved_mm(seen.grid.origin_mm), angle_deg=seen.grid.angle_deg + 37.0)
    tiles = tuple(replace(t, center_mm=moved_mm(t.center_mm), rotation_deg=t.rotation_deg + 37.0) for t in seen.tiles)
    elsewhere = replace(seen, camera=camera, grid=grid, tiles=tiles)
    monkeypatch.setattr(report_score, "read_again", lambda _: elsewhere)
    sent = replace(report, observed=replace(seen, camera=camera))
    assert report_score.score_report(sent).now == ()
    assert report_score.score_report(replace(sent, right=replace(seen.board, figures=()))).now


def test_reports_are_read_again_and_scored_by_what_was_set_right(written, capsys):
    folder, right = written
    report = folder / "first.zip"
    files = entries(report.read_bytes())
    (folder / "sent").mkdir()
    head = json.loads(files["report.json"]) | {"words": "nobody stands there"}
    changed = {**files, "report.json": json.dumps(head).encode(), "board.json": (folder / "right.json").read_bytes()}
    (folder / "sent" / "one.zip").write_bytes(zipped(changed))

    assert run(["report", "score", str(folder / "sent")]) == 0
    lines = capsys.readouterr().out.splitlines()

    assert lines[0] == "one.zip: mistakes then: 1, now: 1"
    assert lines[1].strip().startswith("false ")
    assert lines[2] == "1 report, free of mistakes now: 0"
    assert len(right.figures) == 5


def test_a_report_without_the_truth_never_counts_as_free_of_mistakes(written, tmp_path, capsys):
    files = entries((written[0] / "first.zip").read_bytes())
    head = json.loads(files["report.json"]) | {"words": "the imp stands elsewhere"}
    (tmp_path / "one.zip").write_bytes(zipped({**files, "report.json": json.dumps(head).encode()}))

    assert run(["report", "score", str(tmp_path)]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "one.zip: has no true board (board.json); differences from the sent reading: 0",
        "    “the imp stands elsewhere”",
        "1 report, free of mistakes now: 0",
    ]


def test_a_report_whose_picture_cannot_be_read_any_more_is_reported_and_ends_with_1(written, tmp_path, capsys):
    files = entries((written[0] / "first.zip").read_bytes())
    blank = cv2.imencode(".jpg", np.full((1080, 1920, 3), 90, np.uint8))[1].tobytes()
    (tmp_path / "blank.zip").write_bytes(zipped({**files, "photo.jpg": blank}))

    assert run(["report", "score", str(tmp_path)]) == 1
    assert "marker" in capsys.readouterr().out


def test_one_picture_of_a_watched_table_never_counts_as_worse_than_the_watching(report, tmp_path, capsys):
    blank = cv2.imencode(".jpg", np.full((1080, 1920, 3), 90, np.uint8))[1].tobytes()
    live = replace(report, photo=blank, head=msgspec.structs.replace(report.head, source="live"))
    (tmp_path / "live.zip").write_bytes(report_zip(live))

    assert run(["report", "score", str(tmp_path)]) == 0
    assert "marker" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"observation.json": None}, "lacks observation.json"),
        ({"tiles/0.png": None}, "lacks tiles/0.png"),
        ({"../../etc/passwd": b"x"}, "does not belong there"),
        ({"report.json": b'{"format":"sightline.report/9"}'}, "format"),
        ({"report.json": b'{"format":"sightline.report/1","version":"1","setup":"a","source":"film"}'}, "source"),
        ({"table.json": b"{"}, "table.json"),
    ],
)
def test_what_is_no_report_is_refused_with_its_part(written, change, words):
    files = entries((written[0] / "first.zip").read_bytes()) | change
    with pytest.raises(DocumentError, match=words):
        report_from_zip(zipped({name: content for name, content in files.items() if content is not None}))


@pytest.mark.parametrize("data", [b"", b"PK", b"PK\x05\x06" + bytes(17), b"no zip at all"])
def test_a_file_that_is_no_zip_is_refused(data):
    with pytest.raises(DocumentError):
        report_from_zip(data)


def test_a_zip_that_unpacks_to_more_than_any_report_is_refused_before_it_is_unpacked():
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as file, file.open("photo.jpg", "w") as photo:
        for _ in range(257):
            photo.write(bytes(1 << 20))
    assert len(packed.getvalue()) < 1 << 20
    with pytest.raises(DocumentError, match="far too large"):
        report_from_zip(packed.getvalue())


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["score", "."], "There is no report in"),
        (["write", "absent.jpg", "x.zip"], "absent.jpg"),
        (["write", "absent.jpg", "x.zip", "--setup", "club", "--table", "t.json"], "Leave out the other options"),
        (["write", "absent.jpg", "second.jpg"], "does not end in .zip"),
        (["write", "absent.jpg", "x.ZIP"], "absent.jpg"),
        (["write", "absent.jpg", "x.zip", "--words", "a" * 3000], "Use at most"),
    ],
)
def test_a_call_that_cannot_be_is_reported_in_one_sentence(tmp_path, monkeypatch, capsys, arguments, words):
    monkeypatch.chdir(tmp_path)
    assert run(["report", *arguments]) in (1, 2)
    told = capsys.readouterr()
    assert (told.out, told.err.count("\n")) == ("", 1)
    assert words in told.err


def test_diagnostics_take_a_report_along_where_the_owner_names_it(written, tmp_path, capsys):
    report, packed = written[0] / "first.zip", tmp_path / "all.zip"
    call = ["diagnostics", str(packed), "--data", str(tmp_path), "--port", "0"]

    assert run([*call, "--with-report", str(report)]) == 0
    assert "1 report with its photo" in capsys.readouterr().out
    assert entries(packed.read_bytes())["reports/first.zip"] == report.read_bytes()

    assert run([*call, "--with-report", str(written[0] / "photo.jpg")]) == 2


def board(column: int, figures: tuple[Figure, ...], doors: tuple[Door, ...] = ()) -> Board:
    cells = frozenset((column + c, r) for c in range(4) for r in range(2))
    return Board(cells, {}, doors, figures)


def imp(name: str, *cells: tuple[int, int], kind: str = "imp", side: str = "demons") -> Figure:
    return Figure(name, kind, side, cells)


def test_mistakes_are_reported_whatever_numbers_the_lattice_of_the_reading_begins_with():
    grid, moved = LatticePose((100.0, 50.0), 30.0, 25.0), 7
    turned = np.deg2rad(30.0)
    origin = (100.0 - moved * 25.0 * np.cos(turned), 50.0 - moved * 25.0 * np.sin(turned))
    right = board(
        0,
        (imp("a", (0, 0)), imp("b", (1, 0)), imp("c", (2, 0)), imp("d", (3, 1))),
        (Door("there", (Edge.between((1, 0), (1, 1)),)), Door("open", (Edge.between((3, 0), (3, 1)),), open=True)),
    )
    shifted = tuple(
        (imp("a", (7, 0)), imp("b", (8, 0), kind="brute"), imp("c", (9, 1)), imp("e", (7, 1), side="unknown"))
    )
    door = Door("other", (Edge.between((9, 0), (9, 1)),))
    read = Observation(
        CameraSighting(0.4, (0, 1, 2)),
        LatticePose((float(origin[0]), float(origin[1])), 30.0, 25.0),
        (), (), (), board(moved, shifted, (door,)),
    )  # fmt: skip

    assert sorted(list_mistakes(right, grid, read)) == [
        "brute [(8, 0)] is imp",
        "false door (9, 0)-(9, 1)",
        "false imp [(7, 1)]",
        "false imp [(9, 1)]",
        "missed door (8, 0)-(8, 1)",
        "missed imp [(10, 1)]",
        "missed imp [(9, 0)]",
    ]
    same = replace(read, grid=grid, board=right)
    assert list(list_mistakes(right, grid, same)) == []
