"""The desk's store, the same on SQLite and PostgreSQL: it keeps a repeated event once and a late one late."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import hall_builders as halls
import pytest
from hall_builders import JUDGE, PLAYER

from assistant.app.tournament.desk_store import DeskStore, DeskStoreAway, KeptEvent, KeptPart
from assistant.app.tournament.desk_tables import CLAIM, COMMAND, HEARD, PENALTY, SEALED, SEALED_BEFORE
from assistant.app.tournament.rounds import taken_in, with_clock, with_result
from assistant.app.tournament.steps import call_after
from assistant.documents.call import Call
from assistant.documents.hall import Answer, DeskCommand
from assistant.documents.rounds import Pairing, Round
from assistant.documents.table_event import NO_EVENT, TableEvent, table_event_line
from assistant.errors import BadValue, StoreError, UnknownName


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'desk.db'}"
    server: halls.Postgres = request.getfixturevalue("postgres")
    return server.fresh_url()


@pytest.fixture
def store(url: str) -> Iterator[DeskStore]:
    made = DeskStore(url)
    yield made
    made.close()


def event(seq: int, step: str, call: str | None = None, **payload: Any) -> TableEvent:
    actor = PLAYER if step in ("opened", "corrected", "appealed") else JUDGE
    named = {"id": f"e{seq}", "seq": seq, "prev_hash": NO_EVENT, "t": 1000 * seq, "table": "one"}
    return TableEvent(**named, actor=actor, type=step, call=call, payload=payload)


def chain() -> list[KeptEvent]:
    """Return a call that is made, ruled on and closed, with a correction before."""
    steps = [
        event(1, "corrected", kind="door"),
        event(2, "opened", "c1", question="who?", frozen_hash="a" * 64),
        event(3, "ruled", "c1", ruling="so", extension_s=60),
        event(4, "closed", "c1"),
    ]
    kept, call = [], None
    for one in steps:
        call = call_after(call, one) if one.call else None
        kept.append(KeptEvent(one, table_event_line(one), call))
    return kept


def test_an_event_that_comes_twice_is_there_once(store):
    store.keep(chain())
    store.keep(chain()[1:3])
    store.keep([])
    assert store.event_counts() == {"one": 4}
    assert store.events_of_call("c1") == [kept.line for kept in chain()[1:]]


def test_a_call_is_replaced_by_a_later_state_alone(store):
    kept = chain()
    store.keep([kept[3]])
    store.keep([kept[1], kept[2]])
    call = store.call("c1")
    assert call == kept[3].call
    assert store.calls() == []
    assert store.calls(with_closed=True) == [call]
    assert store.call("nothing") is None


def test_open_calls_are_listed_by_age(store):
    calls = [
        Call(
            id=f"c{n}", table="one", opened_t=t, opened_by=PLAYER, question="", frozen_hash="a" * 64, changed_t=t, seq=1
        )
        for n, t in ((1, 300), (2, 100), (3, 200))
    ]
    store.keep([KeptEvent(event(n, "corrected"), b"{}", call) for n, call in enumerate(calls, 1)])
    assert [call.id for call in store.calls()] == ["c2", "c3", "c1"]


def test_a_command_waits_for_its_answer(store):
    command = DeskCommand(id="k1", call="c1", type="ruled", payload={"ruling": "so"}, actor=JUDGE)
    store.add_command("one", command, 5.0)
    store.add_command("one", command, 6.0)
    assert [(found.table, found.command) for found in store.open_commands()] == [("one", command)]
    assert store.open_commands("two") == []
    assert store.answer("k1") is None
    store.keep_answer(Answer(id="k1", is_done=True))
    store.keep_answer(Answer(id="k1", is_done=False, sentence="late"))
    assert store.answer("k1") == Answer(id="k1", is_done=True)
    assert store.open_commands() == []


def test_a_command_that_a_newer_desk_wrote_is_left_to_it(store):
    command = DeskCommand(id="k1", call="c1", type="ruled", payload={"ruling": "so"}, actor=JUDGE)
    store.add_command("one", command, 5.0)
    newer = {"id": "k2", "of_table": "one", "made_s": 4.0, "document": b'{"format": "sightline.command/2"}'}
    with store._work(writes=True) as db:
        db.execute(COMMAND.insert(), [newer])
    assert [found.command for found in store.open_commands()] == [command]


def test_a_picture_is_kept_with_its_call(store):
    store.keep_part(KeptPart("one", "c1", "photo.jpg", b"\xff\xd8\xff1"))
    store.keep_part(KeptPart("one", "c1", "photo.jpg", b"\xff\xd8\xff2"))
    assert store.part_names("c1") == ["photo.jpg"]
    assert store.part("c1", "photo.jpg") == b"\xff\xd8\xff1"
    assert store.part("c1", "other") is None


ROUND = Round(number=1, pairings=(Pairing(table="one", first="Ann", second="Bo"), Pairing(table="two", first="Cy")))


def test_rounds_are_shown_to_everybody_as_they_stood(store):
    store.change_rounds(lambda known: taken_in(known, [ROUND]), 100.0)
    store.change_rounds(lambda known: with_result(known, 1, "one", "1-0", (12, 3)), 200.0)
    store.change_rounds(lambda known: with_clock(known, 1, 250_000, runs=True), 250.0)
    (now,) = store.rounds()
    assert now.pairings[0] == Pairing(
        table="one", first="Ann", second="Bo", result="1-0", first_score=12, second_score=3
    )
    assert (now.started_t, now.began_t) == (250_000, 250_000)
    assert store.rounds_at(99.0) == []
    assert store.rounds_at(199.0) == [ROUND]
    with pytest.raises(UnknownName):
        store.change_rounds(lambda known: with_result(known, 1, "nine", "1-0"), 300.0)
    assert store.rounds() == [now]


def test_two_desks_that_change_rounds_at_once_lose_nothing(url):
    many = Round(number=1, pairings=tuple(Pairing(table=f"t{n}", first=f"p{n}") for n in range(12)))
    stores = [DeskStore(url) for _ in range(3)]
    stores[0].change_rounds(lambda _: [many], 1.0)

    def note(own: DeskStore, numbers: range) -> None:
        for n in numbers:
            own.change_rounds(partial(with_result, number=1, table=f"t{n}", result="1-0"), 2.0)

    threads = [threading.Thread(target=note, args=(own, range(n, 12, 3))) for n, own in enumerate(stores)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {p.result for p in stores[0].rounds()[0].pairings} == {"1-0"}
    assert len({own.open() for own in stores}) == 1
    for own in stores:
        own.close()


@pytest.mark.parametrize("missing", [(SEALED_BEFORE,), (SEALED_BEFORE, SEALED, PENALTY, CLAIM, HEARD)])
def test_desks_that_open_the_database_of_an_earlier_version_complete_it_and_keep_what_it_holds(url, missing):
    earlier = DeskStore(url)
    earlier.keep(chain())
    earlier.change_rounds(lambda _: [ROUND], 1.0)
    earlier.seal("one", "a1", lambda: b"first key")
    known_as = earlier.open()
    with earlier._transaction(writes=True) as db:
        for table in missing:
            table.drop(db)
    earlier.close()

    desks = [DeskStore(url) for _ in range(4)]
    with ThreadPoolExecutor(4) as pool:
        assert set(pool.map(DeskStore.open, desks)) == {known_as}  # all at once
    one, other = desks[:2]
    assert (one.event_counts(), one.rounds()) == ({"one": 4}, [ROUND])
    first = {} if SEALED in missing else {"one": b"first key"}
    assert (one.sealed(), one.sealed_before()) == (first, [])
    one.seal("one", "a1", lambda: b"first key")
    one.reseal("one", "b2", b"second key")
    assert (other.sealed(), other.sealed_before()) == ({"one": b"second key"}, [b"first key"])
    for desk in desks:
        desk.close()


@pytest.mark.parametrize("wrong", ["", "mysql://a/b", "desk.db", "postgresql//x"])
def test_what_names_no_database_is_refused(wrong):
    with pytest.raises(BadValue, match="names no database"):
        DeskStore(wrong)


def test_a_file_that_is_no_database_is_reported(tmp_path):
    (tmp_path / "desk.db").write_bytes(b"something else" * 100)
    with pytest.raises(StoreError, match="cannot be used"):
        DeskStore(f"sqlite:///{tmp_path / 'desk.db'}").open()


def test_a_postgresql_that_is_away_is_reported_and_comes_back(postgres: halls.Postgres):
    url = postgres.fresh_url()
    store = DeskStore(url)
    store.keep(chain()[:1])
    postgres.stop()
    try:
        with pytest.raises(DeskStoreAway, match="does not answer"):
            store.event_counts()
        with pytest.raises(DeskStoreAway, match="the package postgresql"):
            DeskStore(url).open()
    finally:
        postgres.start()
    store.keep(chain())
    assert store.event_counts() == {"one": 4}
    store.close()


def wait_for(what: Callable[[], Any]) -> None:
    halls.wait_for(what, 30)


def no_database_takes(seq: int, name: str) -> bytes:
    """Return a table's event of that name, about a call after that many events."""
    call = {
        "id": name,
        "table": "two",
        "opened_t": 1,
        "opened_by": {"role": "player"},
        "question": "",
        "frozen_hash": "a" * 64,
        "changed_t": 1,
        "seq": seq,
    }
    kept = table_event_line(event(1, "opened", "c1", question="?", frozen_hash="a" * 64))
    line = {**json.loads(kept), "id": name, "table": "two", "call": name}
    return json.dumps({"format": "sightline.told/1", "event": line, "call": call}).encode()


