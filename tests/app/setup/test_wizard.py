"""The set-up wizard: step by step, resumed after a restart, every refusal in one sentence."""

from __future__ import annotations

import dataclasses
import functools
import importlib.util
import json
import sys
from pathlib import Path

import cv2
import msgspec
import numpy as np
import pytest
from msgspec.structs import replace

from assistant.app.setup.cameras import PHOTOS, PUSH, LiveCamera, list_usb_cameras, open_camera
from assistant.app.setup.game_step import find_live_source, game_of, load_kept_setup
from assistant.app.setup.progress import FILE, Progress, ProgressFile, TableOutcome
from assistant.app.setup.sample import sample_game, sample_tiles
from assistant.app.setup.table_step import side_mm
from assistant.app.setup.wizard import SetUpWizard
from assistant.documents import roster_document, table_document, table_from_json, to_json
from assistant.errors import (
    BadValue,
    CalibrationError,
    CameraNotFound,
    PhotosDiffer,
    PhotoUnreadable,
    PictureMirrored,
    SamePlace,
    SizeMismatch,
    StepMissing,
    TooFewMarkers,
    UnknownName,
)
from assistant.profiles import Profiles
from assistant.table.camera import NO_MARKERS, TableMarker, TableMarkers
from calibration.lens_board import LensBoard
from calibration.lens_guidance import PictureRefusal
from calibration.table_solve import MarkerFaultKind
from vision.photo.decoding import decode_photo
from vision.simulation.camera_view import Around, RenderCamera
from vision.simulation.dataset import write_tiles
from vision.simulation.lens_board import WALK, BoardStage, Held
from vision.simulation.sample import sample_scene

WH = (960, 540)


@pytest.fixture(scope="module")
def sample():
    return sample_game()


@pytest.fixture(scope="module")
def lens():
    return sample_scene().view.lens.scaled_to(*WH)


@pytest.fixture(scope="module")
def board_photo(lens):
    """A photo file of the lens board, held in some way."""
    stage = BoardStage(LensBoard(), lens)

    def photo(held: Held, seed: int = 0) -> bytes:
        return png(stage.photo(held, seed))

    return photo


