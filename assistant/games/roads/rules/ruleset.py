"""“Roads of the Apocalypse”: distances, sight and cover on a table without a grid.

Beside this file: ``sight`` (lines), ``movement`` (ways, climbs, jumps and cover on the table), ``melee`` and
``melee_odds``, ``checks`` (dice for psychology, climbs, jumps, falls and shots).
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import ClassVar, NamedTuple

from assistant.games.roads.rules import OPTIONS, reasons
from assistant.games.roads.rules.movement import find_cover_in_reach, ground_reasons, jump_across
from assistant.games.roads.rules.reasons import TAKE_COVER
from assistant.games.roads.rules.sight import BaseLines, Sight
from assistant.rules.capabilities import TellsAbout
from assistant.rules.free_distance import Distances, is_in_contact
from assistant.rules.free_lines import LineGeometry
from assistant.rules.options import Option
from assistant.rules.pairing import Resting, find_resting, find_two_figures
from assistant.rules.reasons import Rule, reason
from assistant.rules.ruleset import FreeRules
from assistant.rules.ruling import Change, LinePoint, Reason, Ruling, SightLine, Verdict
from assistant.table.free_table import FreeFigure, FreeTable
from assistant.table.plane import ExactPoint

KEPT_TABLES = 96
"""Number of tables with cached geometry: the present one, and twice those that would look like it."""


class _Measured(NamedTuple):
    """A table with its geometry, and its rulings so far by attacker and defender."""

    table: FreeTable
    ground: LineGeometry
    distances: Distances
    rulings: dict[tuple[str, str], Ruling]


class _Apart(NamedTuple):
    """The distance between two figures; ``mm`` is the gap between their bases, as the house measures it."""

    mm: float
    steps: float
    touch: bool

    @classmethod
    def of(cls, distances: Distances, attacker: FreeFigure, defender: FreeFigure) -> _Apart:
        mm = distances.between_mm(attacker, defender)
        return cls(mm, mm / float(distances.step_mm), is_in_contact(attacker, defender))


class Roads(FreeRules, TellsAbout):
    """The rules of “Roads of the Apocalypse” under the house's options."""

    name: ClassVar[str] = "roads"
    option_table: ClassVar[tuple[Option, ...]] = OPTIONS
    rules: ClassVar[Mapping[str, Rule]] = reasons.RULES

    def __init__(self, options: Mapping[str, str] | None = None) -> None:
        super().__init__(options)
        self._kept: deque[_Measured] = deque(maxlen=KEPT_TABLES)

    def distances(self, table: FreeTable) -> Distances:
        """Return distances on the table: contact, drawing in, leaders, loneliness, terror, detection."""
        return self._geometry_of(table).distances

    def sight(self, table: FreeTable, viewer: FreeFigure, target: FreeFigure) -> Sight:
        """Return sight and cover from one figure to another."""
        return BaseLines(self._geometry_of(table).ground, viewer, target).sight(self._options)

    def verdict(self, table: FreeTable, attacker: FreeFigure, defender: FreeFigure) -> Verdict:
        """Return the bare answer for two figures. Its range is the distance in steps, 0 in contact."""
        return _answer(_range_steps(self.distances(table), attacker, defender), self.sight(table, attacker, defender))

    def _geometry_of(self, table: FreeTable) -> _Measured:
        """Return the geometry of a table. Tables are frozen, so the same object has the same geometry."""
        # The copy and the append are atomic: at worst two threads compute the same geometry.
        known = next((measured for measured in self._kept.copy() if measured.table is table), None)
        if known is None:
            known = _Measured(table, LineGeometry(table), Distances(table, self._options), {})
            self._kept.append(known)
        return known

    def witnesses(self, table: FreeTable, shooter_id: str, target_id: str) -> tuple[str, ...]:
        """Return the enemies that must test to find a shooter in ambush: they saw the target fall and see the shooter.

        Source: “Стрельба из засады” (seed 003). Downed and fleeing models do not count (inferred).

        Raises:
            UnknownName: the table holds no such figure.
        """
        shooter, target = table.figure(shooter_id), table.figure(target_id)
        return tuple(
            sorted(
                other.id
                for other in table.figures
                if other.side != shooter.side and other.id != target.id and not other.marks & {"down", "fleeing"}
                if all(self.sight(table, other, each).is_clear for each in (target, shooter))
            )
        )

    def about(self, table: FreeTable, figure_id: str, landing_mm: ExactPoint | None = None) -> tuple[Reason, ...]:
        """Return effects of the table on one figure: melee, leaders, terror, detection, cover, climbs and jumps.

        ``landing_mm`` is the landing of a jump across a gap, with the whole movement left.

        Raises:
            UnknownName: the table holds no such figure.
            BadValue: there is no gap on the way to the landing, or it is too wide.
        """
        figure, distances = table.figure(figure_id), self.distances(table)
        found = (*_explain_figure(distances, figure), *ground_reasons(distances, figure, self._options))
        if landing_mm is None:
            return found
        left_steps = Fraction(figure.stats.mobility)
        return (*found, *jump_across(distances, figure, landing_mm, left_steps, self._options).reasons)

    def rule(self, board: FreeTable, attacker_id: str, defender_id: str) -> Ruling:
        """Return the ruling for one pair; the origin and all lines are in millimetres on the table.

        Raises:
            UnknownName: the table holds no such figure.
        """
        rulings = self._geometry_of(board).rulings
        if (attacker_id, defender_id) not in rulings:
            rulings[attacker_id, defender_id] = self._rule(board, attacker_id, defender_id)
        return rulings[attacker_id, defender_id]

    def _rule(self, board: FreeTable, attacker_id: str, defender_id: str) -> Ruling:
        attacker, defender = find_two_figures(board, attacker_id, defender_id)
        distances, base_lines = self.distances(board), BaseLines(self._geometry_of(board).ground, attacker, defender)
        sight, apart = base_lines.sight(self._options), _Apart.of(distances, attacker, defender)
        verdict = _answer(apart.steps, sight)
        resting = list(self._find_resting(base_lines, distances, (attacker, defender), verdict))
        return Ruling(
            ruleset=self.name,
            attacker=attacker.id,
            defender=defender.id,
            range=verdict.range,
            line_of_sight=verdict.line_of_sight,
            cover=verdict.cover,
            origin=_place(attacker.center_mm) if sight.is_clear else None,
            lines=tuple(_draw_lines(sight, _place(attacker.center_mm))),
            reasons=(
                *_explain_pair(distances, sight, apart, attacker, defender),
                *(reason(reasons.HOUSE, "told", **rest.arguments) for rest in resting),
            ),
            options={rest.option: rest.choice for rest in resting},
            distance_mm=apart.mm,
            adjacent=apart.touch,
        )

    def explained(self, board: FreeTable, ruling: Ruling) -> Ruling:
        """Return a ruling with each single piece of terrain or figure whose removal would flip it."""
        changes = tuple(self._find_flips(board, ruling))
        names = {"attacker": ruling.attacker, "defender": ruling.defender}
        found = [reason(reasons.WHAT_IF, change.flips, subject=change.subject, **names) for change in changes]
        found = found or [reason(reasons.WHAT_IF, "none")]
        return replace(ruling, changes=changes, reasons=(*ruling.reasons, *found))

    def _find_flips(self, board: FreeTable, ruling: Ruling) -> Iterator[Change]:
        """Yield removals that flip the ruling. They hide nothing, so only missing sight or given cover can flip."""
        pair = board.figure(ruling.attacker), board.figure(ruling.defender)
        now = self.sight(board, *pair)
        stops = (stop for traced in (*now.lines, *now.area) for stop in (traced.blocker, traced.low_cover))
        in_the_way = {(str(stop.id), stop.kind) for stop in stops if stop}
        for subject, kind in sorted(in_the_way):
            if kind == "figure":
                fewer = replace(board, figures=tuple(f for f in board.figures if f.id != subject))
            else:
                fewer = replace(board, terrain=tuple(t for t in board.terrain if t.id != subject))
            sight = self.sight(fewer, *pair)
            if sight.is_clear and not ruling.line_of_sight:
                yield Change("remove", subject, (), None, "line_of_sight", True)
            elif ruling.cover and not sight.gives_cover:
                yield Change("remove", subject, (), None, "cover", False)

    def _find_resting(
        self, base_lines: BaseLines, distances: Distances, pair: tuple[FreeFigure, FreeFigure], verdict: Verdict
    ) -> Iterator[Resting]:
        def answer_with(option: str, choice: str) -> Verdict:
            otherwise = {**self._options, option: choice}
            if option == "distance_height":
                return verdict._replace(range=_range_steps(Distances(distances.table, otherwise), *pair))
            return _answer(verdict.range, base_lines.sight(otherwise))

        return find_resting(OPTIONS, self._options, verdict, answer_with)


