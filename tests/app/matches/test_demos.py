"""The demo of each game: its own match begins in the state of the simulated table."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from assistant.app.matches.archive import KeptMatches
from assistant.app.matches.choice import demo_games, find_demo, open_sample_match
from assistant.app.setup.sample import sample_game
from assistant.errors import UnknownName
from assistant.match.ground import table_of
from assistant.table.board import Board
from vision.simulation.sample import Cast, sample_scene


@pytest.fixture
def kept(tmp_path: Path) -> Iterator[KeptMatches]:
    matches = KeptMatches(tmp_path, lambda: 1_000)
    yield matches
    matches.close()


def test_three_games_have_a_demo_and_another_one_is_refused() -> None:
    assert set(demo_games()) >= {"doom2016", "doom2004", "roads"}
    with pytest.raises(UnknownName, match="doom2004"):
        find_demo("chess")


@pytest.mark.parametrize("name", ["doom2016", "doom2004", "roads"])
def test_a_demo_begins_its_own_match_once(kept: KeptMatches, name: str) -> None:
    session = open_sample_match(kept, name)
    assert session.header.ruleset == name
    assert session.timeline.game.phase != "setup"
    assert open_sample_match(kept, name) is session


@pytest.mark.parametrize("name", ["doom2016", "doom2004"])
def test_the_match_stands_as_the_simulated_table_shows_it(kept: KeptMatches, name: str) -> None:
    demo = find_demo(name)
    assert demo.seed is not None
    scene = sample_scene(Cast(demo.seed, demo.names))
    played = table_of(open_sample_match(kept, name).timeline.game)
    assert isinstance(played, Board)
    assert (played.cells, played.edges) == (scene.board.cells, scene.board.edges)
    assert {door.edges for door in played.doors} == {door.edges for door in scene.board.doors}
    standing = {figure.id: frozenset(figure.cells) for figure in played.figures}
    assert standing == {placed.figure.id: frozenset(placed.cells) for placed in scene.figures}
    assert {figure.id for figure in sample_game(demo).roster.figures} == set(standing)
