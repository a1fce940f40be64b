"""The rules of Lanterns: light along rows and columns, range in steps, no cover, one option of the house."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import ClassVar

from assistant.rules.options import Option, read_options
from assistant.rules.pairing import Resting, find_resting, find_two_figures
from assistant.rules.reasons import Rule, doubt_rule, index_rules, reason, what_if_rule
from assistant.rules.ruleset import CellRules
from assistant.rules.ruling import Blocker, Reason, Ruling, SightLine, Verdict
from assistant.table.board import Board, Figure
from assistant.table.lattice import Cell, edge_between
from assistant.translations.messages import message

LIGHT = Rule(
    "lanterns/light",
    message("Lanterns, “Light”"),
    message("Light runs along rows and columns until something stops it."),
    {
        "lit": message("{attacker} shines on {defender} along one line."),
        "aside": message("{attacker} and {defender} share no row and no column."),
        "stopped": message("The light of {attacker} is stopped: {blocker}."),
    },
)

RANGE = Rule(
    "lanterns/range",
    message("Lanterns, “Steps”"),
    message("The range counts steps over the sides of cells, walls or not."),
    {"counted": message("The range is {range}.")},
)

HOUSE = Rule(
    "lanterns/house",
    message("the house"),
    message("Options of the house on which an answer rests."),
    {"rests": message("The house plays {option} as {choice}; with {other}, {outcome}.")},
)

RULES = index_rules((LIGHT, RANGE, HOUSE, what_if_rule("lanterns"), doubt_rule("lanterns")))


class Lanterns(CellRules):
    """The rules under one set of house options.

    Args:
        options: choices that differ from the defaults, by name.

    Raises:
        UnknownName: there is no such option or choice.
    """

    name: ClassVar[str] = "lanterns"
    option_table: ClassVar[tuple[Option, ...]] = read_options("lanterns")
    rules: ClassVar[Mapping[str, Rule]] = RULES

    def rule(self, board: Board, attacker_id: str, defender_id: str, /) -> Ruling:
        """Return the ruling for one pair; the lines run from cell centre to cell centre.

        Raises:
            UnknownName: the board holds no such figure, or both are the same one.
        """
        attacker, defender = find_two_figures(board, attacker_id, defender_id)
        verdict = self.verdict(board, attacker, defender)
        lines = tuple(self._lines(board, attacker, defender))
        resting = tuple(self._resting(board, attacker, defender, verdict))
        return Ruling(
            ruleset=self.name,
            attacker=attacker.id,
            defender=defender.id,
            range=verdict.range,
            line_of_sight=verdict.line_of_sight,
            cover=None,
            origin=lines[0].start if verdict.line_of_sight else None,
            lines=lines,
            reasons=tuple(_reasons(attacker, defender, verdict, lines, resting)),
            options={one.option: one.choice for one in resting},
        )

    def verdict(self, board: Board, attacker: Figure, defender: Figure) -> Verdict:
        steps = min(_steps(a, d) for a in attacker.cells for d in defender.cells)
        return Verdict(steps, any(line.blocked_by is None for line in self._lines(board, attacker, defender)), None)

    @property
    def only_hinders(self) -> bool:
        return True

    def _lines(self, board: Board, attacker: Figure, defender: Figure) -> Iterator[SightLine]:
        """Yield every line along a row or column from one base to the other, clear ones first, then by length."""
        pairs = [(a, d) for a in attacker.cells for d in defender.cells if a[0] == d[0] or a[1] == d[1]]
        found = [
            SightLine(_center(a), _center(d), "sight", self._stop(board, a, d, {attacker.id, defender.id}))
            for a, d in sorted(pairs, key=lambda pair: _steps(*pair))
        ]
        yield from sorted(found, key=lambda line: line.blocked_by is not None)

    def _stop(self, board: Board, start: Cell, end: Cell, ends: set[str]) -> Blocker | None:
        """Return the first thing that stops the light between two cells of one row or column."""
        across = (end[0] > start[0]) - (end[0] < start[0]), (end[1] > start[1]) - (end[1] < start[1])
        cell = start
        while cell != end:
            next_cell = cell[0] + across[0], cell[1] + across[1]
            edge = edge_between(cell, next_cell)
            if next_cell not in board.cells or board.edges.get(edge) == "wall":
                return Blocker("wall", edge=edge)
            if edge in board.closed_door_at:
                return Blocker("door", id=board.closed_door_at[edge].id)
            if next_cell in board.blocking:
                return Blocker("cell", cell=next_cell)
            between = board.figure_at.get(next_cell)
            if self.options["crowd"] == "dark" and between is not None and between.id not in ends:
                return Blocker("figure", id=between.id)
            cell = next_cell
        return None

    def _resting(self, board: Board, attacker: Figure, defender: Figure, verdict: Verdict) -> Iterator[Resting]:
        def answer_with(option: str, choice: str) -> Verdict:
            return Lanterns({option: choice}).verdict(board, attacker, defender)

        return find_resting(self.option_table, self.options, verdict, answer_with)


def _steps(a: Cell, b: Cell) -> int:
    return abs(a[0] - b[0]) + abs(a[1] - b[1])


def _center(cell: Cell) -> tuple[float, float]:
    return cell[0] + 0.5, cell[1] + 0.5


def _reasons(
    attacker: Figure,
    defender: Figure,
    verdict: Verdict,
    lines: tuple[SightLine, ...],
    resting: tuple[Resting, ...],
) -> Iterator[Reason]:
    names = {"attacker": attacker.id, "defender": defender.id}
    if verdict.line_of_sight:
        yield reason(LIGHT, "lit", **names)
    elif not lines:
        yield reason(LIGHT, "aside", **names)
    else:
        yield reason(LIGHT, "stopped", **names, blocker=lines[0].blocked_by)
    yield reason(RANGE, "counted", range=verdict.range)
    for one in resting:
        yield reason(HOUSE, "rests", **one.arguments)
