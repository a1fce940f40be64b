"""Marker corners from the whole print, to a few hundredths of a pixel.

A corner finder looks at four small windows. This fit looks at every edge between a black and a white cell of the
print, some ninety short lines at known places. Across each it reads a profile and finds the middle by area, which a
symmetric blur does not move. The two cells beside a profile give its levels, so uneven light does not matter. All
middles together give the homography of the print.

On a soft picture of a small print, neighbouring cells shine into the profiles. So the fit reads an equally soft ideal
print the same way and subtracts its middles, so that the common shift cancels.

Blur happens in light and not in code values, so brightness becomes linear first. A remaining tone curve, ink spread and
blooming still move all edges towards the same colour. One more unknown absorbs that. Four border lines alone could not
distinguish it from a larger marker.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache

import cv2
import numpy as np
from jaxtyping import Bool, Float32, Float64, Int

from assistant.table.camera import CameraLens
from calibration.arrays import Corners, Doubles, Flags, GrayImage, Integers, Singles
from calibration.color import light_from_srgb
from calibration.lens_model import normalized_from_pixels, pixels_from_normalized

ROUNDS = 8
"""Most rounds of the fit. A round leaves about a twentieth of the error in a sharp picture and a third in a soft one.
The first starts a pixel off, or three on a slanted print of two pixels a cell. Most prints settle in three rounds."""

SETTLED_PX = 0.01
"""Motion of the print in a round below which the fit ends."""

SOFTNESS_CELLS = (0.04, 0.08, 0.12, 0.16, 0.21, 0.26, 0.32, 0.38, 0.45, 0.53)
"""Standard deviations of blur, in cells. At the last one cells are hardly readable."""

PATTERN_PX = 16
"""Pixels along a cell of the ideal print."""

ALONG = np.array([-0.3, -0.15, 0.0, 0.15, 0.3])
"""Places of profiles along a cell's side, in cells. They keep away from its ends, where other cells meet."""

ACROSS_COUNT = 9
REACH_PX = 4.0
"""Longest reach of a profile. It covers half a cell to each side, but no more than this, to exclude shadows inside a
cell."""


INNER_WEIGHT = 0.3
"""Weight of a side between two bits relative to one of the border. On flat prints any weight gives 0.10 px. On bent
prints the border defines the corners."""

FARTHEST_CELLS, FARTHEST_PX = 0.75, 2.0
"""Most motion of a print's middle. Beyond it the fit has slipped onto other cells. A corner of a rough outline may be
off by twice as much."""

LEAST_SEEN = 0.5
"""Least share of the print's sides that a place must show."""


@dataclass(frozen=True, eq=False)
class PrintFit:
    """Corners (4, 2) in pixels, and how well the picture shows the print there.

    ``residual_px`` is the RMS distance of the print's edges from the fit, ``seen_share`` the share of edges with the
    right step from black to white, ``last_step_px`` the motion of the last round.
    """

    corners_px: Corners
    residual_px: float
    seen_share: float
    last_step_px: float


@dataclass(frozen=True, eq=False)
class _Edges:
    """The sides between black and white cells of one marker, in cells from its middle.

    ``base`` (N, K, 2) are the K places for profiles along each of N sides, ``step`` (N, 2) the direction across,
    ``rising`` (N,) whether it gets lighter that way. ``slopes`` (N, 9): how each profile's middle moves with the eight
    parameters of a small homography and with the spread of white. ``weights`` (N,).
    """

    base: Float64[Doubles, "n 5 2"]
    step: Float64[Doubles, "n 2"]
    slopes: Float64[Doubles, "n 9"]
    rising: Bool[Flags, " n"]
    weights: Float64[Doubles, " n"]


@cache
def _linear_from_code() -> Float32[Singles, " 256"]:
    return light_from_srgb(np.arange(256) / 255).astype(np.float32)


@lru_cache(maxsize=1024)
def edges_of(bits: bytes, cells: int) -> _Edges:
    """Return the black-white sides of a print, given its cells row by row (1 for white), border included."""
    pattern = np.ones((cells + 2, cells + 2), dtype=np.int8)
    pattern[1:-1, 1:-1] = np.frombuffer(bits, dtype=np.int8).reshape(cells, cells)
    upright = _upright_sides(pattern)
    lying = [(v, u, rising) for u, v, rising in _upright_sides(pattern.T)]
    base, step, slopes, rising, weights = [], [], [], [], []
    for sides, across in ((upright, np.array([1.0, 0.0])), (lying, np.array([0.0, 1.0]))):
        for u, v, is_rising in sides:
            place = np.array([u, v]) - cells / 2
            base.append(place + ALONG[:, None] * across[::-1])
            step.append(across)
            slopes.append(_slopes(place / cells, across, is_rising))
            rising.append(is_rising)
            weights.append(1.0 if np.abs(place @ across) > cells / 2 - 0.5 else INNER_WEIGHT)
    return _Edges(np.array(base), np.array(step), np.array(slopes), np.array(rising), np.array(weights))


