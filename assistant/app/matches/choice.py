"""Chooses the match to play at the table, and shows it on page and strip."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from assistant.app.matches.archive import KeptMatches, load_shipped_mission, wake
from assistant.app.matches.next_button import press_next
from assistant.documents import read_bytes
from assistant.errors import StoreError, UnknownName
from assistant.match.actor import CAMERA
from assistant.match.games import DemoTable, games
from assistant.match.missions import Mission, mission_from_json, mission_from_toml
from assistant.match.session import Session
from assistant.table.tracker import TrackerView
from assistant.translations.messages import said


@dataclass(frozen=True)
class MatchChoice:
    """The requested match: its name, and the mission for a new one.

    ``game`` is the demo's game if neither is given. None means the first game with a demo. ``has_tour`` means that a
    demo guides its visitors through the first minute, with a still table until then.
    """

    name: str | None = None
    mission: str | None = None
    game: str | None = None
    has_tour: bool = False

    @property
    def is_any(self) -> bool:
        """Whether neither a match nor a mission is requested."""
        return self.name is None and self.mission is None


ANY_MATCH = MatchChoice()
"""No request."""


def choose_match(kept: KeptMatches, choice: MatchChoice) -> Session | None:
    """Return the requested match, else the one begun last, or None if there is none.

    Raises:
        UnknownName: there is no such match, or no such mission.
        StoreError: it cannot be stored, or the match of that name plays another mission.
        DocumentError: the mission or the stored match cannot be used.
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
    """Load the mission from that file, or the shipped one of that name.

    Raises:
        UnknownName: there is neither.
        DocumentError: the file is not a mission.
    """
    file = Path(name)
    if file.suffix == ".json":
        return mission_from_json(read_bytes(file), name)
    return mission_from_toml(read_bytes(file), name) if file.suffix == ".toml" else load_shipped_mission(name)


def demo_games() -> Mapping[str, DemoTable]:
    """Return the demos by the ids of their games. The first is the default."""
    return {game.id: game.demo for game in games() if game.demo is not None}


def find_demo(game: str | None) -> DemoTable:
    """Return the demo of a game, by default that of the first game with one.

    Raises:
        UnknownName: no game of that id has a demo.
    """
    demos = demo_games()
    chosen = next(iter(demos)) if game is None else game
    if chosen not in demos:
        raise UnknownName(said("“{game}” has no demo; choose one of {known}", game=chosen, known=", ".join(demos)))
    return demos[chosen]


def demo_match_name(game: str | None) -> str:
    """Return the name of a game's own demo match, by default that of the default demo."""
    return "demo" if game is None else f"demo {game}"


def demo_matches() -> frozenset[str]:
    """Return the names of the demos' own matches, whose tables are already laid out."""
    return frozenset(map(demo_match_name, (None, *demo_games())))


def open_sample_match(kept: KeptMatches, game: str | None = None) -> Session:
    """Return the demo's match of a game, and begin it if it is new.

    Raises:
        UnknownName: no game of that id has a demo.
    """
    name = demo_match_name(game)
    demo = find_demo(game)
    mission = load_shipped_mission(demo.mission)
    session = kept.go_on(name) if name in kept.store.matches() else kept.begin(name, mission, {})
    if session.seq == 0:
        if mission.table is not None:
            session.command({"type": "see", "document": mission.table}, CAMERA)
        for _ in range(demo.presses):
            press_next(session)
    return session


class MatchShow:
    """Shows one match after the other on page and strip.

    Args:
        play: shows a match and every step of it on the page.
        announce: tells every page that another match is shown.
        show_turns: shows whose turn it is on the strip.
        follow_too: attaches another follower to the match, as the hands at a simulated table; returns a function that
            detaches it.
    """

    def __init__(
        self,
        play: Callable[[Session], None],
        announce: Callable[[], None],
        show_turns: Callable[[TrackerView], None],
        follow_too: Callable[[Session], Callable[[], None]] = lambda session: lambda: None,
    ) -> None:
        self._play = play
        self._announce = announce
        self._show_turns = show_turns
        self._follow_too = follow_too
        self._leave = ExitStack()
        self._shown: Session | None = None
        self._left: list[Session] = []

    def show(self, session: Session) -> None:
        """Show this match. Its clocks exclude the time during which another match was shown."""
        self._leave.close()
        if self._shown is not None and self._shown is not session:
            self._left.append(self._shown)
        self._shown = session
        if session in self._left:
            self._left.remove(session)
            wake(session)

        def show_turns(_: object = None) -> None:
            self._show_turns(session.tracker(time.monotonic()))  # the clock that the strip shows

        self._leave.callback(session.subscribe(show_turns))
        show_turns()
        self._play(session)
        self._leave.callback(self._follow_too(session))

    def change(self, session: Session) -> None:
        """Show this match instead of the one before, and tell every page."""
        self.show(session)
        self._announce()
