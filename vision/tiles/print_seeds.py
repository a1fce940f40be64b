"""Tile seeds in a photo from an unknown viewpoint: print keypoints vote for turn, scale and place.

The camera's pose is unknown, so the photo is rectified for each of a few usual tilts. There a tile is nearly its print,
turned and scaled. Pairs of keypoints vote for both and for its middle. Then an affine map is fitted to the best votes
of each print (``Lowe 2004`` does the same for objects).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple

import numpy as np
from jaxtyping import Float, Float64, Int, Shaped

from assistant.table.camera import CameraLens
from calibration.arrays import BgrImage, Doubles, Numbers
from calibration.pose import GUESSED_FOCAL_OF_WIDTH, CameraView, pinhole, view_at
from vision.photo.rectify import PlaneFrame, rectify, seen_bounds_mm
from vision.tiles.candidates import HARDLY_CHANCE_VOTES, LONE_VOTES, SIMILAR, nearest_print_points, votes_of
from vision.tiles.keypoints import MOST_PIXELS, PX_PER_MM, find_keypoints
from vision.tiles.prints import TilePrints

_TILTS_DEG = ((28.0, 0.0), (0.0, 0.0), (49.0, 0.0), (35.0, 90.0), (35.0, 270.0), (40.0, 180.0))
"""Tilts from straight down, each with the picture direction in which the table comes nearer: below for an upright
camera, then to the sides for a rotated picture."""

_UPRIGHT = 3
"""Number of tilts of an upright camera. If these show no trace of a tile, the picture has none."""

_ENOUGH_VOTES = 25.0
"""Votes for one tile from which no further tilt is tried. True tiles had 9 to 220."""

_DISTANCE_MM = 900.0
"""Distance of the assumed camera. Scales from a third to three times of it are accepted."""

_NEAR_MM = 300.0
"""Distance of a second assumed camera, if the first finds no clear tile. A photo of few spaces, or of a whole board of
large ones, shows cells of more than some 90 pixels (at a width of 1920)."""

_REACH_MM, _MIDDLE_MM = 560.0, 300.0
"""Reach of the search on the assumed plane from the middle of the picture, and that of a first, small one: keypoints
are most of the work. Tiles further out are found once the pose is known."""

_SCALES = (0.35, 3.2)
KEYPOINT_LIMIT = 9000
"""Limit of strongest keypoints."""


_TURN_BINS, _SCALE_BINS_PER_OCTAVE, _BIN_MM = 24, 2, 18.0
_BINS_TRIED = 60
_GATES = ((14.0, 30.0), (8.0, 22.0), (5.0, 20.0), (3.0, 20.0), (2.2, 20.0), (2.2, 20.0))
"""Millimetres and degrees within which pairs count, from fit to fit."""


@dataclass(frozen=True, eq=False)
class PrintSeed:
    """A candidate tile in the photo.

    Args:
        print_index: its print.
        votes: its evidence.
        print_mm: points of the print from its middle.
        image_px: the same in the photo.
        weight: the weight of each pair.
        box_px: the corners of the print's bounding box in the photo, from its top left clockwise.
    """

    print_index: int
    votes: float
    print_mm: Float64[Doubles, "n 2"]
    image_px: Float64[Doubles, "n 2"]
    weight: Float64[Doubles, " n"]
    box_px: Float64[Doubles, "4 2"]


class _Pairs(NamedTuple):
    """M pairs: print, place on the assumed plane, on the print, turn, scale and weight."""

    print_index: Int[Numbers, " n"]
    plane_mm: Float[Numbers, "n 2"]
    print_mm: Float[Numbers, "n 2"]
    turn_deg: Float[Numbers, " n"]
    scale: Float[Numbers, " n"]
    weight: Float[Numbers, " n"]

    def chosen(self, index: Shaped[Numbers, " k"]) -> _Pairs:
        return _Pairs(*(part[index] for part in self))


class _Fit(NamedTuple):
    """An affine map from print to plane (2, 3), the pairs behind it, and their votes."""

    plane_from_print: Float64[Doubles, "2 3"]
    near: Int[Numbers, " k"]
    votes: float


def find_seeds(photo: BgrImage, prints: TilePrints, lens: CameraLens) -> Iterator[list[PrintSeed]]:
    """Yield the tiles at one tilt after the other, the most votes first, until a tile is clear.

    The middle of the picture alone comes first where a tile is clear there.

    Args:
        photo: the photo.
        prints: the tile set.
        lens: its lens, or a guess.
    """
    first_view = _assumed_view(lens, *_TILTS_DEG[0])
    seeds = _seeds_at(photo, prints, first_view, _MIDDLE_MM)
    if seeds and seeds[0].votes > LONE_VOTES:
        yield seeds
    most_votes = 0.0
    views = [_assumed_view(lens, *tilt) for tilt in _TILTS_DEG]
    views += [_assumed_view(lens, *tilt, _NEAR_MM) for tilt in _TILTS_DEG[:_UPRIGHT]]
    for number, view in enumerate(views):
        if most_votes > _ENOUGH_VOTES:
            return
        if _UPRIGHT <= number < len(_TILTS_DEG) and not most_votes:
            continue
        seeds = _seeds_at(photo, prints, view)
        most_votes = max([most_votes, *(seed.votes for seed in seeds[:1])])
        yield seeds


def shows_tiles(photo: BgrImage, prints: TilePrints, more_votes_than: float = 0.0) -> bool:
    """Return whether a photo of an unknown camera, held upright, clearly shows a tile, by more than so many votes."""
    lens = pinhole((photo.shape[1], photo.shape[0]), GUESSED_FOCAL_OF_WIDTH)
    least = max(LONE_VOTES, more_votes_than)
    near_views = (_assumed_view(lens, *tilt, _NEAR_MM) for tilt in _TILTS_DEG[:_UPRIGHT])
    searches = chain([next(find_seeds(photo, prints, lens))], (_seeds_at(photo, prints, view) for view in near_views))
    return any(seed.votes > least for seeds in searches for seed in seeds[:1])


def _assumed_view(
    lens: CameraLens, tilt_deg: float, toward_deg: float, distance_mm: float = _DISTANCE_MM
) -> CameraView:
    tilt, toward = math.radians(tilt_deg), math.radians(toward_deg)
    rvec = (-tilt * math.cos(toward), -tilt * math.sin(toward), 0.0)
    return view_at(lens, np.array([*rvec, 0.0, 0.0, distance_mm]))


def _seeds_at(photo: BgrImage, prints: TilePrints, view: CameraView, reach_mm: float = _REACH_MM) -> list[PrintSeed]:
    frame = _frame_of(view, reach_mm)
    seen = rectify(photo, view, frame, 0.0)
    points = find_keypoints(seen.image, frame.px_per_mm, seen.inside_mask, KEYPOINT_LIMIT)
    if not len(points):
        return []
    points = points.moved(np.array(frame.origin_mm))
    nearest, likeness = nearest_print_points(points, prints)
    known = prints.keypoints
    scale = points.size_mm / known.size_mm[nearest]
    index = np.flatnonzero((likeness > SIMILAR) & (scale > _SCALES[0]) & (scale < _SCALES[1]))
    nearest = nearest[index]
    pairs = _Pairs(
        prints.print_of_keypoint[nearest],
        points.points_mm[index].astype(np.float64),
        known.points_mm[nearest].astype(np.float64),
        (points.turn_deg[index] - known.turn_deg[nearest]) % 360,
        scale[index],
        (likeness[index] - SIMILAR) / (1 - SIMILAR),
    )
    best: dict[int, PrintSeed] = {}
    for print_index, own in _fullest_bins(pairs):
        fit = _fit(pairs, print_index, own)
        if fit is None or fit.votes < HARDLY_CHANCE_VOTES:
            continue
        before = best.get(print_index)
        if before is None or fit.votes > before.votes:
            best[print_index] = _seed(fit, pairs, prints, view)
    return sorted(best.values(), key=lambda seed: (-seed.votes, seed.print_index))


def _frame_of(view: CameraView, reach_mm: float) -> PlaneFrame:
    """Return the nearby part of the assumed plane in the photo."""
    low, high = (np.clip(side, -reach_mm, reach_mm) for side in seen_bounds_mm(view))
    area_mm2 = max(float((high - low).prod()), 1.0)  # a picture one pixel wide shows a line
    most = math.sqrt(MOST_PIXELS / area_mm2)
    return PlaneFrame.between(low, high, min(PX_PER_MM, view.lens.matrix[0][0] / view.tvec[2], most))


def _fullest_bins(pairs: _Pairs) -> Iterator[tuple[int, Int[Numbers, " k"]]]:
    """Yield the pairs of the fullest bins of turn, scale and middle, with their print."""
    c, s = np.cos(np.radians(pairs.turn_deg)), np.sin(np.radians(pairs.turn_deg))
    x, y = (pairs.print_mm * pairs.scale[:, None]).T
    middles = pairs.plane_mm - np.column_stack([c * x - s * y, s * x + c * y])
    keys = np.column_stack(
        [
            pairs.print_index,
            (pairs.turn_deg * (_TURN_BINS / 360)).astype(np.int64),
            np.round(np.log2(pairs.scale) * _SCALE_BINS_PER_OCTAVE).astype(np.int64),
            np.floor(middles / _BIN_MM).astype(np.int64),
        ]
    )
    if not len(keys):
        return
    low = keys.min(axis=0)
    spans = keys.max(axis=0) - low + 1
    flat = np.ravel_multi_index(tuple((keys - low).T), tuple(spans))
    _, which = np.unique(flat, return_inverse=True)
    votes = np.bincount(which, weights=pairs.weight)
    for number in np.argsort(-votes, kind="stable")[:_BINS_TRIED]:
        own = np.flatnonzero(which == number)
        yield int(pairs.print_index[own[0]]), own


def _fit(pairs: _Pairs, print_index: int, first: Int[Numbers, " k"]) -> _Fit | None:
    """Fit an affine map to the pairs near the mean of a bin. Its votes are those of the pairs that finally agree."""
    own = np.flatnonzero(pairs.print_index == print_index)
    part, start = pairs.chosen(own), pairs.chosen(first)
    weight = start.weight + 1e-6
    turn = float(np.angle((weight * np.exp(1j * np.radians(start.turn_deg))).sum()))
    scale = float(np.exp(np.average(np.log(start.scale), weights=weight)))
    linear = scale * np.array([[math.cos(turn), -math.sin(turn)], [math.sin(turn), math.cos(turn)]])
    middle = np.average(start.plane_mm - start.print_mm @ linear.T, axis=0, weights=weight)
    plane_from_print: Doubles = np.column_stack([linear, middle])
    near = np.zeros(0, dtype=np.int64)
    for round_number, (gate_mm, gate_deg) in enumerate(_GATES):
        linear = plane_from_print[:, :2]
        scale = math.sqrt(abs(float(np.linalg.det(linear))))
        turn_deg = math.degrees(math.atan2(linear[1, 0] - linear[0, 1], linear[0, 0] + linear[1, 1]))
        off = np.linalg.norm(part.print_mm @ linear.T + plane_from_print[:, 2] - part.plane_mm, axis=1)
        off_deg = np.abs((part.turn_deg - turn_deg + 180) % 360 - 180)
        near = np.flatnonzero(
            (off < gate_mm * scale) & (off_deg < gate_deg) & (np.abs(np.log2(part.scale / scale)) < 0.7)
        )
        if len(near) < 4 + (round_number > 1):
            return None
        fitted = _fit_map(part.chosen(near), is_affine=round_number > 1)
        slant = np.linalg.svd(fitted[:, :2])[1]
        if not (np.linalg.det(fitted[:, :2]) > 0 and _SCALES[0] < math.sqrt(slant[0] * slant[1]) < _SCALES[1]):
            return None
        plane_from_print = fitted
    return _Fit(plane_from_print, own[near], votes_of(part.print_mm[near], part.weight[near]))


def _fit_map(pairs: _Pairs, *, is_affine: bool) -> Float64[Doubles, "2 3"]:
    weight = pairs.weight + 0.02
    if is_affine:
        root = np.sqrt(weight)[:, None]
        rows = np.column_stack([pairs.print_mm, np.ones(len(weight))])
        fitted: Doubles = np.linalg.lstsq(rows * root, pairs.plane_mm * root, rcond=None)[0].T
        return fitted
    printed, plane = (points @ np.array([1, 1j]) for points in (pairs.print_mm, pairs.plane_mm))
    p_mean, q_mean = weight @ printed / weight.sum(), weight @ plane / weight.sum()
    spread = float((weight * np.abs(printed - p_mean) ** 2).sum())
    ratio = np.vdot(printed - p_mean, weight * (plane - q_mean)) / max(spread, 1e-9)
    off = q_mean - ratio * p_mean
    return np.array([[ratio.real, -ratio.imag, off.real], [ratio.imag, ratio.real, off.imag]])


def _seed(fit: _Fit, pairs: _Pairs, prints: TilePrints, view: CameraView) -> PrintSeed:
    own = pairs.chosen(fit.near)
    columns, rows = prints.prints[int(own.print_index[0])].size_cells
    half = np.array([columns, rows]) * prints.tile_set.cell_mm / 2
    box_mm = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half
    box_px = view.image_from_table(box_mm @ fit.plane_from_print[:, :2].T + fit.plane_from_print[:, 2])
    pixels = view.image_from_table(own.plane_mm)
    return PrintSeed(int(own.print_index[0]), fit.votes, own.print_mm, pixels, own.weight.astype(np.float64), box_px)
