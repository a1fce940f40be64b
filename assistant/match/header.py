"""The header of a match, its first line: everything fixed before the first event."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from assistant.documents import convert
from assistant.errors import BadValue, UnknownName
from assistant.match.clock import Clock, Seconds
from assistant.match.game import Name, Text
from assistant.match.games import system_of


class MatchLabel(Struct, frozen=True, kw_only=True):
    """A match in a list of matches; nothing in it is secret."""

    id: str
    title: str
    ruleset: str
    created_t: int
    event_count: int


class Asking(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How sides may still answer before a command closes something (`assistant.match.moments`).

    With ``quick``, a side without an answer gets no prompt, and silence is an answer: the command waits ``speak_up_s``
    seconds.
    """

    quick: bool = False
    speak_up_s: Annotated[int, Meta(ge=0, le=600)] = 10


class Header(Struct, frozen=True, kw_only=True):
    """The header of a match: everything that a replay needs besides the events.

    ``setup`` is the mission with its figures and cards, in the form of the rule set. Like ``seed``, it holds secrets of
    the invader, so tablets get only the views of `assistant.match.views`, never the header. ``table`` is the mission's
    own table, if it describes one. ``turn_limit_s`` is the time limit of a turn, if the players want one. ``asks`` says
    how other sides answer before something closes; None in matches older than that feature. ``versions`` names the
    program and the contents in use (hashes of tile set and roster).
    """

    id: Name
    ruleset: Name
    seed: Name
    created_t: int = 0
    title: Text = ""
    options: Mapping[str, str] = {}
    setup: dict[str, Any] = {}
    table: dict[str, Any] | None = None
    turn_limit_s: Seconds | None = None
    asks: Asking | None = None
    versions: Mapping[str, str] = {}

    @classmethod
    def read(cls, raw: Mapping[str, Any]) -> Header:
        """Return the header of a match's first line.

        Raises:
            DocumentError: a field is missing or wrong.
        """
        header: Header = convert(raw, cls, "match header")
        require_playable(header.ruleset, "match header")
        return header

    def clock(self) -> Clock:
        """Return the clocks before the first event."""
        return Clock(turn_limit_s=self.turn_limit_s)

    def document(self) -> dict[str, Any]:
        """Return the header's fields in the first line, without ``format``."""
        document: dict[str, Any] = msgspec.to_builtins(self)
        return document


def require_playable(ruleset: str, document: str) -> None:
    """Require that the game of a document has matches.

    Raises:
        BadValue: there is no such game, or it has no matches.
    """
    try:
        system_of(ruleset)
    except UnknownName as problem:
        raise BadValue(problem.sentence, document=document, field="ruleset") from None
