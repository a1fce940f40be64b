"""DOOM: The Boardgame (2004): sight from centre to centre, range on the shortest path, no cover."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar

from assistant.errors import UnknownName
from assistant.games.doom2004.rules import OPTIONS
from assistant.games.doom2004.rules import reasons as said
from assistant.games.doom2004.rules.centers import CenterLines, CenterTable
from assistant.games.doom2004.rules.moves import STOPPING, MoveRules2004, Spaces
from assistant.rules import moves
from assistant.rules.capabilities import FindsReach, HasDoors, NamesSpace, WalksSteps
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
from assistant.table.lattice import Cell
from assistant.translations import messages

DOOR_COST = 2


class Doom2004(SightTableRules[CenterTable], NamesSpace, FindsReach, WalksSteps, HasDoors):
    """The rules under one set of house options.

    Args:
        options: choices that differ from the defaults, by name.

    Raises:
        UnknownName: there is no such option or choice.
    """

    name: ClassVar[str] = "doom2004"
    option_table: ClassVar[tuple[Option, ...]] = OPTIONS
    rules: ClassVar[Mapping[str, Rule]] = said.RULES
    doors_close: ClassVar[bool] = True

    def rule(self, board: Board, attacker_id: str, defender_id: str, *, space: Cell | None = None) -> Ruling:
        """The ruling for one pair.

        Args:
            board: the table.
            attacker_id: who attacks.
            defender_id: who is attacked.
            space: the space of the defender that the attack names; without one, any space may be seen and
                range counts to the nearest.

        Raises:
            UnknownName: the board holds no such figure, both are the same, or the defender has no such space.
        """
        attacker, defender = find_two_figures(board, attacker_id, defender_id)
        if space is not None and space not in defender.cells:
            known = ", ".join(str(list(cell)) for cell in defender.cells)
            raise UnknownName(
                messages.said(
                    "{space} is no space of “{defender_id}”; its spaces are: {known}",
                    space=str(list(space)),
                    defender_id=defender_id,
                    known=known,
                )
            )
        return self._ruling(board, attacker, defender, space)

    def into_space(self, space: Cell) -> CellAnswers:
        """The same rules about this space of the defender alone."""
        return _IntoSpace(self, space)

    def may_stand(self, board: Board, figure: Figure) -> bool:
        """Whether the ground lets a figure stand there: on no blocking obstacle and across no line."""
        on_solid = not board.blocking.isdisjoint(figure.cells)
        return not on_solid and not moves.lies_across(board, figure.cells, STOPPING)

    def explained(self, board: Board, ruling: Ruling, *, space: Cell | None = None) -> Ruling:
        """A ruling of this rule set on this board, with the smallest changes that would flip it.

        Args:
            board: the table.
            ruling: the ruling.
            space: the space of the defender that the attack named for it, if it named one.
        """
        return self.explained_by(self.asking(board, ruling, space=space), board, ruling)

    @property
    def only_hinders(self) -> bool:
        """Whether no further figure or door on a board ever makes an answer better for the attacker.

        Better is closer and in sight. Where four barriers that meet let a line through that three of them stop, or
        range is counted from where one sees, one more may well help.
        """
        never_opens = self._options["los_pinch"] != "always_clear" or self._options["los_touch"] == "blocks"
        return never_opens and self._options["oversized_range_origin"] == "nearest"

    def asking(self, board: Board, ruling: Ruling, *, space: Cell | None = None) -> Ask:
        """What asks the question of a ruling again: about one named space, which goes along with the defender, if any.

        Args:
            board: the table.
            ruling: the ruling.
            space: the space of the defender that the attack named for it, if it named one.
        """
        if space is None:
            return self.verdict
        (left, top), (x, y) = board.figure(ruling.defender).cells[0], space

        def ask(board: Board, attacker: Figure, placed: Figure) -> Verdict:
            named = (x - left + placed.cells[0][0], y - top + placed.cells[0][1])
            if named not in placed.cells:  # it stands turned, and has no such space
                return Verdict(None, False, None)
            return self._tables.of(board).verdict(attacker, placed, named)

        return ask

    def on(self, board: Board) -> CenterTable:
        """The board under these options, for the questions of ``areas2004``."""
        return self._tables.of(board)

    def reach(self, board: Board, figure_id: str, points: int, open_doors: bool = False) -> Reach:
        """Where a figure may end a move of so many points.

        Raises:
            UnknownName: the board holds no such figure.
        """
        mover = board.figure(figure_id)
        grid, rules = self._tables.grid(board), self.move_rules()
        doors = moves.DoorRules(DOOR_COST, self.door_cells(board) if open_doors else ())
        found = moves.find_ends(mover.cells, points, lambda opened: Spaces(grid, mover, rules, opened), doors)
        return Reach(self.name, figure_id, points, found)

    def move_ground(self, board: Board, figure_id: str) -> moves.MoveGround:
        """The board as a figure may move on it, its doors as they stand.

        Raises:
            UnknownName: the board holds no such figure.
        """
        return Spaces(self._tables.grid(board), board.figure(figure_id), self.move_rules(), frozenset())

    def move_rules(self) -> MoveRules2004:
        """The options of movement, for the figures' ground."""
        options = self._options
        return MoveRules2004(
            diagonal=moves.parse_diagonal(options["diagonal_at_wall"]),
            either_half_leads=options["demon_snake_head"] == "either",
        )

    def door_cells(self, board: Board) -> tuple[tuple[str, frozenset[Cell]], ...]:
        """The spaces from which each closed door can be opened."""
        return moves.find_door_reach(board, corners_too=self._options["door_cells"] == "diagonal")

    @staticmethod
    def _table(grid: Grid, options: Mapping[str, str]) -> CenterTable:
        return CenterTable(grid, options)

    def _ruling(self, board: Board, attacker: Figure, defender: Figure, space: Cell | None) -> Ruling:
        table = self._tables.of(board)
        look = table.look(attacker, defender, space)
        verdict = table.verdict_of(look, attacker, defender, space)
        resting = list(self._resting(board, (attacker, defender), space, (verdict, look)))
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
            reasons=tuple(_reasons(attacker, defender, lines, verdict, adjacent=adjacent, resting=resting)),
            options={r.option: r.choice for r in resting},
            origins=_origins(look),
            adjacent=adjacent,
        )

    def _resting(
        self, board: Board, pair: tuple[Figure, Figure], space: Cell | None, known: tuple[Verdict, CenterLines]
    ) -> Iterator[Resting]:
        def answer_with(option: str, choice: str) -> Verdict:
            return self._tables.otherwise(board, option, choice).verdict_otherwise(option, known, *pair, space)

        return find_resting(OPTIONS, self._options, known[0], answer_with)


