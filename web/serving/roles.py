"""Who may do what: one table, applied to every route and every stream."""

from __future__ import annotations

import enum
from collections.abc import Mapping

from assistant.translations.messages import message


class Right(enum.Flag):
    """One thing that a route lets a device do."""

    PUBLIC = 0
    """Nothing but looking at the door: the page's frame, its files, joining."""
    WATCH = enum.auto()
    """See the table as everybody may see it."""
    ASK = enum.auto()
    """Ask for a ruling."""
    SHOW = enum.auto()
    """Hand in a photo."""
    CORRECT = enum.auto()
    """Say that something stands elsewhere."""
    PLAY = enum.auto()
    """Change the match: turns, damage, undo."""
    HIDDEN = enum.auto()
    """See what only the invader knows."""
    JUDGE = enum.auto()
    """Answer a judge call."""
    OWN = enum.auto()
    """Invite and end devices, change the set-up."""


class Role(enum.StrEnum):
    """What a device joined as."""

    SPECTATOR = "spectator"
    PLAYER = "player"
    INVADER = "invader"
    JUDGE = "judge"
    OWNER = "owner"


_PLAYER = Right.WATCH | Right.ASK | Right.SHOW | Right.CORRECT | Right.PLAY

ROLE_RIGHTS: Mapping[Role, Right] = {
    Role.SPECTATOR: Right.WATCH,
    Role.PLAYER: _PLAYER,
    Role.INVADER: _PLAYER | Right.HIDDEN,
    Role.JUDGE: _PLAYER | Right.HIDDEN | Right.JUDGE,
    Role.OWNER: _PLAYER | Right.HIDDEN | Right.JUDGE | Right.OWN,
}

ROLE_NAMES: Mapping[Role, str] = {
    Role.SPECTATOR: message("Spectator"),
    Role.PLAYER: message("Player"),
    Role.INVADER: message("Invader"),
    Role.JUDGE: message("Judge"),
    Role.OWNER: message("Owner"),
}


def is_only_watching(role: Role) -> bool:
    """Whether nothing on the page can be asked, shown, set right or played by the role."""
    return not ROLE_RIGHTS[role] & (Right.ASK | Right.SHOW | Right.CORRECT | Right.PLAY)


def may(role: Role, right: Right) -> bool:
    """Whether the role has everything that the route asks for."""
    return right in ROLE_RIGHTS[role]
