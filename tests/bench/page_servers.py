"""Compare maintained libraries with waitress behind our own TLS front, as servers of the page.

    python -m tests.bench.page_servers [--only NAME ...]

Each server holds the real page in a process of its own and meets the same load, plain and over TLS, for about a quarter
of a minute. Figures of one run are to be compared with one another; what else the machine does counts least in the
processor time. A dash means that it did not come within the limit. Gunicorn is not asked, because it does not run on
Windows, and no proxy, because none that Python installs sends plain HTTP on the same port to the secure address.
"""

from __future__ import annotations

import argparse
import contextlib
import http.client
import json
import socket
import ssl
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from assistant.hosting.certificates import page_certificate
from tests.bench.page_entrants import ENTRANTS, HOST, Pair
from tests.bench.page_process import DEVICES, EVENT_EVERY_S, FREED_S, STALLED, TABLETS, Page

ASKING_THREADS = 4
RATE_S = 1.0
TAPS = 20
CROWDS = (1, 150, 330)
"""Connections that begin to speak and stop: one, more than there are threads, more than our server takes."""

BODIES = 150
"""Requests that stop within their bodies, more than there are threads."""

PATIENCE_S = 3.0

HALF_HEAD = {"http": b"GET / HTTP/1.1\r\nHost: local", "https": b"\x16"}
HALF_BODY = b"POST /api/v1/shots HTTP/1.1\r\nHost: localhost\r\nX-Sightline: 1\r\nContent-Length: 9999\r\n\r\nx"


@dataclass
class Found:
    """The results of one server; times in milliseconds unless the name says seconds."""

    name: str
    scheme: str
    kept_per_s: float = 0.0
    fresh_per_s: float = 0.0
    cpu_ms: float = 0.0
    tap_p50_ms: float = 0.0
    tap_max_ms: float = 0.0
    event_p50_ms: float = 0.0
    event_p99_ms: float = 0.0
    newcomers_s: tuple[float | None, ...] = ()
    freed_s: float | None = None
    stop_s: float | None = None
    grew_mb: int = 0
    sends_to_secure: bool = False

    def row(self) -> str:
        """Return one line of the table."""
        come = "/".join(shown(s) for s in self.newcomers_s)
        return (
            f"{self.name:10} {self.scheme:6} {self.kept_per_s:7.0f} {self.fresh_per_s:7.0f} {self.cpu_ms:6.2f} "
            f"{self.tap_p50_ms:6.0f} {self.tap_max_ms:6.0f} {self.event_p50_ms:6.1f} {self.event_p99_ms:6.1f} "
            f"{come:>19} {shown(self.freed_s):>6} {shown(self.stop_s):>6} {self.grew_mb:5} "
            f"{'yes' if self.sends_to_secure else '-':>4}"
        )


HEAD = (
    f"{'':10} {'':6} {'kept/s':>7} {'fresh/s':>7} {'cpu ms':>6} {'tap':>6} {'worst':>6} {'event':>6} {'99 %':>6} "
    f"{'newcomer s':>19} {'freed':>6} {'stop':>6} {'MB':>5} {'308':>4}"
)
LEGEND = (
    "kept/s, fresh/s: requests a second, on kept and on new connections; cpu ms: processor time a kept request; "
    f"tap, worst: two taps to the ruling, p50 and max in ms, and event: ms to the tablets, with {TABLETS} that listen "
    f"and {STALLED} that stopped reading; newcomer s: first answer beside {'/'.join(map(str, CROWDS))} silent "
    f"connections / {BODIES} half-sent bodies; freed: s until the places of streams that went are free; "
    "MB: most growth; 308: plain HTTP is sent to https"
)


def shown(seconds: float | None) -> str:
    """Seconds as the table has them."""
    return "-" if seconds is None else f"{seconds:.2f}"


