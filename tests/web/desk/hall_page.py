"""The page of a desk over a hall without events: a test sets its content."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from dataclasses import replace as replace_shot
from pathlib import Path
from types import ModuleType

import hall_builders as halls
from msgspec.structs import replace

from assistant.app.tournament.claims import Claims
from assistant.app.tournament.desk import ANY_STEP, SentStep, penalties_after, require_newest
from assistant.app.tournament.desk_store import DeskStore, KeptEvent, KeptPart, Penalty
from assistant.app.tournament.freezing import AskedShot, Frozen, TableNow, freeze_moment
from assistant.app.tournament.hall import Hall
from assistant.app.tournament.round_book import RoundBook
from assistant.app.tournament.rounds import TableNames
from assistant.app.tournament.sent_parts import iterate_parts_to_send
from assistant.app.tournament.steps import (
    CallStep,
    EmptyField,
    call_after,
    require_allowed,
    settled,
    step_payload,
    step_type,
)
from assistant.documents.call import Call
from assistant.documents.hall import DeskCommand, Status, TableNews
from assistant.documents.rounds import Pairing, Round
from assistant.documents.table_event import NO_EVENT, EventType, Person, TableEvent, table_event_line
from assistant.match.audience import PUBLIC
from web.desk.state import DeskState
from web.people.devices import DeviceList
from web.people.door import FrontDoor
from web.people.keeping import AttemptLog
from web.serving.events import EventHub
from web.serving.roles import Role

QUESTION = "Does Bravo see the imp behind the door, or does the wall end before it?"


@dataclass
class StandingHall:
    """A desk without a network; a judge's step takes effect at once."""

    store: DeskStore
    hall: Hall
    guard: threading.RLock = field(default_factory=threading.RLock)
    seq: int = 0
    claims: Claims = field(init=False)

    def __post_init__(self) -> None:
        self.claims = Claims(self.store, time.time, self.seats_changed)

    def book(self) -> RoundBook:
        """Rounds and calls as they stand."""
        return RoundBook.read(self.store, self.names())

    def seats_changed(self) -> None:
        """No table listens."""

    def names(self) -> TableNames:
        """Return the tables by the names of lists."""
        return TableNames(self.hall.tables)

    def tell(self, call: Call | None, kind: EventType, by: Person, payload: dict[str, object], table: str) -> Call:
        """Store a table's event as a desk does; return the call after it."""
        self.seq += 1
        about = f"call-{self.seq}" if call is None else call.id
        event = TableEvent(
            id=f"event-{self.seq}",
            seq=self.seq,
            prev_hash=NO_EVENT,
            t=round(time.time() * 1000),
            table=table,
            actor=by,
            type=kind,
            call=about,
            payload=payload,
        )
        after = call_after(call, event)
        self.store.keep([KeptEvent(event, table_event_line(event), after)])
        return after

    def speak(
        self,
        call_id: str,
        step: CallStep,
        by: Person,
        *,
        empty: EmptyField = "none",
        penalties: Sequence[Penalty] = (),
        sent: SentStep = ANY_STEP,
    ) -> Call:
        """Return the call after the step."""
        call = self.store.call(call_id)
        require_allowed(call, step, by)
        if sent.seen_seq is not None:
            assert call is not None
            require_newest(call, sent.seen_seq, is_on_way=False)
        step = settled(call, step, empty)
        assert call is not None
        self.store.add_command(
            call.table,
            DeskCommand(id=sent.name or f"command-{self.seq}", call=call_id, type=step_type(step), actor=by),
            0.0,
            penalties_after(call, step, empty, penalties),
        )
        return self.tell(call, step_type(step), by, step_payload(step), call.table)


def frozen(build: ModuleType) -> Frozen:
    """Return a call's frozen state: the scene easy-03, the same after a move, and a ruling on that."""
    before = replace_shot(build.true_shot("easy-03"), taken_at_s=time.time() - 40)
    shot = build.moved_shot(before, "imp-1", (4, 4), time.time() - 5)
    asked = AskedShot(shot, "doom2016", {}, "bravo", "imp-1", shot.taken_at_s)
    view = build.sample_session().view(PUBLIC)
    return freeze_moment(TableNow("two", round(time.time() * 1000), "now", view, (before, shot), (asked,)))


def make_hall_page(folder: Path, build: ModuleType) -> DeskState:
    """Return a desk with four tables (one calls, one is gone, one has a problem) and a round."""
    state = DeskState(
        door=FrontDoor(DeviceList(Role.SPECTATOR, AttemptLog(), time.time)),
        hub=EventHub(boot="test", max_streams=60),
        delay_s=0.0,
    )
    hall = Hall(["one", "two", "three", "four"])
    made = StandingHall(DeskStore(f"sqlite:///{folder / 'desk.db'}"), hall)
    state.hall = made
    now_s = time.time() + 3600.0  # they stay as they are while a test looks at them
    for name in ("one", "two", "three"):
        hall.hear_status(name, Status(state="online", run=name), now_s)
        hall.hear_state(name, TableNews(t=0, match="Evening", round=2), now_s)
    wrong = {"troubles": ("The camera is unplugged.",), "troubles_in": {"ru": ("Камера отключена.",)}}
    hall.hear_state("three", replace(TableNews(t=0), **wrong), now_s)
    moment = frozen(build)
    payload: dict[str, object] = {"question": QUESTION, "frozen_hash": moment.hash, "corrections": []}
    call = made.tell(None, "opened", halls.PLAYER, payload, "two")
    for name, content in iterate_parts_to_send(moment.parts):
        made.store.keep_part(KeptPart("two", call.id, name, content))
    pairings = tuple(Pairing(table=name, first=f"{name} A", second=f"{name} B") for name in ("one", "two", "three"))
    made.store.change_rounds(lambda _: [Round(number=1, pairings=pairings)], 0.0)
    return state
