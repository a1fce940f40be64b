"""A table's side of the network: sends events when it can, and applies each desk command once.

The table never waits for the network. Events stay in the outbox until a desk confirms that they are on its disk, so
killing a broker or a desk loses none. The desk drops repeated events by their ids.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable

from msgspec import Raw
from msgspec.structs import replace

from assistant.app.tournament.link_state import (
    BROKER,
    CODE,
    DESK,
    MESSAGE,
    NO_DESK,
    OUTBOX,
    REFUSED,
    STORE,
    BrokerRefusesSome,
    CodeShared,
    DeskMissing,
    DeskOutdated,
    HeardDesks,
    LinkTroubles,
    PlaceOfRuns,
    WaitingRow,
)
from assistant.app.tournament.outbox import TableOutbox, Waiting
from assistant.app.tournament.topics import Topics
from assistant.documents.call import Call
from assistant.documents.hall import (
    PROTOCOL,
    Answer,
    DeskCommand,
    HallEvent,
    Kept,
    Presence,
    Status,
    TableNews,
    TableSeat,
    hall_bytes,
    hall_message,
)
from assistant.documents.join import JoinCode
from assistant.documents.table_event import TableEvent
from assistant.errors import DocumentError, SightlineError, StoreError
from assistant.hosting.mqtt import BrokerError, BrokerMessage, BrokerPlace, MqttLink
from assistant.run_clock import now_s

WINDOW = 200
"""Largest number of unconfirmed events. More would only wait at the broker."""

AGAIN_S = 10.0
"""Seconds after which an event that no desk has stored is resent."""

MOST_PICTURE_BYTES = 1_000_000
"""Largest part in bytes that the broker accepts."""

STATE_S = 2.5
"""Seconds between two messages of an unchanged table."""

LOOK_S = 1.0

ALONE_S = 4.0
"""Seconds with a broker but no desk after which the table reports it. A restarting desk needs less."""


class TableLink:
    """The link of one table to its tournament.

    Args:
        join: the table's code.
        outbox: the waiting messages; closed together with the link.
        carry_out: applies a judge's step at the table, on the link's own thread; its SightlineError goes to the judge.
        tell: shows the worst network problem at the table, or None.
        status: this program's presence, with its run and version.
        now_s: the clock, seconds since 1970.
    """

    def __init__(
        self,
        join: JoinCode,
        outbox: TableOutbox,
        carry_out: Callable[[DeskCommand], None],
        tell: Callable[[SightlineError | None], None],
        status: Status,
        *,
        now_s: Callable[[], float] = now_s,
    ) -> None:
        self._name = join.name
        self._topics = Topics(join.event)
        self._outbox = outbox
        self._take_command = carry_out
        self._take_seat: Callable[[TableSeat], None] = lambda _: None
        self._arrived: Callable[[], None] = lambda: None
        self._alone_since_s: float | None = None
        self.lacks_events = False
        """Whether the last event failed to enter the outbox. No desk will learn of it before the next start."""
        self._troubles = LinkTroubles(tell)
        self._status = status
        self._place = PlaceOfRuns(self._status)
        self._now_s = now_s
        self._wake = threading.Condition()
        self._is_closing = False
        self._desks = HeardDesks()
        self._commands: list[DeskCommand] = []
        self._row = WaitingRow()
        self._picture, self._picture_s = "", 0.0
        self._has_news = False
        self._state: TableNews | None = None
        self._state_due_s = 0.0
        self._has_come_up = False
        self._announced: tuple[BrokerMessage, ...] = ()
        self._thread = threading.Thread(target=self._work, name="tournament", daemon=True)
        self._link = MqttLink(
            BrokerPlace(join.host, join.port, join.name, join.password, join.authority_pem),
            f"{join.event}-{join.name}-{status.run}",
            self,
            subscriptions=(
                self._topics.of(join.name, "cmd", "+"),
                self._topics.of(join.name, "kept"),
                self._topics.of(join.name, "seat"),
                self._topics.of(join.name, "status"),
                self._topics.of_desk("+"),
            ),
            will=self._status_message("offline"),
        )

    def show_seats(self, take: Callable[[TableSeat], None]) -> None:
        """Set the callback for the desk's messages on this table's round. It runs on the network's thread."""
        self._take_seat = take

    def notify_kept(self, arrived: Callable[[], None]) -> None:
        """Set the callback for a desk having stored events of this table. It runs on the network's thread."""
        self._arrived = arrived

    def has_reached_desk(self, event_id: str) -> bool:
        """Return whether a desk has stored an event of this table."""
        return not self._outbox.is_waiting(event_id)

    @property
    def is_desk_there(self) -> bool:
        """Whether the broker and a desk that stores this table's events are online."""
        with self._wake:
            return self._link.is_up and bool(self._desks.there)

    def announce(self, messages: Iterable[BrokerMessage]) -> None:
        """Set the messages to send at every connection."""
        self._announced = tuple(messages)

    def start(self) -> None:
        self._thread.start()
        self._link.start()

    def close(self) -> None:
        """Say goodbye and stop. Waiting events stay in the outbox."""
        self._is_closing = True
        self._stir()
        self._link.stop(self._status_message("stopped"))
        self._thread.join(LOOK_S * 3)
        self._outbox.close()

    @property
    def taken_seq(self) -> int:
        """The number of the last event that entered the outbox."""
        return self._outbox.taken_seq

    def take(self, event: TableEvent, line: bytes, call: Call | None) -> None:
        """Put an event and its call into the outbox."""
        if event.table != self._name:
            return  # from before the table got its present name
        payload = hall_bytes(HallEvent(event=Raw(line), call=call, t=round(self._now_s() * 1000)))
        standing = None
        if call is not None:
            shown = b"" if call.state == "closed" else payload
            standing = (self._topics.of(self._name, "call", call.id), shown)
        try:
            self._outbox.put(Waiting(event.seq, event.id, payload), standing)
        except StoreError as problem:
            self._troubles.note(STORE, problem)  # the table has it itself, and passes it on again after a start
            self.lacks_events = True
            return
        self._troubles.note(STORE, None)
        self.lacks_events = False
        self._stir()
        if standing is not None:
            self._show_standing(*standing)
        self._tell_if_full()

    def take_part(self, call_id: str, name: str, content: bytes) -> None:
        """Put a frozen part into the outbox. Parts are sent one by one, after all events."""
        if len(content) > MOST_PICTURE_BYTES:
            return  # the evidence file has it
        try:
            self._outbox.put_picture(f"{call_id}/{name}", content)
        except StoreError as problem:
            self._troubles.note(STORE, problem)
            return
        self._stir()
        self._tell_if_full()

    def _tell_if_full(self) -> None:
        self._troubles.note(OUTBOX, self._outbox.problem)

    def show(self, now: TableNews) -> None:
        """Send the table's news, at once if anything changed."""
        with self._wake:
            if self._state is None or replace(now, t=0) != replace(self._state, t=0):
                self._state_due_s = 0.0
            self._state = now
        self._stir()

    def _stir(self) -> None:
        with self._wake:
            self._has_news = True
            self._wake.notify_all()

    # ── callbacks of the link, on the network's thread ──

    def came_up(self) -> None:
        """Resend everything that no desk has stored yet."""
        with self._wake:
            self._place.begin()
            self._row.aside.clear()
            self._begin_anew()
        self._stir()
        for about in (BROKER, MESSAGE, REFUSED):
            self._troubles.note(about, None)

    def _begin_anew(self) -> None:
        self._has_come_up = True
        self._row.again()
        self._state_due_s = 0.0

    def went_down(self, problem: BrokerError) -> None:
        self._troubles.note(BROKER, problem)

    def refused(self, message: BrokerMessage) -> None:
        """Set a refused message aside until the next connection, so that later messages are sent."""
        with self._wake:
            self._row.aside.add(message.about or message.topic)
            self._row.underway.discard(message.about)
            count = len(self._row.aside)
        self._troubles.note(REFUSED, BrokerRefusesSome(count))
        self._stir()

    def heard(self, message: BrokerMessage) -> None:
        """Handle a desk's message. Messages of other programs are ignored."""
        try:
            self._hear(message)
        except DocumentError as problem:
            self._troubles.note(MESSAGE, problem)

    def _hear(self, message: BrokerMessage) -> None:
        desk = self._topics.desk_in(message.topic)
        if desk is not None:
            self._hear_desk(desk, message)
            return
        place = self._topics.place(message.topic)
        if place is None or not message.payload:
            return
        if place.part == "status":
            self._hear_of_myself(hall_message(message.payload, Status, message.topic), message)
            return
        if place.part == "seat":
            self._take_seat(hall_message(message.payload, TableSeat, message.topic))
            self._troubles.note(MESSAGE, None)
            return
        if place.part == "kept":
            kept = hall_message(message.payload, Kept, message.topic)
            with self._wake:
                self._let_go(kept)
            if any("/" not in one for one in kept.ids):
                self._arrived()
        with self._wake:
            if place.part == "cmd" and self._place.is_own:
                command = hall_message(message.payload, DeskCommand, message.topic)
                if command.protocol >= PROTOCOL:
                    self._commands.append(command)
        self._stir()

    def _let_go(self, kept: Kept) -> None:
        """Drop everything that a desk has on its disk, unless that desk is outdated."""
        if kept.protocol < PROTOCOL:
            return
        self._outbox.drop(kept.ids)
        for name in (one for one in kept.ids if "/" in one):
            self._outbox.drop_picture(name)
        self._row.underway.difference_update(kept.ids)
        self._row.moved_at_s = self._now_s()
        self._tell_if_full()

    def _hear_of_myself(self, status: Status, message: BrokerMessage) -> None:
        """Report a rival under this name when it appears or leaves. The older run goes on."""
        with self._wake:
            before = self._place.rival
            if self._place.hear(status, is_remembered=message.retained):
                self._begin_anew()
            now = self._place.rival
        self._stir()
        if now != before:
            self._troubles.note(CODE, CodeShared(self._name) if now else None)

    def _hear_desk(self, desk: str, message: BrokerMessage) -> None:
        if not message.payload:
            with self._wake:
                self._desks.forget(desk)
            self._troubles.note(f"{DESK}{desk}", None)
            return
        status = hall_message(message.payload, Status, message.topic)
        with self._wake:
            if self._desks.hear(desk, status):
                self._row.again()
                self._state_due_s = 0.0
        self._stir()
        is_outdated = status.state == "online" and status.protocol < PROTOCOL
        self._troubles.note(f"{DESK}{desk}", DeskOutdated(desk, status.version) if is_outdated else None)

    # ── sending, on a thread of its own ──

    def _work(self) -> None:
        while True:
            with self._wake:
                self._wake.wait_for(lambda: self._has_news, LOOK_S)
                if self._is_closing:
                    return
                self._has_news = False
                commands, self._commands = self._commands, []
                came_up, self._has_come_up = self._has_come_up, False
            if came_up and self._place.is_own:
                self._greet()
            for command in commands:
                self._answer(command)
            self._look_for_desk()
            if self._link.is_up and self._place.is_own:
                self._send_state()  # before the events, because it tells the desk the offset of this clock
                self._send_events()
                self._send_picture()

    def _look_for_desk(self) -> None:
        """Report a missing desk once the broker has been online without one for `ALONE_S`."""
        if not self._link.is_up or self._desks.is_any_online:
            self._alone_since_s = None
            self._troubles.note(NO_DESK, None)
            return
        if self._alone_since_s is None:
            self._alone_since_s = self._now_s()
        if self._now_s() - self._alone_since_s > ALONE_S:
            self._troubles.note(NO_DESK, DeskMissing())

    def _greet(self) -> None:
        self._link.publish(self._status_message("online"))
        for message in self._announced:
            self._link.publish(message)
        for topic, payload in self._outbox.standing():
            self._show_standing(topic, payload)

    def _show_standing(self, topic: str, payload: bytes) -> None:
        if not self._place.is_own:
            return  # shown once this program has the name
        if self._link.publish(BrokerMessage(topic, payload, retained=True, about=topic)) and not payload:
            self._outbox.taken_away(topic)

    def _send_events(self) -> None:
        if not self._desks.there:
            return  # nobody would store them; the first desk to come gets everything
        topic = self._topics.of(self._name, "event")
        for waiting in self._next_events(self._now_s()):
            if not self._link.publish(BrokerMessage(topic, waiting.payload, about=waiting.id)):
                return

    def _next_events(self, now_s: float) -> list[Waiting]:
        """Return the events to send now. They count as unconfirmed from here on, since a desk may answer quickly."""
        with self._wake:
            row = self._row
            if not row.underway:
                row.moved_at_s = now_s
            elif now_s - row.moved_at_s > AGAIN_S:
                row.again()
                row.moved_at_s = now_s
            found = self._outbox.after(row.told_to, WINDOW - len(row.underway))
            sent = [waiting for waiting in found if waiting.id not in row.aside]
            if found:
                row.told_to = found[-1].n
                row.underway.update(waiting.id for waiting in sent)
            return sent

    def _send_picture(self) -> None:
        is_its_turn = self._desks.there and not self._row.underway
        found = self._outbox.first_picture(self._row.aside) if is_its_turn else None
        now_s = self._now_s()
        if found is None or (found[0] == self._picture and now_s - self._picture_s < AGAIN_S):
            return
        topic = self._topics.of(self._name, "picture", found[0])
        if self._link.publish(BrokerMessage(topic, found[1], about=found[0])):
            self._picture, self._picture_s = found[0], now_s

    def _send_state(self) -> None:
        now_s = self._now_s()
        if self._state is None or now_s < self._state_due_s:
            return
        self._state_due_s = now_s + STATE_S
        shown = replace(self._state, t=round(now_s * 1000), waiting=self._outbox.count())
        self._link.publish(BrokerMessage(self._topics.of(self._name, "state"), hall_bytes(shown), retained=True))

    def _answer(self, command: DeskCommand) -> None:
        answer = self._outbox.answer_to(command.id)
        if answer is None:
            answer = hall_bytes(self._carried_out(command))
            self._outbox.keep_answer(command.id, answer)
        self._link.publish(BrokerMessage(self._topics.of(self._name, "ack", command.id), answer))

    def _carried_out(self, command: DeskCommand) -> Answer:
        try:
            self._take_command(command)
        except SightlineError as problem:
            return Answer(id=command.id, is_done=False, sentence=str(problem)[:2000])
        return Answer(id=command.id, is_done=True)

    def _status_message(self, state: Presence) -> BrokerMessage:
        status = replace(self._status, state=state)
        return BrokerMessage(self._topics.of(self._name, "status"), hall_bytes(status), retained=True)
