"""Begins, resumes, renames and copies matches while the program runs, for the owner's page."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from assistant.app.matches.archive import KeptMatches, list_shipped_missions, require_name
from assistant.app.matches.workshop import Workshop
from assistant.errors import NameTaken
from assistant.match.actor import CAMERA, TABLE
from assistant.match.audience import Goal
from assistant.match.game import GameState, require
from assistant.match.games import game_named, system_of
from assistant.match.ground import board_of, free_table_of
from assistant.match.header import MatchLabel
from assistant.match.laying import wanted_table
from assistant.match.missions import Mission
from assistant.match.moments import OPTIONS, split_options
from assistant.match.session import PlayedOn, Session
from assistant.rules.options import Option
from assistant.translations.messages import SILENCE, Said, counted, listed, said


@dataclass(frozen=True)
class MissionOffer:
    """A mission that can be begun.

    Args:
        name: its name among shipped and own missions.
        title: its title.
        ruleset: its game.
        game: the title of its game's box.
        options: every house option with the mission's choice.
        sides: its sides, in the order of its figures.
        table: its sample table, for play without a camera; None without one.
        about: the size of its drawn board, the number of figures that start on it and the number of sides.
        extent: the area of its drawn board, in spaces, or in square centimetres without a grid; 0 without a board.
        goals: how each side wins.
    """

    name: str
    title: str
    ruleset: str
    game: str
    options: tuple[tuple[Option, str], ...]
    table: Mapping[str, Any] | None
    sides: tuple[str, ...] = ()
    about: Said = SILENCE
    extent: int = 0
    goals: tuple[Goal, ...] = ()


class MatchMenu:
    """The menu of matches and missions.

    Args:
        kept: the stored matches.
        show: shows a match to everybody.
    """

    def __init__(self, kept: KeptMatches, show: Callable[[Session], None]) -> None:
        self._kept = kept
        self._show = show
        self.workshop = Workshop(kept)

    def missions(self) -> tuple[MissionOffer, ...]:
        """Return all shipped and own missions, sorted by game, those with a drawn board first and by size."""
        own = (f"own/{name}" for name in self._kept.own_missions.names())
        offers = (_offer(name, self.workshop.load(name)) for name in (*list_shipped_missions(), *own))
        return tuple(sorted(offers, key=lambda offer: (offer.game, offer.table is None, offer.extent, offer.title)))

    def begin(
        self,
        name: str,
        mission: str,
        options: Mapping[str, str],
        *,
        on_sample_table: bool,
        without_table: bool = False,
    ) -> Session:
        """Begin a match and show it to everybody.

        Args:
            name: the unused name of the match.
            mission: the name of its mission.
            options: house options that differ from the mission's.
            on_sample_table: whether it is played on the mission's drawn table, without a camera.
            without_table: whether it only keeps order, damage and dice, without a drawn table.

        Raises:
            BadName: the name is not allowed.
            UnknownName: there is no such mission, option or choice.
            StoreError: the name is taken, or nothing can be written.
        """
        require_name(name)
        loaded = self.workshop.load(mission)
        _, of_game = split_options({**loaded.options, **options})
        game_named(loaded.ruleset).rules(of_game)
        if name in self._kept.store.matches():
            raise NameTaken(name)
        session = self._kept.begin(name, loaded, options)
        if without_table:
            self._kept.play_on(session, "nothing")
        elif on_sample_table and loaded.table is not None:
            session.command({"type": "see", "document": loaded.table}, CAMERA)
            self._kept.play_on(session, "drawing")
            _begin_first_round(session)
        self._show(session)
        return session

    def play(self, name: str) -> Session:
        """Resume the match of that name and show it to everybody.

        Raises:
            UnknownName: there is none.
            DocumentError: its stored data were altered.
            StoreError: it cannot be read.
        """
        session = self._kept.go_on(name)
        self._show(session)
        return session

    def play_on(self, session: Session, what: PlayedOn) -> None:
        """Store where the shown match is played from now on, and show it anew.

        Raises:
            IllegalStep: the match has no table to draw.
            StoreError: it cannot be written.
        """
        has_table = bool(session.timeline.game.ground)
        require(what != "drawing" or has_table, said("This match has no table yet. Begin it on the drawn board."))
        self._kept.play_on(session, what)
        self._show(session)

    def rename(self, name: str, wanted: str, shown: Session | None) -> None:
        """Rename a stored match, and the shown one with it.

        Args:
            name: the present name.
            wanted: the new name.
            shown: the match on display.

        Raises:
            BadName: the name is not allowed.
            UnknownName: there is no such match.
            StoreError: the name is taken, or it cannot be written.
        """
        was_running = self._kept.rename(name, wanted)
        if was_running is not None and was_running is shown:
            self._show(self._kept.go_on(wanted))

    def copy(self, name: str, copied: str) -> MatchLabel:
        """Copy a match for experiments, as ``KeptMatches.copied``. The copy is not shown."""
        return self._kept.copied(name, copied)


def _begin_first_round(session: Session) -> None:
    """Begin the first round if nothing else can be done and no side has a choice, to save a tap."""
    prompts = list(session.system.prompts(session.timeline.game))
    if len(prompts) == 1 and prompts[0].side is None and not prompts[0].fields:
        session.command({"type": prompts[0].type}, TABLE)


def _offer(name: str, mission: Mission) -> MissionOffer:
    game = game_named(mission.ruleset)
    of_match, of_game = split_options(mission.options)
    chosen = {**game.rules(of_game).options, **of_match}
    options = tuple((option, chosen[option.name]) for option in (*game.rule_set.option_table, *OPTIONS))
    system = system_of(mission.ruleset)
    start = system.start(mission.setup, game.rules(of_game).options, "")
    sides = tuple(dict.fromkeys(piece.side for piece in start.pieces.values()))
    laid = wanted_table(start, mission.table)
    wide, high = (0, 0) if mission.table is None else _measure(laid)
    about = _word_size(laid, (wide, high), len(sides))
    return MissionOffer(
        name,
        mission.title,
        mission.ruleset,
        game.title,
        options,
        mission.table,
        sides,
        about,
        wide * high,
        system.goals(laid),
    )


def _word_size(laid: GameState, size: tuple[int, int], sides: int) -> Said:
    """Describe the size of a mission for players who choose one."""
    wide, high = size
    board = (
        said("{wide} × {high} spaces", wide=wide, high=high)
        if laid.has_grid
        else said("{wide} × {high} cm", wide=wide, high=high)
    )
    figures = sum(bool(piece.cells or piece.center_mm) for piece in laid.standing())
    placed = counted("{n} figure at the start", "{n} figures at the start", figures)
    facts = [*([board] if wide else ()), *([placed] if figures else ())]
    return listed((*facts, counted("{n} side", "{n} sides", sides)))


def _measure(laid: GameState) -> tuple[int, int]:
    """Return the width and height of a drawn board, in spaces, or in centimetres without a grid."""
    if not laid.has_grid:
        wide_mm, high_mm = free_table_of(laid).size_mm
        return round(wide_mm / 10), round(high_mm / 10)
    columns, rows = ([cell[axis] for cell in board_of(laid).cells] for axis in (0, 1))
    return max(columns) - min(columns) + 1, max(rows) - min(rows) + 1
