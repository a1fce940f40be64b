"""The one word that an answer comes down to, and what is written above it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from assistant.rules.ruling import Ruling, Verdict
from assistant.translations.messages import message

ShotVerdict = Literal["clear", "cover", "blocked"]

HEADLINES: Mapping[ShotVerdict, str] = {
    "clear": message("Clear shot"),
    "cover": message("Shot into cover"),
    "blocked": message("No line of sight"),
}


def verdict_of(ruling: Ruling | Verdict) -> ShotVerdict:
    """The one word that a ruling comes down to."""
    if not ruling.line_of_sight:
        return "blocked"
    return "cover" if ruling.cover else "clear"