@pytest.fixture(scope="module")
def painted():
    """The painter of markers that the calibration is tested with."""
    path = Path(__file__).parents[2] / "calibration" / "synthetic_table.py"
    spec = importlib.util.spec_from_file_location("sightline_tests_painted_table", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def table_photo(painted, lens):
    """Return a photo file of the sample's markers alone, from any side; one of them shifted, if named."""

    @functools.cache
    def photo(around: Around, shifted: tuple[int, float, float] | None = None) -> bytes:
        scene = sample_scene()
        view = RenderCamera.looking_at(lens, scene.lighting.target_mm, around)
        pose = painted.Pose(np.array(view.rotation_vector), np.array(view.translation_mm))
        placed = {marker.id: np.array(marker.corners_mm) for marker in scene.markers.markers}
        placed[9] = placed[0] + (170.0, -60.0)
        if shifted is not None:
            placed[shifted[0]] = placed[shifted[0]] + shifted[1:]
        markers = tuple(TableMarker(i, tuple(map(tuple, corners.tolist()))) for i, corners in placed.items())
        table = TableMarkers(scene.markers.marker_family, markers)
        return png(painted.render(pose, lens, table, blur_px=0.6, noise=1.5, seed=3))

    return photo


def png(image) -> bytes:
    return cv2.imencode(".png", image)[1].tobytes()


ASIDE = (Around(900.0, 30.0, 150.0), Around(900.0, 32.0, 60.0), Around(880.0, 25.0, 270.0))


@pytest.fixture
def ready():
    return []


@pytest.fixture
def desk(tmp_path, sample, ready):
    return SetUpWizard(tmp_path, sample, lambda game, source: ready.append((game, source)))


@pytest.fixture(scope="module")
def with_views(board_photo, sample, tmp_path_factory):
    """The progress of a person who has shown the lens board. A dozen photos are rendered and judged once."""
    desk = SetUpWizard(tmp_path_factory.mktemp("lens"), sample, lambda game, source: None)
    desk.choose_camera(PHOTOS)
    desk.go_to("lens")
    for number, held in enumerate(WALK[2:]):
        desk.hand_in(board_photo(held, number))
        if desk.state().lens.is_enough:
            break
    desk.solve_lens()
    return desk


def resumed(desk, tmp_path, sample, ready):
    """Return the desk after the program was started again in a data folder that holds the same progress."""
    ProgressFile(tmp_path).write(desk._progress)
    return SetUpWizard(tmp_path, sample, lambda game, source: ready.append((game, source)))


def test_nothing_is_done_at_the_beginning(desk):
    state = desk.state()

    assert state.step == "camera"
    assert set(state.statuses.values()) == {"open"}
    assert state.cameras[0] == PHOTOS
    assert any(name.startswith("usb:") for name in state.cameras)
    assert not state.has_live_camera


def test_the_password_of_a_cameras_address_is_kept_and_never_shown(desk, tmp_path, sample, ready):
    address = "rtsp://ann:hunter2@127.0.0.1:9/live?pw=hunter2"
    desk.choose_camera(address)
    assert desk.state().source == "rtsp://127.0.0.1:9/live"

    desk.choose_camera("rtsp://127.0.0.1:9/live")  # as the page shows it
    assert desk._progress.source == address
    again = resumed(desk, tmp_path, sample, ready)
    assert again.state().source == "rtsp://127.0.0.1:9/live"
    for one in (desk, again):
        one.close()


def test_the_pages_own_camera_is_looked_at_as_any_other(desk, board_photo):
    """A phone's own camera has no wire to the program: the page sends its picture before each reading."""
    desk.choose_camera(PUSH)
    desk.go_to("lens")
    assert desk.state().has_live_camera

    desk.send(board_photo(WALK[2], 2))
    desk.look(is_wanted=False)

    assert desk.state().look.outlines_px
    desk.choose_camera(PHOTOS)
    with pytest.raises(CameraNotFound, match="No live camera is chosen"):
        desk.send(board_photo(WALK[2], 2))
    desk.choose_camera("virtual")
    with pytest.raises(CameraNotFound, match="Another camera is chosen"):
        desk.send(board_photo(WALK[2], 2))


def test_a_camera_of_no_kind_is_refused(desk):
    with pytest.raises(BadValue, match="no camera"):
        desk.choose_camera("gopro")

    assert desk.state().source is None


def test_every_sheet_is_a_pdf_and_others_are_refused(desk):
    desk.set_sheets("letter", None, is_reprinted=False)
    sheets = desk.state().sheets

    assert sheets.files[:2] == ("table-markers", "lens-board")
    for name in ("table-markers", "lens-board", "base-rings", "door-labels"):
        assert desk.sheet(name).startswith(b"%PDF")
    with pytest.raises(UnknownName, match="table-markers"):
        desk.sheet("../secret")
    with pytest.raises(BadValue, match="Measure the printed ruler again"):
        desk.set_sheets("a4", 60.0, is_reprinted=False)


def test_a_printer_that_shrinks_makes_smaller_markers_unless_printed_again():
    assert side_mm(Progress()) == 40.0
    assert side_mm(Progress(measured_mm=98.5)) == pytest.approx(39.4)
    assert side_mm(Progress(measured_mm=98.5, is_reprinted=True)) == 40.0


def test_the_lens_is_worked_out_from_photos_and_reported_with_its_views(with_views, lens):
    state = with_views.state().lens

    assert state.views >= 10
    assert state.found.focal_px == pytest.approx(lens.matrix[0][0], rel=0.003)
    assert state.found.rms_px < 0.2
    assert len(state.found.view_rms_px) == state.views
    assert with_views.state().statuses["lens"] == "done"


def test_a_bad_photo_of_the_board_says_why(desk, board_photo):
    desk.choose_camera(PHOTOS)
    desk.go_to("lens")
    desk.hand_in(board_photo(Held(0.5, 0.5, 430, 24, 10, glare=True)))

    look = desk.state().look
    assert look.refusal is PictureRefusal.GLARE
    assert not look.is_taken
    assert len(look.outlines_px) == 1
    assert desk.preview().jpeg.startswith(b"\xff\xd8")
    with pytest.raises(CalibrationError, match="Only 0 pictures"):
        desk.solve_lens()
    with pytest.raises(PhotoUnreadable):
        desk.hand_in(b"no picture")


def test_a_mirrored_photo_of_the_board_is_called_mirrored(desk, board_photo):
    photo = cv2.imdecode(np.frombuffer(board_photo(Held(0.5, 0.5, 430, 5, 0)), np.uint8), cv2.IMREAD_COLOR)
    desk.choose_camera(PHOTOS)
    desk.go_to("lens")
    desk.hand_in(png(photo[:, ::-1]))

    assert desk.state().look.refusal is PictureRefusal.MIRRORED
    assert desk.state().lens.views == 0


def test_the_set_up_goes_on_after_a_restart(with_views, tmp_path, sample, ready):
    again = resumed(with_views, tmp_path, sample, ready)

    assert again.state().step == "lens"
    assert again.state().lens == with_views.state().lens


@pytest.mark.parametrize("content", [b"", b"{", b'{"format": "sightline.setup-progress/9"}', b"\xff"])
def test_a_damaged_progress_begins_anew(tmp_path, content):
    (tmp_path / FILE).write_bytes(content)

    assert ProgressFile(tmp_path).read() == Progress()


def test_another_camera_forgets_lens_and_table(with_views):
    progress = replace(with_views._progress, source="usb:0", name="old")

    changed_camera = progress.with_camera("usb:1")
    assert (changed_camera.views, changed_camera.lens, changed_camera.name) == ((), None, None)
    assert progress.with_camera("usb:0") is progress


def test_a_camera_that_is_chosen_again_has_lens_and_photos_still(with_views):
    with_views.solve_lens()
    progress = replace(with_views._progress, source="usb:0", name="Kitchen")
    there = progress.with_camera("usb:1").with_camera("usb:2")  # a finger that went astray twice
    back = there.with_camera("usb:0")

    assert (back.source, back.views, back.lens) == ("usb:0", progress.views, progress.lens)
    assert (back.name, back.is_read) == (None, False)
    assert msgspec.json.decode(msgspec.json.encode(there), type=Progress) == there


def test_the_whole_set_up_is_kept_and_used(with_views, table_photo, tmp_path, sample, ready):
    desk = resumed(with_views, tmp_path, sample, ready)
    desk.go_to("table")
    for around in ASIDE[:2]:
        desk.hand_in(table_photo(around))
    assert desk.state().look.is_taken
    assert desk.state().table.photos == ((0, 1, 2, 3, 9), (0, 1, 2, 3, 9))
    desk.solve_table()
    found = desk.state().table.found
    assert found.marker_ids == (0, 1, 2, 3, 9)
    assert found.faults == ()
    assert found.focal_uncertainty == 0
    desk.go_to("game")
    desk.choose_game(None, None)
    desk.save("Kitchen")

    profiles = Profiles(tmp_path)
    assert load_kept_setup(profiles, "Kitchen").camera == "Kitchen"
    assert json.loads(profiles.read("table", "Kitchen"))["cell_mm"] == 25.4
    assert profiles.newest("setup") == "Kitchen"
    assert find_live_source(profiles, "Kitchen") == ""
    assert desk.state().statuses["save"] == "done"
    with pytest.raises(CalibrationError, match="read"):
        desk.finish()
    desk.go_to("read")
    with pytest.raises(CalibrationError, match="no photo of the table"):
        desk.read()


def test_photos_of_the_table_that_do_not_help_are_refused(with_views, table_photo, tmp_path, sample, ready):
    desk = resumed(with_views, tmp_path, sample, ready)
    desk.go_to("table")
    desk.hand_in(table_photo(ASIDE[0]))

    with pytest.raises(SamePlace, match="another side"):
        desk.hand_in(table_photo(ASIDE[0]))
    with pytest.raises(TooFewMarkers):
        desk.hand_in(png(np.full((WH[1], WH[0]), 90, np.uint8)))
    with pytest.raises(SizeMismatch, match="calibrated for"):
        desk.hand_in(png(np.full((WH[1], 800), 90, np.uint8)))
    with pytest.raises(CalibrationError, match="One photo is not enough"):
        desk.solve_table()


def test_a_picture_full_of_one_marker_is_no_photo_of_the_table(desk):
    """The program once took such a picture as the first photo and then refused all real ones for their size."""
    one = cv2.aruco.generateImageMarker(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11), 0, 80)
    card = cv2.copyMakeBorder(one, 30, 30, 30, 30, cv2.BORDER_CONSTANT, value=(255,))
    desk.choose_camera(PHOTOS)
    desk.go_to("table")

    with pytest.raises(TooFewMarkers, match="Only 1"):
        desk.hand_in(png(np.tile(card, (2, 3))))


