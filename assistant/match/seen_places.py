"""A figure that a picture of a table without cells shows elsewhere, and what a game takes that for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from assistant.match.game import PointMm
from assistant.translations.messages import Said


@dataclass(frozen=True, slots=True)
class SeenPlace:
    """Where a picture shows a figure that stood elsewhere.

    Args:
        figure: its name.
        center_mm: where its base is now.
        elevation_mm: how high it stands there.
        error_mm: the standard deviation of the way between both places.
        facing_deg: where it looks, from x towards y; None where the picture does not tell.
    """

    figure: str
    center_mm: PointMm
    elevation_mm: float
    error_mm: float
    facing_deg: float | None = None


@dataclass(frozen=True, slots=True)
class SeenChoice:
    """One answer to what a move was: in words, and the command that says so."""

    text: Said
    command: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class SeenAs:
    """What a game takes a move for that a picture shows.

    One choice is what it was; of several the picture does not tell which, and ``question`` asks people. A choice need
    not be legal: whoever gives the command is told what the rules say to it.
    """

    choices: tuple[SeenChoice, ...]
    question: Said | None = None
