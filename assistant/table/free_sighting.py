"""A table without a grid as a camera saw it: where everybody stands, how exactly that is known, and how sure it is."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from itertools import combinations

from assistant.table.free_table import FreeFigure, FreeTable
from assistant.table.plane import ExactPoint

CONTACT_MM = 0.75
"""Bases that are seen nearer to each other than this touch: nobody leaves less than twice that between them."""

SNAP_MM = Fraction(1, 100)
"""Places that were seen are told to a hundredth of a millimetre."""

LOOKALIKES = 40
"""So many tables: a flip that half of them show is told to within an eighth."""

LEAST_ERROR_MM = 0.12
"""Nothing is known better than this: terrain was drawn by hand."""

_SEED = 20040
_ROUNDS = 6
"""So often those in contact are moved together: a chain of them settles in a few."""


@dataclass(frozen=True)
class FreeSpot:
    """How well a figure was seen.

    Args:
        error_mm: the standard deviation of its middle along the worse direction.
        confidence: how likely it stands there, 0 to 1.
        facing_error_deg: the standard deviation of where it looks; None where the picture does not tell.
        kinds: the kinds it may be, the likeliest first; none where it is known.
        reach_mm: how far a base that is no circle reaches from its middle; None for a round one. Rules measure from
            the circle that fits into it.
    """

    error_mm: float
    confidence: float = 1.0
    facing_error_deg: float | None = None
    kinds: tuple[str, ...] = ()
    reach_mm: float | None = None


@dataclass(frozen=True)
class FreeSighting:
    """A free table with how well each figure was seen.

    Args:
        table: the table as it is taken to be; bases that touch do so exactly.
        spots: by the figures' names; who is not named was not seen by a camera and is as it is told.
        seen_mm: where the middles were seen before those in contact were moved together, by name.
        reprojection_px: how well the markers fit; 0 where no camera was.
        markers_seen: the markers that the picture showed.
    """

    table: FreeTable
    spots: Mapping[str, FreeSpot] = field(default_factory=dict)
    seen_mm: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    reprojection_px: float = 0.0
    markers_seen: tuple[int, ...] = ()

    @cached_property
    def lookalikes(self) -> tuple[FreeTable, ...]:
        """Tables that would have looked much the same, always the same ones: with everybody a little elsewhere.

        A base that is no circle lies between the circle within it and the one round it: every second table has the
        latter, so an answer that hangs on the corners holds on half of the tables at most.
        """
        chance = random.Random(_SEED)
        named = [figure for figure in self.table.figures if figure.id in self.spots]
        tables = []
        for number in range(LOOKALIKES):
            places = {}
            for figure in named:
                (x, y), wide_mm = self.seen_at(figure), max(self.spots[figure.id].error_mm, LEAST_ERROR_MM)
                places[figure.id] = (x + chance.gauss(0, wide_mm), y + chance.gauss(0, wide_mm))
            drawn = settled_table(self.table, places)
            tables.append(self._in_wide_circles(drawn) if number % 2 else drawn)
        return tuple(tables)

    def seen_at(self, figure: FreeFigure) -> tuple[float, float]:
        """Where the figure's middle was seen."""
        return self.seen_mm.get(figure.id, (float(figure.center_mm[0]), float(figure.center_mm[1])))

    def _in_wide_circles(self, table: FreeTable) -> FreeTable:
        """The table with circles round the bases that are no circles, in place of those within them."""
        reach = {name: spot.reach_mm for name, spot in self.spots.items() if spot.reach_mm is not None}
        figures = (replace(f, base_mm=2 * snapped(reach[f.id])) if f.id in reach else f for f in table.figures)
        return replace(table, figures=tuple(figures))


def settled_table(table: FreeTable, places_mm: Mapping[str, tuple[float, float]]) -> FreeTable:
    """The table with figures at places that were seen: who nearly touches touches, and nobody stands in another.

    Figures that are not named stay where they are. The places are snapped to hundredths of a millimetre.
    """
    places = {f.id: places_mm.get(f.id, (float(f.center_mm[0]), float(f.center_mm[1]))) for f in table.figures}
    near = [pair for pair in combinations(table.figures, 2) if _nearly_touch(*pair, places)]
    for _ in range(_ROUNDS if near else 0):
        for a, b in near:
            _bring_together(a, b, places, frozenset(places_mm))
    moved = {name: (snapped(x), snapped(y)) for name, (x, y) in places.items() if name in places_mm}
    settled = replace(table, figures=tuple(replace(f, center_mm=moved.get(f.id, f.center_mm)) for f in table.figures))
    return _touching(settled, [(a.id, b.id) for a, b in near], frozenset(places_mm))


def snapped(value: float) -> Fraction:
    """A measure to a hundredth of a millimetre."""
    return round(value / SNAP_MM) * SNAP_MM


def _nearly_touch(a: FreeFigure, b: FreeFigure, places: Mapping[str, tuple[float, float]]) -> bool:
    if a.elevation_mm > b.top_mm or b.elevation_mm > a.top_mm:
        return False
    return math.dist(places[a.id], places[b.id]) - float(a.radius_mm + b.radius_mm) < CONTACT_MM


def _bring_together(a: FreeFigure, b: FreeFigure, places: dict[str, tuple[float, float]], free: frozenset[str]) -> None:
    """Moves two figures along the line between them until their bases touch; each half the way if both may."""
    (ax, ay), (bx, by) = places[a.id], places[b.id]
    apart = math.dist((ax, ay), (bx, by))
    if apart < 1e-6 or not free & {a.id, b.id}:
        return
    gap = apart - float(a.radius_mm + b.radius_mm)
    ux, uy = (bx - ax) / apart, (by - ay) / apart
    share = 0.5 if {a.id, b.id} <= free else float(a.id in free)
    places[a.id] = (ax + ux * gap * share, ay + uy * gap * share)
    places[b.id] = (bx - ux * gap * (1 - share), by - uy * gap * (1 - share))


def _touching(table: FreeTable, pairs: list[tuple[str, str]], free: frozenset[str]) -> FreeTable:
    """The table with those who touch moved by a hundredth of a millimetre where snapping parted them."""
    places: dict[str, ExactPoint] = {figure.id: figure.center_mm for figure in table.figures}
    radii = {figure.id: figure.radius_mm for figure in table.figures}
    done: set[str] = set()
    for first, second in pairs:
        if not free & {first, second}:
            continue
        # Whoever already touches somebody stays; where both do, the first gives way.
        moving, other = (second, first) if second in free and second not in done else (first, second)
        done |= {first, second}
        for _ in range(200):
            dx, dy = (places[other][i] - places[moving][i] for i in (0, 1))
            if dx * dx + dy * dy <= (radii[first] + radii[second]) ** 2:
                break
            x, y = places[moving]
            step = SNAP_MM
            if abs(dx) >= abs(dy):
                x += step if dx > 0 else -step
            else:
                y += step if dy > 0 else -step
            places[moving] = (x, y)
    return replace(table, figures=tuple(replace(f, center_mm=places[f.id]) for f in table.figures))
