"""A desk sends each table its round, extra time and judges on their way. A table sends results and its key."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import hall_builders as halls
import msgspec
import pytest
from hall_builders import JUDGE, wait_for
from msgspec.structs import replace

from assistant.app.tournament.claims import ClaimTaken
from assistant.app.tournament.desk import SentStep, SilentTable
from assistant.app.tournament.desk_store import Penalty
from assistant.app.tournament.key_authority import authority_of, is_sealed_by
from assistant.app.tournament.link_state import DeskMissing
from assistant.app.tournament.rounds import with_clock, with_publication, with_result
from assistant.app.tournament.seat import HandingIn, HeardSeat, SealedKeyFile
from assistant.app.tournament.steps import CloseCall, GiveRuling
from assistant.documents.hall import HandedResult, TableNews, TableSeat
from assistant.documents.rounds import Pairing, Round
from assistant.documents.sealed_key import SealedKey
from assistant.errors import CannotDo, IllegalStep, NotYours, StoreError
from assistant.translations.messages import said
from web.desk.keys import keys_csv

KEY, OTHER_KEY = "a1" * 32, "b2" * 32


def bring(desk: Any, *pairings: tuple[str, str, str]) -> None:
    """Take a first round in, whose list has numbers or names of tables, and publishes it."""
    games = tuple(Pairing(table=table, first=first, second=second) for table, first, second in pairings)
    desk.store.change_rounds(lambda _: [Round(number=1, pairings=games)], time.time())
    now_ms = round(time.time() * 1000)
    desk.store.change_rounds(lambda known: with_publication(known, 1, now_ms, is_public=True), time.time())
    desk.seats_changed()


def run_clock(desk: Any) -> None:
    now_ms = round(time.time() * 1000)
    desk.store.change_rounds(lambda known: with_clock(known, 1, now_ms, runs=True), time.time())
    desk.seats_changed()


def left_s(desk: Any, table: str) -> float:
    """Return the time that a table has left by its last word from the desk."""
    found = {name: seat for name, seat, _ in desk.book().seats([table], round(time.time() * 1000))}
    return found[table].left_s


def seats_of(table: halls.FakeTable) -> list[TableSeat]:
    """Return the seats that the desk sends to that table from now on."""
    heard: list[TableSeat] = []
    assert table.link is not None
    table.link.show_seats(heard.append)
    return heard


def test_a_table_learns_its_round_its_players_and_the_judge_on_the_way(hall):
    desk, _ = hall.desk()
    table = hall.table("one")
    heard = seats_of(table)
    bring(desk, ("one", "Ann", "Bo"), ("two", "Cy", "Di"))
    wait_for(lambda: heard and heard[-1].first == "Ann")
    assert (heard[-1].round, heard[-1].second, heard[-1].runs, heard[-1].left_s) == (1, "Bo", False, 150 * 60)
    call = table.open_call()
    wait_for(lambda: desk.store.call(call))
    desk.claims.claim(call, "Jo")
    wait_for(lambda: heard[-1].on_way)
    assert (heard[-1].on_way[0].call, heard[-1].on_way[0].judge) == (call, "Jo")
    with pytest.raises(ClaimTaken, match="Jo is on the way"):
        desk.claims.claim(call, "Max")
    desk.claims.claim(call, "Max", is_over=True)
    wait_for(lambda: heard[-1].on_way and heard[-1].on_way[0].judge == "Max")
    assert desk.claims.escalate(call).is_escalated
    desk.claims.let_go(call)
    wait_for(lambda: not heard[-1].on_way)


@pytest.mark.parametrize("is_newer", [False, True])
def test_a_table_too_old_for_a_result_keeps_its_clock_and_is_named_at_the_desk(hall, broker, tmp_path, is_newer):
    desk, _ = hall.desk()
    table = halls.FakeTable("one")
    table.join(broker.codes["one"], tmp_path / "one", double_loss=is_newer)
    heard = seats_of(table)
    bring(desk, ("one", "Ann", "Bo"))
    run_clock(desk)
    wait_for(lambda: heard and heard[-1].runs)
    desk.store.change_rounds(lambda known: with_result(known, 1, "one", "0-0"), time.time())
    desk.store.change_rounds(lambda known: with_clock(known, 1, round(time.time() * 1000), runs=False), time.time())
    desk.seats_changed()
    wait_for(lambda: not heard[-1].runs)
    assert (heard[-1].first, heard[-1].result) == ("Ann", "0-0" if is_newer else "*")
    assert desk.hall.tables["one"].troubles() == ([] if is_newer else ["older"])
    desk.store.change_rounds(lambda known: with_result(known, 1, "one", "1-0"), time.time())
    desk.seats_changed()
    wait_for(lambda: heard[-1].result == "1-0")
    assert desk.hall.tables["one"].troubles() == []
    table.leave()


def test_pairings_that_nobody_published_do_not_reach_the_table(hall):
    desk, _ = hall.desk()
    heard = seats_of(hall.table("one"))
    games = (Pairing(table="one", first="Ann", second="Bo"),)
    desk.store.change_rounds(lambda _: [Round(number=1, pairings=games)], time.time())
    desk.seats_changed()
    run_later = time.time() + 3
    wait_for(lambda: time.time() > run_later)
    assert not any(seat.first for seat in heard)


@pytest.mark.parametrize("off_s", [0, -1800, 3 * 3600])
def test_time_given_back_reaches_the_clock_of_a_table_whatever_its_own_clock_says(hall, off_s):
    desk, _ = hall.desk()
    table = hall.table("one", ahead_s=off_s)
    heard = seats_of(table)
    wait_for(lambda: (seen := desk.hall.tables.get("one")) and seen.clock_ahead_ms is not None)
    wait_for(lambda: abs(desk.hall.tables["one"].clock_ahead_ms - off_s * 1000) < 5000)
    bring(desk, ("one", "Ann", "Bo"))
    call = table.open_call("before the clock runs")
    wait_for(lambda: desk.store.call(call))
    run_clock(desk)
    before = left_s(desk, "one")
    desk.speak(call, GiveRuling(ruling="Go on.", extension_s=300), JUDGE)
    wait_for(lambda: heard and heard[-1].extension_s == 300)
    assert 290 < left_s(desk, "one") - before < 301
    assert desk.book().waits_s(desk.store.call(call), real()) < 60


real = time.time


def test_a_result_counts_when_both_players_agree_and_no_sooner(hall):
    desk, _ = hall.desk()
    table = hall.table("one")
    bring(desk, ("one", "Ann", "Bo"))
    assert table.link is not None

    def hand_in(*agreed: str, result: str = "1-0") -> None:
        handed = HandedResult(round=1, first="Ann", second="Bo", result=result, agreed=agreed)
        table.link.show(TableNews(t=0, match="evening", round=1, handed=handed))

    def results() -> list[str]:
        return [p.result for one in desk.store.rounds() for p in one.pairings]

    hand_in("first")
    wait_for(lambda: "one" in desk.hall.tables and desk.hall.tables["one"].now and desk.hall.tables["one"].now.handed)
    assert results() == ["*"]
    hand_in("first", "second")
    wait_for(lambda: results() == ["1-0"])
    desk.store.change_rounds(lambda known: with_result(known, 1, "one", "0-1"), time.time())
    hand_in("first", "second")
    hand_in("second", "first", result="1/2-1/2")
    wait_for(lambda: desk.hall.tables["one"].now.handed.result == "1/2-1/2")
    assert results() == ["0-1"], "a judge's word stays"


def test_a_result_that_a_judge_set_back_does_not_come_back_with_the_desk(hall):
    desk, _ = hall.desk()
    table = hall.table("one")
    bring(desk, ("one", "Ann", "Bo"))
    handed = HandedResult(round=1, first="Ann", second="Bo", result="1-0", agreed=("first", "second"))
    table.link.show(TableNews(t=0, match="evening", round=1, handed=handed))
    wait_for(lambda: desk.store.rounds()[0].pairings[0].result == "1-0")
    desk.store.change_rounds(lambda known: with_result(known, 1, "one", "*"), time.time())
    again, _ = hall.desk("desk-2")
    wait_for(lambda: "one" in again.hall.tables and again.hall.tables["one"].now)
    call = table.open_call()
    wait_for(lambda: again.store.call(call))
    assert again.store.rounds()[0].pairings[0].result == "*"


def test_a_result_and_a_key_that_the_full_disk_did_not_take_are_kept_once_it_has_room(hall, broker, monkeypatch):
    desk, watcher = hall.desk()
    bring(desk, ("one", "Ann", "Bo"))
    desk.authority = authority_of(broker.configuration.parent, "open")
    is_full = [True]

    def while_it_is_full(write):
        def refuse(*args):
            if is_full[0]:
                raise StoreError(said("the disk is full"))
            return write(*args)

        return refuse

    monkeypatch.setattr(desk.store, "seal", while_it_is_full(desk.store.seal))
    monkeypatch.setattr(desk.store, "change_rounds", while_it_is_full(desk.store.change_rounds))
    table = hall.table("one", key=KEY)
    heard = seats_of(table)
    handed = HandedResult(round=1, first="Ann", second="Bo", result="1-0", agreed=("first", "second"))
    table.link.show(TableNews(t=0, match="evening", round=1, handed=handed))
    wait_for(lambda: "store" in watcher.wrong)
    is_full[0] = False
    wait_for(lambda: heard and heard[-1].sealed and heard[-1].result == "1-0")


def test_files_cut_by_a_power_cut_are_as_good_as_none(broker, tmp_path):
    path = tmp_path / "kept.json"
    path.write_bytes(b'{"event":"\xff\xfe"}')
    assert SealedKeyFile(path, broker.codes["one"], KEY).sealed is None
    path.write_bytes(b'{"round":1,"first":"\xff\xfe"}')
    assert HandingIn(path).of(TableSeat(round=1)) is None


def test_no_table_has_a_result_of_a_round_that_is_not_published(hall):
    desk, _ = hall.desk()
    table = hall.table("one")
    bring(desk, ("one", "Ann", "Bo"))
    later = Round(number=2, pairings=(Pairing(table="one", first="Ann", second="Cy"),))
    desk.store.change_rounds(lambda _: [later], time.time())

    def results() -> list[str]:
        return [p.result for one in desk.store.rounds() for p in one.pairings]

    for number, second in ((2, "Cy"), (1, "Bo")):
        handed = HandedResult(round=number, first="Ann", second=second, result="0-1", agreed=("first", "second"))
        table.link.show(TableNews(t=0, match="evening", round=1, handed=handed))
        wait_for(lambda of=number: "one" in desk.hall.tables and handed_round(desk) == of)
    wait_for(lambda: results()[0] == "0-1")
    assert results() == ["0-1", "*"]


def handed_round(desk: Any) -> int:
    now = desk.hall.tables["one"].now
    return 0 if now is None or now.handed is None else int(now.handed.round)


def test_of_two_rulings_on_one_state_of_a_call_the_first_counts(hall):
    desk, _ = hall.desk()
    table = hall.table("one")
    call = table.open_call()
    wait_for(lambda: desk.store.call(call))
    seq = desk.store.call(call).seq
    ruling = GiveRuling(ruling="Play on.", extension_s=600)
    desk.speak(call, ruling, JUDGE, sent=SentStep(seen_seq=seq))
    with pytest.raises(IllegalStep, match="gone on meanwhile"):
        desk.speak(call, ruling, JUDGE, sent=SentStep(seen_seq=seq))
    assert desk.store.call(call).extension_s == 600
    desk.speak(
        call,
        GiveRuling(ruling="Play on, then.", extension_s=60),
        JUDGE,
        sent=SentStep(seen_seq=desk.store.call(call).seq),
    )
    assert desk.store.call(call).extension_s == 60


def test_a_ruling_that_programs_send_again_gives_its_time_once_and_the_newest_one_counts(hall):
    desk, _ = hall.desk()
    table = hall.table("one")
    call = table.open_call()
    wait_for(lambda: desk.store.call(call))
    ruling = GiveRuling(ruling="Play on.", extension_s=600)
    penalty = Penalty(call=call, player="Bo", infraction="slow play", level="warning", judge="Jo", t=1, stands=True)
    for _ in range(2):
        desk.speak(call, ruling, JUDGE, penalties=[penalty], sent=SentStep("one"))
    assert (desk.store.call(call).seq, desk.store.call(call).extension_s) == (2, 600)
    assert len(desk.store.penalties()) == 1
    with ThreadPoolExecutor(8) as judges:  # eight times at once, by unnamed judges
        list(judges.map(lambda _: desk.speak(call, ruling, JUDGE), range(8)))
    assert desk.store.call(call).extension_s == 600
    desk.speak(call, GiveRuling(ruling="Less.", extension_s=300), JUDGE, sent=SentStep("two"))
    assert desk.store.call(call).extension_s == 300


def test_two_rulings_that_wait_for_an_absent_table_give_the_time_of_the_later_one(hall, broker, tmp_path):
    desk, _ = hall.desk()
    table = hall.table("one")
    call = table.open_call()
    wait_for(lambda: desk.store.call(call))
    table.leave()
    for seconds in (600, 240):
        with pytest.raises(SilentTable):
            desk.speak(call, GiveRuling(ruling="Play on.", extension_s=seconds), JUDGE)
    table.join(broker.codes["one"], tmp_path / "again")
    wait_for(lambda: desk.store.call(call).extension_s == 240)


def test_the_desk_closes_the_calls_of_a_table_that_does_not_answer_and_the_table_hears_it(hall, broker, tmp_path):
    desk, _ = hall.desk()
    table = hall.table("one")
    flood = [table.open_call(f"flood {number}") for number in range(12)]
    other = hall.table("two").open_call("a real one")
    wait_for(lambda: len(desk.store.calls()) == 13)
    table.leave()
    with pytest.raises(SilentTable):
        desk.speak(flood[0], CloseCall(), JUDGE)
    assert desk.book().is_closed(desk.store.call(flood[0]))
    assert len(desk.close_all("one", JUDGE)) == 11
    assert desk.close_all("one", JUDGE) == []
    book = desk.book()
    assert [call.id for call in book.calls if not book.is_closed(call)] == [other]
    table.join(broker.codes["one"], tmp_path / "again")
    wait_for(lambda: [call.id for call in desk.store.calls()] == [other])
    assert {command.call for command in table.commands} == set(flood)


def test_a_call_that_was_appealed_meanwhile_is_open_again_once_its_table_answers(hall, broker, tmp_path):
    desk, _ = hall.desk()
    table = hall.table("one")
    call = table.open_call()
    wait_for(lambda: desk.store.call(call))
    table.do("ruled", call, JUDGE, ruling="So.")
    wait_for(lambda: desk.store.call(call).state == "ruled")
    table.leave()
    desk.close_all("one", JUDGE)
    assert desk.book().is_closed(desk.store.call(call))
    table.calls[call] = replace(table.calls[call], state="appealed")
    table.join(broker.codes["one"], tmp_path / "again")
    wait_for(lambda: not desk.store.open_commands())
    assert not desk.book().is_closed(desk.store.call(call))


def test_one_device_speaks_for_one_player_where_both_have_their_own(tmp_path):
    seat = TableSeat(round=2, first="Ann", second="Bo")
    handing = HandingIn(tmp_path / "result.json")
    handing.hand_in(seat, "first", "1-0", "phone-1", is_shared=False)
    for again in (handing, HandingIn(tmp_path / "result.json")):
        with pytest.raises(NotYours, match="on the other device"):
            again.hand_in(seat, "second", "1-0", "phone-1", is_shared=False)
    assert handing.hand_in(seat, "second", "0-1", "phone-1", is_shared=False).agreed == ("second",)
    assert handing.hand_in(seat, "first", "0-1", "phone-2", is_shared=False).is_agreed
    tablet = HandingIn(tmp_path / "other.json")
    tablet.hand_in(seat, "first", "1-0", "tablet")
    assert tablet.hand_in(seat, "second", "1-0", "tablet").is_agreed


def test_players_hand_a_result_in_and_a_change_begins_anew(tmp_path):
    seat = TableSeat(round=2, first="Ann", second="Bo")
    handing = HandingIn(tmp_path / "result.json")
    assert not handing.hand_in(seat, "first", "1-0").is_agreed
    assert not handing.hand_in(seat, "second", "0-1").is_agreed
    assert handing.hand_in(seat, "first", "0-1").is_agreed
    again = HandingIn(tmp_path / "result.json")
    assert again.of(seat) == handing.of(seat)
    assert again.of(TableSeat(round=3, first="Ann", second="Bo")) is None
    with pytest.raises(IllegalStep, match="Ask a judge"):
        handing.hand_in(TableSeat(round=2, first="Ann", second="Bo", result="1-0"), "first", "0-1")
    with pytest.raises(IllegalStep, match="No published round"):
        handing.hand_in(TableSeat(), "first", "0-1")


def test_the_clock_of_a_seat_counts_by_the_steady_clock_alone():
    now = [100.0]
    heard = HeardSeat(lambda: now[0])
    heard.hear(TableSeat(round=1, runs=True, left_s=60.0))
    now[0] += 75
    assert heard.left_s() == -15
    heard.hear(TableSeat(round=1, runs=False, left_s=60.0))
    now[0] += 75
    assert heard.left_s() == 60


def test_the_first_key_under_a_name_is_signed_and_another_one_is_told(hall, broker, tmp_path):
    desk, _ = hall.desk()
    desk.authority = authority_of(broker.configuration.parent, "open")
    table = hall.table("one", key=KEY)
    heard = seats_of(table)
    wait_for(lambda: heard and heard[-1].sealed)
    sealed = heard[-1].sealed
    code = broker.codes["one"]
    assert (sealed.event, sealed.name, sealed.key) == ("open", "one", KEY)
    assert is_sealed_by(code.authority_pem.encode(), sealed)
    kept = SealedKeyFile(tmp_path / "sealed.json", code, KEY)
    kept.take(sealed)
    assert SealedKeyFile(tmp_path / "sealed.json", code, KEY).sealed == sealed
    assert SealedKeyFile(tmp_path / "sealed.json", code, OTHER_KEY).sealed is None
    table.leave()
    forger = hall.table("one", key=OTHER_KEY)
    wait_for(lambda: "other key" in desk.hall.tables["one"].troubles())
    heard = seats_of(forger)
    desk.seats_changed()
    bring(desk, ("one", "Ann", "Bo"))
    wait_for(lambda: heard and heard[-1].first)
    assert all(seat.sealed is None or seat.sealed.key == KEY for seat in heard)


def test_a_judge_accepts_the_new_key_of_a_table_that_lost_its_folder(hall, broker):
    desk, _ = hall.desk()
    desk.authority = authority_of(broker.configuration.parent, "open")
    table = hall.table("one", key=KEY)
    wait_for(lambda: "one" in desk.store.sealed())
    before = msgspec.json.decode(desk.store.sealed()["one"], type=SealedKey)
    with pytest.raises(IllegalStep, match="Look again"):  # nothing is lost
        desk.accept_key("one", KEY)
    table.leave()
    renewed = hall.table("one", key=OTHER_KEY)
    heard = seats_of(renewed)
    wait_for(lambda: "other key" in desk.hall.tables["one"].troubles())
    with pytest.raises(IllegalStep, match="Look again"):  # a third one has come meanwhile
        desk.accept_key("one", "c3" * 32)
    desk.accept_key("one", OTHER_KEY)
    wait_for(lambda: heard and heard[-1].sealed and heard[-1].sealed.key == OTHER_KEY)
    authority = broker.codes["one"].authority_pem.encode()
    assert is_sealed_by(authority, before)
    assert is_sealed_by(authority, heard[-1].sealed)
    assert "other key" not in desk.hall.tables["one"].troubles()
    assert desk.store.sealed_before() == [msgspec.json.encode(before)]
    assert keys_csv([*desk.store.sealed().values(), *desk.store.sealed_before()]).count("\n") == 3
    desk.authority = None
    with pytest.raises(CannotDo, match="folder"):
        desk.accept_key("one", KEY)


def test_a_table_without_any_desk_says_wave_and_a_call_whether_it_arrived(hall):
    table = hall.table("one")
    wait_for(lambda: any(isinstance(problem, DeskMissing) for problem in table.problems))
    call = table.open_call()
    assert table.link is not None
    event = next(iter(table.events))
    assert not table.link.has_reached_desk(event)
    desk, _ = hall.desk()
    wait_for(lambda: desk.store.call(call))
    wait_for(lambda: table.link.has_reached_desk(event))
    wait_for(lambda: table.problems[-1] is None)


def test_an_old_desk_that_was_cleared_from_the_broker_is_named_no_more(hall, broker):
    table = hall.table("one")
    status = b'{"format":"sightline.status/1","state":"online","run":"old","protocol":1,"version":"0.1"}'
    halls.say(broker, "desk-2", "sightline/open/desks/desk-2", status)
    wait_for(lambda: any("older Sightline" in str(problem) for problem in table.problems if problem))
    halls.say(broker, "desk-2", "sightline/open/desks/desk-2", b"")
    wait_for(lambda: "older Sightline" not in str(table.problems[-1]))


def test_a_good_message_ends_what_was_said_of_a_bad_one(hall, broker):
    _, watcher = hall.desk()
    halls.say(broker, "two", "sightline/open/two/state", b'{"format":"sightline.table-state/1","t":-1}')
    wait_for(lambda: "message" in watcher.wrong)
    hall.table("two")
    wait_for(lambda: "message" not in watcher.wrong)
