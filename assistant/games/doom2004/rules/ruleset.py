"""DOOM: The Boardgame (2004): sight from centre to centre, range on the shortest path, no cover."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from assistant.errors import UnknownName
from assistant.games.doom2004.rules import OPTIONS, reasons
from assistant.games.doom2004.rules.centers import CenterLines, CenterTable
from assistant.games.doom2004.rules.moves import STOPPING, Spaces
from assistant.rules.capabilities import NamesSpace
from assistant.rules.explain import Ask
from assistant.rules.grid import Grid
from assistant.rules.moves import lies_across
from assistant.rules.options import Option
from assistant.rules.pairing import find_resting
from assistant.rules.reasons import Rule, reason
from assistant.rules.ruleset import CellAnswers
from assistant.rules.ruling import LinePoint, Origin, Reason, Ruling, SightLine, Verdict
from assistant.rules.sight_tables import AboutPlace, SightTableRules
from assistant.table.board import Board, Figure
from assistant.table.lattice import Cell
from assistant.translations.messages import said


class Doom2004(SightTableRules[CenterTable], NamesSpace):
    """The rules under one set of house options."""

    name: ClassVar[str] = "doom2004"
    option_table: ClassVar[tuple[Option, ...]] = OPTIONS
    rules: ClassVar[Mapping[str, Rule]] = reasons.RULES
    doors_close: ClassVar[bool] = True
    door_cost: ClassVar[int] = 2

    def into_space(self, space: Cell) -> CellAnswers:
        return AboutPlace(self, space)

    def may_stand(self, board: Board, figure: Figure) -> bool:
        """Return whether the ground lets a figure stand there: on no blocking obstacle and across no line."""
        on_solid = not board.blocking.isdisjoint(figure.cells)
        return not on_solid and not lies_across(board, figure.cells, STOPPING)

    @property
    def only_hinders(self) -> bool:
        # Four barriers that meet may let a line through that three of them stop. And a range counted from the seeing
        # spaces may shrink when a further figure removes all sight: then it counts from every space.
        never_opens = self._options["los_pinch"] != "always_clear" or self._options["los_touch"] == "blocks"
        return never_opens and self._options["oversized_range_origin"] == "nearest"

    def on(self, board: Board) -> CenterTable:
        """Return the board under these options, for the questions of ``areas``."""
        return self._tables.of(board)

    @staticmethod
    def _table(grid: Grid, options: Mapping[str, str]) -> CenterTable:
        return CenterTable(grid, options)

    def _ground(self, grid: Grid, mover: Figure, opened: frozenset[str]) -> Spaces:
        either_half_leads = self._options["demon_snake_head"] == "either"
        return Spaces(grid, mover, opened, self._options["diagonal_at_wall"], either_half_leads)

    @property
    def _opens_doors_at_ends(self) -> bool:
        return self._options["door_cells"] == "diagonal"

    def _ask_about(self, board: Board, ruling: Ruling, place: Cell) -> Ask:
        (left, top), (x, y) = board.figure(ruling.defender).cells[0], place

        def ask(board: Board, attacker: Figure, placed: Figure) -> Verdict:
            named = (x - left + placed.cells[0][0], y - top + placed.cells[0][1])
            if named not in placed.cells:  # a rotated base has no such space
                return Verdict(None, False, None)
            return self._tables.of(board).verdict(attacker, placed, named)

        return ask

    def _rule(self, board: Board, attacker: Figure, defender: Figure, place: Cell | None) -> Ruling:
        if place is not None and place not in defender.cells:
            known = ", ".join(str(list(cell)) for cell in defender.cells)
            raise UnknownName(
                said(
                    "{space} is not a space of “{defender_id}”; its spaces are: {known}",
                    space=str(list(place)),
                    defender_id=defender.id,
                    known=known,
                )
            )
        table = self._tables.of(board)
        look = table.look(attacker, defender, place)
        verdict = table.verdict_of(look, attacker, defender, place)

        def answer_with(option: str, choice: str) -> Verdict:
            other = self._tables.otherwise(board, option, choice)
            return other.verdict_otherwise(option, (verdict, look), attacker, defender, place)

        resting = list(find_resting(OPTIONS, self._options, verdict, answer_with))
        lines = _lines(table, look, attacker, defender)
        adjacent = table.are_adjacent(attacker.cells, defender.cells)
        return Ruling(
            ruleset=self.name,
            attacker=attacker.id,
            defender=defender.id,
            range=verdict.range,
            line_of_sight=verdict.line_of_sight,
            cover=None,
            origin=lines[0].start if verdict.line_of_sight else None,
            lines=lines,
            reasons=(
                _sight_reason(attacker, defender, lines, verdict),
                *self._closing_reasons(attacker, defender, verdict, adjacent, resting),
            ),
            options={rest.option: rest.choice for rest in resting},
            origins=_origins(look),
            adjacent=adjacent,
        )


def center(cell: Cell) -> LinePoint:
    """Return the centre of a cell in lattice units."""
    return (cell[0] + 0.5, cell[1] + 0.5)


def _lines(table: CenterTable, look: CenterLines, attacker: Figure, defender: Figure) -> tuple[SightLine, ...]:
    """Return the shortest free line, or all stopped lines, the one with the fewest blockers first."""
    if look.free:
        start, end = min(look.free, key=lambda pair: (_square_length(*pair), pair))
        return (SightLine(center(start), center(end), "sight"),)
    missed: list[tuple[int, SightLine]] = []
    for start, end in look.tried:
        stops = list(table.blockers(attacker, defender, start, end))
        missed.append((len(set(stops)), SightLine(center(start), center(end), "sight", stops[0])))
    missed.sort(key=lambda item: (item[0], item[1].start, item[1].end))
    return tuple(line for _, line in missed)


def _square_length(a: Cell, b: Cell) -> int:
    return (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2


def _origins(look: CenterLines) -> tuple[Origin, ...]:
    free: dict[Cell, list[LinePoint]] = {start: [] for start, _ in look.tried}
    for start, end in look.free:
        free[start].append(center(end))
    return tuple(Origin(center(start), bool(ends), None, tuple(ends)) for start, ends in free.items())


def _sight_reason(attacker: Figure, defender: Figure, lines: tuple[SightLine, ...], verdict: Verdict) -> Reason:
    names = {"attacker": attacker.id, "defender": defender.id}
    line = lines[0]
    if verdict.line_of_sight:
        return reason(reasons.SIGHT, "clear", origin=line.start, target=line.end, **names)
    phrase = "blocked" if len(lines) == 1 else "all_blocked"
    return reason(reasons.SIGHT, phrase, origin=line.start, target=line.end, blocker=line.blocked_by, **names)
