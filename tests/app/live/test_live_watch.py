"""Watching a table, step by step: beliefs, the shown table, and corrections between two frames.

The reader of these tests knows the simulated scene (or a test's replacement) without looking at the picture.
``test_live_faults.py`` uses the real one.
"""

from __future__ import annotations

import json
import threading
import time
from contextlib import contextmanager
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from loading import beside

from assistant.app.live import believed_table, frame_reader
from assistant.app.live.believed_table import NothingSeen, TableBusy
from assistant.app.live.estimate import rename_lattice
from assistant.app.live.recorder import Recorder
from assistant.app.live.table_correction import TableCorrection
from assistant.app.matches.archive import KeptMatches
from assistant.app.matches.choice import open_sample_match
from assistant.app.setup.sample import sample_game
from assistant.documents import board_document, observation_from_json
from assistant.errors import (
    BoardError,
    CameraLost,
    PicturesStopped,
    RecordingFull,
    RecordingStopped,
    StoreError,
    TooFewMarkers,
    UnknownName,
)
from assistant.match.actor import TABLE
from assistant.settings import Settings
from assistant.table.camera import Calibration
from assistant.table.observation import FrameObservation, LatticePose
from assistant.tracking.alignment import Renaming
from assistant.tracking.association import ActiveFigure
from assistant.translations.messages import said
from assistant.wiring.watching import open_table_with_cells
from calibration.pose import CameraView
from vision.live.frames import Frame
from vision.live.incremental import FrameReading
from vision.simulation.sample import sample_scene
from vision.simulation.truth import truth_document
from vision.sources.names import SourceName
from vision.sources.recording import blocks_of

rig = beside(__file__, "live_rig")
STEP_S = 0.1


@pytest.fixture(scope="module")
def scene():
    return sample_scene()


@pytest.fixture(scope="module")
def game():
    return sample_game()


def truth(scene):
    document = truth_document(scene)
    for part in ("tiles", "doors", "figures"):
        for item in document[part]:
            item["confidence"] = 1.0
    return observation_from_json(json.dumps(document).encode())


class Eye:
    """A reader that returns a test's values."""

    def __init__(self, scene):
        view = scene.view
        self.view = CameraView(view.lens, view.rotation_vector, view.translation_mm, 0.1, (1, 2, 3))
        self.observation = truth(scene)
        self.is_current = True
        self.hidden = frozenset()
        self.readings = 0
        self.problem = None
        self.forgotten = self.renewed = self.confirmed = 0
        self.calibration = Calibration(scene.markers, view.lens)

    def forget(self):
        self.forgotten += 1

    def renew(self):
        self.renewed += 1

    def recalibrate(self, calibration):
        self.calibration = calibration

    def confirm(self):
        self.confirmed += 1

    def look(self, frame):
        if self.problem is not None:
            raise self.problem
        self.readings += 1
        look = FrameObservation(self.observation, self.hidden, self.readings, frame.monotonic_s)
        return FrameReading(look, self.view, self.calibration, self.is_current)


class Script:
    """Blank frames, a tenth of a second apart, with a test's faults."""

    name = "script"

    def __init__(self):
        self.problem = None
        self.sequence = 0
        self.is_closed = False

    def next_frame(self, timeout_s):
        if self.problem is not None:
            raise self.problem
        self.sequence += 1
        image = np.full((72, 128, 3), self.sequence * 40 % 250, np.uint8)
        return Frame(image, self.sequence, self.sequence * STEP_S, self.name)

    def close(self):
        self.is_closed = True


@pytest.fixture
def eye(scene):
    return Eye(scene)


@pytest.fixture
def watch(game, eye):
    return rig.put_together(Script(), eye, game)


def settled(watch):
    for _ in range(4):
        watch.step()
    assert watch.page.shown.holding == "now"
    return watch


def moved(observation, figure_id, cells):
    """Return the observation with a figure seen on other cells."""
    was = observation.board.figure(figure_id).cells
    figures = tuple(replace(f, cells=cells) if f.cells == was else f for f in observation.figures)
    board = replace(
        observation.board,
        figures=tuple(replace(f, cells=cells) if f.id == figure_id else f for f in observation.board.figures),
    )
    return replace(observation, figures=figures, board=board)


