"""An Adalight sketch on an Arduino, as hobbyists run it: no answers, and deaf while it writes its LEDs."""

from __future__ import annotations

WRITE_S_PER_PIXEL = 30e-6
DARK_S = 15.0
GREETING_S = 1.0


class FakeAdalight:
    """The sketch: ``receive`` takes arriving bytes, ``take`` returns its output.

    A picture appears with its last byte. Bytes in the next ``30 us`` for each LED are lost, since the processor has its
    interrupts off.
    """

    def __init__(self, pixel_count=60):
        self.pixel_count = pixel_count
        self.shown = bytes(3 * pixel_count)
        self.shown_count = 0
        self.lost_count = 0
        self._buffer = bytearray()
        self._deaf_until_s = 0.0
        self._heard_s = self._said_s = float("-inf")

    def receive(self, data: bytes, start_s: float, byte_s: float = 10 / 115_200) -> float:
        """Take bytes one after the other from a moment on; return when the last one is in."""
        for byte in data:
            start_s += byte_s
            if start_s < self._deaf_until_s:
                self.lost_count += 1
                continue
            self._heard_s = start_s
            self._buffer.append(byte)
            self._look(start_s)
        return start_s

    def _look(self, now_s: float) -> None:
        head = self._buffer[:6]
        if not b"Ada".startswith(bytes(head[:3])):
            del self._buffer[0]
            return
        if len(head) < 6:
            return
        high, low, check = head[3:]
        if check != high ^ low ^ 0x55:
            del self._buffer[0]
            return
        length = 3 * (high * 256 + low + 1)
        if len(self._buffer) == 6 + length:
            self.shown = bytes(self._buffer[6:])
            self.shown_count += 1
            self._buffer.clear()
            self._deaf_until_s = now_s + WRITE_S_PER_PIXEL * self.pixel_count

    def take(self, now_s: float) -> bytes:
        """Return the greeting, once a second while nothing arrives; the strip goes dark after fifteen."""
        if now_s - self._heard_s > DARK_S:
            self.shown = bytes(len(self.shown))
        if now_s - max(self._heard_s, self._said_s) < GREETING_S:
            return b""
        self._said_s = now_s
        return b"Ada\n"
