"""A skirmish of `roads` as data: the warbands with their values, abilities and weapons."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

from msgspec import Meta, Struct

from assistant.match.game import Count, Name, PositiveCount

Steps = Annotated[float, Meta(ge=0, le=100)]
"""A length in steps of the game; fractions are lengths between full steps."""


class WeaponSetup(Struct, frozen=True, kw_only=True):
    """What is known of a weapon: a blade, a pistol (which strikes in melee, too), a bulky one, or one that is thrown.

    ``range_steps`` is how far it reaches and ``silent`` whether a shot of it gives nobody away. Weapons that a set-up
    does not describe strike in melee and reach as far as people say.
    """

    kind: Literal["melee", "pistol", "bulky", "thrown"] = "melee"
    range_steps: Steps | None = None
    silent: bool = False


class FighterSetup(Struct, frozen=True, kw_only=True):
    """A model of a warband: its characteristics (C1), attack dice and abilities.

    ``hates`` names the sides or kinds that it hates; ``weapons`` are in its hands, ``carries`` what it could draw
    instead. ``leap`` is the X of its giant leap, ``climbs`` false for animals and most machines. The fragment of the
    rules does not say when wounds put a model out, nor how far models go: ``out_at`` is the number of wounds that does,
    and ``walk_steps``, ``run_steps``, ``charge_steps`` are lengths of the house; None where people decide it.
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
    carries: tuple[Name, ...] = ()
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
    climbs: bool = True
    leap: Count = 0
    walk_steps: Steps | None = None
    run_steps: Steps | None = None
    charge_steps: Steps | None = None
    out_at: PositiveCount | None = None


class SetupRoads(Struct, frozen=True, kw_only=True):
    """The models of all sides; ``sides`` is the order of their turns, ``arms`` what is known of the weapons."""

    skirmish: Name
    sides: tuple[Name, ...]
    fighters: tuple[FighterSetup, ...]
    arms: Mapping[Name, WeaponSetup] = {}
