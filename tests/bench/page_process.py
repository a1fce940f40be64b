"""The page in a separate process, served by one of the candidates, and its clients."""

from __future__ import annotations

import contextlib
import http.client
import json
import multiprocessing
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from multiprocessing.connection import Connection
from pathlib import Path

from tests.bench.page_entrants import ENTRANTS, HOST, Pair, quiet
from tests.loaders.loading import beside
from web.app import create_app
from web.serving.events import STREAMS_A_DEVICE, EventHub

TABLETS, STALLED = 20, 20
DEVICES = TABLETS + STALLED
FREED_S = 6.0
"""Limit for anything expected soon."""

EVENT_EVERY_S = 0.05
EVENT_BYTES = 2000
FLOOD_EVENTS, FLOOD_BYTES = 100, 20_000
"""Two megabytes for each stream: more than the system keeps for one that does not read."""

CALM_S = 1.0
"""Interval of news from a still table: a picture."""


class Page:
    """A server in a process of its own.

    Args:
        name: which of the entrants.
        pair: the certificate and its key, or None for plain HTTP.
        trusting: the certificate that a browser trusts.
    """

    def __init__(self, name: str, pair: Pair | None, trusting: ssl.SSLContext) -> None:
        context = multiprocessing.get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(target=serve, args=(theirs, name, pair), daemon=True)
        self._process.start()
        self._trusting = None if pair is None else trusting
        self.scheme = "http" if pair is None else "https"
        self.port, self.shot = self._pipe.recv()

    def tell(self, order: str) -> tuple[float, int]:
        """Carry out an order; return the server's processor time so far in seconds, and the number of open streams."""
        self._pipe.send(order)
        answer: tuple[float, int] = self._pipe.recv()
        return answer

    def stop(self) -> tuple[float | None, int]:
        """Stop it; return the time in seconds and the greatest growth in megabytes."""
        self._pipe.send("stop")
        answer: tuple[float | None, int] = self._pipe.recv() if self._pipe.poll(FREED_S) else (None, 0)
        self._process.kill()
        self._process.join()
        return answer

    def connected(self, timeout_s: float = 10.0, received_bytes: int | None = None) -> socket.socket:
        """Return an unused connection whose system buffer holds that many received bytes."""
        made = socket.create_connection((HOST, self.port), timeout=timeout_s)
        if received_bytes is not None:
            made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, received_bytes)
        return made if self._trusting is None else self._trusting.wrap_socket(made, server_hostname="localhost")

    def stream(self, *, reads: bool) -> socket.socket:
        """Return a connection that asked for the events."""
        made = self.connected(received_bytes=None if reads else 4096)
        made.sendall(b"GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
        return made

    @contextlib.contextmanager
    def caller(self, timeout_s: float = 10.0) -> Iterator[Callable[..., bytes]]:
        """Yield a function that sends a request on one connection and returns the body."""
        made = (
            http.client.HTTPConnection(HOST, self.port, timeout=timeout_s)
            if self._trusting is None
            else http.client.HTTPSConnection(HOST, self.port, timeout=timeout_s, context=self._trusting)
        )

        def ask(path: str, body: object = None) -> bytes:
            headers = {"X-Sightline": "1", "Content-Type": "application/json"}
            made.request("GET" if body is None else "POST", path, body and json.dumps(body), headers)
            answer = made.getresponse()
            if answer.status != 200:
                raise http.client.HTTPException(answer.status)
            return answer.read()

        with contextlib.closing(made):
            yield ask


def serve(pipe: Connection, name: str, pair: Pair | None) -> None:
    """Run a server and follow the pipe's orders until ``stop``."""
    quiet()
    build = beside(str(Path(__file__).parents[1] / "web" / "conftest.py"), "page_builders")
    state = build.page_state(boot="bench", max_streams=STREAMS_A_DEVICE * DEVICES)
    state.match.play(build.sample_session())
    shot = build.true_shot("easy-03")
    state.shelf.put(shot)
    application = create_app(state)
    before_mb = most_mb()
    server = ENTRANTS[name](application, pair, DEVICES)
    server.start()
    pipe.send((server.port, shot.id))
    teller = Teller(state.hub)
    teller.start()
    while (order := pipe.recv()) != "stop":
        if order == "flood":
            for _ in range(FLOOD_EVENTS):
                state.hub.publish("live", {"filling": "x" * FLOOD_BYTES})
        elif order in PAUSES_S:
            teller.pause_s = PAUSES_S[order]
        pipe.send((time.process_time(), state.hub.open_streams))
    begun = time.monotonic()
    state.hub.close()
    server.stop()
    pipe.send((time.monotonic() - begun, most_mb() - before_mb))


def most_mb() -> int:
    """Return the most memory that this process ever held, in megabytes."""
    status = Path("/proc/self/status")  # the benchmark runs where the project is built
    return next(int(line.split()[1]) >> 10 for line in status.read_text().splitlines() if line.startswith("VmHWM"))


PAUSES_S = {"calm": CALM_S, "busy": EVENT_EVERY_S}


class Teller(threading.Thread):
    """Publishes events that carry the moment at which they were made."""

    def __init__(self, hub: EventHub) -> None:
        super().__init__(daemon=True)
        self.pause_s = CALM_S
        self._hub = hub

    def run(self) -> None:
        while True:
            self._hub.publish("live", {"at_s": time.monotonic(), "filling": "x" * EVENT_BYTES})
            time.sleep(self.pause_s)
