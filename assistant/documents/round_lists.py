"""Reads and writes lists of pairings and results as CSV, in the columns of pairing programs.

Columns are known by name, in any order. Besides our own these are read:

- TopDeck, “Import pairings”: ``table, player 1, player 2``;
- Swiss-Manager, as it publishes at Chess-Results: ``Bo., No., Name, Rtg, Pts., Result, Pts., Name, Rtg, No.`` below a
  line with the round, results with blanks (``1 - 0``, ``½ - ½``, forfeits ``+ - -`` and ``- - +``), ``bye`` as a name;
- PGN's tags: ``Round, Board, White, Black, Result``.

A list without a round belongs to the last round if the same people play each other there, and else to the next one.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Literal

import msgspec

from assistant.documents.rounds import MAX_ROUND, MAX_ROWS, MAX_SCORE, RESULTS, Pairing, Result, Round, rounds_from_json
from assistant.errors import BadValue, DocumentError, MissingField
from assistant.table.fields import MAX_NAME
from assistant.translations.messages import said

ListKind = Literal["own", "swiss-manager", "topdeck"]

COLUMNS: Mapping[str, tuple[str, ...]] = {
    "round": ("Round", "Rd", "Rd."),
    "table": ("Table", "Board", "Bo.", "Table Number"),
    "first": ("Player 1", "White", "Player1", "Player A"),
    "second": ("Player 2", "Black", "Player2", "Player B"),
    "first_score": ("Player 1 Score", "Player 1 Points", "White Score"),
    "second_score": ("Player 2 Score", "Player 2 Points", "Black Score"),
    "result": ("Result", "Res."),
}
"""The accepted names of each column. The first one is used for writing."""

SWISS_MANAGER = ("Bo.", "No.", "Name", "Rtg", "Pts.", "Result", "Pts.", "Name", "Rtg", "No.")
TOPDECK = ("table", "player 1", "player 2")

_TWICE = "name"
"""The name that both player columns may share."""

_SPELLED: Mapping[str, Result] = {
    **dict(zip(RESULTS, RESULTS, strict=True)),
    **{"": "*", "½-½": "1/2-1/2", "0.5-0.5": "1/2-1/2", "draw": "1/2-1/2", "=": "1/2-1/2"},
    **{"1:0": "1-0", "0:1": "0-1", "1–0": "1-0", "0–1": "0-1", "½–½": "1/2-1/2", "½:½": "1/2-1/2"},
    **{"+--": "1-0", "--+": "0-1", "---": "0-0", "0:0": "0-0", "0–0": "0-0"},
}
_GAMES = re.compile(r"(\d{1,2})[-:–](\d{1,2})")
"""Matches games won by each player, as ``2-1`` in a best of three."""

_BYES = ("bye", "spielfrei", "not paired")
_OF_BYES: Mapping[str, Result] = {"1": "1-0", "½": "1/2-1/2", "0": "0-1"}

_NEEDED = ("table", "first")
WORKBOOK = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")
"""First bytes of Excel files, newer and older."""

_RISKY = (*"=+-@", *"＝＋－＠", "\t", "\r")
"""Characters that begin a formula in spreadsheets. The full-width ones do so in East Asian versions."""

_TITLES = 15
"""Largest number of lines above the column names: the tournament, its dates, the round."""

_ROUND_LINE = re.compile(r"(?:round|runde|ronda|тур)\s+(\d{1,2})\b", re.IGNORECASE)


def rounds_from_bytes(data: bytes, document: str, known: Sequence[Round] = ()) -> list[Round]:
    """Read the rounds of a JSON or CSV file. CSV has pairings and results but no clocks.

    ``known`` rounds decide the round of a list without one.

    Raises:
        DocumentError: it is neither, or a row or field is wrong; its position is named.
    """
    is_json = data.lstrip()[:1] == b"{"
    rounds = rounds_from_json(data, document) if is_json else _from_csv(data, document, known)
    if not is_json and not any(one.pairings for one in rounds):
        raise BadValue(
            said("This list has pairing columns but no rows. Export it again with its pairings."),
            document=document,
        )
    for one in rounds:
        _check_tables(one, document)
    return sorted(rounds, key=lambda one: one.number)


def rounds_csv(rounds: Sequence[Round], kind: ListKind = "own") -> str:
    """Return pairings and results, a row each, in the columns of a program.

    TopDeck's list has only the pairings of the last round. Swiss-Manager's has no game points.
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    rows = {"own": _own_rows, "swiss-manager": _swiss_manager_rows, "topdeck": _topdeck_rows}[kind]
    writer.writerows(rows(rounds))
    return out.getvalue()


