"""Standing doors: what rises from an edge between two cells and hides the print behind it."""

from __future__ import annotations

from dataclasses import dataclass

from assistant.table.lattice import Edge
from assistant.table.roster import DoorSpec
from vision.board_view import BoardView


@dataclass(frozen=True)
class DoorSighting:
    """A door on an edge, with the chance that it really stands there."""

    edge: Edge
    confidence: float


def find_doors(board: BoardView, spec: DoorSpec) -> list[DoorSighting]:
    """The doors that stand on the board."""
    return []
