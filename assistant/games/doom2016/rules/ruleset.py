"""DOOM: The Board Game (2016): sight from corner to corner, cover, range in steps round walls."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar

from assistant.errors import UnknownName
from assistant.games.doom2016.rules import OPTIONS
from assistant.games.doom2016.rules import moves as moves2016
from assistant.games.doom2016.rules import reasons as said
from assistant.games.doom2016.rules.corners import CornerLines, CornerTable
from assistant.games.doom2016.rules.moves import MoveRules2016
from assistant.games.doom2016.rules.places import MarineGround, PricedMarks, Route, check_marks, find_route
from assistant.rules import moves
from assistant.rules.capabilities import FindsReach, HasDoors, HasTeleporters, Marks, NamesCorner, WalksSteps
from assistant.rules.explain import Ask
from assistant.rules.grid import Grid
from assistant.rules.options import Option
from assistant.rules.pairing import Resting, find_resting, find_two_figures
from assistant.rules.paths import chebyshev
from assistant.rules.reasons import Rule, reason
from assistant.rules.ruleset import CellAnswers
from assistant.rules.ruling import LinePoint, Origin, Reach, Reason, Ruling, SightLine, Verdict
from assistant.rules.sight_tables import SightTableRules
from assistant.table.board import Board, Figure
from assistant.table.lattice import Cell, Point
from assistant.translations import messages

DOOR_COST = 1


class Doom2016(SightTableRules[CornerTable], NamesCorner, FindsReach, WalksSteps, HasDoors, HasTeleporters):
    """The rules under one set of house options.

    Args:
        options: choices that differ from the defaults, by name.

    Raises:
        UnknownName: there is no such option or choice.
    """

    name: ClassVar[str] = "doom2016"
    option_table: ClassVar[tuple[Option, ...]] = OPTIONS
    rules: ClassVar[Mapping[str, Rule]] = said.RULES

    def rule(self, board: Board, attacker_id: str, defender_id: str, *, origin: Point | None = None) -> Ruling:
        """The ruling for one pair.

        Args:
            board: the table.
            attacker_id: who attacks.
            defender_id: who is attacked.
            origin: the corner that the attacker names; the ruling then is about this corner alone.

        Raises:
            UnknownName: the board holds no such figure, both are the same, or the attacker has no such corner.
        """
        attacker, defender = find_two_figures(board, attacker_id, defender_id)
        return self._ruling(board, attacker, defender, origin)

    def from_corner(self, corner: Point) -> CellAnswers:
        """The same rules about this corner of the attacker alone."""
        return _FromCorner(self, corner)

    def may_stand(self, board: Board, figure: Figure) -> bool:
        """Whether the ground lets a figure stand there: large ones over red lines and cells, none across a wall."""
        on_solid = not figure.is_large and not board.blocking.isdisjoint(figure.cells)
        return not on_solid and not moves.lies_across(board, figure.cells, frozenset({"wall"}))

    def explained(self, board: Board, ruling: Ruling, *, origin: Point | None = None) -> Ruling:
        """A ruling of this rule set on this board, with the smallest changes that would flip it.

        Args:
            board: the table.
            ruling: the ruling.
            origin: the corner that the attacker named for it, if it named one.
        """
        return self.explained_by(self.asking(board, ruling, origin=origin), board, ruling)

    @property
    def only_hinders(self) -> bool:
        """Whether no further figure or door on a board ever makes an answer better for the attacker.

        Better is closer, in sight, and without cover. Where four barriers that meet let a line through that three of
        them stop, or the first corner that sees decides, one more may well help.
        """
        return self._options["los_pinch"] == "blocked" and self._options["cover_corner"] == "same_best"

    def asking(self, board: Board, ruling: Ruling, *, origin: Point | None = None) -> Ask:
        """What asks the question of a ruling again: about one named corner, which goes along with the attacker, if any.

        Args:
            board: the table.
            ruling: the ruling.
            origin: the corner that the attacker named for it, if it named one.
        """
        if origin is None:
            return self.verdict
        (left, top), (x, y) = board.figure(ruling.attacker).cells[0], origin

        def ask(board: Board, placed: Figure, defender: Figure) -> Verdict:
            table = self._tables.of(board)
            corner = (x - left + placed.cells[0][0], y - top + placed.cells[0][1])
            return table.verdict_of(table.look(placed, defender).at(corner), placed, defender)

        return ask

    def reach(self, board: Board, figure_id: str, points: int, open_doors: bool = False) -> Reach:
        """Where a figure may end a move of so many points.

        Raises:
            UnknownName: the board holds no such figure.
        """
        mover = board.figure(figure_id)
        grid, rules = self._tables.grid(board), self.move_rules()
        make = moves2016.LargeGround if mover.is_large else moves2016.SmallGround
        doors = moves.DoorRules(DOOR_COST, self.door_cells(board) if open_doors else ())
        found = moves.find_ends(mover.cells, points, lambda opened: make(grid, mover, rules, opened), doors)
        return Reach(self.name, figure_id, points, found)

    def move_ground(self, board: Board, figure_id: str) -> moves.MoveGround:
        """The board as a figure may move on it, its doors as they stand.

        Raises:
            UnknownName: the board holds no such figure.
        """
        mover = board.figure(figure_id)
        make = moves2016.LargeGround if mover.is_large else moves2016.SmallGround
        return make(self._tables.grid(board), mover, self.move_rules(), frozenset())

    def marked_reach(
        self, board: Board, figure_id: str, points: int, marks: Marks, *, open_doors: bool = False
    ) -> Reach:
        """The same for a marine, by way of teleporters and onto demons that die of it.

        Args:
            board: the table.
            figure_id: the marine.
            points: what the move may cost.
            marks: the teleporters and the staggered demons; the options ``glory_cost`` and
                ``teleport_cost`` come on top.
            open_doors: doors may be opened on the way.

        Raises:
            UnknownName: the board holds no such figure or cell, or the marine is a figure of several cells.
        """
        mover = board.figure(figure_id)
        check_marks(board, mover, marks)
        grid, rules = self._tables.grid(board), self.move_rules()
        held = self._price(marks)
        doors = moves.DoorRules(DOOR_COST, self.door_cells(board) if open_doors else ())
        found = moves.find_ends(
            mover.cells, points, lambda opened: MarineGround(grid, mover, rules, opened, held), doors
        )
        return Reach(self.name, figure_id, points, found)

    def route(self, board: Board, figure_id: str, points: int, marks: Marks, *, start: Cell, end: Cell) -> Route | None:
        """The cheapest way of a marine to a cell on which the fewest staggered demons die; None if there is none.

        Args:
            board: the table, its doors as they stand.
            figure_id: the marine.
            points: what it may cost.
            start: where on his way he is.
            end: where he goes.
            marks: the staggered demons, and the teleporters by which he goes.

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
        """The options of movement, for the figures' grounds."""
        options = self._options
        return MoveRules2016(
            diagonal=moves.parse_diagonal(options["diagonal_at_vertex"]),
            impassable_blocks=options["impassable_movement"] == "blocks",
            costs_add_up=options["cost_stacking"] == "add",
            large_pass_large=options["large_vs_large"] == "pass",
        )

    def door_cells(self, board: Board) -> tuple[tuple[str, frozenset[Cell]], ...]:
        """The cells from which each closed door can be opened."""
        return moves.find_door_reach(board, corners_too=self._options["door_reach"] == "corner")

    @staticmethod
    def _table(grid: Grid, options: Mapping[str, str]) -> CornerTable:
        return CornerTable(grid, options)

    def _ruling(self, board: Board, attacker: Figure, defender: Figure, origin: Point | None) -> Ruling:
        table = self._tables.of(board)
        look = table.look(attacker, defender)
        if origin is not None:
            look = _restrict_to_corner(look, attacker, origin)
        verdict = table.verdict_of(look, attacker, defender)
        resting = [] if origin is not None else list(self._resting(board, attacker, defender, (verdict, look)))
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
            reasons=tuple(
                _reasons(
                    look,
                    attacker,
                    defender,
                    lines=lines,
                    verdict=verdict,
                    adjacent=adjacent,
                    resting=resting,
                    is_named=origin is not None,
                )
            ),
            options={r.option: r.choice for r in resting},
            origins=_origins(look),
            adjacent=adjacent,
        )

    def _resting(
        self, board: Board, attacker: Figure, defender: Figure, known: tuple[Verdict, CornerLines]
    ) -> Iterator[Resting]:
        def answer_with(option: str, choice: str) -> Verdict:
            table = self._tables.otherwise(board, option, choice)
            return table.verdict_otherwise(option, known, attacker, defender)

        return find_resting(_open_options(board, attacker, defender, known[0]), self._options, known[0], answer_with)


