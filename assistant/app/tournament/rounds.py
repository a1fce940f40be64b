"""A desk's rounds: take in a list of pairings, note results, run the clocks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec.structs import replace

from assistant.documents.call import Call
from assistant.documents.rounds import Pairing, Result, Round
from assistant.errors import UnknownName
from assistant.translations.messages import said


def taken_in(known: Sequence[Round], brought: Iterable[Round]) -> list[Round]:
    """The rounds of a list after it was taken in: running clocks go on, known results stay.

    A list that has a result of its own for a table replaces what is known.
    """
    by_number = {one.number: one for one in known}
    return [_merged(by_number.get(one.number), one) for one in brought]


def _merged(known: Round | None, brought: Round) -> Round:
    if known is None:
        return brought
    before = {(p.table, p.first, p.second): p for p in known.pairings}
    pairings = tuple(before.get((p.table, p.first, p.second), p) if p.result == "*" else p for p in brought.pairings)
    return replace(known, pairings=pairings)


def with_result(
    known: Sequence[Round],
    number: int,
    table: str,
    result: Result,
    scores: tuple[int | None, int | None] = (None, None),
) -> list[Round]:
    """The round with that result."""
    one = _round(known, number)
    if all(p.table != table for p in one.pairings):
        raise UnknownName(said("nobody plays at the table “{table}” in round {round}", table=table, round=number))
    first, second = scores
    noted: list[Pairing] = [
        replace(p, result=result, first_score=first, second_score=second) if p.table == table else p
        for p in one.pairings
    ]
    return [replace(one, pairings=tuple(noted))]


def with_clock(
    known: Sequence[Round], number: int, now_ms: int, *, runs: bool, minutes: int | None = None
) -> list[Round]:
    """The round with its clock running or stopped from now on.

    Raises:
        UnknownName: there is no such round.
    """
    one = _round(known, number)
    used_s = used_of(one, now_ms)
    return [
        replace(
            one,
            minutes=minutes or one.minutes,
            used_s=used_s,
            started_t=now_ms if runs else None,
            began_t=one.began_t if one.began_t is not None or not runs else now_ms,
        )
    ]


def used_of(one: Round, now_ms: int) -> float:
    """The used time of a round, in seconds."""
    running_ms = 0 if one.started_t is None else max(0, now_ms - one.started_t)
    return one.used_s + running_ms / 1000


def left_of(one: Round, now_ms: int) -> float:
    """The remaining time of a round without extensions, in seconds; negative once it is over."""
    return one.minutes * 60 - used_of(one, now_ms)


def extensions_of(rounds: Sequence[Round], number: int, calls: Iterable[Call]) -> Mapping[str, int]:
    """The seconds that each table got back in a round, by the calls made in it."""
    began = _round(rounds, number).began_t
    later = [one.began_t for one in rounds if one.number > number and one.began_t is not None]
    until = min(later, default=None)
    given: dict[str, int] = {}
    for call in calls:
        is_in_it = began is not None and began <= call.opened_t and (until is None or call.opened_t < until)
        if call.extension_s and is_in_it:
            given[call.table] = given.get(call.table, 0) + call.extension_s
    return given


def _round(rounds: Sequence[Round], number: int) -> Round:
    found = next((one for one in rounds if one.number == number), None)
    if found is None:
        raise UnknownName(said("there is no round {round}; bring its pairings in first", round=number))
    return found
