"""Lists of rounds in the words of pairing programs: read, written, refused by line."""

from __future__ import annotations

import pytest

from assistant.app.tournament.rounds import extensions_of, left_of, taken_in, with_clock
from assistant.documents.call import Call
from assistant.documents.rounds import Pairing, Round, rounds_csv, rounds_from_bytes, rounds_json
from assistant.documents.table_event import Person
from assistant.errors import DocumentError

CHESS = "Rd.;Bo.;White;Black;Res.\r\n1;1;Ann;Bo;1-0\r\n1;2;Cy;;\r\n2;1;Bo;Ann;½-½\r\n"
TABLETOP = "Result,Player 2 Score,Player 1 Score,Player 2,Player 1,Table,Round\n1:0,3,12,Bo,Ann,1,1\n*,,,,Cy,2,1\n"


def test_the_words_of_chess_and_of_tabletop_lists_are_read():
    first, second = rounds_from_bytes(CHESS.encode("utf-8-sig"), "list")
    assert first.pairings == (
        Pairing(table="1", first="Ann", second="Bo", result="1-0"),
        Pairing(table="2", first="Cy"),
    )
    assert second.pairings[0].result == "1/2-1/2"
    (one,) = rounds_from_bytes(TABLETOP.encode(), "list")
    assert (one.pairings[0].first_score, one.pairings[0].second_score) == (12, 3)


def test_what_is_written_is_read_again():
    rounds = rounds_from_bytes(CHESS.encode(), "list")
    risky = [Round(number=3, pairings=(Pairing(table="t", first="=1+1", second='A "B", C'),))]
    for some in (rounds, risky):
        assert rounds_from_bytes(rounds_csv(some).encode(), "list") == some
        assert rounds_from_bytes(rounds_json(some), "list") == some
    assert "'=1+1" in rounds_csv(risky)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "no column “Table”"),
        ("Table\n1", "no column “Player 1”"),
        ("Table,White,Result\n1,Ann,2-0", "line 2: “2-0” cannot stand in the column “Result”"),
        ("Table,White,Round\n1,Ann,x", "line 2: “x” cannot stand"),
        ("Table,White,Round\n1,Ann,999", "line 2: “999” cannot stand"),
        ("Table,White\n,Ann", "line 2"),
        ("Table,White\n1,Ann\n1,Bo", "the table “1” stands twice in round 1"),
        ('Table,White\n"1,Ann', "this is no CSV"),
        ('{"format": "sightline.rounds/1", "rounds": [{"number": 1}, {"number": 1}]}', "stands there twice"),
        ('{"format": "sightline.rounds/1", "rounds": [{"number": 0}]}', "number"),
        ("{", "not valid JSON"),
    ],
)
def test_a_wrong_list_is_refused_by_its_place(text, told):
    with pytest.raises(DocumentError) as refused:
        rounds_from_bytes(text.encode(), "list")
    assert told in str(refused.value)


def test_letters_that_are_no_utf8_are_refused():
    with pytest.raises(DocumentError, match="CSV UTF-8"):
        rounds_from_bytes("Table,White\n1,Äö".encode("latin-1"), "list")


def test_a_list_that_comes_again_keeps_results_and_clocks():
    (before,) = rounds_from_bytes(b"Table,White,Black,Result\n1,Ann,Bo,1-0\n2,Cy,Di,*", "list")
    (running,) = with_clock([before], 1, 60_000, runs=True)
    brought = rounds_from_bytes(b"Table,White,Black\n1,Ann,Bo\n2,Cy,Ed", "list")
    (after,) = taken_in([running], brought)
    assert [(p.second, p.result) for p in after.pairings] == [("Bo", "1-0"), ("Ed", "*")]
    assert after.started_t == 60_000


def test_a_clock_stands_and_runs_and_tables_get_their_time_back():
    one = Round(number=1, minutes=10)
    (one,) = with_clock([one], 1, 0, runs=True)
    (one,) = with_clock([one], 1, 60_000, runs=False)
    (one,) = with_clock([one], 1, 500_000, runs=True)
    assert left_of(one, 560_000) == 600 - 120
    by = Person(role="player")
    call = Call(id="c", table="t", opened_t=30_000, opened_by=by, question="", frozen_hash="a" * 64, changed_t=1, seq=1)
    given = [
        Call(
            **{**{n: getattr(call, n) for n in call.__struct_fields__}, "id": f"c{k}", "extension_s": 60, "opened_t": t}
        )
        for k, t in enumerate((30_000, 40_000, 900_000))
    ]
    later = Round(number=2, began_t=800_000)
    assert extensions_of([one, later], 1, given) == {"t": 120}
    assert extensions_of([one, later], 2, given) == {"t": 60}
