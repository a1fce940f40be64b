"""Limits before the application: connections, their durations, and body sizes.

The server reads a whole request before the application sees any of it, and writes a large body to disk. So this module
limits a stranger's cost: by the head of the request, by the pace of its body, and by one address's share of connections
when none is free.
"""

from __future__ import annotations

import contextlib
import copy
import json
import socket
import threading
import time
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, NamedTuple

from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser
from waitress.server import TcpWSGIServer
from waitress.utilities import Error, RequestEntityTooLarge

from assistant.translations.messages import message
from assistant.translations.speech import choose_language, speech
from web.serving.routes import API_ROOT, MAX_JSON_BYTES, MAX_UPLOAD_BYTES, TRY_AGAIN_S
from web.serving.security import accepted_languages

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication
    from waitress.adjustments import Adjustments

HEAD_S = 10.0
"""Longest time for a request's head, and for a connection without any."""

BODY_S, BODY_BYTES_A_S = 20.0, 16 << 10
"""Longest time for a body: 20 s, plus its time at the slowest pace of a hall's network."""

STUCK_S = 20.0
"""Longest time without a reader before its thread goes to another stream."""

BODIES_BYTES = 64 << 20
"""Limit of all guests' bodies in progress. One address has half of it."""

JOINED_BYTES = 512 << 20
"""The same for joined devices, so that no guest blocks them."""

OWN_BODIES_BYTES = 32 << 20
"""Limit of one joined device's bodies in progress: its largest photo, and a little more."""

THREADS_OF_ONE = 6
"""Concurrent requests of one sender, equal to a browser's connections. Further ones wait in line."""

THREADS_OF_GUESTS = 16
"""The same for all guests together. The other threads for pages serve joined devices."""

STREAM = f"{API_ROOT}/events"
"""The address of the stream. `web.serving.events` counts its places."""

SPARE_CONNECTIONS = 8
"""Connections kept free for newcomers."""

Facts = Mapping[str, str]
"""A request's header fields, by names in capitals with underscores for hyphens."""


class Refused(Error):
    """A refused body, in the one shape of errors.

    Args:
        facts: the head of the request.
        code: the HTTP status.
        reason: the status name.
        text: the English sentence.
    """

    def __init__(self, facts: Facts, code: int, reason: str, text: str) -> None:
        language = choose_language(accepted_languages(facts.get("ACCEPT_LANGUAGE")), None)
        super().__init__(speech(language).text(text))
        self.code, self.reason = code, reason

    def to_response(  # type: ignore[override]  # the stubs take the body for text
        self, ident: str | None = None
    ) -> tuple[str, Sequence[tuple[str, str]], bytes]:
        """Return the status, the header fields and the body."""
        kind = self.reason.title().replace(" ", "")
        body = json.dumps({"error": {"status": self.code, "kind": kind, "message": self.body}}).encode()
        fields = [("Content-Type", "application/json")]
        if self.code == HTTPStatus.SERVICE_UNAVAILABLE:
            fields.append(("Retry-After", str(TRY_AGAIN_S)))
        return f"{self.code} {self.reason}", fields, body


class Sender(NamedTuple):
    """A joined device, or an address with all its guests."""

    name: str
    is_guest: bool


@dataclass(frozen=True, slots=True)
class Allowance:
    """A sender's largest body, and whether it counts against the common limit.

    Args:
        most_bytes: its limit.
        is_counted: whether it counts.
        device: the sender, once it has joined. Empty for a guest, who shares with all guests of its address.
    """

    most_bytes: int = MAX_JSON_BYTES
    is_counted: bool = True
    device: str = ""


Allow = Callable[[Facts], Allowance]
"""Decides a request's allowance by its head."""


def allow_photos(_: Facts) -> Allowance:
    """Return an unknown sender's allowance."""
    return Allowance(MAX_UPLOAD_BYTES)


