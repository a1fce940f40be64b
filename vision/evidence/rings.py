"""Detection of bases by their coloured rims.

A figure stands within a few millimetres of the middle of its cells. A network reads the rim unrolled and gives the ring
of the roster, if any (``ring_strips``). At the height of the base's top the rim is a circle or rectangle of known size.
The body hides a part of it, never all. The base stands where most of the likely ring's colour lies on the rim, and
least just inside and outside.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import cv2
import numpy as np
from jaxtyping import Float, Float32, UInt8

from assistant.table.lattice import Cell
from assistant.table.roster import Roster
from calibration.arrays import BgrImage, FloatImage, Numbers, Singles
from vision.evidence.bases import BASE_HEIGHT_MM, BaseFootprint, Stand, rim_insets_mm, ring_kinds, stands
from vision.evidence.print_colors import KeptColors, print_colors
from vision.evidence.rim_colors import RimPlace, weigh_rims
from vision.evidence.ring_colors import ring_likelihood
from vision.evidence.ring_strips import ring_inputs, ring_strips
from vision.learned import ring_log_odds
from vision.tiles.board_view import BoardView

_REACH_MM = 3.6
"""Range of the search. Players put a base within 2.5 mm of the middle, and the tiles may be 0.4 mm off."""

_STEP_MM = 0.9
_BESIDE_MM = (4.0, -2.2)
"""Insets just inside and outside of the rim."""

_BESIDE = 0.4
"""Weight against a place of its colour beside the rim."""

_BLUR_PX = 0.7

LEAST_RING_ODDS = -5.0
"""Log odds of a ring below which other evidence cannot help."""

_AT_ONCE = 32
_RIVALS = 3
"""Number of likeliest colours tried at each place."""


@dataclass(frozen=True)
class RingSighting:
    """A base with its rim.

    Args:
        stand: the base and its cells.
        color: the ring's colour.
        log_odds: the network's log odds of any of the roster's rings there against none.
        share: that colour's share among the possible rings there, if there is one.
        center_px: the centre of the base in the board's frame at the height of the base's top.
    """

    stand: Stand
    color: str
    log_odds: float
    share: float
    center_px: tuple[float, float]


class _RingCandidate(NamedTuple):
    """A candidate ring of the network at a place. At first its log odds are those of its colour against none."""

    stand: Stand
    color: str
    log_odds: float
    strip: UInt8[Numbers, "16 48 3"]
    share: float = 1.0


def find_rings(board: BoardView, roster: Roster, cells: frozenset[Cell]) -> list[RingSighting]:
    """Return the likeliest ring colours and their places for every stand with any trace of a ring."""
    colors_of: dict[BaseFootprint, list[str]] = {}
    for shape, color in ring_kinds(roster):
        colors_of.setdefault(shape, []).append(color)
    if not colors_of:
        return []
    colors_shown = print_colors(board)
    seen, printed = _rim_pictures(board, colors_shown)
    places = {shape: list(stands(shape, cells)) for shape in colors_of}
    strips = iter(ring_strips(seen, printed, board, [stand for there in places.values() for stand in there]))
    candidates: dict[tuple[Cell, ...], list[_RingCandidate]] = {}
    for shape, colors in colors_of.items():
        # Process a few places at a time to save memory: the inputs of a place take ten times its bytes for each colour.
        for start in range(0, len(places[shape]), _AT_ONCE):
            some = places[shape][start : start + _AT_ONCE]
            cut = np.stack([next(strips) for _ in some])
            for stand, strip, row in zip(some, cut, ring_log_odds(ring_inputs(cut, colors)), strict=True):
                there = candidates.setdefault(stand.cells, [])
                there += [
                    _RingCandidate(stand, color, float(log_odds), strip[0])
                    for color, log_odds in zip(colors, row, strict=True)
                ]
    likely = [one for there in _with_rims([*candidates.values()], colors_shown) for one in _likeliest(there)]
    if not likely:
        return []
    shown = tuple(dict.fromkeys(one.color for one in likely))
    likelihood = np.asarray(cv2.GaussianBlur(ring_likelihood(seen, shown), (0, 0), _BLUR_PX), dtype=np.float32)
    images = dict(zip(shown, np.moveaxis(likelihood.reshape(*seen.shape[:2], len(shown)), 2, 0), strict=True))
    return [
        sighting
        for shape in colors_of
        for sighting in _place_best([one for one in likely if one.stand.shape == shape], images, board)
    ]


def board_strips(board: BoardView, stands: Sequence[Stand]) -> UInt8[Numbers, "n 2 16 48 3"]:
    """Return the strips of places on a board (see ``ring_strips``)."""
    return ring_strips(*_rim_pictures(board, print_colors(board)), board, stands)


def _rim_pictures(board: BoardView, colors_shown: KeptColors) -> tuple[BgrImage, BgrImage]:
    """Return photo and print at the height of the bases' tops, the photo with the colours of usual photos."""
    return colors_shown.restored(board.at_height(BASE_HEIGHT_MM)), board.expected_at(BASE_HEIGHT_MM)


