"""The demo shows one game after the other, each on its own table."""

from __future__ import annotations

import pytest

from assistant.app.matches.archive import KeptMatches
from assistant.app.matches.choice import demo_games
from assistant.app.matches.demo_stage import DemoStage
from assistant.errors import UnknownName


@pytest.fixture
def stage(tmp_path):
    kept = KeptMatches(tmp_path)
    watched, shown = [], []
    made = DemoStage(kept, watched.append, shown.append, lambda: None, lambda: shown[-1] if shown else None, "doom2016")
    yield made, watched, shown
    kept.close()


def test_every_game_of_the_demo_is_offered_and_the_shown_one_marked(stage):
    games = stage[0].games
    assert [game.id for game in games if game.is_shown] == ["doom2016"]
    assert {"doom2016", "doom2004", "roads"} <= {game.id for game in games}
    assert all(game.title for game in games)


def test_another_game_comes_with_its_table_and_its_match(stage):
    demo, watched, shown = stage
    demo.choose("doom2004")
    demo.choose("roads")
    assert [session.header.ruleset for session in shown] == ["doom2004", "roads"]
    assert [table.seed is None for table in watched] == [False, True]  # the last one is drawn, no camera watches it
    assert shown[1].timeline.game.ground, "the drawn table is there at once"
    assert [game.id for game in demo.games if game.is_shown] == ["roads"]


def test_a_game_without_a_demo_changes_nothing(stage):
    demo, watched, shown = stage
    with pytest.raises(UnknownName):
        demo.choose("chess")
    assert (watched, shown, demo.shown) == ([], [], "doom2016")


def is_hurt(session, figure):
    """Return whether a figure has wounds or is out."""
    piece = session.timeline.game.piece(figure)
    return piece.harm > 0 or not piece.on_table


@pytest.mark.parametrize("game", demo_games())
def test_the_match_is_played_to_a_blow_by_its_own_questions(stage, game):
    demo, _, shown = stage
    assert demo.attack() is None, "no match is shown yet"
    demo.choose(game)
    before = shown[0].seq
    struck = demo.attack()
    assert struck is not None
    assert is_hurt(shown[0], struck)
    assert all(entry["by"]["role"] == "player" for entry in shown[0].history("en")[before:]), "nothing is set by hand"
    again = demo.attack()
    assert again is None or is_hurt(shown[0], again), "a second attack is as good"
