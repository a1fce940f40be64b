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
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser
from waitress.server import TcpWSGIServer
from waitress.utilities import Error, RequestEntityTooLarge

from assistant.translations.messages import message
from assistant.translations.speech import choose_language, speech
from web.serving.routes import MAX_JSON_BYTES, MAX_UPLOAD_BYTES, TRY_AGAIN_S
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
"""Limit of all bodies under way from guests and players; one address has half of it."""

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
        """The status, the header fields and the body."""
        kind = self.reason.title().replace(" ", "")
        body = json.dumps({"error": {"status": self.code, "kind": kind, "message": self.body}}).encode()
        fields = [("Content-Type", "application/json")]
        if self.code == HTTPStatus.SERVICE_UNAVAILABLE:
            fields.append(("Retry-After", str(TRY_AGAIN_S)))
        return f"{self.code} {self.reason}", fields, body


@dataclass(frozen=True, slots=True)
class Allowance:
    """The largest body of a sender, and whether it counts against the limit of all."""

    most_bytes: int = MAX_JSON_BYTES
    is_counted: bool = True


Allow = Callable[[Facts], Allowance]
"""Decides the allowance of a request by its head."""


def allow_photos(_: Facts) -> Allowance:
    """The allowance of an unknown sender."""
    return Allowance(MAX_UPLOAD_BYTES)


class BodyBudget:
    """The bodies under way, counted together.

    Args:
        most_bytes: their limit; one address has half of it.
    """

    def __init__(self, most_bytes: int = BODIES_BYTES) -> None:
        self._most_bytes = most_bytes
        self._taken: dict[int, tuple[str, int]] = {}
        self._lock = threading.Lock()

    def take(self, holder: object, address: str, count: int) -> bool:
        """Reserves bytes until the holder is done; False if they exceed the limit."""
        with self._lock:
            everybody = sum(taken for _, taken in self._taken.values())
            own = sum(taken for whose, taken in self._taken.values() if whose == address)
            if everybody + count > self._most_bytes or own + count > self._most_bytes // 2:
                return False
            self._taken[id(holder)] = (address, count)
            return True

    def done(self, holder: object) -> None:
        """Gives back the holder's reservation, if it has one."""
        with self._lock:
            self._taken.pop(id(holder), None)


class PageRequest(HTTPRequestParser):
    """A request as it arrives; a body beyond its allowance is refused by the head.

    Args:
        adj: the server's settings.
        address: where it comes from.
        allow: decides its allowance.
        budget: counts all bodies.
    """

    def __init__(self, adj: Adjustments, address: str, allow: Allow, budget: BodyBudget) -> None:
        super().__init__(adj)
        self._address, self._allow, self._budget = address, allow, budget
        self._begun_s = time.monotonic()
        self._is_judged = False

    def received(self, data: bytes) -> int:
        """Takes more data; returns how many of its bytes belong to this request."""
        consumed = super().received(data)
        if self.headers_finished and not self._is_judged:
            self._is_judged = True
            self._judge_body()
        elif isinstance(self.error, RequestEntityTooLarge):  # a chunked body of unknown length
            self.error = self._too_large()
        return consumed

    def _judge_body(self) -> None:
        if self.error is not None or not (self.chunked or self.content_length):
            return
        allowed = self._allow(self.headers)
        self.adj = copy.copy(self.adj)
        self.adj.max_request_body_size = allowed.most_bytes + 1  # the first size that is refused
        expected = allowed.most_bytes if self.chunked else self.content_length
        if expected > allowed.most_bytes:
            self.error, self.completed = self._too_large(), True
        elif expected > MAX_JSON_BYTES and allowed.is_counted and not self._budget.take(self, self._address, expected):
            text = message("Too much is being sent to the table at once. Try again in a few seconds.")
            self.error, self.completed = Refused(self.headers, 503, "Service Unavailable", text), True

    def _too_large(self) -> Refused:
        text = message("This file is too large for this device. Choose a smaller one.")
        return Refused(self.headers, 413, "Too Large", text)

    def is_late(self, now_s: float) -> bool:
        """Whether it arrives slower than any honest sender."""
        if not self.headers_finished:
            return now_s - self._begun_s > HEAD_S
        return now_s - self._begun_s > HEAD_S + BODY_S + self.body_bytes_received / BODY_BYTES_A_S

    def close(self) -> None:
        """Lets go of the body."""
        self._budget.done(self)
        super().close()


class PageChannel(HTTPChannel):
    """One connection."""

    server: PageListener
    request: PageRequest | None

    def __init__(self, server: PageListener, *rest: Any, **named: Any) -> None:
        super().__init__(server, *rest, **named)
        self.begun_s = self._unstuck_s = time.monotonic()
        self._active_at = self.last_activity

    def parser_class(self, adj: Adjustments) -> PageRequest:  # type: ignore[override]  # waitress only calls it
        """A request that begins to arrive."""
        return self.server.new_request(adj, self.addr[0])

    def is_overdue(self, now_s: float) -> bool:
        """Whether it wastes a place: a request without end, an unread answer, silence."""
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
        """Whether nobody waits for an answer on it."""
        return not self.requests and not self.total_outbufs_len

    def cut_off(self) -> None:
        """Ends the connection; the loop of sockets then forgets it."""
        self.will_close = True
        if self.socket is not None:
            with contextlib.suppress(OSError):  # the other side was quicker
                self.socket.shutdown(socket.SHUT_RDWR)  # one that nobody reads from is never writable, so never closed

    def handle_close(self) -> None:
        """Closes it with its unfinished request."""
        unfinished, self.request = self.request, None
        if unfinished is not None:
            unfinished.close()
        super().handle_close()


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
        self._allow, self._address_of, self._budget, self._sockets = allow, address_of, BodyBudget(), sockets
        super().__init__(application, map=sockets, **settings)

    def new_request(self, adj: Adjustments, address: str) -> PageRequest:
        """A request that begins to arrive from an address."""
        return PageRequest(adj, address, self._allow, self._budget)

    def fix_addr(self, addr: tuple[str, int]) -> tuple[str, int]:
        """The address that a connection really comes from."""
        return (self._address_of(addr[1]) or addr[0], addr[1])

    def readable(self) -> bool:
        """Whether it accepts newcomers; makes room for them first."""
        if len(self._sockets) >= self.adj.connection_limit - SPARE_CONNECTIONS:
            self._make_room()
        return bool(super().readable())

    def maintenance(self, now: int) -> None:
        """Closes connections that waste a place."""
        super().maintenance(now)
        now_s = time.monotonic()
        for channel in self._open_channels():
            if channel.is_overdue(now_s):
                channel.cut_off()

    def _open_channels(self) -> list[PageChannel]:
        channels = [one for one in self._sockets.values() if isinstance(one, PageChannel)]
        return [channel for channel in channels if not channel.will_close]

    def _make_room(self) -> None:
        """Closes the oldest idle connection of the address with the most."""
        by_address: dict[str, list[PageChannel]] = defaultdict(list)
        for channel in self._open_channels():
            if channel.is_idle():
                by_address[channel.addr[0]].append(channel)
        if by_address:
            crowd = max(by_address.values(), key=len)
            min(crowd, key=lambda channel: channel.begun_s).cut_off()
