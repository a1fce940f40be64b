"""A photo from another side, read together with the picture on the page."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from assistant.app.care.report_score import score_report
from assistant.app.care.reports import read_again, report_of_shot
from assistant.app.live.game_files import ReadableGame
from assistant.app.live.reader import MOST_SIDES, GameReader
from assistant.app.live.shots import ReadPicture, Shot
from assistant.documents.report import ReadingReport, report_from_zip, report_zip
from assistant.errors import PhotoUnreadable
from assistant.table.camera import Calibration
from assistant.table.observation import Observation
from vision.simulation.compose import random_scene
from vision.simulation.dataset import take_photo
from vision.simulation.scene import Bucket
from vision.tiles.prints import prints_from_images
from vision.training.view_weight_fit import from_another_side

Read = tuple[GameReader, ReadPicture, bytes]


def photographed(seed: int, bucket: Bucket) -> Read:
    """Return the reader of a simulated table, its read picture, and a photo from another side."""
    scene = random_scene(seed, bucket)
    tiles = scene.printed.tile_set
    prints = prints_from_images(tiles, [scene.printed.images[side.id] for side in tiles.sides])
    reader = GameReader(ReadableGame("table", scene.markers, scene.view.lens, prints, scene.roster, {}))
    side, _ = take_photo(from_another_side(scene, 120.0, np.random.default_rng(7)))
    return reader, reader.read(take_photo(scene)[0]), side


@pytest.fixture(scope="module")
def read() -> Read:
    """A table on which each photo alone shows all."""
    return photographed(2011, "easy")


@pytest.fixture(scope="module")
def doubtful() -> Read:
    """A table on which one photo settles a doubt of the other."""
    return photographed(4106, "hard")


def test_a_side_is_reported_on_the_picture_that_is_shown(read: Read) -> None:
    reader, seen, side = read
    joint = reader.read_side(side, seen, by_same_camera=True)
    assert (joint.picture, joint.view) == (seen.picture, seen.view)
    assert joint.observation.board.cells == seen.observation.board.cells
    assert len(joint.observation.views) == 2
    assert len(joint.sides) == 1


def test_the_lens_of_another_phone_is_estimated(read: Read) -> None:
    reader, seen, side = read
    joint = reader.read_side(side, seen, by_same_camera=False)
    assert len(joint.observation.tiles) == len(seen.observation.tiles)
    # The estimated lens makes the tiles look too large, and its picture is read at the scale that corrects it.
    by_own_lens = reader.read_side(side, seen, by_same_camera=True).observation
    assert _stated(joint.observation) == pytest.approx(_stated(by_own_lens), abs=0.01)


def test_the_number_of_stored_sides_is_limited(read: Read) -> None:
    reader, seen, side = read
    first = reader.read_side(side, seen, by_same_camera=True)
    full = replace(first, sides=first.sides * MOST_SIDES)
    assert len(reader.read_side(side, full, by_same_camera=True).sides) == MOST_SIDES


def test_no_picture_of_a_report_holds_place_or_owner(read: Read) -> None:
    reader, _, side = read
    note = b"Exif\x00\x00GPS of the owner's house"
    named = side[:2] + b"\xff\xe1" + (len(note) + 2).to_bytes(2, "big") + note + side[2:]
    joint = reader.read_side(named, reader.read(named), by_same_camera=True)
    report = report_zip(report_of_shot(Shot("photo-1", "photo", joint, reader.setup, 0.0), reader.game))
    assert b"GPS of" in named
    assert b"GPS of" not in report
    assert b"Exif" not in report


def test_a_side_that_is_no_picture_is_refused(read: Read) -> None:
    reader, seen, _ = read
    with pytest.raises(PhotoUnreadable):
        reader.read_side(b"no picture", seen, by_same_camera=True)


def test_a_second_side_leaves_the_first_its_own_lens(read: Read) -> None:
    reader, seen, side = read
    first = reader.read_side(side, seen, by_same_camera=False)  # a phone, beside the table's camera
    assert not reader.read_side(side, first, by_same_camera=True).has_one_camera


def test_a_picture_is_read_and_reported_with_the_lens_and_the_markers_that_it_was_read_with(read: Read) -> None:
    """After a zoom or a pushed marker the set-up's documents counted: nothing lay where the picture showed it."""
    at_hand, seen, side = read
    game, (first, *others) = at_hand.game, at_hand.game.markers.markers
    assert game.lens is not None
    before = replace(game.markers, markers=(first.scaled(1.1), *others))
    reader = GameReader(replace(game, lens=game.lens.zoomed(0.8), markers=before))
    joint = reader.read_side(side, seen, by_same_camera=True)
    assert joint.observation == at_hand.read_side(side, seen, by_same_camera=True).observation
    report = report_of_shot(Shot("live-1", "live", joint, reader.setup, 0.0), reader.game)
    assert Calibration(report.table, report.camera) == seen.calibration


def test_a_report_of_a_reading_from_several_photos_is_read_again_from_all_of_them(
    doubtful: Read,
) -> None:
    reader, seen, side = doubtful
    joint = reader.read_side(side, seen, by_same_camera=False)
    report = report_of_shot(Shot("photo-1", "photo", joint, reader.setup, 0.0), reader.game)
    sent = report_from_zip(report_zip(report))
    assert isinstance(sent, ReadingReport)
    assert (sent.sides, sent.head.sides_lens) == (joint.sides, "estimated")
    again = read_again(sent)
    assert again.board == joint.observation.board
    # A report encodes its tiles anew, so chances differ by its rounding.
    assert _stated(again) == pytest.approx(_stated(joint.observation), abs=0.005)
    seen_by = [[view.camera.marker_scale for view in one.views] for one in (again, joint.observation)]
    assert seen_by[0] == pytest.approx(seen_by[1], abs=0.001)
    assert [view.settled for view in again.views] == [view.settled for view in joint.observation.views]
    assert any(view.settled for view in again.views)
    assert not score_report(sent).now


def _stated(observation: Observation) -> list[float]:
    figures, doors = observation.figures, observation.doors
    return [figure.confidence for figure in figures] + [door.confidence for door in doors]
