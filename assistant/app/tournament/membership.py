"""A table's part in a tournament: its link to the broker, its news, and steps of judges at the desk."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Protocol

from msgspec.structs import replace

from assistant.app.problems import ProblemList
from assistant.app.tournament.call_book import CallBook
from assistant.app.tournament.home_assistant import discovery
from assistant.app.tournament.outbox import TableOutbox
from assistant.app.tournament.seat import HandingIn, HeardSeat, Player, SealedKeyFile
from assistant.app.tournament.sent_parts import iterate_parts_to_send
from assistant.app.tournament.steps import STEP_TYPES, CallStep
from assistant.app.tournament.table_link import TableLink
from assistant.app.tournament.topics import Topics
from assistant.documents.call import Call
from assistant.documents.hall import DeskCommand, HandedResult, Status, TableNews, TableSeat
from assistant.documents.join import JoinCode
from assistant.documents.match import convert
from assistant.documents.moment import FrozenSeat
from assistant.documents.rounds import Result
from assistant.documents.sealed_key import SealedKey
from assistant.documents.table_event import Person, TableEvent
from assistant.errors import SightlineError

LOOK_S = 1.0
"""Seconds between two checks of the table's news."""

BARE_S = 900.0
"""Lifetime in seconds of a call without evidence, which nobody at the table can close because it was never stored."""

PART = "tournament"


class StepTaker(Protocol):
    """Applies a judge's steps at the table, and stores its calls."""

    book: CallBook

    def take_step(self, call_id: str, step: CallStep, actor: Person, name: str) -> Call:
        """Apply a step. Repeating the same name applies nothing twice."""


class Membership:
    """The table's part in a tournament.

    Args:
        join: its join code.
        data: the data folder.
        problems: the list in which network problems are reported.
        news: returns the table's present news.
        status: the table's status: this run, its version, its signing key.

    Raises:
        StoreError: the outbox cannot be opened.
        BadValue: the code's certificate is invalid.
    """

    def __init__(
        self,
        join: JoinCode,
        data: Path,
        problems: ProblemList,
        news: Callable[[], TableNews],
        status: Status,
    ) -> None:
        self.join = join
        self._problems = problems
        self._news = news
        self._taker: StepTaker | None = None
        self._parts_of: Callable[[str], Mapping[str, bytes]] = lambda _: {}
        self._is_closing = threading.Event()
        self._steady_s = time.monotonic
        self._bare_since_s: float | None = None
        outbox = TableOutbox(data / f"outbox-{join.event}-{join.name}.db")
        self._seal = SealedKeyFile(data / f"sealed-key-{join.event}.json", join, status.key)
        self.desk_seat = HeardSeat()
        self.handing = HandingIn(data / f"result-{join.event}.json")
        self.seat_changed: Callable[[], None] = lambda: None
        self.link = TableLink(join, outbox, self.carry_out, self.tell, status)
        self.link.show_seats(self._hear_seat)
        self.link.notify_kept(self._tell_page)
        self.link.announce(discovery(Topics(join.event), join.name, status.version))
        self._thread = threading.Thread(target=self._watch, name="tournament-news", daemon=True)

    def start(self, taker: StepTaker, parts_of: Callable[[str], Mapping[str, bytes]]) -> None:
        """Start sending, and accepting steps from judges.

        Args:
            taker: applies the steps.
            parts_of: returns the frozen parts of a call, by name.
        """
        self._parts_of = parts_of
        self._taker = taker
        self._problems.look_after(PART)
        self.link.start()
        self._thread.start()

    def close(self) -> None:
        """Say goodbye. Waiting events are sent the next time."""
        self._is_closing.set()
        self.link.close()

    def carry_out(self, command: DeskCommand) -> None:
        """Apply a step from a judge at the desk.

        Raises:
            SightlineError: it cannot be applied.
        """
        step = convert(command.payload, STEP_TYPES[command.type], "command")
        if self._taker is not None:
            self._taker.take_step(command.call, step, command.actor, command.id)

    @property
    def sealed(self) -> SealedKey | None:
        """The table's key with its certificate from the tournament's authority, or None before it has one."""
        return self._seal.sealed

    @property
    def frozen_seat(self) -> FrozenSeat:
        """The game's place in the tournament, for freezing with a call."""
        seat = self.desk_seat.seat
        players = tuple(name for name in (seat.first, seat.second) if name)
        return FrozenSeat(event=self.join.event, round=seat.round, players=players)

    def hand_in(self, player: Player, result: Result, device: str = "", *, is_shared: bool = True) -> HandedResult:
        """Hand in a player's statement of the result, which counts once both players agree.

        Arguments and errors as for ``HandingIn.hand_in``.
        """
        handed = self.handing.hand_in(self.desk_seat.seat, player, result, device, is_shared=is_shared)
        self.look()
        return handed

    def look(self) -> None:
        """Send the table's news immediately."""
        self.link.show(self._full_news())

    def _tell_page(self) -> None:
        self.seat_changed()

    def _hear_seat(self, seat: TableSeat) -> None:
        before = self.desk_seat.seat
        self.desk_seat.hear(seat)
        if seat.sealed is not None:
            self._seal.take(seat.sealed)
        if replace(seat, left_s=0.0) != replace(before, left_s=0.0):
            self.seat_changed()

    def heard(self, event: TableEvent, _call: Call | None) -> None:
        """Send the frozen parts of a new call to the desk."""
        if event.type == "opened" and event.call is not None:
            for name, content in iterate_parts_to_send(self._parts_of(event.call)):
                self.link.take_part(event.call, name, content)

    def tell(self, problem: SightlineError | None) -> None:
        """Report a network problem at the table. The game goes on."""
        if problem is None:
            self._problems.clear(PART)
        else:
            self._problems.report(PART, problem)

    def call_bare(self) -> None:
        """Call a judge without evidence, since nothing can be stored but the hall can still be alerted."""
        self._bare_since_s = self._steady_s()
        self.look()

    def end_bare_call(self) -> None:
        """End the call without evidence, because the table can store calls again."""
        self._bare_since_s = None

    def _full_news(self) -> TableNews:
        calls = () if self._taker is None else self._taker.book.calls
        since_s = self._bare_since_s
        is_bare = since_s is not None and self._steady_s() - since_s < BARE_S
        is_open = sum(call.state != "closed" for call in calls)
        return replace(
            self._news(),
            calls=is_open + is_bare,
            bare_call=is_bare or (self.link.lacks_events and bool(is_open)),
            handed=self.handing.of(self.desk_seat.seat),
        )

    def _watch(self) -> None:
        while not self._is_closing.wait(LOOK_S):
            self.look()
