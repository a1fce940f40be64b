"""A tournament's desk: it receives every table's events, stores them, and sends rulings back.

Desks with a common store divide the events among themselves (an MQTT 5 shared subscription named after the store).
Presence and open calls go to every desk. A table drops an event only when a desk has it on disk.
"""

from __future__ import annotations

import queue
import threading
import time
import uuid
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from msgspec import json
from msgspec.structs import replace

from assistant.app.tournament.claims import Claims
from assistant.app.tournament.desk_store import DeskStore, KeptEvent, KeptPart, Penalty
from assistant.app.tournament.hall import Hall
from assistant.app.tournament.key_authority import KeyAuthority
from assistant.app.tournament.link_state import BrokerRefusesSome
from assistant.app.tournament.round_book import RoundBook
from assistant.app.tournament.rounds import TableNames, round_for_table, with_result
from assistant.app.tournament.sent_parts import is_part
from assistant.app.tournament.steps import (
    CallStep,
    EmptyField,
    GiveRuling,
    require_allowed,
    settled,
    step_payload,
    step_type,
)
from assistant.app.tournament.topics import TopicPlace, Topics
from assistant.documents.call import Call
from assistant.documents.hall import (
    Answer,
    DeskCommand,
    HallEvent,
    HandedResult,
    Kept,
    NewerFormat,
    Presence,
    Status,
    TableNews,
    event_of,
    hall_bytes,
    hall_message,
)
from assistant.documents.join import JoinCode
from assistant.documents.rounds import Round
from assistant.documents.sealed_key import SealedKey
from assistant.documents.table_event import Person
from assistant.errors import CannotDo, DocumentError, IllegalStep, SightlineError, StoreError, UnknownName
from assistant.hosting.mqtt import BrokerError, BrokerMessage, BrokerPlace, MqttLink
from assistant.run_clock import now_s
from assistant.translations.messages import said

BATCH = 500
GATHER_S = 0.012
"""Seconds during which a desk gathers news, to write all of it in one transaction."""

MOST_WAITING = 20_000
"""Largest number of events in memory while the database is away. A table resends what does not fit."""


class HandedIn(NamedTuple):
    """A result on which both players of a table agree."""

    table: str
    result: HandedResult


class SentStep(NamedTuple):
    """A judge's details about a step that they send.

    Args:
        name: the step's name, whose repetition is the same step; generated if empty.
        seen_seq: the state of the call that the judge saw, which accepts only one ruling; None for any state.
    """

    name: str = ""
    seen_seq: int | None = None


ANY_STEP = SentStep()


HallItem = KeptEvent | KeptPart | Answer | HandedIn | str
"""An item of news from the hall. A plain string names a table that came online."""


@dataclass
class HallNews:
    """News since the desk last looked: events, answers, and tables that came online."""

    events: list[KeptEvent] = field(default_factory=list)
    parts: list[KeptPart] = field(default_factory=list)
    answers: list[Answer] = field(default_factory=list)
    handed: list[HandedIn] = field(default_factory=list)
    come: set[str] = field(default_factory=set)

    def add(self, item: HallItem) -> None:
        """Add an item by its type. A plain string names a table that came online."""
        if isinstance(item, KeptEvent):
            self.events.append(item)
        elif isinstance(item, KeptPart):
            self.parts.append(item)
        elif isinstance(item, Answer):
            self.answers.append(item)
        elif isinstance(item, HandedIn):
            self.handed.append(item)
        else:
            self.come.add(item)


class HallInbox:
    """News that is not yet on disk."""

    def __init__(self) -> None:
        self._items: queue.Queue[HallItem] = queue.Queue(MOST_WAITING)

    def put(self, item: HallItem) -> bool:
        """Queue an item. Return False if there is no room."""
        try:
            self._items.put_nowait(item)
        except queue.Full:
            return False
        return True

    def news(self, timeout_s: float) -> HallNews:
        """Return the next items, up to one more than ``BATCH``, or none after the time-out."""
        found = HallNews()
        try:
            found.add(self._items.get(timeout=timeout_s))
            time.sleep(GATHER_S)
            for _ in range(BATCH):
                found.add(self._items.get_nowait())
        except queue.Empty:
            pass
        return found


