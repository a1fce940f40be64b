"""Camera pose from flat printed pieces on one lattice, without markers.

One least-squares fit covers the pose, the pitch of the lattice, a small shift and turn of each piece, and, without a
known lens, focal length and first distortion coefficient. The prior that pieces lie near their places on the lattice
holds them together. The size of their prints gives the scale.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from jaxtyping import Float64, Int64

from assistant.table.camera import CameraLens
from calibration.arrays import Doubles, Integers
from calibration.lens_model import matrix_of
from calibration.pose import FOCAL_PRIOR, GUESSED_FOCAL_OF_WIDTH
from calibration.robust_fit import fit_robustly

_SOFTNESS = 3.0
"""Standard deviations beyond which a residual counts linearly, such as points of other things and of pushed pieces."""

_BENT_LENS = 0.08
"""Usual first distortion coefficient of an uncalibrated camera."""

_POSE, _LOG_FOCAL, _BEND, _PITCH, _FIRST_PIECE = slice(0, 6), 6, 7, 8, 9


@dataclass(frozen=True, eq=False)
class FlatPiece:
    """Points of a printed piece, on itself and in a picture.

    Args:
        own_mm: the points from the middle of the piece.
        image_px: the same points in the picture.
        weight: the weight of each point.
        place: the middle on the lattice, in millimetres along its axes, and the turn in degrees.
    """

    own_mm: Float64[Doubles, "n 2"]
    image_px: Float64[Doubles, "n 2"]
    weight: Float64[Doubles, " n"]
    place: tuple[float, float, float]


@dataclass(frozen=True)
class Looseness:
    """Standard deviations of the pieces' distance from the lattice, their turn, and the error of its pitch."""

    place_mm: float
    turn_deg: float
    pitch: float


JOINED, LOOSE = Looseness(0.45, 0.35, 0.004), Looseness(1.6, 1.3, 0.03)
"""Pieces pushed together, and pieces laid by hand with gaps of one to three millimetres."""


@dataclass(frozen=True, eq=False)
class PiecesFit:
    """The pose that fits all pieces best.

    Args:
        lens: the lens, as given or as fitted.
        parameters: rotation and translation vector from lattice millimetres to the camera.
        places: x, y and turn in degrees of each piece, in lattice millimetres.
        median_px: median distance between points and their projections, of each piece.
        focal_uncertainty: standard deviation of the focal length as a share of it; 0 for a given lens.
        cost: squared residuals of points and priors over the number of points, large ones capped.
        loose_mm: root mean square distance of the pieces from the even lattice.
    """

    lens: CameraLens
    parameters: Float64[Doubles, " 6"]
    places: Float64[Doubles, "k 3"]
    median_px: Float64[Doubles, " k"]
    focal_uncertainty: float
    cost: float
    loose_mm: float


def fit_pieces(
    pieces: Sequence[FlatPiece],
    lens: CameraLens,
    start: Float64[Doubles, " 6"],
    *,
    frees_lens: bool,
    looseness: Looseness,
    noise_px: float,
) -> PiecesFit:
    """Fit the pose to all pieces together.

    Args:
        pieces: at least one piece.
        lens: the lens, or a first guess of it.
        start: a first guess of the pose.
        frees_lens: whether to fit focal length and distortion, too.
        looseness: how well the pieces lie on the lattice.
        noise_px: the usual error of a point.
    """
    problem = _Problem(pieces, lens, frees_lens, looseness, noise_px)
    free = np.ones(_FIRST_PIECE + 3 * len(pieces), dtype=bool)
    free[[_LOG_FOCAL, _BEND]] = frees_lens
    whole = np.zeros(len(free))
    whole[_POSE] = start

    def residuals_and_slopes(
        unknowns: Float64[Doubles, " k"],
    ) -> tuple[Float64[Doubles, " n"], Float64[Doubles, "n k"]]:
        whole[free] = unknowns
        rows, slopes = problem.rows(whole)
        return rows, slopes[:, free]

    fit = fit_robustly(residuals_and_slopes, whole[free].copy(), _SOFTNESS)
    whole[free] = fit.unknowns
    points = fit.residuals[: 2 * len(problem.image_px)]
    spread = max(1.0, float(np.sqrt(np.mean(np.minimum(np.abs(points), _SOFTNESS) ** 2))))
    uncertainty = float(np.sqrt(fit.covariance(spread)[_LOG_FOCAL, _LOG_FOCAL])) if frees_lens else 0.0
    places = problem.places(whole)
    off_px = np.linalg.norm(problem.project(whole)[0] - problem.image_px, axis=1)
    off_mm = whole[_FIRST_PIECE:].reshape(-1, 3)[:, :2]
    return PiecesFit(
        problem.lens_at(whole),
        whole[_POSE].copy(),
        np.column_stack([places[:, :2], np.degrees(places[:, 2])]),
        np.array([np.median(off_px[problem.piece_of == index]) for index in range(len(pieces))]),
        uncertainty,
        float(np.minimum(fit.residuals**2, 4 * _SOFTNESS**2).sum()) / len(points),
        float(np.sqrt((off_mm**2).sum(axis=1).mean())),
    )