def free_cell(board):
    taken = {cell for figure in board.figures for cell in figure.cells}
    return min(board.cells - taken)


def walker(observation):
    return next(f.id for f in observation.board.figures if len(f.cells) == 1)


def test_the_first_look_is_shown_and_becomes_now_with_the_second(watch):
    assert watch.step() == "now"
    shot = watch.page.shelf.latest_live()
    assert len(shot.board.figures) == len(sample_scene().figures)
    assert shot.corrected is None


def test_a_lost_camera_keeps_the_last_table_as_old_and_comes_back_by_itself(watch):
    settled(watch)
    shot = watch.page.shelf.latest_live()
    watch.source.problem = CameraLost(said("somebody pulled the plug; put it in again"))
    assert watch.step() == "old"
    assert [problem.part for problem in watch.page.problems.problems] == ["camera"]
    assert watch.page.shelf.latest_live() is shot
    watch.source.problem = None
    assert watch.step() == "now"
    assert watch.page.problems.problems == []


def test_what_cannot_be_read_is_reported_once_and_cleared(watch, eye):
    settled(watch)
    seq = watch.page.hub.seq
    eye.problem = TooFewMarkers(1, 3)
    assert [watch.step() for _ in range(5)] == ["old"] * 5
    kinds = [event.kind for event in watch.page.hub.events_after(seq, 0)]
    assert kinds == ["problems", "live"]
    eye.problem = None
    assert watch.step() == "now"
    assert watch.page.problems.problems == []


def test_nothing_is_believed_on_one_look_alone(watch, eye):
    settled(watch)
    before = watch.table.board
    true = eye.observation
    name = walker(true)
    eye.observation = moved(true, name, (free_cell(before),))
    assert watch.step() == "moving"  # suspected, so nothing is sure any more
    assert watch.table.board == before
    eye.observation = true
    watch.step()
    assert watch.step() == "now"
    assert watch.table.board == before


def test_what_is_not_believed_although_all_is_still_is_looked_at_again(watch, eye):
    settled(watch)
    for _ in range(30):  # at the beginning everything counts as touched
        watch.step()
    assert eye.confirmed == 0
    eye.observation = moved(eye.observation, walker(eye.observation), (free_cell(watch.table.board),))
    for _ in range(round(1.5 * frame_reader.CONFIRM_AFTER_S / STEP_S)):
        watch.step()
    assert eye.confirmed == 1


def test_what_lasts_is_believed_and_shown(watch, eye):
    settled(watch)
    true = eye.observation
    goal = (free_cell(watch.table.board),)
    eye.observation = moved(true, walker(true), goal)
    holdings = [watch.step() for _ in range(40)]
    assert holdings[-1] == "now"
    assert goal in {figure.cells for figure in watch.page.shelf.latest_live().board.figures}


def test_a_frozen_table_stays_whatever_the_camera_shows(watch, eye):
    settled(watch)
    before = watch.table.board
    asked(watch, lambda: watch.table.freeze(is_frozen=True))
    assert watch.table.is_frozen
    eye.observation = moved(eye.observation, walker(eye.observation), (free_cell(before),))
    assert {watch.step() for _ in range(40)} == {"frozen"}
    assert watch.table.board == before
    asked(watch, lambda: watch.table.freeze(is_frozen=False))
    for _ in range(40):
        watch.step()
    assert watch.table.board != before


def test_a_picture_with_a_hand_over_it_is_no_picture_of_the_board_and_the_next_still_one_is(watch, eye):
    settled(watch)
    assert watch.page.shelf.latest_live().is_still
    eye.is_current = False
    for _ in range(15):
        watch.step()
    assert watch.page.shown.holding == "moving"
    under = watch.page.shelf.latest_live()
    assert not under.is_still
    eye.is_current = True  # the hand is gone, and nothing stands elsewhere
    assert watch.step() == "now"
    assert watch.page.shelf.latest_live().is_still
    assert watch.page.shelf.latest_live().board == under.board


def test_a_frozen_table_keeps_the_picture_that_it_was_frozen_on(watch, eye):
    settled(watch)
    shot = watch.page.shelf.latest_live()
    asked(watch, lambda: watch.table.freeze(is_frozen=True))
    eye.is_current = False
    for _ in range(15):
        watch.step()
    assert watch.page.shelf.latest_live() is shot


