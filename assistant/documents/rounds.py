"""``sightline.rounds/1`` and CSV: rounds, pairings and results, in and out.

Columns go by their names, in any order. Written are those of PGN's tags and of chess pairing lists (Round, Board,
White, Black, Result) in the words of tabletop lists (Table, Player 1, Player 2, with a score for each); both are read,
so that a list of either kind can be handed in. Results are written as PGN writes them: 1-0, 0-1, 1/2-1/2, * while the
game goes on. This pairs nobody: the pairing program does.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from assistant.documents.reading import MAX_NAME, Name, decode
from assistant.errors import BadValue, DocumentError, MissingField
from assistant.translations.messages import said

ROUNDS_FORMAT = "sightline.rounds/1"
MAX_ROWS = 20_000
MAX_ROUND = 99
MAX_MINUTES = 24 * 60

Result = Literal["1-0", "0-1", "1/2-1/2", "*"]
RESULTS: tuple[Result, ...] = ("1-0", "0-1", "1/2-1/2", "*")
_SPELLED: Mapping[str, Result] = {
    **dict(zip(RESULTS, RESULTS, strict=True)),
    **{"": "*", "½-½": "1/2-1/2", "0.5-0.5": "1/2-1/2", "draw": "1/2-1/2", "=": "1/2-1/2"},
    **{"1:0": "1-0", "0:1": "0-1", "1–0": "1-0", "0–1": "0-1", "½–½": "1/2-1/2"},
}

COLUMNS: Mapping[str, tuple[str, ...]] = {
    "round": ("Round", "Rd", "Rd."),
    "table": ("Table", "Board", "Bo.", "Table Number"),
    "first": ("Player 1", "White", "Player1", "Player A"),
    "second": ("Player 2", "Black", "Player2", "Player B"),
    "first_score": ("Player 1 Score", "Player 1 Points", "White Score"),
    "second_score": ("Player 2 Score", "Player 2 Points", "Black Score"),
    "result": ("Result", "Res."),
}
"""What each column may be called; the first is what is written."""

_NEEDED = ("table", "first")
_RISKY = ("=", "+", "-", "@", "\t", "\r")
"""What spreadsheets take for the beginning of a formula."""

Score = Annotated[int, Meta(ge=-100_000, le=100_000)]


class Pairing(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Who plays whom at which table, and how it ended.

    Args:
        table: the table.
        first: a player; named first in the result.
        second: the other; empty for a bye.
        result: ``*`` while the game goes on.
        first_score: points of the game, where it counts them.
        second_score: those of the other.
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
        number: from 1.
        pairings: who plays whom.
        minutes: how long it is.
        started_t: when its clock was last let run, milliseconds since 1970; None while it stands.
        used_s: how much of it had run before that.
        began_t: when it was let run first; None before.
    """

    number: Annotated[int, Meta(ge=1, le=MAX_ROUND)]
    pairings: Annotated[tuple[Pairing, ...], Meta(max_length=MAX_ROWS)] = ()
    minutes: Annotated[int, Meta(ge=1, le=MAX_MINUTES)] = 150
    started_t: Annotated[int, Meta(ge=0)] | None = None
    used_s: Annotated[float, Meta(ge=0)] = 0.0
    began_t: Annotated[int, Meta(ge=0)] | None = None


class _RoundsWire(Struct, forbid_unknown_fields=True):
    rounds: list[Round]
    format: str


def round_json(one: Round) -> bytes:
    """A round for a desk's store."""
    return msgspec.json.encode(one)


def round_from_json(data: bytes) -> Round:
    """The round that a desk kept."""
    return msgspec.json.decode(data, type=Round)


def rounds_json(rounds: Sequence[Round]) -> bytes:
    """The ``sightline.rounds/1`` document."""
    return msgspec.json.encode({"format": ROUNDS_FORMAT, "rounds": rounds})


def rounds_from_bytes(data: bytes, document: str) -> list[Round]:
    """The rounds of a file: JSON if it begins so, CSV else; CSV gives pairings and results and no clocks.

    Raises:
        DocumentError: it is neither, or a row or field is wrong; its place is named.
    """
    if data.lstrip()[:1] == b"{":
        rounds = decode(data, ROUNDS_FORMAT, _RoundsWire, document).rounds
        if len({one.number for one in rounds}) < len(rounds):
            raise BadValue(said("a round stands there twice"), document=document, field="rounds")
    else:
        rounds = _from_csv(data, document)
    for one in rounds:
        _check_tables(one, document)
    return sorted(rounds, key=lambda one: one.number)


