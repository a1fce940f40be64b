"""All tables of a hall in one thread, as connections alone: the load of benches for a desk."""

from __future__ import annotations

import heapq
import random
import selectors
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "loaders"))

import hall_builders as halls
from lean_mqtt import LeanClient
from msgspec import Raw

from assistant.app.tournament.topics import Topics
from assistant.documents.hall import HallEvent, Kept, Status, TableNews, hall_bytes, hall_message
from assistant.documents.join import JoinCode
from assistant.documents.table_event import NO_EVENT, TableEvent, table_event_line
from assistant.hosting.mqtt import BrokerPlace, _context

PER_SECOND = 3
STATE_S = 2.5
AGAIN_S = 10.0


@dataclass
class Table:
    """A table of the swarm: its connection, and the events that no desk has stored yet."""

    client: LeanClient
    topic: str
    state_topic: str
    name: str
    seq: int = 0
    waiting: dict[str, tuple[float, bytes]] = field(default_factory=dict)


class Swarm:
    """All tables of a hall in one thread, cheaper than the system under test."""

    def __init__(self, codes: list[JoinCode]) -> None:
        self.selector = selectors.DefaultSelector()
        self.topics = Topics(codes[0].event)
        self.took_ms: list[float] = []
        self.told = self.again = 0
        self.tables = [self._table(code) for code in codes]
        began_s = time.time()
        self._due = [(began_s + random.random(), place, False) for place in range(len(codes))]
        self._due += [(began_s + STATE_S * random.random(), place, True) for place in range(len(codes))]
        heapq.heapify(self._due)
        self._swept_s = began_s
        self._is_over = False

    def _table(self, code: JoinCode) -> Table:
        place = BrokerPlace(code.host, code.port, code.name, code.password, code.authority_pem)
        login = (f"{code.event}-{code.name}", code.name, code.password)
        client = LeanClient((code.host, code.port), _context(place), login, lambda payload: self._kept(table, payload))
        table = Table(client, self.topics.of(code.name, "event"), self.topics.of(code.name, "state"), code.name)
        client.subscribe(self.topics.of(code.name, "kept"))
        status = hall_bytes(Status(state="online", run="bench"))
        client.publish(self.topics.of(code.name, "status"), status, retained=True)
        self.selector.register(client.socket, selectors.EVENT_READ, table)
        return table

    def _kept(self, table: Table, payload: bytes) -> None:
        now_s = time.time()
        for event_id in hall_message(payload, Kept, "kept").ids:
            told = table.waiting.pop(event_id, None)
            if told is not None:
                self.took_ms.append((now_s - told[0]) * 1000)

    def stop(self) -> None:
        """End ``run`` in another thread."""
        self._is_over = True

    def run(self, seconds: float, *, tells: bool = True, events: bool = True) -> None:
        """Send for that long, or only listen until nothing is pending; without events only states."""
        until_s = time.time() + seconds
        while (
            not self._is_over
            and (now_s := time.time()) < until_s
            and (tells or any(table.waiting for table in self.tables))
        ):
            for key, _ in self.selector.select(max(0.0, min(0.05, self._due[0][0] - now_s)) if tells else 0.05):
                key.data.client.read()
            while tells and self._due[0][0] <= (now_s := time.time()):
                due_s, place, is_state = self._due[0]
                heapq.heapreplace(self._due, (due_s + (STATE_S if is_state else 1 / PER_SECOND), place, is_state))
                if is_state or events:
                    (self._say_state if is_state else self._tell)(self.tables[place], now_s)
            if now_s - self._swept_s > 1.0:
                self._swept_s = now_s
                self._tell_again(now_s)

    def close(self) -> None:
        """End every connection."""
        for table in self.tables:
            table.client.close()
        self.selector.close()

    def _tell(self, table: Table, now_s: float) -> None:
        table.seq += 1
        event = TableEvent(
            id=f"{table.name}-{table.seq}",
            seq=table.seq,
            prev_hash=NO_EVENT,
            t=round(now_s * 1000),
            table=table.name,
            actor=halls.PLAYER,
            type="corrected",
            payload={"kind": "figure", "subject": "imp-1", "value": "[3, 4]"},
        )
        payload = hall_bytes(HallEvent(event=Raw(table_event_line(event)), t=event.t))
        table.waiting[event.id] = (now_s, payload)
        table.client.publish(table.topic, payload)
        self.told += 1

    def _say_state(self, table: Table, now_s: float) -> None:
        news = hall_bytes(TableNews(t=round(now_s * 1000), match="evening", round=1))
        table.client.publish(table.state_topic, news, retained=True)

    def _tell_again(self, now_s: float) -> None:
        for table in self.tables:
            for event_id, (told_s, payload) in list(table.waiting.items()):
                if now_s - told_s > AGAIN_S:
                    table.waiting[event_id] = (now_s, payload)
                    table.client.publish(table.topic, payload)
                    self.again += 1
