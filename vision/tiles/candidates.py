"""Tile candidates: pairs of keypoints vote for turn and place, and a fit refines the best votes.

Photo and prints have the same known scale, so a single pair of keypoints gives the turn of the tile and the place of
its centre (a generalised Hough transform, Ballard 1981). True pairs agree on one place. False pairs scatter, however
many.
"""

from __future__ import annotations

import cmath
import math
from dataclasses import dataclass, fields

import numpy as np
from jaxtyping import Complex128, Float, Float32, Int, Shaped

from calibration.arrays import ComplexNumbers, Numbers, Singles
from vision.tiles.keypoints import Keypoints
from vision.tiles.prints import TilePrints

_SCALE_OCTAVES = 0.5
"""Largest difference of keypoint sizes in a pair. Both pictures have the same scale."""

SIMILAR = 0.7
"""Least cosine of the descriptors of a pair. Unrelated points rarely reach it."""

_BIN_DEG = 9.0
_BIN_MM = 10.0
_PEAKS, _KEPT = 12, 4
"""Peaks of the coarse votes fitted for each print, and the poses kept of them. On every tested photo the true one was
among the first two. With four peaks a crowded chessboard lost the lead over its quarter turns."""

_GATES = ((9.0, 12.0), (6.0, 6.0), (5.0, 2.5), (5.0, 1.5), (5.0, 1.0))
"""Degrees and millimetres within which pairs count, from fit to fit. The misfit of joined tiles is 0.4 mm."""

HARDLY_CHANCE_VOTES, STRONG_VOTES, GOOD_FIT_VOTES, LONE_VOTES = 3.0, 4.0, 8.0, 12.0
"""Votes of keypoints from which a tile is rarely a wrong one, one accurate to half a millimetre, one more accurate than
the lattice, and one that gives a pose by itself. Of 109 tiles on a lattice with 3 to 10 votes on 149 ray-traced photos
107 were right."""

_BLOCK = 4096


@dataclass(frozen=True)
class Pairs:
    """M pairs of a keypoint in the photo and one on a print.

    Args:
        print_index: the print.
        photo_mm: the place on the table.
        print_mm: the place on the print from its centre.
        turn_deg: turn of the print, from the two orientations.
        weight: the weight of the pair.
    """

    print_index: Int[Numbers, " n"]
    photo_mm: Float[Numbers, "n 2"]
    print_mm: Float[Numbers, "n 2"]
    turn_deg: Float[Numbers, " n"]
    weight: Float[Numbers, " n"]

    def chosen(self, index: Shaped[Numbers, " k"]) -> Pairs:
        """Return some of the pairs, by index or mask."""
        return Pairs(*(getattr(self, part.name)[index] for part in fields(self)))


@dataclass(frozen=True)
class TileCandidate:
    """A candidate tile, turned clockwise by ``rotation_deg`` about the centre of its bounding box."""

    print_index: int
    rotation_deg: float
    center_mm: tuple[float, float]
    votes: float


def find_candidates(photo: Keypoints, prints: TilePrints) -> list[TileCandidate]:
    """Return the best places of every print, the most votes first.

    The photo's keypoints are in table millimetres.
    """
    return candidates_of(match(photo, prints), prints)


def candidates_of(pairs: Pairs, prints: TilePrints) -> list[TileCandidate]:
    """Return the best places of every print by pairs of keypoints, the most votes first."""
    found: list[TileCandidate] = []
    for print_index in range(len(prints.prints)):
        found += _fit_peaks(print_index, pairs.chosen(pairs.print_index == print_index))
    return sorted(found, key=lambda c: (-c.votes, c.print_index))


def match(photo: Keypoints, prints: TilePrints) -> Pairs:
    """Pair each keypoint of the photo with the most similar one of the prints, if similar enough."""
    known = prints.keypoints
    nearest, likeness = nearest_print_points(photo, prints)
    octaves = np.abs(np.log2(photo.size_mm / known.size_mm[nearest]))
    index = np.flatnonzero((likeness > SIMILAR) & (octaves < _SCALE_OCTAVES))
    nearest = nearest[index]
    return Pairs(
        prints.print_of_keypoint[nearest],
        photo.points_mm[index],
        known.points_mm[nearest],
        (photo.turn_deg[index] - known.turn_deg[nearest]) % 360,
        (likeness[index] - SIMILAR) / (1 - SIMILAR),
    )


