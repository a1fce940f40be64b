"""DDP, the Distributed Display Protocol: pictures for any controller on the network that speaks it.

A datagram is a header of ten bytes and the colours: flags (version 1 in the upper two bits; bit 0: show it now), a
number from 1 to 15, the kind of data (``0b``: red, green, blue, eight bits each), the display (1), the offset of the
first byte in the picture (four bytes) and the length (two bytes), high bytes first. Our pictures fit one datagram.
Datagrams get no answer. HTTP requests check for the host, and any answer is enough.
Specification: http://www.3waylabs.com/ddp.
"""

from __future__ import annotations

import struct

from assistant.translations.messages import message
from hardware.kinds import ByNetwork, LightKind
from hardware.light import LightFrame
from hardware.network_hosts import SilentLight

KIND = "ddp"
HEADER = struct.Struct(">BBBBIH")
VERSION_1, SHOW = 0x40, 0x01
RGB = 0x0B
DISPLAY = 1
LAST_NUMBER = 15
REST_S = 1 / 60


def ddp_datagram(frame: LightFrame, number: int) -> bytes:
    """Return the datagram for a light frame of at most 480 pixels, with its number from 1 to 15."""
    return HEADER.pack(VERSION_1 | SHOW, number, RGB, DISPLAY, 0, len(frame.rgb)) + frame.rgb


class DdpDriver(SilentLight):
    """The host's end of DDP."""

    kind = KIND
    refresh_s = 0.5  # without pictures, controllers go dark or back to their own effects, WLED after 2.5 s

    def __init__(self, pixel_count: int, now_s: float) -> None:
        super().__init__(pixel_count, now_s)
        self._number = 0

    def farewell(self) -> bytes:
        """Return a dark picture. The controller then returns to its own effects."""
        return ddp_datagram(self.dark(), self._next_number())

    def outgoing(self, now_s: float) -> bytes:
        picture = self.picture_due(now_s, REST_S)
        return b"" if picture is None else ddp_datagram(picture, self._next_number())

    def _next_number(self) -> int:
        """Count from 1 to 15. 0 would mean unnumbered datagrams."""
        self._number = self._number % LAST_NUMBER + 1
        return self._number


LIGHT = LightKind(
    KIND,
    message("a DDP light"),
    message("a controller on the network that speaks DDP"),
    ByNetwork("ddp", 4048, "/json/info"),
    lambda start: DdpDriver(start.pixel_count, start.now_s),
)
