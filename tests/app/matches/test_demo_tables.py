"""The whole demo: from a game without a grid to one with a grid and back, each under a camera."""

from __future__ import annotations

import pytest

from assistant.app.live.game_files import GameFiles
from assistant.app.matches.choice import MatchChoice
from assistant.settings import Settings
from assistant.wiring.table import open_table


@pytest.fixture
def demo(tmp_path):
    settings = Settings(host="127.0.0.1", port=0, data=tmp_path, strip="virtual")
    table = open_table(settings, GameFiles(), is_simulated=True, choice=MatchChoice(game="roads", has_tour=True))
    yield table
    table.close()


def test_a_visitor_goes_from_a_table_without_a_grid_to_one_with_and_back(demo):
    state = demo.page
    watcher = state.watcher
    state.demo.let_move()  # a hand comes, whether or not the camera is up already
    assert state.readers.free is not None
    assert (watcher.has_live, watcher.believed, state.match.session.header.ruleset) == (False, None, "roads")
    state.demo.choose("doom2004")
    assert (watcher.has_live, state.match.session.header.ruleset) == (True, "doom2004")
    assert state.readers.free is None
    assert watcher.believed.setup.roster.figures[0].id == "marine-1"
    state.demo.choose("roads")
    assert (watcher.has_live, watcher.believed, state.match.session.header.ruleset) == (False, None, "roads")
    assert state.readers.free is not None


def test_a_demo_without_a_tour_leads_nobody(tmp_path):
    table = open_table(
        Settings(host="127.0.0.1", port=0, data=tmp_path, strip="virtual"),
        GameFiles(),
        is_simulated=True,
        choice=MatchChoice(game="roads"),
    )
    assert table.page.demo is None
    table.close()
