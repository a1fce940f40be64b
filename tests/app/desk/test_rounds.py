"""Lists of rounds from pairing programs: read, written, and rejected by line."""

from __future__ import annotations

import pytest

from assistant.app.tournament.desk_store import HeardCall
from assistant.app.tournament.hall import Hall
from assistant.app.tournament.rounds import (
    TableNames,
    extensions_of,
    left_of,
    round_for_table,
    taken_in,
    with_clock,
)
from assistant.documents.call import Call
from assistant.documents.hall import TableNews
from assistant.documents.round_lists import rounds_csv, rounds_from_bytes
from assistant.documents.rounds import Pairing, Round, rounds_json
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
    formulas = ("=1+1", "＝1+1", "＠SUM", "－1")
    risky = [Round(number=3, pairings=tuple(Pairing(table=f"t{n}", first=f) for n, f in enumerate(formulas)))]
    odd = [Round(number=3, pairings=(Pairing(table="t", first="=1+1", second='A "B", C'),))]
    for some in (rounds, risky, odd):
        assert rounds_from_bytes(rounds_csv(some).encode(), "list") == some
        assert rounds_from_bytes(rounds_json(some), "list") == some
    assert all(f",'{formula}," in rounds_csv(risky) for formula in formulas)


SWISS_MANAGER = """Open of the hall;;;;;;;;;
Round 2 on 2017/04/04 at 17:30;;;;;;;;;
Bo.;No.;Name;Rtg;Pts.;Result;Pts.;Name;Rtg;No.
1;59;Ann, A.;2403;1;0 - 1;1;Bo, B.;2686;2
2;3;Cy;2680;1;½ - ½;1;Di;2401;60
3;4;Ed;2670;1;+ - -;1;Flo;2400;61
4;5;Gus;2660;1;1;;bye;;
5;6;Hal;2650;1;;1;Ida;2399;62
"""


def test_a_list_of_swiss_manager_is_read_with_the_round_of_its_heading():
    (second,) = rounds_from_bytes(SWISS_MANAGER.encode(), "list")
    assert second.number == 2
    told = [(p.table, p.first, p.second, p.result) for p in second.pairings]
    assert told == [
        ("1", "Ann, A.", "Bo, B.", "0-1"),
        ("2", "Cy", "Di", "1/2-1/2"),
        ("3", "Ed", "Flo", "1-0"),
        ("4", "Gus", "", "1-0"),
        ("5", "Hal", "Ida", "*"),
    ]


def played() -> list[Round]:
    first = (
        Pairing(table="t1", first="Ann", second="Bo", result="1-0"),
        Pairing(table="t2", first="=Cy", result="1-0"),
    )
    second = (Pairing(table="t1", first="Bo", second="=Cy", result="1/2-1/2"), Pairing(table="t2", first="Ann"))
    return [Round(number=1, pairings=first), Round(number=2, pairings=second)]


def test_pairings_and_results_go_out_and_come_in_by_swiss_managers_columns():
    text = rounds_csv(played(), "swiss-manager")
    assert text.splitlines()[:2] == ["Round 1", "Bo.,No.,Name,Rtg,Pts.,Result,Pts.,Name,Rtg,No."]
    assert rounds_from_bytes(text.encode("utf-8-sig"), "list") == played()


@pytest.mark.parametrize(
    ("written", "result", "scores"),
    [
        ("0-0", "0-0", (None, None)),
        ("0 - 0", "0-0", (None, None)),
        ("- - -", "0-0", (None, None)),
        ("2-1", "1-0", (2, 1)),
        ("0:2", "0-1", (0, 2)),
        ("1–1", "1/2-1/2", (1, 1)),
        ("10 - 3", "1-0", (10, 3)),
    ],
)
def test_results_of_both_lost_and_of_games_won_are_taken_in_and_go_out_again(written, result, scores):
    rounds = rounds_from_bytes(f"Table,White,Black,Result\n1,Ann,Bo,{written}".encode(), "list")
    (game,) = rounds[0].pairings
    assert (game.result, (game.first_score, game.second_score)) == (result, scores)
    assert rounds_from_bytes(rounds_csv(rounds).encode(), "list") == rounds
    assert rounds_from_bytes(rounds_csv(rounds, "swiss-manager").encode(), "list")[0].pairings[0].result == result


def test_the_columns_of_points_come_before_the_games_of_the_result():
    text = "Table,White,Black,Result,White Score,Black Score\n1,Ann,Bo,2-1,75,40"
    assert rounds_from_bytes(text.encode(), "list")[0].pairings[0].first_score == 75


