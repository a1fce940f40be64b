"""A desk's rounds: importing pairings, recording results, running the clocks."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from assistant.app.tournament.desk_store import HeardCall
from assistant.documents.call import Call
from assistant.documents.rounds import Pairing, Result, Round
from assistant.errors import IllegalStep, UnknownName
from assistant.translations.messages import said


def taken_in(known: Sequence[Round], brought: Iterable[Round], *, keeps_others: bool = False) -> list[Round]:
    """Merge an imported list into the known rounds, keeping running clocks and known results.

    A result in the list replaces the known one. ``keeps_others`` keeps the games of tables that the list does not name,
    unless the list names one of their players elsewhere.
    """
    by_number = {one.number: one for one in known}
    merged = [_merge(by_number.get(one.number), one) for one in brought]
    return [_with_others(by_number.get(one.number), one) for one in merged] if keeps_others else merged


def _with_others(known: Round | None, merged: Round) -> Round:
    if known is None:
        return merged
    tables = {p.table for p in merged.pairings}
    players = {name for p in merged.pairings for name in (p.first, p.second) if name}
    kept = [p for p in known.pairings if p.table not in tables and not players & {p.first, p.second}]
    return replace(merged, pairings=(*merged.pairings, *kept))


class RoundChange(NamedTuple):
    """The changes of a list to one round: added, changed and removed games, and tables that the hall lacks."""

    number: int
    is_new: bool
    comes: tuple[Pairing, ...]
    changes: tuple[Pairing, ...]
    goes: tuple[Pairing, ...]
    unknown_tables: tuple[str, ...]


def changes_of(known: Sequence[Round], after: Iterable[Round], names: TableNames) -> list[RoundChange]:
    """Return the changes that a list's rounds would make."""
    by_number = {one.number: one for one in known}
    return [_change(by_number.get(one.number), one, names) for one in after]


def _change(before: Round | None, after: Round, names: TableNames) -> RoundChange:
    known = {} if before is None else {p.table: p for p in before.pairings}
    there = {p.table for p in after.pairings}
    return RoundChange(
        after.number,
        before is None,
        tuple(p for p in after.pairings if p.table not in known),
        tuple(p for p in after.pairings if p.table in known and known[p.table] != p),
        tuple(p for table, p in known.items() if table not in there),
        tuple(p.table for p in after.pairings if p.second and names.of(p.table) is None),
    )


def _merge(known: Round | None, brought: Round) -> Round:
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
    """Record a result in a round."""
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
    """Start or stop the clock of a round.

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


def with_publication(known: Sequence[Round], number: int, now_ms: int, *, is_public: bool) -> list[Round]:
    """Publish or withdraw the pairings of a round.

    Raises:
        UnknownName: there is no such round.
        IllegalStep: its clock has begun, so everybody is already seated.
    """
    one = _round(known, number)
    if not is_public and one.began_t is not None:
        raise IllegalStep(said("The clock of this round has begun. Its pairings stay public."))
    published_t = (one.published_t if one.published_t is not None else now_ms) if is_public else None
    return [replace(one, published_t=published_t)]


def public_rounds(now: Sequence[Round], then: Sequence[Round]) -> list[Round]:
    """Return the public rounds: present pairings and clocks, but results of a while ago."""
    known = {
        (one.number, p.table, p.first, p.second): (p.result, p.first_score, p.second_score)
        for one in then
        for p in one.pairings
    }

    def behind(one: Round, p: Pairing) -> Pairing:
        result, first, second = known.get((one.number, p.table, p.first, p.second), ("*", None, None))
        return replace(p, result=result, first_score=first, second_score=second)

    shown = [one for one in now if one.shown_t is not None]
    return [replace(one, pairings=tuple(behind(one, p) for p in one.pairings)) for one in shown]


def used_of(one: Round, now_ms: int) -> float:
    """Return the used time of a round, in seconds."""
    running_ms = 0 if one.started_t is None else max(0, now_ms - one.started_t)
    return one.used_s + running_ms / 1000


def left_of(one: Round, now_ms: int) -> float:
    """Return the remaining time of a round without extensions, in seconds, which is negative once it is over."""
    return one.minutes * 60 - used_of(one, now_ms)


def extensions_of(
    rounds: Sequence[Round], number: int, calls: Iterable[Call], heard: Mapping[str, HeardCall]
) -> Mapping[str, int]:
    """Return the seconds that each table of the hall got back in a round, by the calls made in it."""
    given: dict[str, int] = defaultdict(int)
    for call in calls:
        if call.extension_s and round_of_call(rounds, call, heard) == number:
            given[call.table] += call.extension_s
    return given


def round_of_call(rounds: Sequence[Round], call: Call, heard: Mapping[str, HeardCall]) -> int:
    """Return the round of a call: the first round for a call before any was shown, 0 if there is none."""
    known = heard.get(call.id)
    if known is not None and known.round:
        return known.round
    return round_at(rounds, call.opened_t if known is None else known.t_ms) or min(
        (r.number for r in rounds), default=0
    )


def round_at(rounds: Sequence[Round], t_ms: int) -> int:
    """Return the last round shown by a time of the desk's clock, which players then had in mind, or 0 before any."""
    shown = [one.number for one in rounds if one.shown_t is not None and one.shown_t <= t_ms]
    return max(shown, default=0)


def round_for_table(rounds: Sequence[Round], table: str, t_ms: int, names: TableNames) -> int:
    """Return the round for a new call of a table: the next one if its game of the current round has a result."""
    number = round_at(rounds, t_ms)
    here = next((p for one in rounds if one.number == number for p in one.pairings if names.of(p.table) == table), None)
    later = min((one.number for one in rounds if one.number > number), default=0)
    return later if here is not None and here.result != "*" and later else number


_NUMBER_AT_END = re.compile(r"\D*?0*(\d+)")


class TableNames:
    """Maps names in a list of pairings to tables of the hall: the same name first, else the same number.

    Args:
        names: the tables of the hall.
    """

    def __init__(self, names: Iterable[str]) -> None:
        self._by_name: dict[str, str] = {}
        self._by_number: dict[str, list[str]] = defaultdict(list)
        for name in names:
            self._by_name[name.casefold()] = name
            if (found := _NUMBER_AT_END.fullmatch(name)) is not None:
                self._by_number[found[1]].append(name)

    def of(self, text: str) -> str | None:
        """Return the table, ``table-07`` for ``7``, or None if no table fits, or two of that number exist."""
        exact = self._by_name.get(text.strip().casefold())
        number = _NUMBER_AT_END.fullmatch(text.strip())
        alike = [] if number is None else self._by_number.get(number[1], [])
        return exact or (alike[0] if len(alike) == 1 else None)


def _round(rounds: Sequence[Round], number: int) -> Round:
    found = next((one for one in rounds if one.number == number), None)
    if found is None:
        raise UnknownName(said("there is no round {round}; bring its pairings in first", round=number))
    return found
