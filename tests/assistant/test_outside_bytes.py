"""Every reader of bytes from outside returns a value or one sentence; ``make fuzz`` runs for hours.

``test_documents.py`` covers the readers of boards, tables, lenses, tile sets, rosters and observations. Photos,
recordings, the strip's messages and HTTP bodies have tests beside their readers.
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.app.matches.archive import load_shipped_mission
from assistant.documents import free_sighting_from_json, match_from_lines, setup_from_json, to_json
from assistant.documents.call import Call, call_document, call_from_json
from assistant.documents.evidence import evidence_from_zip, evidence_zip
from assistant.documents.foundry import board_from_foundry
from assistant.documents.foundry_writing import foundry_bytes
from assistant.documents.hall import HallEvent, TableNews, event_of, hall_bytes, hall_message
from assistant.documents.join import JoinCode, join_from_text, join_text
from assistant.documents.moment import FrozenMoment, moment_document, moment_from_json
from assistant.documents.round_lists import rounds_csv, rounds_from_bytes
from assistant.documents.rounds import Pairing, Round, rounds_json
from assistant.documents.setup import KeptSetUp, setup_document
from assistant.documents.table_event import Person, table_events_from_lines
from assistant.documents.tables import tables_head
from assistant.documents.uvtt import board_from_uvtt, uvtt_bytes
from assistant.errors import SightlineError
from assistant.match.missions import mission_document, mission_from_json, mission_from_toml
from assistant.profiles import BACKUP_FORMAT, MANIFEST, Profiles
from assistant.table.board import Board, Door, Figure
from assistant.table.lattice import Edge
from hardware.network_hosts import read_about

DATA = Path(__file__).parents[1] / "data"

BOARD = Board(
    frozenset((x, y) for x in range(3) for y in range(2)),
    {Edge((1, 0), (1, 1)): "wall"},
    (Door("d", (Edge((2, 0), (2, 1)),)),),
    (Figure("a", "k", "red", ((0, 0),)),),
)
CALL = Call(
    id="c",
    table="t",
    opened_t=1,
    opened_by=Person(role="judge", name="j"),
    question="?",
    frozen_hash="0" * 64,
    changed_t=2,
    seq=1,
)
MOMENT = FrozenMoment(t=1, table="t", holding="now", versions={}, match=None, pictures=(), rulings=(), parts={})
ROUNDS = [Round(number=1, pairings=(Pairing(table="1", first="Ann", second="=Bob", result="1-0", first_score=3),))]
MISSION = load_shipped_mission("doom2016_tutorial_sample")
CODE = JoinCode(event="e", name="t", host="h", port=1883, password="p", authority_pem="")


def backup() -> bytes:
    """Return a backup with one table in it."""
    target = io.BytesIO()
    table = (DATA / "scenes" / "dev" / "easy-01" / "table.json").read_bytes()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(MANIFEST, json.dumps({"format": BACKUP_FORMAT}))
        archive.writestr("table/kitchen.json", table)
    return target.getvalue()


@dataclass(frozen=True)
class Reader:
    """A reader, with bytes similar to its format."""

    read: Callable[[bytes], object]
    sample: bytes


LOG = (DATA / "matches" / "roads-14.jsonl").read_bytes()[:20_000].rpartition(b"\n")[0]
ABOUT = {"info": {"leds": {"count": 60, "maxpwr": 850}, "ver": "0.14", "live": False}}

READERS = {
    "match": Reader(match_from_lines, LOG),
    "moment": Reader(moment_from_json, moment_document(MOMENT)),
    "call": Reader(call_from_json, to_json(call_document(CALL)).encode()),
    "events of a table": Reader(lambda data: table_events_from_lines(data.split(b"\n")), b"{}"),
    "evidence": Reader(evidence_from_zip, evidence_zip(b"{}", bytes(64), {"moment.json": b"{}"})),
    "rounds": Reader(lambda data: rounds_from_bytes(data, "rounds"), rounds_json(ROUNDS)),
    "rounds as CSV": Reader(lambda data: rounds_from_bytes(data, "rounds"), rounds_csv(ROUNDS).encode()),
    "set-up": Reader(setup_from_json, to_json(setup_document(KeptSetUp(source="usb:0", table="t"))).encode()),
    "join code": Reader(lambda data: join_from_text(data.decode(errors="replace")), join_text(CODE).encode()),
    "free table or photo of it": Reader(free_sighting_from_json, b'{"format": "sightline.free-table/1"}'),
    "news of a table": Reader(lambda data: hall_message(data, TableNews, "t"), hall_bytes(TableNews(t=1))),
    "event of a table": Reader(
        lambda data: event_of(hall_message(data, HallEvent, "t"), "t"),
        hall_bytes(HallEvent(event=msgspec.Raw(b'{"seq": 1}'))),
    ),
    "map": Reader(lambda data: board_from_uvtt(data, 25.0, "map"), uvtt_bytes(BOARD)[0]),
    "scene": Reader(lambda data: board_from_foundry(data, 25.0, "scene"), foundry_bytes(BOARD, "b")[0]),
    "mission": Reader(mission_from_json, to_json(mission_document(MISSION)).encode()),
    "mission as TOML": Reader(mission_from_toml, b'ruleset = "roads"\ntitle = "x"\n[setup]\na = [1, {b = 2}]\n'),
    "tables": Reader(tables_head, b'format = "sightline.tables/1"\ngame = "doom2004"\n'),
    "a WLED's answer": Reader(read_about, json.dumps(ABOUT).encode()),
}

WORDS = [
    b"null",
    b"-1",
    b"1e400",
    b"9" * 400,
    b'"',
    b"\\ud800",
    b"\x00",
    b"\xff",
    b"[" * 50,
    b"{" * 50,
    b"NaN",
    b",",
    b"\n",
]


@st.composite
def damaged(draw: st.DrawFn, sample: bytes) -> bytes:
    """Return a sample of which a few places were cut, doubled, overwritten or interrupted."""
    data = sample
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(data)))
        end = min(len(data), start + draw(st.integers(0, 12)))
        put = draw(st.one_of(st.just(b""), st.sampled_from(WORDS), st.binary(max_size=6), st.just(data[start:end] * 2)))
        data = data[:start] + put + data[end:]
    return data


def said_of(reader: Reader, data: bytes) -> str:
    """Return the sentence that refuses bytes, or empty if they are read."""
    try:
        reader.read(data)
    except SightlineError as problem:
        return str(problem)
    return ""


@pytest.mark.parametrize("name", READERS)
@given(data=st.data())
@settings(max_examples=settings().max_examples // 2 or 1)
def test_whatever_comes_is_read_or_refused_with_one_sentence(name: str, data: st.DataObject) -> None:
    reader = READERS[name]
    sentence = said_of(reader, data.draw(st.one_of(damaged(reader.sample), st.binary(max_size=40))))
    assert "\n" not in sentence


FOUND = {
    "rounds as CSV": b'"Round,Table,Player 1,Player 2,Player 1 Score,Player 2 Score,Result\r\n1,1,Ann,Bob,3,,1-0\r\n',
    "event of a table": b'{"format":"sightline.told/1","event":{"\xffseq": 1},"call":null,"t":0}',
}
"""Examples from long fuzzing runs. Each crashed the program once."""


@pytest.mark.parametrize("name", FOUND)
def test_what_was_found_is_refused_with_one_sentence(name: str) -> None:
    assert said_of(READERS[name], FOUND[name])


DEEP = [b"[" * 200_000, b'{"a":' * 200_000, b"a = " + b"[" * 200_000, b"a = " + b"{b=" * 50_000]


@pytest.mark.parametrize("data", DEEP, ids=["lists", "objects", "lists of TOML", "tables of TOML"])
@pytest.mark.parametrize("name", READERS)
def test_what_is_nested_without_end_is_refused(name: str, data: bytes) -> None:
    reader = READERS[name]
    assert name == "a WLED's answer" or said_of(reader, data)
    assert "\n" not in said_of(reader, data)


@given(data=st.data())
@settings(max_examples=settings().max_examples // 4 or 1)
def test_whatever_stands_in_a_backup_is_restored_or_refused(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    profiles = Profiles(tmp_path_factory.mktemp("profiles"))
    sentence = said_of(Reader(profiles.restore, b""), data.draw(damaged(backup())))
    assert "\n" not in sentence
    assert profiles.names("table") in ((), ("kitchen",)) or not sentence
