"""Stored DOOM 2016 matches older than the program's questions open, and replay without a finding."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.match.replay import replay_match
from assistant.match.session import Session

STORED = sorted((Path(__file__).parents[1] / "data" / "matches").glob("doom2016-*.jsonl"))


def test_there_are_stored_matches() -> None:
    assert len(STORED) == 2


@pytest.mark.parametrize("path", STORED, ids=lambda path: path.stem)
def test_it_replays_as_it_was_played(path: Path) -> None:
    """Its attacks had no order, a second card kept the first one's attack, and its rulings have fewer options."""
    result = replay_match(path.read_bytes(), path.stem)
    assert result.findings == ()
    assert result.ruling_count > 5


@pytest.mark.parametrize("path", STORED, ids=lambda path: path.stem)
def test_it_opens_at_its_last_event_and_asks_nobody(path: Path) -> None:
    lines = path.read_bytes().splitlines()
    session = Session.resumed(lines, journal=None, clock_ms=lambda: 0)
    assert session.seq == len(lines) - 1
    assert session.moments() == ()
