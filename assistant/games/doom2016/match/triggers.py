"""Threat and objective cards as triggers of a mission: what happens when, and what it brings about.

“В каждой миссии присутствует карта Угрозы, которая определяет какие использовать порталы для призыва демонов”; “карта
Задач … описывает условия победы” (seed 001). The cards themselves are in no source, so a mission composes them.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from assistant.match.game import Cells, Name, PositiveCount

Moment = Literal["door_opened", "area_entered", "status"]
"""A marine opens a door; a marine enters an area, however he comes there; a round's status phase begins."""


class SummonFrom(Struct, frozen=True, kw_only=True, tag_field="outcome", tag="summon"):
    """The invader summons at once from these portals, as far as they still lie on the board."""

    portals: tuple[Name, ...]


class GainThreat(Struct, frozen=True, kw_only=True, tag_field="outcome", tag="threat"):
    """The invader takes threat tokens, with which he summons at the start of a status phase (“Натиск”)."""

    count: PositiveCount = 1


class WinMission(Struct, frozen=True, kw_only=True, tag_field="outcome", tag="win"):
    """The mission ends at once in favour of a side."""

    side: Name


Outcome = SummonFrom | GainThreat | WinMission


class Trigger(Struct, frozen=True, kw_only=True):
    """One sentence of a threat or objective card.

    ``door`` names the door that counts, None for any; ``area`` the cells of an area; ``round`` the round whose status
    phase counts, None for every one. With ``once`` it happens a single time.
    """

    name: Name
    card: Literal["threat", "objective"]
    on: Moment
    outcomes: tuple[Outcome, ...]
    door: Name | None = None
    area: Cells = ()
    round: PositiveCount | None = None
    once: bool = True