@dataclass(frozen=True)
class _FromCorner(CellAnswers):
    """The rules about one corner that the attacker names."""

    rules: Doom2016
    corner: Point

    def rule(self, board: Board, attacker_id: str, defender_id: str, /) -> Ruling:
        return self.rules.rule(board, attacker_id, defender_id, origin=self.corner)

    def asking(self, board: Board, ruling: Ruling, /) -> Ask:
        return self.rules.asking(board, ruling, origin=self.corner)

    def explained(self, board: Board, ruling: Ruling, /) -> Ruling:
        return self.rules.explained(board, ruling, origin=self.corner)


def _open_options(board: Board, attacker: Figure, defender: Figure, verdict: Verdict) -> tuple[Option, ...]:
    """The options that can change this answer at all; it spares asking again with every choice of the others."""
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
            messages.said(
                "{origin} is no corner of “{id}”; its corners are: {known}",
                origin=str(list(origin)),
                id=attacker.id,
                known=known,
            )
        )
    return look.at(origin)


def _choose_shown(
    table: CornerTable, look: CornerLines, attacker: Figure, defender: Figure, verdict: Verdict
) -> int | None:
    """The corner that the ruling speaks of: the best one, or the one to blame where any cover counts."""
    fitting = [i for i in look.seeing if look.covered[i] == verdict.cover]
    if not fitting or not verdict.cover or table.options["cover_corner"] == "declared":
        return fitting[0] if fitting else None

    def stopped(i: int) -> int:
        start = look.corners[i].point
        return sum(table.cover_blocker(attacker, defender, start, t.point) is not None for t in look.targets)

    # Where every corner gives cover, the one with the fewest lines stopped shows best what is to blame.
    return min(fitting, key=stopped)


