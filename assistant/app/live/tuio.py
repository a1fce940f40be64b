"""The figures of a watched table for programs that understand tangible objects: TUIO 1.1 and 2.0, over UDP.

Both are sent to one port, since their addresses differ and a program heeds its own. A place is told in shares of the
board's bounding box, x to the right and y down; what the camera does not tell (angle, speed) is zero. All is said anew
every second, because UDP loses packets. Source: the public descriptions at tuio.org (1.1, and 2.0 of 2014).
"""

from __future__ import annotations

import itertools
import math
import socket
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from pythonosc.osc_bundle import OscBundle
from pythonosc.osc_bundle_builder import IMMEDIATELY, OscBundleBuilder
from pythonosc.osc_message import OscMessage
from pythonosc.osc_message_builder import OscMessageBuilder
from pythonosc.parsing import osc_types

from assistant.app.live.shots import Shot
from assistant.errors import BadValue
from assistant.run_clock import now_s
from assistant.table.observation import Observation
from assistant.table.roster import Roster
from assistant.translations.messages import said

PORT = 3333
SOURCE = "sightline"

LOOK_EVERY_S = 0.1
AGAIN_S = 1.0
"""Nothing changed for so long: it is told once more, in case it was lost."""

FIGURES_OF_ONE_BUNDLE = 12
"""So many fit a packet that no network cuts in pieces."""


@dataclass(frozen=True, slots=True)
class Tangible:
    """One figure: its session, its kind by its place in the roster, and where it stands in shares of the board."""

    session: int
    kind: int
    x: float
    y: float


@dataclass
class TangibleSessions:
    """Gives every figure that comes a session of its own, and keeps it while the figure is there."""

    _count: itertools.count[int] = field(default_factory=lambda: itertools.count(1))
    _sessions: dict[str, int] = field(default_factory=dict)

    def tangibles(self, observation: Observation, roster: Roster) -> tuple[Tangible, ...]:
        """Every figure of a picture; one of no known kind has the number after the last kind."""
        kinds = [figure.kind for figure in roster.figures]
        there = {seen.id or f"?{seen.cells}": seen for seen in observation.figures}
        self._sessions = {name: self._sessions.get(name) or next(self._count) for name in there}
        return tuple(
            Tangible(
                self._sessions[name],
                kinds.index(seen.kind) if seen.kind in kinds else len(kinds),
                *_share_of_board(observation, seen.center_mm),
            )
            for name, seen in there.items()
        )


def _share_of_board(observation: Observation, center_mm: tuple[float, float]) -> tuple[float, float]:
    """Where a point of the table lies in the board's bounding box, 0 to 1 each way."""
    grid, cells = observation.grid, observation.board.cells
    cos, sin = math.cos(math.radians(grid.angle_deg)), math.sin(math.radians(grid.angle_deg))
    dx, dy = center_mm[0] - grid.origin_mm[0], center_mm[1] - grid.origin_mm[1]
    point = (cos * dx + sin * dy) / grid.cell_mm, (cos * dy - sin * dx) / grid.cell_mm
    lines = [cell[0] for cell in cells], [cell[1] for cell in cells]
    x, y = (
        min(max((value - min(along)) / (max(along) + 1 - min(along)), 0.0), 1.0)
        for value, along in zip(point, lines, strict=True)
    )
    return x, y


def bundles_of(tangibles: Sequence[Tangible], frame: int, time_s: float) -> list[OscBundle]:
    """The packets that tell a frame: TUIO 1.1 first, then 2.0; each part names all sessions that are alive."""
    starts = range(0, max(len(tangibles), 1), FIGURES_OF_ONE_BUNDLE)
    parts = [tangibles[start : start + FIGURES_OF_ONE_BUNDLE] for start in starts]
    alive = [tangible.session for tangible in tangibles]
    first = [_bundle([_source(), _alive(alive), *map(_object, part), _sequence(frame)]) for part in parts]
    second = [_bundle([_frame(frame, time_s), *map(_token, part), _message("/tuio2/alv", *alive)]) for part in parts]
    return [*first, *second]


