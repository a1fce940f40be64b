"""The commands for setting up a table: sheets, lens, table, backup and restore."""

from __future__ import annotations

import json

import cv2
import numpy as np
import pytest

from assistant.cli import run
from assistant.documents import camera_document, camera_from_json, table_from_json, to_json
from assistant.profiles import Profiles
from calibration.lens_board import LensBoard

BOARD = LensBoard()


@pytest.fixture(scope="module")
def table_photos(synthetic, tmp_path_factory):
    """Three photos of the rendered table, and its lens as a file."""
    folder = tmp_path_factory.mktemp("photos")
    for k in range(3):
        pose = synthetic.looking_at((165, 110), 750 + 40 * k, 30 + 8 * k, 20 + 110 * k)
        photo = synthetic.render(pose, synthetic.LENS, synthetic.TABLE, blur_px=0.8, noise=2.0, seed=k)
        cv2.imwrite(str(folder / f"{k}.png"), photo)
    (folder / "camera.json").write_text(to_json(camera_document(synthetic.LENS)))
    return folder


@pytest.fixture(scope="module")
def board_photos(synthetic, tmp_path_factory):
    """Eight pictures of the lens board, without distortion, since a flat picture is only turned here."""
    folder = tmp_path_factory.mktemp("board")
    wide, high = BOARD.columns * BOARD.square_mm, BOARD.rows * BOARD.square_mm
    px_per_mm = 128 / BOARD.square_mm
    sheet = cv2.aruco.CharucoBoard(
        (BOARD.columns, BOARD.rows),
        BOARD.square_mm,
        BOARD.square_mm * BOARD.marker_share,
        cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_5X5_50),
    ).generateImage((BOARD.columns * 128, BOARD.rows * 128))
    ends_mm = np.array([[0, 0], [wide, 0], [wide, high], [0, high]])
    matrix = np.array([[900.0, 0, 479.5], [0, 900.0, 359.5], [0, 0, 1]])
    for k in range(8):
        pose = synthetic.looking_at((wide / 2 + 20 * (k % 3 - 1), high / 2), 420, (20, 35, 45)[k % 3], 45.0 * k)
        solid = np.column_stack([ends_mm, np.zeros(4)])
        seen = cv2.projectPoints(solid, pose.rvec, pose.tvec, matrix, None)[0].reshape(-1, 2)
        # Half a pixel: the sheet's corner is the corner of its first pixel, not the middle.
        homography = cv2.findHomography(ends_mm * px_per_mm - 0.5, seen)[0]
        fine = np.diag([2.0, 2.0, 1.0]) + np.array([[0, 0, 0.5], [0, 0, 0.5], [0, 0, 0]])
        large = cv2.warpPerspective(sheet, fine @ homography, (1920, 1440), borderValue=110)
        cv2.imwrite(str(folder / f"{k}.png"), cv2.resize(large, (960, 720), interpolation=cv2.INTER_AREA))
    return folder


def photos_of(folder):
    return [str(path) for path in sorted(folder.glob("*.png"))]


def test_the_table_is_worked_out_from_photos(table_photos, capsys):
    status = run(
        ["table", *photos_of(table_photos), "--camera", str(table_photos / "camera.json"), "--cell-mm", "25.4"]
    )

    out, told = capsys.readouterr()
    assert status == 0
    table = table_from_json(out.encode())
    assert [marker.id for marker in table.markers] == [3, 7, 12, 20, 31]
    assert table.cell_mm == 25.4
    assert "5 markers from 3 photos" in told
    assert "estimated" not in told


def test_the_table_without_a_lens_says_how_unsure_it_is(table_photos, capsys):
    assert run(["table", *photos_of(table_photos)]) == 0
    assert "The lens is an estimate, its focal length accurate to" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "status", "sentence"),
    [
        (["{0}/0.png"], 1, "One photo is not enough"),
        (["{0}/0.png", "{0}/nowhere.png"], 2, "nowhere.png"),
        (["{0}/0.png", "{0}/1.png", "--family", "DICT_NONE"], 2, "no marker family"),
        (["{0}/0.png", "{0}/1.png", "--side-mm", "0"], 2, "above 0"),
        (["{0}/0.png", "{0}/camera.json"], 2, "camera.json"),
    ],
)
def test_the_table_command_refuses_in_one_sentence(table_photos, capsys, arguments, status, sentence):
    assert run(["table", *(argument.format(table_photos) for argument in arguments)]) == status
    out, told = capsys.readouterr()
    assert out == ""
    assert sentence in told