def asked_per_s(page: Page, *, kept: bool) -> tuple[float, float]:
    """Requests a second, and milliseconds of the server's processor time for each."""
    counts = [0] * ASKING_THREADS
    ends_s = time.monotonic() + RATE_S

    def ask(number: int) -> None:
        while time.monotonic() < ends_s:
            with page.caller() as call:
                while time.monotonic() < ends_s:
                    call("/api/v1/now")
                    counts[number] += 1
                    if not kept:
                        break

    before_s, _ = page.tell("now")
    threads = [threading.Thread(target=ask, args=(number,)) for number in range(ASKING_THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    after_s, _ = page.tell("now")
    return sum(counts) / RATE_S, (after_s - before_s) / max(1, sum(counts)) * 1000


def listen(stream: socket.socket, late_ms: list[float]) -> None:
    """Notes how late each event comes until the stream ends."""
    with contextlib.suppress(OSError), stream.makefile("rb") as lines:
        for line in lines:
            if line.startswith(b'data: {"at_s":'):
                late_ms.append((time.monotonic() - json.loads(line[6:])["at_s"]) * 1000)


def tapped(page: Page, found: Found) -> None:
    """Times rulings and events under open streams, and how soon their places are free when all have gone."""
    streams = [page.stream(reads=number < TABLETS) for number in range(DEVICES)]
    late_ms, taps_ms = list[float](), list[float]()
    for stream in streams[:TABLETS]:
        stream.settimeout(None)
        threading.Thread(target=listen, args=(stream, late_ms), daemon=True).start()
    page.tell("flood")
    page.tell("busy")
    waited_s(lambda: len(late_ms) > TABLETS, FREED_S)
    late_ms.clear()
    for _ in range(TAPS):
        begun = time.monotonic()
        with page.caller() as call:
            call(f"/api/v1/shots/{page.shot}/rulings", {"attacker": "bravo", "defender": "imp-1"})
        taps_ms.append((time.monotonic() - begun) * 1000)
        time.sleep(EVENT_EVERY_S)
    page.tell("calm")
    found.tap_p50_ms, found.tap_max_ms = statistics.median(taps_ms), max(taps_ms)
    found.event_p50_ms, found.event_p99_ms = statistics.median(late_ms), sorted(late_ms)[int(len(late_ms) * 0.99)]
    for stream in streams:
        with contextlib.suppress(OSError):
            stream.shutdown(socket.SHUT_RDWR)
        stream.close()
    found.freed_s = waited_s(lambda: page.tell("now")[1] == 0, FREED_S)


def waited_s(is_so: Callable[[], bool], limit_s: float) -> float | None:
    """Return how long a condition took to hold, or None."""
    begun = time.monotonic()
    while not is_so():
        if time.monotonic() - begun > limit_s:
            return None
        time.sleep(0.05)
    return time.monotonic() - begun


def newcomer_s(page: Page, crowd: Callable[[Page, contextlib.ExitStack], None]) -> float | None:
    """Return how long a newcomer waits for an answer beside a crowd, or None."""
    with contextlib.ExitStack() as held:
        crowd(page, held)
        begun = time.monotonic()
        with contextlib.suppress(OSError, http.client.HTTPException), page.caller(PATIENCE_S) as call:
            call("/api/v1/now")
            return time.monotonic() - begun
    return None


def nobody(_page: Page, _held: contextlib.ExitStack) -> None:
    """No crowd."""


def silent(count: int) -> Callable[[Page, contextlib.ExitStack], None]:
    """Return a crowd that begins to speak and stops."""

    def come(page: Page, held: contextlib.ExitStack) -> None:
        all_of_them = [held.enter_context(socket.socket()) for _ in range(count)]
        for one in all_of_them:
            one.setblocking(False)
            one.connect_ex((HOST, page.port))
            time.sleep(0.003)  # so that they do not overflow the accept queue
        time.sleep(0.3)
        for one in all_of_them:
            with contextlib.suppress(OSError):  # not taken yet
                one.send(HALF_HEAD[page.scheme])
        time.sleep(0.3)

    return come


def half_sent(page: Page, held: contextlib.ExitStack) -> None:
    """A crowd that promises bodies and does not send them."""
    for _ in range(BODIES):
        try:
            held.enter_context(page.connected(PATIENCE_S)).sendall(HALF_BODY)
        except OSError:  # no further client is admitted
            return
    time.sleep(0.3)


def is_sent_to_secure(page: Page) -> bool:
    """Return whether plain HTTP is redirected to the secure address."""
    with contextlib.suppress(OSError), socket.create_connection((HOST, page.port), PATIENCE_S) as plain:
        plain.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        return plain.recv(100).startswith(b"HTTP/1.1 308")
    return False


def measured(name: str, pair: Pair | None, trusting: ssl.SSLContext) -> Found:
    """Return all results of one server; impossible ones stay unchanged."""
    page = Page(name, pair, trusting)
    found = Found(name, page.scheme)
    waited_s(lambda: newcomer_s(page, nobody) is not None, FREED_S)
    found.kept_per_s, found.cpu_ms = asked_per_s(page, kept=True)
    found.fresh_per_s, _ = asked_per_s(page, kept=False)
    found.sends_to_secure = pair is not None and is_sent_to_secure(page)
    tapped(page, found)
    found.newcomers_s = tuple(newcomer_s(page, crowd) for crowd in (*map(silent, CROWDS), half_sent))
    waited_s(lambda: newcomer_s(page, nobody) is not None, FREED_S)
    streams = [page.stream(reads=True) for _ in range(DEVICES)]
    waited_s(lambda: page.tell("now")[1] >= DEVICES, PATIENCE_S)
    found.stop_s, found.grew_mb = page.stop()
    for stream in streams:
        stream.close()
    return found


def main(names: Iterable[str] = tuple(ENTRANTS)) -> None:
    """Print a table of the servers."""
    sys.stdout.write(f"{LEGEND}\n{HEAD}\n")
    with tempfile.TemporaryDirectory() as folder:
        made = page_certificate(Path(folder), ("localhost", HOST), datetime.now(UTC))
        trusting = ssl.create_default_context(cadata=made.authority_pem.decode())
        for pair in (None, Pair(made.certificate, made.key)):
            for name in names:
                sys.stdout.write(f"{measured(name, pair, trusting).row()}\n")
                sys.stdout.flush()


if __name__ == "__main__":
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--only", nargs="+", choices=ENTRANTS, default=list(ENTRANTS))
    main(asked.parse_args().only)
