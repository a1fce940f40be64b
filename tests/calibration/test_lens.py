"""The lens from pictures of its board: exact on rendered views, steady on real webcams."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from assistant.errors import CalibrationError
from calibration.lens import calibrate_lens, choose_views
from calibration.lens_board import BoardSighting, LensBoard, OtherBoard, SeenMarkers, find_board, find_other_board
from calibration.lens_guidance import PictureRefusal, blur_px, judge, missing, tilt_directions

BOARD = LensBoard()
WH = (1280, 720)


def board_view(synthetic, pose, noise_px, seed) -> BoardSighting:
    noise = np.random.default_rng(seed)
    places_mm = np.vstack([BOARD.corners_mm, BOARD.marker_corners_mm.reshape(-1, 2)])
    pixels = pose.pixels(places_mm, synthetic.LENS)
    pixels += noise.normal(0, noise_px, pixels.shape)
    inside = ((pixels > 0) & (pixels < WH)).all(axis=1)
    return BoardSighting(pixels[inside], places_mm[inside], int(inside[: len(BOARD.corners_mm)].sum()))


@pytest.fixture
def views(synthetic):
    """Fifteen views from all around, as somebody would take them."""

    def taken(noise_px):
        places = [(81 + 50 * np.cos(k * 1.9), 108 + 60 * np.sin(k * 1.3)) for k in range(15)]
        poses = [
            synthetic.looking_at(place, 360 + 10 * k, (15, 30, 40, 45, 25)[k % 5], 75.0 * k)
            for k, place in enumerate(places)
        ]
        return [board_view(synthetic, pose, noise_px, seed) for seed, pose in enumerate(poses)]

    return taken


def test_the_lens_of_rendered_views_is_found(synthetic, views):
    """The acceptance: 0.1 px noise, focal length within 0.2 %, RMS under 0.2 px."""
    result = calibrate_lens(views(0.1), WH)

    assert result.rms_px < 0.2
    assert result.lens.matrix[0][0] == pytest.approx(1051, rel=2e-3)
    assert result.focal_uncertainty < 2e-3
    assert result.dropped == ()
    assert len(result.kept) == 15


def test_its_uncertainty_is_honest(synthetic, views):
    result = calibrate_lens(views(0.2), WH)

    assert abs(result.lens.matrix[0][0] - 1051) < 4 * result.focal_sigma_px
    assert abs(result.lens.matrix[0][2] - 645) < 4 * result.center_sigma_px[0]


def test_a_view_that_does_not_fit_is_dropped_and_named(synthetic, views):
    taken = views(0.1)
    shaken = taken[6].corners_px + np.random.default_rng(1).normal(0, 3, taken[6].corners_px.shape)
    taken[6] = BoardSighting(shaken, taken[6].board_mm, taken[6].corner_count)

    result = calibrate_lens(taken, WH)

    assert result.dropped == (6,)
    assert np.isnan(result.view_rms_px[6])
    assert result.rms_px < 0.2


def test_pictures_without_the_board_are_passed_over(synthetic, views):
    result = calibrate_lens([None, *views(0.1), None], WH)

    assert 0 not in result.kept
    assert len(result.view_rms_px) == 17


def test_too_few_or_alike_pictures_are_refused(synthetic, views):
    one = views(0.1)[0]

    with pytest.raises(CalibrationError, match="Only 1 picture"):
        calibrate_lens([one] * 20, WH)
    assert choose_views([one, None, one], WH) == [0]
    assert choose_views([], WH) == []


def test_the_printed_board_is_found_upright_and_inverted(synthetic):
    sheet = cv2.aruco.CharucoBoard(
        (BOARD.columns, BOARD.rows),
        BOARD.square_mm,
        BOARD.square_mm * BOARD.marker_share,
        cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_5X5_50),
    ).generateImage((600, 800), marginSize=30)

    sighting = find_board(sheet, BOARD)
    inverted = find_board(255 - sheet, BOARD)

    assert sighting is not None
    assert inverted is not None
    assert (sighting.is_inverted, inverted.is_inverted) == (False, True)
    assert sighting.corner_count == (BOARD.columns - 1) * (BOARD.rows - 1)
    scale = np.linalg.lstsq(np.column_stack([sighting.board_mm, np.ones(len(sighting.board_mm))]), sighting.corners_px)[
        0
    ]
    fitted = np.column_stack([sighting.board_mm, np.ones(len(sighting.board_mm))]) @ scale
    assert np.abs(fitted - sighting.corners_px).max() < 0.8  # OpenCV draws the board to whole pixels
    assert inverted.corners_px == pytest.approx(sighting.corners_px, abs=0.2)


def test_a_picture_without_a_board_shows_none():
    assert find_board(np.full((200, 300), 128, np.uint8), BOARD) is None
    assert find_board(np.zeros((1, 1), np.uint8), BOARD) is None


def sheet_of(board: LensBoard) -> np.ndarray:
    size = (board.columns, board.rows)
    family = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, board.family))
    charuco = cv2.aruco.CharucoBoard(size, board.square_mm, board.square_mm * board.marker_share, family)
    return charuco.generateImage((600, 600 * board.rows // board.columns), marginSize=30)


def test_another_board_in_the_pictures_is_named() -> None:
    printed = LensBoard(4, 5, 54.0, 0.75, "DICT_4X4_1000")
    sheet = sheet_of(printed)
    exchanged = replace(printed, columns=5, rows=4)
    other_family = replace(printed, family="DICT_6X6_250")
    for asked, picture, is_inverted in (
        (exchanged, sheet, False),
        (printed, sheet, True),
        (other_family, sheet, False),
        (exchanged, 255 - sheet, False),
    ):
        found = find_other_board([picture], asked, is_inverted=is_inverted)
        assert found == OtherBoard(printed, picture is not sheet)


def test_markers_without_a_board_are_counted_and_a_bare_picture_shows_none() -> None:
    foreign = sheet_of(LensBoard(6, 9, 27.0, 0.75, "DICT_6X6_250"))
    seen = find_other_board([foreign], LensBoard(), is_inverted=False)
    assert isinstance(seen, SeenMarkers)
    assert (seen.family, seen.count) == ("DICT_6X6_1000", 27)
    assert find_other_board([np.full((200, 300), 128, np.uint8)], LensBoard(), is_inverted=False) is None


@pytest.mark.slow
@pytest.mark.parametrize(("name", "limit_px"), [("webcam-0", 0.24), ("webcam-3", 0.20)])
def test_real_webcams_are_calibrated_from_their_videos(shared_file, name, limit_px):
    """By the product's own choice of frames. The focal length is stable without every second frame."""
    board = LensBoard(4, 5, 54.0, 0.75, "DICT_4X4_1000")
    recording = cv2.VideoCapture(str(shared_file(f"photos/{name}.mp4")))
    sightings = []
    while (frame := recording.read()[1]) is not None:
        sightings.append(find_board(cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY), board, is_inverted=True))

    whole = calibrate_lens(sightings, WH)
    halves = [calibrate_lens(sightings[start::2], WH) for start in (0, 1)]

    assert whole.rms_px <= limit_px
    for half in halves:
        assert half.lens.matrix[0][0] == pytest.approx(whole.lens.matrix[0][0], rel=5e-3)