def _upright_sides(pattern: Int[Integers, "rows columns"]) -> list[tuple[float, float, bool]]:
    """Return the middles of upright sides, in cells from the print's top left, and whether white is on the right."""
    rows, columns = np.nonzero(np.diff(pattern, axis=1))
    # The pattern has one ring of paper around the print. The paper's own outer sides do not count.
    return [(float(c), r - 0.5, bool(pattern[r, c + 1])) for r, c in zip(rows, columns, strict=True)]


def _slopes(place: Float64[Doubles, " 2"], across: Float64[Doubles, " 2"], is_rising: bool) -> Float64[Doubles, " 9"]:
    u, v = place
    along_u = np.array([u, v, 1, 0, 0, 0, -u * u, -u * v])
    along_v = np.array([0, 0, 0, u, v, 1, -u * v, -v * v])
    return np.append(across[0] * along_u + across[1] * along_v, 1.0 if is_rising else -1.0)


def fit_print(
    gray_image: GrayImage, corners_px: Corners, bits: bytes, cells: int, lens: CameraLens | None
) -> PrintFit | None:
    """Return the corners of a marker of known print, starting from rough ones, or None if the picture does not show it.

    Args:
        gray_image: the picture.
        corners_px: the corners to about a pixel, (4, 2).
        bits: the cells of the print row by row (one byte each, 1 for white), black border included.
        cells: cells along one side.
        lens: bends the sides. Without it they are straight.
    """
    edges = edges_of(bits, cells)
    ideal = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]]) * cells
    flat = corners_px if lens is None else normalized_from_pixels(corners_px, lens)
    flat_from_print = cv2.getPerspectiveTransform(ideal.astype(np.float32), flat.astype(np.float32)).astype(np.float64)
    cell_px = float(np.linalg.norm(corners_px - np.roll(corners_px, 1, axis=0), axis=1).mean()) / cells
    reach = round(min(0.5, REACH_PX / cell_px), 2)
    for _ in range(ROUNDS):
        profiles, trusted = _profiles(gray_image, edges, flat_from_print, reach, lens)
        if trusted.mean() < LEAST_SEEN:
            return None
        middles = _middles(profiles, reach) - _expected_middles(profiles, trusted, _ideal(bits, cells, reach), reach)
        trusted &= np.abs(middles) < reach
        change, residual = _robust_solution(edges.slopes[trusted], middles[trusted] / cells, edges.weights[trusted])
        flat_from_print = flat_from_print @ _small_homography(change, cells)
        last_step_px = float(np.abs(change[:8]).max()) * cells * cell_px
        if last_step_px < SETTLED_PX:
            break
    fitted = _pixels(_map_points(flat_from_print, ideal), lens)
    if _has_slipped(fitted - corners_px, cell_px):
        return None
    return PrintFit(fitted, residual * cells * cell_px, float(trusted.mean()), last_step_px)


def _has_slipped(moved_px: Corners, cell_px: float) -> bool:
    limit_px = max(FARTHEST_PX, FARTHEST_CELLS * cell_px)
    farthest_px = float(np.linalg.norm(moved_px, axis=1).max())
    # The negation also rejects NaN.
    return not (float(np.linalg.norm(moved_px.mean(axis=0))) < limit_px and farthest_px < 2 * limit_px)


def _profiles(
    gray_image: GrayImage,
    edges: _Edges,
    flat_from_print: Float64[Doubles, "3 3"],
    reach: float,
    lens: CameraLens | None,
) -> tuple[Float64[Doubles, "n 9"], Bool[Flags, " n"]]:
    """Return the brightness along each profile (N, M) and whether to trust it (N,).

    Brightness is a share of the way from the first to the second cell.
    """
    points = _reading_points(edges, reach)
    pixels = _pixels(_map_points(flat_from_print, points.reshape(-1, 2)), lens)
    if not np.isfinite(pixels).all():
        return np.zeros((len(points), ACROSS_COUNT)), np.zeros(len(points), dtype=np.bool_)
    light = _linear_light(gray_image, pixels.astype(np.float32)).reshape(points.shape[:3]).mean(axis=1)
    return _shares(light.astype(np.float64), edges.rising)


def _reading_points(edges: _Edges, reach: float) -> Float64[Doubles, "n 5 9 2"]:
    """Return the places where the profiles read brightness, (N, K, M, 2), in cells from the middle of the print."""
    steps = np.linspace(-reach, reach, ACROSS_COUNT)
    return edges.base[:, :, None, :] + steps[:, None] * edges.step[:, None, None, :]


def _shares(
    light: Float64[Doubles, "n 9"], rising: Bool[Flags, " n"]
) -> tuple[Float64[Doubles, "n 9"], Bool[Flags, " n"]]:
    start, end = light[:, :2].mean(axis=1), light[:, -2:].mean(axis=1)
    contrast = np.where(rising, end - start, start - end)
    usual = np.median(contrast)
    trusted = (contrast > 0.3 * usual) & (usual > 0)
    share = (light - start[:, None]) / np.where(trusted, end - start, 1.0)[:, None]
    return share, trusted


