"""Standing doors: things that rise from an edge between two cells and occlude the print behind it.

A door may look like anything, so its shape counts. One small network compares photo and print in a patch round every
inner edge, turned so that a door would lean the same way in each. Another one compares them in the features of the
pretrained trunk (``evidence.hidden_print``). Its hints are the first one's answer, and the chances of the two cells
beside the edge. Two more factors are whether the print is visible where a door's body would occlude it
(``print_seen``), and the edge itself: doors stand in the openings between tiles. One logistic model combines them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

import cv2
import numpy as np
from jaxtyping import Bool, Float, Float32, Int

from assistant.table.lattice import Cell, Edge
from assistant.table.roster import DoorSpec
from calibration.arrays import Flags, Integers, Numbers, Singles
from vision.evidence.hidden_print import PLACES, WINDOW, PrintMaps, spread, windows_on
from vision.evidence.occupancy import COVERED, Occupancy
from vision.evidence.patches import PatchSource, Upright, door_patches, doors_on, print_seen
from vision.learned import chance_of_presence, chances, learned_document, log_odds_of, run_network
from vision.tiles.board_view import BoardView

_LEAST_IN_SIGHT = 0.5
"""Least share of the corners of a door's outline that the photo must show."""

_FROM_ABOVE = 0.5
"""Largest shift of a door's top, relative to its height, at which the photo shows little more than the top. Of 10
openings with print hidden there in a door's outline alone, which the patch network called empty, 4 had a door; of 18 in
oblique photos, where bodies lean over them, none (187 photos, 362 doors)."""

_FINER = 8
"""Subdivision of a place for the share of it within a door's outline."""

_MOST_HINT, _LEAST_HINT = 7.0, 1e-4
"""Limits of the log odds and of the chances that are hints for the trunk's network."""


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


class DoorViews(NamedTuple):
    """What the photo shows of a possible door on each edge.

    Args:
        edges: the edges.
        patch_odds: log odds of the patch network.
        print_seen: the visible print, inside a door's outline and around it.
        places: ``BoardView.openings.features``.
        windows: the places of each edge's window on the trunk's maps. It reaches two cells up and one down.
        outlines: the share of each place of the window within a door's outline.
        geometry: the apparent shift of a door's top along the window's axes, and its height and thickness, in cells.
        beside: the cells behind and before the edge.
    """

    edges: Sequence[Edge]
    patch_odds: Float[Numbers, " n"]
    print_seen: Float[Numbers, "n 2"]
    places: Float[Numbers, "n 2"]
    windows: Int[Integers, "n side side"]
    outlines: Float32[Singles, "n side side"]
    geometry: Float32[Singles, "n 4"]
    beside: Sequence[tuple[Cell, Cell]]


@cache
def door_weights() -> Float[Numbers, " 5"]:
    """Return the weights of ``door_features``, from ``vision/data/doors.json``."""
    return np.array(learned_document("doors.json")["weights"], dtype=float)


def door_views(source: PatchSource, spec: DoorSpec, edges: Sequence[Edge]) -> DoorViews:
    """Cut what the photo shows of each edge that allows a door."""
    board, patches = source.board, door_patches(source, edges, spec)
    cell_mm, things = board.lattice.cell_mm, list(doors_on(board, edges, spec))
    axes = np.array([thing.axes for thing in things]).reshape(-1, 2, 2)
    middles = np.array([thing.middle for thing in things]).reshape(-1, 2)
    leans = np.array([thing.axes @ thing.lean_mm for thing in things]).reshape(-1, 2)
    sizes = np.broadcast_to([spec.height_mm, spec.thickness_mm], leans.shape)
    sides = np.floor(middles[:, None] + axes[:, None, 1] * np.array([[-0.5], [0.5]])).astype(int).tolist()
    return DoorViews(
        edges,
        np.array([log_odds_of(float(chance)) for chance in chances("doors", patches)[:, 1]]),
        print_seen(patches),
        board.openings.features(edges),
        windows_on(board, middles - axes[:, 1] / 2, axes),
        np.array([_outline_in_window(thing, cell_mm) for thing in things], np.float32).reshape(-1, WINDOW, WINDOW),
        np.column_stack([leans, sizes]).astype(np.float32) / np.float32(cell_mm),
        [((behind[0], behind[1]), (before[0], before[1])) for behind, before in sides],
    )


