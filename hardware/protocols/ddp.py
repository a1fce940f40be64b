"""DDP, the Distributed Display Protocol: pictures to any controller on the network that speaks it.

A datagram is a header of ten bytes and the colours: flags (version 1 in the upper two bits; bit 0: show it now), a
number from 1 to 15, the kind of data (``0b``: red, green, blue, eight bits each), the display (1), the first byte's
place in the picture (four bytes) and the length (two bytes), high bytes first. A picture of ours fits one datagram.
Datagrams are not answered; whether the host is there is asked by HTTP, and any answer will do. Described at
http://www.3waylabs.com/ddp.
"""

from __future__ import annotations

import struct

from assistant.translations.messages import message
from hardware.driver import Ready, StripEvent, StripIdentity
from hardware.kinds import ByNetwork, LightKind
from hardware.light import LightFrame
from hardware.outbox import Outbox
from hardware.presence import Presence
from hardware.wled_about import read_about

KIND = "ddp"
HEADER = struct.Struct(">BBBBIH")
VERSION_1, SHOW = 0x40, 0x01
RGB = 0x0B
DISPLAY = 1
LAST_NUMBER = 15
# Controllers go dark or back to their own effects when nothing comes; WLED after 2.5 s.
REFRESH_S = 0.5
REST_S = 1 / 60


def ddp_datagram(frame: LightFrame, number: int) -> bytes:
    """The datagram that shows a light frame, at most 480 pixels, with its number from 1 to 15."""
    return HEADER.pack(VERSION_1 | SHOW, number, RGB, DISPLAY, 0, len(frame.rgb)) + frame.rgb


class DdpDriver:
    """The host's end of DDP; see ``hardware.driver.Driver``.

    Args:
        pixel_count: the length of a strip that cannot tell its own.
        now_s: the moment of the first question.
    """

    def __init__(self, pixel_count: int, now_s: float) -> None:
        self._pixel_count = pixel_count
        self._presence = Presence(now_s)
        self._outbox = Outbox(REFRESH_S)
        self._number = 0
        self._is_ready = False

    @property
    def is_ready(self) -> bool:
        """Whether the host is there; whether it takes pictures nobody says."""
        return self._is_ready

    @property
    def wants_frame(self) -> bool:
        """Whether a picture that is handed over now would go out soon."""
        return self._is_ready and self._outbox.is_empty

    @property
    def shown(self) -> LightFrame | None:
        """The picture that was sent last."""
        return self._outbox.shown

    def show(self, frame: LightFrame) -> None:
        """Hands over the newest picture."""
        self._outbox.put(frame)

    def farewell(self) -> bytes:
        """A dark picture; the controller then goes back to what it does by itself."""
        dark = self.shown or LightFrame(bytes(3 * self._pixel_count))
        return ddp_datagram(LightFrame(bytes(len(dark.rgb))), self._next_number())

    def receive(self, data: bytes, now_s: float) -> list[StripEvent]:
        """Ready at the first sign of life, with the length where the host tells it as WLED does."""
        lines = self._presence.lines(data)
        if lines:
            self._presence.note(now_s)
        if self._is_ready or not lines:
            return []
        self._is_ready = True
        about = read_about(lines[-1])
        return [Ready(StripIdentity(KIND, pixel_count=about.pixel_count if about else None))]

    def outgoing(self, now_s: float) -> bytes:
        """The datagram to send now.

        Raises:
            NoAnswer: nobody is there.
            StripLost: the host has stopped answering.
        """
        self._presence.check(now_s)
        picture = self._outbox.take(now_s) if self._is_ready else None
        if picture is None:
            return b""
        self._outbox.rest(now_s + REST_S)
        return ddp_datagram(picture, self._next_number())

    def _next_number(self) -> int:
        """Counts from 1 to 15; 0 would mean that numbers are not used."""
        self._number = self._number % LAST_NUMBER + 1
        return self._number


LIGHT = LightKind(
    KIND,
    message("a DDP light"),
    message("a controller on the network that speaks DDP"),
    ByNetwork("ddp", 4048, "/json/info"),
    lambda start: DdpDriver(start.pixel_count, start.now_s),
)
