"""A skirmish of `roads` as data: the warbands with their values, abilities and weapons."""

from __future__ import annotations

from msgspec import Struct

from assistant.match.game import Count, Name, PositiveCount


class FighterSetup(Struct, frozen=True, kw_only=True):
    """A model of a warband: its characteristics (C1), attack dice and abilities.

    ``hates`` names the sides or kinds that it hates. The fragment of the rules does not say when wounds put
    a model out; ``out_at`` is the number of wounds that does, None where people decide it.
    """

    id: Name
    side: Name
    mobility: Count
    toughness: Count
    spirit: Count
    combat: Count
    kind: Name = "fighter"
    dice: PositiveCount = 1
    weapons: tuple[Name, ...] = ("fists",)
    center_mm: tuple[float, float] | None = None
    is_leader: bool = False
    on_foot: bool = True
    shield: bool = False
    painless: bool = False
    frenzy: bool = False
    stupid: bool = False
    fear: bool = False
    terror: bool = False
    hates: tuple[Name, ...] = ()
    out_at: PositiveCount | None = None


class SetupRoads(Struct, frozen=True, kw_only=True):
    """The models of all sides; ``sides`` is the order of their turns."""

    skirmish: Name
    sides: tuple[Name, ...]
    fighters: tuple[FighterSetup, ...]
