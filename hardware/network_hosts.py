"""Network hosts: their presence, from answers to repeated questions, and WLED's info about itself.

WLED sends the same info by USB.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, ClassVar

from assistant.errors import NoAnswer, StripLost
from assistant.translations.messages import said
from hardware.driver import Driver, Ready, StripEvent, StripIdentity
from hardware.light import LightFrame

ANSWER_S = 8.0
"""Timeout for the first answer, with time for a name lookup or an announcement."""
SILENCE_S = 7.0
"""Timeout for later answers. A question waits 2 s and the next follows 2 s later, so one may get lost on the radio."""


class Presence:
    """Splits the host's answers into lines and tracks its presence. ``now_s`` is the time of the first question."""

    def __init__(self, now_s: float) -> None:
        self._heard_s = now_s
        self._has_heard = False
        self._rest = b""

    def lines(self, data: bytes) -> list[bytes]:
        """Return the complete answers. An empty one only proves the host's presence."""
        *lines, self._rest = (self._rest + data).split(b"\n")
        return lines

    def note(self, now_s: float) -> None:
        """Note an answer of the light."""
        self._heard_s = now_s
        self._has_heard = True

    def check(self, now_s: float) -> None:
        """Raise ``NoAnswer`` or ``StripLost`` after too long a silence."""
        silent_s = now_s - self._heard_s
        if not self._has_heard and silent_s >= ANSWER_S:
            raise NoAnswer(said("The light does not answer on the network. Check its address and its power supply."))
        if self._has_heard and silent_s >= SILENCE_S:
            raise StripLost(said("The light has stopped answering. Check its power supply and the wireless network."))


@dataclass(frozen=True, slots=True)
class WledAbout:
    """Facts of WLED's ``info``, None if a version lacks them.

    ``is_live``: it shows some host's pictures. ``picture_port``: its port for their datagrams.
    """

    pixel_count: int
    version: str | None
    limit_ma: int | None
    is_live: bool
    picture_port: int | None
    shown_by: str = ""
    """The source of its present pictures, in WLED's words."""


def read_about(answer: bytes) -> WledAbout | None:
    """Return the facts in an answer in JSON, ``info`` alone or with the state, or None if WLED did not write it."""
    try:
        info = json.loads(answer)
        info = info.get("info", info)
        leds = info["leds"]
        pixel_count = _count(leds["count"])
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None
    if pixel_count is None:
        return None
    version = info.get("ver")
    return WledAbout(
        pixel_count,
        version if isinstance(version, str) else None,
        _count(leds.get("maxpwr")),
        info.get("live") is True,
        _count(info.get("udpport")),
        " ".join(part for part in (info.get("lm"), info.get("lip")) if isinstance(part, str) and part)[:80],
    )


def _count(value: Any) -> int | None:
    """Return a number from 1 to 65,535, or None."""
    return value if type(value) is int and 0 < value < 65_536 else None


class SilentLight(Driver):
    """The host's end of a protocol without answers to datagrams. Any answer by HTTP makes it ready.

    Args:
        pixel_count: the strip's length if the light does not report its own.
        now_s: the time of the first question.
    """

    kind: ClassVar[str]

    def __init__(self, pixel_count: int, now_s: float) -> None:
        super().__init__()
        self._pixel_count = pixel_count
        self._presence = Presence(now_s)

    def receive(self, data: bytes, now_s: float) -> list[StripEvent]:
        """Become ready at the first answer, with the strip's length if the host reports it as WLED does."""
        lines = self._presence.lines(data)
        if lines:
            self._presence.note(now_s)
        if self.is_ready or not lines:
            return []
        self.is_ready = True
        about = read_about(lines[-1])
        return [Ready(StripIdentity(self.kind, pixel_count=about.pixel_count if about else None))]

    def picture_due(self, now_s: float, rest_s: float) -> LightFrame | None:
        """Return the picture to send now, at least ``rest_s`` after the last one.

        Raises:
            NoAnswer, StripLost: the light has been silent for too long.
        """
        self._presence.check(now_s)
        picture = self.next_picture(now_s) if self.is_ready else None
        if picture is not None:
            self.keep_busy(now_s + rest_s)
        return picture

    def dark(self) -> LightFrame:
        """Return a dark picture of the strip's length."""
        return LightFrame(bytes(len(self.shown.rgb) if self.shown else 3 * self._pixel_count))
