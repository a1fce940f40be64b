"""The match's knowledge for the watched table: whose turn it is, and where its figures stand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from assistant.app.live.shots import Shot
from assistant.match.ground import table_of
from assistant.match.session import Session
from assistant.table.board import Board
from assistant.table.observation import Observation
from assistant.tracking.alignment import relocalize
from assistant.tracking.association import NOBODYS_TURN, ActiveFigure, turn_of
from assistant.tracking.values import Cells


def turn_in(match: Session | None) -> ActiveFigure:
    """The active figure of the match that is played, if one is."""
    return NOBODYS_TURN if match is None else turn_of(match.timeline.game)


def known_places(seen: Observation, shot: Shot | None, match: Session | None) -> Mapping[str, Cells]:
    """Where figures stand on a board, by what was known before it was watched.

    Args:
        seen: the first look.
        shot: what the camera showed last, if it is only opened anew; it is asked first.
        match: the match that is played, if one is.
    """
    return next((places for board in _iterate_remembered(shot, match) if (places := relocalize(board, seen))), {})


def _iterate_remembered(shot: Shot | None, match: Session | None) -> Iterator[Board]:
    """Remembered boards, the best first."""
    if shot is not None:
        yield shot.board
    game = None if match is None else match.timeline.game
    table = None if game is None or not game.ground else table_of(game)
    if isinstance(table, Board):
        yield table
