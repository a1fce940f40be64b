"""A WLED controller's serial port in memory, checked against sessions recorded from WLED's own parser.

Written from how WLED behaves on its serial line (one state machine that never forgets, a lenient JSON
reader that stops at the first error), not from its code.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field

BUILD = 2605010
BAUD_RATES = (115_200, 230_400, 460_800, 500_000, 576_000, 921_600, 1_000_000, 1_500_000)
NESTING = 10
IMPROV = b"IMPROV\x01\x03"
SPACES = b" \t\r\n"
WORD = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_`abcdefghijklmnopqrstuvwxyz+-."
ESCAPED = dict(zip(b"\"\\/bfnrt'", b"\"\\/\b\f\n\r\t'", strict=True))


class JsonError(Exception):
    """The text is no JSON, not even for a lenient reader. It carries no detail, as in WLED."""


class LenientJson:
    """Reads one JSON value from the front of the bytes, as far as they reach.

    Keys may be bare words, quotes single. ``used`` counts the consumed bytes: to the end of the value, or up to and
    including the wrong byte.
    """

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0
        self._peeked = False

    @property
    def used(self) -> int:
        return min(len(self._data), self._at + self._peeked)

    def _current(self) -> int:
        self._peeked = True
        return self._data[self._at] if self._at < len(self._data) else 0

    def _move(self) -> None:
        self._at += 1
        self._peeked = False

    def _eat(self, byte: bytes) -> bool:
        if self._current() != byte[0]:
            return False
        self._move()
        return True

    def _expect(self, byte: bytes) -> None:
        if not self._eat(byte):
            raise JsonError

    def _skip_spaces(self) -> None:
        while self._current() in SPACES:
            self._move()
        if self._current() == 0:
            raise JsonError

    def value(self, depth: int = NESTING) -> object:
        self._skip_spaces()
        first = self._current()
        if first in b"{[":
            if depth == 0:
                raise JsonError
            return self._object(depth - 1) if first == ord("{") else self._array(depth - 1)
        if first in b"\"'":
            return self._quoted()
        return self._plain(self._word(63))

    def _object(self, depth: int) -> dict[str, object]:
        self._expect(b"{")
        found: dict[str, object] = {}
        self._skip_spaces()
        if self._eat(b"}"):
            return found
        while True:
            key = self._quoted() if self._current() in b"\"'" else self._bare()
            self._skip_spaces()
            self._expect(b":")
            found[key] = self.value(depth)
            self._skip_spaces()
            if self._eat(b"}"):
                return found
            self._expect(b",")
            self._skip_spaces()

    def _array(self, depth: int) -> list[object]:
        self._expect(b"[")
        found: list[object] = []
        self._skip_spaces()
        if self._eat(b"]"):
            return found
        while True:
            found.append(self.value(depth))
            self._skip_spaces()
            if self._eat(b"]"):
                return found
            self._expect(b",")

    def _word(self, most: int) -> bytes:
        text = bytearray()
        while self._current() in WORD and len(text) < most:
            text.append(self._current())
            self._move()
        return bytes(text)

    def _bare(self) -> str:
        word = self._word(len(self._data))
        if not word:
            raise JsonError
        return word.decode("ascii")

    def _quoted(self) -> str:
        stop = self._current()
        self._move()
        text = bytearray()
        while (byte := self._current()) != stop:
            self._move()
            if byte == 0:
                raise JsonError
            if byte == ord("\\"):
                byte = self._escaped()
            text.append(byte)
        self._move()
        return text.decode("latin-1")

    def _escaped(self) -> int:
        letter = self._current()
        if letter == ord("u"):
            self._move()
            for _ in range(4):
                if chr(self._current()) not in "0123456789abcdefABCDEF":
                    raise JsonError
                self._move()
            return ord("?")
        if letter not in ESCAPED:
            raise JsonError
        self._move()
        return ESCAPED[letter]

    @staticmethod
    def _plain(word: bytes) -> object:
        # Of the three names only the first letter and the length are looked at.
        for name, meaning in ((b"true", True), (b"false", False), (b"null", None)):
            if word[:1] == name[:1]:
                if len(word) != len(name):
                    raise JsonError
                return meaning
        try:
            return float(word + b"0" if word[-1:] in (b"e", b"E") else word)
        except ValueError:
            raise JsonError from None


@dataclass
class WledParser:
    """The serial port alone: ``receive`` takes the bytes of one loop, ``take`` returns its answer."""

    pixel_count: int = 20
    about: dict[str, object] = field(default_factory=lambda: {"state": {"on": True}, "info": {"vid": BUILD}})

    def __post_init__(self) -> None:
        self.pixels = [(0, 0, 0)] * self.pixel_count
        self.shown = list(self.pixels)
        self.log = ""
        self.baud_rate = BAUD_RATES[0]
        self.is_live = False
        self.is_overridden = False
        self._streams = False
        self._state = self._idle
        self._out = bytearray()
        self._left = 0
        self._pixel = 0
        self._check = 0
        self._color: list[int] = []

    def take(self) -> bytes:
        out = bytes(self._out)
        self._out.clear()
        return out

    def receive(self, data: bytes) -> None:
        self._waiting = bytearray(data)
        while self._waiting:
            byte = self._waiting[0]
            is_over = self._state(byte)
            if self._streams and byte != ord("O"):
                self._streams = False
            del self._waiting[: 0 if is_over else 1]
        if self._streams:
            self._say_tpm2()

    # -- states: each takes the byte in front; True when it has taken it (and more) itself -------

    def _idle(self, byte: int) -> bool:
        commands = {
            ord("A"): lambda: self._go(self._header_d),
            0xC9: lambda: self._go(self._tpm2_kind),
            ord("I"): self._improv,
            ord("v"): lambda: self._say(b"WLED %d\r\n" % BUILD),
            ord("l"): self._say_list,
            ord("L"): self._say_tpm2,
            ord("o"): lambda: setattr(self, "_streams", False),
            ord("O"): lambda: setattr(self, "_streams", True),
            ord("{"): self._json,
        }
        if 0xB0 <= byte <= 0xB7:
            self._set_baud_rate(BAUD_RATES[byte - 0xB0])
        elif byte in commands:
            return bool(commands[byte]())
        return False

    def _go(self, state) -> None:
        self._state = state

    def _header_d(self, byte: int) -> None:
        self._state = self._header_a if byte == ord("d") else self._idle

    def _header_a(self, byte: int) -> None:
        self._state = self._count_high if byte == ord("a") else self._idle

    def _count_high(self, byte: int) -> None:
        self._begin()
        self._left, self._check = byte * 256, byte
        self._state = self._count_low

    def _count_low(self, byte: int) -> None:
        self._left += byte + 1
        self._check ^= byte ^ 0x55
        self._state = self._header_check

    def _header_check(self, byte: int) -> None:
        self._state = self._data if byte == self._check else self._idle

    def _tpm2_kind(self, byte: int) -> None:
        self._state = self._tpm2_high if byte == 0xDA else self._idle
        if byte == 0xAA:
            self._say(b"\xac")

    def _tpm2_high(self, byte: int) -> None:
        self._begin()
        self._left = byte * 256 // 3
        self._state = self._tpm2_low

    def _tpm2_low(self, byte: int) -> None:
        self._left += byte // 3
        self._state = self._data

    def _begin(self) -> None:
        self._pixel = 0
        self._color = []

    def _data(self, byte: int) -> None:
        self._color.append(byte)
        if len(self._color) < 3:
            return
        if not self.is_overridden and self._pixel < self.pixel_count:
            self.pixels[self._pixel] = tuple(self._color)
        self._pixel += 1
        self._color = []
        # A count of nothing wraps round: sixteen bits.
        self._left = (self._left - 1) % 65536
        if self._left == 0:
            self._state = self._idle
            self._lock(2500, 5)
            if not self.is_overridden:
                self._show()

    # -- its behaviour -------------------------------------------------------------------------

    def _say(self, data: bytes) -> None:
        self._out += data

    def _lock(self, timeout_ms: int, mode: int) -> None:
        self.log += f"lock {timeout_ms} {mode}|"
        if not self.is_live and not self.is_overridden:
            self.pixels = [(0, 0, 0)] * self.pixel_count
        self.is_live = True

    def _show(self) -> None:
        self.log += "show|"
        self.shown = list(self.pixels)

    def _say_list(self) -> None:
        words = (str(red << 16 | green << 8 | blue) for red, green, blue in self.pixels)
        self._say(("[" + ",".join(words) + "]\r\n").encode())

    def _say_tpm2(self) -> None:
        colors = bytes(value for pixel in self.pixels for value in pixel)
        self._say(b"\xc9\xda" + len(colors).to_bytes(2, "big") + colors + b"\x36\n")

    def _set_baud_rate(self, baud_rate: int) -> None:
        if baud_rate == self.baud_rate:
            return
        self.baud_rate = baud_rate
        self.log += f"begin {baud_rate}|"
        self._say(b"Baud is now %d\r\n" % baud_rate)

    def _improv(self) -> bool:
        """Consume a packet of another protocol as far as it looks like one."""
        taken = 0
        while taken < len(self._waiting):
            taken += 1
            if taken <= len(IMPROV) and self._waiting[taken - 1] != IMPROV[taken - 1]:
                break
        del self._waiting[:taken]
        return True

    def _json(self) -> bool:
        reader = LenientJson(bytes(self._waiting))
        try:
            wish = reader.value()
        except JsonError:
            wish = None
        # One byte more than the value goes with it: a line end should stand there.
        del self._waiting[: reader.used + 1]
        self._streams = False
        if isinstance(wish, dict):
            self.log += "json|"
            self._obey(wish)
        return True

    def _obey(self, wish: dict[str, object]) -> None:
        if wish.get("v") is True:
            self._say(json.dumps(self.about, separators=(",", ":")).encode() + b"\r\n")


class FakeWled(WledParser):
    """The port with its controller: the live mode and the user's override."""

    def __post_init__(self) -> None:
        self.about = {"state": {"on": True}, "info": {"vid": BUILD, "leds": {"count": self.pixel_count}}}
        super().__post_init__()

    def _obey(self, wish: dict[str, object]) -> None:
        if "lor" in wish:
            self.is_overridden = bool(wish["lor"])
        if wish.get("live") is True:
            self._lock(65000, 1)
        elif wish.get("live") is False:
            self.is_live = False
        super()._obey(wish)
