"""WLED's info about itself, the same by USB and on the network."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class WledAbout:
    """Facts of WLED's ``info``; None where a version lacks them.

    ``is_live``: it shows pictures of some host; ``picture_port``: its port for them as datagrams.
    """

    pixel_count: int
    version: str | None
    limit_ma: int | None
    is_live: bool
    picture_port: int | None


def read_about(answer: bytes) -> WledAbout | None:
    """The facts in an answer in JSON, ``info`` alone or with the state; None if WLED did not write it."""
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
    )


def _count(value: Any) -> int | None:
    """A number from 1 to 65,535, or None."""
    return value if type(value) is int and 0 < value < 65_536 else None
