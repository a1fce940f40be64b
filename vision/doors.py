"""Standing doors: what rises from an edge between two cells and hides the print behind it.

A door may look like anything, so it is known by its shape: a patch round every inner edge, turned so that a door
would lean the same way in each, is judged by a small network that compares photo and print.
"""

from __future__ import annotations

from dataclasses import dataclass

from assistant.table.lattice import Edge, inner_edges
from assistant.table.roster import DoorSpec
from vision.board_view import BoardView
from vision.network import chances
from vision.patches import door_patches

_ACCEPT = 0.5


@dataclass(frozen=True)
class DoorSighting:
    """A door on an edge, with the chance that it really stands there."""

    edge: Edge
    confidence: float


def find_doors(board: BoardView, spec: DoorSpec) -> list[DoorSighting]:
    """The doors that stand on the board, the surest first; never more than the box holds."""
    edges = inner_edges(board.cells)
    if spec.count == 0 or not edges:
        return []
    door_chances = chances("doors", door_patches(board, edges, spec.height_mm, spec.thickness_mm))[:, 1]
    found = [
        DoorSighting(edge, float(chance)) for edge, chance in zip(edges, door_chances, strict=True) if chance >= _ACCEPT
    ]
    return sorted(found, key=lambda door: (-door.confidence, door.edge))[: spec.count]
