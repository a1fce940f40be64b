"""The faults of a soak, by affected part: each begins, lasts a while, and ends."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import threading
from collections.abc import Callable
from dataclasses import dataclass

from tests.soak.browser import TabletBrowser
from tests.soak.cable import StripCable
from tests.soak.program import Program
from tests.soak.room import Room
from vision.simulation.faults import Fault


def _post(path: str, body: bytes) -> bytes:
    head = f"POST /api/v1{path} HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Sightline: 1\r\nContent-Type: application/json\r\n"
    return f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body


HALF_HEAD = b"GET / HTTP/1.1\r\nHost: 127."
HALF_BODY = b"POST /api/v1/shots HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Sightline: 1\r\nContent-Length: 9999\r\n\r\nx"
FORGED_CALL = _post("/calls/new", b'{"id":"nl1\\n"}')
BIG_PHOTO = b"POST /api/v1/shots HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Sightline: 1\r\nContent-Length: 25000000\r\n\r\nx"
WRONG_CODE = _post("/join", b'{"code":"000000","name":"a stranger"}')
HISTORY = b"GET /api/v1/match/history HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
STREAM = b"GET /api/v1/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
NO_HTTP = bytes(range(256)) * 40
CROWD = 60


@dataclass(frozen=True)
class Trouble:
    """A fault.

    Args:
        part: the affected part: camera, strip, disk, page or browser.
        name: its name in the table.
        begin: starts it.
        end: stops it.
        lasts_s: how long it stays.
    """

    part: str
    name: str
    begin: Callable[[], None]
    end: Callable[[], None]
    lasts_s: float = 1.5


def camera_troubles(room: Room, program: Program) -> list[Trouble]:
    """Everything that befalls a camera: on its table, in its lens, in its server, on its way, in its process."""

    def flag(name: str, on: bool) -> Callable[[], None]:
        return lambda: setattr(room, name, on)

    def pictured(fault: Fault) -> Trouble:
        return Trouble("camera", fault.value, lambda: room.switch(fault, on=True), lambda: room.switch(fault, on=False))

    def signalled(number: signal.Signals) -> Callable[[], None]:
        def send() -> None:
            for child in program.children():
                with contextlib.suppress(ProcessLookupError):
                    os.kill(child, number)

        return send

    ways = (
        ("is_silent", "sends nothing"),
        ("is_cut", "cut in the middle of a picture"),
        ("is_babbling", "sends bytes that are no picture"),
    )
    return [
        *(pictured(fault) for fault in Fault),
        *(Trouble("camera", words, flag(name, True), flag(name, False)) for name, words in ways),
        Trouble("camera", "its server is gone", room.close_door, room.open_door),
        Trouble("camera", "its process is killed", signalled(signal.SIGKILL), _nothing, 0.1),
        Trouble("camera", "its process hangs", signalled(signal.SIGSTOP), signalled(signal.SIGCONT), 2.0),
    ]


def strip_troubles(cable: StripCable) -> list[Trouble]:
    """Everything that befalls the strip and its cable."""

    def flag(name: str, on: bool) -> Callable[[], None]:
        return lambda: setattr(cable, name, on)

    def deaf(on: bool) -> Callable[[], None]:
        return lambda: setattr(cable.strip, "is_deaf", on)

    return [
        Trouble("strip", "unplugged", cable.pull, cable.plug),
        Trouble("strip", "unplugged for a moment", cable.pull, cable.plug, 0.2),
        Trouble("strip", "line silent", flag("is_silent", True), flag("is_silent", False)),
        Trouble("strip", "line noisy", flag("is_noisy", True), flag("is_noisy", False)),
        Trouble("strip", "deaf", deaf(True), deaf(False)),
    ]


def disk_troubles(program: Program) -> list[Trouble]:
    """Return every fault of the storage."""
    return [
        Trouble(
            "disk",
            "full",
            lambda: program.fill_disk(is_full=True),
            lambda: program.fill_disk(is_full=False),
        )
    ]


def power_troubles(program: Program) -> list[Trouble]:
    """Return the end of the program at any moment."""
    return [Trouble("power", "killed and started again", program.kill, program.start, 0.2)]


def page_troubles(program: Program) -> list[Trouble]:
    """Everything that befalls the network between page and tablets."""
    held: list[socket.socket] = []

    def crowd(said: bytes) -> Callable[[], None]:
        def come() -> None:
            for _ in range(CROWD):
                with contextlib.suppress(OSError):
                    guest = socket.create_connection(("127.0.0.1", program.port), 1.0)
                    held.append(guest)
                    guest.sendall(said)

        return come

    def go() -> None:
        while held:
            held.pop().close()

    def dropped() -> None:
        """Ask for a large answer and goes in the middle of it."""
        threading.Thread(target=_drop, args=(program.port,), daemon=True).start()

    return [
        Trouble("page", "silent connections", crowd(b""), go),
        Trouble("page", "half a request", crowd(HALF_HEAD), go),
        Trouble("page", "half a photo", crowd(HALF_BODY), go),
        Trouble("page", "large photos that are announced and do not come", crowd(BIG_PHOTO), go),
        Trouble("page", "calls with forged names", crowd(FORGED_CALL), go),
        Trouble("page", "wrong codes", crowd(WRONG_CODE), go),
        Trouble("page", "the whole history, again and again", crowd(HISTORY), go),
        Trouble("page", "no HTTP at all", crowd(NO_HTTP), go),
        Trouble("page", "streams that nobody reads", crowd(STREAM), go),
        Trouble("page", "answers that nobody waits for", dropped, _nothing),
    ]


def browser_troubles(browser: TabletBrowser) -> list[Trouble]:
    """Everything that befalls a tablet."""
    return [Trouble("browser", name, lambda n=name: browser.order(n), _nothing, 0.5) for name in browser.orders]  # type: ignore[misc]


def _nothing() -> None:
    """Do nothing: there is nothing to stop."""


def _drop(port: int) -> None:
    for _ in range(20):
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1.0) as guest:
            guest.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            guest.recv(10)
