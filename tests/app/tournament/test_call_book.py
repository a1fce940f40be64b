"""A judge's call at a table: its states, who may take which step, and what survives a restart."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from assistant.app.tournament.call_book import CallBook
from assistant.app.tournament.steps import Appeal, CallStep, CloseCall, GiveRuling, OpenCall, SpeakBack
from assistant.documents.call import MAX_EXTENSION_S, Call, HandCorrection, call_document, call_from_json
from assistant.documents.table_event import NO_EVENT, Person, TableEvent, table_events_from_lines
from assistant.errors import DocumentError, IllegalStep, NotYours, StoreError, UnknownName
from assistant.store import Store

ANN = Person(role="player", name="Ann", side="marines")
BEA = Person(role="judge", name="Bea")
HEAD = Person(role="judge", name="Hal", place="desk")
FROZEN = "ab" * 32


class Heard:
    """An outlet that keeps events, from some number on."""

    def __init__(self, taken_seq: int = 0) -> None:
        self.taken_seq = taken_seq
        self.told: list[tuple[TableEvent, bytes, Call | None]] = []

    def take(self, event: TableEvent, line: bytes, call: Call | None) -> None:
        self.told.append((event, line, call))
        self.taken_seq = event.seq


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path) as opened:
        yield opened


def open_one(book: CallBook, name: str | None = None) -> Call:
    return book.open_call(OpenCall(question="Sees it?", frozen_hash=FROZEN), ANN, {"photo.jpg": b"jpeg"}, name)


def test_a_call_goes_through_its_states_with_everything_that_was_said(store: Store) -> None:
    book = CallBook(store, "table-7", clock_ms=lambda: 5_000)
    call = open_one(book)
    assert (call.state, call.table, call.opened_t, call.opened_by) == ("open", "table-7", 5_000, ANN)
    first = GiveRuling(ruling="Plays on", disputed="Where it stood", reason="Seen", penalty="Warning", extension_s=120)
    ruled = book.take_step(call.id, first, BEA)
    assert (ruled.state, ruled.judge, ruled.extension_s, ruled.penalty) == ("ruled", BEA, 120, "Warning")
    assert book.take_step(call.id, SpeakBack(), BEA).spoken_t == 5_000
    appealed = book.take_step(call.id, Appeal(grounds="Not so"), ANN)
    assert (appealed.state, appealed.appealed_by, appealed.grounds) == ("appealed", ANN, "Not so")
    again = book.take_step(call.id, GiveRuling(ruling="Upheld", extension_s=60), HEAD)
    assert (again.state, again.judge, again.extension_s, again.spoken_t) == ("ruled", HEAD, 180, None)
    assert again.disputed == "Where it stood"
    closed = book.take_step(call.id, CloseCall(), BEA)
    assert closed.state == "closed"
    assert book.calls == (closed,)


def state_after(book: CallBook, *steps: CallStep) -> str:
    call = open_one(book)
    for step in steps:
        book.take_step(call.id, step, BEA)
    return call.id


@pytest.mark.parametrize(
    ("before", "step", "reason"),
    [
        ((), Appeal(), "nobody has ruled"),
        ((), SpeakBack(), "nobody has ruled"),
        ((), GiveRuling(ruling="  "), "needs words"),
        ((GiveRuling(ruling="x"), Appeal()), CloseCall(), "head judge"),
        ((GiveRuling(ruling="x"), Appeal()), Appeal(), "nobody has ruled"),
        ((CloseCall(),), GiveRuling(ruling="x"), "closed"),
        ((GiveRuling(ruling="x", extension_s=MAX_EXTENSION_S),), GiveRuling(ruling="y", extension_s=1), "hours"),
    ],
)
def test_what_does_not_fit_the_state_is_refused_and_changes_nothing(
    store: Store, before: tuple[CallStep, ...], step: CallStep, reason: str
) -> None:
    book = CallBook(store, "t")
    call_id = state_after(book, *before)
    was, lines = book.call(call_id), store.table_events()
    with pytest.raises(IllegalStep, match=reason):
        book.take_step(call_id, step, BEA)
    assert book.call(call_id) == was
    assert store.table_events() == lines


@pytest.mark.parametrize("step", [GiveRuling(ruling="x"), SpeakBack(), CloseCall()])
def test_only_a_judge_rules_speaks_and_closes(store: Store, step: CallStep) -> None:
    book = CallBook(store, "t")
    call_id = state_after(book, GiveRuling(ruling="x"))
    with pytest.raises(NotYours):
        book.take_step(call_id, step, ANN)


def test_a_call_that_there_is_not_is_named_so(store: Store) -> None:
    with pytest.raises(UnknownName, match="no such call"):
        CallBook(store, "t").take_step("nothing", CloseCall(), BEA)


def test_everything_acknowledged_is_there_after_a_restart(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        book = CallBook(store, "t")
        call = open_one(book)
        ruled = book.take_step(call.id, GiveRuling(ruling="x", extension_s=30), BEA)
        correction = HandCorrection(t=4, by=ANN, kind="door", subject="door-1", value="open")
        book.note_correction(correction)
    with Store(tmp_path) as store:
        again = CallBook(store, "t")
        assert again.calls == (ruled,)
        assert again.corrections_since(4) == (correction,)
        assert again.corrections_since(5) == ()
        assert store.frozen_parts(call.id) == {"photo.jpg": b"jpeg"}
        assert again.take_step(call.id, CloseCall(), BEA).state == "closed"


def test_a_step_that_is_sent_twice_is_taken_once(store: Store) -> None:
    book = CallBook(store, "t")
    call = open_one(book, "call-1")
    assert open_one(book, "call-1") == call
    ruled = book.take_step(call.id, GiveRuling(ruling="x", extension_s=30), BEA, "step-1")
    assert book.take_step(call.id, GiveRuling(ruling="x", extension_s=30), BEA, "step-1") == ruled
    assert len(store.table_events()) == 2


def test_an_outlet_gets_what_it_lacks_and_then_every_event(store: Store) -> None:
    book = CallBook(store, "t")
    call = open_one(book)
    book.take_step(call.id, GiveRuling(ruling="x"), BEA)
    heard = Heard(taken_seq=1)
    again = CallBook(store, "t", outlet=heard)
    closed = again.take_step(call.id, CloseCall(), BEA)
    assert [event.type for event, _, _ in heard.told] == ["ruled", "closed"]
    assert [line for _, line, _ in heard.told] == list(store.table_events()[1:])
    assert heard.told[-1][2] == closed


def test_what_cannot_be_kept_has_not_happened(tmp_path: Path) -> None:
    store = Store(tmp_path)
    heard = Heard()
    book = CallBook(store, "t", outlet=heard)
    call = open_one(book)
    store.close()
    with pytest.raises(StoreError):
        book.take_step(call.id, GiveRuling(ruling="x"), BEA)
    assert book.call(call.id).state == "open"
    assert [event.type for event, _, _ in heard.told] == ["opened"]


def test_the_chain_names_the_line_that_was_changed_added_or_left_out(store: Store) -> None:
    book = CallBook(store, "t")
    state_after(book, GiveRuling(ruling="Ay"), CloseCall())
    lines = list(store.table_events())
    events, head = table_events_from_lines(lines)
    assert [event.seq for event in events] == [1, 2, 3]
    assert events[0].prev_hash == NO_EVENT != head
    with pytest.raises(DocumentError, match="line 3"):
        table_events_from_lines([lines[0], lines[1].replace(b"Ay", b"No"), lines[2]])
    with pytest.raises(DocumentError, match="Event 2 is missing"):
        table_events_from_lines([lines[0], lines[2]])
    with pytest.raises(DocumentError, match="line 1"):
        table_events_from_lines([b"[" * 100_000])


def test_a_call_goes_round_as_its_document(store: Store) -> None:
    book = CallBook(store, "t")
    call = book.call(state_after(book, GiveRuling(ruling="x", reason="y"), Appeal()))
    data = msgspec.json.encode(call_document(call))
    assert call_from_json(data) == call
    with pytest.raises(DocumentError, match="state"):
        call_from_json(data.replace(b'"appealed"', b'"lost"', 1))
    with pytest.raises(DocumentError, match="unknown field"):
        call_from_json(data.replace(b'"format"', b'"extra":1,"format"', 1))