def asked(watch, wish):
    """Send a request from another thread while the watching continues; raise its refusal."""
    refused = []

    def ask():
        try:
            wish()
        except (UnknownName, BoardError, NothingSeen) as problem:
            refused.append(problem)

    thread = threading.Thread(target=ask)
    thread.start()
    while thread.is_alive():
        watch.step()
    thread.join()
    if refused:
        raise refused[0]


def right(watch, **said):
    asked(watch, lambda: watch.table.correct(TableCorrection(**said)))


def test_a_correction_is_believed_shown_and_holds(watch, eye):
    settled(watch)
    name = walker(eye.observation)
    goal = (free_cell(watch.table.board),)
    shot = watch.page.shelf.latest_live()
    right(watch, figures={name: goal})
    assert watch.table.board.figure(name).cells == goal
    assert watch.page.shelf.latest_live() is not shot
    for _ in range(60):
        watch.step()
    assert watch.table.board.figure(name).cells == goal


def test_what_cannot_be_so_changes_nothing(watch):
    settled(watch)
    before = watch.table.board
    one, other = before.figures[:2]
    with pytest.raises(BoardError):
        right(watch, figures={one.id: other.cells})
    with pytest.raises(UnknownName):
        right(watch, figures={"nobody": None})
    assert watch.table.board == before


def test_before_the_first_look_there_is_nothing_to_set_right(watch, eye):
    eye.problem = TooFewMarkers(0, 3)
    with pytest.raises(NothingSeen):
        right(watch, doors={"door-1": True})


def test_a_table_that_is_busy_says_so(watch, monkeypatch):
    monkeypatch.setattr(believed_table, "ANSWER_S", 0.05)
    with watch.table._changing, pytest.raises(TableBusy):
        watch.table.freeze(is_frozen=True)  # a frame is being read
    assert not watch.table.is_frozen


def test_a_still_table_is_not_published_again_and_again(watch):
    settled(watch)
    seq = watch.page.hub.seq
    for _ in range(50):
        watch.step()
    shots = {event.body["shot"] for event in watch.page.hub.events_after(seq, 0)}
    assert shots <= {watch.page.shelf.latest_live().id}


def test_a_photo_is_read_anew_from_wherever_it_was_taken(watch, eye):
    image = np.zeros((72, 128, 3), np.uint8)
    other = np.zeros((72, 128, 3), np.uint8)
    photos = [Frame(i, n, n / 4, "push", is_photo=True) for n, i in enumerate((image, image, other, other), start=1)]
    watch.source.next_frame = lambda timeout_s: photos.pop(0)
    for _ in range(4):
        watch.step()
    assert eye.forgotten == 2


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_mistake_that_ends_the_watching_is_reported_on_the_page(watch, eye):
    eye.problem = ZeroDivisionError("ours")
    watch.page.watcher.start()
    until_s = time.monotonic() + 10
    while not watch.page.problems.problems and time.monotonic() < until_s:
        time.sleep(0.01)
    assert watch.page.watcher.close(wait_s=10)
    assert "start it again" in str(watch.page.problems.problems[0].error)


def test_stopping_lets_the_camera_go(watch):
    watch.page.watcher.start()
    time.sleep(0.05)
    assert watch.page.watcher.close(wait_s=10)
    assert watch.source.is_closed


def recorded(path):
    return [json.loads(block.text) for block in blocks_of(path) if block.kind == "event"]


def test_what_people_do_is_recorded_at_its_place_and_done_again(watch, game, eye, scene, tmp_path):
    path = tmp_path / "evening.slrec"
    watch.table.recorder = Recorder(path, 1 << 30, lambda _: None)
    settled(watch)
    name, goal = walker(eye.observation), (free_cell(watch.table.board),)
    right(watch, figures={name: goal})
    watch.source.problem = PicturesStopped()
    watch.step()
    watch.step()
    watch.source.problem = None
    asked(watch, lambda: watch.table.freeze(is_frozen=True))
    watch.table.recorder.close()
    events = recorded(path)
    assert [event["what"] for event in events if event["what"] != "known"] == [
        "table",
        "correction",
        "table",
        "camera",
        "freeze",
    ]
    again = rig.put_together(Script(), Eye(scene), game)
    settled(again)
    for event in events:
        again.table.replay(event)
    assert again.table.board == watch.table.board
    assert again.table.is_frozen


