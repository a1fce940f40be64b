"""The demo as a visitor is led through it: which game's table is shown, and when hands begin to move its figures."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field

from assistant.app.matches.archive import KeptMatches
from assistant.app.matches.choice import demo_games, find_demo, open_sample_match
from assistant.app.matches.demo_attack import play_to_a_blow
from assistant.match.games import DemoTable, game_named
from assistant.match.session import Session


@dataclass(frozen=True)
class DemoGame:
    """A game that the demo can show.

    Args:
        id: its name in documents and commands.
        title: the name of its box.
        is_shown: whether it is the one that is shown now.
    """

    id: str
    title: str
    is_shown: bool


@dataclass
class DemoStage:
    """Shows the demo of one game after the other.

    Args:
        kept: where the demo's matches are kept.
        watch: watches the table of a game's demo from now on.
        show: shows a match to everybody.
        let_move: lets hands begin to move the figures.
        played: gives the match that is shown.
        shown: the id of the game that is shown.
    """

    kept: KeptMatches
    watch: Callable[[DemoTable], None]
    show: Callable[[Session], None]
    let_move: Callable[[], None]
    played: Callable[[], Session | None]
    shown: str
    _turn: threading.Lock = field(default_factory=threading.Lock)
    """Held by whoever changes the game: two visitors may tap at once."""

    @property
    def games(self) -> tuple[DemoGame, ...]:
        """Every game that has a demo, in the order of all lists."""
        return tuple(DemoGame(name, game_named(name).title, name == self.shown) for name in demo_games())

    def attack(self) -> str | None:
        """Lets the match be played to its next blow, with dice of the program; who is hurt, None where nobody is."""
        session = self.played()
        with self._turn:
            return None if session is None else play_to_a_blow(session)

    def choose(self, game: str) -> None:
        """Shows the demo of that game to everybody, on a table that is still.

        Raises:
            UnknownName: no game of that id has a demo.
            CannotDo: the camera before is still busy.
            StoreError: its match cannot be kept.
        """
        demo = find_demo(game)
        with self._turn:
            session = open_sample_match(self.kept, game)
            self.watch(demo)
            self.shown = game
            self.show(session)