def photo_of_board(synthetic, pose) -> np.ndarray:
    """Return the board as a camera sees it, on a grey table."""
    px_per_mm = 4
    sheet = cv2.aruco.CharucoBoard(
        (BOARD.columns, BOARD.rows),
        BOARD.square_mm,
        BOARD.square_mm * BOARD.marker_share,
        cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_5X5_50),
    ).generateImage((int(180 * px_per_mm), int(240 * px_per_mm)))
    ends_mm = np.array([[0, 0], [180, 0], [180, 240], [0, 240]], dtype=np.float64)
    homography = cv2.findHomography(ends_mm * px_per_mm, pose.pixels(ends_mm, synthetic.LENS))[0]
    return cv2.warpPerspective(sheet, homography, WH, flags=cv2.INTER_AREA, borderValue=110)


def test_guidance_takes_a_good_picture_and_says_what_is_wrong_with_others(synthetic):
    pose = synthetic.looking_at((90, 120), 450, 25, 0)
    photo = photo_of_board(synthetic, pose)
    sighting = find_board(photo, BOARD)
    assert sighting is not None

    assert judge(photo, sighting, BOARD, []) is None
    assert judge(photo, sighting, BOARD, [sighting]) is PictureRefusal.ALIKE
    assert judge(photo, None, BOARD, []) is PictureRefusal.NO_BOARD
    few = BoardSighting(sighting.corners_px[:5], sighting.board_mm[:5], 5)
    assert judge(photo, few, BOARD, []) is PictureRefusal.FEW_CORNERS
    assert judge(cv2.GaussianBlur(photo, (0, 0), 4), sighting, BOARD, []) is PictureRefusal.BLURRED
    mirrored = photo.copy()
    cv2.circle(mirrored, tuple(int(v) for v in pose.pixels([(75, 75)], synthetic.LENS)[0]), 25, 255, -1)
    assert judge(mirrored, sighting, BOARD, []) is PictureRefusal.GLARE


