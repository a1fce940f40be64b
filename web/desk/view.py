"""The hall in the form of its page: tables, calls by age, rounds with a clock for each table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from assistant.app.problems import ProblemList
from assistant.app.tournament.desk import TournamentDesk
from assistant.app.tournament.desk_store import CallClaim, DeskStore
from assistant.app.tournament.hall import TableSeen, Trouble
from assistant.app.tournament.round_book import RoundBook
from assistant.app.tournament.rounds import TableNames, extensions_of, left_of
from assistant.app.tournament.sent_parts import report_of_sent, topic_name
from assistant.app.tournament.steps import PastStep
from assistant.documents.call import Call
from assistant.documents.rounds import Pairing, Round
from assistant.errors import InputError
from assistant.translations.messages import message
from assistant.translations.speech import Speech
from web.judge.words import report_view
from web.problems.errors import word_error
from web.serving.routes import API_ROOT

MOST_OF_TABLE = 10
"""Most open calls of one table in the list."""

FAIR = 3
"""Calls of a table beyond this number rank after those of the others."""

MORE_CALLS = message("The table “{table}” has {count} more open calls. Find them by the search.")

TROUBLES: Mapping[Trouble, str] = {
    "twice": message("Two programs use this table's join code. Give each table its own."),
    "newer": message("This table runs a newer Sightline. Update the desk; the table keeps its messages until then."),
    "older": message("This table runs an older Sightline. Update it."),
    "other key": message("This table signs with another key than when it joined. Its evidence is not vouched for."),
}


def hall_view(desk: TournamentDesk, problems: ProblemList, now_s: float, speech: Speech) -> dict[str, Any]:
    """Return everything on a judge's page, for encoding by msgspec.

    Raises:
        StoreError: the store cannot be read.
    """
    book = desk.book()
    with desk.guard:
        tables = [_table(seen, now_s, speech) for _, seen in sorted(desk.hall.tables.items())]
    waiting = [call for call in book.calls if not book.is_closed(call)]
    shown, places = fairly(waiting)
    lines = [call_line(call, book, now_s) for call in shown]
    more = Counter(call.table for call in waiting) - Counter(call.table for call in shown)
    unshown = [speech.text(MORE_CALLS).format(table=table, count=count) for table, count in sorted(more.items())]
    return {
        "now_s": round(now_s, 3),
        "tables": tables,
        "calls": sorted(
            lines, key=lambda one: (one["state"] == "ruled", places[one["id"]] >= FAIR, -one["waits_s"], one["id"])
        ),
        "rounds": rounds_with_extensions(book, now_s),
        "problems": [*problems_view(problems, speech), *unshown],
    }


def fairly(calls: Iterable[Call]) -> tuple[list[Call], Mapping[str, int]]:
    """Return the first open calls of each table, and the rank of each within its table."""
    count: Counter[str] = Counter()
    shown, places = [], {}
    for call in calls:
        if count[call.table] < MOST_OF_TABLE:
            shown.append(call)
            places[call.id] = count[call.table]
        count[call.table] += 1
    return shown, places


def call_line(call: Call, book: RoundBook, now_s: float) -> dict[str, Any]:
    """Return a call in the form of the desk's lists."""
    claim = book.claims.get(call.id)
    return {
        **msgspec.to_builtins(call),
        "state": "closed" if book.is_closed(call) else call.state,
        "closed_here": call.state != "closed" and book.is_closed(call),
        "waits_s": round(book.waits_s(call, now_s), 1),
        "round": book.round_of(call),
        "players": book.players_of(call),
        "claim": None if claim is None else claim_view(claim),
    }


def claim_view(claim: CallClaim) -> dict[str, Any]:
    """Return the judge on the way to a call, and whether the head judge is wanted."""
    return {"judge": claim.judge, "is_escalated": claim.is_escalated}


def frozen_view(store: DeskStore, call: Call, speech: Speech, steps: Sequence[PastStep]) -> dict[str, Any]:
    """Return a call's arrived frozen parts: its pictures, and the rest in words.

    Raises:
        StoreError: the store cannot be read.
    """
    here = [name for name in store.part_names(call.id) if name.endswith(".jpg")]
    addresses = {name: f"{API_ROOT}/hall/calls/{call.id}/pictures/{name}" for name in here}
    try:
        report = report_of_sent(call, lambda name: store.part(call.id, name), speech, steps)
    except InputError:
        report = None  # a table of another version wrote it, but its pictures remain usable
    worded = None if report is None else report_view(report, lambda name: addresses.get(topic_name(name), ""))
    return {"pictures": list(addresses.values()), "report": worded}


def problems_view(found: ProblemList, speech: Speech) -> list[str]:
    """Return the current problems, a sentence each."""
    return [word_error(problem.error, speech) for problem in found.problems]


def rounds_with_extensions(book: RoundBook, now_s: float) -> list[dict[str, Any]]:
    """Return the rounds with the time left, overall and for each table."""
    extra = {one.number: extensions_of(book.rounds, one.number, book.calls, book.heard) for one in book.rounds}
    return [_round(one, extra[one.number], now_s, book.names) for one in book.rounds]


def rounds_view(rounds: Sequence[Round], now_s: float, names: TableNames) -> list[dict[str, Any]]:
    """Return the rounds and their clocks, without the tables' extensions."""
    return [_round(one, {}, now_s, names) for one in rounds]


def _round(one: Round, extra: Mapping[str, int], now_s: float, names: TableNames) -> dict[str, Any]:
    left_s = left_of(one, round(now_s * 1000))

    def shown(pairing: Pairing) -> dict[str, Any]:
        place = names.of(pairing.table) or ""
        more_s = extra.get(place, 0)
        more = {"place": place, "extension_s": more_s, "left_s": round(left_s + more_s, 1)}
        return {**msgspec.to_builtins(pairing), **more}

    return {
        "number": one.number,
        "minutes": one.minutes,
        "runs": one.started_t is not None,
        "is_public": one.shown_t is not None,
        "has_begun": one.began_t is not None,
        "left_s": round(left_s, 1),
        "pairings": [shown(pairing) for pairing in one.pairings],
    }


def _table(seen: TableSeen, now_s: float, speech: Speech) -> dict[str, Any]:
    troubles = [speech.text(TROUBLES[trouble]) for trouble in seen.troubles()]
    now = seen.now
    handed = None if now is None else now.handed
    current = () if now is None else now.troubles_in.get(speech.language, now.troubles)
    return {
        "name": seen.name,
        "condition": seen.condition(now_s),
        "unheard_s": None if not seen.heard_s else round(max(0.0, now_s - seen.heard_s), 1),
        "troubles": [*troubles, *current],
        "other_key": seen.status.key if seen.status is not None and seen.has_other_key else "",
        "match": "" if now is None else now.match,
        "round": 0 if now is None else now.round,
        "title": "" if now is None else now.title,
        "waiting": 0 if now is None else now.waiting,
        "bare_call": now is not None and now.bare_call and seen.condition(now_s) == "online",
        "handed": handed and {"round": handed.round, "result": handed.result, "agreed": list(handed.agreed)},
    }
