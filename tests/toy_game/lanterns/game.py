"""Lanterns, as Sightline finds it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assistant.match.games import Game
from lanterns.rules import Lanterns

if TYPE_CHECKING:
    from assistant.match.system import MatchSystem


def _match() -> MatchSystem:
    from lanterns.match import SYSTEM  # noqa: PLC0415 - who only rules does not wait for it

    return SYSTEM


GAME = Game(title="Lanterns", package="lanterns", rule_set=Lanterns, match=_match)
