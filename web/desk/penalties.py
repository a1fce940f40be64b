"""Penalties by player: levels, the words on a slip, the history beside a call, and the exported list."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from assistant.app.tournament.desk_store import Penalty
from assistant.app.tournament.round_book import RoundBook
from assistant.documents.call import Call
from assistant.documents.round_lists import harmless
from assistant.translations.messages import message
from assistant.translations.speech import Speech

Level = Literal["caution", "warning", "game_loss", "match_loss", "disqualification"]

LEVELS: Mapping[Level, str] = {
    "caution": message("Caution"),
    "warning": message("Warning"),
    "game_loss": message("Game loss"),
    "match_loss": message("Match loss"),
    "disqualification": message("Disqualification"),
}
COLUMNS = ("Round", "Table", "Player", "Level", "Infraction", "Judge", "Stands", "Call")


class PenaltyWords(Struct, forbid_unknown_fields=True):
    """A penalty for one player in a ruling."""

    player: Annotated[str, Meta(min_length=1, max_length=200)]
    level: Level
    infraction: Annotated[str, Meta(max_length=200)] = ""

    def kept(self, call_id: str, judge: str, t_ms: int) -> Penalty:
        """Return the penalty in the desk's stored form."""
        return Penalty(call_id, self.player, self.infraction.strip(), self.level, judge, t_ms, stands=True)


def slip_words(given: Iterable[PenaltyWords], written: str, speech: Speech) -> str:
    """Return the penalties of a ruling in words, with the judge's further text."""
    words = [
        ", ".join(filter(None, [f"{one.player}: {speech.text(LEVELS[one.level])}", one.infraction.strip()]))
        for one in given
    ]
    return "; ".join(filter(None, [*words, written.strip()]))[:2000]


def history_of(
    players: Sequence[str], known: Iterable[Penalty], book: RoundBook, but: str, speech: Speech
) -> list[dict[str, Any]]:
    """Return earlier penalties of these players, and of other rulings at their tables, the newest first."""
    calls = {call.id: call for call in book.calls}
    found = [
        _shown(one, calls.get(one.call), book, speech) for one in known if one.player in players and one.call != but
    ]
    listed = {one["call"] for one in found}
    for call in book.calls:
        if call.penalty and call.id != but and call.id not in listed and {*book.players_of(call)} & {*players}:
            words = {"player": "", "level": "", "level_name": "", "infraction": call.penalty, "stands": True}
            found.append({**words, "call": call.id, "table": call.table, "round": book.round_of(call)})
    return found[::-1]


def penalties_view(known: Iterable[Penalty], book: RoundBook, speech: Speech) -> list[dict[str, Any]]:
    """Return every penalty by player, the oldest first."""
    calls = {call.id: call for call in book.calls}
    return [{**_shown(one, calls.get(one.call), book, speech), "judge": one.judge} for one in known]


def penalties_csv(known: Iterable[Penalty], book: RoundBook, speech: Speech) -> str:
    """Return the same as a CSV list, a row for each penalty."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    writer.writerows(_rows(penalties_view(known, book, speech)))
    return out.getvalue()


def _rows(shown: Iterable[Mapping[str, Any]]) -> Iterator[Sequence[object]]:
    for one in shown:
        words = [harmless(one[name]) for name in ("table", "player", "level_name", "infraction", "judge")]
        yield [one["round"] or "", *words, "yes" if one["stands"] else "no", one["call"]]


def _shown(one: Penalty, call: Call | None, book: RoundBook, speech: Speech) -> dict[str, Any]:
    level = next((text for name, text in LEVELS.items() if name == one.level), "")
    return {
        "player": one.player,
        "level": one.level,
        "level_name": speech.text(level) if level else one.level,
        "infraction": one.infraction,
        "stands": one.stands,
        "call": one.call,
        "table": "" if call is None else call.table,
        "round": 0 if call is None else book.round_of(call),
    }
