"""A kind of light: its name, how to reach it, and its driver.

Each file in ``hardware.protocols`` describes its light in a value ``LIGHT``. ``hardware.registry`` finds them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from hardware.driver import Driver


@dataclass(frozen=True, slots=True)
class Start:
    """The facts at the start of a conversation.

    ``baud_rate`` is 0 on a network. ``pixel_count`` applies to a strip that cannot report its own length.
    """

    now_s: float
    baud_rate: int
    pixel_count: int


@dataclass(frozen=True, slots=True)
class BySerial:
    """A light on a serial port.

    ``baud_rates`` are tried in this order. ``hears`` decides whether a device's first bytes may be this light's
    greeting. ``further_rates`` are also tried if the user names this kind.
    """

    baud_rates: tuple[int, ...]
    hears: Callable[[bytes], bool]
    further_rates: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class ByNetwork:
    """A host on the network. It gets pictures as datagrams and questions as HTTP requests.

    The questions repeat. The driver receives each answer as one line, empty if the host has no content. A driver sends
    no picture before its host's first answer.

    ``scheme`` begins its addresses (``wled://192.168.1.40``). ``service`` is its announced mDNS service, if any.
    ``told_port`` extracts the picture port from an answer, if the light has a setting for it.
    """

    scheme: str
    picture_port: int
    question: str
    service: str | None = None
    told_port: Callable[[bytes], int | None] | None = None

    baud_rates: ClassVar[tuple[int, ...]] = (0,)
    further_rates: ClassVar[tuple[int, ...]] = ()


@dataclass(frozen=True, slots=True)
class LightKind:
    """A kind of light.

    Settings use ``id``, sentences ``name``, lists ``about``. The last two are messages, translated on display.
    ``is_sure``: its answers prove its kind. Other kinds count only if no sure one fits.
    """

    id: str
    name: str
    about: str
    reach: BySerial | ByNetwork
    begin: Callable[[Start], Driver]
    is_sure: bool = True

    @property
    def is_awaited(self) -> bool:
        """Whether the link waits for its greeting before writing. The link polls a network host instead."""
        return isinstance(self.reach, BySerial)

    def is_greeting(self, heard: bytes) -> bool:
        """Return whether a device's first bytes may be this light's greeting."""
        return isinstance(self.reach, BySerial) and self.reach.hears(heard)
