"""Conversation with an unmodified WLED controller by USB.

Pictures go as Adalight frames after ``{"live":true}``; without it WLED shows the first one black. Every JSON line needs
a line end, or WLED swallows the next byte. ``l`` reads the pixels back, the only proof of a picture. Never use TPM2
here: WLED miscounts most lengths above 85 pixels and takes the rest for commands.
"""

from __future__ import annotations

import enum
import json

from assistant.errors import NoAnswer, StripLost
from assistant.translations.messages import message, said
from hardware.driver import Driver, Ready, StripEvent, StripIdentity
from hardware.kinds import BySerial, LightKind
from hardware.light import MAX_PIXELS, MIN_PIXELS
from hardware.network_hosts import read_about
from hardware.protocols.adalight import greets_like_adalight, next_frame

KIND = "wled"
VERSION_TRIES = 4
VERSION_TRY_S = 0.5
ABOUT_S = 1.0
READ_BACK_S = 2.0
SILENCE_S = 3.0
# WLED's longest answer, its info, has several kilobytes.
MAX_LINE_BYTES = 65_536
# WLED waits forever for the rest of a truncated picture. Zeros complete it and mean nothing else.
FLUSH = bytes(3 * MAX_PIXELS)


class _Stage(enum.Enum):
    VERSION = enum.auto()
    ABOUT = enum.auto()
    LIVE = enum.auto()


class WledDriver(Driver):
    """The host's end of the conversation with WLED by USB."""

    def __init__(self, baud_rate: int, now_s: float) -> None:
        super().__init__()
        self._baud_rate = baud_rate
        self._stage = _Stage.VERSION
        self._stage_s = now_s
        self._try_count = 0
        self._line = bytearray()
        self._version: str | None = None
        self._asked_s: float | None = None
        self._read_back_s = now_s

    def farewell(self) -> bytes:
        return b'{"live":false}\n'

    # -- receiving ----------------------------------------------------------------------------

    def receive(self, data: bytes, now_s: float) -> list[StripEvent]:
        events: list[StripEvent] = []
        *ended, rest = data.split(b"\n")
        for piece in ended:
            self._keep(piece)
            events += self._take(bytes(self._line).strip(), now_s)
            self._line.clear()
        self._keep(rest)
        if self._stage is _Stage.ABOUT and now_s - self._stage_s >= ABOUT_S:
            # Old or busy versions do not report their length. Then the settings count.
            events += self._go_live(None, now_s)
        return events

    def _keep(self, piece: bytes) -> None:
        if len(self._line) + len(piece) > MAX_LINE_BYTES:
            self._line.clear()
        self._line += piece

    def _take(self, line: bytes, now_s: float) -> list[StripEvent]:
        if line.endswith(b"Ada") and self._stage is not _Stage.VERSION:
            self._begin_afresh(now_s)
        elif self._stage is _Stage.VERSION and (found := line.rpartition(b"WLED ")[2]).isdigit() and b"WLED " in line:
            self._version = found.decode("ascii")
            self._enter(_Stage.ABOUT, now_s)
        elif self._stage is _Stage.ABOUT and (start := line.find(b"{")) >= 0:
            return self._go_live(_pixel_count(line[start:]), now_s)
        elif self._asked_s is not None and (start := line.find(b"[")) >= 0:
            self._compare(_colors(line[start:]))
        return []

    def _begin_afresh(self, now_s: float) -> None:
        """Start over after WLED has restarted."""
        self.doubt_picture()
        self.is_ready = False
        self._asked_s = None
        self._enter(_Stage.VERSION, now_s)

    def _enter(self, stage: _Stage, now_s: float) -> None:
        self._stage = stage
        self._stage_s = now_s
        self._try_count = 0

    def _go_live(self, pixel_count: int | None, now_s: float) -> list[StripEvent]:
        self._enter(_Stage.LIVE, now_s)
        self.is_ready = True
        self._read_back_s = now_s
        return [Ready(StripIdentity(KIND, self._version, pixel_count))]

    def _compare(self, colors: bytes | None) -> None:
        """Send the picture again if the pixels read back differ."""
        shown = self.shown
        if colors is None or shown is None:
            return
        self._asked_s = None
        length = min(len(colors), len(shown.rgb))
        if colors[:length] != shown.rgb[:length]:
            self.doubt_picture()

    # -- sending -----------------------------------------------------------------------------

    def outgoing(self, now_s: float) -> bytes:
        if self._stage is _Stage.VERSION:
            return self._ask_version(now_s)
        if self._stage is _Stage.ABOUT:
            return self._ask_about(now_s)
        out = b""
        if self._try_count == 0:
            self._try_count = 1
            out = b'{"live":true}\n'
        return out + (next_frame(self, now_s, self._baud_rate) or self._read_back(now_s))

    def _ask_version(self, now_s: float) -> bytes:
        if now_s - self._stage_s < self._try_count * VERSION_TRY_S:
            return b""
        if self._try_count == VERSION_TRIES:
            raise NoAnswer(said("No WLED answers on this port. Switch on its serial port or choose the strip's kind."))
        self._try_count += 1
        return b"v" if self._try_count == 1 else FLUSH + b"v"

    def _ask_about(self, now_s: float) -> bytes:
        if self._try_count == 0:
            self._try_count = 1
            return b'{"v":true}\n'
        return b""

    def _read_back(self, now_s: float) -> bytes:
        if self._asked_s is not None:
            if now_s - self._asked_s >= SILENCE_S:
                raise StripLost(said("WLED has stopped answering; check its cable and its power supply"))
            return b""
        if self.shown is None or self.is_busy(now_s) or now_s - self._read_back_s < READ_BACK_S:
            return b""
        self._asked_s = self._read_back_s = now_s
        return b"l"


def _pixel_count(line: bytes) -> int | None:
    """Return the strip's length in WLED's info, or None."""
    about = read_about(line)
    return about.pixel_count if about and MIN_PIXELS <= about.pixel_count <= MAX_PIXELS else None


def _colors(line: bytes) -> bytes | None:
    """Return red, green and blue of each pixel in a JSON list of 0xWWRRGGBB, or None."""
    try:
        return b"".join((int(word) & 0xFFFFFF).to_bytes(3, "big") for word in json.loads(line))
    except (ValueError, TypeError, RecursionError, OverflowError):
        return None


LIGHT = LightKind(
    KIND,
    "WLED",
    message("a WLED controller by USB"),
    BySerial((115_200,), greets_like_adalight),
    lambda start: WledDriver(start.baud_rate, start.now_s),
)