def _own_rows(rounds: Iterable[Round]) -> Iterator[Sequence[object]]:
    yield [names[0] for names in COLUMNS.values()]
    for one in rounds:
        for p in one.pairings:
            scores = ["" if score is None else score for score in (p.first_score, p.second_score)]
            yield [one.number, *map(harmless, (p.table, p.first, p.second)), *scores, p.result]


def _swiss_manager_rows(rounds: Iterable[Round]) -> Iterator[Sequence[object]]:
    for one in rounds:
        yield [f"Round {one.number}"]
        yield SWISS_MANAGER
        for p in one.pairings:
            first, second = harmless(p.first), harmless(p.second) or _BYES[0]
            yield [harmless(p.table), "", first, "", "", _with_blanks(p), "", second, "", ""]


def _with_blanks(pairing: Pairing) -> str:
    """Return a result in Swiss-Manager's spelling, or the player's points for a bye."""
    if pairing.result == "*":
        return ""
    if not pairing.second:
        return next((text for text, result in _OF_BYES.items() if result == pairing.result), "0")
    return pairing.result.replace("1/2", "½").replace("-", " - ")


def _topdeck_rows(rounds: Sequence[Round]) -> Iterator[Sequence[object]]:
    yield TOPDECK
    for one in rounds[-1:]:
        yield from (tuple(map(harmless, (p.table, p.first, p.second))) for p in one.pairings)


def harmless(text: str) -> str:
    """Escape a name so that no spreadsheet takes it for a formula. ``_plain`` undoes this."""
    return f"'{text}" if text.startswith(_RISKY) else text


def _plain(text: str) -> str:
    return text[1:] if text.startswith("'") and text[1:].startswith(_RISKY) else text


def _check_tables(one: Round, document: str) -> None:
    seen: set[str] = set()
    tables_of: dict[str, str] = {}
    for place, pairing in enumerate(one.pairings):
        if pairing.table in seen:
            raise BadValue(
                said("Round {round} lists the table “{table}” twice.", table=pairing.table, round=one.number),
                document=document,
                field=f"rounds[{one.number}].pairings[{place}].table",
            )
        seen.add(pairing.table)
        for player in filter(None, (pairing.first, pairing.second)):
            if (other := tables_of.setdefault(player.casefold(), pairing.table)) != pairing.table:
                raise BadValue(
                    said(
                        "Round {round} lists “{player}” at two tables, {table} and {other}.",
                        player=player,
                        round=one.number,
                        table=other,
                        other=pairing.table,
                    ),
                    document=document,
                    field=f"rounds[{one.number}].pairings[{place}]",
                )
        if pairing.first == pairing.second:
            raise BadValue(
                said(
                    "In round {round} “{player}” plays against the same player.", player=pairing.first, round=one.number
                ),
                document=document,
                field=f"rounds[{one.number}].pairings[{place}].second",
            )


@dataclass
class _List:
    """The state of reading a list: its column positions, the current round, and each round's pairings."""

    document: str
    places: Mapping[str, int]
    number: int | None = None
    rounds: dict[int | None, list[Pairing]] = field(default_factory=dict)

    def take(self, row: Sequence[str], line: int) -> None:
        if not any(cell.strip() for cell in row):
            return
        if (begun := _round_line(row)) is not None:
            self.number = begun
        elif _is_head(row):
            self.places = _places(row)
        else:
            cells = {name: _plain(row[at].strip()) for name, at in self.places.items() if at < len(row)}
            own = _number(cells, "round", self.document, line)
            number = self.number if own is None else own
            if number is not None and not 1 <= number <= MAX_ROUND:
                raise _wrong(str(number), "round", self.document, line)
            self.rounds.setdefault(number, []).append(_pairing(cells, self.document, line))


def _from_csv(data: bytes, document: str, known: Sequence[Round]) -> list[Round]:
    if data.startswith(WORKBOOK):
        raise BadValue(said("This is an Excel workbook. Save the list as CSV UTF-8."), document=document)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise BadValue(said("This file is not UTF-8 text. Save the list as CSV UTF-8."), document=document) from None
    try:
        head_line, places, delimiter = _head_of(text, document)
        made = _List(document, places)
        lines = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
        for number, row in enumerate(lines, 1):
            if number > MAX_ROWS:
                raise BadValue(said("this list has over {most} rows", most=MAX_ROWS), document=document)
            if number > head_line or _round_line(row) is not None:
                made.take(row, number)
    except csv.Error as problem:
        raise BadValue(said("this is not a CSV file ({reason})", reason=str(problem)), document=document) from None
    unnumbered = made.rounds.pop(None, [])
    rounds = [Round(number=number, pairings=tuple(found)) for number, found in made.rounds.items() if number]
    if unnumbered:
        rounds.append(Round(number=_meant(unnumbered, [*known, *rounds]), pairings=tuple(unnumbered)))
    return rounds