def test_a_mirrored_photo_is_called_mirrored(desk, table_photo):
    photo = cv2.imdecode(np.frombuffer(table_photo(ASIDE[0]), np.uint8), cv2.IMREAD_GRAYSCALE)
    desk.choose_camera(PHOTOS)
    desk.go_to("table")

    with pytest.raises(PictureMirrored, match="Switch mirroring off"):
        desk.hand_in(png(photo[:, ::-1]))


def test_without_a_lens_photos_of_different_sizes_are_reported_so(desk, table_photo):
    desk.choose_camera(PHOTOS)
    desk.go_to("table")
    desk.hand_in(table_photo(ASIDE[0]))

    with pytest.raises(PhotosDiffer, match="another size"):
        desk.hand_in(png(np.full((WH[1], 800), 90, np.uint8)))


def test_a_marker_that_was_moved_between_the_photos_is_named(with_views, table_photo, tmp_path, sample, ready):
    desk = resumed(with_views, tmp_path, sample, ready)
    desk.go_to("table")
    desk.hand_in(table_photo(ASIDE[0]))
    desk.hand_in(table_photo(ASIDE[1], (2, 14.0, -9.0)))
    desk.hand_in(table_photo(ASIDE[2]))
    desk.solve_table()

    assert [(fault.id, fault.fault) for fault in desk.state().table.found.faults] == [(2, MarkerFaultKind.MOVED)]


