"""What is open in a `roads` skirmish: tests that are due, hits, a fight, a charge, a move that a watch may stop."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from assistant.translations.messages import Said, said_in

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
"""The tests that come between a charge and its contact."""

Point = tuple[float, float]


class PendingTest(Struct, frozen=True, kw_only=True):
    """Something that the rules demand now: a test (or a roll) of a model or, for a rout, of a side.

    ``value`` is what a die must not exceed, None for rolls that are no test; ``against`` is the enemy that
    is the cause, where there is one.
    """

    kind: TestKind
    side: str
    figure: str | None = None
    against: str | None = None
    value: int | None = None
    steps: int = 0
    """The height of a climb or a jump, or the steps that a faller still has to be rolled for."""


class HitsDue(Struct, frozen=True, kw_only=True):
    """Hits on a model that still have to go through armour and wounds; who struck, and with which weapons."""

    figure: str
    by: str
    hits: int
    weapons: tuple[str, ...] = ()


class FighterDice(Struct, frozen=True, kw_only=True):
    """The attack dice of a fighter, and those that re-rolls took away."""

    final: tuple[int, ...] = ()
    replaced: tuple[int, ...] = ()


class PendingDuel(Struct, frozen=True, kw_only=True):
    """A fight of one against one between its roll and its result.

    ``conditions`` holds what only people see (``higher``, ``across_cover``); ``excess`` by how many each side
    outnumbers the other; ``rerolled`` who has used a shield or hatred.
    """

    fighters: tuple[str, str]
    rolls: tuple[FighterDice, FighterDice] = (FighterDice(), FighterDice())
    conditions: Mapping[str, tuple[str, ...]] = {}
    excess: Mapping[str, int] = {}
    rerolled: tuple[str, ...] = ()


class Charging(Struct, frozen=True, kw_only=True):
    """A charge that waits for a test of fear: who, at whom, where he ends, and by which way.

    ``is_watched`` tells that an enemy who watches may shoot at him on that way.
    """

    figure: str
    target: str
    center_mm: Point | None = None
    path: tuple[Point, ...] = ()
    is_watched: bool = False


class Moving(Struct, frozen=True, kw_only=True):
    """A model on its way that whoever watches may still shoot at (“Дозор”: at any moment of the movement).

    ``path`` are the places after its start in their order, ``start`` where it began; ``moment`` how far it is:
    the number of legs behind it, with a share of the leg that it is on.
    """

    figure: str
    how: Literal["walk", "run", "charge", "hide", "leap"]
    start: Point | None = None
    path: tuple[Point, ...] = ()
    moment: float = 0
    target: str | None = None


class Leaping(Struct, frozen=True, kw_only=True):
    """A climb or a jump whose tests are not all made: how far, where it ends, and whom it attacks there.

    ``tests`` is how many it takes, and ``dice`` how many D3 a fall is worth.
    """

    figure: str
    kind: str
    steps: float = 0
    tests: int = 0
    dice: int = 0
    center_mm: Point | None = None
    target: str | None = None


ReactionKind = Literal["duck", "take cover", "shoot first"]


class Reaction(Struct, frozen=True, kw_only=True):
    """What the target of an announced shot does: ``total`` is its D6 and Mobility; ``is_first`` lets it shoot first."""

    figure: str
    shooter: str
    how: ReactionKind
    total: int
    is_first: bool = False
