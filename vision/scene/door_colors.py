"""Evidence for doors by colour: how far does each edge show the colours of the photo's likely doors?

Each pixel of a possible door's outline gives the likelihood ratio of its colour on a door against the board. The likely
doors give the door colours, each weighed by its chance. The pixels outside of them give the board colours. A door seen
edge-on or half hidden still shows its colours, and so does its top. A body mistaken for a door shows other colours.
Pixels under another likely door belong to that door and do not count. Nor do pixels under a likely base of several
cells: its rim lies along the edges, and may have the doors' colour.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace

import cv2
import numpy as np
from jaxtyping import Float, Int

from assistant.table.roster import DoorSpec
from calibration.arrays import BgrImage, Integers, Mask, Numbers
from vision.evidence.doors import DoorSighting
from vision.evidence.figures import FigureSighting
from vision.evidence.patches import SHIFT_BITS, PatchSource, door_outlines
from vision.learned import MOST_LOG_ODDS, log_odds_of
from vision.tiles.board_view import BoardView

_LEVELS, _TINTS, _TINT_STEP = 6, 12, 14
"""Bins of lightness and of both axes of tint, and the width of the latter. Lightness is coarse: light varies."""

_COLORS = _LEVELS * _TINTS * _TINTS
_FAINT = 1e-4
"""Share of an unseen colour, and the lower bound of the chance that an edge has no door."""

_HIDDEN = 0.2
"""Share of a door's outline that shows another thing: a body before it, the floor beside it."""

_BOARD_DOORS = 0.3
"""Pseudo-count of doors in the board's own colours. In a photo without a likely door, colours give no evidence."""

_WEIGHT, _MOST_ADDED = 3.0, 1.5
"""Log odds for a mean log likelihood ratio of 1, as neighbouring pixels depend on each other; and their largest sum.
The loss of all doors on 60 ray-traced photos (776 to 798), as rendered, at JPEG 60 and 1280 wide, is 67.2, and 68.2 by
a weight of 2."""


def apply_door_colors(
    doors: Sequence[DoorSighting], source: PatchSource, spec: DoorSpec, figures: Iterable[FigureSighting] = ()
) -> list[DoorSighting]:
    """Add the evidence of colours to each door's confidence, and sort the likeliest door first.

    Args:
        doors: each edge that allows a door.
        source: the photo.
        spec: the doors of the box.
        figures: the candidate figures.
    """
    more = np.clip(_WEIGHT * door_color_odds(doors, source, spec, figures), -_MOST_ADDED, _MOST_ADDED)
    more[[not door.is_shown for door in doors]] = 0.0
    after = [_with(door, float(odds)) for door, odds in zip(doors, more, strict=True)]
    return sorted(after, key=lambda door: (-door.confidence, door.edge))


def door_color_odds(
    doors: Sequence[DoorSighting], source: PatchSource, spec: DoorSpec, figures: Iterable[FigureSighting] = ()
) -> Float[Numbers, " n"]:
    """Return each edge's mean log likelihood ratio of its outline's colours: on a door against on the board."""
    colors = _colors_of(source.layers[0][:, :, :3])
    mask = source.board.board_mask
    chances = np.minimum([door.confidence for door in doors], 1 - _FAINT)
    outlines = [_pixels_in(one, mask) for one in door_outlines(source.board, [door.edge for door in doors], spec)]
    free = np.ones(colors.size)  # the chance that no door covers a pixel
    for chance, outline in zip(chances, outlines, strict=True):
        free[outline] *= 1 - chance
    board = _shares(colors[mask.ravel()], free[mask.ravel()])
    bare = _bare_of_bases(source.board, figures)
    on_doors = [chance * _shares(colors[outline]) for chance, outline in zip(chances, outlines, strict=True)]
    together, likely = sum(on_doors, np.zeros(_COLORS)), chances.sum()
    found = np.zeros(len(doors))
    for index, outline in enumerate(outlines):
        if len(outline):
            others = likely - chances[index] + _BOARD_DOORS
            like_doors = (together - on_doors[index] + _BOARD_DOORS * board) / others
            ratio = np.log(_HIDDEN + (1 - _HIDDEN) * (like_doors + _FAINT) / (board + _FAINT))
            own = free[outline] * bare[outline] / (1 - chances[index])
            found[index] = own @ ratio[colors[outline]] / len(outline)
    return found


def _bare_of_bases(board: BoardView, figures: Iterable[FigureSighting]) -> Float[Numbers, " pixels"]:
    """Return the chance of each pixel of the frame that no base of several cells covers it."""
    bare = np.ones(board.board_mask.size)
    for figure in figures:
        if len(figure.cells) > 1:
            first, last = np.min(figure.cells, axis=0), np.max(figure.cells, axis=0) + 1
            corners = np.array([first, (last[0], first[1]), last, (first[0], last[1])])
            bare[_pixels_in(board.frame_from_lattice(corners), board.board_mask)] *= 1 - figure.confidence
    return bare


def _colors_of(image: BgrImage) -> Int[Integers, " pixels"]:
    """Return the bin of each pixel's colour."""
    lightness, *tint = cv2.split(cv2.cvtColor(np.ascontiguousarray(image), cv2.COLOR_BGR2LAB))
    bins = np.asarray(lightness, dtype=np.int64) * _LEVELS // 256
    for axis in tint:
        from_middle = (axis.astype(np.int64) - 128) // _TINT_STEP + _TINTS // 2
        bins = bins * _TINTS + np.clip(from_middle, 0, _TINTS - 1)
    return bins.ravel()


def _pixels_in(corners: Float[Numbers, "corners 2"], mask: Mask) -> Int[Integers, " pixels"]:
    """Return the pixels of the board within an outline, as indices of the flattened frame."""
    rows, columns = mask.shape
    left, top = np.clip(np.floor(corners.min(axis=0)).astype(int), 0, (columns - 1, rows - 1))
    right, bottom = np.clip(np.ceil(corners.max(axis=0)).astype(int) + 1, 1, (columns, rows))
    inside = np.zeros((max(bottom - top, 0), max(right - left, 0)), dtype=np.uint8)
    shifted = np.round((corners - (left, top)) * (1 << SHIFT_BITS)).astype(np.int32)
    cv2.fillConvexPoly(inside, shifted, 1, cv2.LINE_8, SHIFT_BITS)
    down, across = np.nonzero((inside > 0) & mask[top:bottom, left:right])
    return np.asarray((down + top) * columns + across + left)


def _shares(
    colors: Int[Integers, " pixels"], weights: Float[Numbers, " pixels"] | None = None
) -> Float[Numbers, " colors"]:
    counts = np.bincount(colors, weights, _COLORS).astype(float)
    return np.asarray(counts / max(counts.sum(), _FAINT))


def _with(door: DoorSighting, more: float) -> DoorSighting:
    log_odds = min(log_odds_of(door.confidence) + more, MOST_LOG_ODDS)
    return replace(door, confidence=1 / (1 + math.exp(-log_odds)))
