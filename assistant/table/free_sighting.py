"""A table without a grid as a camera saw it: every figure with its place, its errors and its confidence."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from itertools import combinations

from assistant.table.free_table import FreeFigure, FreeTable
from assistant.table.plane import ExactPoint, nearest_between

CONTACT_MM = 0.75
"""Gap in mm below which seen bases count as touching. Nobody leaves less than twice that between them."""

SNAP_MM = Fraction(1, 100)
"""Resolution in mm of seen places."""

LOOKALIKES = 40
"""Number of tables sampled for one sighting. A share of a half is then known to within an eighth."""

LEAST_ERROR_MM = 0.12
"""Floor in mm on the error of a place, because terrain was drawn by hand."""

UNSEEN = 0.5
"""Prior that an unfound model of the box is somewhere on the table. A picture does not tell, so a half."""

_NO_WAY_MM = 1e-6
"""Distance in mm below which bases overlap without a direction between them."""

_SEED, _SEED_WHO = 20040, 20041
_TRIES = 20
"""Attempts to draw a free place for a figure that may be anywhere."""

_ROUNDS = 6
"""Passes that move touching bases together. A chain of them settles in a few."""


@dataclass(frozen=True)
class FreeSpot:
    """The errors of one sighting of a figure.

    Args:
        error_mm: the standard deviation of its centre along the worse direction.
        confidence: the probability that it is there.
        facing_error_deg: the standard deviation of its facing; None if the picture does not show it.
        kinds: its possible kinds, the likeliest first; empty if the kind is known.
        turn_error_deg: the standard deviation of the base's rotation; 0 for a round one.
    """

    error_mm: float
    confidence: float = 1.0
    facing_error_deg: float | None = None
    kinds: tuple[str, ...] = ()
    turn_error_deg: float = 0.0

    @property
    def chance_of_somebody(self) -> float:
        """The probability that a figure of any kind with such a base is there."""
        return min(1.0, self.confidence * max(1, len(self.kinds)))


@dataclass(frozen=True)
class FreeMaybe:
    """A figure that may be on the table although it was not found.

    Args:
        figure: the figure, under a name that no figure of the table has.
        chance: the probability that it is there.
        is_anywhere: whether its place is unknown; the place in ``figure`` then means nothing.
        spot: the errors of its place; None if the place is unknown.
    """

    figure: FreeFigure
    chance: float
    is_anywhere: bool = False
    spot: FreeSpot | None = None


@dataclass(frozen=True)
class FreeSighting:
    """A free table with the errors of each figure.

    Args:
        table: the most probable table, in which touching bases touch exactly.
        spots: the errors by figure; figures without an entry were placed by people.
        seen_mm: the centres by name, before touching bases were moved together.
        reprojection_px: the fit error of the markers; 0 without a camera.
        markers_seen: the markers in the picture.
        maybes: figures that may be there although they were not found.
    """

    table: FreeTable
    spots: Mapping[str, FreeSpot] = field(default_factory=dict)
    seen_mm: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    reprojection_px: float = 0.0
    markers_seen: tuple[int, ...] = ()
    maybes: tuple[FreeMaybe, ...] = ()

    def lookalikes_with(self, *names: str) -> tuple[FreeTable, ...]:
        """Return tables that would have looked much the same: a Monte Carlo sample with a fixed seed.

        Figures are displaced and rotated by their errors. A doubtful figure is on a share of the tables equal to its
        chance, and a figure in ``names`` on all of them.
        """
        return tuple(self._without(number, gone - set(names)) for number, gone in enumerate(self._gone))

    def _without(self, number: int, gone: frozenset[str]) -> FreeTable:
        key = (number, gone)
        if key not in self._tables:
            table = self._drawn[number]
            there = tuple(figure for figure in table.figures if figure.id not in gone)
            self._tables[key] = replace(table, figures=there) if gone else table
        return self._tables[key]

    @cached_property
    def _tables(self) -> dict[tuple[int, frozenset[str]], FreeTable]:
        """Cache by sample number and missing figures, so that rules evaluate each table once."""
        return {}

    @cached_property
    def _drawn(self) -> tuple[FreeTable, ...]:
        chance = random.Random(_SEED)
        who = random.Random(_SEED_WHO)
        return tuple(self._add_maybes(self._moved_a_little(chance), who) for _ in range(LOOKALIKES))

    @cached_property
    def _gone(self) -> tuple[frozenset[str], ...]:
        who = random.Random(_SEED_WHO)
        unsure = [(name, spot.chance_of_somebody) for name, spot in self.spots.items() if spot.chance_of_somebody < 1]
        return tuple(frozenset(name for name, there in unsure if who.random() >= there) for _ in range(LOOKALIKES))

    def _moved_a_little(self, chance: random.Random) -> FreeTable:
        places, turned = {}, {}
        for figure in self.table.figures:
            if figure.id not in self.spots:
                continue
            (x, y), wide_mm = self.seen_at(figure), max(self.spots[figure.id].error_mm, LEAST_ERROR_MM)
            places[figure.id] = (x + chance.gauss(0, wide_mm), y + chance.gauss(0, wide_mm))
            if figure.base_size_mm is not None:
                turn_deg = chance.gauss(0, self.spots[figure.id].turn_error_deg)
                turned[figure.id] = replace(figure, facing_deg=figure.facing_deg + snapped(turn_deg))
        figures = tuple(turned.get(figure.id, figure) for figure in self.table.figures)
        return settled_table(replace(self.table, figures=figures), places)

    def _add_maybes(self, table: FreeTable, who: random.Random) -> FreeTable:
        """Add some of the figures that may be there. The others do not give way to them."""
        for maybe in self.maybes:
            if who.random() < maybe.chance:
                figure = _somewhere(maybe.figure, table, who) if maybe.is_anywhere else maybe.figure
                if figure is not None:
                    table = replace(table, figures=(*table.figures, figure))
        return table

    def seen_at(self, figure: FreeFigure) -> tuple[float, float]:
        return self.seen_mm.get(figure.id, (float(figure.center_mm[0]), float(figure.center_mm[1])))


def settled_table(table: FreeTable, places_mm: Mapping[str, tuple[float, float]]) -> FreeTable:
    """Put figures at their seen places, so that nearly touching bases touch and none overlap.

    Figures without a place stay. Places are snapped to hundredths of a millimetre.
    """
    places = {f.id: places_mm.get(f.id, (float(f.center_mm[0]), float(f.center_mm[1]))) for f in table.figures}
    near = [pair for pair in combinations(table.figures, 2) if _nearly_touch(*pair, places)]
    for _ in range(_ROUNDS if near else 0):
        for a, b in near:
            _bring_together(a, b, places, frozenset(places_mm))
    moved = {name: (snapped(x), snapped(y)) for name, (x, y) in places.items() if name in places_mm}
    settled = replace(table, figures=tuple(replace(f, center_mm=moved.get(f.id, f.center_mm)) for f in table.figures))
    return _touching(settled, [(a.id, b.id) for a, b in near], frozenset(places_mm))


def _somewhere(figure: FreeFigure, table: FreeTable, who: random.Random) -> FreeFigure | None:
    """Put the figure on a random free place, or return None if none is found within `_TRIES`."""
    width_mm, depth_mm = (float(side) for side in table.size_mm)
    for _ in range(_TRIES):
        place = (who.uniform(0, width_mm), who.uniform(0, depth_mm))
        if all(
            math.dist(place, (float(other.center_mm[0]), float(other.center_mm[1]))) > figure.reach_mm + other.reach_mm
            for other in table.figures
        ):
            return _move(figure, place)
    return None


def snapped(value: float) -> Fraction:
    """Round a measure to whole ``SNAP_MM``."""
    return round(value / SNAP_MM) * SNAP_MM


@dataclass(frozen=True)
class _Gap:
    """The gap between two bases: the unit direction from one to the other, and its width."""

    ux: float
    uy: float
    width_mm: float


def _gap(a: FreeFigure, b: FreeFigure, places: Mapping[str, tuple[float, float]]) -> _Gap:
    """Return the gap between two bases at these places, which is negative for overlapping round ones."""
    (ax, ay), (bx, by) = places[a.id], places[b.id]
    if a.base_size_mm or b.base_size_mm:
        at_a, at_b = (_move(figure, places[figure.id]) for figure in (a, b))
        (ax, ay), (bx, by) = ((float(x), float(y)) for x, y in nearest_between(at_a.core_mm, at_b.core_mm))
    apart = math.dist((ax, ay), (bx, by))
    if apart < _NO_WAY_MM:
        return _Gap(0.0, 0.0, 0.0)
    return _Gap((bx - ax) / apart, (by - ay) / apart, apart - float(a.radius_mm + b.radius_mm))


def _move(figure: FreeFigure, place: tuple[float, float]) -> FreeFigure:
    return replace(figure, center_mm=(snapped(place[0]), snapped(place[1])))


def _nearly_touch(a: FreeFigure, b: FreeFigure, places: Mapping[str, tuple[float, float]]) -> bool:
    if a.elevation_mm > b.top_mm or b.elevation_mm > a.top_mm:
        return False
    if math.dist(places[a.id], places[b.id]) > a.reach_mm + b.reach_mm + CONTACT_MM:
        return False
    return _gap(a, b, places).width_mm < CONTACT_MM


def _bring_together(a: FreeFigure, b: FreeFigure, places: dict[str, tuple[float, float]], free: frozenset[str]) -> None:
    """Move two figures until their bases touch, each by half the gap if both may move."""
    if not free & {a.id, b.id}:
        return
    gap = _gap(a, b, places)
    (ax, ay), (bx, by) = places[a.id], places[b.id]
    share = 0.5 if {a.id, b.id} <= free else float(a.id in free)
    along, back = gap.width_mm * share, gap.width_mm * (1 - share)
    places[a.id] = (ax + gap.ux * along, ay + gap.uy * along)
    places[b.id] = (bx - gap.ux * back, by - gap.uy * back)


def _touching(table: FreeTable, pairs: list[tuple[str, str]], free: frozenset[str]) -> FreeTable:
    """Move touching bases together by hundredths of a millimetre where snapping separated them."""
    places: dict[str, ExactPoint] = {figure.id: figure.center_mm for figure in table.figures}
    figures = table.figure_by_id
    done: set[str] = set()
    for first, second in pairs:
        if not free & {first, second}:
            continue
        # A figure that already touches another stays. If both do, the first moves.
        moving, other = (second, first) if second in free and second not in done else (first, second)
        done |= {first, second}
        for _ in range(200):
            at, to = (replace(figures[name], center_mm=places[name]) for name in (moving, other))
            near, far = nearest_between(at.core_mm, to.core_mm)
            dx, dy = far[0] - near[0], far[1] - near[1]
            if dx * dx + dy * dy <= (at.radius_mm + to.radius_mm) ** 2:
                break
            x, y = places[moving]
            step = SNAP_MM
            if abs(dx) >= abs(dy):
                x += step if dx > 0 else -step
            else:
                y += step if dy > 0 else -step
            places[moving] = (x, y)
    return replace(table, figures=tuple(replace(f, center_mm=places[f.id]) for f in table.figures))
