"""What describes a kind of light: how it is called, how it is reached, and who speaks with it.

Each file in ``hardware.protocols`` describes its light in a value ``LIGHT``; ``hardware.registry`` finds them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from hardware.driver import Driver


@dataclass(frozen=True, slots=True)
class Start:
    """What a conversation knows when it begins.

    ``baud_rate`` is the line's; ``pixel_count`` is the length of a strip that cannot tell its own.
    """

    now_s: float
    baud_rate: int
    pixel_count: int


@dataclass(frozen=True, slots=True)
class BySerial:
    """A light on a serial port.

    ``baud_rates`` are tried in this order; ``hears`` tells whether the bytes that a device has said unasked may be
    this light's greeting.
    """

    baud_rates: tuple[int, ...]
    hears: Callable[[bytes], bool]


@dataclass(frozen=True, slots=True)
class LightKind:
    """A kind of light.

    ``id`` is what settings call it, ``name`` what a sentence does, ``about`` one line for people who choose.
    ``is_sure`` says that its answers prove what it is; a light without is believed only when no other fits.
    """

    id: str
    name: str
    about: str
    reach: BySerial
    begin: Callable[[Start], Driver]
    is_sure: bool = True

    def is_greeting(self, heard: bytes) -> bool:
        """Whether what a device has said unasked may be this light's greeting."""
        return self.reach.hears(heard)
