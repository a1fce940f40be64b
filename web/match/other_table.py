"""Detect whether the camera sees the match's table or a different one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from assistant.errors import InputError
from assistant.match.ground import ground_of
from assistant.match.laying import is_same_table
from assistant.match.session import Session
from assistant.table.board import Board
from assistant.table.free_table import FreeTable
from assistant.translations.messages import Said, said
from web.parts import Parts

TO_BE_LAID = said(
    "The camera sees a different table than this mission's. Set it up as the help under “Turns” shows, or begin a "
    "new match with the mission on the table."
)
PLAYED_ELSEWHERE = said(
    "The camera sees a different table than this match's. Set that table up again, or begin a new match with the "
    "mission on the table."
)


class OtherTable(InputError):
    """The seen table is not the match's, so its figures cannot stand there."""


def is_other_than(table: Mapping[str, Any] | None, page: Parts) -> bool:
    """Return whether the camera sees a different table than a mission's. False if either is unknown."""
    seen = _seen_by(page)
    return table is not None and seen is not None and not is_same_table(ground_of(dict(table))[0], seen)


def find_other_table(session: Session, page: Parts) -> Said | None:
    """Return advice if the camera sees a different table than the match's, or None."""
    seen = _seen_by(page) if session.played_on == "camera" else None
    return None if seen is None else _told_of(session, seen)


def require_own_table(session: Session, seen: Board) -> None:
    """Check that a board may be the match's.

    Raises:
        OtherTable: it is a different table, or the match is played without a camera.
    """
    if session.played_on != "camera":
        raise OtherTable(said("This match is played without a camera. Put the camera up in the menu first."))
    problem = _told_of(session, seen)
    if problem is not None:
        raise OtherTable(problem)


def _told_of(session: Session, seen: Board | FreeTable) -> Said | None:
    played, table = session.timeline.game.ground, session.header.table
    wanted = "" if table is None else ground_of(table)[0]
    known = played or wanted
    # A mission's table is complete. A table shown by a camera may have grown.
    if not known or is_same_table(known, seen, may_have_grown=known != wanted):
        return None
    return PLAYED_ELSEWHERE if played else TO_BE_LAID


def _seen_by(page: Parts) -> Board | FreeTable | None:
    """Return the table on the camera's newest picture, with cells or without, or None before the first picture."""
    free = page.readers.free
    if free is not None:
        return None if free.latest is None else free.latest.sighting.table
    shot = page.shelf.latest_live()
    return None if shot is None else shot.board