def nearest_print_points(photo: Keypoints, prints: TilePrints) -> tuple[Int[Numbers, " n"], Float32[Singles, " n"]]:
    """Return each photo keypoint's most similar print keypoint, and the cosine of both."""
    known = prints.keypoints
    nearest = np.zeros(len(photo), dtype=np.intp)
    likeness = np.zeros(len(photo), dtype=np.float32)
    for start in range(0, len(photo), _BLOCK):
        cosine = photo.descriptors[start : start + _BLOCK] @ known.descriptors.T
        best = cosine.argmax(axis=1)
        nearest[start : start + _BLOCK] = best
        likeness[start : start + _BLOCK] = cosine[np.arange(len(best)), best]
    return nearest, likeness


def _fit_peaks(print_index: int, pairs: Pairs) -> list[TileCandidate]:
    if len(pairs.weight) == 0:
        return []
    fitted = [_fit(print_index, pairs, *start) for start in _peaks(pairs)]
    kept: list[TileCandidate] = []
    for candidate in sorted((c for c in fitted if c is not None), key=lambda c: -c.votes):
        if not any(_is_same(candidate, other) for other in kept):
            kept.append(candidate)
    return kept[:_KEPT]


def _peaks(pairs: Pairs) -> list[tuple[float, Float[Numbers, " 2"]]]:
    """Return turn and centre of the fullest bins of the coarse votes."""
    c, s = np.cos(np.deg2rad(pairs.turn_deg)), np.sin(np.deg2rad(pairs.turn_deg))
    x, y = pairs.print_mm[:, 0], pairs.print_mm[:, 1]
    centers_mm = pairs.photo_mm - np.column_stack([c * x - s * y, s * x + c * y])
    turn_bin = (pairs.turn_deg / _BIN_DEG).astype(np.int64)
    place_bin = np.floor(centers_mm / _BIN_MM).astype(np.int64)
    keys = np.column_stack([turn_bin, place_bin])
    bins, which = np.unique(keys, axis=0, return_inverse=True)
    which = np.ravel(which)
    votes = np.bincount(which, weights=pairs.weight)
    fullest = np.argsort(-votes, kind="stable")[:_PEAKS]
    return [((bins[i, 0] + 0.5) * _BIN_DEG, (bins[i, 1:] + 0.5) * _BIN_MM) for i in fullest]


def _fit(print_index: int, pairs: Pairs, turn_deg: float, center_mm: Float[Numbers, " 2"]) -> TileCandidate | None:
    """Fit a rigid motion to the pairs near a first guess. Its votes are those of the pairs that finally agree."""
    # Complex numbers, whose product is a rotation.
    printed, photo = _complex(pairs.print_mm), _complex(pairs.photo_mm)
    center, near = complex(*center_mm), np.arange(len(pairs.weight))
    for gate_deg, gate_mm in _GATES:
        off_deg = np.abs((pairs.turn_deg - turn_deg + 180) % 360 - 180)
        off_mm = np.abs(printed * cmath.rect(1, math.radians(turn_deg)) + center - photo)
        near = np.flatnonzero((off_deg < gate_deg * 2) & (off_mm < gate_mm))
        if len(near) < 3:
            return None
        turn_deg, center = _rigid(printed[near], photo[near], pairs.weight[near] + 1e-6)
    votes = votes_of(pairs.print_mm[near], pairs.weight[near])
    return TileCandidate(print_index, turn_deg % 360, (center.real, center.imag), votes)


def votes_of(print_mm: Float[Numbers, "n 2"], weight: Float[Numbers, " n"]) -> float:
    """Return the votes of pairs that agree.

    Wood grain and cloth repeat: many points of the photo are similar to one spot of a print, which counts once.
    """
    spots = np.unique(np.round(print_mm).astype(np.int64), axis=0, return_inverse=True)[1]
    strongest = np.zeros(int(spots.max()) + 1)
    np.maximum.at(strongest, np.ravel(spots), weight)
    return float(strongest.sum())


def _complex(points_mm: Float[Numbers, "n 2"]) -> Complex128[ComplexNumbers, " n"]:
    return np.asarray(points_mm @ np.array([1, 1j]))


def _rigid(
    printed: Complex128[ComplexNumbers, " n"], photo: Complex128[ComplexNumbers, " n"], weight: Float[Numbers, " n"]
) -> tuple[float, complex]:
    """Return the least-squares turn in degrees and shift from print to photo (Umeyama 1991, scale 1)."""
    total = weight.sum()
    print_mean, photo_mean = weight @ printed / total, weight @ photo / total
    turn = cmath.phase(np.vdot(weight * (printed - print_mean), photo - photo_mean))
    return math.degrees(turn), complex(photo_mean - print_mean * cmath.rect(1, turn))


def _is_same(a: TileCandidate, b: TileCandidate) -> bool:
    off_deg = abs((a.rotation_deg - b.rotation_deg + 180) % 360 - 180)
    return off_deg < 8 and float(np.hypot(a.center_mm[0] - b.center_mm[0], a.center_mm[1] - b.center_mm[1])) < 8