def _range_steps(distances: Distances, attacker: FreeFigure, defender: FreeFigure) -> float:
    return distances.between_mm(attacker, defender) / float(distances.step_mm)


def _answer(range_steps: float | None, sight: Sight) -> Verdict:
    return Verdict(range_steps, sight.is_clear, sight.gives_cover if sight.is_clear else None)


def _draw_lines(sight: Sight, start: LinePoint) -> Iterator[SightLine]:
    """Yield the lines of sight in order, each free one followed by its line of cover."""
    for traced in sight.lines_to_draw:
        end = float(traced.end_mm[0]), float(traced.end_mm[1])
        yield SightLine(start, end, "sight", traced.blocker)
        if traced.blocker is None:
            yield SightLine(start, end, "cover", traced.low_cover)


def _explain_pair(
    distances: Distances, sight: Sight, apart: _Apart, attacker: FreeFigure, defender: FreeFigure
) -> Iterator[Reason]:
    names = {"attacker": attacker.id, "defender": defender.id}
    if apart.touch:
        yield reason(reasons.DISTANCE, "contact", **names)
    else:
        yield reason(reasons.DISTANCE, "apart", steps=round(apart.steps, 3), mm=round(apart.mm, 2))
    yield _sight_reason(sight, names)
    if sight.is_clear:
        yield _cover_reason(sight, names)
    if attacker.id in distances.fighting():
        yield reason(reasons.IN_MELEE, "told", **names)
    elif attacker.id in distances.drawn_in():
        yield reason(reasons.DRAWN_IN, "told", **names)
    if "camouflaged" in defender.marks:
        phrase = "found" if distances.detects(attacker, defender) else "hidden"
        yield reason(reasons.CAMOUFLAGE, phrase, steps=float(distances.detection_steps(attacker)), **names)


