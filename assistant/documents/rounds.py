"""``sightline.rounds/1``: rounds with their pairings, results and clocks. Lists as CSV: ``round_lists.py``.

Results use PGN's notation: 1-0, 0-1, 1/2-1/2, * during the game. Pairing is left to a pairing program.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from assistant.documents.reading import decode
from assistant.errors import BadValue
from assistant.table.fields import MAX_NAME, Name, PlainNames
from assistant.translations.messages import said

ROUNDS_FORMAT = "sightline.rounds/1"
MAX_ROWS = 20_000
MAX_ROUND = 99
MAX_MINUTES = 24 * 60

Result = Literal["1-0", "0-1", "1/2-1/2", "0-0", "*"]
"""Result of a game. ``0-0`` is a loss for both."""

RESULTS: tuple[Result, ...] = ("1-0", "0-1", "1/2-1/2", "0-0", "*")

MAX_SCORE = 100_000
Score = Annotated[int, Meta(ge=-MAX_SCORE, le=MAX_SCORE)]


class Pairing(PlainNames, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A game of a round at a table.

    Args:
        table: the table.
        first: the player named first in the result.
        second: the other player; empty for a bye.
        result: ``*`` during the game.
        first_score, second_score: points of the game, if it has points.
    """

    table: Name
    first: Name
    second: Annotated[str, Meta(max_length=MAX_NAME)] = ""
    result: Result = "*"
    first_score: Score | None = None
    second_score: Score | None = None


class Round(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A round with its pairings and its clock.

    Args:
        number: its number, from 1.
        pairings: its games.
        minutes: its length in minutes.
        started_t: the last start of its clock, milliseconds since 1970; None while it is stopped.
        used_s: its run time before that start.
        began_t: the first start of its clock, or None.
        published_t: the time at which a judge published its pairings, or None.
    """

    number: Annotated[int, Meta(ge=1, le=MAX_ROUND)]
    pairings: Annotated[tuple[Pairing, ...], Meta(max_length=MAX_ROWS)] = ()
    minutes: Annotated[int, Meta(ge=1, le=MAX_MINUTES)] = 150
    started_t: Annotated[int, Meta(ge=0)] | None = None
    used_s: Annotated[float, Meta(ge=0)] = 0.0
    began_t: Annotated[int, Meta(ge=0)] | None = None
    published_t: Annotated[int, Meta(ge=0)] | None = None

    @property
    def shown_t(self) -> int | None:
        """The time at which players learned of it: its pairings were published, or its clock was started."""
        known = [t for t in (self.published_t, self.began_t) if t is not None]
        return min(known, default=None)


class _RoundsWire(Struct, forbid_unknown_fields=True):
    rounds: list[Round]
    format: str


def round_json(one: Round) -> bytes:
    """Return a round for a desk's store."""
    return msgspec.json.encode(one)


def round_from_json(data: bytes) -> Round:
    """Read a round that a desk stored."""
    return msgspec.json.decode(data, type=Round)


def rounds_json(rounds: Sequence[Round]) -> bytes:
    """Return the ``sightline.rounds/1`` document."""
    return msgspec.json.encode({"format": ROUNDS_FORMAT, "rounds": rounds})


def rounds_from_json(data: bytes, document: str) -> list[Round]:
    """Read the rounds of a ``sightline.rounds/1`` document.

    Raises:
        DocumentError: the document breaks its format, or lists a round twice.
    """
    rounds = decode(data, ROUNDS_FORMAT, _RoundsWire, document).rounds
    if len({one.number for one in rounds}) < len(rounds):
        raise BadValue(said("A round is listed twice."), document=document, field="rounds")
    return rounds
