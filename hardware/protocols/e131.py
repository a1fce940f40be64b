"""E1.31, streaming ACN: the protocol of stage and house lights, for any controller with unicast support.

A datagram carries one universe of 512 channels, here 170 pixels of red, green and blue. A longer strip takes further
universes. Datagrams get no answer. HTTP requests check for the host, and any answer is enough.
Specification: ANSI E1.31-2018, chapters 4 to 7.
"""

from __future__ import annotations

import struct

from assistant.translations.messages import message
from hardware.kinds import ByNetwork, LightKind
from hardware.light import LightFrame
from hardware.network_hosts import SilentLight

KIND = "e131"
PORT = 5568
ROOT = struct.Struct(">HH12sHI16s")
FRAMING = struct.Struct(">HI64sBHBBH")
DATA = struct.Struct(">HBBHHHB")
HEAD_BYTES = ROOT.size + FRAMING.size + DATA.size
IDENTIFIER = b"ASC-E1.17\0\0\0"
SENDER = b"Sightline strip!"
"""The sender's own id of 16 bytes, by which receivers distinguish senders."""

SOURCE = b"Sightline"
PRIORITY = 100
TERMINATED = 0x40
"""Option that ends a stream at once. Otherwise receivers hold the last picture for 2.5 s."""

PIXELS_A_UNIVERSE = 170
REST_S = 1 / 40
"""Time between two pictures. DMX, behind many receivers, allows 44 a second."""


def universes(frame: LightFrame, number: int, options: int = 0) -> list[bytes]:
    """Return the datagrams of a light frame, the first for universe 1, all with one number from 0 to 255."""
    size = 3 * PIXELS_A_UNIVERSE
    parts = [frame.rgb[start : start + size] for start in range(0, len(frame.rgb), size)]
    return [_datagram(universe, part, number, options) for universe, part in enumerate(parts, 1)]


def _datagram(universe: int, channels: bytes, number: int, options: int) -> bytes:
    length = HEAD_BYTES + len(channels)

    def rest_from(start: int) -> int:
        return 0x7000 | (length - start)

    root = ROOT.pack(0x10, 0, IDENTIFIER, rest_from(16), 4, SENDER)
    framing = FRAMING.pack(rest_from(ROOT.size), 2, SOURCE, PRIORITY, 0, number, options, universe)
    data = DATA.pack(rest_from(ROOT.size + FRAMING.size), 2, 0xA1, 0, 1, len(channels) + 1, 0)
    return root + framing + data + channels


class E131Driver(SilentLight):
    """The host's end of E1.31."""

    kind = KIND
    refresh_s = 0.8  # receivers drop a sender after 2.5 s

    def __init__(self, pixel_count: int, now_s: float) -> None:
        super().__init__(pixel_count, now_s)
        self._number = 0
        self._waiting: list[bytes] = []

    def farewell(self) -> bytes:
        """Return a dark first universe that ends the stream. The others end by themselves."""
        return universes(self.dark(), self._next_number(), TERMINATED)[0]

    def outgoing(self, now_s: float) -> bytes:
        """Return the next universe of the picture in progress, or the first of a new one."""
        if not self._waiting:
            picture = self.picture_due(now_s, REST_S)
            if picture is None:
                return b""
            self._waiting = universes(picture, self._next_number())
        return self._waiting.pop(0)

    def _next_number(self) -> int:
        self._number = (self._number + 1) % 256
        return self._number


LIGHT = LightKind(
    KIND,
    message("an E1.31 light"),
    message("a controller on the network that speaks E1.31 (sACN)"),
    ByNetwork("e131", PORT, "/json/info"),
    lambda start: E131Driver(start.pixel_count, start.now_s),
)