def test_names_of_the_match_outlive_a_restart_of_the_program(game, eye, tmp_path):
    board = eye.observation.board
    one, other = [figure.id for figure in board.figures if figure.kind == "crawler"][:2]
    kept = KeptMatches(tmp_path)
    session = open_sample_match(kept)
    document = board_document(replace(board, figures=tuple(swapped(board.figures, one, other))))
    session.command({"type": "see", "document": document}, TABLE)

    again = watched(game, eye, session, SourceName("virtual"), Script())
    settled(again)
    now = {figure.id: figure.cells for figure in again.table.board.figures}
    assert now[one] == board.figure(other).cells
    assert now[other] == board.figure(one).cells
    assert not again.table.questions
    kept.close()


def test_a_recording_is_played_back_with_the_names_and_the_turn_of_then(game, eye, tmp_path, monkeypatch):
    board = eye.observation.board
    one, other = [figure.id for figure in board.figures if figure.kind == "crawler"][:2]
    path, turn, turns = tmp_path / "evening.slrec", ActiveFigure(one, "heroes", 4), []
    with match_of(tmp_path / "then", replace(board, figures=tuple(swapped(board.figures, one, other)))) as session:
        then = watched(game, eye, session, SourceName("virtual"), Script())
        then.table.recorder, then.table.turn = Recorder(path, 1 << 30, lambda _: None), lambda: turn
        settled(then)
        then.page.watcher.close()
    assert then.table.board.figure(one).cells == board.figure(other).cells

    with match_of(tmp_path / "elsewhere", board) as session:
        again = watched(game, eye, session, SourceName("replay", str(path)))
        update, here = believed_table.update_tracking, threading.current_thread()

        def noted(tracked, look, turn):
            if threading.current_thread() is here:  # a table of another test may still end its last reading
                turns.append(turn)
            return update(tracked, look, turn)

        monkeypatch.setattr(believed_table, "update_tracking", noted)
        while not again.source.is_over:
            again.step()
    assert again.table.board == then.table.board
    assert set(turns) == {turn}
    again.page.watcher.close()


@contextmanager
def match_of(folder, board):
    """A match that has seen its figures on a board."""
    kept = KeptMatches(folder)
    session = open_sample_match(kept)
    session.command({"type": "see", "document": board_document(board)}, TABLE)
    yield session
    kept.close()


def watched(game, eye, session, name, source=None):
    """Return a watched table with a running match, and a reader that returns a test's values."""
    state = rig.page(game)
    state.match.play(session)
    return opened(state, game, eye, name, source)


def opened(state, game, eye, name, source=None):
    """Return the watching of a table on a page, with an eye in place of the reader."""
    watch = rig.Watch(state)
    state.watcher.open(lambda: open_table_with_cells(Settings(), name, game, state))
    watch.table.reader.reader, watch.table.reader.markers = eye, None
    state.watcher.source = source or watch.source
    return watch


@pytest.mark.parametrize(
    "event",
    [
        {"what": "correction"},
        {"what": "correction", "correction": {"figures": {"nobody": [[0, 0]]}}},
        {"what": "correction", "correction": {"figures": 3}},
        {"what": "known", "known": 7},
        {"what": "turn"},
        {"what": "something new"},
        {},
    ],
)
def test_what_cannot_be_done_again_ends_no_playback(watch, event):
    before = settled(watch).table.board
    watch.table.replay(event)
    assert settled(watch).table.board == before


def test_names_outlive_a_camera_that_is_opened_again(game, eye, watch):
    board = settled(watch).table.board
    one, other = [figure.id for figure in board.figures if figure.kind == "crawler"][:2]
    right(watch, names={one: other})
    before = watch.table
    again = opened(watch.page, game, eye, SourceName("virtual"), Script())
    assert again.table is not before
    assert settled(again).table.board == before.board
    assert again.table.board.figure(one).cells == board.figure(other).cells


class Markers:
    """Reports a test's markers."""

    def __init__(self):
        self.is_trusted, self.is_only_covered = True, False
        self.put_right = self.notice = None

    def look(self, frame):
        pass


