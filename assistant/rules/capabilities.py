"""What some games know and others do not: a rule set derives from each of these that holds for it.

Whoever asks narrows by ``isinstance`` and offers nothing to games that do not know it.
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
    """The attacker may name the corner that he looks from."""

    @abstractmethod
    def from_corner(self, corner: Point) -> CellAnswers:
        """The same rules about this corner of the attacker alone."""


class NamesSpace(ABC):
    """The attack may name the space of the defender that it is aimed at."""

    @abstractmethod
    def into_space(self, space: Cell) -> CellAnswers:
        """The same rules about this space of the defender alone."""


class FindsReach(ABC):
    """Moves are counted on the table."""

    @abstractmethod
    def reach(self, board: Board, figure_id: str, points: int, open_doors: bool = False) -> Reach:
        """Where a figure may end a move of so many points.

        Raises:
            UnknownName: the board holds no such figure.
        """


class WalksSteps(ABC):
    """Moves are made of single steps, each with its price."""

    @abstractmethod
    def move_ground(self, board: Board, figure_id: str) -> MoveGround:
        """The board as a figure may move on it, its doors as they stand.

        Raises:
            UnknownName: the board holds no such figure.
        """


class HasDoors(ABC):
    """Doors are opened from the cells beside them."""

    @abstractmethod
    def door_cells(self, board: Board) -> tuple[tuple[str, frozenset[Cell]], ...]:
        """The cells from which each closed door can be opened."""


@dataclass(frozen=True)
class Marks:
    """What lies on the table besides figures and matters to a move.

    Args:
        active: the cells of active teleporters.
        inactive: the cells of those not active yet; whoever comes there makes them so.
        staggered: the enemies that die when their cell is entered.
    """

    active: frozenset[Cell] = frozenset()
    inactive: frozenset[Cell] = frozenset()
    staggered: frozenset[str] = frozenset()


class HasTeleporters(ABC):
    """Moves go by way of teleporters, and onto enemies that die of it."""

    @abstractmethod
    def marked_reach(
        self, board: Board, figure_id: str, points: int, marks: Marks, *, open_doors: bool = False
    ) -> Reach:
        """Where a figure may end a move of so many points, by way of the marks.

        Raises:
            UnknownName: the board holds no such figure or cell, or the figure uses no teleporters.
        """


class TellsAbout(ABC):
    """The table means something for one figure alone: who leads it, frightens it, is near it."""

    @abstractmethod
    def about(self, table: FreeTable, figure_id: str, landing_mm: ExactPoint | None = None) -> tuple[Reason, ...]:
        """What the table means for one figure.

        Args:
            table: the table.
            figure_id: the figure.
            landing_mm: where it wants to land with a jump, if that is asked, too.

        Raises:
            UnknownName: the table holds no such figure.
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
"""What a rule set can be asked besides rulings, by the names under which it is listed."""
