"""Starts a match and lets strip and page follow it."""

from __future__ import annotations

import secrets
import time
from importlib import resources

from assistant.match.actor import TABLE
from assistant.match.missions import mission_from_toml, new_header
from assistant.match.session import Session
from assistant.wiring.lights import StripOnPage
from web.state import PageState

SAMPLE_MISSION = "doom2016_sample_table.toml"


def now_ms() -> int:
    """Milliseconds since 1970."""
    return time.time_ns() // 1_000_000


def play_sample_match(state: PageState, lights: StripOnPage) -> Session:
    """A new match on the sample table, in its first round; the demo keeps it in memory only."""
    data = (resources.files("assistant") / "data" / "missions" / SAMPLE_MISSION).read_bytes()
    mission = mission_from_toml(data, SAMPLE_MISSION)
    header = new_header(mission, match_id="demo", seed=secrets.token_hex(16), created_t=now_ms(), options={})
    session = Session(header, journal=None, clock_ms=now_ms)
    session.subscribe(lambda _receipt: lights.show(session.tracker()))
    session.command({"type": "status"}, TABLE)
    state.play(session)
    return session
