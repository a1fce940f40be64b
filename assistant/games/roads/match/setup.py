"""A skirmish of `roads` as data: the warbands with their values, abilities and weapons."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

from msgspec import Meta, Struct

from assistant.match.game import Count, Name, PositiveCount

Steps = Annotated[float, Meta(ge=0, le=100)]
"""A length in the game's steps, fractions allowed."""

ResultChange = Annotated[int, Meta(ge=-20, le=20)]
"""A change of a combat result by an ability."""

Sheet = Annotated[str, Meta(max_length=200)]
"""Words from a model's sheet («лист воина») that the known rules use without explanation."""


class WeaponSetup(Struct, frozen=True, kw_only=True):
    """A weapon: a blade, a pistol (which also strikes in melee), a bulky or a thrown one.

    A ``silent`` weapon does not give its shooter away. ``strength`` and ``critical`` (the effect of a critical blow)
    are displayed with its hits. A weapon without a description strikes in melee, and people decide its range.
    """

    kind: Literal["melee", "pistol", "bulky", "thrown"] = "melee"
    range_steps: Steps | None = None
    silent: bool = False
    strength: Sheet = ""
    critical: Sheet = ""


class FighterSetup(Struct, frozen=True, kw_only=True):
    """A model of a warband: its characteristics (C1), attack dice and abilities.

    ``hates`` names sides or kinds. ``weapons`` are in its hands; ``carries`` lists its other weapons. ``leap`` is the X
    of its giant leap. ``climbs`` is false for animals and most machines. ``adds`` is its abilities' bonus to every
    combat result. ``immune`` models ignore psychology, except the rout of their side. ``armour`` is displayed with the
    hits on it. ``melodies`` lists its Melodies. The fragment of the rules lacks the number of wounds that puts a model
    out (``out_at``), and its movement (``walk_steps``, ``run_steps``, ``charge_steps``). These are house values; None
    leaves the decision to people.
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
    immune: bool = False
    adds: ResultChange = 0
    armour: Sheet = ""
    melodies: tuple[Name, ...] = ()
    hates: tuple[Name, ...] = ()
    climbs: bool = True
    leap: Count = 0
    walk_steps: Steps | None = None
    run_steps: Steps | None = None
    charge_steps: Steps | None = None
    out_at: PositiveCount | None = None


class SetupRoads(Struct, frozen=True, kw_only=True):
    """A skirmish: ``sides`` in the order of their turns, their models, and ``arms`` with the described weapons."""

    skirmish: Name
    sides: tuple[Name, ...]
    fighters: tuple[FighterSetup, ...]
    arms: Mapping[Name, WeaponSetup] = {}