def _bundle(messages: Sequence[OscMessage]) -> OscBundle:
    builder = OscBundleBuilder(IMMEDIATELY)
    for message in messages:
        builder.add_content(message)
    return builder.build()


def _message(address: str, *values: str | float) -> OscMessage:
    builder = OscMessageBuilder(address)
    for value in values:
        builder.add_arg(value)
    return builder.build()


def _source() -> OscMessage:
    return _message("/tuio/2Dobj", "source", SOURCE)


def _alive(sessions: Sequence[int]) -> OscMessage:
    return _message("/tuio/2Dobj", "alive", *sessions)


def _object(tangible: Tangible) -> OscMessage:
    still = (0.0,) * 6  # angle, speeds, accelerations
    return _message("/tuio/2Dobj", "set", tangible.session, tangible.kind, tangible.x, tangible.y, *still)


def _sequence(frame: int) -> OscMessage:
    return _message("/tuio/2Dobj", "fseq", frame)


def _frame(frame: int, time_s: float) -> OscMessage:
    """The head of a 2.0 frame; written by hand, since the builder knows no time tags. A board has no pixels: 0."""
    told = (osc_types.write_int(frame), osc_types.write_date(time_s), osc_types.write_int(0))
    head = osc_types.write_string("/tuio2/frm") + osc_types.write_string(",itis")
    return OscMessage(head + b"".join(told) + osc_types.write_string(SOURCE))


def _token(tangible: Tangible) -> OscMessage:
    return _message("/tuio2/tok", tangible.session, 0, tangible.kind, tangible.x, tangible.y, 0.0)


def tuio_address(text: str) -> tuple[str, int]:
    """Host and port of ``HOST`` or ``HOST:PORT``.

    Raises:
        BadValue: it is neither.
    """
    host, colon, port = text.rpartition(":") if text.count(":") == 1 else (text, "", "")
    if not host or any(letter.isspace() for letter in host) or (colon and not port.isdecimal()):
        raise BadValue(said("say where TUIO goes as HOST or HOST:PORT, such as 127.0.0.1:3333"), field="tuio")
    number = int(port) if port else PORT
    if not 0 < number < 1 << 16:
        raise BadValue(said("a port is a number from 0 to 65535"), field="tuio")
    return host, number


class TuioTeller:
    """Tells one program where the figures stand, from a thread of its own, until it is closed.

    Args:
        address: host and port of the program.
        newest: the newest picture of the camera; None before the first.
        now_s: the clock, seconds since 1970.
    """

    def __init__(
        self, address: tuple[str, int], newest: Callable[[], Shot | None], now_s: Callable[[], float] = now_s
    ) -> None:
        self._address, self._newest, self._now_s = address, newest, now_s
        self._closing = threading.Event()
        self._sessions = TangibleSessions()
        self._frames = itertools.count(1)
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._thread = threading.Thread(target=self._run, name="tuio", daemon=True)

    def start(self) -> None:
        """Begins to tell."""
        self._thread.start()

    def close(self) -> None:
        """Tells nothing any more."""
        self._closing.set()
        if self._thread.is_alive():
            self._thread.join(1.0)
        self._socket.close()

    def _run(self) -> None:
        told, due_s = "", 0.0
        while not self._closing.wait(LOOK_EVERY_S):
            shot = self._newest()
            if shot is not None and (shot.id != told or time.monotonic() >= due_s):
                told, due_s = shot.id, time.monotonic() + AGAIN_S
                self._tell(shot)

    def _tell(self, shot: Shot) -> None:
        tangibles = self._sessions.tangibles(shot.read.observation, shot.setup.roster)
        for bundle in bundles_of(tangibles, next(self._frames), self._now_s()):
            try:
                self._socket.sendto(bundle.dgram, self._address)
            except OSError:  # the network is away; the next second tells it again
                return
