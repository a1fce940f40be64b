"""Shared tile sets: their authors, figures with their looks, merging, and no side replaced without consent."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from zip_files import zipped

from assistant.app.teaching.library import TaughtGames, WouldReplace
from assistant.documents import roster_from_json, tile_set_document, to_json
from assistant.errors import DocumentError, Unteachable
from assistant.table.roster import DoorSpec, RosterFigure
from assistant.table.tiles import TileSet, TileSide

CELLS = frozenset({(0, 0), (1, 0)})


def png(gray: int) -> bytes:
    _, data = cv2.imencode(".png", np.full((64, 128, 3), gray, np.uint8))
    return bytes(data)


def box(*sides: tuple[str, int], cell_mm: float = 25.4, in_white_light: bool = True) -> bytes:
    """Return a zip with tile sides of those names and grays."""
    made = tuple(TileSide(name, f"{name}.png", CELLS, {}, frozenset()) for name, _ in sides)
    document = to_json(tile_set_document(TileSet("home", cell_mm, 64, 2.0, made, in_white_light)))
    return zipped({"tileset.json": document.encode(), **{f"{name}.png": png(gray) for name, gray in sides}})


def gray_of(games: TaughtGames, side: str) -> int:
    path = games.profiles.path("tiles", "home") / f"{side}.png"
    return int(cv2.imread(str(path))[0, 0, 0])


@pytest.fixture
def games(tmp_path):
    games = TaughtGames(tmp_path / "mine")
    games.imported(None, box(("01A", 10), ("02A", 20)))
    return games


def test_only_differing_sides_are_asked_about(games):
    _, grown = games.imported(None, box(("02A", 20), ("03A", 30)), "ask")
    assert [side.id for side in grown.sides] == ["01A", "02A", "03A"]
    with pytest.raises(WouldReplace) as caught:
        games.imported(None, box(("01A", 99), ("04A", 40)), "ask")
    assert caught.value.names == ("01A",)
    assert [side.id for side in games.tile_set("home").sides] == ["01A", "02A", "03A"]


@pytest.mark.parametrize(("way", "gray"), [("add", 10), ("replace", 99)])
def test_two_sets_become_one_and_one_side_wins(games, way, gray):
    games.imported(None, box(("01A", 99), ("03A", 30)), way)
    assert [side.id for side in games.tile_set("home").sides] == ["01A", "02A", "03A"]
    assert (gray_of(games, "01A"), gray_of(games, "02A"), gray_of(games, "03A")) == (gray, 20, 30)


def test_pictures_with_a_light_of_their_own_make_a_set_of_that_kind(games):
    assert games.tile_set("home").in_white_light
    games.imported(None, box(("03A", 30), in_white_light=False), "add")
    assert not games.tile_set("home").in_white_light


def test_sets_of_another_scale_stay_apart(games):
    with pytest.raises(Unteachable):
        games.imported(None, box(("03A", 30), cell_mm=30.0), "add")


def test_figures_with_their_looks_and_the_maker_come_along(games, tmp_path):
    games.keep_figure("crew", RosterFigure("imp-1", "imp", "demons", (1, 1), 22.0, 30.0, "#aa3322"))
    games.keep_doors("crew", DoorSpec(8, 1, 30.0, 2.0), None)
    data = games.exported("home", "crew", "Ann")
    about = games.about(data)
    assert about is not None
    assert (about.made_by, about.version) == ("Ann", 1)

    other = TaughtGames(tmp_path / "other")
    other.keep_figure("home", RosterFigure("imp-1", "imp", "demons", (1, 1), 25.0, 30.0, "#00ff00"))
    other.imported(None, data, "add")
    roster = other.roster("home")
    assert [(one.id, one.ring) for one in roster.figures] == [("imp-1", "#00ff00")]
    assert roster.doors.count == 8
    other.imported(None, data, "replace")
    assert [one.ring for one in other.roster("home").figures] == ["#aa3322"]
    assert roster_from_json(other.profiles.read("roster", "home")).doors.count == 8


def test_a_damaged_roster_is_refused_whole(games):
    data = zipped({"tileset.json": b"{}", "roster.json": b"{", "01A.png": png(1)})
    with pytest.raises(DocumentError):
        games.imported("new", data)
    assert games.tile_set("new") is None
