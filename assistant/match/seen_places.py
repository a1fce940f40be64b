"""Moves of figures in a picture of a table without cells, and a game's readings of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from assistant.match.game import PointMm
from assistant.translations.messages import Said


@dataclass(frozen=True, slots=True)
class SeenPlace:
    """The new place of a figure in a picture.

    Args:
        figure: its name.
        center_mm: the centre of its base.
        elevation_mm: the height of the ground there.
        error_mm: the standard deviation of the distance between both places.
        facing_deg: its facing, from x towards y, or None if the picture does not show it.
    """

    figure: str
    center_mm: PointMm
    elevation_mm: float
    error_mm: float
    facing_deg: float | None = None


@dataclass(frozen=True, slots=True)
class SeenChoice:
    """One reading of a move: in words, and the command for it."""

    text: Said
    command: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class SeenAs:
    """The possible readings of a move in a picture.

    With several choices the picture is ambiguous, and ``question`` asks people. A choice need not be legal: the rules
    decide when somebody gives its command.
    """

    choices: tuple[SeenChoice, ...]
    question: Said | None = None