@pytest.mark.parametrize("blur", [1.0, 2.0, 3.0])
def test_blur_is_measured_in_pixels(synthetic, blur):
    photo = photo_of_board(synthetic, synthetic.looking_at((90, 120), 450, 10, 0))
    sighting = find_board(photo, BOARD)

    assert sighting is not None
    assert blur_px(cv2.GaussianBlur(photo, (0, 0), blur), sighting) == pytest.approx(blur, rel=0.3, abs=0.3)


@pytest.mark.parametrize(("around_deg", "nearer"), [(0, "top"), (180, "bottom")])
def test_the_direction_of_tilt_is_reported(synthetic, around_deg, nearer):
    pose = synthetic.looking_at((90, 120), 450, 35, 0)
    view = board_view(synthetic, pose, 0.0, 0)
    near = view.corners_px if around_deg == 0 else np.array(WH) - view.corners_px

    assert tilt_directions(BoardSighting(near, view.board_mm, view.corner_count), WH) == {nearer}


def test_guidance_asks_for_what_is_missing_until_nothing_is(synthetic, views):
    nothing = missing([], WH)
    assert len(nothing.parts) == 12
    assert nothing.tilts == ("left", "right", "top", "bottom")
    assert str(nothing.sentence()) == "Move the board to the top left of the picture."

    square_on = [board_view(synthetic, synthetic.looking_at((90, 120), 300, 0, 0), 0, 0)] * 12
    assert missing(square_on, WH).tilts == nothing.tilts

    view = board_view(synthetic, synthetic.looking_at((90, 120), 600, 35, 0), 0, 0)
    center = np.array(WH) / 2
    turns = [np.array([[np.cos(a), np.sin(a)], [-np.sin(a), np.cos(a)]]) for a in np.radians((0, 90, 180, 270))]
    turned_px = [(view.corners_px - center) @ turn + center for turn in turns]
    tilted = [BoardSighting(corners_px, view.board_mm, view.corner_count) for corners_px in turned_px]
    assert missing(tilted, WH).tilts == ()
    assert missing(tilted, WH).views == 8
    shifted = [
        BoardSighting(v.corners_px + np.array([dx, dy]), v.board_mm, v.corner_count)
        for v in tilted
        for dx, dy in ((-300, -200), (300, 200), (300, -200), (-300, 200))
    ]
    assert missing(shifted, WH).is_nothing
    assert str(missing(shifted, WH).sentence()).startswith("That is enough")
