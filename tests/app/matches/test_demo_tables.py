"""The whole demo put together: from a game on a drawn table to one that a camera watches, and back."""

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


def test_a_visitor_goes_from_a_drawn_table_to_a_watched_one_and_back(demo):
    state = demo.state
    state.demo.let_move()  # nobody moves on a drawn table, and nothing goes wrong
    assert (state.has_live, demo.watch, state.match.header.ruleset) == (False, None, "roads")
    state.demo.choose("doom2004")
    assert (state.has_live, state.match.header.ruleset) == (True, "doom2004")
    assert demo.watch.memory.roster.figures[0].id == "marine-1"
    state.demo.choose("roads")
    assert (state.has_live, demo.watch, state.match.header.ruleset) == (False, None, "roads")


def test_a_demo_without_a_tour_leads_nobody(tmp_path):
    table = open_table(
        Settings(host="127.0.0.1", port=0, data=tmp_path, strip="virtual"),
        GameFiles(),
        is_simulated=True,
        choice=MatchChoice(game="roads"),
    )
    assert table.state.demo is None
    table.close()
