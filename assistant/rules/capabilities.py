"""Optional abilities of a rule set: it derives from one class per ability.

Callers narrow by ``isinstance`` and offer nothing for the other games.
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
        """Return the same rules restricted to this corner of the attacker."""


class NamesSpace(ABC):
    """The attack may name the space of the defender to aim at."""

    @abstractmethod
    def into_space(self, space: Cell) -> CellAnswers:
        """Return the same rules restricted to this space of the defender."""


class FindsReach(ABC):
    """The rules count moves on the table."""

    @abstractmethod
    def reach(self, board: Board, figure_id: str, points: int, open_doors: bool = False) -> Reach:
        """Return the placements in which a figure may end a move of that many points."""


class WalksSteps(ABC):
    """Moves consist of steps, each with its price."""

    @abstractmethod
    def move_ground(self, board: Board, figure_id: str) -> MoveGround:
        """Return the board as ground for a figure's move, doors unchanged."""


class HasDoors(ABC):
    """Doors are opened from the cells beside them."""

    @abstractmethod
    def door_cells(self, board: Board) -> tuple[tuple[str, frozenset[Cell]], ...]:
        """Return the cells from which a figure can open each closed door."""


@dataclass(frozen=True)
class Marks:
    """Things on the table, other than figures, that affect a move.

    Args:
        active: the cells of active teleporters.
        inactive: the cells of inactive teleporters; an arriving figure activates them.
        staggered: the enemies that die when a figure enters their cell.
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
        """Return the placements in which a figure may end a move of that many points, with the help of the marks.

        Raises:
            UnknownName: the board holds no such cell, or the figure uses no teleporters.
        """


class TellsAbout(ABC):
    """The table affects one figure alone: its leader, its fears, its neighbours."""

    @abstractmethod
    def about(self, table: FreeTable, figure_id: str, landing_mm: ExactPoint | None = None) -> tuple[Reason, ...]:
        """Return the table's effects on one figure; with ``landing_mm`` also those of a jump to that place.

        Raises:
            BadValue: a jump there is impossible.
        """


CAPABILITIES: dict[str, type[ABC]] = {
    "corner": NamesCorner,
    "space": NamesSpace,
    "reach": FindsReach,
    "doors": HasDoors,
    "teleporters": HasTeleporters,
    "about": TellsAbout,
}
"""Abilities besides rulings, by their names in ``sightline rules``."""
