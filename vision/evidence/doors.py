"""Standing doors: things that rise from an edge between two cells and occlude the print behind it.

A door may look like anything, so its shape counts. A small network compares photo and print in a patch round every
inner edge, turned so that a door would lean the same way in each. The network may miss a door unlike any in its
training, so a second factor is whether the print is visible where a door's body would occlude it (``print_seen``). The
third is the edge itself: doors stand in the openings between tiles. One logistic model combines all three.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

import numpy as np
from jaxtyping import Bool, Float, Float32

from assistant.table.lattice import Edge, list_inner_edges
from assistant.table.roster import DoorSpec
from calibration.arrays import Flags, Numbers, Singles
from vision.evidence.occupancy import COVERED
from vision.evidence.patches import PatchSource, door_patches, leans_mm, print_seen
from vision.learned import chance_of_presence, chances, learned_document, log_odds_of
from vision.tiles.board_view import BoardView

_LEAST_IN_SIGHT = 0.5
"""Least share of the corners of a door's outline that the photo must show."""

_FROM_ABOVE = 0.5
"""Largest shift of a door's top, relative to its height, at which the photo shows little more than the top. Of 10
openings with print hidden there in a door's outline alone, which the network called empty, 4 had a door; of 18 in
oblique photos, where bodies lean over them, none (187 photos, 362 doors)."""


@dataclass(frozen=True)
class DoorSighting:
    """A door on an edge.

    Args:
        edge: the edge.
        confidence: the probability that the door stands there.
        by_place: the part of its log odds due to the edge alone.
        is_shown: whether the photo shows the place at all.
        is_hidden: whether something hides the print that alone would prove the edge empty.
        print_seen: the visible print where its body would hide it, -1 to 1 (``patches.print_seen``).
    """

    edge: Edge
    confidence: float
    by_place: float = 0.0
    is_shown: bool = True
    is_hidden: bool = False
    print_seen: float = 1.0


@cache
def door_weights() -> Float[Numbers, " 6"]:
    """Return the weights of ``door_features``, from ``vision/data/doors.json``."""
    return np.array(learned_document("doors.json")["weights"], dtype=float)


def door_features(patches: Float32[Singles, "n 9 72 96"], places: Float[Numbers, "n 2"]) -> Float[Numbers, "n 6"]:
    """Return the factors of each edge: 1, the network's log odds, visible print (2), place (2)."""
    raw = chances("doors", patches)[:, 1]
    log_odds = np.array([log_odds_of(float(chance)) for chance in raw])
    return np.column_stack([np.ones(len(patches)), log_odds, print_seen(patches), places])


def judge_doors(source: PatchSource, spec: DoorSpec) -> list[DoorSighting]:
    """Judge every edge that allows a door, however unlikely, the surest first.

    Where the photo does not show a door's place only the edge counts.
    """
    board, edges = source.board, list_inner_edges(source.board.cells)
    if spec.count == 0 or not edges:
        return []
    by_place = board.openings.features(edges) @ door_weights()[-2:]
    judged = (
        DoorSighting(edge, chance_of_presence(float(one)), float(part), bool(shown), bool(hidden), float(visible))
        for edge, part, one, shown, hidden, visible in zip(
            edges, by_place, *_judge_edges(source, edges, spec), strict=True
        )
    )
    return sorted(judged, key=lambda door: (-door.confidence, door.edge))


def _are_shown(board: BoardView, edges: Sequence[Edge], spec: DoorSpec) -> Bool[Flags, " n"]:
    """Return for each edge whether the photo shows most of a door's outline there, and one of the cells beside it."""
    ends_mm = board.lattice.table_from_lattice(np.array([(*edge,) for edge in edges], dtype=float).reshape(-1, 2))
    heights_mm = board.thickness_mm + np.array([0.0, spec.height_mm])
    corners_px = np.stack([board.view.image_from_table(ends_mm, height_mm) for height_mm in heights_mm])
    in_sight = board.in_photo(corners_px).reshape(2, -1, 2).mean(axis=(0, 2)) >= _LEAST_IN_SIGHT
    is_seen = np.array([not board.unseen.issuperset(edge.cells) for edge in edges])
    return np.asarray(in_sight & is_seen)


def _are_from_above(board: BoardView, edges: Sequence[Edge], spec: DoorSpec) -> Bool[Flags, " n"]:
    """Return for each edge whether the camera looks at it from nearly above."""
    middles = np.array([np.add(*edge) / 2 for edge in edges], dtype=float)
    shift_mm = np.linalg.norm(leans_mm(board, middles, spec.height_mm), axis=1)
    return np.asarray(shift_mm < _FROM_ABOVE * spec.height_mm)


def door_log_odds(source: PatchSource, edges: Sequence[Edge], spec: DoorSpec) -> Float[Numbers, " n"]:
    """Return the log odds of a door on each edge, by the photo and by the edge itself."""
    return _judge_edges(source, edges, spec).log_odds


class _Judged(NamedTuple):
    """The log odds of a door on each edge, with the same of ``DoorSighting``."""

    log_odds: Float[Numbers, " n"]
    is_shown: Bool[Flags, " n"]
    is_hidden: Bool[Flags, " n"]
    print_seen: Float[Numbers, " n"]


def _judge_edges(source: PatchSource, edges: Sequence[Edge], spec: DoorSpec) -> _Judged:
    """Judge some edges.

    Seen from above, a dark door looks like a gap between tiles. So where something hides the print in its outline
    alone, an edge stays at least as likely as before any photo.
    """
    board = source.board
    features = door_features(door_patches(source, edges, spec), board.openings.features(edges))
    by_photo, inside, around = features @ door_weights(), features[:, 2], features[:, 3]
    before = board.openings.prior_log_odds(edges)
    is_shown = _are_shown(board, edges, spec)
    is_hidden = (inside < COVERED) & (around > COVERED) & _are_from_above(board, edges, spec) & (by_photo < before)
    return _Judged(np.where(is_shown & ~is_hidden, by_photo, before), is_shown, is_hidden, inside)
