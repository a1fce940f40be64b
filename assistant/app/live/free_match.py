"""Updates a match from a picture of a table without cells: a move is played, asked about or refused.

A figure at its place in the match takes its seen position. For a moved figure, the game decides which move this was,
and that command is played as if a person had given it. A figure whose move the rules refuse, or about which people must
answer first, stays where the match has it. So nothing is measured from a place where no figure may stand.
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
"""Refuses, with an InputError, a command for a figure that does not belong to the actor."""

SAME_MM = 10.0
"""Distance in mm below which two places are the same. No hand puts a model back more exactly."""


@dataclass(frozen=True)
class PlayedMove:
    """A move that a picture shows, and its effect on the match.

    Args:
        move: the measured move.
        title: the match's record of it; None if nothing was played.
        refusal: why the rules forbid it.
        question: what people must answer first.
        choices: their answers, each a command.
    """

    move: SeenMove
    title: Said | None = None
    refusal: Said | None = None
    question: Said | None = None
    choices: tuple[SeenChoice, ...] = ()


@dataclass(frozen=True)
class TakenTable:
    """The moves that a match took from a table, and the resulting news."""

    moves: tuple[PlayedMove, ...] = ()
    news: tuple[Said, ...] = ()


@dataclass(frozen=True)
class Bringer:
    """The source of a picture for the match.

    Args:
        actor: the actor who plays the moves.
        require_own: checks that the actor may play a figure.
        only: the figures that may have moved; None for all.
        teller: the actor that the history names for showing the table.
        terrain_by: the actor who changed a piece of terrain by hand, by its name, for the history.
    """

    actor: Actor
    require_own: RequireOwn
    only: frozenset[str] | None = None
    teller: Actor = CAMERA
    terrain_by: Mapping[str, Actor] = field(default_factory=dict)


def take_table(session: Session, seen: FreeSighting, by: Bringer, *, as_it_stands: bool = False) -> TakenTable:
    """Update a match from a picture of its table.

    Args:
        session: the match.
        seen: the picture.
        by: the picture's source.
        as_it_stands: whether everything moves to where it was seen, whatever the rules say.

    Raises:
        IllegalStep: the match is played on cells.
        NotYours: all figures would come from this picture, but its source may not place all.
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
    """Take terrain that people changed into the match, one step for each person."""
    for actor in dict.fromkeys(terrain_by.values()):
        known = free_table_of(session.timeline.game)
        names = {name for name, by in terrain_by.items() if by == actor}
        kept = [piece for piece in known.terrain if piece.id not in names]
        changed = [piece for piece in table.terrain if piece.id in names]
        _see(session, replace(known, terrain=(*kept, *changed)), actor)


def foretell_news(session: Session, seen: FreeSighting) -> tuple[Said, ...]:
    """Return the news that would follow at once if the match took a picture's table."""
    game = session.timeline.game
    if game.has_grid or not _knows_table(game):
        return ()
    step = See(document=free_table_document(_shown_to(game, seen).table))
    return session.system.tell_news(game, step.apply(game).concluded())


def list_offers(session: Session, seen: FreeSighting) -> tuple[tuple[SeenMove, SeenAs], ...]:
    """Return the figures whose place differs from the match, each with the game's interpretation of the move.

    Skips a figure at its place before its last move, because the picture is older than the move.
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
    except HistoryLost:  # a match resumed from a snapshot has only the steps since then
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
    if step.apply(game) != game:  # the same table again is not a step of the match
        session.command({"type": "see", "document": step.document}, teller)


def _held_back(before: FreeTable, shown: FreeTable, names: set[str]) -> FreeTable:
    """Return a picture's table with some figures left where they stood before."""
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
    """Play a move. It is interpreted again, because the match has gone on since all moves were read."""
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