def _meant(pairings: Sequence[Pairing], known: Sequence[Round]) -> int:
    """Return the round number of a list that names none."""
    last = max(known, key=lambda one: one.number, default=None)
    if last is None:
        return 1
    same = {frozenset((p.first, p.second)) for p in last.pairings} == {frozenset((p.first, p.second)) for p in pairings}
    return last.number if same else min(last.number + 1, MAX_ROUND)


def _head_of(text: str, document: str) -> tuple[int, Mapping[str, int], str]:
    """Find the header line, its columns' positions, and the delimiter.

    Raises:
        MissingField: no line has the required columns.
        BadValue: an unclosed quotation mark swallows them.
    """
    for delimiter in (",", ";", "\t"):
        lines = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
        for number, row in enumerate(islice(lines, _TITLES), 1):
            if _is_head(row):
                return number, _places(row), delimiter
    first = text.partition("\n")[0]
    found = _places(first.replace('"', "").replace(";", ",").replace("\t", ",").split(","))
    missing = next((COLUMNS[column][0] for column in _NEEDED if column not in found), None)
    if missing is None:
        raise BadValue(said("a quotation mark in line 1 is never closed"), document=document)
    raise MissingField(said("the list has no column “{column}”", column=missing), document=document, field="line 1")


def _is_head(row: Sequence[str]) -> bool:
    return {*_NEEDED} <= _places(row).keys()


def _places(head: Sequence[str]) -> dict[str, int]:
    names = [cell.strip().casefold() for cell in head]
    found = {
        column: names.index(name.casefold())
        for column, known in COLUMNS.items()
        for name in reversed(known)
        if name.casefold() in names
    }
    if names.count(_TWICE) == 2 and "first" not in found:
        found["first"] = names.index(_TWICE)
        found["second"] = names.index(_TWICE, found["first"] + 1)
    return found


def _round_line(row: Sequence[str]) -> int | None:
    """Return the round of a line that contains nothing else, as ``Round 2 on 2017/04/04 at 17:30``."""
    said_in = _ROUND_LINE.match(row[0].strip()) if row and not any(cell.strip() for cell in row[1:]) else None
    return None if said_in is None else int(said_in[1])


def _pairing(cells: Mapping[str, str], document: str, line: int) -> Pairing:
    for needed in _NEEDED:
        if not 0 < len(cells.get(needed, "")) <= MAX_NAME:
            raise _wrong(cells.get(needed, ""), needed, document, line)
    second, spelled = cells.get("second", ""), cells.get("result", "").casefold().replace(" ", "")
    is_bye = not second or second.casefold() in _BYES
    result = _OF_BYES.get(spelled) if is_bye else None
    result = result or _SPELLED.get(spelled)
    games = None if result is not None or is_bye else _GAMES.fullmatch(spelled)
    won = (None, None) if games is None else (int(games[1]), int(games[2]))
    if won[0] is not None and won[1] is not None:
        result = "1-0" if won[0] > won[1] else "0-1" if won[0] < won[1] else "1/2-1/2"
    if result is None:
        raise _wrong(cells["result"], "result", document, line)
    scores = [_number(cells, name, document, line) for name in ("first_score", "second_score")]
    fields: dict[str, Any] = {
        "table": cells["table"],
        "first": cells["first"],
        "second": "" if is_bye else second,
        "result": result,
        "first_score": won[0] if scores[0] is None else scores[0],
        "second_score": won[1] if scores[1] is None else scores[1],
    }
    try:
        return msgspec.convert(fields, Pairing)
    except msgspec.ValidationError:
        raise _wrong(second, "second", document, line) from None


def _number(cells: Mapping[str, str], name: str, document: str, line: int) -> int | None:
    text = cells.get(name, "")
    if not text:
        return None
    if not text.removeprefix("-").isdecimal() or len(text) > 6 or abs(int(text)) > MAX_SCORE:
        raise _wrong(text, name, document, line)
    return int(text)


def _wrong(found: str, column: str, document: str, line: int) -> DocumentError:
    return BadValue(
        said("The column “{column}” cannot hold “{found}”.", found=found[:60], column=COLUMNS[column][0]),
        document=document,
        field=f"line {line}",
    )
