"""JSON forms of the desk's answers, for its OpenAPI document and for client programs."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct

from assistant.documents.call import Call
from assistant.documents.rounds import Pairing


class ClaimLine(Struct, forbid_unknown_fields=True):
    """The judge on the way to a call. An empty name means nobody."""

    judge: str
    is_escalated: bool


class CallLine(Call, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A call in the desk's lists: with its age by the desk's clock, its round and players.

    ``closed_here``: the desk has closed it, and its table does not know yet.
    """

    closed_here: bool
    waits_s: float
    round: int
    players: list[str]
    claim: ClaimLine | None


class HandedLine(Struct, forbid_unknown_fields=True):
    """The result entered by players at their table."""

    round: int
    result: str
    agreed: list[Literal["first", "second"]]


class TableLine(Struct, forbid_unknown_fields=True):
    """A table of the hall. ``other_key`` is its own key if the tournament has signed another one."""

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
    """A game with the hall's name of its table, its time extension and its time left."""

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
    """Published rounds. Results lag by the delay."""

    delay_s: float
    rounds: list[RoundLine]


class HallAnswer(Struct, forbid_unknown_fields=True):
    """The hall: whole, or only its changes since a stamp.

    Args:
        stamp: the name of this state of the hall, for requesting later changes.
        is_whole: whether every table and pairing is included. All other fields are always complete.
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
    """The calls found, and their total number."""

    calls: list[CallLine]
    count: int


class CallFact(Struct, forbid_unknown_fields=True):
    """A named fact of a call."""

    name: str
    value: str


class PastPenalty(Struct, forbid_unknown_fields=True):
    """An earlier penalty. It has no player if the ruling's words name none."""

    player: str
    level: str
    level_name: str
    infraction: str
    stands: bool
    call: str
    table: str
    round: int


class PenaltyLine(PastPenalty, forbid_unknown_fields=True):
    """A penalty of the exported list."""

    judge: str


class PenaltiesAnswer(Struct, forbid_unknown_fields=True):
    """All penalties."""

    penalties: list[PenaltyLine]


class CallAnswer(Struct, forbid_unknown_fields=True):
    """A call with all its data at the desk."""

    call: CallLine
    facts: list[CallFact]
    events: list[dict[str, Any]]
    history: list[PastPenalty]
    pictures: list[str]
    report: dict[str, Any] | None


class StepAnswer(Struct, forbid_unknown_fields=True):
    """A call after a judge's step."""

    call: CallLine


class KeyAnswer(Struct, forbid_unknown_fields=True):
    """The fingerprint of the key accepted from now on."""

    fingerprint: str


class ClosedAnswer(Struct, forbid_unknown_fields=True):
    """The number of closed calls of a table."""

    count: int


class ClaimAnswer(Struct, forbid_unknown_fields=True):
    """The judge on the way now."""

    claim: ClaimLine


class BroughtAnswer(Struct, forbid_unknown_fields=True):
    """The number of imported rounds."""

    rounds: int


class ChangeLine(Struct, forbid_unknown_fields=True):
    """The changes that a list would make in a round, by tables."""

    number: int
    is_new: bool
    comes: list[str]
    changes: list[str]
    goes: list[str]
    unknown_tables: list[str]


class PreviewAnswer(Struct, forbid_unknown_fields=True):
    """The changes that a list would make."""

    rounds: list[ChangeLine]
