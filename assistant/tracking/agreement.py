"""Nothing is believed on one reading: what differs from before must be seen twice, or long, to count."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from assistant.table.lattice import Cell
from assistant.tracking.values import Thing

AGREEING = 2
"""Readings that must say the same: half a JPEG, a reflex or a passing shadow is in one alone."""

UNTOUCHED_S = 2.0
"""Where no hand was, nothing moves: a difference there is a misreading until it has lasted, whatever caused it."""


class Difference(NamedTuple):
    """Something that is there and was not, or was there and is not."""

    thing: Thing
    is_there: bool


@dataclass(frozen=True, slots=True)
class Suspicion:
    """A difference that was read ``count`` times, for the first time at ``since_s``, last in ``reading``."""

    count: int
    since_s: float
    reading: int


def update_suspicions(
    suspicions: Mapping[Difference, Suspicion],
    found: Iterable[Difference],
    hidden: frozenset[Cell],
    witness: tuple[int, float],
) -> dict[Difference, Suspicion]:
    """The suspicions after one more look.

    A difference that was not found again is forgotten, unless its cells are hidden now.

    Args:
        suspicions: those before.
        found: what differs in this look.
        hidden: the cells that it could not judge.
        witness: the look's reading and its time in seconds.
    """
    reading, time_s = witness
    kept = {each: suspicion for each, suspicion in suspicions.items() if hidden.intersection(each.thing.cells)}
    for each in found:
        before = suspicions.get(each)
        if before is None:
            kept[each] = Suspicion(1, time_s, reading)
        else:
            kept[each] = Suspicion(before.count + (reading > before.reading), before.since_s, reading)
    return kept


def is_agreed(difference: Difference, suspicion: Suspicion, touched: frozenset[Cell], time_s: float) -> bool:
    """Whether a difference is believed now."""
    was_touched = not touched.isdisjoint(difference.thing.cells)
    return suspicion.count >= AGREEING and (was_touched or time_s - suspicion.since_s >= UNTOUCHED_S)