def test_the_pairings_of_the_last_round_go_out_and_come_in_by_topdecks_columns():
    text = rounds_csv(played(), "topdeck")
    assert text.splitlines() == ["table,player 1,player 2", "t1,Bo,'=Cy", "t2,Ann,"]
    (again,) = rounds_from_bytes(text.encode(), "list", played())
    assert (again.number, [(p.table, p.first, p.second) for p in again.pairings]) == (
        2,
        [("t1", "Bo", "=Cy"), ("t2", "Ann", "")],
    )
    assert rounds_csv([], "topdeck") == "table,player 1,player 2\r\n"


def test_a_list_that_names_no_round_replaces_no_round_of_others():
    known = played()
    (third,) = rounds_from_bytes(b"table,player 1,player 2\nt1,Ann,=Cy\nt2,Bo,", "list", known)
    assert third.number == 3
    assert [one.number for one in taken_in(known, [third])] == [3]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Name,Rtg\nAnn,1000", "no column “Table”"),
        ("Bo.,Name,Result,Name\n1,Ann,1 - 1 - 1,Bo", "line 2: The column “Result” cannot hold “1 - 1 - 1”"),
        ("", "no column “Table”"),
        ("Table\n1", "no column “Player 1”"),
        ("Table,White,Result\n1,Ann,2-0", "line 2: The column “Result” cannot hold “2-0”"),
        ("Table,White,Round\n1,Ann,x", "cannot hold “x”"),
        ("Table,White,Round\n1,Ann,999", "cannot hold “999”"),
        ("Table,White,Round\n1,Ann,0", "line 2: The column “Round” cannot hold “0”"),
        ("Table,White\n,Ann", "line 2: The column “Table” cannot hold “”"),
        ("Table,White,Black\n1,,Bo", "line 2: The column “Player 1” cannot hold “”"),
        (f"Table,White,Black\n1,Ann,{'x' * 300}", f"The column “Player 2” cannot hold “{'x' * 60}”"),
        ("Table,White,White Score\n1,Ann,--5", "line 2: The column “Player 1 Score” cannot hold “--5”"),
        ("Table,White,Black Score\n1,Ann,999999", "line 2: The column “Player 2 Score” cannot hold “999999”"),
        ("Table,White\n1,Ann\n1,Bo", "Round 1 lists the table “1” twice"),
        ("Table,White,Black", "no rows. Export"),
        ("Table,White,Black\n1,Ann,Ann", "In round 1 “Ann” plays against the same player"),
        ('Table,White\n"1,Ann', "this is not a CSV file"),
        ('"Table,White\n1,Ann', "a quotation mark in line 1 is never closed"),
        ('{"format": "sightline.rounds/1", "rounds": [{"number": 1}, {"number": 1}]}', "is listed twice"),
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
    assert extensions_of([one, later], 1, given, {}) == {"t": 120}
    assert extensions_of([one, later], 2, given, {}) == {"t": 60}
    early = HeardCall(700_000, 0)  # a table whose clock is fast called in the first round, by the desk's clock
    assert extensions_of([one, later], 1, given, {"c2": early}) == {"t": 180}


@pytest.mark.parametrize(
    ("name", "table"),
    [
        *[("table-7", "table-7"), ("7", "table-7"), ("Table 7", "table-7"), ("007", "table-7"), (" 12 ", "table-012")],
        *[("3", None), ("hall-b-3", "hall-b-3"), ("TABLE-7", "table-7"), ("8", None), ("Ann", None), ("", None)],
    ],
)
def test_a_list_names_a_table_by_its_number_where_only_one_has_it(name, table):
    assert TableNames(["table-7", "table-012", "hall-a-3", "hall-b-3"]).of(name) == table


def test_a_call_before_the_clock_runs_belongs_to_the_round_that_was_shown():
    names = TableNames(["table-1", "table-2"])
    played = (Pairing(table="1", first="Ann", second="Bo", result="1-0"), Pairing(table="2", first="Cy", second="Di"))
    first = Round(number=1, began_t=10_000, pairings=played)
    second = Round(number=2, published_t=50_000)
    assert round_for_table([first, second], "table-2", 5_000, names) == 0
    assert round_for_table([first, second], "table-2", 20_000, names) == 1
    assert round_for_table([first, second], "table-1", 20_000, names) == 2, "its game of round 1 is over"
    assert round_for_table([first, second], "table-2", 60_000, names) == 2


@pytest.mark.parametrize("ahead_ms", [0, -30 * 60_000, 3 * 3_600_000, -400 * 86_400_000])
def test_a_tables_own_clock_changes_nothing(ahead_ms):
    hall = Hall(["one"])
    hall.hear_state("one", TableNews(t=10_000_000_000_000 + ahead_ms), 10_000_000_000.0)
    assert hall.happened_ms("one", 9_999_999_990_000 + ahead_ms, 10_000_000_001.0) == 9_999_999_990_000
    assert hall.happened_ms("two", 5, 10_000_000_001.0) == 10_000_000_001_000, "the desk's word where nothing is known"
