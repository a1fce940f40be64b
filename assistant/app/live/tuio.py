"""Sends the figures of a watched table to tangible-object programs: TUIO 1.1 and 2.0 over UDP.

Both versions go to one port. Their OSC addresses differ, and a program picks its own. Coordinates are fractions of the
board's bounding box, or of a table without a grid, with x to the right, y down, and angles from x towards y. Values
that the camera does not show (speed, facing on cells) are zero. Everything is resent each second, because UDP loses
packets.
Source: the public descriptions at tuio.org (1.1, and 2.0 of 2014).
"""

from __future__ import annotations

import itertools
import math
import socket
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from pythonosc.osc_bundle import OscBundle
from pythonosc.osc_bundle_builder import IMMEDIATELY, OscBundleBuilder
from pythonosc.osc_message import OscMessage
from pythonosc.osc_message_builder import OscMessageBuilder
from pythonosc.parsing import osc_types

from assistant.app.live.free_shots import FreeShot
from assistant.app.live.shots import Shot
from assistant.errors import BadValue
from assistant.run_clock import now_s
from assistant.table.observation import Observation
from assistant.table.roster import Roster, kind_of
from assistant.translations.messages import said

PORT = 3333
SOURCE = "sightline"

LOOK_EVERY_S = 0.1
AGAIN_S = 1.0
"""Seconds without a change after which everything is resent, in case a packet was lost."""

FIGURES_OF_ONE_BUNDLE = 12
"""Number of figures per packet that no network fragments."""


class ToldFigure(NamedTuple):
    """A figure: its kind as an index in the roster, its position in fractions of the table, its facing."""

    kind: int
    x: float
    y: float
    angle_rad: float = 0.0


class ToldTable(NamedTuple):
    """A picture's name, and the positions of its figures by stable names."""

    picture: str
    figures: Mapping[str, ToldFigure]


@dataclass(frozen=True, slots=True)
class Tangible:
    """A figure in TUIO's terms: its session, and its position."""

    session: int
    at: ToldFigure


@dataclass
class TangibleSessions:
    """Assigns each new figure a session, and keeps it while the figure is present."""

    _count: itertools.count[int] = field(default_factory=lambda: itertools.count(1))
    _sessions: dict[str, int] = field(default_factory=dict)

    def tangibles(self, standing: Mapping[str, ToldFigure]) -> tuple[Tangible, ...]:
        """Return every figure of a picture with its session."""
        self._sessions = {name: self._sessions.get(name) or next(self._count) for name in standing}
        return tuple(Tangible(self._sessions[name], at) for name, at in standing.items())


def standing_on_cells(shot: Shot) -> ToldTable:
    """Return the figures of a board. A figure of unknown kind gets the index after the last kind."""
    observation, roster = shot.read.observation, shot.setup.roster
    return ToldTable(
        shot.id,
        {
            seen.id or f"?{seen.cells}": ToldFigure(
                _number_of(seen.kind, roster), *_share_of_board(observation, seen.center_mm)
            )
            for seen in observation.figures
        },
    )


def standing_freely(shot: FreeShot, roster: Roster) -> ToldTable:
    """Return the figures of a table without a grid, with their facing if it was seen."""
    sighting = shot.sighting
    width, depth = map(float, sighting.table.size_mm)
    found = {}
    for figure in sighting.table.figures:
        x, y = sighting.seen_at(figure)
        spot = sighting.spots.get(figure.id)
        looks = spot is None or spot.facing_error_deg is not None
        angle = math.radians(float(figure.facing_deg) % 360) if looks else 0.0
        found[figure.id] = ToldFigure(_number_of(kind_of(figure.id), roster), _share(x, width), _share(y, depth), angle)
    return ToldTable(shot.id, found)


def _number_of(kind: str | None, roster: Roster) -> int:
    kinds = [figure.kind for figure in roster.figures]
    return kinds.index(kind) if kind in kinds else len(kinds)


def _share(value: float, of: float) -> float:
    return min(max(value / of, 0.0), 1.0)