@dataclass(frozen=True)
class _IntoSpace(CellAnswers):
    """The rules about one space that the attack names."""

    rules: Doom2004
    space: Cell

    def rule(self, board: Board, attacker_id: str, defender_id: str, /) -> Ruling:
        return self.rules.rule(board, attacker_id, defender_id, space=self.space)

    def asking(self, board: Board, ruling: Ruling, /) -> Ask:
        return self.rules.asking(board, ruling, space=self.space)

    def explained(self, board: Board, ruling: Ruling, /) -> Ruling:
        return self.rules.explained(board, ruling, space=self.space)


def center(cell: Cell) -> LinePoint:
    """The centre of a cell in lattice units."""
    return (cell[0] + 0.5, cell[1] + 0.5)


def _lines(table: CenterTable, look: CenterLines, attacker: Figure, defender: Figure) -> tuple[SightLine, ...]:
    """The shortest free line, or every stopped one, that with the fewest stops first."""
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


def _reasons(
    attacker: Figure,
    defender: Figure,
    lines: tuple[SightLine, ...],
    verdict: Verdict,
    *,
    adjacent: bool,
    resting: list[Resting],
) -> Iterator[Reason]:
    names = {"attacker": attacker.id, "defender": defender.id}
    line = lines[0]
    if verdict.line_of_sight:
        yield reason(said.SIGHT, "clear", origin=line.start, target=line.end, **names)
    else:
        phrase = "blocked" if len(lines) == 1 else "all_blocked"
        yield reason(said.SIGHT, phrase, origin=line.start, target=line.end, blocker=line.blocked_by, **names)
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