def _outline_in_window(thing: Upright, cell_mm: float) -> Float32[Singles, "side side"]:
    solid = np.concatenate([thing.foot_mm, thing.foot_mm + thing.lean_mm]) @ thing.axes.T / cell_mm
    corners = solid * PLACES + np.array([WINDOW, WINDOW + PLACES]) / 2
    inside = np.zeros((WINDOW * _FINER, WINDOW * _FINER), dtype=np.uint8)
    cv2.fillConvexPoly(inside, cv2.convexHull(np.round(corners * _FINER).astype(np.int32)), 255)
    return np.asarray(cv2.resize(inside, (WINDOW, WINDOW), interpolation=cv2.INTER_AREA) / 255, np.float32)


def trunk_hints(views: DoorViews, occupancy: Occupancy) -> Float32[Singles, "n 9"]:
    """Return the evidence about edges that needs no trunk, or that the cells beside them give.

    The patch network's log odds, the visible print (2), and the log chances of the two cells beside it (6).
    """
    by_trunk = occupancy.by_trunk.chance_of
    beside = np.array([[*by_trunk[behind], *by_trunk[before]] for behind, before in views.beside]).reshape(-1, 6)
    odds = np.clip(views.patch_odds, -_MOST_HINT, _MOST_HINT)
    return np.column_stack([odds, views.print_seen, np.log(np.maximum(beside, _LEAST_HINT))]).astype(np.float32)


def trunk_log_odds(maps: PrintMaps, views: DoorViews, hints: Float32[Singles, "n 9"]) -> Float[Numbers, " n"]:
    """Return the trunk's log odds of a door on each edge."""
    if not views.edges:  # OpenCV ends the process at an empty batch.
        return np.empty(0)
    windows = maps.windows("door_pair", views.windows)
    numbers = spread(np.concatenate([views.geometry, hints], axis=1))
    batch = np.concatenate([windows, views.outlines[:, None], numbers], axis=1)
    return run_network("door_windows", batch).reshape(-1).astype(float)


def door_features(views: DoorViews, maps: PrintMaps, occupancy: Occupancy) -> Float[Numbers, "n 5"]:
    """Return the factors of each edge: 1, the trunk's log odds, visible print, place (2)."""
    by_trunk = trunk_log_odds(maps, views, trunk_hints(views, occupancy))
    ones = np.ones(len(views.edges))
    return np.column_stack([ones, by_trunk, views.print_seen[:, 0], views.places])


def judge_doors(
    source: PatchSource, spec: DoorSpec, views: DoorViews, maps: PrintMaps, occupancy: Occupancy
) -> list[DoorSighting]:
    """Judge every edge that allows a door, however unlikely, the surest first.

    Where the photo does not show a door's place only the edge counts. Seen from above, a dark door looks like a gap
    between tiles. So where something hides the print in its outline alone, an edge stays at least as likely as before
    any photo.
    """
    if not views.edges:
        return []
    features, weights = door_features(views, maps, occupancy), door_weights()
    by_place = features[:, -2:] @ weights[-2:]
    by_photo, before = features @ weights, source.board.openings.prior_log_odds(views.edges)
    is_shown = _are_shown(source.board, views.edges, spec)
    inside, around = views.print_seen.T
    shift = np.linalg.norm(views.geometry[:, :2], axis=1) / views.geometry[:, 2]
    is_hidden = (inside < COVERED) & (around > COVERED) & (shift < _FROM_ABOVE) & (by_photo < before)
    judged = (
        DoorSighting(edge, chance_of_presence(odds), part, shown, hidden, visible)
        for edge, odds, part, shown, hidden, visible in zip(
            views.edges,
            np.where(is_shown & ~is_hidden, by_photo, before).tolist(),
            by_place.tolist(),
            is_shown.tolist(),
            is_hidden.tolist(),
            inside.tolist(),
            strict=True,
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
