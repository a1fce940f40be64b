"""The desk's answers, each as a form, for its OpenAPI document and for programs that read them."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct

from assistant.documents.call import Call
from assistant.documents.rounds import Pairing


class ClaimLine(Struct, forbid_unknown_fields=True):
    """Who is on the way to a call; nobody where the name is empty."""

    judge: str
    is_escalated: bool


class CallLine(Call, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A call as the desk lists it: with its age by the desk's clock, its round and who plays.

    ``closed_here``: closed at the desk, and its table has not heard it yet.
    """

    closed_here: bool
    waits_s: float
    round: int
    players: list[str]
    claim: ClaimLine | None


class HandedLine(Struct, forbid_unknown_fields=True):
    """The result that players hand in at their table."""

    round: int
    result: str
    agreed: list[Literal["first", "second"]]


class TableLine(Struct, forbid_unknown_fields=True):
    """A table of the hall; ``other_key`` is the key that it signs with where the tournament has signed another."""

    name: str
    condition: Literal["online", "stale", "stopped", "offline"]
    unheard_s: float | None
    troubles: list[str]
    other_key: str
    match: str
    round: int
    title: str
    waiting: int
    bare_call: bool
    handed: HandedLine | None


class PairingLine(Pairing, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A game with the hall's name of its table, the time it got back and the time it has left."""

    place: str
    extension_s: int
    left_s: float


class RoundLine(Struct, forbid_unknown_fields=True):
    """A round with its clock."""

    number: int
    minutes: int
    runs: bool
    is_public: bool
    has_begun: bool
    left_s: float
    pairings: list[PairingLine]


class RoundsAnswer(Struct, forbid_unknown_fields=True):
    """All rounds."""

    rounds: list[RoundLine]


class PublicAnswer(Struct, forbid_unknown_fields=True):
    """Published rounds; results are behind by the delay."""

    delay_s: float
    rounds: list[RoundLine]


class HallAnswer(Struct, forbid_unknown_fields=True):
    """The hall: whole, or without the tables and pairings that are as they were at a stamp.

    Args:
        stamp: names this state of the hall, to ask for what changes after it.
        is_whole: whether every table and pairing is here; what else is here replaces what was known.
    """

    now_s: float
    stamp: str
    is_whole: bool
    tables: list[TableLine]
    calls: list[CallLine]
    rounds: list[RoundLine]
    problems: list[str]


class ProblemsAnswer(Struct, forbid_unknown_fields=True):
    """The problems of the desk."""

    problems: list[str]


class CallsAnswer(Struct, forbid_unknown_fields=True):
    """Found calls, and how many there are in all."""

    calls: list[CallLine]
    count: int


class CallFact(Struct, forbid_unknown_fields=True):
    """A named fact of a call."""

    name: str
    value: str


class PastPenalty(Struct, forbid_unknown_fields=True):
    """An earlier penalty; without a player where a ruling's words name none."""

    player: str
    level: str
    level_name: str
    infraction: str
    stands: bool
    call: str
    table: str
    round: int


class PenaltyLine(PastPenalty, forbid_unknown_fields=True):
    """A penalty of the list that goes out."""

    judge: str


class PenaltiesAnswer(Struct, forbid_unknown_fields=True):
    """All penalties."""

    penalties: list[PenaltyLine]


class CallAnswer(Struct, forbid_unknown_fields=True):
    """A call with everything that the desk has of it."""

    call: CallLine
    facts: list[CallFact]
    events: list[dict[str, Any]]
    history: list[PastPenalty]
    pictures: list[str]
    report: dict[str, Any] | None


class StepAnswer(Struct, forbid_unknown_fields=True):
    """A call after a step."""

    call: CallLine


class KeyAnswer(Struct, forbid_unknown_fields=True):
    """The fingerprint of the key that counts from now on."""

    fingerprint: str


class ClosedAnswer(Struct, forbid_unknown_fields=True):
    """How many calls of a table were closed."""

    count: int


class ClaimAnswer(Struct, forbid_unknown_fields=True):
    """Who is on the way now."""

    claim: ClaimLine


class BroughtAnswer(Struct, forbid_unknown_fields=True):
    """How many rounds were taken in."""

    rounds: int


class ChangeLine(Struct, forbid_unknown_fields=True):
    """What a list would change in a round, by tables."""

    number: int
    is_new: bool
    comes: list[str]
    changes: list[str]
    goes: list[str]
    unknown_tables: list[str]


class PreviewAnswer(Struct, forbid_unknown_fields=True):
    """What a list would change."""

    rounds: list[ChangeLine]
