"""The simulated table without a grid follows its match, and lets a hand move a model."""

from __future__ import annotations

import math

import pytest

from assistant.app.live import free_stage
from assistant.app.live.free_pictures import FreeTablePictures
from assistant.app.live.free_stage import FreeStage
from assistant.app.live.game_files import first_free_rules
from assistant.app.live.watcher import Watcher
from assistant.app.matches.archive import load_shipped_mission
from assistant.app.matches.next_button import press_next
from assistant.app.problems import ProblemList
from assistant.app.setup.sample import free_sample_game
from assistant.documents import free_table_from_json, to_json
from assistant.match.actor import CAMERA, JUDGE
from assistant.match.missions import new_header
from assistant.match.session import Session


class Camera(free_stage.CapturedSource):
    """The simulated camera's hands, without pictures."""

    def __init__(self):
        self.asked, self.is_closed = [], False

    @property
    def name(self):
        return "virtual"

    def next_frame(self, timeout_s):
        return None

    def ask(self, about, wish):
        self.asked.append({name: place for name, place, _, _ in wish.places})

    def close(self):
        self.is_closed = True


class Cells:
    """A table with cells of which nothing is read."""

    pace_s = 60.0

    def take(self, frame, problems):
        raise AssertionError(frame)

    def lose(self, problem):
        raise AssertionError(problem)

    def close(self):
        pass


class Cameras:
    """Opens a simulated camera over the table with cells, and counts how often."""

    def __init__(self):
        self.opened = 0

    def open(self):
        self.opened += 1
        return Camera(), Cells()


class Page:
    free = None

    def read_free(self, pictures):
        self.free = pictures


@pytest.fixture
def camera(monkeypatch):
    camera = Camera()
    monkeypatch.setattr(free_stage, "open_source", lambda name, table: camera)
    return camera


@pytest.fixture
def stage(camera):
    watcher, cameras, page = Watcher(ProblemList(pytest.fail)), Cameras(), Page()
    watcher.open(cameras.open)
    made = FreeStage(watcher, page.read_free, free_sample_game, is_simulated=False)
    made.cameras, made.page = cameras, page
    yield made
    watcher.close()


def own_desk():
    table = free_table_from_json(to_json(load_shipped_mission("roads_first_skirmish").table).encode(), "mission")
    return FreeTablePictures(free_sample_game(table), first_free_rules())


def begun(mission="roads_first_skirmish", *, has_seen=True, options=None):
    loaded = load_shipped_mission(mission)
    header = new_header(loaded, match_id="m", seed="seed", created_t=0, options=options or {})
    session = Session(header, journal=None, clock_ms=lambda: 0)
    if has_seen:
        session.command({"type": "see", "document": loaded.table}, CAMERA)
    return session


def walk(session, place):
    for _ in range(2):
        press_next(session)
    session.command({"type": "move", "figure": "squire", "how": "walk", "center_mm": place}, JUDGE)


def test_the_mission_is_laid_out_and_the_table_with_cells_rests_meanwhile(stage, camera):
    stage.follow(begun(has_seen=False))
    assert camera.asked[0]["squire"] == (200.0, 200.0)
    assert (stage.watcher.has_live, stage.watcher.source) == (False, camera)
    assert stage.page.free is not None
    stage.leave()
    assert (stage.watcher.has_live, stage.page.free, stage.cameras.opened) == (True, None, 2)
    assert isinstance(stage.watcher.table, Cells)
    assert camera.is_closed


def test_whoever_moves_in_the_match_is_put_there_until_it_is_left(stage, camera):
    session = begun()
    leave = stage.follow(session)
    walk(session, [250, 200])
    assert camera.asked[-1]["squire"] == (250.0, 200.0)
    assert camera.asked[-1]["brute"] == (420.0, 320.0)
    session.command({"type": "undo"}, JUDGE)
    assert camera.asked[-1]["squire"] == (200.0, 200.0)
    leave()
    count = len(camera.asked)
    session.command({"type": "redo"}, JUDGE)
    assert len(camera.asked) == count


def test_a_hand_moves_one_model_and_the_match_leaves_it_there(stage, camera):
    session = begun()
    stage.follow(session)
    stage.let_move()
    strayed = camera.asked[-1]
    moved = [name for name, place in strayed.items() if place != camera.asked[0][name]]
    assert moved == ["squire"]
    assert math.dist(strayed["squire"], (200, 200)) == pytest.approx(150, abs=0.2)
    stage.let_move()
    assert camera.asked[-1] == strayed, "one is enough until the match has taken it"
    press_next(session)
    assert camera.asked[-1] == strayed


def test_nobody_is_walked_through_a_wall_or_into_another(stage, camera):
    loaded = load_shipped_mission("roads_first_skirmish")
    wall = {
        "id": "wall-1",
        "kind": "wall",
        "outline_mm": [[260, 60], [270, 60], [270, 240], [260, 240]],
        "height_mm": 40,
    }
    session = begun(has_seen=False)
    session.command({"type": "see", "document": {**loaded.table, "terrain": [wall]}}, CAMERA)
    stage.follow(session)
    stage.let_move()
    x, y = camera.asked[-1]["squire"]
    assert math.dist((x, y), (200, 200)) == pytest.approx(150, abs=0.2)
    assert not (x > 247 and 47 < y < 253), "behind the wall, or at it"
    assert math.dist((x, y), (150, 350)) > 75


def test_the_camera_is_opened_again_over_the_same_table(stage, camera):
    stage.watcher.again()
    assert stage.cameras.opened == 2, "nothing else is shown"
    session = begun()
    stage.follow(session)
    stage.let_move()
    strayed = camera.asked[-1]
    stage.watcher.again()
    assert camera.asked[-1] == strayed
    walk(session, [250, 200])
    assert camera.asked[-1]["squire"] == (250.0, 200.0)


def test_a_match_with_a_grid_and_a_table_of_peoples_own_are_left_alone(stage, camera):
    grid = begun("doom2016_first_fight", has_seen=False)
    assert stage.follow(grid) is None
    stage.own = own_desk()
    assert stage.follow(begun()) is None
    assert (stage.page.free, camera.asked) == (None, [])


def test_peoples_own_table_is_ruled_on_as_the_house_of_the_match_has_chosen(stage):
    stage.own = own_desk()
    assert stage.own.rules.options["sight_figures"] == "pass"
    stage.follow(begun(options={"sight_figures": "block"}))
    assert stage.own.rules.options["sight_figures"] == "block"
    stage.follow(begun("doom2016_first_fight", has_seen=False))
    assert stage.own.rules.options["sight_figures"] == "block", "a match with a grid says nothing of it"


def test_a_table_that_a_real_camera_watches_is_left_alone(camera):
    page = Page()
    stage = FreeStage(Watcher(ProblemList(pytest.fail)), page.read_free, free_sample_game, is_simulated=False)
    assert stage.follow(begun()) is None
    assert page.free is None
