"""The event stream: numbered events, kept for a while, so that a page that was away catches up.

There is one ring for everybody and a number for each listener, so a listener that stops reading costs nothing and
one that fell behind the ring is told to ask anew.
"""

from __future__ import annotations

import json
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from assistant.errors import CannotDo
from assistant.translations.messages import said

KEPT_EVENTS = 256
"""At one picture and a few strip frames a second this covers a tablet that was away for a minute."""

HEARTBEAT_S = 5.0
"""Often enough for a page to say within ten seconds that it is cut off."""


class TooManyStreams(CannotDo):
    """All the places for open streams are taken."""

    sentence = said("Too many screens are open at this table. Close one and try again.")


@dataclass(frozen=True, slots=True)
class StreamEvent:
    """One thing that happened: its number, its kind and what the page needs to know."""

    seq: int
    kind: str
    body: Mapping[str, Any]


class EventHub:
    """Numbers events and hands them to every open stream.

    Args:
        boot: names this run of the server; a page that knows another one starts anew.
        max_streams: how many streams may be open at once, so that pages always find a free thread.
    """

    def __init__(self, *, boot: str, max_streams: int) -> None:
        self.boot = boot
        self.max_streams = max_streams
        self._ring: deque[StreamEvent] = deque(maxlen=KEPT_EVENTS)
        self._changed = threading.Condition()
        self._seq = 0
        self._open_streams = 0
        self._closed = False

    @property
    def seq(self) -> int:
        """The number of the latest event."""
        return self._seq

    @property
    def open_streams(self) -> int:
        """How many streams are open."""
        return self._open_streams

    def publish(self, kind: str, body: Mapping[str, Any]) -> int:
        """Tells every stream; the event's number."""
        with self._changed:
            self._seq += 1
            self._ring.append(StreamEvent(self._seq, kind, body))
            self._changed.notify_all()
            return self._seq

    def close(self) -> None:
        """Ends every stream."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    @contextmanager
    def place(self) -> Iterator[None]:
        """Holds one of the counted places for streams.

        Raises:
            TooManyStreams: none is free.
        """
        with self._changed:
            if self._open_streams >= self.max_streams:
                raise TooManyStreams
            self._open_streams += 1
        try:
            yield
        finally:
            with self._changed:
                self._open_streams -= 1

    def events_after(self, seq: int, timeout_s: float) -> list[StreamEvent] | None:
        """The events after a number, at once if there are any, else [] after the time-out; None when closed.

        A number before the kept ones (or from the future) gives one ``resync`` event.
        """
        with self._changed:
            self._changed.wait_for(lambda: self._closed or self._seq != seq, timeout_s)
            if self._closed:
                return None
            if seq > self._seq or (self._ring and seq < self._ring[0].seq - 1):
                return [StreamEvent(self._seq, "resync", {})]
            return [event for event in self._ring if event.seq > seq]


def find_last_seq(hub: EventHub, last_event_id: str | None) -> int | None:
    """The number a returning page saw last, or None for a new page and for one of another run."""
    boot, _, seq = (last_event_id or "").rpartition(".")
    return int(seq) if boot == hub.boot and seq.isdecimal() and len(seq) < 16 else None


def stream(
    hub: EventHub,
    hello: Mapping[str, Any],
    last_event_id: str | None,
    may_see: Callable[[StreamEvent], bool],
    beat_s: float = HEARTBEAT_S,
    is_still_here: Callable[[], bool] = lambda: True,
) -> Iterator[bytes]:
    """The lines of one stream: a hello, what was missed, then what happens, with heartbeats between.

    It ends when the hub is closed, and before the next line once the listener is not welcome any more.
    """
    seen = find_last_seq(hub, last_event_id)
    seq = hub.seq if seen is None else seen
    yield b"retry: 1000\n\n"
    yield encode(StreamEvent(seq, "hello", {**hello, "resumed": seen is not None}), hub.boot)
    while (events := hub.events_after(seq, beat_s)) is not None and is_still_here():
        if not events:
            yield encode(StreamEvent(seq, "beat", {"now_s": round(time.time(), 3)}), hub.boot)
        for event in events:
            seq = event.seq
            if may_see(event):
                yield encode(event, hub.boot)


def encode(event: StreamEvent, boot: str) -> bytes:
    """One event as the lines of a ``text/event-stream``."""
    body = json.dumps(event.body, ensure_ascii=False, separators=(",", ":"))
    return f"id: {boot}.{event.seq}\nevent: {event.kind}\ndata: {body}\n\n".encode()
