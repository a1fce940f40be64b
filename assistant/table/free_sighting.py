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
from assistant.table.plane import ExactPoint, nearest_between

CONTACT_MM = 0.75
"""Bases that are seen nearer to each other than this touch: nobody leaves less than twice that between them."""

SNAP_MM = Fraction(1, 100)
"""Places that were seen are told to a hundredth of a millimetre."""

LOOKALIKES = 40
"""So many tables: a flip that half of them show is told to within an eighth."""

LEAST_ERROR_MM = 0.12
"""Nothing is known better than this: terrain was drawn by hand."""

UNSEEN = 0.5
"""How likely a model of the box that was not found is on the table all the same, and nobody knows where: half of those
that a game has left over are, as far as a picture can tell."""

_NO_WAY_MM = 1e-6
"""Bases nearer than this lie in each other, and there is no way between them."""

_SEED, _SEED_WHO = 20040, 20041
_TRIES = 20
"""So often a place is drawn for somebody who may stand anywhere, until he stands in nobody."""

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
        turn_error_deg: the standard deviation of the turn of a base that is no circle; 0 of a round one.
    """

    error_mm: float
    confidence: float = 1.0
    facing_error_deg: float | None = None
    kinds: tuple[str, ...] = ()
    turn_error_deg: float = 0.0

    @property
    def chance_of_somebody(self) -> float:
        """How likely anybody stands there, of whatever kind that has such a base."""
        return min(1.0, self.confidence * max(1, len(self.kinds)))


@dataclass(frozen=True)
class FreeMaybe:
    """A figure that the table does not hold and that may be on it all the same.

    Args:
        figure: who it would be, under a name that nobody of the table has.
        chance: how likely it is there, 0 to 1.
        is_anywhere: nobody knows where; its place says nothing.
        spot: how well it was seen, if it stands there; None where nobody knows where.
    """

    figure: FreeFigure
    chance: float
    is_anywhere: bool = False
    spot: FreeSpot | None = None


@dataclass(frozen=True)
class FreeSighting:
    """A free table with how well each figure was seen.

    Args:
        table: the table as it is taken to be; bases that touch do so exactly.
        spots: by the figures' names; who is not named was not seen by a camera and is as it is told.
        seen_mm: where the middles were seen before those in contact were moved together, by name.
        reprojection_px: how well the markers fit; 0 where no camera was.
        markers_seen: the markers that the picture showed.
        maybes: who may be on the table without having been found.
    """

    table: FreeTable
    spots: Mapping[str, FreeSpot] = field(default_factory=dict)
    seen_mm: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    reprojection_px: float = 0.0
    markers_seen: tuple[int, ...] = ()
    maybes: tuple[FreeMaybe, ...] = ()

    def lookalikes_with(self, *names: str) -> tuple[FreeTable, ...]:
        """Tables that would have looked much the same, always the same ones, with those of the names on all of them.

        Everybody stands a little elsewhere, and bases that are no circles are a little turned. Who is perhaps not
        there is missing from as many of them as that is likely, and who may be there unseen stands on as many.
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
        """What was asked for, so that rules work out each table once."""
        return {}

    @cached_property
    def _drawn(self) -> tuple[FreeTable, ...]:
        chance = random.Random(_SEED)
        who = random.Random(_SEED_WHO)
        return tuple(self._joined(self._moved_a_little(chance), who) for _ in range(LOOKALIKES))

    @cached_property
    def _gone(self) -> tuple[frozenset[str], ...]:
        """Who is missing from each table."""
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

    def _joined(self, table: FreeTable, who: random.Random) -> FreeTable:
        """The table with some of those who may be there unseen; nobody gives way to them."""
        for maybe in self.maybes:
            if who.random() < maybe.chance:
                figure = _somewhere(maybe.figure, table, who) if maybe.is_anywhere else maybe.figure
                if figure is not None:
                    table = replace(table, figures=(*table.figures, figure))
        return table

    def seen_at(self, figure: FreeFigure) -> tuple[float, float]:
        """Where the figure's middle was seen."""
        return self.seen_mm.get(figure.id, (float(figure.center_mm[0]), float(figure.center_mm[1])))


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


def _somewhere(figure: FreeFigure, table: FreeTable, who: random.Random) -> FreeFigure | None:
    """The figure on a free place of the table, any; None where none was found soon."""
    width_mm, depth_mm = (float(side) for side in table.size_mm)
    for _ in range(_TRIES):
        place = (who.uniform(0, width_mm), who.uniform(0, depth_mm))
        if all(
            math.dist(place, (float(other.center_mm[0]), float(other.center_mm[1]))) > figure.reach_mm + other.reach_mm
            for other in table.figures
        ):
            return _moved(figure, place)
    return None


def snapped(value: float) -> Fraction:
    """A measure to a hundredth of a millimetre."""
    return round(value / SNAP_MM) * SNAP_MM


@dataclass(frozen=True)
class _Gap:
    """What lies between two bases: the way from the one to the other, a millimetre long, and how wide it is."""

    ux: float
    uy: float
    width_mm: float


def _gap(a: FreeFigure, b: FreeFigure, places: Mapping[str, tuple[float, float]]) -> _Gap:
    """The gap between two bases at places; of round ones that lie in each other it is negative."""
    (ax, ay), (bx, by) = places[a.id], places[b.id]
    if a.base_size_mm or b.base_size_mm:
        at_a, at_b = (_moved(figure, places[figure.id]) for figure in (a, b))
        (ax, ay), (bx, by) = ((float(x), float(y)) for x, y in nearest_between(at_a.core_mm, at_b.core_mm))
    apart = math.dist((ax, ay), (bx, by))
    if apart < _NO_WAY_MM:
        return _Gap(0.0, 0.0, 0.0)
    return _Gap((bx - ax) / apart, (by - ay) / apart, apart - float(a.radius_mm + b.radius_mm))


def _moved(figure: FreeFigure, place: tuple[float, float]) -> FreeFigure:
    return replace(figure, center_mm=(snapped(place[0]), snapped(place[1])))


def _nearly_touch(a: FreeFigure, b: FreeFigure, places: Mapping[str, tuple[float, float]]) -> bool:
    if a.elevation_mm > b.top_mm or b.elevation_mm > a.top_mm:
        return False
    if math.dist(places[a.id], places[b.id]) > a.reach_mm + b.reach_mm + CONTACT_MM:
        return False
    return _gap(a, b, places).width_mm < CONTACT_MM


def _bring_together(a: FreeFigure, b: FreeFigure, places: dict[str, tuple[float, float]], free: frozenset[str]) -> None:
    """Moves two figures along the way between them until their bases touch; each half the way if both may."""
    if not free & {a.id, b.id}:
        return
    gap = _gap(a, b, places)
    (ax, ay), (bx, by) = places[a.id], places[b.id]
    share = 0.5 if {a.id, b.id} <= free else float(a.id in free)
    along, back = gap.width_mm * share, gap.width_mm * (1 - share)
    places[a.id] = (ax + gap.ux * along, ay + gap.uy * along)
    places[b.id] = (bx - gap.ux * back, by - gap.uy * back)


def _touching(table: FreeTable, pairs: list[tuple[str, str]], free: frozenset[str]) -> FreeTable:
    """The table with those who touch moved by a hundredth of a millimetre where snapping parted them."""
    places: dict[str, ExactPoint] = {figure.id: figure.center_mm for figure in table.figures}
    figures = table.figure_by_id
    done: set[str] = set()
    for first, second in pairs:
        if not free & {first, second}:
            continue
        # Whoever already touches somebody stays; where both do, the first gives way.
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
