"""Stored `roads` matches older than the literal reading of its rules open to their last event."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.match.audience import JUDGE_VIEW
from assistant.match.replay import replay_match
from assistant.match.session import Session

STORED = sorted((Path(__file__).parents[1] / "data" / "matches").glob("roads-*.jsonl"))


def test_there_are_stored_matches() -> None:
    assert len(STORED) == 4


@pytest.mark.parametrize("path", STORED, ids=lambda path: path.stem)
def test_its_rulings_are_still_the_programs_own_though_the_words_have_changed(path: Path) -> None:
    result = replay_match(path.read_bytes(), path.stem)
    assert [finding for finding in result.findings if "ruling" in str(finding.text)] == []


@pytest.mark.parametrize("path", STORED, ids=lambda path: path.stem)
def test_a_match_stored_before_opens_at_its_last_event(path: Path) -> None:
    lines = path.read_bytes().splitlines()
    session = Session.resumed(lines, journal=None, clock_ms=lambda: 0)
    assert session.seq == len(lines) - 1
    view = session.view(JUDGE_VIEW)
    assert view["winner"] == session.timeline.game.winner
    assert len(view["figures"]) == len(session.timeline.game.setup.fighters)
