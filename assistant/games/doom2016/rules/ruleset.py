"""DOOM: The Board Game (2016): sight from corner to corner, cover, range in steps round walls."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import ClassVar, cast

from assistant.errors import UnknownName
from assistant.games.doom2016.rules import OPTIONS, reasons
from assistant.games.doom2016.rules.corners import CornerLines, CornerTable
from assistant.games.doom2016.rules.moves import LargeGround, MoveRules2016, SmallGround
from assistant.games.doom2016.rules.places import MarineGround, PricedMarks, Route, check_marks, find_route
from assistant.rules.capabilities import HasTeleporters, Marks, NamesCorner
from assistant.rules.explain import Ask
from assistant.rules.grid import Grid
from assistant.rules.moves import MoveGround, lies_across
from assistant.rules.options import Option
from assistant.rules.pairing import find_resting
from assistant.rules.paths import Diagonal, chebyshev
from assistant.rules.reasons import Rule, reason
from assistant.rules.ruleset import CellAnswers
from assistant.rules.ruling import Origin, Reach, Reason, Ruling, SightLine, Verdict
from assistant.rules.sight_tables import AboutPlace, SightTableRules
from assistant.table.board import Board, Figure
from assistant.table.lattice import Cell, Point
from assistant.translations.messages import said


class Doom2016(SightTableRules[CornerTable], NamesCorner, HasTeleporters):
    """The rules under one set of house options."""

    name: ClassVar[str] = "doom2016"
    option_table: ClassVar[tuple[Option, ...]] = OPTIONS
    rules: ClassVar[Mapping[str, Rule]] = reasons.RULES
    door_cost: ClassVar[int] = 1

    def from_corner(self, corner: Point) -> CellAnswers:
        return AboutPlace(self, corner)

    def may_stand(self, board: Board, figure: Figure) -> bool:
        """Return whether the ground allows a figure: large ones over red lines and cells, none across a wall."""
        on_solid = not figure.is_large and not board.blocking.isdisjoint(figure.cells)
        return not on_solid and not lies_across(board, figure.cells, frozenset({"wall"}))

    @property
    def only_hinders(self) -> bool:
        # Four barriers that meet may let a line through that three of them stop. And if the first seeing corner decides
        # about cover, a further figure may make a better corner the first.
        return self._options["los_pinch"] == "blocked" and self._options["cover_corner"] == "same_best"

    def marked_reach(
        self, board: Board, figure_id: str, points: int, marks: Marks, *, open_doors: bool = False
    ) -> Reach:
        mover, grid = board.figure(figure_id), self._tables.grid(board)
        check_marks(board, mover, marks)
        rules, priced = self.move_rules(), self._price(marks)
        return self._find_reach(
            board, mover, points, open_doors, lambda opened: MarineGround(grid, mover, rules, opened, priced)
        )

    def route(self, board: Board, figure_id: str, points: int, marks: Marks, *, start: Cell, end: Cell) -> Route | None:
        """Return a marine's cheapest path to a cell, with the fewest dead demons in a tie, or None without a path.

        Args:
            board: the table, with its present doors.
            figure_id: the marine.
            points: the highest cost.
            start: the marine's cell at the start.
            end: the cell to reach.
            marks: the staggered demons, and the usable teleporters.

        Raises:
            UnknownName: the board holds no such figure or cell, or the marine is a figure of several cells.
        """
        mover = board.figure(figure_id)
        check_marks(board, mover, marks)
        ground = MarineGround(self._tables.grid(board), mover, self.move_rules(), frozenset(), self._price(marks))
        return find_route(ground, start, end, points)

    def _price(self, marks: Marks) -> PricedMarks:
        return PricedMarks(
            marks.active,
            marks.inactive,
            marks.staggered,
            glory_extra=self._options["glory_cost"] == "normal",
            teleport_cost=1 if self._options["teleport_cost"] == "step" else 0,
        )

    def move_rules(self) -> MoveRules2016:
        """Return the options of movement, for the figures' grounds."""
        options = self._options
        return MoveRules2016(
            diagonal=cast(Diagonal, options["diagonal_at_vertex"]),
            impassable_blocks=options["impassable_movement"] == "blocks",
            costs_add_up=options["cost_stacking"] == "add",
            large_pass_large=options["large_vs_large"] == "pass",
        )

    @staticmethod
    def _table(grid: Grid, options: Mapping[str, str]) -> CornerTable:
        return CornerTable(grid, options)

    def _ground(self, grid: Grid, mover: Figure, opened: frozenset[str]) -> MoveGround:
        make = LargeGround if mover.is_large else SmallGround
        return make(grid, mover, self.move_rules(), opened)

    @property
    def _opens_doors_at_ends(self) -> bool:
        return self._options["door_reach"] == "corner"

    def _ask_about(self, board: Board, ruling: Ruling, place: Cell) -> Ask:
        (left, top), (x, y) = board.figure(ruling.attacker).cells[0], place

        def ask(board: Board, placed: Figure, defender: Figure) -> Verdict:
            table = self._tables.of(board)
            corner = (x - left + placed.cells[0][0], y - top + placed.cells[0][1])
            return table.verdict_of(table.look(placed, defender).at(corner), placed, defender)

        return ask

    def _rule(self, board: Board, attacker: Figure, defender: Figure, place: Cell | None) -> Ruling:
        table = self._tables.of(board)
        look = table.look(attacker, defender)
        if place is not None:
            look = _restrict_to_corner(look, attacker, place)
        verdict = table.verdict_of(look, attacker, defender)

        def answer_with(option: str, choice: str) -> Verdict:
            other = self._tables.otherwise(board, option, choice)
            return other.verdict_otherwise(option, (verdict, look), attacker, defender)

        # A ruling about a named corner names no option.
        open_options = () if place is not None else _open_options(board, attacker, defender, verdict)
        resting = list(find_resting(open_options, self._options, verdict, answer_with))
        start = _choose_shown(table, look, attacker, defender, verdict)
        lines = _lines(table, look, attacker, defender, start)
        adjacent = table.are_adjacent(attacker.cells, defender.cells)
        return Ruling(
            ruleset=self.name,
            attacker=attacker.id,
            defender=defender.id,
            range=verdict.range,
            line_of_sight=verdict.line_of_sight,
            cover=verdict.cover,
            origin=None if start is None else look.corners[start].point,
            lines=lines,
            reasons=(
                *_sight_reasons(look, attacker, defender, lines, verdict, is_named=place is not None),
                *self._closing_reasons(attacker, defender, verdict, adjacent, resting),
            ),
            options={rest.option: rest.choice for rest in resting},
            origins=_origins(look),
            adjacent=adjacent,
        )