AGAIN_S = 5.0
"""Seconds until an unanswered command is resent, or an absent database is retried."""

ANSWER_S = 4.0
LOOK_S = 0.25

SEATS_S = 2.0
"""Seconds between checks for changes of rounds and claims by another desk on the store."""

ALL_SEATS_S = 60.0
"""Seconds between two messages to every table, in case one was lost or a clock is slow."""


class SilentTable(CannotDo):
    """A table has not answered. The command stays queued for it."""

    def __init__(self, table: str) -> None:
        super().__init__(
            said(
                "The table “{table}” does not answer now. The ruling waits and goes out when the table is back.",
                table=table,
            )
        )


class TableRefuses(CannotDo):
    """A table answered that it cannot do this."""

    def __init__(self, table: str, sentence: str) -> None:
        super().__init__(said("The table “{table}” answers: {sentence}", table=table, sentence=sentence))


class NotItsOwn(DocumentError):
    """A table sent a message in another table's name."""

    def __init__(self, table: str, topic: str) -> None:
        super().__init__(
            said("the table “{table}” sent an event of another table; give each table its own join code", table=table),
            document=topic,
        )


def penalties_after(
    call: Call, step: CallStep, empty: EmptyField, penalties: Sequence[Penalty]
) -> Sequence[Penalty] | None:
    """Return the penalties with which a step replaces the earlier ones, or None to leave those in force."""
    if not isinstance(step, GiveRuling) or (call.penalty and step.penalty == call.penalty and empty == "before"):
        return None
    return penalties


def _result_of(rounds: Iterable[Round], handed: HandedResult) -> str:
    """Return the stored result of the game for which players handed one in."""
    games = (p for one in rounds if one.number == handed.round for p in one.pairings)
    return next((p.result for p in games if (p.first, p.second) == (handed.first, handed.second)), "*")


def require_newest(call: Call, seen_seq: int, *, is_on_way: bool) -> None:
    """Check that a judge rules on the call's latest state.

    Raises:
        IllegalStep: the call has moved on, or another ruling is on its way.
    """
    if call.seq != seen_seq or is_on_way:
        raise IllegalStep(said("This call has gone on meanwhile. Read it, then rule if that is still needed."))


class DeskEnd(Protocol):
    """Receives the desk's news on the desk's threads: the desk's page in a room above, or a test's double."""

    def call_changed(self, call: Call) -> None:
        """Handle a stored call that was opened or changed."""

    def parts_changed(self, call_id: str) -> None:
        """Handle further frozen parts of a call."""

    def report(self, part: str, problem: SightlineError | None) -> None:
        """Report a problem of the ``broker``, the ``store`` or a ``message``, or its end with None."""


