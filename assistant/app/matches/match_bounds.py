"""Limits on how much people may write into a match, so that nobody fills the disk or uses up others' room."""

from __future__ import annotations

from assistant.errors import SightlineError
from assistant.match.actor import Actor
from assistant.match.session import Session
from assistant.translations.messages import said

MOST_OF_ONE = 4_000_000
"""Limit in bytes for one device, or for a program without one: some ten thousand steps, many times a long match."""

MOST_WITH_GUESTS, MOST = 8_000_000, 16_000_000
"""Limits in bytes for all devices together. Beyond the first, guests write nothing more. Beyond the second, only hosts
and judges write."""


class MatchFull(SightlineError):
    """This device, or all devices together, have written too much into the match."""

    http_status = 429
    sentence = said("This device has written too much into this match. Let the host or a judge write it.")


def require_room(session: Session, actor: Actor, *, is_guest: bool) -> None:
    """Check that the match has room for one more command of a player's device.

    Raises:
        MatchFull: there is no room, so nothing is written.
    """
    together = MOST_WITH_GUESTS if is_guest else MOST
    if session.written[actor.name] >= MOST_OF_ONE or session.written.total() >= together:
        raise MatchFull
