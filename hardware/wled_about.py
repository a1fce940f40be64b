"""What a WLED controller tells about itself, by USB and on the network alike."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class WledAbout:
    """Out of WLED's ``info``; None where a version does not tell.

    ``is_live`` says that it shows pictures of some host, ``picture_port`` where it takes them as datagrams.
    """

    pixel_count: int
    version: str | None
    limit_ma: int | None
    is_live: bool
    picture_port: int | None


def read_about(answer: bytes) -> WledAbout | None:
    """What an answer in JSON tells, ``info`` alone or with the state; None when it is not WLED's."""
    try:
        told = json.loads(answer)
        told = told.get("info", told)
        leds = told["leds"]
        pixel_count = _count(leds["count"])
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None
    if pixel_count is None:
        return None
    version = told.get("ver")
    return WledAbout(
        pixel_count,
        version if isinstance(version, str) else None,
        _count(leds.get("maxpwr")),
        told.get("live") is True,
        _count(told.get("udpport")),
    )


def _count(value: Any) -> int | None:
    """A number from 1 to 65,535, or None."""
    return value if type(value) is int and 0 < value < 65_536 else None
