"""Questions that only some games answer: a rule set derives from the class of each that it does.

Callers narrow by ``isinstance`` and offer nothing to the other games.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

from assistant.rules.moves import MoveGround
from assistant.rules.ruleset import CellAnswers
from assistant.rules.ruling import Reach, Reason
from assistant.table.board import Board
from assistant.table.free_table import FreeTable
from assistant.table.lattice import Cell, Point
from assistant.table.plane import ExactPoint


class NamesCorner(ABC):
    """The attacker may name the corner to look from."""

    @abstractmethod
    def from_corner(self, corner: Point) -> CellAnswers:
        """The same rules about this corner of the attacker alone."""


class NamesSpace(ABC):
    """The attack may name the space of the defender to aim at."""

    @abstractmethod
    def into_space(self, space: Cell) -> CellAnswers:
        """The same rules about this space of the defender alone."""


class FindsReach(ABC):
    """Moves are counted on the table."""

    @abstractmethod
    def reach(self, board: Board, figure_id: str, points: int, open_doors: bool = False) -> Reach:
        """The placements in which a figure may end a move of that many points."""


class WalksSteps(ABC):
    """Moves consist of steps, each with its price."""

    @abstractmethod
    def move_ground(self, board: Board, figure_id: str) -> MoveGround:
        """The board as a figure may move on it, doors unchanged."""


class HasDoors(ABC):
    """Doors are opened from the cells beside them."""

    @abstractmethod
    def door_cells(self, board: Board) -> tuple[tuple[str, frozenset[Cell]], ...]:
        """The cells from which each closed door can be opened."""


@dataclass(frozen=True)
class Marks:
    """Things on the table, other than figures, that matter to a move.

    Args:
        active: the cells of active teleporters.
        inactive: the cells of inactive ones; a figure that arrives there activates them.
        staggered: the enemies that die when their cell is entered.
    """

    active: frozenset[Cell] = frozenset()
    inactive: frozenset[Cell] = frozenset()
    staggered: frozenset[str] = frozenset()


class HasTeleporters(ABC):
    """Moves may lead through teleporters, and onto staggered enemies."""

    @abstractmethod
    def marked_reach(
        self, board: Board, figure_id: str, points: int, marks: Marks, *, open_doors: bool = False
    ) -> Reach:
        """The placements in which a figure may end a move of that many points, with the help of the marks.

        Raises:
            UnknownName: the board holds no such cell, or the figure uses no teleporters.
        """


class TellsAbout(ABC):
    """The table affects one figure alone: who leads it, frightens it, is near it."""

    @abstractmethod
    def about(self, table: FreeTable, figure_id: str, landing_mm: ExactPoint | None = None) -> tuple[Reason, ...]:
        """The effects of the table on one figure; with ``landing_mm`` also those of a jump to that place.

        Raises:
            BadValue: nobody jumps there.
        """


CAPABILITIES: dict[str, type[ABC]] = {
    "corner": NamesCorner,
    "space": NamesSpace,
    "reach": FindsReach,
    "doors": HasDoors,
    "teleporters": HasTeleporters,
    "about": TellsAbout,
}
"""Questions besides rulings, by the names under which ``sightline rules`` lists them."""
