"""Open items of a `roads` skirmish: due tests, hits, a fight, a charge, a move that overwatch may stop."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from assistant.translations.messages import Said, counted, said, said_in

TestKind = Literal[
    "rout",
    "rally",
    "terror",
    "stupidity",
    "shuffle",
    "fear of the charger",
    "fear to charge",
    "escape",
    "flight",
    "ambush",
    "climb",
    "jump",
    "fall",
]
TEST_WORDS: Mapping[TestKind, Said] = {
    "rout": said_in("test", "rout"),
    "rally": said_in("test", "rally"),
    "terror": said_in("test", "terror"),
    "stupidity": said_in("test", "stupidity"),
    "shuffle": said_in("test", "shuffle"),
    "fear of the charger": said_in("test", "fear of the charger"),
    "fear to charge": said_in("test", "fear to charge"),
    "escape": said_in("test", "escape"),
    "flight": said_in("test", "flight"),
    "ambush": said_in("test", "ambush"),
    "climb": said_in("test", "climb"),
    "jump": said_in("test", "jump"),
    "fall": said_in("test", "fall"),
}

FEARS = ("fear to charge", "fear of the charger")
"""Tests between a charge and its contact."""

Point = tuple[float, float]


class PendingTest(Struct, frozen=True, kw_only=True):
    """A test (or a plain roll) due now, for a model or, for a rout, for a side.

    A die passes up to ``value``; None makes it a plain roll. ``against`` is the enemy that caused the test, if any.
    """

    kind: TestKind
    side: str
    figure: str | None = None
    against: str | None = None
    value: int | None = None
    steps: int = 0
    """The height of a climb or a jump, or the steps of a fall still to be rolled."""


class HitsDue(Struct, frozen=True, kw_only=True):
    """Hits on a model before armour and wounds, with the striker, its weapons, and the number of critical blows.

    ``is_shot`` is true for the hits of a shot.
    """

    figure: str
    by: str
    hits: int
    weapons: tuple[str, ...] = ()
    criticals: int = 0
    is_shot: bool = False


def word_test(due: PendingTest) -> Said:
    """Return a due test's prompt."""
    who, kind = due.figure or due.side, TEST_WORDS[due.kind]
    if due.value is None:
        return said("{who}: roll for {kind}", who=who, kind=kind)
    return said("{who}: test of {kind}, {value} or less on a D6", who=who, kind=kind, value=due.value)


def word_hits(hit: HitsDue) -> Said:
    """Return the prompt for hits to resolve."""
    return counted(
        "Enter wounds: {n} hit on {figure} by {by}",
        "Enter wounds: {n} hits on {figure} by {by}",
        hit.hits,
        figure=hit.figure,
        by=hit.by,
    )


class FighterDice(Struct, frozen=True, kw_only=True):
    """A fighter's attack dice, and the faces that re-rolls replaced."""

    final: tuple[int, ...] = ()
    replaced: tuple[int, ...] = ()


class PendingDuel(Struct, frozen=True, kw_only=True):
    """A duel between its roll and its result.

    ``conditions`` holds what only people see (``higher``, ``across_cover``). ``excess`` is each side's majority,
    ``adds`` each result's bonus from abilities. ``rerolled`` lists the blocks and hatreds already used.
    """

    fighters: tuple[str, str]
    rolls: tuple[FighterDice, FighterDice] = (FighterDice(), FighterDice())
    conditions: Mapping[str, tuple[str, ...]] = {}
    excess: Mapping[str, int] = {}
    adds: Mapping[str, int] = {}
    rerolled: tuple[str, ...] = ()


class Charging(Struct, frozen=True, kw_only=True):
    """A charge that waits for tests of fear. On a watched path an enemy on overwatch may shoot at the charger."""

    figure: str
    target: str
    center_mm: Point | None = None
    path: tuple[Point, ...] = ()
    is_watched: bool = False


class Moving(Struct, frozen=True, kw_only=True):
    """A model on its way, still exposed to shots on overwatch (“Дозор”: at any moment of the movement).

    ``path`` lists the places after ``start``. ``moment`` counts the finished legs, plus a share of the current leg.
    """

    figure: str
    how: Literal["walk", "run", "charge", "hide", "leap"]
    start: Point | None = None
    path: tuple[Point, ...] = ()
    moment: float = 0
    target: str | None = None


class Leaping(Struct, frozen=True, kw_only=True):
    """A climb or a jump with tests still to make: its length, its rise, its end, and the target of its attack.

    ``tests`` counts its tests, ``dice`` the D3 of a fall. ``elevation_mm`` is the height of its end, if the table shows
    heights.
    """

    figure: str
    kind: str
    steps: float = 0
    rise: float = 0
    tests: int = 0
    dice: int = 0
    center_mm: Point | None = None
    elevation_mm: float | None = None
    target: str | None = None


class AnnouncedShot(Struct, frozen=True, kw_only=True):
    """A shot announced but not yet rolled, to which its target may react. ``moment`` is that of `Shoot`."""

    figure: str
    target: str
    moment: float | None = None


class Ambush(Struct, frozen=True, kw_only=True):
    """A silent shot out of camouflage with unresolved hits. It gives the shooter away unless it kills."""

    shooter: str
    target: str
    witnesses: tuple[str, ...] = ()
    """The enemies that saw the target and see the shooter."""


ReactionKind = Literal["duck", "take cover", "shoot first"]


class Reaction(Struct, frozen=True, kw_only=True):
    """The reaction to an announced shot: ``total`` is D6 plus Mobility; ``is_first`` lets the target shoot first."""

    figure: str
    shooter: str
    how: ReactionKind
    total: int
    is_first: bool = False
