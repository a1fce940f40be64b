"""Rules on cells that precompute sight and range for each board, and answer everything from that table."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from assistant.rules.capabilities import FindsReach, HasDoors, WalksSteps
from assistant.rules.explain import Ask
from assistant.rules.grid import Grid
from assistant.rules.moves import DoorRules, MoveGround, find_door_reach, find_ends
from assistant.rules.pairing import Resting, TableCache, find_two_figures
from assistant.rules.paths import chebyshev
from assistant.rules.reasons import reason
from assistant.rules.ruleset import CellAnswers, CellRules
from assistant.rules.ruling import Reach, Reason, Ruling, Verdict
from assistant.table.board import Board, Figure
from assistant.table.lattice import Cell


class SightTable(Protocol):
    """A board with precomputed sight and range under one set of options; both DOOM games have their own."""

    def verdict(self, attacker: Figure, defender: Figure) -> Verdict: ...

    def sees(self, attacker: Figure, defender: Figure) -> bool: ...

    def are_adjacent(self, a: tuple[Cell, ...], b: tuple[Cell, ...]) -> bool: ...


SightT = TypeVar("SightT", bound=SightTable)


class SightTableRules(CellRules, FindsReach, WalksSteps, HasDoors, Generic[SightT]):
    """Rules on cells with one precomputed table per board, figures that walk in steps, and doors.

    A game provides its table, its ground for moves, and its rulings. Its rules ``NAME/range``, ``NAME/adjacent`` and
    ``NAME/option`` need the phrases that `_closing_reasons` uses.
    """

    door_cost: ClassVar[int]
    """Movement points for opening a door."""

    def __init__(self, options: Mapping[str, str] | None = None) -> None:
        super().__init__(options)
        self._tables: TableCache[SightT] = TableCache(self._options, self._table)

    def rule(self, board: Board, attacker_id: str, defender_id: str, /) -> Ruling:
        return self._rule(board, *find_two_figures(board, attacker_id, defender_id), None)

    def verdict(self, board: Board, attacker: Figure, defender: Figure) -> Verdict:
        return self._tables.of(board).verdict(attacker, defender)

    def sees(self, board: Board, attacker: Figure, defender: Figure) -> bool:
        return self._tables.of(board).sees(attacker, defender)

    def adjacent(self, board: Board, a: Figure, b: Figure) -> bool:
        """Return whether two figures touch by a side or corner, not separated by a wall or a closed door."""
        return self._tables.of(board).are_adjacent(a.cells, b.cells)

    def reach(self, board: Board, figure_id: str, points: int, open_doors: bool = False) -> Reach:
        mover, grid = board.figure(figure_id), self._tables.grid(board)
        return self._find_reach(board, mover, points, open_doors, lambda opened: self._ground(grid, mover, opened))

    def move_ground(self, board: Board, figure_id: str) -> MoveGround:
        return self._ground(self._tables.grid(board), board.figure(figure_id), frozenset())

    def door_cells(self, board: Board) -> tuple[tuple[str, frozenset[Cell]], ...]:
        return find_door_reach(board, corners_too=self._opens_doors_at_ends)

    @staticmethod
    @abstractmethod
    def _table(grid: Grid, options: Mapping[str, str]) -> SightT:
        """Compute one board under one set of options."""

    @abstractmethod
    def _rule(self, board: Board, attacker: Figure, defender: Figure, place: Cell | None) -> Ruling:
        """Rule on two figures, from or into the attacker's named place or, with None, all places.

        Raises:
            UnknownName: the figure has no such place.
        """

    @abstractmethod
    def _ask_about(self, board: Board, ruling: Ruling, place: Cell) -> Ask:
        """Return a function that repeats a ruling's question about a named place, which moves along with its figure."""

    @abstractmethod
    def _ground(self, grid: Grid, mover: Figure, opened: frozenset[str]) -> MoveGround:
        """Return the board as ground for a figure's move, with these doors opened."""

    @property
    @abstractmethod
    def _opens_doors_at_ends(self) -> bool:
        """Whether figures also open doors from the cells that touch only the doors' ends."""

    def _find_reach(
        self,
        board: Board,
        mover: Figure,
        points: int,
        open_doors: bool,
        ground: Callable[[frozenset[str]], MoveGround],
    ) -> Reach:
        doors = DoorRules(self.door_cost, self.door_cells(board) if open_doors else ())
        return Reach(self.name, mover.id, points, find_ends(mover.cells, points, ground, doors))

    def _closing_reasons(
        self, attacker: Figure, defender: Figure, verdict: Verdict, adjacent: bool, resting: list[Resting]
    ) -> Iterator[Reason]:
        """Yield the reasons after those of sight and cover: range, adjacency, and the deciding house options."""
        names = {"attacker": attacker.id, "defender": defender.id}
        ranging, adjacency = self.rules[f"{self.name}/range"], self.rules[f"{self.name}/adjacent"]
        if verdict.range is None:
            yield reason(ranging, "none", **names)
        else:
            yield reason(ranging, "counted", range=verdict.range)
        if adjacent:
            yield reason(adjacency, "yes", **names)
        elif chebyshev(attacker.cells, defender.cells) == 1:
            yield reason(adjacency, "parted", **names)
        for option in resting:
            yield reason(self.rules[f"{self.name}/option"], "decides", **option.arguments)


@dataclass(frozen=True)
class AboutPlace(CellAnswers):
    """The same rules about one named place alone: a corner of the attacker, or a space of the defender."""

    rules: SightTableRules[Any]
    place: Cell

    def rule(self, board: Board, attacker_id: str, defender_id: str, /) -> Ruling:
        return self.rules._rule(board, *find_two_figures(board, attacker_id, defender_id), self.place)

    def asking(self, board: Board, ruling: Ruling, /) -> Ask:
        return self.rules._ask_about(board, ruling, self.place)

    def explained(self, board: Board, ruling: Ruling, /) -> Ruling:
        return self.rules.explained_by(self.asking(board, ruling), board, ruling)
