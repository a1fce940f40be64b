"""Teaching a box with the real reader, on simulated hand-held photos."""

from __future__ import annotations

import threading
from dataclasses import replace

import cv2
import numpy as np
import pytest
from loose_box import lay_out_loosely, loose_scene, random_box, turned_over
from printed_names import NamePrint, with_names

from assistant.app.side_process import SideProcess, WorkHere
from assistant.app.teaching.box import BoxCount, BoxTeacher, TileCutOff
from assistant.app.teaching.library import TaughtGames, TeachingTable, WouldReplace
from assistant.app.teaching.line_ups import read_line_up
from assistant.app.teaching.values import ConfirmedTile
from assistant.errors import BadValue, DraftGone
from assistant.table.camera import NO_MARKERS
from vision.photo.faults import PhotoUnclear
from vision.simulation.dataset import take_photo

WIDE = (1600, 1200)


NAMES = {"01": "05", "02": "12", "03": "23"}


@pytest.fixture(scope="module")
def box():
    """Three two-sided tiles with their names printed on them, not in their order on the table."""
    return with_names(random_box(7, 3), NamePrint(), NAMES)


@pytest.fixture(scope="module")
def photos(box):
    """Their fronts with a door and a card among them, and their backs."""
    layout = lay_out_loosely(np.random.default_rng(3), box, box.tiles, ("door token", "card"))
    over = turned_over(np.random.default_rng(4), layout)
    scenes = [
        loose_scene(31, box, layout, "A", "wood", photo_wh=WIDE),
        loose_scene(32, box, over, "B", "wood", photo_wh=WIDE),
    ]
    return [take_photo(scene)[0] for scene in scenes]


@pytest.fixture(scope="module")
def taught(photos, tmp_path_factory):
    """The desk after both photos."""
    desk = BoxTeacher(TaughtGames(tmp_path_factory.mktemp("box")), lambda: TeachingTable(NO_MARKERS, None))
    desk.add_photo(photos[0], is_turned=False)
    desk.add_photo(photos[1], is_turned=True)
    assert desk.wait(timeout_s=280)
    assert desk.problem is None
    return desk


def test_a_dark_photo_is_called_dark_where_a_box_or_a_line_up_is_taught(tmp_path):
    """The box page said that it shows no tile, and the line-up learned whatever it saw."""
    dark = cv2.imencode(".jpg", np.full((600, 800, 3), 4, np.uint8))[1].tobytes()
    desk = BoxTeacher(TaughtGames(tmp_path), lambda: TeachingTable(NO_MARKERS, None), WorkHere())
    desk.add_photo(dark, is_turned=False)
    assert desk.wait(timeout_s=60)
    assert isinstance(desk.problem, PhotoUnclear)
    with pytest.raises(PhotoUnclear, match="too dark"):
        read_line_up(dark, TeachingTable(NO_MARKERS, None))


def test_all_sides_are_found_named_and_paired(taught, box):
    found = {side.name: side for side in taught.sides()}
    assert sorted(found) == ["05A", "05B", "12A", "12B", "23A", "23B"]
    assert not any(side.is_name_doubtful for side in found.values())
    shapes = sorted(len(side.cells) for side in box.printed.tile_set.sides)
    assert sorted(len(side.reading.cells) for side in found.values()) == shapes
    assert all(found[found[name].name].other is not None for name in found)
    assert [thing.kind for thing in taught.others()].count("door") == 1
    assert [thing.kind for thing in taught.others()].count("card") == 1


def test_the_box_is_saved_and_asks_before_it_replaces(taught):
    kept = taught.keep("home", may_replace=False)
    assert len(kept.sides) == 6
    with pytest.raises(WouldReplace):
        taught.keep("home", may_replace=False)
    assert len(taught.keep("home", may_replace=True).sides) == 6


def test_a_box_without_white_paper_says_that_its_pictures_have_a_light_of_their_own(taught):
    taught.keep("own-light", may_replace=True)
    assert not taught._games.tile_set("own-light").in_white_light
    assert all(sight.light is not None for photo in taught._batches[0].photos[False] for sight in photo.tiles)


def test_a_finger_sets_right_a_line_a_name_and_a_pair(taught):
    key = taught.sides()[0].key
    draft = taught.draft(key)
    tile = next(edge for edge in draft.edges)
    taught.correct(key, ConfirmedTile("", key, frozenset(draft.cells), {tile: "obstacle"}, frozenset()))
    assert {edge for edge, (kind, _) in taught.draft(key).edges.items() if kind} == {tile}
    assert taught.side(key).doubts == 0
    taught.rename(key, "17A")
    other = taught.side(key).other
    assert other is not None
    assert taught.side(other).name == "17B"
    taught.pair(key, None)
    assert (taught.side(key).other, taught.side(other).other) == (None, None)
    taught.pair(key, other)
    assert (taught.side(key).other, taught.side(other).other) == (other, key)