def _with_rims(places: Sequence[Sequence[_RingCandidate]], colors_shown: KeptColors) -> list[list[_RingCandidate]]:
    """Return the candidates of every place with any trace of a ring, with the colours of all rims weighed."""
    traced = [there for there in places if max(one.log_odds for one in there) >= LEAST_RING_ODDS]
    weighed = weigh_rims(
        [
            RimPlace(
                [one.strip for one in there],
                [one.stand.shape.is_round for one in there],
                [one.color for one in there],
                np.array([one.log_odds for one in there]),
            )
            for there in traced
        ],
        color_evidence=colors_shown.evidence,
    )
    return [
        [one._replace(log_odds=float(odds)) for one, odds in zip(there, row, strict=True)]
        for there, row in zip(traced, weighed, strict=True)
    ]


def _likeliest(there: Sequence[_RingCandidate]) -> Iterator[_RingCandidate]:
    """Yield the likeliest rings of one place, with the log odds of any ring and each one's share."""
    odds = np.array([one.log_odds for one in there])
    every = float(np.logaddexp.reduce(odds))
    for i in np.argsort(-odds, kind="stable")[:_RIVALS]:
        if odds[i] - np.logaddexp(0.0, np.logaddexp.reduce(np.delete(odds, i))) >= LEAST_RING_ODDS:
            yield there[i]._replace(log_odds=every, share=math.exp(odds[i] - every))


def _place_best(
    candidates: Sequence[_RingCandidate], likelihood: Mapping[str, FloatImage], board: BoardView
) -> Iterator[RingSighting]:
    """Yield each ring of one shape at the position that shows most of it."""
    for color in dict.fromkeys(one.color for one in candidates):
        chosen = [one for one in candidates if one.color == color]
        centers_px = board.frame_from_lattice(np.array([one.stand.middle for one in chosen]))
        # Two passes suffice: the rim is blurred enough that the best coarse place is beside the global optimum.
        for shifts_mm in (_shifts_mm(_REACH_MM, 2 * _STEP_MM), _shifts_mm(_STEP_MM, _STEP_MM)):
            tried_px = (centers_px[:, None, :] + shifts_mm[None] * board.px_per_mm).reshape(-1, 2)
            shown = _shown(tried_px, chosen[0].stand.shape, likelihood[color], board.px_per_mm)
            best = shown.reshape(len(chosen), -1).argmax(axis=1)
            centers_px = tried_px[np.arange(len(chosen)) * len(shifts_mm) + best]
        for one, (x, y) in zip(chosen, centers_px.tolist(), strict=True):
            yield RingSighting(one.stand, color, one.log_odds, one.share, (x, y))


def _shown(
    centers_px: Float[Numbers, "n 2"], shape: BaseFootprint, likelihood: FloatImage, px_per_mm: float
) -> Float[Numbers, " n"]:
    """Return the share of the rim in the ring's colour at each centre, less a part of that beside it."""

    def along(inset_mm: float) -> Float32[Singles, "centers points"]:
        points = np.round(centers_px[:, None, :] + shape.outline_mm(inset_mm)[None] * px_per_mm).astype(np.int32)
        height, width = likelihood.shape
        values: Singles = likelihood[np.clip(points[..., 1], 0, height - 1), np.clip(points[..., 0], 0, width - 1)]
        return values

    rim = np.max([along(inset_mm) for inset_mm in rim_insets_mm()], axis=0).mean(axis=1)
    beside = np.max([along(inset_mm).mean(axis=1) for inset_mm in _BESIDE_MM], axis=0)
    shown: Numbers = rim - _BESIDE * beside
    return shown


def _shifts_mm(reach_mm: float, step_mm: float) -> Float[Numbers, "n 2"]:
    steps = np.arange(-reach_mm, reach_mm + 1e-9, step_mm)
    return np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2)
