"""A full disk: a judge can still be called, with as much evidence as fits, and everybody gets a warning."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from assistant.app.tournament.call_book import CallBook
from assistant.app.tournament.referee import CalledWithoutEvidence, Referee
from assistant.app.tournament.table_key import TableKey
from assistant.errors import StoreError
from assistant.store import Store
from assistant.translations.messages import said


class FullStore(Store):
    """A store on a disk with little room left for one call."""

    room_bytes = 0

    def append_table_event(self, seq: int, line: bytes, call_id: str = "", parts: Mapping[str, bytes] = {}) -> None:
        if len(line) + sum(map(len, parts.values())) > self.room_bytes:
            raise StoreError(said("The disk is full."))
        super().append_table_event(seq, line, call_id, parts)


class Member:
    """The table's part in a tournament, as far as it calls without evidence."""

    is_calling = False

    def call_bare(self) -> None:
        self.is_calling = True

    def end_bare_call(self) -> None:
        self.is_calling = False


@pytest.fixture
def full(tmp_path: Path) -> Iterator[Any]:
    """Makes a referee on a disk with that much room."""

    stores: list[Store] = []

    def made(room_bytes: int, member: Member | None = None) -> Referee:
        store = FullStore(tmp_path)
        stores.append(store)
        store.room_bytes = room_bytes
        return Referee(CallBook(store, "table-7"), TableKey(tmp_path), lambda: None, member)  # type: ignore[arg-type]

    yield made
    for store in stores:
        store.close()


def test_a_call_leaves_the_pictures_out_where_only_they_do_not_fit(full: Callable[..., Referee], build: Any) -> None:
    referee = full(2_500)
    call = referee.call_judge("Does Alpha see it?", build.ANN, build.table_now(), "call-1")
    assert referee.book.calls == (call,)
    assert referee.moment(call.id).pictures == ()
    assert referee.moment(call.id).match is not None


def test_a_call_that_cannot_be_kept_is_still_heard_in_the_hall_and_says_that_it_has_no_evidence(
    full: Callable[..., Referee], build: Any
) -> None:
    member = Member()
    referee = full(0, member)
    with pytest.raises(CalledWithoutEvidence, match="A judge is called, without evidence: the disk is full"):
        referee.call_judge("", build.ANN, build.table_now(), "call-1")
    assert member.is_calling
    referee.book._store.room_bytes = 1 << 30  # type: ignore[attr-defined]
    referee.call_judge("", build.ANN, build.table_now(), "call-1")
    assert not member.is_calling


def test_a_table_on_its_own_that_can_keep_nothing_is_refused_with_the_disks_own_sentence(
    full: Callable[..., Referee], build: Any
) -> None:
    with pytest.raises(StoreError, match="The disk is full"):
        full(0).call_judge("", build.ANN, build.table_now(), "call-1")