def _open_options(board: Board, attacker: Figure, defender: Figure, verdict: Verdict) -> tuple[Option, ...]:
    """Return the options that can change this answer at all. The others need no further question."""
    figures = (attacker, defender)
    any_large = attacker.is_large or defender.is_large
    needs = {
        "cover_doors": bool(board.closed_door_at),
        "cover_difficult_border": bool(board.difficult),
        "cover_defender_in_difficult": not board.difficult.isdisjoint(defender.cells),
        "cover_attacker_in_difficult": not board.difficult.isdisjoint(attacker.cells),
        "los_shared_corner": chebyshev(attacker.cells, defender.cells) <= 1,
        "large_los_cells": any_large,
        "target_on_obstacle": any_large or any(not board.blocking.isdisjoint(f.cells) for f in figures),
    }
    has_cover = verdict.line_of_sight and not defender.is_large
    return tuple(
        option
        for option in OPTIONS
        if needs.get(option.name, True) and (has_cover or not option.name.startswith("cover_"))
    )


def _restrict_to_corner(look: CornerLines, attacker: Figure, origin: Point) -> CornerLines:
    if origin not in {corner.point for corner in look.corners}:
        known = ", ".join(str(list(corner.point)) for corner in look.corners)
        raise UnknownName(
            said(
                "{origin} is not a corner of “{id}”; its corners are: {known}",
                origin=str(list(origin)),
                id=attacker.id,
                known=known,
            )
        )
    return look.at(origin)


