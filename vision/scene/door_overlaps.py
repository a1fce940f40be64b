"""Doors in a row explain each other: one of them hides part of the next edge.

Seen along its row, a door reaches over the next edge. The network sees its top there and may report two doors. So each
door of such a pair is judged again with the other one erased from the photo. A second door still shows where the first
does not hide it. A mistaken one leaves the bare print.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

import cv2

from assistant.table.lattice import Edge
from assistant.table.roster import DoorSpec
from vision.evidence.doors import DoorSighting, door_log_odds
from vision.evidence.patches import PatchSource, door_outlines, without_thing
from vision.learned import chance_of_presence, log_odds_of

_LEAST = 0.02
"""Least chance of both doors of a pair. Fainter ones explain nothing."""

_MOST_EXPLAINED = 30.0
"""Most log odds that a door explains, times the hidden share of the other outline. On crowded simulated tables a hidden
corner alone took 4 from a true door."""


def apply_door_overlaps(doors: Sequence[DoorSighting], source: PatchSource, spec: DoorSpec) -> list[DoorSighting]:
    """Lower the chances of doors that others in their row explain, and sort the likeliest door first."""
    outlines = dict(
        zip((door.edge for door in doors), door_outlines(source.board, [d.edge for d in doors], spec), strict=True)
    )
    chance = {door.edge: door.confidence for door in doors}
    possible = [door for door in doors if door.confidence >= _LEAST]
    for one, other in combinations(possible, 2):
        if not _is_in_row(one.edge, other.edge):
            continue
        its, others = outlines[one.edge], outlines[other.edge]
        hidden = cv2.intersectConvexConvex(its, others)[0]
        if not hidden:
            continue

        one_left = _left(one, hidden / cv2.contourArea(its), without_thing(source, others), spec)
        other_left = _left(other, hidden / cv2.contourArea(others), without_thing(source, its), spec)
        # The door that shows more, by itself and beside the other one, explains the other one.
        lead = log_odds_of(one.confidence) + one_left - log_odds_of(other.confidence) - other_left
        explains = chance_of_presence(lead)
        chance[other.edge] *= _kept(other, other_left, explains * one.confidence)
        chance[one.edge] *= _kept(one, one_left, (1 - explains) * other.confidence)
    after = [replace(door, confidence=chance[door.edge]) for door in doors]
    return sorted(after, key=lambda door: (-door.confidence, door.edge))


def _is_in_row(one: Edge, other: Edge) -> bool:
    return one.is_horizontal == other.is_horizontal and not {*one}.isdisjoint(other)


def _left(door: DoorSighting, hidden: float, erased: PatchSource, spec: DoorSpec) -> float:
    """Return the log odds of a door in the pictures with its neighbour erased, which hid that share of its outline."""
    log_odds = log_odds_of(door.confidence)
    explained = log_odds - float(door_log_odds(erased, [door.edge], spec)[0])
    return log_odds - min(max(explained, 0.0), _MOST_EXPLAINED * hidden)


def _kept(door: DoorSighting, left: float, explained: float) -> float:
    """Return the remaining share of a door's chance, if another one explains it with that chance."""
    return 1 - explained * (1 - chance_of_presence(left) / door.confidence)