def test_an_arm_over_the_markers_hides_no_move_and_nothing_is_sure_under_it(watch, eye):
    settled(watch)
    watch.table.reader.markers = Markers()
    watch.table.reader.markers.is_trusted, watch.table.reader.markers.is_only_covered = False, True
    name, goal = walker(eye.observation), (free_cell(watch.table.board),)
    eye.is_current = False
    watch.step()
    assert not watch.table.pace_s  # every frame counts while something moves
    eye.hidden = watch.table.board.cells
    assert watch.step() == "old"
    eye.hidden, eye.observation = frozenset(), moved(eye.observation, name, goal)
    for _ in range(2):
        assert watch.step() == "old"
    assert goal in {figure.cells for figure in watch.table.board.figures}


def test_what_was_measured_again_is_read_with(watch, eye):
    settled(watch)
    watch.table.reader.markers = Markers()
    measured = replace(eye.calibration, lens=eye.calibration.lens.zoomed(1.2))
    watch.table.reader.markers.put_right = SimpleNamespace(calibration=measured)
    watch.step()
    assert eye.calibration == measured
    eye.observation = moved(eye.observation, walker(eye.observation), (free_cell(watch.table.board),))
    watch.step()
    watch.step()
    assert watch.page.shelf.latest_live().read.calibration == measured


def test_nothing_is_looked_at_while_more_than_markers_is_wrong(watch, eye):
    settled(watch)
    watch.table.reader.markers = Markers()
    watch.table.reader.markers.is_trusted = False
    readings = eye.readings
    assert watch.step() == "old"
    assert eye.readings == readings
    assert watch.table.pace_s


def swapped(figures, one, other):
    """Return the figures after two of them have swapped names."""
    names = {one: other, other: one}
    for figure in figures:
        yield replace(figure, id=names.get(figure.id, figure.id))


def test_a_full_recording_is_reported_and_the_watching_goes_on(watch, tmp_path):
    told = []
    watch.table.recorder = Recorder(tmp_path / "small.slrec", 3000, told.append)
    for _ in range(60):
        watch.step()
    assert len(told) == 1
    assert isinstance(told[0], RecordingFull)
    assert not watch.table.recorder.is_on
    assert watch.page.shown.holding == "now"


def test_a_disk_that_is_gone_ends_the_recording_and_not_the_watching(watch, tmp_path, monkeypatch):
    told = []
    recorder = Recorder(tmp_path / "gone.slrec", 1 << 30, told.append)
    watch.table.recorder = recorder
    settled(watch)

    def broken(_):
        raise StoreError(said("the disk is gone; plug it in again"))

    monkeypatch.setattr(recorder._writer, "frame", broken)
    assert watch.step() == "now"
    assert [type(problem) for problem in told] == [RecordingStopped]


def test_looking_again_goes_on_in_the_next_file_or_without_one(game, tmp_path):
    state, first = rig.page(game), tmp_path / "evening.slrec"

    def recorder():
        settings = Settings(record=str(first))
        return open_table_with_cells(settings, SourceName("push"), game, state)[1].recorder

    begun = recorder()
    state.problems.report("recording", RecordingFull(1))
    recorder().close()
    begun.close()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["evening-2.slrec", "evening.slrec"]
    assert state.problems.problems == []

    first.with_stem("evening-3").symlink_to(tmp_path / "no folder" / "there")
    assert not recorder().is_on
    assert [type(problem.error) for problem in state.problems.problems] == [RecordingStopped]
    with pytest.raises(StoreError, match="choose a new name"):
        open_table_with_cells(Settings(record=str(tmp_path / ("a" * 300))), SourceName("push"), game, state)


@pytest.mark.parametrize("quarters", range(4))
def test_a_lattice_under_other_names_lies_where_it_lay(quarters):
    change, grid = Renaming(quarters, (3, -2)), LatticePose((120.0, 80.0), 17.0, 25.0)
    renamed = rename_lattice(change, grid)
    for point in ((0, 0), (4, 1), (2, 7)):
        assert on_table(renamed, change.point(point)) == pytest.approx(on_table(grid, point))


def on_table(grid, point):
    turn = np.radians(grid.angle_deg)
    c, s = np.cos(turn), np.sin(turn)
    x, y = point
    return (
        grid.origin_mm[0] + grid.cell_mm * (c * x - s * y),
        grid.origin_mm[1] + grid.cell_mm * (s * x + c * y),
    )
