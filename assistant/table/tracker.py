"""The initiative order for strip and page, as one frozen value at their interface.

The match makes a new ``TrackerView`` at every change. ``hardware.light`` turns it into pixels for any time on a clock.
Colours are palette slots, so people can choose distinguishable colours without the match knowing.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

Rgb = tuple[int, int, int]
"""Red, green and blue from 0 to 255, as on a screen (before the strip's gamma)."""

PALETTES: Mapping[str, tuple[Rgb, ...]] = {
    "everyone": (
        (0, 102, 255),
        (255, 153, 0),
        (255, 255, 204),
        (51, 204, 204),
        (204, 51, 51),
        (153, 102, 204),
    ),
    "red-green": (
        (0, 102, 255),
        (255, 204, 0),
        (204, 255, 255),
        (204, 51, 51),
        (204, 102, 204),
        (204, 51, 102),
    ),
    "blue-yellow": (
        (0, 204, 204),
        (255, 51, 0),
        (204, 102, 255),
        (255, 255, 51),
        (255, 0, 204),
        (255, 153, 0),
    ),
}
"""Six side colours per palette, the first ones farthest apart.

A search over a grid of bright colours maximised the smallest distance between any two, for full colour vision and for
the named deficiency (``everyone``: all three kinds), simulated after Machado, Oliveira and Fernandes 2009.
``tests/hardware/test_palettes.py`` measures it.
"""

SIDE_COLOR_COUNT = 6


@dataclass(frozen=True, slots=True)
class TrackerEntry:
    """One figure (or group that acts together) in the initiative order.

    ``side_color`` is a palette slot, counted from 0. All figures of a side share one. ``health`` of ``health_max``
    points are left. ``each`` is the health left of every figure in a group. An idle figure has nothing left to
    do now, whether it has acted or not.

    Raises:
        ValueError: a number is out of its range.
    """

    name: str
    side_color: int
    health: int = 1
    health_max: int = 1
    has_acted: bool = False
    is_stunned: bool = False
    each: tuple[int, ...] = ()
    is_idle: bool = False

    def __post_init__(self) -> None:
        if not 0 <= self.side_color < SIDE_COLOR_COUNT:
            raise ValueError(f"side colour {self.side_color} is no slot from 0 to {SIDE_COLOR_COUNT - 1}")
        if not (self.health_max >= 1 and 0 <= self.health <= self.health_max):
            raise ValueError(f"health {self.health} of {self.health_max} cannot be")


@dataclass(frozen=True, slots=True)
class TurnTimer:
    """The timer of the active turn, on the clock of the strip.

    ``left_s`` of ``length_s`` were left at time ``as_of_s``. A stopped timer stays there.

    Raises:
        ValueError: a time is not finite or out of its range.
    """

    length_s: float
    left_s: float
    as_of_s: float
    is_running: bool = True

    def __post_init__(self) -> None:
        if not all(map(math.isfinite, (self.length_s, self.left_s, self.as_of_s))):
            raise ValueError("the times of a timer must be finite")
        if not (self.length_s > 0 and 0 <= self.left_s <= self.length_s):
            raise ValueError(f"{self.left_s} s left of {self.length_s} s cannot be")

    def left_at(self, clock_s: float) -> float:
        """Return the seconds left at a time of the clock, from 0 to ``length_s``."""
        passed_s = clock_s - self.as_of_s if self.is_running else 0.0
        return min(self.length_s, max(0.0, self.left_s - passed_s))


@dataclass(frozen=True, slots=True)
class Struck:
    """A hit that just landed, at ``since_s`` on the strip's clock.

    ``places`` are the hurt figures' indices in the order. ``is_death`` means that it killed a figure.
    """

    places: frozenset[int]
    is_death: bool
    since_s: float


@dataclass(frozen=True, slots=True)
class TrackerView:
    """Turn, actions and everybody's health. The default is a table without a match.

    ``active`` is an index into ``order``, or None between rounds. ``round`` is 0 before the first. ``struck`` is shown
    for a moment.

    Raises:
        ValueError: ``active`` is not an index of the order, or the round is negative.
    """

    order: tuple[TrackerEntry, ...] = ()
    active: int | None = None
    round: int = 0
    timer: TurnTimer | None = None
    struck: Struck | None = None

    def __post_init__(self) -> None:
        if self.active is not None and not 0 <= self.active < len(self.order):
            raise ValueError(f"active figure {self.active} is not one of {len(self.order)} in the order")
        if self.round < 0:
            raise ValueError(f"round {self.round} cannot be")
