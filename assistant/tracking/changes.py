"""Decides when a difference counts: after agreeing readings or some time, and by a figure's base or picture.

A base that lies elsewhere on its cells was touched. If the base shows nothing, the picture may: nobody puts a figure
back exactly as it stood. But a removed figure in front, or a shadow, also alters the picture of figures behind. So a
slight alteration counts only beside another one of that kind, when two look-alikes may have changed places.
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
"""Number of readings that must agree. Half a JPEG, a reflection or a passing shadow spoils only one."""

UNTOUCHED_S = 2.0
"""Seconds for which a difference without a hand must last. Nothing moves by itself, so it is likely a misreading."""


class Difference(NamedTuple):
    """A thing that appeared (``is_there``) or disappeared."""

    thing: Thing
    is_there: bool


@dataclass(frozen=True, slots=True)
class Suspicion:
    """A difference read ``count`` times, first at ``since_s``, last in ``reading``."""

    count: int
    since_s: float
    reading: int


def update_suspicions(
    suspicions: Mapping[Difference, Suspicion],
    found: Iterable[Difference],
    hidden: frozenset[Cell],
    look: tuple[int, float],
) -> dict[Difference, Suspicion]:
    """Return the suspicions after one more look, given by its reading and its time in seconds.

    A difference not found again is forgotten, unless its cells are hidden now. Looks of the same reading count once.
    """
    reading, time_s = look
    kept = {each: suspicion for each, suspicion in suspicions.items() if hidden.intersection(each.thing.cells)}
    for each in found:
        before = suspicions.get(each)
        if before is None:
            kept[each] = Suspicion(1, time_s, reading)
        else:
            kept[each] = Suspicion(before.count + (reading > before.reading), before.since_s, reading)
    return kept


def is_agreed(difference: Difference, suspicion: Suspicion, touched: frozenset[Cell], time_s: float) -> bool:
    """Return whether to accept a difference now."""
    was_touched = not touched.isdisjoint(difference.thing.cells)
    return suspicion.count >= AGREEING and (was_touched or time_s - suspicion.since_s >= UNTOUCHED_S)


SHIFT_MM = 2.0
"""Shift in mm of a base that indicates a touch. Unmoved bases, read again, are off by 1.3 mm at most."""

LEAST_BASES = 5
"""Fewest bases that show how the board lies. Among fewer, a hand may have moved most."""

SURE_CONFIDENCE = 0.95
"""Confidence from which a base's place on its cells counts. Below it, an unmoved base is off by 3 to 9 mm."""

ALTERED, LIKELY_ALTERED, SURELY_ALTERED = 0.975, 0.95, 0.75
"""Likeness below which a figure was possibly, likely and surely touched. In twenty films all 18 figures that changed
places were below the first, 14 below 0.92 and 12 below the third. Of 183 figures beside a moved one, a tenth, a
twentieth and none were below. Two that changed places far from the camera, in dim light, had 0.92 and 0.94."""

MOVED = -1.0
"""Likeness assigned to a base that lies elsewhere on its cells."""


@dataclass(frozen=True, slots=True)
class Altered:
    """A figure that looks different since a hand was there.

    Args:
        count: the readings that show it.
        likeness: its likeness to the picture before, 1 for unchanged.
        span: the time span in which it may have been touched.
        reading: the last of the readings.
        is_settled: whether the tracker has drawn the consequences.
    """

    count: int
    likeness: float
    span: Span
    reading: int
    is_settled: bool = False


def update_altered(
    before: Mapping[Sighting, Altered],
    look: FrameObservation,
    renaming: Renaming,
    there: frozenset[Sighting],
    chronicle: Chronicle,
) -> dict[Sighting, Altered]:
    """Return the altered figures after one more look.

    ``there`` are the believed figures on cells that a hand has touched and left.
    """
    found = {sighting: each for sighting, each in before.items() if sighting in there}
    likeness = {renaming.cells(cells): value for cells, value in look.likeness.items()}
    for sighting in there:
        like, known = likeness.get(sighting.cells), found.get(sighting)
        if like is None or (known is not None and known.reading == look.reading):
            continue
        if like >= ALTERED:
            if known is not None and known.count < AGREEING:
                del found[sighting]  # a passing shadow
        elif known is None:
            found[sighting] = Altered(1, like, chronicle.find_departure(sighting, look.time_s), look.reading)
        else:
            found[sighting] = replace(known, count=known.count + 1, likeness=like, reading=look.reading)
    return found


def find_touched(
    figures: Mapping[Sighting, Altered], busy: frozenset[str], restless: frozenset[str]
) -> dict[Sighting, Span]:
    """Return the altered figures that were touched, with the time spans.

    A slight alteration counts only for a pair of one kind. ``busy`` are the kinds of which figures came or went, which
    already explains the hand. Of a ``restless`` kind one was moved twice in this reach, as if it made room for another.
    """
    agreed = {sighting: each for sighting, each in figures.items() if each.count >= AGREEING}
    counts = Counter(sighting.kind for sighting in agreed)
    likely = {sighting.kind for sighting, each in agreed.items() if each.likeness < LIKELY_ALTERED}
    pairs = {kind for kind in likely - busy if counts[kind] > 1} | restless
    return {
        sighting: each.span
        for sighting, each in agreed.items()
        if not each.is_settled and (each.likeness < SURELY_ALTERED or sighting.kind in pairs)
    }


def list_likely_touched(figures: Mapping[Sighting, Altered]) -> list[Sighting]:
    """Return the altered figures likely touched, whatever else the hand did, sorted."""
    return sorted(s for s, each in figures.items() if each.count >= AGREEING and each.likeness < LIKELY_ALTERED)


def find_moved_bases(known: Mapping[Sighting, Offset], now: Mapping[Sighting, Offset]) -> set[Sighting]:
    """Return the figures whose bases shifted on their cells.

    A new measurement of the board moves all bases together. So the median movement is the board's, and is subtracted.
    """
    steps = {s: (now[s][0] - known[s][0], now[s][1] - known[s][1]) for s in known.keys() & now.keys()}
    if len(steps) < LEAST_BASES:
        board_x, board_y = 0.0, 0.0
    else:
        board_x, board_y = (statistics.median(step[i] for step in steps.values()) for i in (0, 1))
    return {s for s, (x, y) in steps.items() if math.hypot(x - board_x, y - board_y) > SHIFT_MM}


def measure_offsets(look: FrameObservation, renaming: Renaming) -> dict[Sighting, Offset]:
    """Measure each confidently seen figure's offset on its cells."""
    grid = look.observation.grid
    found = {}
    for figure in look.observation.figures:
        if figure.cells and figure.confidence >= SURE_CONFIDENCE:
            middle = [sum(cell[i] for cell in figure.cells) / len(figure.cells) + 0.5 for i in (0, 1)]
            x, y = lattice_from_table(figure.center_mm, grid)
            offset = ((x - middle[0]) * grid.cell_mm, (y - middle[1]) * grid.cell_mm)
            found[Sighting(renaming.cells(figure.cells), figure.kind or "")] = offset
    return found
