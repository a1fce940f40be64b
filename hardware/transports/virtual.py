"""The virtual strip, chosen by the port name ``virtual``: what it shows can be read back.

It answers like the firmware does, byte for byte, so that the whole path from view to pixels is walked;
it can be unplugged, made deaf and its button pressed.
"""

from __future__ import annotations

from collections.abc import Callable

from assistant.errors import PortNotFound, StripLost
from assistant.translations.messages import said
from hardware.light import MAX_PIXELS, LightFrame
from hardware.messages import (
    MESSAGE_PIXELS,
    PROTOCOL_VERSION,
    Ack,
    Button,
    ButtonAction,
    Bye,
    Configure,
    FrameReader,
    Hello,
    Message,
    Nak,
    Ping,
    Pixels,
    Pong,
    Received,
    Refusal,
    Seen,
    Welcome,
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

    Args:
        clock: seconds that only go forward; what happens by time happens when the strip is looked at.
        pixel_count: its length.
        limit_ma: what it allows to be drawn; 0 for no limit.
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
        """As when power comes on."""
        self._reader = FrameReader()
        self._out = bytearray()
        self._frame = LightFrame(bytes(3 * self._pixel_count))
        self._buffer = bytearray()
        self._picture = 0
        self._has_host = self._has_left = False
        self._heard_s = self._beacon_s = self._event_s = float("-inf")
        self._events: list[Button] = []
        self.shown_count = 0  # pictures since power came on

    @property
    def frame(self) -> LightFrame:
        """What the strip shows now; a faint pattern when the host has gone without a word."""
        self._note_time()
        if self._has_host or self._has_left:
            return self._frame
        dark = (0, 0, 0)
        pattern = (GONE_PIXEL if n % GONE_STRIDE == 0 else dark for n in range(self._pixel_count))
        return LightFrame(bytes(value for pixel in pattern for value in pixel))

    def press(self, action: ButtonAction = ButtonAction.PRESSED) -> None:
        """Does something to the button; without a host nobody hears it."""
        self._note_time()
        if self._has_host:
            self._event_count += 1
            self._events.append(Button(self._event_count % 256, action))

    def unplug(self) -> None:
        """Pulls the cable: power and line are gone."""
        self.is_plugged_in = False
        self._start()

    def plug_in(self) -> None:
        """Puts the cable back."""
        self.is_plugged_in = True

    def write(self, data: bytes) -> None:
        """Takes bytes from the host."""
        self._note_time()
        if self.is_deaf:
            return
        for item in self._reader.feed(data):
            if isinstance(item, Received):
                self._heard_s = self._clock()
                self._obey(item.message, item.seq)
            elif self._has_host:
                self._answer(Nak(Refusal.DAMAGED), 0)

    def read(self) -> bytes:
        """The bytes to the host since the last call."""
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
        self._answer(Welcome(PROTOCOL_VERSION, 1, 0, self._pixel_count, self._limit_ma, MESSAGE_PIXELS), seq)

    def _obey(self, message: Message, seq: int) -> None:
        if isinstance(message, Hello):
            self._has_host, self._has_left = True, False
            self._events.clear()
            self._buffer.clear()
            self._welcome(seq)
        elif not self._has_host:
            self._answer(Nak(Refusal.HELLO_FIRST), seq)
        else:
            self._obey_host(message, seq)

    def _obey_host(self, message: Message, seq: int) -> None:
        match message:
            case Pixels():
                refusal = self._take(message)
                self._answer(Ack() if refusal is None else Nak(refusal), seq)
            case Ping():
                self._answer(Pong(self.shown_count % 65536, 0, 0), seq)
            case Seen(number):
                if self._events and self._events[0].number == number:
                    del self._events[0]
                    self._event_s = float("-inf")
            case Configure(pixel_count, limit_ma):
                if 1 <= pixel_count <= MAX_PIXELS and (limit_ma == 0 or limit_ma >= pixel_count):
                    self._pixel_count, self._limit_ma = pixel_count, limit_ma
                    self._frame = LightFrame(bytes(3 * pixel_count))
                self._welcome(seq)
            case Bye():
                self._has_host, self._has_left = False, True
                self._frame = LightFrame(bytes(3 * self._pixel_count))
                self._answer(Ack(), seq)
            case _:
                self._answer(Nak(Refusal.UNKNOWN), seq)

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
        # Pixels behind a short picture go dark.
        frame = LightFrame(bytes(self._buffer).ljust(3 * self._pixel_count, b"\0"))
        if self._limit_ma and frame.current_ma > self._limit_ma:
            return Refusal.OVER_LIMIT
        self._frame = frame
        self.shown_count += 1
        return None


class VirtualFinder:
    """Finds the virtual strip while it is plugged in; see ``hardware.port.PortFinder``."""

    def __init__(self, strip: VirtualStrip) -> None:
        self._strip = strip

    def places(self) -> list[PortPlace]:
        """The one place, or none."""
        return [PortPlace(PORT_NAME)] if self._strip.is_plugged_in else []

    def open(self, place: PortPlace, baud_rate: int) -> VirtualPort:
        """A cable to the strip, at any rate.

        Raises:
            PortNotFound: it is unplugged.
        """
        if not self._strip.is_plugged_in:
            raise PortNotFound(said("the virtual strip is unplugged; plug it in"))
        return VirtualPort(self._strip)


class VirtualPort:
    """The cable to a virtual strip; see ``hardware.port.Port``."""

    def __init__(self, strip: VirtualStrip) -> None:
        self._strip = strip

    def read(self) -> bytes:
        """What the strip has said.

        Raises:
            StripLost: it is unplugged.
        """
        self._check()
        return self._strip.read()

    def write(self, data: bytes) -> None:
        """Sends bytes to the strip.

        Raises:
            StripLost: it is unplugged.
        """
        self._check()
        self._strip.write(data)

    def close(self) -> None:
        """Lets go of the cable; the strip then notices the silence."""

    def _check(self) -> None:
        if not self._strip.is_plugged_in:
            raise StripLost(said("the virtual strip is unplugged; plug it in"))