def _share_of_board(observation: Observation, center_mm: tuple[float, float]) -> tuple[float, float]:
    """Convert a table point to the board's bounding box, 0 to 1 in each direction."""
    grid, cells = observation.grid, observation.board.cells
    cos, sin = math.cos(math.radians(grid.angle_deg)), math.sin(math.radians(grid.angle_deg))
    dx, dy = center_mm[0] - grid.origin_mm[0], center_mm[1] - grid.origin_mm[1]
    point = (cos * dx + sin * dy) / grid.cell_mm, (cos * dy - sin * dx) / grid.cell_mm
    lines = [cell[0] for cell in cells], [cell[1] for cell in cells]
    x, y = (_share(value - min(along), max(along) + 1 - min(along)) for value, along in zip(point, lines, strict=True))
    return x, y


def bundles_of(tangibles: Sequence[Tangible], frame: int, time_s: float) -> list[OscBundle]:
    """Return the packets of a frame: TUIO 1.1 first, then 2.0. Each lists all live sessions."""
    starts = range(0, max(len(tangibles), 1), FIGURES_OF_ONE_BUNDLE)
    parts = [tangibles[start : start + FIGURES_OF_ONE_BUNDLE] for start in starts]
    alive = [tangible.session for tangible in tangibles]
    still = (0.0,) * 5  # speeds, accelerations
    first, second = [], []
    for part in parts:
        objects = [_message("/tuio/2Dobj", "set", one.session, *one.at, *still) for one in part]
        source, living = _message("/tuio/2Dobj", "source", SOURCE), _message("/tuio/2Dobj", "alive", *alive)
        first.append(_bundle([source, living, *objects, _message("/tuio/2Dobj", "fseq", frame)]))
        tokens = [_message("/tuio2/tok", one.session, 0, *one.at) for one in part]
        second.append(_bundle([_frame(frame, time_s), *tokens, _message("/tuio2/alv", *alive)]))
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


def _frame(frame: int, time_s: float) -> OscMessage:
    """Build the header of a 2.0 frame by hand, because the builder lacks time tags. A board has no pixels: 0."""
    frame_fields = (osc_types.write_int(frame), osc_types.write_date(time_s), osc_types.write_int(0))
    head = osc_types.write_string("/tuio2/frm") + osc_types.write_string(",itis")
    return OscMessage(head + b"".join(frame_fields) + osc_types.write_string(SOURCE))


def tuio_address(text: str) -> tuple[str, int]:
    """Parse ``HOST`` or ``HOST:PORT`` into host and port.

    Raises:
        BadValue: the text is neither.
    """
    host, colon, port = text.rpartition(":") if text.count(":") == 1 else (text, "", "")
    if not host or any(letter.isspace() for letter in host) or (colon and not port.isdecimal()):
        raise BadValue(said("say where TUIO goes as HOST or HOST:PORT, such as 127.0.0.1:3333"), field="tuio")
    number = int(port) if port else PORT
    if not 0 < number < 1 << 16:
        raise BadValue(said("The port must be from 0 to 65535."), field="tuio")
    return host, number


class TuioTeller:
    """Sends the figures to one program on its own thread until closed.

    Args:
        address: host and port of the program.
        newest: returns the figures and places of the camera's newest picture; None before the first.
        now_s: the clock, seconds since 1970.
    """

    def __init__(
        self, address: tuple[str, int], newest: Callable[[], ToldTable | None], now_s: Callable[[], float] = now_s
    ) -> None:
        self._address, self._newest, self._now_s = address, newest, now_s
        self._closing = threading.Event()
        self._sessions = TangibleSessions()
        self._frames = itertools.count(1)
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._thread = threading.Thread(target=self._run, name="tuio", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def close(self) -> None:
        self._closing.set()
        if self._thread.is_alive():
            self._thread.join(1.0)
        self._socket.close()

    def _run(self) -> None:
        sent, due_s = "", 0.0
        while not self._closing.wait(LOOK_EVERY_S):
            now = self._newest()
            if now is not None and (now.picture != sent or time.monotonic() >= due_s):
                sent, due_s = now.picture, time.monotonic() + AGAIN_S
                self._tell(now.figures)

    def _tell(self, figures: Mapping[str, ToldFigure]) -> None:
        tangibles = self._sessions.tangibles(figures)
        for bundle in bundles_of(tangibles, next(self._frames), self._now_s()):
            try:
                self._socket.sendto(bundle.dgram, self._address)
            except OSError:  # the network is down; the next second sends it again
                return