def _middles(shares: Float64[Doubles, "n 9"], reach: float) -> Float64[Doubles, " n"]:
    """Return the middle of each profile by the area under it, in cells from its place."""
    area = (shares.sum(axis=1) - (shares[:, 0] + shares[:, -1]) / 2) * (2 * reach / (ACROSS_COUNT - 1))
    middles: Doubles = reach - area
    return middles


def _expected_middles(
    profiles: Float64[Doubles, "n 9"], trusted: Bool[Flags, " n"], ideal: Float64[Doubles, "softness n 9"], reach: float
) -> Float64[Doubles, " n"]:
    """Return the middles of an ideal print as soft as the profiles."""
    missed = np.abs(ideal[:, trusted] - profiles[trusted]).mean(axis=(1, 2))
    return _middles(ideal[int(np.argmin(missed))], reach)


@lru_cache(maxsize=512)
def _ideal(bits: bytes, cells: int, reach: float) -> Float64[Doubles, "softness n 9"]:
    """Return the profiles of the ideal print at each softness, (S, N, M)."""
    edges = edges_of(bits, cells)
    pattern = np.ones((cells + 4, cells + 4), dtype=np.float32)
    pattern[2:-2, 2:-2] = np.frombuffer(bits, dtype=np.int8).reshape(cells, cells)
    raster = np.kron(pattern, np.ones((PATTERN_PX, PATTERN_PX), dtype=np.float32))
    places = ((_reading_points(edges, reach) + cells / 2 + 2) * PATTERN_PX - 0.5).astype(np.float32)
    profiles = []
    for softness in SOFTNESS_CELLS:
        soft = cv2.GaussianBlur(raster, (0, 0), softness * PATTERN_PX).astype(np.float32)
        light = _sample(soft, places.reshape(-1, 2)).reshape(places.shape[:3]).mean(axis=1)
        profiles.append(_shares(light.astype(np.float64), edges.rising)[0])
    return np.array(profiles)


def _linear_light(gray_image: GrayImage, pixels: Float32[Singles, "n 2"]) -> Float32[Singles, " n"]:
    """Return linear brightness at sub-pixel places (N, 2). Convert only the part of the picture around them."""
    height, width = gray_image.shape
    low = np.clip(np.floor(pixels.min(axis=0)).astype(int) - 1, 0, (width - 1, height - 1))
    high = np.clip(np.ceil(pixels.max(axis=0)).astype(int) + 2, 1, (width, height))
    part = _linear_from_code()[gray_image[low[1] : high[1], low[0] : high[0]]]
    places = pixels - low.astype(np.float32)
    return _sample(part, places)


def _sample(image: Float32[Singles, "height width"], places: Float32[Singles, "n 2"]) -> Float32[Singles, " n"]:
    """Return the values at sub-pixel places (N, 2)."""
    columns, rows = (np.ascontiguousarray(places[None, :, axis]) for axis in (0, 1))
    found = cv2.remap(image, columns, rows, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(found, dtype=np.float32).ravel()


def _robust_solution(
    slopes: Float64[Doubles, "n 9"], middles: Float64[Doubles, " n"], priors: Float64[Doubles, " n"]
) -> tuple[Float64[Doubles, " 9"], float]:
    """Solve by least squares with Tukey's weights, which ignore covered or shaded sides.

    Also return the weighted residual.
    """
    weights = priors
    for _ in range(4):
        weighted = slopes * weights[:, None]
        change = np.linalg.solve(weighted.T @ slopes + 1e-12 * np.eye(9), weighted.T @ middles).astype(np.float64)
        missed = middles - slopes @ change
        spread = 1.4826 * float(np.median(np.abs(missed))) + 1e-6
        weights = priors * np.clip(1 - (missed / (4.7 * spread)) ** 2, 0, 1) ** 2
    return change, float(np.sqrt((weights * missed**2).sum() / weights.sum()))


def _small_homography(change: Float64[Doubles, " 9"], cells: int) -> Float64[Doubles, "3 3"]:
    """Return the homography (3, 3) in cells of the print that moves the ideal print onto the one in the picture."""
    a, b, c, d, e, f, g, h = change[:8]
    per_print = np.array([[1 + a, b, c], [d, 1 + e, f], [g, h, 1.0]])
    scale = np.diag([cells, cells, 1.0])
    moved: Doubles = scale @ per_print @ np.linalg.inv(scale)
    return moved


def _map_points(homography: Float64[Doubles, "3 3"], points: Float64[Doubles, "n 2"]) -> Float64[Doubles, "n 2"]:
    projected = points @ homography[:, :2].T + homography[:, 2]
    mapped: Doubles = projected[:, :2] / projected[:, 2:]
    return mapped


def _pixels(flat: Float64[Doubles, "n 2"], lens: CameraLens | None) -> Float64[Doubles, "n 2"]:
    return flat if lens is None else pixels_from_normalized(flat, lens)