def test_a_name_that_the_box_cannot_have_is_counted_and_framed(monkeypatch, taught):
    monkeypatch.setattr("assistant.app.teaching.box.known_boxes", lambda: [BoxCount("Twenty", 20, 0)])
    taught.choose_game("Twenty")
    framed = [side for side in taught.sides() if side.is_name_doubtful]
    assert len(framed) == 2
    assert all(side.is_doubtful and not side.name.startswith("23") for side in framed)
    taught.choose_game(None)
    assert not any(side.is_name_doubtful for side in taught.sides())


def test_a_printed_name_that_a_person_gave_to_another_tile_is_counted_and_framed(taught):
    first, *_, last = (side for side in taught.sides() if side.other is not None)
    own = taught._names
    taught._names = {last.key: first.name}
    names = [side.name for side in taught.sides() if side.key != last.key]
    assert first.name not in names
    taught._names = own


def test_names_are_told_apart_before_saving(taught):
    first, second = (side.key for side in taught.sides()[:2])
    taught.rename(first, "21A")
    taught.rename(second, "21A")
    with pytest.raises(BadValue):
        taught.keep("other", may_replace=False)
    taught.rename(second, "21B")
    assert len(taught.keep("other", may_replace=False).sides) == 6


@pytest.fixture
def beside(tmp_path):
    """An empty desk that reads in a process of its own."""
    desk = BoxTeacher(TaughtGames(tmp_path), lambda: TeachingTable(NO_MARKERS, None), SideProcess())
    yield desk
    desk.close()


def test_reading_ends_when_a_person_cancels_and_the_next_photo_is_read(photos, beside):
    beside.add_photo(photos[0], is_turned=False)
    beside.add_photo(photos[1], is_turned=True)
    assert beside.batches == ((1, 1),)
    beside.cancel()
    assert beside.batches == ((0, 0),)
    beside.add_photo(photos[1], is_turned=False)
    assert beside.wait(timeout_s=280)
    assert (beside.progress, beside.problem, beside.batches) == (None, None, ((1, 0),))
    assert len(beside.sides()) == 3


def test_a_batch_ends_while_its_photo_is_read_and_a_forgotten_box_gets_nothing(photos, tmp_path):
    reading, goes_on = threading.Event(), threading.Event()

    class Halting(WorkHere):
        def __call__(self, work, /, *args, **kwargs):
            reading.set()
            assert goes_on.wait(60)
            return super().__call__(work, *args, **kwargs)

    desk = BoxTeacher(TaughtGames(tmp_path), lambda: TeachingTable(NO_MARKERS, None), Halting())
    desk.add_photo(b"no picture", is_turned=False)
    assert reading.wait(60)
    desk.next_batch()
    assert desk.batches == ((1, 0), (0, 0))
    desk.clear()
    goes_on.set()
    assert desk.wait(timeout_s=60)
    assert (desk.batches, desk.problem) == (((0, 0),), None)


def test_a_tile_over_the_edge_is_asked_for_until_a_photo_shows_it_whole(taught, tmp_path):
    whole = taught._batches[0].photos[False][0]
    first, *others = whole.tiles
    read = iter([replace(whole, tiles=(replace(first, is_cut=True), *others)), whole])

    class Kept(WorkHere):
        def __call__(self, work, /, *args, **kwargs):
            return next(read)

    desk = BoxTeacher(TaughtGames(tmp_path), lambda: TeachingTable(NO_MARKERS, None), Kept())
    desk.add_photo(b"", is_turned=False)
    assert desk.wait(timeout_s=60)
    assert isinstance(desk.problem, TileCutOff)
    desk.add_photo(b"", is_turned=False)
    assert desk.wait(timeout_s=60)
    assert desk.problem is None
    assert not any(side.is_cut for side in desk.sides())


def test_a_side_is_paired_with_another_one_alone(taught):
    before = [(side.key, side.other) for side in taught.sides()]
    with pytest.raises(BadValue):
        taught.pair(before[0][0], before[0][0])
    with pytest.raises(DraftGone):
        taught.pair(before[0][0], "0-b-77")
    assert [(side.key, side.other) for side in taught.sides()] == before
