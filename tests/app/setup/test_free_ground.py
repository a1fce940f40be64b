"""A set-up without a grid: its playing area between the markers, its models, and terrain that persists."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from assistant.app.live.game_files import FreeGame, GameFiles
from assistant.app.setup.cameras import PHOTOS
from assistant.app.setup.free_ground import area_between
from assistant.app.setup.sample import sample_game
from assistant.app.setup.wizard import SetUpWizard
from assistant.documents import roster_document, to_json
from assistant.errors import BadValue, CalibrationError
from assistant.profiles import Profiles
from assistant.settings import Settings
from assistant.table.camera import TableMarker, TableMarkers
from assistant.wiring.table import OpenTable, open_table
from tests.line_ups import line_up, photo_of
from tests.own_models import PLACES_MM, SIZE_MM, WALL, own_table


def square(number: int, x: float, y: float) -> TableMarker:
    return TableMarker(number, ((x, y), (x + 40, y), (x + 40, y + 40), (x, y + 40)))


@pytest.mark.parametrize("turn_deg", [0, 3, -30, 44, 90, 200])
def test_the_playing_area_is_the_smallest_rectangle_round_the_markers(turn_deg):
    markers = [square(0, 0, 0), square(1, 560, 0), square(2, 560, 360), square(3, 0, 360)]
    turn = np.radians(turn_deg)
    along = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    turned = [replace(m, corners_mm=tuple(map(tuple, np.array(m.corners_mm) @ along + (70, -90)))) for m in markers]

    laid, size_mm = area_between(TableMarkers("DICT_APRILTAG_36h11", tuple(turned)))
    assert sorted(size_mm) == [400, 600]
    places = np.array([marker.corners_mm for marker in laid.markers])
    assert places.min(axis=(0, 1)) == pytest.approx((0, 0), abs=0.1)
    assert places.max(axis=(0, 1)) == pytest.approx(size_mm, abs=0.1)
    # A turn, never a mirror: the corners still go round the same way.
    (ax, ay), (bx, by), (cx, cy), _ = places[0]
    assert (bx - ax) * (cy - by) - (by - ay) * (cx - bx) > 0


@pytest.fixture
def kept(tmp_path):
    """A data folder in which the models of the line-up have been taught."""
    Profiles(tmp_path).keep("roster", "home", to_json(roster_document(line_up().roster)).encode())
    return tmp_path


@pytest.fixture
def desk(kept):
    ready = []
    made = SetUpWizard(kept, sample_game(), lambda game, source: ready.append((game, source)))
    made.ready = ready
    made.choose_camera(PHOTOS)
    return made


def test_a_table_without_a_grid_needs_markers_and_a_step(desk):
    desk.skip_lens()
    desk.skip_table()
    with pytest.raises(BadValue, match="longer than 0"):
        desk.choose_game(None, "home", 0.0)
    desk.choose_game(None, "home", 50.0)
    assert desk.state().statuses["table"] == "open"
    with pytest.raises(CalibrationError, match="needs the markers round it"):
        desk.save("club")


def opened(folder: Path) -> OpenTable:
    settings = Settings(host="127.0.0.1", port=0, strip="virtual", data=folder)
    return open_table(settings, GameFiles(), is_simulated=False)


def set_up(desk: SetUpWizard) -> None:
    desk.skip_lens()
    desk.go_to("table")
    for side in ("left", "right"):
        desk.hand_in(photo_of(own_table(side)))
    desk.solve_table()
    desk.choose_game(None, "home", 50.0)
    desk.save("club")


def test_models_are_read_and_drawn_terrain_is_there_again_the_next_evening(desk, kept):
    set_up(desk)
    desk.use("club")
    ((game, source),) = desk.ready
    assert isinstance(game, FreeGame)
    assert (source, game.name, game.box.step_mm) == (PHOTOS, "club", 50)
    assert [float(side) for side in game.box.size_mm] == pytest.approx(SIZE_MM, abs=3)
    assert {figure.id for figure in game.box.figures} == {figure.id for figure in line_up().roster.figures}

    table = opened(kept)
    try:
        pictures = table.page.readers.free
        shot = pictures.read_upload(photo_of(own_table("game")))
        seen = sorted((float(f.center_mm[0]), float(f.center_mm[1])) for f in shot.sighting.table.figures)
        assert np.array(seen) == pytest.approx(np.array(sorted(PLACES_MM)), abs=3)
        top = [(float(x), float(y)) for x, y in WALL.outline_mm]
        stroke = shot.view.image_from_table(top, float(WALL.height_mm))
        drawn, share = pictures.draw_terrain(shot.id, stroke, "wall", float(WALL.height_mm))
        assert share > 0.5
        ghouls = [figure.id for figure in drawn.sighting.table.figures if figure.id.startswith("ghoul")]
        assert not pictures.rule(drawn.id, *ghouls).line_of_sight
    finally:
        table.close()

    table = opened(kept)
    try:
        (wall,) = table.page.readers.free.game.box.terrain
        assert (wall.kind, wall.height_mm) == ("wall", 40)
        # Another set-up of the same table keeps the drawn terrain. One with another step starts without any.
        table.page.desk.save("club")
        assert Profiles(kept).version("free-table", "club") == 2
    finally:
        table.close()


def test_a_set_up_with_tiles_takes_the_place_of_one_without_a_grid(desk, kept):
    set_up(desk)
    desk.choose_game(None, None)
    desk.save("tiles")
    table = opened(kept)
    try:
        assert table.page.readers.free is None
        table.page.desk.use("club")
        assert table.page.readers.free.game.name == "club"
        table.page.desk.use("tiles")
        assert table.page.readers.free is None
        assert table.page.readers.reader.setup.name == "tiles"
    finally:
        table.close()