@pytest.mark.parametrize(("command", "folder"), [("table", "table_photos"), ("lens", "board_photos")])
def test_a_mirrored_photo_is_named(request, tmp_path, capsys, command, folder):
    photos = photos_of(request.getfixturevalue(folder))[:2]
    mirrored = tmp_path / "selfie.png"
    cv2.imwrite(str(mirrored), cv2.imread(photos[0])[:, ::-1])

    assert run([command, photos[1], str(mirrored)]) == 1
    out, told = capsys.readouterr()
    assert out == ""
    assert "selfie.png: This picture is mirrored. Switch mirroring off" in told


def test_the_lens_is_worked_out_and_kept(board_photos, tmp_path, capsys):
    status = run(["lens", *photos_of(board_photos), "--keep", "webcam", "--data", str(tmp_path)])

    out, told = capsys.readouterr()
    assert status == 0
    lens = camera_from_json(out.encode())
    assert (lens.width_px, lens.height_px) == (960, 720)
    assert lens.matrix[0][0] == pytest.approx(900, rel=0.01)
    assert "8 pictures: 8 show the board, 8 used" in told
    assert "To calibrate it better" in told
    assert json.loads(Profiles(tmp_path).read("camera", "webcam")) == json.loads(out)


@pytest.mark.parametrize(
    ("arguments", "status", "sentence"),
    [
        (["{0}/0.png"], 1, "Only 1 picture shows the lens board"),
        (["{0}/0.png", "--board", "axb"], 2, "--board axb"),
        (["{0}/0.png", "--square-mm", "-1"], 2, "above 0"),
        (["{0}/no.mp4"], 2, "not a readable video"),
    ],
)
def test_the_lens_command_refuses_in_one_sentence(board_photos, capsys, arguments, status, sentence):
    assert run(["lens", *(argument.format(board_photos) for argument in arguments)]) == status
    out, told = capsys.readouterr()
    assert out == ""
    assert sentence in told


def test_sheets_are_written_and_named(tmp_path, capsys):
    assert run(["sheets", str(tmp_path / "print"), "--paper", "letter", "--measured-mm", "99"]) == 0

    names = capsys.readouterr().out.split()
    assert sorted(names) == sorted(str(path) for path in (tmp_path / "print").iterdir())
    assert {path.name for path in (tmp_path / "print").iterdir()} == {"table-markers.pdf", "lens-board.pdf"}


def test_sheets_of_a_game_hold_its_rings_doors_and_tiles(dev_scenes, tmp_path, capsys):
    roster = dev_scenes / "easy-01" / "roster.json"
    tiles = dev_scenes.parent / "tiles-dev"

    assert run(["sheets", str(tmp_path), "--roster", str(roster), "--tiles", str(tiles)]) == 0

    assert len(capsys.readouterr().out.split()) == 5
    assert (tmp_path / "tiles.pdf").read_bytes().startswith(b"%PDF")


def test_sheets_cannot_be_written_over_a_file(tmp_path, capsys):
    (tmp_path / "print").write_text("a file")

    assert run(["sheets", str(tmp_path / "print" / "deep")]) == 1
    assert "Choose another place" in capsys.readouterr().err


def test_a_backup_brings_everything_back(synthetic, tmp_path, capsys):
    Profiles(tmp_path / "old").keep("camera", "webcam", to_json(camera_document(synthetic.LENS)).encode())

    assert run(["backup", str(tmp_path / "all.zip"), "--data", str(tmp_path / "old")]) == 0
    assert run(["restore", str(tmp_path / "all.zip"), "--data", str(tmp_path / "new")]) == 0

    assert capsys.readouterr().out.splitlines()[1:] == ["camera webcam"]
    assert Profiles(tmp_path / "new").names("camera") == ("webcam",)


def test_nothing_to_back_up_and_no_backup_are_reported(tmp_path, capsys):
    assert run(["backup", str(tmp_path / "all.zip"), "--data", str(tmp_path)]) == 1
    assert "Run “sightline setup” first." in capsys.readouterr().err
    assert run(["restore", str(tmp_path / "all.zip"), "--data", str(tmp_path)]) == 2
    assert "Check the file's name." in capsys.readouterr().err