def _explain_figure(distances: Distances, figure: FreeFigure) -> Iterator[Reason]:
    """Yield the effects of nearby figures on a figure."""
    if figure.id in distances.fighting():
        yield reason(reasons.IN_MELEE, "told", attacker=figure.id)
    elif figure.id in distances.drawn_in():
        yield reason(reasons.DRAWN_IN, "told", attacker=figure.id)
    spirit = distances.leading_spirit(figure)
    if spirit > figure.stats.spirit:
        yield reason(reasons.LEADER, "told", figure=figure.id, spirit=spirit)
    if distances.is_lonely(figure):
        yield reason(reasons.LONELY, "told", figure=figure.id, spirit=spirit)
    terrible = distances.terrified_by(figure)
    if terrible:
        yield reason(reasons.TERROR, "told", figure=figure.id, enemies=list(terrible), spirit=spirit)
    for hidden in distances.table.figures:
        if hidden.side != figure.side and "camouflaged" in hidden.marks and distances.detects(figure, hidden):
            steps = float(distances.detection_steps(figure))
            yield reason(reasons.CAMOUFLAGE, "found", attacker=figure.id, defender=hidden.id, steps=steps)
    pieces = list(find_cover_in_reach(distances, figure))
    yield reason(TAKE_COVER, "near" if pieces else "none", figure=figure.id, pieces=pieces)


def _sight_reason(sight: Sight, names: Mapping[str, str]) -> Reason:
    free = sum(traced.blocker is None for traced in sight.lines)
    if sight.is_clear and sight.visible_share is not None:
        return reason(reasons.SIGHT, "part", percent=math.floor(100 * sight.visible_share), **names)
    if sight.is_clear:
        return reason(reasons.SIGHT, "clear", free=free, count=len(sight.lines), **names)
    return reason(reasons.SIGHT, "blocked", blocker=sight.lines[0].blocker, **names)


def _cover_reason(sight: Sight, names: Mapping[str, str]) -> Reason:
    wide = [traced for traced in sight.area if traced.share] or sight.lines
    low = next((traced.low_cover for traced in wide if traced.low_cover), None)
    if low is not None:
        return reason(reasons.COVER, "low", blocker=low, **names)
    hiding = next((traced.blocker for traced in wide if traced.blocker), None)
    if hiding is not None:
        return reason(reasons.COVER, "part", blocker=hiding, **names)
    return reason(reasons.COVER, "none", **names)


def _place(point: ExactPoint) -> LinePoint:
    return float(point[0]), float(point[1])