class _Problem:
    """The residuals of all points and priors, with their slopes."""

    def __init__(
        self, pieces: Sequence[FlatPiece], lens: CameraLens, frees_lens: bool, looseness: Looseness, noise_px: float
    ) -> None:
        self._lens = lens
        self._frees_lens = frees_lens
        self._own_mm = np.concatenate([piece.own_mm for piece in pieces]).astype(np.float64)
        self.image_px = np.concatenate([piece.image_px for piece in pieces]).astype(np.float64)
        self._scale = np.repeat(np.sqrt(np.concatenate([piece.weight for piece in pieces])) / noise_px, 2)
        self.piece_of: Int64[Integers, " n"] = np.repeat(np.arange(len(pieces)), [len(p.weight) for p in pieces])
        x, y, turn_deg = np.array([piece.place for piece in pieces], dtype=np.float64).T
        self._places = np.column_stack([x, y, np.radians(turn_deg)])
        self._middle = self._places[:, :2].mean(axis=0)
        prior_focal = GUESSED_FOCAL_OF_WIDTH * max(lens.width_px, lens.height_px)
        self._log_focal_off = float(np.log(lens.matrix[0][0] / prior_focal))
        each = (looseness.place_mm, looseness.place_mm, np.radians(looseness.turn_deg))
        self._priors = np.array([FOCAL_PRIOR, _BENT_LENS, looseness.pitch, *each * len(pieces)])

    def places(self, whole: Float64[Doubles, " k"]) -> Float64[Doubles, "p 3"]:
        """Return middles in lattice millimetres and turns in radians."""
        off = whole[_FIRST_PIECE:].reshape(-1, 3)
        stretched = (self._places[:, :2] - self._middle) * whole[_PITCH]
        places: Doubles = self._places + off
        places[:, :2] += stretched
        return places

    def lens_at(self, whole: Float64[Doubles, " k"]) -> CameraLens:
        if not self._frees_lens:
            return self._lens
        (fx, skew, cx), (zero, fy, cy), last = self._lens.matrix
        longer = float(np.exp(whole[_LOG_FOCAL]))
        matrix = ((fx * longer, skew, cx), (zero, fy * longer, cy), last)
        return replace(self._lens, matrix=matrix, distortion=(float(whole[_BEND]), 0.0, 0.0, 0.0, 0.0))

    def project(
        self, whole: Float64[Doubles, " k"]
    ) -> tuple[Float64[Doubles, "n 2"], Float64[Doubles, "m c"], Float64[Doubles, "n 2"]]:
        """Return the pixels of all points, OpenCV's slopes, and the slopes of the points by the turn of their piece."""
        places = self.places(whole)[self.piece_of]
        c, s = np.cos(places[:, 2]), np.sin(places[:, 2])
        x, y = self._own_mm.T
        turned, across = (
            np.column_stack([c * x - s * y, s * x + c * y]),
            np.column_stack([-s * x - c * y, c * x - s * y]),
        )
        solid = np.column_stack([places[:, :2] + turned, np.zeros(len(x))])
        lens = self.lens_at(whole)
        pixels, slopes = cv2.projectPoints(solid, whole[:3], whole[3:6], matrix_of(lens), np.array(lens.distortion))
        return np.asarray(pixels, dtype=np.float64).reshape(-1, 2), np.asarray(slopes, dtype=np.float64), across

    def rows(self, whole: Float64[Doubles, " k"]) -> tuple[Float64[Doubles, " m"], Float64[Doubles, "m k"]]:
        pixels, by_opencv, across = self.project(whole)
        count, pieces = len(pixels), len(self._places)
        slopes = np.zeros((2 * count + 3 + 3 * pieces, len(whole)))
        slopes[: 2 * count, _POSE] = by_opencv[:, :6]
        matrix = self.lens_at(whole).matrix
        slopes[: 2 * count, _LOG_FOCAL] = by_opencv[:, 6] * matrix[0][0] + by_opencv[:, 7] * matrix[1][1]
        slopes[: 2 * count, _BEND] = by_opencv[:, 10]
        # A point that moves by its own axes moves the camera's translation by the rotation's columns.
        rotation = cv2.Rodrigues(whole[:3])[0]
        by_place = (by_opencv[:, 3:6] @ rotation[:, :2]).reshape(count, 2, 2)
        from_middle = (self._places[:, :2] - self._middle)[self.piece_of]
        slopes[: 2 * count, _PITCH] = np.einsum("nij,nj->ni", by_place, from_middle).ravel()
        by_turn = np.einsum("nij,nj->ni", by_place, across)
        row = np.arange(2 * count)
        column = _FIRST_PIECE + 3 * np.repeat(self.piece_of, 2)
        for axis in (0, 1):
            slopes[row, column + axis] = by_place[:, :, axis].ravel()
        slopes[row, column + 2] = by_turn.ravel()
        slopes[: 2 * count] *= self._scale[:, None]
        known = np.arange(_LOG_FOCAL, len(whole))
        slopes[2 * count + np.arange(len(known)), known] = 1 / self._priors
        prior = whole[_LOG_FOCAL:].copy()
        prior[0] += self._log_focal_off
        return np.concatenate([(pixels - self.image_px).ravel() * self._scale, prior / self._priors]), slopes
