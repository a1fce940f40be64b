"""Standing doors: what rises from an edge between two cells and hides the print behind it.

A door may look like anything, so it is known by its shape: a patch round every inner edge, turned so that a door
would lean the same way in each, is judged by a small network that compares photo and print. Beside that it is measured
whether the print is still seen where the door's body would hide it (``vision.print_seen``): what the network has never
met it may overlook, but nothing stands before a print that is seen. Both go into one logistic model.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from jaxtyping import Float, Float32

from assistant.table.lattice import Edge, list_inner_edges
from assistant.table.roster import DoorSpec
from calibration.arrays import Numbers, Singles
from vision.learned import learned_document
from vision.network import chances
from vision.odds import chance_of_presence, log_odds_of
from vision.patches import PatchSource, door_patches
from vision.print_seen import print_seen


@dataclass(frozen=True)
class DoorSighting:
    """A door on an edge, with the chance that it really stands there."""

    edge: Edge
    confidence: float


@cache
def door_weights() -> Float[Numbers, " 4"]:
    """What ``door_features`` are multiplied by, from ``vision/data/doors.json``."""
    return np.array(learned_document("doors.json")["weights"], dtype=float)


def door_features(patches: Float32[Singles, "n 9 72 96"]) -> Float[Numbers, "n 4"]:
    """What is known of each edge, (N, 4): 1, the network's log odds, how much of the print is seen there and around."""
    raw = chances("doors", patches)[:, 1]
    log_odds = np.array([log_odds_of(float(chance)) for chance in raw])
    return np.column_stack([np.ones(len(patches)), log_odds, print_seen(patches)])


def judge_doors(source: PatchSource, spec: DoorSpec) -> list[DoorSighting]:
    """Every edge on which a door may stand, however unlikely, the surest first."""
    edges = list_inner_edges(source.board.cells)
    if spec.count == 0 or not edges:
        return []
    log_odds = door_features(door_patches(source, edges, spec)) @ door_weights()
    judged = [DoorSighting(edge, chance_of_presence(float(one))) for edge, one in zip(edges, log_odds, strict=True)]
    return sorted(judged, key=lambda door: (-door.confidence, door.edge))