@pytest.mark.parametrize(("seq", "name"), [(2**63, "c1"), (1, "nothing\0")])
def test_what_no_database_takes_is_named_and_stops_no_other_table(
    url: str, hall: Any, broker: halls.Broker, seq: int, name: str
) -> None:
    desk, watcher = hall.desk(url=url)
    wait_for(lambda: desk._link is not None and desk._link.is_up)
    halls.say(broker, "two", "sightline/open/two/event", no_database_takes(seq, name))
    wait_for(lambda: "message" in watcher.wrong)
    assert str(watcher.wrong["message"]).startswith("sightline/open/two/event: call.")
    call = hall.table("one").open_call()
    wait_for(lambda: desk.store.call(call))
    assert "store" not in watcher.wrong


@pytest.mark.timeout(120)
def test_a_desk_whose_postgresql_is_away_keeps_nothing_lost(postgres: halls.Postgres, hall):
    url = postgres.fresh_url()
    postgres.stop()
    table = hall.table("one")
    first = table.open_call()
    desk, watcher = hall.desk(url=url)
    try:
        wait_for(lambda: "store" in watcher.wrong)
    finally:
        postgres.start()
    wait_for(lambda: "store" not in watcher.wrong)
    wait_for(lambda: desk.store.call(first))
    postgres.stop()
    try:
        more = [table.open_call() for _ in range(5)]
        wait_for(lambda: "store" in watcher.wrong)
        time.sleep(0.5)
    finally:
        postgres.start()
    wait_for(
        lambda: {call.id for call in desk.store.calls()} == {first, *more} if "store" not in watcher.wrong else None
    )
    assert desk.store.event_counts() == {"one": 6}


