"""When a difference counts: read twice, or for long, and what a base or a picture says of a figure in its old place.

A base that lies elsewhere on its cells was touched. Where the base shows nothing, the picture does: nobody puts a
figure back exactly as it stood. But a figure in front that went, or a shadow, alters the picture of those behind as
well. So a slight alteration counts only beside another one of that kind: two look-alikes may have changed places.
"""

from __future__ import annotations

import math
import statistics
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

from assistant.table.lattice import Cell
from assistant.table.observation import FrameObservation
from assistant.tracking.alignment import Renaming, lattice_from_table
from assistant.tracking.values import Chronicle, Offset, Sighting, Span, Thing

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


SHIFT_MM = 2.0
"""A base that is found so far from where it stood was touched: read again unmoved, it is off by 1.3 mm at most."""

LEAST_BASES = 5
"""So many bases at least tell how the board lies: among fewer a hand may have moved most."""

SURELY_TOLD = 0.95
"""A base of which that is less sure lies anywhere on its cells: read again unmoved, it is off by 3 to 9 mm."""

ALTERED, LIKELY_ALTERED, SURELY_ALTERED = 0.975, 0.95, 0.75
"""Likeness below which a figure may have been touched, rather was, and surely was. In twenty films all 18 figures that
changed places were below the first, 14 below 0.92 and 12 below the third; of 183 beside one that was moved it were a
tenth, a twentieth and none. Two that changed places far from the camera, by little light, had 0.92 and 0.94."""

MOVED = -1.0
"""Likeness that stands for a base that lies elsewhere on its cells."""


@dataclass(frozen=True, slots=True)
class Altered:
    """A figure that looks otherwise after a hand had been there.

    Args:
        count: in how many readings.
        likeness: how much it looks as before.
        span: when it may have been touched.
        reading: the last of the readings.
        is_told: whether what follows from it was drawn already.
    """

    count: int
    likeness: float
    span: Span
    reading: int
    is_told: bool = False


def update_altered(
    before: Mapping[Sighting, Altered],
    look: FrameObservation,
    change: Renaming,
    there: frozenset[Sighting],
    chronicle: Chronicle,
) -> dict[Sighting, Altered]:
    """Which figures look otherwise than before a hand came, after one more look.

    Args:
        before: those that did before this look.
        look: the look.
        change: how its cells are called.
        there: the figures that are believed, where a hand was and is no more.
        chronicle: when they were last in view.
    """
    found = {sighting: each for sighting, each in before.items() if sighting in there}
    likeness = {change.cells(cells): value for cells, value in look.likeness.items()}
    for sighting in there:
        like, known = likeness.get(sighting.cells), found.get(sighting)
        if like is None or (known is not None and known.reading == look.reading):
            continue
        if like >= ALTERED:
            if known is not None and known.count < AGREEING:
                del found[sighting]  # a shadow that passed
        elif known is None:
            found[sighting] = Altered(1, like, chronicle.left(sighting, look.time_s), look.reading)
        else:
            found[sighting] = replace(known, count=known.count + 1, likeness=like, reading=look.reading)
    return found


def find_touched(figures: Mapping[Sighting, Altered], busy: frozenset[str]) -> dict[Sighting, Span]:
    """Which of the altered figures were touched, and when.

    Args:
        figures: those that look otherwise.
        busy: the kinds of which others came or went: those are enough to explain what the hand did.
    """
    told = {sighting: each for sighting, each in figures.items() if each.count >= AGREEING}
    alike = Counter(sighting.kind for sighting in told)
    likely = {sighting.kind for sighting, each in told.items() if each.likeness < LIKELY_ALTERED}
    pairs = {kind for kind in likely - busy if alike[kind] > 1}
    return {
        sighting: each.span
        for sighting, each in told.items()
        if not each.is_told and (each.likeness < SURELY_ALTERED or sighting.kind in pairs)
    }


def list_likely_touched(figures: Mapping[Sighting, Altered]) -> list[Sighting]:
    """Those of the altered figures that were rather touched than not, whatever else the hand did."""
    return sorted(s for s, each in figures.items() if each.count >= AGREEING and each.likeness < LIKELY_ALTERED)


def find_moved_bases(known: Mapping[Sighting, Offset], now: Mapping[Sighting, Offset]) -> set[Sighting]:
    """The figures whose bases lie elsewhere on their cells than they did.

    Where the board is measured anew all bases seem to move together; what most of them do tells of the board.
    """
    steps = {s: (now[s][0] - known[s][0], now[s][1] - known[s][1]) for s in known.keys() & now.keys()}
    if len(steps) < LEAST_BASES:
        board_x, board_y = 0.0, 0.0
    else:
        board_x, board_y = (statistics.median(step[i] for step in steps.values()) for i in (0, 1))
    return {s for s, (x, y) in steps.items() if math.hypot(x - board_x, y - board_y) > SHIFT_MM}


def measure_offsets(look: FrameObservation, change: Renaming) -> dict[Sighting, Offset]:
    """How each figure of a look that is surely told stands on its cells."""
    grid = look.observation.grid
    found = {}
    for figure in look.observation.figures:
        if figure.cells and figure.confidence >= SURELY_TOLD:
            middle = [sum(cell[i] for cell in figure.cells) / len(figure.cells) + 0.5 for i in (0, 1)]
            x, y = lattice_from_table(figure.center_mm, grid)
            offset = ((x - middle[0]) * grid.cell_mm, (y - middle[1]) * grid.cell_mm)
            found[Sighting(change.cells(figure.cells), figure.kind or "")] = offset
    return found
