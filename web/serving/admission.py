"""Limits before the application: who holds a connection, for how long, and how large a body may be.

The server reads a whole request before the application sees any of it, and writes a large body to disk. So the cost of
a stranger is bounded here: by the head of the request, by the pace of its body, and by the
share of connections of one address when newcomers find none free.
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
"""Longest time for the head of a request, and for a connection without any."""

BODY_S, BODY_BYTES_A_S = 20.0, 16 << 10
"""Longest time for a body: 20 s, plus its time at the slowest pace of a hall's network."""

STUCK_S = 20.0
"""Longest time without a reader: then its thread goes to another stream."""

BODIES_BYTES = 64 << 20
"""Limit of all bodies under way from guests; one address has half of it."""

JOINED_BYTES = 512 << 20
"""The same for devices that have joined, so that no guest shuts them out."""

OWN_BODIES_BYTES = 32 << 20
"""What one joined device may have under way: its largest photo, and a little more."""

THREADS_OF_ONE = 6
"""Requests of one sender that are answered at once: as many as a browser has connections. Further ones wait in line."""

THREADS_OF_GUESTS = 16
"""The same for all guests together: the other threads for pages answer devices that have joined."""

STREAM = f"{API_ROOT}/events"
"""The address of the stream, whose places are counted by `web.serving.events`."""

SPARE_CONNECTIONS = 8
"""Connections that stay free for newcomers."""

Facts = Mapping[str, str]
"""The header fields of a request, by their names in capitals with lines for hyphens."""


class Refused(Error):
    """A refused body, in the one shape of errors.

    Args:
        facts: the head of the request.
        code: the HTTP status.
        reason: its name.
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
    """A device that has joined, or an address with all its guests."""

    name: str
    is_guest: bool


@dataclass(frozen=True, slots=True)
class Allowance:
    """The largest body of a sender, and whether it counts against the limit of all.

    Args:
        most_bytes: its limit.
        is_counted: whether it counts.
        device: the sender, once it has joined; empty for a guest, who shares with all guests of its address.
    """

    most_bytes: int = MAX_JSON_BYTES
    is_counted: bool = True
    device: str = ""


Allow = Callable[[Facts], Allowance]
"""Decides the allowance of a request by its head."""


def allow_photos(_: Facts) -> Allowance:
    """Return the allowance of an unknown sender."""
    return Allowance(MAX_UPLOAD_BYTES)


class BodyBudget:
    """The bodies under way, counted together as they come.

    Args:
        most_bytes: their limit.
        most_of_one: the limit of one sender.
    """

    def __init__(self, most_bytes: int = BODIES_BYTES, most_of_one: int = BODIES_BYTES // 2) -> None:
        self._most_bytes, self._most_of_one = most_bytes, most_of_one
        self._taken: dict[int, tuple[Sender, int]] = {}
        self._lock = threading.Lock()

    def hold(self, holder: object, sender: Sender, count: int) -> bool:
        """Let a holder have so many bytes in all, until it is done; False if they exceed a limit."""
        with self._lock:
            others = [held for key, held in self._taken.items() if key != id(holder)]
            of_sender = sum(taken for whose, taken in others if whose == sender)
            if count + sum(taken for _, taken in others) > self._most_bytes or count + of_sender > self._most_of_one:
                return False
            self._taken[id(holder)] = (sender, count)
            return True

    def done(self, holder: object) -> None:
        """Give back what the holder has, if it has any."""
        with self._lock:
            self._taken.pop(id(holder), None)


@dataclass
class Budgets:
    """The bodies of guests, and those of devices that have joined."""

    guests: BodyBudget = field(default_factory=BodyBudget)
    joined: BodyBudget = field(default_factory=lambda: BodyBudget(JOINED_BYTES, OWN_BODIES_BYTES))


class PageRequest(HTTPRequestParser):
    """A request as it arrives; a body beyond its allowance is refused by the head.

    Args:
        adj: the server's settings.
        address: where it comes from.
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
        """The device or the address that it counts for."""
        device = "" if self._allowed is None else self._allowed.device
        return Sender(device or self._address, is_guest=not device)

    def received(self, data: bytes) -> int:
        """Take more data; returns how many of its bytes belong to this request."""
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
        if self.chunked and "CONTENT_LENGTH" in self.headers:  # two lengths: RFC 9112, 6.3
            text = message("This request gives two lengths. Reload the page and try again.")
            self.error, self.completed = Refused(self.headers, 400, "Bad Request", text), True
            return
        if not (self.chunked or self.content_length):
            if self.expect_continue:
                self.expect_continue, self.completed = False, True  # there is nothing to wait for
            return
        self.adj = copy.copy(self.adj)
        self.adj.max_request_body_size = allowed.most_bytes + 1  # the first size that is refused
        if self.content_length > allowed.most_bytes:
            self.error, self.completed = self._too_large(), True

    def _count_body(self) -> None:
        """Count what has come: a body that was announced and does not come takes nobody's place."""
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
        """Return whether it arrives slower than any honest sender."""
        if not self.headers_finished:
            return now_s - self._begun_s > HEAD_S
        return now_s - self._begun_s > HEAD_S + BODY_S + self.body_bytes_received / BODY_BYTES_A_S

    def close(self) -> None:
        """Let go of the body."""
        self._budgets.guests.done(self)
        self._budgets.joined.done(self)
        super().close()


