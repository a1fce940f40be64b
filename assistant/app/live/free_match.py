"""A match takes its table from a picture of one without cells: what moved is played, asked about or refused.

Who stands where the match has him is taken as he was seen. Who was moved is given to the game, which says what the move
was: that command is played as if a person had given it. What the rules refuse, and what people have to say first, stays
where the match has it, so that nothing is reckoned from a place that nobody may stand on.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from assistant.app.live.free_names import SeenMove, measured_moves, seen_by_match
from assistant.documents import free_table_document
from assistant.errors import InputError, NotYours
from assistant.match.actor import CAMERA, Actor
from assistant.match.game import GameState
from assistant.match.ground import free_table_of
from assistant.match.seen_places import SeenAs, SeenChoice, SeenPlace
from assistant.match.session import Session
from assistant.match.steps import See
from assistant.match.timeline import HistoryLost
from assistant.table.free_sighting import FreeSighting
from assistant.table.free_table import FreeTable
from assistant.translations.messages import Said, said

RequireOwn = Callable[[Mapping[str, Any]], None]
"""Refuses, with an InputError, a command for a figure that is not the actor's own."""

SAME_MM = 10.0
"""Distance below which two places are the same: no hand sets a model back more exactly."""


@dataclass(frozen=True)
class PlayedMove:
    """A move that a picture shows, and its effect on the match.

    Args:
        move: as it was measured.
        title: what the match recorded of it; None where nothing was played.
        refusal: why the rules do not allow it.
        question: what people have to say of it first.
        choices: their answers, each a command.
    """

    move: SeenMove
    title: Said | None = None
    refusal: Said | None = None
    question: Said | None = None
    choices: tuple[SeenChoice, ...] = ()


@dataclass(frozen=True)
class TakenTable:
    """The moves of a table that a match has taken, and the news that followed."""

    moves: tuple[PlayedMove, ...] = ()
    news: tuple[Said, ...] = ()


@dataclass(frozen=True)
class Bringer:
    """Who brings a picture to the match.

    Args:
        actor: who plays the moves.
        require_own: whether that one may play a figure.
        only: the figures that may stand elsewhere afterwards; None for all.
        teller: who the history says has shown the table.
        terrain_by: who changed a piece of terrain by hand, by its name: the history names him for it.
    """

    actor: Actor
    require_own: RequireOwn
    only: frozenset[str] | None = None
    teller: Actor = CAMERA
    terrain_by: Mapping[str, Actor] = field(default_factory=dict)


def take_table(session: Session, seen: FreeSighting, by: Bringer, *, as_it_stands: bool = False) -> TakenTable:
    """Let a match take its table from a picture.

    Args:
        session: the match.
        seen: the picture.
        by: who brings it.
        as_it_stands: whether everything is taken where it was seen, whatever the rules say.

    Raises:
        IllegalStep: the match is played on cells.
        NotYours: all figures would come from this picture, and not all may.
    """
    before = session.timeline.game
    shown = _shown_to(before, seen)
    See(document=free_table_document(shown.table)).check(before)
    if not _knows_table(before):
        if by.only is not None:
            raise NotYours(said("This match has no table yet. Let the camera, the host or a judge send it."))
        _see(session, shown.table, by.teller)
        return TakenTable(news=session.system.tell_news(before, session.timeline.game))
    found = measured_moves(FreeSighting(free_table_of(before)), shown)
    moves = tuple(move for move in found if by.only is None or move.figure in by.only)
    others = set() if by.only is None else {figure.id for figure in shown.table.figures} - by.only
    played = set() if as_it_stands else {m.figure for m in moves if _read(session, m, shown) is not None}
    _see_terrain(session, shown.table, by.terrain_by)
    _see(session, _held_back(free_table_of(before), shown.table, played | others), by.teller)
    taken = tuple(_play(session, m, shown, by) if m.figure in played else PlayedMove(m) for m in moves)
    return TakenTable(taken, session.system.tell_news(before, session.timeline.game))


