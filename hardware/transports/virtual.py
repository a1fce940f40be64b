"""The virtual strip at the port ``virtual``, with a readable picture.

It answers like the firmware, byte for byte, so that the whole path from view to pixels runs. Tests and the page unplug
it, deafen it and press its button.
"""

from __future__ import annotations

from collections.abc import Callable

from assistant.errors import PortNotFound, StripLost
from assistant.translations.messages import said
from hardware import messages
from hardware.light import MAX_PIXELS, LightFrame
from hardware.messages import (
    MESSAGE_PIXELS,
    PROTOCOL_VERSION,
    ButtonAction,
    FrameReader,
    Message,
    Pixels,
    Received,
    Refusal,
    encode,
)
from hardware.port import PortPlace

PORT_NAME = "virtual"
HOST_GONE_S = 3.0
BEACON_S = 0.5
EVENT_RESEND_S = 0.1
GONE_STRIDE = 8
GONE_PIXEL = (8, 8, 16)


class VirtualStrip:
    """A strip in memory with Sightline's firmware, dark at first.

    ``clock`` is monotonic. Timed changes happen at the next call. ``limit_ma`` 0 is no limit.
    """

    def __init__(self, clock: Callable[[], float], *, pixel_count: int = 60, limit_ma: int = 0) -> None:
        self._clock = clock
        self._pixel_count = pixel_count
        self._limit_ma = limit_ma
        self.is_plugged_in = True
        self.is_deaf = False
        self._event_count = 0
        self._start()

    def _start(self) -> None:
        """Start as at power-on."""
        self._reader = FrameReader()
        self._out = bytearray()
        self._frame = LightFrame(bytes(3 * self._pixel_count))
        self._buffer = bytearray()
        self._picture = 0
        self._has_host = self._has_left = False
        self._heard_s = self._beacon_s = self._event_s = float("-inf")
        self._events: list[messages.Button] = []
        self.shown_count = 0  # pictures since power-on

    @property
    def frame(self) -> LightFrame:
        """The current picture, a faint pattern once the host has vanished without a goodbye."""
        self._note_time()
        if self._has_host or self._has_left:
            return self._frame
        dark = (0, 0, 0)
        pattern = (GONE_PIXEL if n % GONE_STRIDE == 0 else dark for n in range(self._pixel_count))
        return LightFrame(bytes(value for pixel in pattern for value in pixel))

    def press(self, action: ButtonAction = ButtonAction.PRESSED) -> None:
        """Press, release or hold the button. Without a host nothing receives it."""
        self._note_time()
        if self._has_host:
            self._event_count += 1
            self._events.append(messages.Button(self._event_count % 256, action))

    def unplug(self) -> None:
        """Pull the cable, which cuts power and data."""
        self.is_plugged_in = False
        self._start()

    def plug_in(self) -> None:
        """Plug the cable in again."""
        self.is_plugged_in = True

    def write(self, data: bytes) -> None:
        """Take bytes from the host."""
        self._note_time()
        if self.is_deaf:
            return
        for item in self._reader.feed(data):
            if isinstance(item, Received):
                self._heard_s = self._clock()
                self._obey(item.message, item.seq)
            elif self._has_host:
                self._answer(messages.Nak(Refusal.DAMAGED), 0)

    def read(self) -> bytes:
        """Return the bytes to the host since the last call."""
        self._note_time()
        now_s = self._clock()
        if not self._has_host and now_s - self._beacon_s >= BEACON_S:
            self._beacon_s = now_s
            self._welcome(0)
        if self._events and now_s - self._event_s >= EVENT_RESEND_S:
            self._event_s = now_s
            self._answer(self._events[0], 0)
        out = bytes(self._out)
        self._out.clear()
        return b"" if self.is_deaf else out

    def _note_time(self) -> None:
        if self._has_host and self._clock() - self._heard_s >= HOST_GONE_S:
            self._has_host = False
            self._events.clear()

    def _answer(self, message: Message, seq: int) -> None:
        self._out += encode(message, seq)

    def _welcome(self, seq: int) -> None:
        self._answer(messages.Welcome(PROTOCOL_VERSION, 1, 0, self._pixel_count, self._limit_ma, MESSAGE_PIXELS), seq)

    def _obey(self, message: Message, seq: int) -> None:
        if isinstance(message, messages.Hello):
            self._has_host, self._has_left = True, False
            self._events.clear()
            self._buffer.clear()
            self._welcome(seq)
        elif not self._has_host:
            self._answer(messages.Nak(Refusal.HELLO_FIRST), seq)
        else:
            self._obey_host(message, seq)

    def _obey_host(self, message: Message, seq: int) -> None:
        match message:
            case Pixels():
                refusal = self._take(message)
                self._answer(messages.Ack() if refusal is None else messages.Nak(refusal), seq)
            case messages.Ping():
                self._answer(messages.Pong(self.shown_count % 65536, 0, 0), seq)
            case messages.Seen(number):
                if self._events and self._events[0].number == number:
                    del self._events[0]
                    self._event_s = float("-inf")
            case messages.Configure(pixel_count, limit_ma):
                if 1 <= pixel_count <= MAX_PIXELS and (limit_ma == 0 or limit_ma >= pixel_count):
                    self._pixel_count, self._limit_ma = pixel_count, limit_ma
                    self._frame = LightFrame(bytes(3 * pixel_count))
                self._welcome(seq)
            case messages.Bye():
                self._has_host, self._has_left = False, True
                self._frame = LightFrame(bytes(3 * self._pixel_count))
                self._answer(messages.Ack(), seq)
            case _:
                self._answer(messages.Nak(Refusal.UNKNOWN), seq)

    def _take(self, pixels: Pixels) -> Refusal | None:
        if pixels.first + len(pixels.rgb) // 3 > MAX_PIXELS:
            return Refusal.UNKNOWN
        if pixels.first == 0:
            self._picture = pixels.picture
            self._buffer.clear()
        if pixels.picture != self._picture or 3 * pixels.first > len(self._buffer):
            return Refusal.INCOMPLETE
        start = 3 * pixels.first
        self._buffer[start : start + len(pixels.rgb)] = pixels.rgb
        if not pixels.is_shown:
            return None
        # Pixels beyond a short picture go dark.
        frame = LightFrame(bytes(self._buffer).ljust(3 * self._pixel_count, b"\0"))
        if self._limit_ma and frame.current_ma > self._limit_ma:
            return Refusal.OVER_LIMIT
        self._frame = frame
        self.shown_count += 1
        return None


class VirtualFinder:
    """Finds the virtual strip while it is plugged in."""

    def __init__(self, strip: VirtualStrip) -> None:
        self._strip = strip

    def places(self) -> list[PortPlace]:
        return [PortPlace(PORT_NAME)] if self._strip.is_plugged_in else []

    def open(self, place: PortPlace, baud_rate: int) -> VirtualPort:
        if not self._strip.is_plugged_in:
            raise PortNotFound(said("The virtual strip is unplugged. Plug it in."))
        return VirtualPort(self._strip)


class VirtualPort:
    """The cable to a virtual strip."""

    def __init__(self, strip: VirtualStrip) -> None:
        self._strip = strip

    def read(self) -> bytes:
        self._check()
        return self._strip.read()

    def write(self, data: bytes) -> None:
        self._check()
        self._strip.write(data)

    def close(self) -> None:
        """Do nothing: the strip notices the silence."""

    def _check(self) -> None:
        if not self._strip.is_plugged_in:
            raise StripLost(said("The virtual strip is unplugged. Plug it in."))