@pytest.mark.timeout(120)
def test_a_postgresql_that_is_killed_while_tables_tell_loses_nothing_and_doubles_nothing(
    postgres: halls.Postgres, hall
):
    url = postgres.fresh_url()
    desk, watcher = hall.desk(url=url)
    tables = [hall.table(name) for name in ("one", "two", "three")]
    told: dict[str, list[str]] = {table.name: [] for table in tables}
    is_over = threading.Event()

    def keep_telling() -> None:
        while not is_over.wait(0.005):
            for table in tables:
                told[table.name].append(table.open_call())

    telling = threading.Thread(target=keep_telling)
    telling.start()
    try:
        wait_for(lambda: sum(desk.store.event_counts().values()) > 100)
        postgres.kill()
        wait_for(lambda: "store" in watcher.wrong)
        postgres.start()
        wait_for(lambda: "store" not in watcher.wrong)
    finally:
        is_over.set()
        telling.join()
    wait_for(lambda: all(table.link._outbox.count() == 0 for table in tables))
    assert desk.store.event_counts() == {name: len(calls) for name, calls in told.items()}
    assert sorted(call.id for call in desk.store.calls()) == sorted(call for calls in told.values() for call in calls)


def test_two_desks_on_one_postgresql_both_know_every_call(postgres: halls.Postgres, hall):
    url = postgres.fresh_url()
    one, seen_by_one = hall.desk("desk", url)
    two, seen_by_two = hall.desk("desk-2", url)
    wait_for(lambda: one._link is not None and one._link.is_up and two._link is not None and two._link.is_up)
    tables = [hall.table(name) for name in ("one", "two")]
    calls = {table.open_call() for table in tables for _ in range(5)}
    wait_for(lambda: calls <= seen_by_one.calls.keys() and calls <= seen_by_two.calls.keys())
    wait_for(lambda: one.store.event_counts() == {"one": 5, "two": 5})
    assert two.store.event_counts() == {"one": 5, "two": 5}
