"""Standing doors: what rises from an edge between two cells and hides the print behind it.

A door may look like anything, so it is known by its shape: a patch round every inner edge, turned so that a door
would lean the same way in each, is judged by a small network that compares photo and print.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from assistant.table.lattice import Edge, list_inner_edges
from assistant.table.roster import DoorSpec
from vision.learned import learned_document
from vision.network import chances
from vision.odds import chance_of, log_odds_of
from vision.patches import PatchSource, door_patches

_HOPELESS = 0.01


@dataclass(frozen=True)
class DoorSighting:
    """A door on an edge, with the chance that it really stands there."""

    edge: Edge
    confidence: float


@cache
def door_scale() -> tuple[float, float]:
    """Factor and shift from the network's log odds to true ones, from ``vision/data/doors.json``."""
    document = learned_document("doors.json")
    return float(document["factor"]), float(document["shift"])


def judge_doors(source: PatchSource, spec: DoorSpec) -> list[DoorSighting]:
    """Every edge on which a door may stand, however unlikely, the surest first."""
    edges = list_inner_edges(source.board.cells)
    if spec.count == 0 or not edges:
        return []
    factor, shift = door_scale()
    raw = chances("doors", door_patches(source, edges, spec))[:, 1]
    scaled = [chance_of(factor * log_odds_of(float(chance)) + shift) for chance in raw]
    judged = [DoorSighting(edge, chance) for edge, chance in zip(edges, scaled, strict=True)]
    return sorted((d for d in judged if d.confidence > _HOPELESS), key=lambda door: (-door.confidence, door.edge))