def _lines(
    table: CornerTable, look: CornerLines, attacker: Figure, defender: Figure, start: int | None
) -> tuple[SightLine, ...]:
    """The lines to show: one free line of sight and those of cover, or every stopped line, the nearest miss first."""
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


def _reasons(  # noqa: PLR0913 - every part of the answer has its word in the reasons
    look: CornerLines,
    attacker: Figure,
    defender: Figure,
    *,
    lines: tuple[SightLine, ...],
    verdict: Verdict,
    adjacent: bool,
    resting: list[Resting],
    is_named: bool,
) -> Iterator[Reason]:
    names = {"attacker": attacker.id, "defender": defender.id}
    yield _sight_reason(lines[0], verdict, names, is_named=is_named)
    if verdict.line_of_sight:
        yield _cover_reason(look, lines, defender, verdict, names, is_named=is_named)
    if verdict.range is None:
        yield reason(said.RANGE, "none", **names)
    else:
        yield reason(said.RANGE, "counted", range=verdict.range)
    if adjacent:
        yield reason(said.ADJACENT, "yes", **names)
    elif chebyshev(attacker.cells, defender.cells) == 1:
        yield reason(said.ADJACENT, "parted", **names)
    for rest in resting:
        yield reason(said.OPTION, "decides", **rest.arguments)


def _sight_reason(line: SightLine, verdict: Verdict, names: Mapping[str, str], *, is_named: bool) -> Reason:
    if verdict.line_of_sight:
        return reason(said.SIGHT, "clear", origin=line.start, target=line.end, **names)
    phrase = "named_blocked" if is_named else "blocked"
    return reason(said.SIGHT, phrase, origin=line.start, target=line.end, blocker=line.blocked_by, **names)


def _cover_reason(
    look: CornerLines,
    lines: tuple[SightLine, ...],
    defender: Figure,
    verdict: Verdict,
    names: Mapping[str, str],
    *,
    is_named: bool,
) -> Reason:
    if defender.is_large:
        return reason(said.LARGE_COVER, "none", **names)
    origin: LinePoint = lines[0].start
    if not verdict.cover:
        return reason(said.COVER, "none", origin=origin, **names)
    # A figure or a door tells more than the wall, or the rim of the board, along which another line runs.
    hindered = min(
        (line for line in lines[1:] if line.blocked_by is not None),
        key=lambda line: line.blocked_by is not None and line.blocked_by.kind == "wall",
    )
    # Of a corner that was named nothing is said about the others: they may do better.
    phrase = "cover" if not is_named and all(look.covered[i] for i in look.seeing) else "named"
    return reason(said.COVER, phrase, origin=origin, target=hindered.end, blocker=hindered.blocked_by, **names)
