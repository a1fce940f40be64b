"""Exactly compared distances between figures on a free table, and the rules that depend on them.

Radii count in steps and include their border. Sources: seed 003, by the headings named at each question. House options
define the points and the method of measuring.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import cached_property
from itertools import combinations
from math import hypot

from assistant.rules.surd import Surd, rational_root, root
from assistant.table.free_table import FreeFigure, FreeTable
from assistant.table.plane import square_between, square_mm2

DRAW_IN_STEPS = 1
LEADER_STEPS = 3
LONELY_STEPS = 3
TERROR_STEPS = 3

_FLOAT_SLACK_MM = 1.0
"""Far above any float error on a table."""

_HOUSE_STEPS_MM = {"2_inches": Fraction(254, 5), "5_cm": Fraction(50)}


def is_in_contact(a: FreeFigure, b: FreeFigure) -> bool:
    """Return whether two bases touch: they meet from above, and neither figure stands wholly above the other."""
    reach_mm = a.radius_mm + b.radius_mm
    beside = a.elevation_mm <= b.top_mm and b.elevation_mm <= a.top_mm
    return beside and not _is_surely_beyond(a, b, 0.0) and _square_mm2(a, b) <= reach_mm**2


def _is_surely_beyond(a: FreeFigure, b: FreeFigure, limit_mm: float) -> bool:
    """Return whether two bases are surely farther apart than the limit: a cheap float bound for any rotation."""
    dx, dy = (float(a.center_mm[i]) - float(b.center_mm[i]) for i in (0, 1))
    return hypot(dx, dy) > a.reach_mm + b.reach_mm + limit_mm + _FLOAT_SLACK_MM


def _square_mm2(a: FreeFigure, b: FreeFigure) -> Fraction:
    """Return the squared distance between the cores of two bases, seen from above."""
    return square_between(a.core_mm, b.core_mm)


class Distances:
    """The distances on one table under the house options."""

    def __init__(self, table: FreeTable, options: Mapping[str, str]) -> None:
        self.table = table
        self.is_slant = options["distance_height"] == "slant"
        self.from_centers = options["distance_ref"] == "centers"
        self.rounds_half_up = options["half_mobility_round"] == "up"
        self.step_mm = _HOUSE_STEPS_MM.get(options["step_length"], table.step_mm)

    def between_mm(self, a: FreeFigure, b: FreeFigure) -> float:
        """Return the distance between the edges of two bases, 0 for contact; correct to the last digit."""
        gap_mm = max(Fraction(0), root(_square_mm2(a, b)) - a.radius_mm - b.radius_mm)
        if not self.is_slant or a.elevation_mm == b.elevation_mm:
            return float(gap_mm)
        return float(root(gap_mm**2 + (a.elevation_mm - b.elevation_mm) ** 2))

    def is_within(self, a: FreeFigure, b: FreeFigure, steps: Fraction | int) -> bool:
        """Return whether two figures are at most that many steps apart, decided without a root."""
        radii_mm = Fraction(0) if self.from_centers else a.radius_mm + b.radius_mm
        rise_mm = a.elevation_mm - b.elevation_mm if self.is_slant else Fraction(0)
        flat_square = (steps * self.step_mm) ** 2 - rise_mm**2
        if flat_square < 0 or _is_surely_beyond(a, b, float(steps * self.step_mm)):
            return False
        # apart <= (radii + sqrt(flat_square))², multiplied out: a number a + b·sqrt(n) with an exact sign
        apart = square_mm2(a.center_mm, b.center_mm) if self.from_centers else _square_mm2(a, b)
        spare = radii_mm**2 + flat_square - apart
        known = rational_root(flat_square)
        if known is not None:
            return spare + 2 * radii_mm * known >= 0
        return Surd(spare, 2 * radii_mm, flat_square) >= 0

    def fighting(self) -> frozenset[str]:
        """Return the figures whose base touches an enemy's (“Кто может сражаться”)."""
        return self._fighting

    def opponents_of(self, figure: str) -> tuple[str, ...]:
        """Return the enemies whose base touches a figure's, or none for an absent figure."""
        return self._opponents.get(figure, ())

    def drawn_in(self) -> tuple[str, ...]:
        """Return the other figures within a step of the fighting, which move into contact (“Втягивание в схватку”)."""
        return self._drawn_in

    @cached_property
    def _fighting(self) -> frozenset[str]:
        return frozenset(name for name, enemies in self._opponents.items() if enemies)

    @cached_property
    def _opponents(self) -> Mapping[str, tuple[str, ...]]:
        figures = self.table.figures
        pairs = [(a, b) for a, b in combinations(figures, 2) if _are_enemies(a, b) and is_in_contact(a, b)]
        met = {(a.id, b.id) for a, b in pairs} | {(b.id, a.id) for a, b in pairs}
        return {a.id: tuple(b.id for b in figures if (a.id, b.id) in met) for a in figures}

    @cached_property
    def _drawn_in(self) -> tuple[str, ...]:
        fighters = [figure for figure in self.table.figures if figure.id in self._fighting]
        near = (
            figure.id
            for figure in self.table.figures
            if figure.id not in self._fighting
            and any(self.is_within(figure, other, DRAW_IN_STEPS) for other in fighters)
        )
        return tuple(sorted(near))

    def leading_spirit(self, figure: FreeFigure) -> int:
        """Return the Spirit that a figure may test on: its own, or that of a leader of its side within 3 steps.

        A leader who is down or in flight does not count (“Командиры отрядов”).
        """
        leaders = self._near(figure, LEADER_STEPS, lambda other: "leader" in other.marks and _can_help(figure, other))
        return max([figure.stats.spirit, *(leader.stats.spirit for leader in leaders)])

    def is_lonely(self, figure: FreeFigure) -> bool:
        """Return whether a figure fights two or more enemies without an able friend within 3 steps (“Побег”)."""
        opponents = self.opponents_of(figure.id)
        friends = self._near(figure, LONELY_STEPS, lambda other: _can_help(figure, other))
        return len(opponents) >= 2 and next(friends, None) is None

    def terrified_by(self, figure: FreeFigure) -> tuple[str, ...]:
        """Return the enemies whose terror a figure tests against at the start of its turn (“Ужас”).

        Figures that cause fear or terror do not test.
        """
        if figure.marks & {"fear", "terror"}:
            return ()
        near = self._near(figure, TERROR_STEPS, lambda other: "terror" in other.marks and _are_enemies(figure, other))
        return tuple(sorted(other.id for other in near))

    def detection_steps(self, observer: FreeFigure) -> Fraction:
        """Return the range at which a figure always detects camouflaged enemies: half its Mobility (“Маскировка”)."""
        half = Fraction(observer.stats.mobility, 2)
        return Fraction(-(-observer.stats.mobility // 2)) if self.rounds_half_up else half

    def detects(self, observer: FreeFigure, hidden: FreeFigure) -> bool:
        return self.is_within(observer, hidden, self.detection_steps(observer))

    def _near(self, figure: FreeFigure, steps: int, condition: Callable[[FreeFigure], bool]) -> Iterator[FreeFigure]:
        return (
            other
            for other in self.table.figures
            if other.id != figure.id and condition(other) and self.is_within(figure, other, steps)
        )


def _are_enemies(a: FreeFigure, b: FreeFigure) -> bool:
    return a.side != b.side


def _can_help(figure: FreeFigure, other: FreeFigure) -> bool:
    return not _are_enemies(figure, other) and not other.marks & {"down", "fleeing"}
