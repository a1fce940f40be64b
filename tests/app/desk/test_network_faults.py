"""Every fault between a table and its desk gives one plain sentence. The table plays on and loses nothing."""

from __future__ import annotations

import datetime
import time
from typing import Any

import hall_builders as halls
import pytest
from hall_builders import say, wait_for
from msgspec.structs import replace

from assistant.app.tournament.desk import SilentTable, TournamentDesk
from assistant.app.tournament.desk_store import DeskStore
from assistant.app.tournament.link_state import LinkTroubles
from assistant.app.tournament.outbox import TableOutbox, Waiting
from assistant.app.tournament.steps import GiveRuling
from assistant.app.tournament.table_link import TableLink
from assistant.documents.hall import PROTOCOL, DeskCommand, Kept, Status, hall_bytes
from assistant.documents.join import join_from_text, join_text
from assistant.errors import CannotDo, DocumentError
from assistant.hosting.certificates import page_certificate
from assistant.translations.messages import said

PICTURE = b"\xff\xd8\xff" + b"j" * 1_000


def told(table: halls.FakeTable) -> str:
    """Return every problem that the table reported."""
    return " ".join(str(problem) for problem in table.problems if problem)


def test_a_wrong_password_is_reported_and_the_table_plays_on(hall, broker):
    table = hall.table("one", code=replace(broker.codes["one"], password="wrong"))
    wait_for(lambda: "rejects the password of “one”" in told(table))
    table.open_call()
    assert table.link._outbox.count() == 1


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # paho forgets the refused socket
def test_a_certificate_that_nobody_vouches_for_is_reported(hall, broker, tmp_path):
    other = page_certificate(tmp_path / "other", ["localhost"], datetime.datetime.now(datetime.UTC))
    table = hall.table("one", code=replace(broker.codes["one"], authority_pem=other.authority_pem.decode()))
    wait_for(lambda: "is not trusted" in told(table))
    table.open_call()
    assert table.link._outbox.count() == 1


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # paho forgets the refused socket
@pytest.mark.parametrize("days", [400, -5000])
def test_a_clock_that_is_wrong_at_the_start_is_told_as_a_wrong_clock(tmp_path, days):
    made = halls.make_broker(tmp_path / "hall", ["one"], founded_after_days=days)
    made.start()
    table = halls.FakeTable("one")
    table.join(made.codes["one"], tmp_path / "one")
    wait_for(lambda: f"This computer's clock says {datetime.datetime.now():%Y-}" in told(table))
    assert "join code" not in told(table)
    table.leave()
    made.stop()


def test_a_broker_that_is_away_is_reported(hall, broker):
    table = hall.table("one", code=replace(broker.codes["one"], port=halls.free_port()))
    wait_for(lambda: "does not answer" in told(table))


@pytest.mark.parametrize("payload", [b"ON", b'{"state": "ON"}', b"[" * 100_000, b"\xff\xfe", b'{"format": 7}'])
def test_a_retained_message_of_another_program_is_named_and_left_alone(hall, broker, payload):
    say(broker, "two", "sightline/open/two/state", payload)
    desk, watcher = hall.desk()
    wait_for(lambda: "message" in watcher.wrong)
    assert "sightline/open/two/state: Another program left a message here" in str(watcher.wrong["message"])
    table = hall.table("one")
    call = table.open_call()
    wait_for(lambda: desk.store.call(call))


def test_a_table_newer_than_its_desk_is_named_and_keeps_what_it_tells(hall, broker):
    say(broker, "two", "sightline/open/two/state", b'{"format": "sightline.table-state/2", "t": 1}')
    _, watcher = hall.desk()
    wait_for(lambda: "newer" in watcher.wrong)
    assert "Update this one" in str(watcher.wrong["newer"])


def test_a_desk_of_an_older_version_is_reported_at_the_table(hall, broker):
    old = hall_bytes(Status(state="online", run="r", protocol=0, version="0.0.1"))
    say(broker, "desk", "sightline/open/desks/desk", old)
    table = hall.table("one")
    wait_for(lambda: "runs an older Sightline (0.0.1)" in told(table))