def _see_terrain(session: Session, table: FreeTable, terrain_by: Mapping[str, Actor]) -> None:
    """Take the pieces of terrain that people changed, those of each of them as a step of his own."""
    for actor in dict.fromkeys(terrain_by.values()):
        known = free_table_of(session.timeline.game)
        names = {name for name, by in terrain_by.items() if by == actor}
        kept = [piece for piece in known.terrain if piece.id not in names]
        changed = [piece for piece in table.terrain if piece.id in names]
        _see(session, replace(known, terrain=(*kept, *changed)), actor)


def foretell_news(session: Session, seen: FreeSighting) -> tuple[Said, ...]:
    """Return the news that would follow at once if the match took the table of a picture."""
    game = session.timeline.game
    if game.has_grid or not _knows_table(game):
        return ()
    step = See(document=free_table_document(_shown_to(game, seen).table))
    return session.system.tell_news(game, step.apply(game).concluded())


def list_offers(session: Session, seen: FreeSighting) -> tuple[tuple[SeenMove, SeenAs], ...]:
    """Return the figures that stand elsewhere on a picture than in the match, and the game's reading of each move.

    Whom the picture still shows where the match had him before his last move is left out: it was taken before that.
    """
    game = session.timeline.game
    if not _knows_table(game) or game.winner is not None:
        return ()
    shown = _shown_to(game, seen)
    moves = measured_moves(FreeSighting(free_table_of(game)), shown)
    fresh = [move for move in moves if not _stood_there(session, move)]
    return tuple((move, found) for move in fresh if (found := _read(session, move, shown)) is not None)


def _stood_there(session: Session, move: SeenMove) -> bool:
    """Return whether a picture shows a figure where the match had it before its last move."""
    now = session.timeline.game.piece(move.figure).center_mm
    try:
        steps = session.timeline.steps()
    except HistoryLost:  # of a match that was gone on with only what is done since is at hand
        return False
    places = (step.before.piece(move.figure).center_mm for step in reversed(steps))
    before = next((place for place in places if place is not None and place != now), None)
    return before is not None and math.dist(before, move.end_mm) <= SAME_MM


def _knows_table(game: GameState) -> bool:
    return bool(game.ground) and not game.has_grid


def _shown_to(game: GameState, seen: FreeSighting) -> FreeSighting:
    return seen_by_match(free_table_of(game), seen) if _knows_table(game) else seen


def _see(session: Session, table: FreeTable, teller: Actor) -> None:
    game, step = session.timeline.game, See(document=free_table_document(table))
    if step.apply(game) != game:  # the same table again is no step of the match
        session.command({"type": "see", "document": step.document}, teller)


def _held_back(before: FreeTable, shown: FreeTable, names: set[str]) -> FreeTable:
    """Return the table of a picture, with some figures where they stood before."""
    figures = tuple(
        replace(f, center_mm=old.center_mm, elevation_mm=old.elevation_mm) if f.id in names else f
        for f in shown.figures
        for old in (before.figure(f.id),)
    )
    return replace(shown, figures=figures)


def _read(session: Session, move: SeenMove, shown: FreeSighting) -> SeenAs | None:
    figure, spot = shown.table.figure(move.figure), shown.spots.get(move.figure)
    tells = spot is not None and spot.facing_error_deg is not None
    place = SeenPlace(
        figure=move.figure,
        center_mm=(float(figure.center_mm[0]), float(figure.center_mm[1])),
        elevation_mm=float(figure.elevation_mm),
        error_mm=move.error_mm,
        facing_deg=float(figure.facing_deg) if tells else None,
    )
    return session.system.read_move(session.timeline.game, place, shown.table)


def _play(session: Session, move: SeenMove, shown: FreeSighting, by: Bringer) -> PlayedMove:
    """Play a move; it is read again, because the match has gone on since all of them were read."""
    found = _read(session, move, shown)
    if found is None:
        return PlayedMove(move)
    if found.question is not None:
        return PlayedMove(move, question=found.question, choices=found.choices)
    command = found.choices[0].command
    try:
        by.require_own(command)
        return PlayedMove(move, title=session.command(command, by.actor).title)
    except InputError as problem:
        return PlayedMove(move, refusal=problem.sentence)