def rounds_csv(rounds: Iterable[Round]) -> str:
    """Pairings and results, a row each."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow([names[0] for names in COLUMNS.values()])
    for one in rounds:
        for p in one.pairings:
            scores = ["" if score is None else score for score in (p.first_score, p.second_score)]
            writer.writerow([one.number, *map(_harmless, (p.table, p.first, p.second)), *scores, p.result])
    return out.getvalue()


def _harmless(text: str) -> str:
    """A name that no spreadsheet takes for a formula; read back, it is the same."""
    return f"'{text}" if text.startswith(_RISKY) else text


def _plain(text: str) -> str:
    return text[1:] if text.startswith("'") and text[1:].startswith(_RISKY) else text


def _check_tables(one: Round, document: str) -> None:
    seen: set[str] = set()
    for place, pairing in enumerate(one.pairings):
        if pairing.table in seen:
            raise BadValue(
                said("the table “{table}” stands twice in round {round}", table=pairing.table, round=one.number),
                document=document,
                field=f"rounds[{one.number}].pairings[{place}].table",
            )
        seen.add(pairing.table)


def _from_csv(data: bytes, document: str) -> list[Round]:
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise BadValue(said("this is no text in UTF-8; save the list as CSV UTF-8"), document=document) from None
    lines = csv.reader(io.StringIO(text, newline=""), delimiter=_delimiter(text), strict=True)
    rounds: dict[int, list[Pairing]] = {}
    try:
        places = _places(next(lines, []), document)
        for number, row in enumerate(lines, 2):
            if number > MAX_ROWS:
                raise BadValue(said("this list has over {most} rows", most=MAX_ROWS), document=document)
            if any(cell.strip() for cell in row):
                round_number, pairing = _row(row, places, document, number)
                rounds.setdefault(round_number, []).append(pairing)
    except csv.Error as problem:
        raise BadValue(said("this is no CSV ({reason})", reason=str(problem)), document=document) from None
    return [Round(number=number, pairings=tuple(found)) for number, found in rounds.items()]


def _delimiter(text: str) -> str:
    """Comma, or semicolon or tabulator, which spreadsheets write in some countries."""
    head = text.partition("\n")[0]
    return max((",", ";", "\t"), key=head.count)


def _places(head: Sequence[str], document: str) -> dict[str, int]:
    named = {cell.strip().casefold(): place for place, cell in enumerate(head)}
    found = {
        column: named[name.casefold()]
        for column, names in COLUMNS.items()
        for name in reversed(names)
        if name.casefold() in named
    }
    missing = [COLUMNS[column][0] for column in _NEEDED if column not in found]
    if missing:
        raise MissingField(
            said("the list has no column “{column}”", column=missing[0]), document=document, field="line 1"
        )
    return found


def _row(row: Sequence[str], places: Mapping[str, int], document: str, line: int) -> tuple[int, Pairing]:
    cells = {name: _plain(row[place].strip()) for name, place in places.items() if place < len(row)}
    result = _SPELLED.get(cells.get("result", "").casefold())
    if result is None:
        raise _wrong(cells["result"], "result", document, line)
    fields = {
        "table": cells.get("table", ""),
        "first": cells.get("first", ""),
        "second": cells.get("second", ""),
        "result": result,
        "first_score": _number(cells, "first_score", document, line),
        "second_score": _number(cells, "second_score", document, line),
    }
    try:
        pairing = msgspec.convert(fields, Pairing)
    except msgspec.ValidationError:
        raise _wrong(f"{fields['table']}, {fields['first']}", "first", document, line) from None
    round_number = _number(cells, "round", document, line) or 1
    if not 1 <= round_number <= MAX_ROUND:
        raise _wrong(str(round_number), "round", document, line)
    return round_number, pairing


def _number(cells: Mapping[str, str], name: str, document: str, line: int) -> int | None:
    text = cells.get(name, "")
    if not text:
        return None
    if not text.lstrip("-").isdecimal() or len(text) > 6:
        raise _wrong(text, name, document, line)
    return int(text)


def _wrong(found: str, column: str, document: str, line: int) -> DocumentError:
    return BadValue(
        said("“{found}” cannot stand in the column “{column}”", found=found[:60], column=COLUMNS[column][0]),
        document=document,
        field=f"line {line}",
    )