def test_the_sentence_on_an_outdated_desk_goes_when_the_desk_is_updated(hall, broker):
    say(broker, "desk", "sightline/open/desks/desk", hall_bytes(Status(state="online", run="r", protocol=0)))
    table = hall.table("one")
    wait_for(lambda: "runs an older Sightline" in told(table))
    call = table.open_call()
    desk, _ = hall.desk()
    wait_for(lambda: table.problems[-1] is None)
    wait_for(lambda: desk.store.call(call))


def speaks(url: str, desk: Any, **facts: Any) -> TournamentDesk:
    """Return a desk with that code, not started yet, that reports its language."""
    return TournamentDesk(desk, DeskStore(url), halls.Watcher(), status=Status(state="online", run="old", **facts))


@pytest.mark.parametrize("is_store_shared", [True, False])
def test_everything_for_an_outdated_desk_is_kept_and_a_right_one_beside_it_works(
    hall, broker, tmp_path, is_store_shared
):
    url = f"sqlite:///{tmp_path / 'old.db'}"
    outdated = speaks(url, broker.codes["desk-2"], protocol=PROTOCOL - 1, version="0.0.1")
    outdated.start()
    try:
        table = hall.table("one")
        wait_for(lambda: "runs an older Sightline (0.0.1)" in told(table))
        call = table.open_call()
        table.link.take_part(call, "photo.jpg", PICTURE)
        wait_for(lambda: outdated.store.call(call))  # the broker shows open calls to every desk
        with pytest.raises(SilentTable):
            outdated.speak(call, GiveRuling(ruling="so says the old one"), halls.JUDGE)
        assert table.commands == []
        assert table.link._outbox.count() == 1
        assert outdated.store.part_names(call) == []

        desk, _ = hall.desk(url=url if is_store_shared else "")
        wait_for(lambda: table.link._outbox.count() == 0)
        wait_for(lambda: desk.store.part_names(call) == ["photo.jpg"])
        assert desk.speak(call, GiveRuling(ruling="so it is"), halls.JUDGE).ruling in (
            "so it is",
            "so says the old one",
        )
        assert "so it is" in [command.payload["ruling"] for command in table.commands]
        for _ in range(4):
            table.do("corrected")
            wait_for(lambda: table.link._outbox.count() == 0, 8.0)  # sooner than it would be sent again
    finally:
        outdated.close()


def test_what_an_outdated_desk_says_is_not_heeded(hall, broker):
    table = hall.table("one")
    call = table.open_call()
    table.link.take_part(call, "photo.jpg", PICTURE)
    opened = table.link._outbox.after(0, 1)[0].id
    kept = Kept(ids=(opened, f"{call}/photo.jpg"), protocol=PROTOCOL - 1)
    command = DeskCommand(id="k", call=call, type="ruled", payload={"ruling": "x"}, actor=halls.JUDGE)
    say(broker, "desk", "sightline/open/one/kept", hall_bytes(kept))
    say(broker, "desk", "sightline/open/one/kept", hall_bytes(replace(kept, protocol=0)))
    say(broker, "desk", "sightline/open/one/cmd/k", hall_bytes(command))
    say(broker, "desk", "sightline/open/one/cmd/last", hall_bytes(replace(command, id="last", protocol=PROTOCOL)))
    wait_for(lambda: table.commands)  # said last, heard last
    assert [command.id for command in table.commands] == ["last"]
    assert opened in [waiting.id for waiting in table.link._outbox.after(0, 9)]
    assert table.link._outbox.first_picture() == (f"{call}/photo.jpg", PICTURE)


def test_of_two_tables_under_one_name_the_first_is_heard_and_both_are_reported(hall):
    desk, _ = hall.desk()
    first = hall.table("one")
    wait_for(lambda: "one" in desk.hall.tables)
    second = hall.table("one")
    for table in (first, second):
        wait_for(lambda table=table: "Two programs use the join code of “one”" in str(table.problems[-1]))
    wait_for(lambda: desk.hall.tables["one"].troubles() == ["twice"])
    runs = list(desk.hall.tables["one"].runs)
    kept, waiting = first.open_call(), second.open_call()
    wait_for(lambda: desk.store.call(kept))
    time.sleep(1.0)  # in which they could take each other's place
    assert desk.hall.tables["one"].status.run == runs[0]
    assert desk.store.call(waiting) is None
    first.leave()
    wait_for(lambda: desk.store.call(waiting))
    assert second.problems[-1] is None
    assert (desk.hall.tables["one"].troubles(), desk.hall.tables["one"].status.run) == ([], runs[1])


