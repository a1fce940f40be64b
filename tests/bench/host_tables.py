"""The store, the strip and the streams to tablets, as tables of the page."""

from __future__ import annotations

import os
import sqlite3
import ssl
import tempfile
import time
from contextlib import ExitStack, closing
from pathlib import Path

from assistant.app.matches.archive import KeptMatches, load_shipped_mission
from assistant.match.actor import Actor
from assistant.match.session import Session
from assistant.table.tracker import TrackerEntry, TrackerView
from hardware.light import LightSettings, light_frame
from hardware.messages import FrameReader, Pixels, encode
from tests.bench.figures import Growth, Row, Table, timed_ms
from tests.bench.page_servers import measured
from web.serving.events import EventHub, StreamPlace
from web.serving.events import encode as encode_event

NOTES = 60
STREAMS = (1, 5, 10, 20, 40, 80)
EVENTS = 50
REPEATS = 7


def store_table() -> Table:
    """Measure one event of a match until it is on the disk, beside SQLite and the bare disk."""
    table = Table("One event of a match, kept before it is acknowledged", "ms an event, by the wall clock")
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        table.rows.append(Row("the disk alone: 200 bytes and fsync", _synced(place / "bare")))
        table.rows.append(Row("SQLite alone: one row, synchronous=FULL", _committed(place / "bare.db")))
        kept = KeptMatches(place / "data")
        session = kept.begin("bench", load_shipped_mission("doom2016_tutorial_sample"), {})
        table.rows.append(Row("Sightline: judged, chained, kept", _noted(session), is_ours=True))
        kept.close()
    return table


def _each_ms(do: object, count: int = NOTES) -> tuple[float, ...]:
    assert callable(do)
    found = []
    for number in range(count):
        begun_s = time.perf_counter()
        do(number)
        found.append((time.perf_counter() - begun_s) * 1000)
    return tuple(found)


def _synced(path: Path) -> tuple[float, ...]:
    with path.open("wb", buffering=0) as file:

        def write(_: int) -> None:
            file.write(b"x" * 200)
            os.fsync(file.fileno())

        return _each_ms(write)


def _committed(path: Path) -> tuple[float, ...]:
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        database.execute("PRAGMA journal_mode=WAL")
        database.execute("PRAGMA synchronous=FULL")
        database.execute("CREATE TABLE event (seq INTEGER PRIMARY KEY, line BLOB)")
        return _each_ms(lambda n: database.execute("INSERT INTO event VALUES (?, ?)", (n, b"x" * 200)))


def _noted(session: Session) -> tuple[float, ...]:
    judge = Actor(role="judge")
    return _each_ms(lambda n: session.command({"type": "note", "text": f"note {n}"}, judge))


def strip_table() -> Table:
    """Return the time from the match's state to the bytes on the strip's cable, and back at its other end."""
    view = TrackerView(order=tuple(TrackerEntry(f"f{n}", n % 2, 3, 4) for n in range(8)), active=2, round=1)
    settings = LightSettings(pixel_count=60)
    frame = light_frame(view, 0.0, settings)
    pixels = Pixels(picture=1, is_shown=True, first=0, rgb=frame.rgb)
    sent = encode(pixels, 1)
    table = Table("One picture of 60 lights", "ms a picture")

    def drawn() -> None:
        for number in range(100):
            light_frame(view, number / 30, settings)

    def sent_and_read() -> None:
        for _ in range(100):
            assert FrameReader().feed(encode(pixels, 1))

    table.rows.append(Row("its bytes on the cable alone, at 115,200 baud", (len(sent) * 10 / 115.2,) * REPEATS))
    table.rows.append(Row("Sightline: from the match to the lights", timed_ms(drawn, REPEATS, of=100), is_ours=True))
    written = timed_ms(sent_and_read, REPEATS, of=100)
    table.rows.append(Row("Sightline: to bytes with a checksum, and read again", written, is_ours=True))
    table.notes.append(f"{len(sent)} bytes a picture; the cable itself takes longest.")
    return table


def stream_table() -> Table:
    """Tap and events over the real server in a process of its own, with tablets that listen and some that stopped."""
    found = measured("ours", None, ssl.create_default_context())
    table = Table("The page under load: 20 tablets that listen, 20 that stopped reading", "ms, by the wall clock")
    table.rows += [
        Row("processor time of a request", (found.cpu_ms,), is_ours=True),
        Row("an event until a tablet has it, median", (found.event_p50_ms,), is_ours=True),
        Row("an event until a tablet has it, 99 in 100", (found.event_p99_ms,), is_ours=True),
        Row("two taps until the ruling, median", (found.tap_p50_ms,), is_ours=True),
        Row("two taps until the ruling, the longest", (found.tap_max_ms,), is_ours=True),
    ]
    table.notes.append(
        f"{found.kept_per_s:.0f} requests a second on kept connections, {found.fresh_per_s:.0f} on new ones. Beside "
        "other servers: python -m tests.bench.page_servers."
    )
    return table


def growth() -> Growth:
    """Telling news as tablets become more."""
    grown = Growth("News told to every tablet", "streams that listen", "ms an event")
    points = []
    for count in STREAMS:
        hub = EventHub(boot="bench", max_streams=max(STREAMS))
        with ExitStack() as held:
            places = [held.enter_context(hub.place()) for _ in range(count)]

            def tell(told: EventHub = hub, to: list[StreamPlace] = places) -> None:
                for number in range(EVENTS):
                    seq = told.publish("live", {"shot": str(number), "filling": "x" * 500})
                    for place in to:
                        for event in told.events_after(seq - 1, 0.0, place) or ():
                            encode_event(event, told.boot)

            points.append((float(count), min(timed_ms(tell, 3, of=EVENTS))))
    grown.lines["told, read and encoded for each"] = points
    return grown