def _choose_shown(
    table: CornerTable, look: CornerLines, attacker: Figure, defender: Figure, verdict: Verdict
) -> int | None:
    """Return the index of the corner to show: the best one, or the one to blame if any cover counts."""
    fitting = [i for i in look.seeing if look.covered[i] == verdict.cover]
    if not fitting or not verdict.cover or table.options["cover_corner"] == "declared":
        return fitting[0] if fitting else None

    def stopped(i: int) -> int:
        start = look.corners[i].point
        return sum(table.cover_blocker(attacker, defender, start, t.point) is not None for t in look.targets)

    # If every corner gives cover, the one with the fewest stopped lines shows the cause best.
    return min(fitting, key=stopped)


def _lines(
    table: CornerTable, look: CornerLines, attacker: Figure, defender: Figure, start: int | None
) -> tuple[SightLine, ...]:
    """Return the lines to show: a free line of sight and those of cover, or all stopped ones, nearest miss first."""
    if start is None:
        missed: list[tuple[int, SightLine]] = []
        for origin, row in zip(look.corners, table.stops(attacker, defender, look), strict=True):
            for target, stops in zip(look.targets, row, strict=True):
                blocker = stops[0] if stops else None
                missed.append((len(set(stops)), SightLine(origin.point, target.point, "sight", blocker)))
        missed.sort(key=lambda item: (item[0], item[1].start, item[1].end))
        return tuple(line for _, line in missed)
    origin = look.corners[start]
    seen = [i for i in range(len(look.targets)) if look.clear[start] >> i & 1]
    # The shortest free line is the easiest to lay a thread along.
    nearest = min(seen, key=lambda i: _square_length(origin.point, look.targets[i].point))
    sight = SightLine(origin.point, look.targets[nearest].point, "sight")
    if defender.is_large:
        return (sight,)
    return (
        sight,
        *(
            SightLine(origin.point, t.point, "cover", table.cover_blocker(attacker, defender, origin.point, t.point))
            for t in look.targets
        ),
    )


def _square_length(a: Point, b: Point) -> int:
    return (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2


def _origins(look: CornerLines) -> tuple[Origin, ...]:
    return tuple(
        Origin(corner.point, bool(clear), covered, tuple(t.point for i, t in enumerate(look.targets) if clear >> i & 1))
        for corner, clear, covered in zip(look.corners, look.clear, look.covered, strict=True)
    )


def _sight_reasons(
    look: CornerLines,
    attacker: Figure,
    defender: Figure,
    lines: tuple[SightLine, ...],
    verdict: Verdict,
    *,
    is_named: bool,
) -> Iterator[Reason]:
    """Yield the reasons about sight and, if there is sight, about cover."""
    names = {"attacker": attacker.id, "defender": defender.id}
    line = lines[0]
    if not verdict.line_of_sight:
        phrase = "named_blocked" if is_named else "blocked"
        yield reason(reasons.SIGHT, phrase, origin=line.start, target=line.end, blocker=line.blocked_by, **names)
        return
    yield reason(reasons.SIGHT, "clear", origin=line.start, target=line.end, **names)
    if defender.is_large:
        yield reason(reasons.LARGE_COVER, "none", **names)
    elif not verdict.cover:
        yield reason(reasons.COVER, "none", origin=line.start, **names)
    else:
        # A figure or a door says more than a wall or the rim of the board along another line.
        hindered = min(
            (one for one in lines[1:] if one.blocked_by is not None),
            key=lambda one: one.blocked_by is not None and one.blocked_by.kind == "wall",
        )
        # With a named corner, the others may do better, so the reason makes no claim about them.
        phrase = "cover" if not is_named and all(look.covered[i] for i in look.seeing) else "named"
        place = {"origin": line.start, "target": hindered.end, "blocker": hindered.blocked_by}
        yield reason(reasons.COVER, phrase, **place, **names)
