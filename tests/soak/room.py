"""The simulated room of a soak: the table with its camera as a network camera, every fault of both a switch.

The program under test sees a camera at an address, as it sees a phone on a stand. What truly stands on the table is
noted with every picture, so that the referee can say what was so at any moment.
"""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from collections import deque
from dataclasses import dataclass, field

from assistant.errors import CameraLost
from assistant.table.board import Board
from vision.simulation.camera_effects import encode_jpeg
from vision.simulation.faults import Fault
from vision.simulation.reaches import endless_moves
from vision.simulation.sample import sample_scene
from vision.simulation.virtual_camera import VirtualCamera

SIZE_WH = (1280, 720)
FRAMES_PER_S = 4.0
"""A beat that leaves a core of two to the program: a picture with a hand in it takes 0.1 s to render."""

KEPT_S = 60.0
"""How long the history of the table is kept."""

BOUNDARY = b"frame"
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: multipart/x-mixed-replace; boundary=" + BOUNDARY + b"\r\n\r\n"


@dataclass(frozen=True)
class Moment:
    """The true table at the moment of a picture, in seconds since 1970, and that picture."""

    at_s: float
    board: Board
    kinds: dict[str, str] = field(default_factory=dict)
    jpeg: bytes = b""


class Room(threading.Thread):
    """Renders the table and serves its pictures; a fault that is switched on holds until it is switched off.

    Args:
        every_s: from one reach into the table to the next.
    """

    def __init__(self, every_s: float) -> None:
        super().__init__(daemon=True)
        scene = sample_scene()
        moves = endless_moves(scene, scene.seed, first_s=30.0, every_s=every_s)
        self._camera = VirtualCamera(scene, time.monotonic, moves=moves, size_wh=SIZE_WH)
        self._moments: deque[Moment] = deque()
        self._switches: deque[tuple[Fault, bool]] = deque()
        self._news = threading.Condition()
        self._jpeg, self._number = b"", 0
        self._ended = threading.Event()
        self._door = socket.create_server(("127.0.0.1", 0))
        self.port = self._door.getsockname()[1]
        self.is_silent = self.is_cut = self.is_babbling = False

    def switch(self, fault: Fault, *, on: bool) -> None:
        """Turn a fault of the camera on or off before its next picture."""
        self._switches.append((fault, on))

    def close_door(self) -> None:
        """The camera's server is gone."""
        self._door.close()

    def open_door(self) -> None:
        """The camera's server is there again under the same address."""
        self._door = socket.create_server(("127.0.0.1", self.port))
        threading.Thread(target=self._welcome, daemon=True).start()

    def moments(self, since_s: float) -> list[Moment]:
        """Return the true tables since then: the last moment before it and all after it."""
        known = list(self._moments)
        before = [moment for moment in known if moment.at_s < since_s]
        return [*before[-1:], *(moment for moment in known if moment.at_s >= since_s)]

    def end(self) -> None:
        """End the rendering and the serving."""
        self._ended.set()
        self._door.close()

    def run(self) -> None:
        """Render until stopped; a silent camera keeps its last picture."""
        threading.Thread(target=self._welcome, daemon=True).start()
        due_s = time.monotonic()
        while not self._ended.is_set():
            while self._switches:
                fault, is_on = self._switches.popleft()
                self._camera.switch(fault, on=is_on)
            with contextlib.suppress(CameraLost):
                self._take()
            due_s = max(due_s + 1 / FRAMES_PER_S, time.monotonic())
            self._ended.wait(due_s - time.monotonic())

    def _take(self) -> None:
        image = self._camera.frame()
        standing, jpeg = self._camera.standing, encode_jpeg(image, 85)
        kinds = {placed.figure.id: placed.figure.kind for placed in standing.figures}
        self._moments.append(Moment(time.time(), standing.board, kinds, jpeg))
        while self._moments[0].at_s < time.time() - KEPT_S:
            self._moments.popleft()
        with self._news:
            self._jpeg, self._number = jpeg, self._number + 1
            self._news.notify_all()

    def _welcome(self) -> None:
        door = self._door
        with contextlib.suppress(OSError):
            while True:
                guest, _ = door.accept()
                threading.Thread(target=self._serve, args=(guest, door), daemon=True).start()

    def _serve(self, guest: socket.socket, door: socket.socket) -> None:
        """Send pictures to one client until either closes, or its server is gone."""
        seen = 0
        with contextlib.suppress(OSError), guest:
            guest.settimeout(5.0)
            guest.recv(4096)
            guest.sendall(HEAD)
            while not self._ended.is_set() and door.fileno() >= 0:
                with self._news:
                    self._news.wait_for(lambda: self._number > seen, 1.0)  # noqa: B023 - asked at once
                    jpeg, number = self._jpeg, self._number
                if number == seen or self.is_silent:
                    continue
                seen = number
                guest.sendall(self._part(jpeg))
                if self.is_cut:
                    return

    def _part(self, jpeg: bytes) -> bytes:
        if self.is_babbling:
            return bytes((n * 37) % 256 for n in range(3000))
        sent = jpeg[: len(jpeg) // 2] if self.is_cut else jpeg
        head = b"--" + BOUNDARY + b"\r\nContent-Type: image/jpeg\r\nContent-Length: "
        return head + str(len(jpeg)).encode() + b"\r\n\r\n" + sent + b"\r\n"