def test_without_the_board_the_lens_is_estimated_and_says_so(desk, table_photo, tmp_path):
    desk.choose_camera(PHOTOS)
    desk.skip_lens()
    assert desk.state().statuses["lens"] == "skipped"
    desk.go_to("table")
    for around in ASIDE:
        desk.hand_in(table_photo(around))
    desk.solve_table()
    desk.save("rough")

    assert 0 < desk.state().table.found.focal_uncertainty < 0.05
    assert load_kept_setup(Profiles(tmp_path), "rough").camera is None


def test_without_markers_a_set_up_reads_photos_by_its_tiles(desk, tmp_path, sample):
    desk.choose_camera(PHOTOS)
    desk.skip_lens()
    desk.skip_table()
    assert desk.state().statuses["table"] == "skipped"
    desk.save("bare")

    assert load_kept_setup(Profiles(tmp_path), "bare").table is None
    game = game_of(Profiles(tmp_path), "bare", sample)
    assert game.markers is NO_MARKERS
    assert game.lens is None
    desk.start_over("table")
    assert desk.state().statuses["table"] == "open"


def test_steps_that_need_another_one_first_say_so(desk):
    with pytest.raises(CalibrationError, match="Take these steps first"):
        desk.save("too early")
    with pytest.raises(CalibrationError, match="not saved yet"):
        desk.read()
    with pytest.raises(CameraNotFound, match="upload photos"):
        desk.look(is_wanted=False)
    with pytest.raises(UnknownName):
        desk.choose_game("absent", None)
    with pytest.raises(BadValue, match="begun again"):
        desk.start_over("game")


def test_what_was_taught_is_played_with_instead_of_the_sample_game(desk, tmp_path):
    profiles = Profiles(tmp_path)
    desk.choose_camera(PHOTOS)
    desk.skip_lens()
    desk.skip_table()
    desk.go_to("teach")
    roster = sample_game().roster
    profiles.keep("roster", "doors only", to_json(roster_document(dataclasses.replace(roster, figures=()))).encode())
    game = desk.state().game
    assert (game.with_figures, game.with_doors) == ((), ("doors only",))
    profiles.keep("roster", "my box", to_json(roster_document(roster)).encode())
    write_tiles(tmp_path / "tiles", sample_tiles())
    profiles.keep_tiles("my box", tmp_path / "tiles")

    desk.go_to("game")
    game = desk.state().game
    assert (game.tiles, game.roster) == ("my box", "my box")
    assert desk.state().statuses["teach"] == "done"
    # A person who chooses the sample game keeps it.
    desk.choose_game(None, None)
    desk.go_to("save")
    assert desk.state().game.tiles is None


def test_a_phone_alone_prints_nothing(desk):
    desk.choose_camera(PHOTOS)
    desk.skip_lens()
    desk.skip_table()
    assert desk.state().statuses["sheets"] == "skipped"


