"""The hall as its page draws it: tables, calls by age, rounds with a clock for each table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from assistant.app.problems import ProblemList
from assistant.app.tournament.desk import TournamentDesk
from assistant.app.tournament.desk_store import DeskStore
from assistant.app.tournament.hall import TableSeen, Trouble
from assistant.app.tournament.rounds import extensions_of, left_of
from assistant.app.tournament.sent_parts import report_of_sent, topic_name
from assistant.documents.call import Call
from assistant.documents.rounds import Round
from assistant.errors import InputError
from assistant.translations.messages import message
from assistant.translations.speech import Speech
from web.judge.words import report_view
from web.problems.errors import word_error
from web.serving.routes import API_ROOT

TROUBLES: Mapping[Trouble, str] = {
    "twice": message("Two programs use this table's join code. Give each table its own."),
    "newer": message("This table runs a newer Sightline. Update the desk; the table keeps its messages until then."),
    "older": message("This table runs an older Sightline. Update it."),
}


def hall_view(desk: TournamentDesk, problems: ProblemList, now_s: float, speech: Speech) -> dict[str, Any]:
    """Everything that a judge's page shows, to be encoded by msgspec.

    Raises:
        StoreError: the store cannot be read.
    """
    calls = desk.store.calls(with_closed=True)
    rounds = desk.store.rounds()
    with desk.guard:
        tables = [_table(seen, now_s, speech) for _, seen in sorted(desk.hall.tables.items())]
    return {
        "now_s": round(now_s, 3),
        "tables": tables,
        "calls": [call for call in calls if call.state != "closed"],
        "rounds": rounds_view(rounds, calls, now_s),
        "problems": problems_view(problems, speech),
    }


def frozen_view(store: DeskStore, call: Call, speech: Speech) -> dict[str, Any]:
    """The frozen parts of a call that have arrived: its pictures, and the rest in words.

    Raises:
        StoreError: the store cannot be read.
    """
    here = [name for name in store.part_names(call.id) if name.endswith(".jpg")]
    addresses = {name: f"{API_ROOT}/hall/calls/{call.id}/pictures/{name}" for name in here}
    try:
        report = report_of_sent(call, lambda name: store.part(call.id, name), speech)
    except InputError:
        report = None  # a table of another version wrote it; its pictures are shown all the same
    worded = None if report is None else report_view(report, lambda name: addresses.get(topic_name(name), ""))
    return {"pictures": list(addresses.values()), "report": worded}


def problems_view(found: ProblemList, speech: Speech) -> list[str]:
    """The problems of this moment, a sentence each."""
    return [word_error(problem.error, speech) for problem in found.problems]


def rounds_view(rounds: Sequence[Round], calls: Iterable[Call], now_s: float) -> list[dict[str, Any]]:
    """The rounds with the time that is left, for the round and for each table."""
    known = list(calls)
    return [_round(one, extensions_of(rounds, one.number, known), now_s) for one in rounds]


def _round(one: Round, extra: Mapping[str, int], now_s: float) -> dict[str, Any]:
    left_s = left_of(one, round(now_s * 1000))
    return {
        "number": one.number,
        "minutes": one.minutes,
        "runs": one.started_t is not None,
        "left_s": round(left_s, 1),
        "pairings": [
            {
                **msgspec.to_builtins(pairing),
                "extension_s": extra.get(pairing.table, 0),
                "left_s": round(left_s + extra.get(pairing.table, 0), 1),
            }
            for pairing in one.pairings
        ],
    }


def _table(seen: TableSeen, now_s: float, speech: Speech) -> dict[str, Any]:
    troubles = [speech.text(TROUBLES[trouble]) for trouble in seen.troubles()]
    now = seen.now
    current = () if now is None else now.troubles_in.get(speech.language, now.troubles)
    return {
        "name": seen.name,
        "condition": seen.condition(now_s),
        "unheard_s": None if not seen.heard_s else round(max(0.0, now_s - seen.heard_s), 1),
        "troubles": [*troubles, *current],
        "match": "" if now is None else now.match,
        "round": 0 if now is None else now.round,
        "title": "" if now is None else now.title,
        "waiting": 0 if now is None else now.waiting,
    }
