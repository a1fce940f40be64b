"""Collecting views of the lens board from a live camera, on rendered pictures of a person holding it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from assistant.errors import PhotosDiffer
from assistant.table.camera import CameraLens
from calibration.color import gray_from_bgr
from calibration.lens import calibrate_lens
from calibration.lens_board import LensBoard
from calibration.lens_capture import MOST_VIEWS, LensCapture, add_picture, sheet_outline
from calibration.lens_guidance import PictureRefusal
from vision.simulation.lens_board import WALK, BoardStage, Held

BOARD = LensBoard()
LENS = CameraLens(800, 450, ((680.0, 0, 405.0), (0, 680.0, 219.0), (0, 0, 1)), (-0.08, 0.02, 0.0, 0.0, 0.0))
STEADY = Held(0.5, 0.5, 430, 5, 0)


@pytest.fixture(scope="module")
def stage():
    return BoardStage(BOARD, LENS)


@pytest.fixture(scope="module")
def photo(stage):
    """A picture of the board held in some way."""

    def taken(held, seed=0):
        return gray_from_bgr(stage.photo(held, seed))

    return taken


@pytest.fixture(scope="module")
def walked(photo):
    """The capture after a person has followed the advice, and the value of each picture."""
    capture, looks = LensCapture(BOARD), []
    for number, held in enumerate(WALK):
        capture, look = add_picture(capture, photo(held, number), is_photo=True)
        looks.append(look)
        if capture.is_enough:
            break
    return capture, looks


def test_bad_pictures_are_refused_with_their_reason(photo):
    def refusal(held):
        return add_picture(LensCapture(BOARD), photo(held), is_photo=True)[1].refusal

    assert refusal(STEADY) is None
    assert refusal(STEADY._replace(distance_mm=400, blur_px=1.5)) is PictureRefusal.BLURRED
    assert refusal(STEADY._replace(tilt_deg=24, glare=True)) is PictureRefusal.GLARE
    assert refusal(STEADY._replace(across=-0.6)) is PictureRefusal.NO_BOARD


def test_a_mirrored_picture_is_called_mirrored(photo):
    mirrored = np.ascontiguousarray(photo(STEADY)[:, ::-1])
    capture, look = add_picture(LensCapture(BOARD), mirrored, is_photo=True)
    assert look.refusal is PictureRefusal.MIRRORED
    assert capture.taken == ()


def test_a_live_picture_is_taken_when_the_board_rests(photo):
    moved, still = photo(STEADY._replace(across=0.46), 1), photo(STEADY, 2)
    capture, first = add_picture(LensCapture(BOARD), moved)
    capture, second = add_picture(capture, still)
    capture, third = add_picture(capture, photo(STEADY, 3))
    capture, fourth = add_picture(capture, photo(STEADY, 4))

    assert [look.refusal for look in (first, second, third, fourth)] == [
        PictureRefusal.MOVING,
        PictureRefusal.MOVING,
        None,
        PictureRefusal.ALIKE,
    ]
    assert len(capture.taken) == 1


def test_whoever_follows_the_advice_has_enough_after_a_dozen_views(walked):
    capture, looks = walked

    assert capture.is_enough
    assert 10 <= len(capture.taken) <= 15
    assert looks[-1].missing.is_nothing
    parts = [len(look.missing.parts) for look in looks]
    assert parts == sorted(parts, reverse=True)


def test_the_lens_of_those_views_is_right(walked):
    capture, _ = walked
    result = calibrate_lens(capture.taken, capture.image_wh)

    assert result.lens.matrix[0][0] == pytest.approx(LENS.matrix[0][0], rel=0.002)
    assert result.rms_px < 0.2
    assert result.dropped == ()


def test_opposite_tilts_are_no_alike_pictures(photo):
    capture, _ = add_picture(LensCapture(BOARD), photo(Held(0.5, 0.5, 470, 32, 0)), is_photo=True)
    _, look = add_picture(capture, photo(Held(0.5, 0.5, 470, 32, 180)), is_photo=True)

    assert look.is_taken


def test_the_outline_is_where_the_board_is(stage, photo):
    _, look = add_picture(LensCapture(BOARD), photo(STEADY), is_photo=True)
    wide, high = BOARD.columns * BOARD.square_mm, BOARD.rows * BOARD.square_mm
    corners = np.array([[0, 0, 0], [wide, 0, 0], [wide, high, 0], [0, high, 0]], float)

    assert sheet_outline(look.sighting, BOARD) == pytest.approx(stage.view(STEADY).project(corners), abs=6)


def test_a_picture_of_another_size_is_refused(photo):
    capture, _ = add_picture(LensCapture(BOARD), photo(STEADY), is_photo=True)

    with pytest.raises(PhotosDiffer, match="one camera"):
        add_picture(capture, photo(STEADY)[:400], is_photo=True)


def test_that_number_of_views_is_enough_whatever_they_miss(photo):
    capture, look = add_picture(LensCapture(BOARD), photo(STEADY), is_photo=True)

    assert not capture.is_enough
    assert not capture.can_solve
    assert replace(capture, taken=(look.sighting,) * MOST_VIEWS).is_enough
    assert not LensCapture(BOARD).is_enough
