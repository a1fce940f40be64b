"""Under load: twenty tablets that listen, twenty more that stopped reading, and people who tap meanwhile.

Slow, because it measures times: alone on a machine of two cores. ``out/bench/page.json`` keeps the figures.
"""

from __future__ import annotations

import http.client
import json
import socket
import statistics
import threading
import time
from pathlib import Path

import pytest

from web.app import create_app
from web.serving.events import STREAMS_A_DEVICE
from web.serving.server import PageServer

TABLETS = 20
STALLED = 20
EVENTS = 200
FIGURES = Path(__file__).parents[2] / "out" / "bench" / "page.json"

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]


class Listener(threading.Thread):
    """A tablet: notes when each event arrived."""

    def __init__(self, port: int) -> None:
        super().__init__(daemon=True)
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        self.connection.request("GET", "/api/v1/events")
        self.answer = self.connection.getresponse()
        self.arrived_s: dict[int, float] = {}

    def run(self) -> None:
        kind = ""
        while line := self.answer.fp.readline():
            if line.startswith(b"event: "):
                kind = line[7:].strip().decode()
            elif line.startswith(b"data: ") and kind == "live":
                self.arrived_s[json.loads(line[6:])["number"]] = time.monotonic()


def stalled(port: int) -> socket.socket:
    """Return a tablet that asked for the stream and never reads it."""
    connection = socket.create_connection(("127.0.0.1", port), timeout=10)
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    connection.sendall(b"GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
    return connection


def asked_ms(port: int, method: str, path: str, body: object = None) -> float:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    begun = time.monotonic()
    headers = {"X-Sightline": "1", "Content-Type": "application/json"} if method == "POST" else {}
    connection.request(method, path, None if body is None else json.dumps(body), headers)
    answer = connection.getresponse()
    answer.read()
    took_ms = (time.monotonic() - begun) * 1000
    connection.close()
    assert answer.status == 200
    return took_ms


def percentile(values: list[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


def test_twenty_tablets_and_twenty_that_stopped_reading(build):
    devices = TABLETS + STALLED
    state = build.page_state(boot="load", max_streams=STREAMS_A_DEVICE * devices)
    state.match.play(build.sample_session())
    shot = build.true_shot("easy-03")
    state.shelf.put(shot)
    server = PageServer(create_app(state), host="127.0.0.1", port=0, devices=devices)
    server.start()
    tablets = [Listener(server.port) for _ in range(TABLETS)]
    silent = [stalled(server.port) for _ in range(STALLED)]
    for tablet in tablets:
        tablet.start()
    deadline = time.monotonic() + 20
    while state.hub.open_streams < devices and time.monotonic() < deadline:
        time.sleep(0.05)

    sent_s: dict[int, float] = {}
    pages: list[float] = []
    rulings: list[float] = []
    for number in range(EVENTS):
        sent_s[number] = time.monotonic()
        state.hub.publish("live", {"number": number, "filling": "x" * 2000})
        if number % 4 == 0:
            pages.append(asked_ms(server.port, "GET", ("/", "/api/v1/match", "/api/v1/now")[number % 3]))
        if number % 4 == 2:
            question = {"attacker": "bravo", "defender": "imp-1"}
            rulings.append(asked_ms(server.port, "POST", f"/api/v1/shots/{shot.id}/rulings", question))
        time.sleep(0.05)
    time.sleep(1)
    late = [(tablet.arrived_s[n] - sent_s[n]) * 1000 for tablet in tablets for n in sent_s if n in tablet.arrived_s]
    begun = time.monotonic()
    state.hub.close()
    server.stop()
    stopped_s = time.monotonic() - begun
    for tablet in tablets:
        tablet.join(5)
        tablet.connection.close()
        tablet.answer.close()
    for one in silent:
        one.close()

    figures = {
        "streams": devices,
        "events_lost": TABLETS * EVENTS - len(late),
        "event_p50_ms": round(statistics.median(late), 1),
        "event_p99_ms": round(percentile(late, 0.99), 1),
        "page_p50_ms": round(statistics.median(pages), 1),
        "page_max_ms": round(max(pages), 1),
        "ruling_p50_ms": round(statistics.median(rulings), 1),
        "stop_s": round(stopped_s, 2),
    }
    FIGURES.parent.mkdir(parents=True, exist_ok=True)
    FIGURES.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")

    assert figures["events_lost"] == 0
    assert figures["event_p99_ms"] < 100
    assert figures["page_max_ms"] < 200
    assert figures["ruling_p50_ms"] < 150
    assert figures["stop_s"] < 2
