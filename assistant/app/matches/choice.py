"""Which match is played at the table, and how strip and page follow it."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from assistant.app.matches.archive import KeptMatches, load_shipped_mission
from assistant.app.matches.page import Lights, MatchScreen
from assistant.documents import read_bytes
from assistant.errors import StoreError
from assistant.match.actor import TABLE
from assistant.match.games import games
from assistant.match.missions import Mission, mission_from_toml
from assistant.match.session import Session
from assistant.translations.messages import said


@dataclass(frozen=True)
class MatchChoice:
    """The match that somebody asked for: its name, and the mission that it begins with if it is new."""

    name: str | None = None
    mission: str | None = None


ANY_MATCH = MatchChoice()
"""No wish at all."""


def choose_match(kept: KeptMatches, choice: MatchChoice) -> Session | None:
    """The match that was asked for; without a wish the one that was begun last; None if there is none yet.

    Raises:
        UnknownName: there is no such match, or no such mission.
        StoreError: it cannot be kept, or the match of that name plays another mission.
        DocumentError: the mission, or what is kept of the match, cannot be used.
    """
    name = choice.name or (kept.newest() if choice.mission is None else Path(choice.mission).stem)
    if name is None:
        return None
    if choice.mission is None:
        return kept.go_on(name)
    mission = load_mission(choice.mission)
    if name not in kept.store.matches():
        return kept.begin(name, mission, {})
    session = kept.go_on(name)
    if (session.header.ruleset, session.header.title) != (mission.ruleset, mission.title):
        raise StoreError(
            said("the match “{name}” plays another mission; give the new match another name with --match", name=name)
        )
    return session


def load_mission(name: str) -> Mission:
    """The mission of that file, or the one that comes with the program under that name.

    Raises:
        UnknownName: there is neither.
        DocumentError: the file is no mission.
    """
    file = Path(name)
    return mission_from_toml(read_bytes(file), name) if file.suffix == ".toml" else load_shipped_mission(name)


def open_sample_match(kept: KeptMatches) -> Session:
    """The demo's match on the sample table, in its first round when it is new."""
    mission = next(game.demo_mission for game in games() if game.demo_mission is not None)
    session = choose_match(kept, MatchChoice("demo", mission))
    assert session is not None, "a match with a name is begun or there"
    if session.seq == 0:
        session.command({"type": "status"}, TABLE)
    return session


def follow(session: Session, state: MatchScreen, lights: Lights) -> Callable[[], None]:
    """Lets strip and page show a match and everything that happens in it; returns what ends that for the strip."""

    def show() -> None:
        lights.show(session.tracker(time.monotonic()))  # the clock that the strip is drawn by

    stop = session.subscribe(lambda _receipt: show())
    show()
    state.play(session)
    return stop


class MatchShow:
    """Shows one match after the other on page and strip.

    Args:
        state: the page.
        lights: the strip.
    """

    def __init__(self, state: MatchScreen, lights: Lights) -> None:
        self._state = state
        self._lights = lights
        self._leave: Callable[[], None] = lambda: None

    def show(self, session: Session) -> None:
        """Shows this match, the first one of the program."""
        self._leave()
        self._leave = follow(session, self._state, self._lights)

    def change(self, session: Session) -> None:
        """Shows this match instead of the one before, and tells every page."""
        self.show(session)
        self._state.announce_match()