class BodyBudget:
    """The bodies in progress, counted together on arrival.

    Args:
        most_bytes: their limit.
        most_of_one: the limit of one sender.
    """

    def __init__(self, most_bytes: int = BODIES_BYTES, most_of_one: int = BODIES_BYTES // 2) -> None:
        self._most_bytes, self._most_of_one = most_bytes, most_of_one
        self._taken: dict[int, tuple[Sender, int]] = {}
        self._lock = threading.Lock()

    def hold(self, holder: object, sender: Sender, count: int) -> bool:
        """Reserve bytes for a holder until it is done. Return False if they exceed a limit."""
        with self._lock:
            others = [held for key, held in self._taken.items() if key != id(holder)]
            of_sender = sum(taken for whose, taken in others if whose == sender)
            if count + sum(taken for _, taken in others) > self._most_bytes or count + of_sender > self._most_of_one:
                return False
            self._taken[id(holder)] = (sender, count)
            return True

    def done(self, holder: object) -> None:
        """Release the holder's bytes, if any."""
        with self._lock:
            self._taken.pop(id(holder), None)


@dataclass
class Budgets:
    """The bodies of guests, and those of joined devices."""

    guests: BodyBudget = field(default_factory=BodyBudget)
    joined: BodyBudget = field(default_factory=lambda: BodyBudget(JOINED_BYTES, OWN_BODIES_BYTES))


class PageRequest(HTTPRequestParser):
    """An arriving request. A body beyond its allowance is refused by the head.

    Args:
        adj: the server's settings.
        address: its origin.
        allow: decides its allowance.
        budgets: count all bodies.
    """

    def __init__(self, adj: Adjustments, address: str, allow: Allow, budgets: Budgets) -> None:
        super().__init__(adj)
        self._address, self._allow, self._budgets = address, allow, budgets
        self._begun_s = time.monotonic()
        self._allowed: Allowance | None = None

    @property
    def sender(self) -> Sender:
        """The device or address it counts for."""
        device = "" if self._allowed is None else self._allowed.device
        return Sender(device or self._address, is_guest=not device)

    def received(self, data: bytes) -> int:
        """Receive more data. Return how many of its bytes belong to this request."""
        consumed = super().received(data)
        if self.headers_finished and self._allowed is None:
            self._judge_head()
        if isinstance(self.error, RequestEntityTooLarge):  # a chunked body of unknown length
            self.error = self._too_large()
        elif self.error is None and self.body_bytes_received > MAX_JSON_BYTES:
            self._count_body()
        return consumed

    def _judge_head(self) -> None:
        self._allowed = allowed = self._allow(self.headers)
        if self.error is not None:
            return
        if self.chunked and "CONTENT_LENGTH" in self.headers:  # two lengths (RFC 9112, 6.3)
            text = message("This request gives two lengths. Reload the page and try again.")
            self.error, self.completed = Refused(self.headers, 400, "Bad Request", text), True
            return
        if not (self.chunked or self.content_length):
            if self.expect_continue:
                self.expect_continue, self.completed = False, True  # nothing to wait for
            return
        self.adj = copy.copy(self.adj)
        self.adj.max_request_body_size = allowed.most_bytes + 1  # the first refused size
        if self.content_length > allowed.most_bytes:
            self.error, self.completed = self._too_large(), True

    def _count_body(self) -> None:
        """Count received bytes only, so that an announced but missing body takes nobody's place."""
        allowed = self._allowed
        if allowed is None or not allowed.is_counted or self._budget.hold(self, self.sender, self.body_bytes_received):
            return
        text = message("Too much is being sent to the table at once. Try again in a few seconds.")
        self.error, self.completed = Refused(self.headers, 503, "Service Unavailable", text), True

    @property
    def _budget(self) -> BodyBudget:
        return self._budgets.guests if self.sender.is_guest else self._budgets.joined

    def _too_large(self) -> Refused:
        text = message("This file is too large for this device. Choose a smaller one.")
        return Refused(self.headers, 413, "Too Large", text)

    def is_late(self, now_s: float) -> bool:
        """Return whether it arrives more slowly than any honest sender."""
        if not self.headers_finished:
            return now_s - self._begun_s > HEAD_S
        return now_s - self._begun_s > HEAD_S + BODY_S + self.body_bytes_received / BODY_BYTES_A_S

    def close(self) -> None:
        """Release the body."""
        self._budgets.guests.done(self)
        self._budgets.joined.done(self)
        super().close()


class FairThreads:
    """Gives each sender a few of the server's threads, and all guests together some. The rest waits in line.

    Args:
        start: hands a connection with a request to the threads.
        most_of_one: how many threads a sender may have.
        most_of_guests: how many threads guests may have together.
    """

    def __init__(
        self,
        start: Callable[[PageChannel], None],
        most_of_one: int = THREADS_OF_ONE,
        most_of_guests: int = THREADS_OF_GUESTS,
    ) -> None:
        self._start, self._most_of_one, self._most_of_guests = start, most_of_one, most_of_guests
        self._running: Counter[Sender] = Counter()
        self._waiting: dict[Sender, deque[PageChannel]] = {}
        self._lock = threading.Lock()

    def ask(self, channel: PageChannel, sender: Sender) -> None:
        """Start a request, or queue it behind its sender's others."""
        with self._lock:
            if sender in self._waiting or not self._has_room(sender):
                self._waiting.setdefault(sender, deque()).append(channel)
                return
            self._running[sender] += 1
        self._start(channel)

    def done(self, sender: Sender) -> None:
        """Start waiting requests after one of this sender has ended, sender by sender."""
        with self._lock:
            self._running[sender] -= 1
            self._running = +self._running  # without zero counts
            starting = []
            for one in [*self._waiting]:
                if self._has_room(one):
                    line = self._waiting.pop(one)
                    starting.append(line.popleft())
                    self._running[one] += 1
                    if line:
                        self._waiting[one] = line  # behind the other senders
        for channel in starting:
            self._start(channel)

    def _has_room(self, sender: Sender) -> bool:
        if self._running[sender] >= self._most_of_one:
            return False
        guests = sum(count for one, count in self._running.items() if one.is_guest)
        return not sender.is_guest or guests < self._most_of_guests


class PageChannel(HTTPChannel):
    """One connection."""

    server: PageListener
    request: PageRequest | None

    def __init__(self, server: PageListener, *rest: Any, **named: Any) -> None:
        super().__init__(server, *rest, **named)
        self.begun_s = self._unstuck_s = time.monotonic()
        self._active_at = self.last_activity
        self._counted_for: Sender | None = None

    def service(self) -> None:
        """Answer one request, then pass the thread to its sender's next."""
        sender, self._counted_for = self._counted_for, None
        try:
            super().service()
        finally:
            if sender is not None:
                self.server.threads.done(sender)

    def count_for(self, sender: Sender) -> None:
        """Note the sender that holds a thread until it is served."""
        self._counted_for = sender

    def parser_class(self, adj: Adjustments) -> PageRequest:  # type: ignore[override]  # waitress only calls it
        """Return an arriving request."""
        return self.server.new_request(adj, self.addr[0])

    def is_overdue(self, now_s: float) -> bool:
        """Return whether it wastes a place: an endless request, an unread answer, or silence."""
        if not self.total_outbufs_len or self.last_activity != self._active_at:
            self._active_at, self._unstuck_s = self.last_activity, now_s
        if now_s - self._unstuck_s > STUCK_S:
            return True
        if self.requests:
            return False
        if self.request is not None:
            return self.request.is_late(now_s)
        return bool(self.creation_time == self.last_activity) and now_s - self.begun_s > HEAD_S

    def is_idle(self) -> bool:
        """Return whether nobody waits for its answer."""
        return not self.requests and not self.total_outbufs_len

    def cut_off(self) -> None:
        """End the connection. The socket loop then forgets it."""
        self.will_close = True
        if self.socket is not None:
            with contextlib.suppress(OSError):  # the other side was faster
                self.socket.shutdown(socket.SHUT_RDWR)  # an unread connection is never writable, so never closed

    def handle_close(self) -> None:
        """Close it with its unfinished request."""
        self.let_go()
        super().handle_close()

    def let_go(self) -> None:
        """Release an unfinished request, whose body may be in a file."""
        unfinished, self.request = self.request, None
        if unfinished is not None:
            unfinished.close()


class PageListener(TcpWSGIServer):
    """The server's socket, which keeps room for newcomers.

    Args:
        application: the WSGI application.
        allow: decides a request's allowance.
        address_of: the outside address of a forwarded connection, by its port on this machine.
        sockets: the map of watched sockets, which the server fills.
        settings: waitress settings.
    """

    channel_class = PageChannel

    def __init__(
        self,
        application: WSGIApplication,
        *,
        allow: Allow,
        address_of: Callable[[int], str | None],
        sockets: dict[int, Any],
        **settings: Any,
    ) -> None:
        self._allow, self._address_of, self._budgets, self._sockets = allow, address_of, Budgets(), sockets
        self.threads = FairThreads(super().add_task)  # type: ignore[arg-type]  # the stubs know tasks, not channels
        super().__init__(application, map=sockets, **settings)

    def add_task(self, task: Any) -> None:
        """Accept a channel's first request. It starts at once or waits behind its sender's others."""
        request = task.requests[0]
        if getattr(request, "path", "") == STREAM:  # an unreadable head has none
            super().add_task(task)
            return
        task.count_for(request.sender)
        self.threads.ask(task, request.sender)

    def new_request(self, adj: Adjustments, address: str) -> PageRequest:
        """Return an arriving request from an address."""
        return PageRequest(adj, address, self._allow, self._budgets)

    def fix_addr(self, addr: tuple[str, int]) -> tuple[str, int]:
        """Return the true origin of a connection."""
        return (self._address_of(addr[1]) or addr[0], addr[1])

    def readable(self) -> bool:
        """Return whether it accepts newcomers. Make room for them first."""
        if len(self._sockets) >= self.adj.connection_limit - SPARE_CONNECTIONS:
            self._make_room()
        return bool(super().readable())

    def maintenance(self, now: int) -> None:
        """Close connections that waste a place."""
        super().maintenance(now)
        now_s = time.monotonic()
        for channel in self._open_channels():
            if channel.is_overdue(now_s):
                channel.cut_off()

    def _open_channels(self) -> list[PageChannel]:
        channels = [one for one in self._sockets.values() if isinstance(one, PageChannel)]
        return [channel for channel in channels if not channel.will_close]

    def _make_room(self) -> None:
        """Close the oldest idle connection of the address with the most connections."""
        by_address: dict[str, list[PageChannel]] = defaultdict(list)
        for channel in self._open_channels():
            if channel.is_idle():
                by_address[channel.addr[0]].append(channel)
        if by_address:
            crowd = max(by_address.values(), key=len)
            min(crowd, key=lambda channel: channel.begun_s).cut_off()