def test_going_on_passes_steps_that_ask_for_nothing(desk):
    desk.choose_camera(PHOTOS)
    desk.go_to("sheets")
    desk.go_to("lens")
    assert desk.state().statuses["sheets"] == "done"
    desk.go_to("game")
    desk.go_to("table")
    assert desk.state().statuses["game"] == "open"


def test_usb_cameras_are_listed_by_their_first_entries(tmp_path):
    for name in ("video0", "video1", "video2", "videocard"):
        (tmp_path / name).touch()

    absent = tmp_path / "absent"
    assert list_usb_cameras(tmp_path, absent) == ("usb:0", "usb:2")
    assert list_usb_cameras(absent, absent) == ("usb:0",)


def test_usb_cameras_are_listed_by_names_that_stay_where_the_system_has_them(tmp_path):
    devices, by_id = tmp_path / "dev", tmp_path / "by-id"
    devices.mkdir()
    by_id.mkdir()
    for number in range(4):
        (devices / f"video{number}").touch()
    for entry in (0, 1):
        (by_id / f"usb-Maker_Webcam_77-video-index{entry}").symlink_to(devices / f"video{entry + 2}")

    assert list_usb_cameras(devices, by_id) == ("usb:usb-Maker_Webcam_77-video-index0", "usb:0")


def test_a_live_camera_is_let_go_by_others_before_it_is_opened(tmp_path, sample, board_photo):
    (tmp_path / "0.png").write_bytes(board_photo(WALK[2]))
    asked = []
    desk = SetUpWizard(tmp_path, sample, lambda game, source: None, lambda: asked.append("let go"))
    desk.choose_camera(PHOTOS)
    assert asked == []
    desk.choose_camera(f"replay:{tmp_path}")
    desk.look(is_wanted=False)
    desk.close()

    assert asked == ["let go"]
    assert desk.state().has_live_camera
    assert desk.state().look.image_wh == WH


def test_a_picture_to_teach_from_has_the_cameras_own_size_and_is_judged_by_no_step(tmp_path, sample, board_photo):
    (tmp_path / "0.png").write_bytes(board_photo(WALK[2]))
    desk = SetUpWizard(tmp_path, sample, lambda game, source: None)
    desk.choose_camera(f"replay:{tmp_path}")
    desk.go_to("lens")
    before = desk.state()
    photo = decode_photo(desk.photo())
    desk.close()

    assert photo.shape == (WH[1], WH[0], 3)
    assert desk.state() == before
    desk.choose_camera(PHOTOS)
    with pytest.raises(CameraNotFound, match="No live camera is chosen"):
        desk.photo()


def test_a_live_camera_takes_the_newest_frame_of_its_source(tmp_path, board_photo):
    (tmp_path / "0.png").write_bytes(board_photo(WALK[2]))
    camera = open_camera(f"replay:{tmp_path}")
    try:
        assert isinstance(camera, LiveCamera)
        assert camera.picture("table", 0).shape == (WH[1], WH[0], 3)
    finally:
        camera.close()


def test_markers_printed_too_small_are_put_right_with_one_tap(sample, tmp_path):
    """The tiles of the first reading showed them at 97 %: places and sizes of the markers follow, and are saved."""
    table = table_document(sample.markers)
    found = TableOutcome(table, 0.2, 0.1, 0.0, ())
    progress = Progress(source=PHOTOS, table=found, name="Kitchen", is_read=True, print_scale=0.97)
    ProgressFile(tmp_path).write(progress)
    desk = SetUpWizard(tmp_path, sample, lambda _game, _source: None)
    assert desk.state().print_scale == 0.97

    desk.take_print_scale()
    kept = table_from_json(Profiles(tmp_path).read("table", "Kitchen"))
    for before, after in zip(sample.markers.markers, kept.markers, strict=True):
        assert np.array(after.corners_mm) == pytest.approx(0.97 * np.array(before.corners_mm), abs=0.01)
    state = desk.state()
    assert (state.print_scale, state.sheets.measured_mm, state.statuses["read"]) == (None, 97.0, "open")
    with pytest.raises(StepMissing):
        desk.take_print_scale()


def test_a_damaged_roster_does_not_close_the_step_of_teaching(desk, tmp_path, sample):
    roster = to_json(roster_document(sample.roster)).encode()
    Profiles(tmp_path).keep("roster", "mine", roster).write_bytes(b"{")
    desk.go_to("teach")
    assert (desk.state().game.rosters, desk.state().game.with_figures) == (("mine",), ())
