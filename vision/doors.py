"""Standing doors: what rises from an edge between two cells and hides the print behind it.

A door may look like anything, so it is known by its shape: a patch round every inner edge, turned so that a door
would lean the same way in each, is judged by a small network that compares photo and print.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from functools import cache
from importlib import resources

from assistant.table.lattice import Edge, inner_edges
from assistant.table.roster import DoorSpec
from vision.network import chances
from vision.patches import PatchSource, door_patches

_HOPELESS = 0.01
_SURELY = 6.0


@dataclass(frozen=True)
class DoorSighting:
    """A door on an edge, with the chance that it really stands there."""

    edge: Edge
    confidence: float


@cache
def door_scale() -> tuple[float, float]:
    """Factor and shift from the network's log odds to true ones, from ``vision/data/doors.json``."""
    document = json.loads(resources.files("vision").joinpath("data", "doors.json").read_bytes())
    return float(document["factor"]), float(document["shift"])


def judge_doors(source: PatchSource, spec: DoorSpec) -> list[DoorSighting]:
    """Every edge on which a door may stand, however unlikely, the surest first."""
    edges = inner_edges(source.board.cells)
    if spec.count == 0 or not edges:
        return []
    factor, shift = door_scale()
    raw = chances("doors", door_patches(source, edges, spec))[:, 1]
    judged = [DoorSighting(edge, _scaled(float(p), factor, shift)) for edge, p in zip(edges, raw, strict=True)]
    return sorted((d for d in judged if d.confidence > _HOPELESS), key=lambda door: (-door.confidence, door.edge))


def _scaled(chance: float, factor: float, shift: float) -> float:
    log_odds = factor * math.log(max(chance, 1e-9) / max(1 - chance, 1e-9)) + shift
    return 1 / (1 + math.exp(-min(max(log_odds, -_SURELY), _SURELY)))