class FairThreads:
    """Gives each sender a few of the server's threads, and all guests together some; the rest waits in line.

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
        """Start a request, or puts it in line behind the others of its sender."""
        with self._lock:
            if sender in self._waiting or not self._has_room(sender):
                self._waiting.setdefault(sender, deque()).append(channel)
                return
            self._running[sender] += 1
        self._start(channel)

    def done(self, sender: Sender) -> None:
        """Start whatever may begin now that a request of this sender has ended, sender by sender."""
        with self._lock:
            self._running[sender] -= 1
            self._running = +self._running  # without those that have none
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
        """Answer one request, and lets the next of its sender have the thread."""
        sender, self._counted_for = self._counted_for, None
        try:
            super().service()
        finally:
            if sender is not None:
                self.server.threads.done(sender)

    def count_for(self, sender: Sender) -> None:
        """Note whose thread it holds until it is served."""
        self._counted_for = sender

    def parser_class(self, adj: Adjustments) -> PageRequest:  # type: ignore[override]  # waitress only calls it
        """Return a request that begins to arrive."""
        return self.server.new_request(adj, self.addr[0])

    def is_overdue(self, now_s: float) -> bool:
        """Return whether it wastes a place: a request without end, an unread answer, silence."""
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
        """Return whether nobody waits for an answer on it."""
        return not self.requests and not self.total_outbufs_len

    def cut_off(self) -> None:
        """End the connection; the loop of sockets then forgets it."""
        self.will_close = True
        if self.socket is not None:
            with contextlib.suppress(OSError):  # the other side was quicker
                self.socket.shutdown(socket.SHUT_RDWR)  # one that nobody reads from is never writable, so never closed

    def handle_close(self) -> None:
        """Close it with its unfinished request."""
        self.let_go()
        super().handle_close()

    def let_go(self) -> None:
        """Let go of an unfinished request, whose body may lie in a file."""
        unfinished, self.request = self.request, None
        if unfinished is not None:
            unfinished.close()


class PageListener(TcpWSGIServer):
    """The server's socket, which keeps room for newcomers.

    Args:
        application: what answers.
        allow: decides the allowance of a request.
        address_of: the address behind a port of this machine, for a connection that was passed on.
        sockets: everything that the server waits for; the server fills it.
        settings: of waitress.
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
        """Take the first request of a channel, which begins at once or waits behind others of its sender."""
        request = task.requests[0]
        if getattr(request, "path", "") == STREAM:  # a head that could not be read has none
            super().add_task(task)
            return
        task.count_for(request.sender)
        self.threads.ask(task, request.sender)

    def new_request(self, adj: Adjustments, address: str) -> PageRequest:
        """Return a request that begins to arrive from an address."""
        return PageRequest(adj, address, self._allow, self._budgets)

    def fix_addr(self, addr: tuple[str, int]) -> tuple[str, int]:
        """Return the address that a connection really comes from."""
        return (self._address_of(addr[1]) or addr[0], addr[1])

    def readable(self) -> bool:
        """Return whether it accepts newcomers; makes room for them first."""
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
        """Close the oldest idle connection of the address with the most."""
        by_address: dict[str, list[PageChannel]] = defaultdict(list)
        for channel in self._open_channels():
            if channel.is_idle():
                by_address[channel.addr[0]].append(channel)
        if by_address:
            crowd = max(by_address.values(), key=len)
            min(crowd, key=lambda channel: channel.begun_s).cut_off()
