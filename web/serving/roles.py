"""Rights: one table, applied to every route and every stream."""

from __future__ import annotations

import enum
from collections.abc import Mapping

from assistant.translations.messages import message


class Right(enum.Flag):
    """A route's required right."""

    PUBLIC = 0
    """Open the page's frame and files, and join."""
    WATCH = enum.auto()
    """See everything public at the table."""
    ASK = enum.auto()
    """Ask for a ruling."""
    SHOW = enum.auto()
    """Hand in a photo."""
    CORRECT = enum.auto()
    """Correct the table."""
    PLAY = enum.auto()
    """Change the match: turns, damage, undo."""
    HIDDEN = enum.auto()
    """See the invader's secrets."""
    JUDGE = enum.auto()
    """Answer a judge call."""
    HEAD = enum.auto()
    """Decide an appeal."""
    OWN = enum.auto()
    """Invite and end devices, change the set-up."""


class Role(enum.StrEnum):
    """The role of a device."""

    SPECTATOR = "spectator"
    PLAYER = "player"
    INVADER = "invader"
    JUDGE = "judge"
    HEAD_JUDGE = "head_judge"
    OWNER = "owner"


_PLAYER = Right.WATCH | Right.ASK | Right.SHOW | Right.CORRECT | Right.PLAY

ROLE_RIGHTS: Mapping[Role, Right] = {
    Role.SPECTATOR: Right.WATCH,
    Role.PLAYER: _PLAYER,
    Role.INVADER: _PLAYER | Right.HIDDEN,
    Role.JUDGE: _PLAYER | Right.HIDDEN | Right.JUDGE,
    Role.HEAD_JUDGE: _PLAYER | Right.HIDDEN | Right.JUDGE | Right.HEAD,
    Role.OWNER: _PLAYER | Right.HIDDEN | Right.JUDGE | Right.HEAD | Right.OWN,
}

ROLE_NAMES: Mapping[Role, str] = {
    Role.SPECTATOR: message("Spectator"),
    Role.PLAYER: message("Player"),
    Role.INVADER: message("Invader"),
    Role.JUDGE: message("Judge"),
    Role.HEAD_JUDGE: message("Head judge"),
    Role.OWNER: message("Owner"),
}


def is_only_watching(role: Role) -> bool:
    """Return whether the role may not ask, show, correct or play."""
    return not ROLE_RIGHTS[role] & (Right.ASK | Right.SHOW | Right.CORRECT | Right.PLAY)


def may(role: Role, right: Right) -> bool:
    """Return whether the role has all of a route's rights."""
    return right in ROLE_RIGHTS[role]
