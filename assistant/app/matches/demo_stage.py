"""The guided demo: shows a game's table and plays on until somebody is hurt."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from assistant.app.matches.archive import KeptMatches
from assistant.app.matches.choice import demo_games, demo_matches, find_demo, open_sample_match
from assistant.errors import InputError
from assistant.match.actor import Actor, player
from assistant.match.games import DemoTable, game_named
from assistant.match.session import Session
from assistant.match.views import list_prompts


@dataclass(frozen=True)
class DemoGame:
    """A game with a demo.

    Args:
        id: its id in documents and commands.
        title: the title of its box.
        is_shown: whether it is the one on display.
    """

    id: str
    title: str
    is_shown: bool


@dataclass
class DemoStage:
    """Shows the demo of one game after the other.

    Args:
        kept: stores the demo's matches.
        watch: starts watching the table of a game's demo.
        show: shows a match to everybody.
        let_move: lets the hands start moving figures.
        played: returns the match on display.
        shown: the id of the game on display.
    """

    kept: KeptMatches
    watch: Callable[[DemoTable], None]
    show: Callable[[Session], None]
    let_move: Callable[[], None]
    played: Callable[[], Session | None]
    shown: str
    _turn: threading.Lock = field(default_factory=threading.Lock)
    """Lock held while the game changes, because two visitors may tap at once."""

    @property
    def games(self) -> tuple[DemoGame, ...]:
        return tuple(DemoGame(name, game_named(name).title, name == self.shown) for name in demo_games())

    @property
    def is_played(self) -> bool:
        """Whether the match on display is a demo's own, not one that visitors began."""
        session = self.played()
        return session is None or session.header.id in demo_matches()

    def attack(self) -> str | None:
        """Play the match to its next hit with the program's dice. Return the hurt figure, or None."""
        session = self.played()
        with self._turn:
            return None if session is None else play_to_a_blow(session)

    def choose(self, game: str) -> None:
        """Show the demo of that game to everybody, with a still table.

        Raises:
            UnknownName: no game of that id has a demo.
            CannotDo: the camera before is still busy.
            StoreError: its match cannot be stored.
        """
        demo = find_demo(game)
        with self._turn:
            session = open_sample_match(self.kept, game)
            self.watch(demo)
            self.shown = game
            self.show(session)


MOST_STEPS = 300
"""Largest number of steps. A sample match comes to a hit within a dozen or two."""

PLACES = frozenset({"cells", "center_mm"})
"""The fields of a step that name a destination."""

MOST_QUESTIONS = 20

AFTER = 12
"""Penalty in steps for a move: any other kind of step goes first until it was taken this many times more."""


def play_to_a_blow(session: Session) -> str | None:
    """Play on with the program's dice until a figure is hurt. Return that figure, or None.

    Steps with dice go first and moves go last. Among the rest, the least taken kind goes first. So every match reaches
    an attack soon, and the table stays unchanged if a figure can be hit from its place.
    """
    done: Counter[str] = Counter()
    for _ in range(MOST_STEPS):
        before = _harms(session)
        if session.timeline.game.winner is not None or not _does_next(session, done):
            return None
        after = _harms(session)
        hurt = next((name for name, harm in after.items() if harm > before.get(name, harm)), None)
        if hurt is not None:
            return hurt
    return None


def _harms(session: Session) -> dict[str, tuple[bool, int]]:
    """Return how badly each figure is hurt. Being off the table counts more than any wound."""
    return {piece.id: (not piece.on_table, piece.harm) for piece in session.timeline.game.pieces.values()}


def _does_next(session: Session, done: Counter[str]) -> bool:
    """Take one step. Return whether there was one to take."""
    found = [(way, by) for way, by in _ways(session, done) if way["refusal"] is None]

    def turn(one: tuple[Mapping[str, Any], Actor]) -> tuple[bool, int]:
        way, _ = one
        is_move = not PLACES.isdisjoint(way["fields"])
        return not way["has_dice"], done[way["type"]] + AFTER * is_move

    found.sort(key=turn)
    for way, by in found:
        done[way["type"]] += 1
        try:
            session.command({"type": way["type"], **way["fields"]}, by)
        except InputError:  # only trying shows whether the rules allow it
            continue
        return True
    return False


def _ways(session: Session, done: Counter[str]) -> Iterator[tuple[Mapping[str, Any], Actor]]:
    """Yield every prompted step with its questions answered, differently each time, and a pass for each moment."""
    sides = dict.fromkeys(piece.side for piece in session.timeline.game.pieces.values())
    for prompt in list_prompts(session.system, session.timeline.game):
        by = player(prompt.side or session.timeline.game.side_to_act() or next(iter(sides)))
        way = session.way({"type": prompt.type, **prompt.fields}, by)
        for _ in range(MOST_QUESTIONS):
            if way["ask"] is None or way["refusal"] is not None:
                break
            answer = _answer(way["ask"], done[way["type"]])
            way = session.way({"type": way["type"], **way["fields"], **answer}, by)
        yield way, by
    for moment in session.moments():
        by = player(moment.side)
        yield session.way({"type": "pass", "of": moment.side, "asked": [moment.id]}, by), by


def _answer(ask: Mapping[str, Any], turn: int) -> Mapping[str, Any]:
    """Return one of the answers, the last first. For a number, return the largest usual one, to show the attack."""
    picks = ask["picks"]
    if not picks:
        return {ask["field"]: ask["skipped"] if ask["may_skip"] else ask["value"]}
    if ask["most"] > 1:
        return {ask["field"]: [value for pick in picks[: ask["least"]] for value in pick["value"]]}
    pick = picks[min(1, len(picks) - 1)] if ask["kind"] == "number" else picks[-1 - turn % len(picks)]
    return {ask["field"]: pick["value"], **pick["fills"]}