class TournamentDesk:
    """One desk of a tournament.

    Args:
        join: the desk's code.
        store: its store, closed together with the desk.
        end: shows its news.
        tables: the expected tables.
        status: its status message to the tables.
        now_s: the clock, seconds since 1970.
    """

    def __init__(
        self,
        join: JoinCode,
        store: DeskStore,
        end: DeskEnd,
        *,
        tables: Iterable[str] = (),
        status: Status | None = None,
        now_s: Callable[[], float] = now_s,
    ) -> None:
        self.store = store
        self.hall = Hall(tables)
        self.guard = threading.RLock()
        self.claims = Claims(store, now_s, self.seats_changed)
        self._join = join
        self._topics = Topics(join.event)
        self._end = end
        self._now_s = now_s
        self._inbox = HallInbox()
        self._unsaved = HallNews()
        self._status = status or Status(state="online", run=uuid.uuid4().hex[:12])
        self._is_closing = threading.Event()
        self._ruling = threading.Lock()
        self._answered = threading.Condition()
        self._link: MqttLink | None = None
        self._spoken_s = 0.0
        self.authority: KeyAuthority | None = None
        """Signs the keys of tables, if this desk has the tournament's folder."""
        self._seats_due_s = self._all_seats_s = 0.0
        self._told_seats: dict[str, object] = {}
        self._sealed: dict[str, SealedKey] = {}
        self._handed: set[tuple[str, HandedResult]] = set()
        self._unsealed: set[str] = set()
        self._bad_topics: set[str] = set()
        self._thread = threading.Thread(target=self._work, name="desk", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def close(self) -> None:
        self._is_closing.set()
        if self._link is not None:
            self._link.stop(self._status_message("stopped"))
        self._thread.join(AGAIN_S)
        self.store.close()

    def book(self) -> RoundBook:
        """Return the present rounds and calls.

        Raises:
            StoreError: the store cannot be read.
        """
        return RoundBook.read(self.store, self.names())

    def _known(self, call_id: str) -> Call:
        call = self.store.call(call_id)
        if call is None:
            raise UnknownName(said("there is no call “{call}”; choose one of the list", call=call_id[:60]))
        return call

    @property
    def name(self) -> str:
        """The name of this desk."""
        return self._join.name

    def sealed_for(self, key: str) -> SealedKey | None:
        """Return this desk's key, signed by the tournament's authority, or None without the tournament's folder."""
        if self.authority is None:
            return None
        return self.authority.seal(self.name, key, round(self._now_s() * 1000), is_desk=True)

    def seats_changed(self) -> None:
        """Tell the tables about changed rounds or claims, at the desk's next step."""
        self._seats_due_s = 0.0

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
        """Send a step of a call to its table, and return the call after it.

        Args:
            call_id: the call.
            step: the step.
            by: the judge.
            empty: the meaning of empty fields in a later ruling.
            penalties: the penalties that a ruling gives to players.
            sent: the sender's details.

        Raises:
            UnknownName: there is no such call.
            IllegalStep: its state does not allow this, or somebody has ruled since.
            SilentTable: the table is away; the step is stored and applied when it returns.
            TableRefuses: the table cannot apply it.
            StoreError: the desk cannot store it.
        """
        with self._ruling:
            call = self._known(call_id)
            command_id = f"{call_id} {sent.name}" if sent.name else uuid.uuid4().hex
            known = self.store.command(command_id)
            if known is not None:
                return self._answered_call(call, known)
            require_allowed(call, step, by)
            step = settled(call, step, empty)
            kind = step_type(step)
            if kind in ("opened", "corrected"):
                raise UnknownName(said("a judge is called at the table, not at the desk"))
            waiting = self.store.open_commands(call.table)
            is_on_way = any(one.command.call == call_id and one.command.type == kind for one in waiting)
            if sent.seen_seq is not None:
                require_newest(call, sent.seen_seq, is_on_way=is_on_way)
            if is_on_way and isinstance(step, GiveRuling):
                step = replace(step, extends="in all")
            command = DeskCommand(id=command_id, call=call_id, type=kind, payload=step_payload(step), actor=by)
            self.store.add_command(call.table, command, self._now_s(), penalties_after(call, step, empty, penalties))
        self._send(call.table, command)
        return self._answered_call(call, command)

    def close_all(self, table: str, by: Person) -> list[Call]:
        """Close a table's calls without a pending appeal, without waiting for its answer. Return those calls.

        The table learns of it when it is online. Until then only the desk counts them as closed.

        Raises:
            StoreError: the desk cannot store it.
        """
        with self._ruling:
            book = self.book()
            found = [one for one in book.calls if one.table == table and not book.is_closed(one)]
            closed = [one for one in found if one.state != "appealed"]
            commands = [
                DeskCommand(id=uuid.uuid4().hex, call=call.id, type="closed", payload={}, actor=by) for call in closed
            ]
            for command in commands:
                self.store.add_command(table, command, self._now_s())
        for command in commands:
            self._send(table, command)
        return closed

    def _answered_call(self, call: Call, command: DeskCommand) -> Call:
        """Wait for the table's answer to a command, and return the call after it."""
        until_s = time.monotonic() + ANSWER_S
        with self._answered:
            while (answer := self.store.answer(command.id)) is None:
                left_s = until_s - time.monotonic()
                if left_s <= 0:
                    raise SilentTable(call.table)
                self._answered.wait(min(left_s, 0.2))  # another desk may have received the answer
        if not answer.is_done:
            raise TableRefuses(call.table, answer.sentence)
        while (after := self.store.call(call.id) or call).seq <= call.seq and time.monotonic() < until_s:
            time.sleep(0.01)
        return after

    # ── incoming messages, on the network's thread ──

    def came_up(self) -> None:
        """Announce the desk to every table, which then sends its waiting news."""
        self._publish(self._status_message("online"))
        self._end.report("broker", None)

    def went_down(self, problem: BrokerError) -> None:
        """Mark every table as silent until the broker is back."""
        with self.guard:
            self.hall.lose_sight(self._now_s())
        self._end.report("broker", problem)

    def refused(self, message: BrokerMessage) -> None:
        """Report a message that the broker refuses. Its command stays open."""
        self._end.report("message", BrokerRefusesSome(1))

    def heard(self, message: BrokerMessage) -> None:
        """Handle a table's message. One from another program is reported once and ignored."""
        place = self._topics.place(message.topic)
        if place is None or not message.payload:
            return
        try:
            self._hear(place, message)
        except NewerFormat as problem:
            self._end.report("newer", problem)
        except DocumentError as problem:
            self._bad_topics.add(message.topic)
            self._end.report("message", problem)
        else:
            self._forget_bad(message.topic)

    def _forget_bad(self, topic: str) -> None:
        """Clear the report of a bad message once its topic carries a good one."""
        if topic in self._bad_topics:
            self._bad_topics.discard(topic)
            if not self._bad_topics:
                self._end.report("message", None)

    def _hear(self, place: TopicPlace, message: BrokerMessage) -> None:
        now_s = self._now_s()
        match place.part:
            case "status":
                status = hall_message(message.payload, Status, message.topic)
                with self.guard:
                    has_come = self.hall.hear_status(place.owner, status, now_s)
                if has_come:
                    self._inbox.put(place.owner)
            case "state":
                state = hall_message(message.payload, TableNews, message.topic)
                with self.guard:
                    self.hall.hear_state(place.owner, state, now_s, retained=message.retained)
                if state.handed is not None and state.handed.is_agreed:
                    self._inbox.put(HandedIn(place.owner, state.handed))
            case "event" | "call":
                self._take(place, message)
            case "picture":
                call_id, _, name = place.id.partition("/")
                if is_part(name, message.payload):
                    self._inbox.put(KeptPart(place.owner, call_id, name, message.payload))
            case "ack":
                self._inbox.put(hall_message(message.payload, Answer, message.topic))
            case _:
                pass

    def _take(self, place: TopicPlace, message: BrokerMessage) -> None:
        """Queue an event, which may come twice. A table may not send one in another's name."""
        received = hall_message(message.payload, HallEvent, message.topic)
        found = event_of(received, message.topic)
        if found.table != place.owner or (received.call is not None and received.call.table != place.owner):
            raise NotItsOwn(place.owner, message.topic)
        with self.guard:
            t_ms = self.hall.happened_ms(place.owner, found.t, self._now_s())
        # An event that does not fit is not confirmed, so its table resends it.
        self._inbox.put(KeptEvent(found, bytes(received.event), received.call, t_ms))

    # ── storing and answering, on the desk's own thread ──

    def _work(self) -> None:
        while not self._is_closing.is_set():
            try:
                if self._link is None:
                    self._open()
                self._step()
                self._end.report("store", None)
            except StoreError as problem:
                self._end.report("store", problem)
                self._is_closing.wait(AGAIN_S)

    def _open(self) -> None:
        store_id = self.store.open()
        # Desks of different protocols share no subscription, because a table ignores what an older desk confirms.
        group = f"{store_id}-{self._status.protocol}"
        everything = [self._topics.of("+", part) for part in ("status", "state")]
        everything += [self._topics.of("+", "call", "+"), self._topics.of("+", "ack", "+")]
        shared = [self._topics.of("+", "event"), self._topics.of("+", "picture", "+/+")]
        join = self._join
        link = MqttLink(
            BrokerPlace(join.host, join.port, join.name, join.password, join.authority_pem),
            f"{join.event}-{join.name}-{self._status.run}",
            self,
            subscriptions=(*everything, *(f"$share/{group}/{topic}" for topic in shared)),
            will=self._status_message("offline"),
        )
        self._link = link
        link.start()

    def _step(self) -> None:
        if not self._unsaved.events:
            self._unsaved = self._inbox.news(LOOK_S)
        news = self._unsaved
        self.store.keep([*self._in_rounds(news.events)])
        self._unsaved = HallNews()
        self._unsealed |= news.come  # the following may fail on a full disk
        by_table: dict[str, list[str]] = defaultdict(list)
        for kept in news.events:
            by_table[kept.event.table].append(kept.event.id)
        for table, ids in by_table.items():
            self._say_kept(table, ids)
        for call in {kept.call.id: kept.call for kept in news.events if kept.call is not None}.values():
            self._end.call_changed(call)
        for part in news.parts:
            self.store.keep_part(part)
            self._say_kept(part.of_table, [f"{part.call}/{part.name}"])
            self._end.parts_changed(part.call)
        for answer in news.answers:
            self.store.keep_answer(answer)
        for handed in news.handed:
            self._take_result(handed)
        for table in sorted(self._unsealed):
            self._seal_key(table)
            self._unsealed.discard(table)
        with self._answered:
            self._answered.notify_all()
        self._speak_again(news.come)
        if news.events or news.come or news.handed or self._now_s() - self._seats_due_s > SEATS_S:
            self._tell_seats(news.come)

    def _tell_seats(self, come: set[str]) -> None:
        """Send each table its round if that has changed, and periodically to all of them."""
        now_s = self._now_s()
        is_due = now_s - self._all_seats_s > ALL_SEATS_S
        self._seats_due_s = now_s
        self._all_seats_s = now_s if is_due else self._all_seats_s
        with self.guard:
            tables = [name for name, seen in self.hall.tables.items() if seen.status is not None]
        for table, its_seat, key in self.book().seats(tables, round(now_s * 1000)):
            with self.guard:
                seat = self.hall.tables[table].readable(its_seat)
            known = (key, self._sealed.get(table))
            if is_due or table in come or self._told_seats.get(table) != known:
                self._told_seats[table] = known
                document = hall_bytes(replace(seat, sealed=self._sealed.get(table)))
                self._publish(BrokerMessage(self._topics.of(table, "seat"), document))

    def _take_result(self, handed_in: HandedIn) -> None:
        """Record a result for a published round that both players agree on, unless the desk already has one."""
        table, handed = handed_in
        fact = f"handed {handed.round} {table} {handed.first} {handed.second} {handed.result}"
        if (table, handed) in self._handed or self.store.is_noted(fact):
            return  # a judge may have reset it since

        def change(known: list[Round]) -> list[Round]:
            pairings = RoundBook(known, (), {}, {}, self.names()).pairings(handed.round)
            pairing = pairings.get(table)
            players = None if pairing is None else (pairing.first, pairing.second, pairing.result)
            is_public = any(one.number == handed.round and one.shown_t is not None for one in known)
            if pairing is None or not is_public or players != (handed.first, handed.second, "*"):
                return []
            return with_result(known, handed.round, pairing.table, handed.result)

        after = self.store.change_rounds(change, self._now_s())
        if _result_of(after, handed) == handed.result:
            self.store.note(fact)
        self._handed.add((table, handed))  # only now, so that after a full disk the table's next news repeat it

    def _seal_key(self, table: str) -> None:
        """Have the authority sign the first key under a table's name. A different key is flagged and not signed."""
        with self.guard:
            seen = self.hall.tables.get(table)
            key = "" if seen is None or seen.status is None else seen.status.key
        if not key:
            return
        if self.authority is not None:
            authority = self.authority
            now_ms = round(self._now_s() * 1000)
            known, document = self.store.seal(table, key, lambda: json.encode(authority.seal(table, key, now_ms)))
        else:
            found = self.store.sealed().get(table)
            if found is None:
                return  # a desk with the tournament's folder signs it
            document, known = found, json.decode(found, type=SealedKey).key
        with self.guard:
            if seen is not None:
                seen.has_other_key = known != key
        if known == key:
            self._sealed[table] = json.decode(document, type=SealedKey)

    def accept_key(self, table: str, key: str) -> None:
        """Accept, on a judge's word, that a table lost its folder and signs with this key from now on.

        Signatures of the previous key stay valid, because each evidence file holds that key's certificate from the
        authority.

        Raises:
            CannotDo: this desk does not hold the authority's key.
            IllegalStep: the table does not sign with that key, or it is already accepted.
            StoreError: the desk cannot store it.
        """
        if self.authority is None:
            raise CannotDo(said("Only the desk with the tournament's folder signs keys. Accept it there."))
        with self.guard:
            seen = self.hall.tables.get(table)
            signs_with = "" if seen is None or seen.status is None else seen.status.key
        if seen is None or not key or key != signs_with or not seen.has_other_key:
            raise IllegalStep(said("The table signs with another key now, or this one is accepted. Look again."))
        sealed = self.authority.seal(table, key, round(self._now_s() * 1000))
        self.store.reseal(table, key, json.encode(sealed))
        with self.guard:
            seen.has_other_key = False
        self._sealed[table] = sealed
        self.seats_changed()

    def _in_rounds(self, events: Iterable[KeptEvent]) -> Iterator[KeptEvent]:
        """Yield the events, adding its round to each new call."""
        rounds: list[Round] | None = None
        for kept in events:
            if kept.event.type != "opened":
                yield kept
                continue
            rounds = self.store.rounds() if rounds is None else rounds
            yield kept._replace(round=round_for_table(rounds, kept.event.table, kept.t_ms, self.names()))

    def names(self) -> TableNames:
        """Return the hall's tables, by their names in lists of pairings."""
        with self.guard:
            return TableNames(self.hall.tables)

    def _say_kept(self, table: str, ids: Sequence[str]) -> None:
        kept = hall_bytes(Kept(ids=tuple(ids), protocol=self._status.protocol))
        self._publish(BrokerMessage(self._topics.of(table, "kept"), kept, is_answer=True))

    def _speak_again(self, come: set[str]) -> None:
        """Resend waiting commands to tables that just came online, and periodically to all of them."""
        is_due = self._now_s() - self._spoken_s > AGAIN_S
        if not (come or is_due):
            return
        self._spoken_s = self._now_s() if is_due else self._spoken_s
        for table, command in self.store.open_commands():
            if is_due or table in come:
                self._send(table, command)

    def _send(self, table: str, command: DeskCommand) -> None:
        """Send a command in this desk's protocol, whichever program stored it."""
        spoken = hall_bytes(replace(command, protocol=self._status.protocol))
        self._publish(BrokerMessage(self._topics.of(table, "cmd", command.id), spoken))

    def _publish(self, message: BrokerMessage) -> None:
        if self._link is not None:
            self._link.publish(message)

    def _status_message(self, state: Presence) -> BrokerMessage:
        status = replace(self._status, state=state)
        return BrokerMessage(self._topics.of_desk(self._join.name), hall_bytes(status), retained=True)