def test_a_table_cannot_speak_for_another(hall, broker):
    desk, _ = hall.desk()
    say(broker, "two", "sightline/open/one/status", hall_bytes(Status(state="online", run="r")))
    time.sleep(0.5)
    assert "one" not in desk.hall.tables


def test_a_full_outbox_lets_go_of_its_oldest_pictures_and_never_of_events(tmp_path):
    box = TableOutbox(tmp_path / "outbox.db", most_bytes=10_000)
    for n in range(1, 5):
        box.put(Waiting(n, f"e{n}", b"x" * 2_000))
        box.put_picture(f"c/{n}", b"p" * 1_000)
    assert box.count() == 4
    assert box.first_picture()[0] == "c/3"
    assert "so the oldest pictures were dropped (so far: 2)" in str(box.problem)
    for n in range(5, 9):
        box.put(Waiting(n, f"e{n}", b"x" * 2_000))
    assert box.first_picture() is None
    assert [waiting.id for waiting in box.after(0, 99)] == [f"e{n}" for n in range(1, 9)]
    box.close()
    again = TableOutbox(tmp_path / "outbox.db")
    assert (again.count(), again.taken_seq) == (8, 8)
    again.close()


def test_a_table_with_a_full_outbox_says_what_it_dropped(hall, broker):
    away = replace(broker.codes["one"], port=halls.free_port())
    table = hall.table("one", code=away, most_bytes=400_000)
    call = table.open_call()
    for n in range(3):
        table.link.take_part(call, f"{n}.jpg", b"\xff\xd8\xff" + b"j" * 150_000)
    assert "the oldest pictures were dropped (so far: 1)" in told(table)
    assert table.link._outbox.count() == 1


def test_the_warning_of_a_full_outbox_goes_when_everything_is_sent(hall):
    table = hall.table("one", most_bytes=400_000)
    call = table.open_call()
    for n in range(4):
        table.link.take_part(call, f"{n}.jpg", b"\xff\xd8\xff" + b"j" * 150_000)
    assert "oldest pictures were dropped" in str(table.problems[-1])
    desk, _ = hall.desk()
    wait_for(lambda: table.problems[-1] is None)
    assert desk.store.event_counts() == {"one": 1}
    assert desk.store.part_names(call) == ["2.jpg", "3.jpg"]
    assert table.link._outbox.problem is None


def test_of_several_things_that_are_wrong_the_worst_is_reported_and_then_the_next():
    told_so: list[object] = []
    troubles = LinkTroubles(told_so.append)
    old, shared, away, full = (CannotDo(said(text)) for text in ("old", "shared", "away", "full"))
    for about, problem in (("desk one", old), ("broker", away), ("code", shared), ("outbox", full)):
        troubles.note(about, problem)
    for about in ("outbox", "broker", "desk one", "code", "outbox", "code"):
        troubles.note(about, None)
    assert told_so == [old, away, full, away, shared, None]


def test_a_picture_of_a_call_comes_after_its_events(hall):
    desk, _ = hall.desk()
    table = hall.table("one")
    call = table.open_call()
    table.link.take_part(call, "photo.jpg", b"\xff\xd8\xff" + b"j" * 300_000)
    table.link.take_part(call, "huge.jpg", b"\xff\xd8\xff" + b"j" * 2_000_000)
    wait_for(lambda: desk.store.part_names(call) == ["photo.jpg"])
    wait_for(lambda: table.link._outbox.first_picture() is None)


@pytest.mark.parametrize("cut", [0, 20, 300, -1])
def test_a_join_code_that_was_cut_is_refused(broker, cut):
    text = join_text(broker.codes["one"])
    assert join_from_text(f" {text[:100]}\n{text[100:]} ") == broker.codes["one"]
    with pytest.raises(DocumentError, match=r"Copy the whole line|not valid JSON"):
        join_from_text(text[:cut])


def test_a_join_code_is_not_shown_with_its_password(broker):
    code = broker.codes["one"]
    assert code.password not in repr(code)


def test_an_authority_that_is_none_is_refused(broker, tmp_path):
    code = replace(broker.codes["one"], authority_pem="nothing")
    box = TableOutbox(tmp_path / "outbox.db")
    with pytest.raises(DocumentError, match="Take a new code"):
        TableLink(code, box, lambda command: None, lambda problem: None, Status(state="online", run="r"))
    box.close()
