"""The event stream: numbered events, stored for a while so that a page can catch up.

All listeners share one ring, each with its own position. So a listener that stops reading costs nothing, and one that
falls behind the ring fetches everything again.
"""

from __future__ import annotations

import json
import threading
from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from assistant.errors import CannotDo
from assistant.run_clock import now_s
from assistant.translations.messages import said

KEPT_EVENTS = 256
"""Number of stored events. With one picture and a few strip frames a second they cover a minute."""

HEARTBEAT_S = 5.0
"""Time between heartbeats. A page notices a lost connection within ten seconds."""


STREAMS_A_DEVICE = 2
"""Streams per device. After a network failure the dead one still counts for a while."""

MOST_OF_ONE = 4
"""Most streams of one device. A laptop may show the table, the wall and the set-up side by side."""

LEAVING = 8
"""Most ending streams that still hold a thread."""


class TooManyStreams(CannotDo):
    """No place for another stream is free."""

    sentence = said("Too many screens are open at this table. Close one and try again.")


@dataclass(frozen=True, slots=True)
class StreamEvent:
    """One event: its number, its kind and the data for the page."""

    seq: int
    kind: str
    body: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Listener:
    """A requester of a stream: its device (empty for a program), its address, and whether it has joined."""

    device: str = ""
    address: str = ""
    has_joined: bool = False


ANYBODY = Listener()


@dataclass(eq=False, slots=True)
class StreamPlace:
    """One counted place. It ends when a listener of higher rank takes it."""

    listener: Listener
    is_ended: bool = False


class EventHub:
    """Numbers events and hands them to every open stream.

    Args:
        boot: the name of this run of the server. A page from another run starts anew.
        max_streams: most open streams, so that pages always find a free thread.
        beat_s: silence of a stream before it sends a heartbeat.
    """

    def __init__(self, *, boot: str, max_streams: int, beat_s: float = HEARTBEAT_S) -> None:
        self.boot = boot
        self.max_streams = max_streams
        self.beat_s = beat_s
        self._ring: deque[StreamEvent] = deque(maxlen=KEPT_EVENTS)
        self._changed = threading.Condition()
        self._seq = 0
        self._places: list[StreamPlace] = []
        self._closed = False

    @property
    def seq(self) -> int:
        """The number of the latest event."""
        return self._seq

    @property
    def open_streams(self) -> int:
        """The number of open streams."""
        return len(self._places)

    def publish(self, kind: str, body: Mapping[str, Any]) -> int:
        """Send an event to every stream. Return its number."""
        with self._changed:
            self._seq += 1
            self._ring.append(StreamEvent(self._seq, kind, body))
            self._changed.notify_all()
            return self._seq

    def close(self) -> None:
        """End every stream."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    @contextmanager
    def place(self, listener: Listener = ANYBODY) -> Iterator[StreamPlace]:
        """Hold one counted place for a stream.

        A device beyond its limit loses its oldest stream. If all places are taken, a joined device displaces a guest,
        and a guest displaces one of an address with at least two more.

        Raises:
            TooManyStreams: no place is free, and none can be displaced.
        """
        place = StreamPlace(listener)
        with self._changed:
            self._make_room(listener)
            self._places.append(place)
        try:
            yield place
        finally:
            with self._changed:
                self._places.remove(place)

    def _make_room(self, listener: Listener) -> None:
        """End the place to displace if no place is free.

        Raises:
            TooManyStreams: there is none.
        """
        open_places = [place for place in self._places if not place.is_ended]
        own = [place for place in open_places if listener.device and place.listener.device == listener.device]
        if len(own) >= MOST_OF_ONE:
            self._end(own[0])
        elif len(open_places) >= self.max_streams:
            self._end(_to_give_up(open_places, listener))

    def _end(self, place: StreamPlace | None) -> None:
        """End a place. Its stream holds a thread until it notices, so only a few may be ending at once."""
        if place is None or sum(one.is_ended for one in self._places) >= LEAVING:
            raise TooManyStreams
        place.is_ended = True
        self._changed.notify_all()

    def events_after(self, seq: int, timeout_s: float, place: StreamPlace | None = None) -> list[StreamEvent] | None:
        """Return the events after a number, at once if there are any, else [] after the timeout.

        Return None once the hub is closed, or the listener's place has ended.

        A number older than the stored events (or from the future) gives one ``resync`` event.
        """
        with self._changed:

            def is_over() -> bool:
                return self._closed or (place is not None and place.is_ended)

            self._changed.wait_for(lambda: is_over() or self._seq != seq, timeout_s)
            if is_over():
                return None
            if seq > self._seq or (self._ring and seq < self._ring[0].seq - 1):
                return [StreamEvent(self._seq, "resync", {})]
            return [event for event in self._ring if event.seq > seq]


def _to_give_up(places: Sequence[StreamPlace], listener: Listener) -> StreamPlace | None:
    """Return the oldest place of the address with the most guest places, if the listener ranks higher."""
    guests = [place for place in places if not place.listener.has_joined]
    held = Counter(place.listener.address for place in guests)
    if not held:
        return None
    address, count = held.most_common(1)[0]
    if not listener.has_joined and count < held[listener.address] + 2:
        return None
    return next(place for place in guests if place.listener.address == address)


def find_last_seq(hub: EventHub, last_event_id: str | None) -> int | None:
    """Return a returning page's last number, or None for a new page or another run."""
    boot, _, seq = (last_event_id or "").rpartition(".")
    return int(seq) if boot == hub.boot and seq.isdecimal() and len(seq) < 16 else None


def stream(
    hub: EventHub,
    hello: Mapping[str, Any],
    last_event_id: str | None,
    may_see: Callable[[StreamEvent], bool],
    is_still_here: Callable[[], bool] = lambda: True,
    place: StreamPlace | None = None,
) -> Iterator[bytes]:
    """Yield the lines of one stream: a hello, the missed events, then new ones, with heartbeats between.

    It ends when the hub closes or its place is displaced. It also ends before the next line once the device has ended
    or changed its role.
    """
    seen = find_last_seq(hub, last_event_id)
    seq = hub.seq if seen is None else seen
    yield b"retry: 1000\n\n"
    yield encode(StreamEvent(seq, "hello", {**hello, "resumed": seen is not None}), hub.boot)
    while (events := hub.events_after(seq, hub.beat_s, place)) is not None and is_still_here():
        if not events:
            yield encode(StreamEvent(seq, "beat", {"now_s": round(now_s(), 3)}), hub.boot)
        for event in events:
            seq = event.seq
            if may_see(event):
                yield encode(event, hub.boot)


def encode(event: StreamEvent, boot: str) -> bytes:
    """Encode one event as lines of a ``text/event-stream``."""
    body = json.dumps(event.body, ensure_ascii=False, separators=(",", ":"))
    return f"id: {boot}.{event.seq}\nevent: {event.kind}\ndata: {body}\n\n".encode()
