"""Stored DOOM 2004 matches older than the literal reading of its rules open to their last event."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.match.audience import JUDGE_VIEW
from assistant.match.replay import replay_match
from assistant.match.session import Session

STORED = sorted((Path(__file__).parents[1] / "data" / "matches").glob("doom2004-*.jsonl"))


def test_there_are_stored_matches() -> None:
    assert len(STORED) == 3


@pytest.mark.parametrize("path", STORED, ids=lambda path: path.stem)
def test_a_match_stored_before_opens_at_its_last_event(path: Path) -> None:
    lines = path.read_bytes().splitlines()
    session = Session.resumed(lines, journal=None, clock_ms=lambda: 0)
    assert session.seq == len(lines) - 1
    view = session.view(JUDGE_VIEW)
    assert view["winner"] == session.timeline.game.winner
    assert (view["winner"] is None) == ("-trap" in path.stem)


@pytest.mark.parametrize("path", STORED, ids=lambda path: path.stem)
def test_only_what_the_seeds_forbid_is_found_in_it(path: Path) -> None:
    found = replay_match(path.read_bytes(), path.name).findings
    if "-trap" in path.stem:  # the marine went on before the invaders of the trap had acted
        assert [one.seq for one in found] == [7]
        assert "by the card first" in str(found[0].text)
    else:
        assert found == ()
