"""Fit a base to the edges of its rim, to a fraction of a pixel.

From the side a base is a low cylinder. Its lines in the picture are:

- ``FAR``: beyond its middle, the upper edge against the background.
- ``LOW`` and ``CREASE``: on the near side, the lower edge against the table and the upper one between top and side. The
  light decides which is stronger.
- ``INNER``: all round, the inner edge of a painted rim.

Each point of these lines is projected at its own height, through the lens. It searches for an edge along its normal.
Points without an edge, or with a wrong one, lose their weight (Tukey's biweight). Hidden points do not matter as long
as an arc is in sight. The fit is a Gauss-Newton iteration with narrowing windows (``_fit``).

The trap is a lock on the wrong line, because the near lines are closer together than the search error. So a fit begins
at the best places of a grid (``_starts``), and the last windows are narrower than the gap between lines.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, fields, replace

import cv2
import numpy as np
from jaxtyping import Bool, Float, Float32, Int

from calibration.arrays import Flags, Integers, Numbers, Singles
from calibration.pose import CameraView
from vision.evidence.bases import BASE_HEIGHT_MM, RIM_MM
from vision.free.bases import BaseKind, turned

WINDOWS_MM = (2.2, 1.5, 1.0, 0.8, 0.8)
"""Search range for an edge beside a line, step by step. It begins with the error of the search, and ends below the gap
between lines so that none is confused with another."""

REACH_MM, GRID_MM, STARTS = 2.4, 0.6, 2
"""Grid of starts, and their number. A fit locked on wrong lines stays where it began."""

SAMPLES = 25
OUTSIDE_MM = 2.2
"""Distance of the samples of the ground beside a base, and of its top within the rim."""

EDGE_WIDTH_MM, EDGE_WIDTH_PX = 0.45, 0.7
"""Half width of an edge. The larger value counts."""

USUAL_EDGE = 6.0
"""Edge strength, in Lab units over a pixel, with half the weight of the strongest."""

RIM_SPREAD_MM = 0.4
"""Spread of the width of painted rims."""

FLOOR_PX, FLOOR_MM = 0.06, 0.12
"""Error floor of a fit of many points: in the picture (blur, shade along the rim) and on the table (the pose)."""

WIDER = 1.5
"""Factor from a fit's scatter of points to its error. On five simulated tables (seeds 100 to 104, 94 bases) the 95th of
a hundred errors was 1.3 times the error by the scatter, the 99th 1.5 times."""

AGAIN_MM = 1.0
STEEP = 80.0
"""Offset of a repeated fit to four sides, and the steepness of its weight: a hundredth more evidence counts about twice
as much. On five ray-traced tables (73002 to 73018, 88 bases) 95 in 100 errors were within 2.8 times the stated error
without the scatter of these fits, and within 2.2 times with it. On four simulated tables (116 bases) the factors were
3.5 and 2.1."""

FAR, LOW, CREASE, INNER = range(4)

LINE_WEIGHTS = np.array([1.0, 1.0, 0.6, 0.8])
"""Weight of a point of each line."""


@dataclass(frozen=True)
class BasePose:
    """A base on the table: its middle, its turn (x towards y), and the height of its underside."""

    center_mm: tuple[float, float]
    turn_rad: float = 0.0
    elevation_mm: float = 0.0


@dataclass(frozen=True, eq=False)
class RimFit:
    """A base fitted to the photo.

    Args:
        kind: the base.
        pose: its pose.
        evidence: visible share of its lines, weighted by strength, 0 to 1.
        edge_share: share of its outline on edges of the photo.
        error_mm: the standard deviation of its middle along the worse direction.
        turn_error_rad: the standard deviation of its turn, 0 for a round base.
        image_px: the middle of its outline in the photo.
        image_reach_px: the shortest distance from there to the outline.
    """

    kind: BaseKind
    pose: BasePose
    evidence: float
    edge_share: float
    error_mm: float
    turn_error_rad: float
    image_px: tuple[float, float]
    image_reach_px: float


@dataclass(frozen=True, eq=False)
class RimPicture:
    """A photo in Lab, and its view."""

    lab: Float32[Singles, "height width 3"]
    view: CameraView

    def colors(self, pixels: Float[Numbers, "*shape 2"]) -> Float32[Singles, "*shape 3"]:
        """Return the colours at pixels."""
        flat = np.ascontiguousarray(pixels.reshape(-1, 1, 2), dtype=np.float32)
        read = cv2.remap(self.lab, flat[..., 0], flat[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(read, dtype=np.float32).reshape(*pixels.shape[:-1], 3)


@dataclass(frozen=True, eq=False)
class RimLines:
    """The lines of a base in the picture: points, normals away from the base, and their derivatives.

    ``point`` is the index of the outline's point, ``side`` the quarter of them. ``slopes`` are pixels along the normal
    per unit of x, y, the turn of a rectangle, and the extra width of a painted rim. ``right`` and ``down`` are the
    pixels per millimetre along x and y.
    """

    line: Int[Integers, " n"]
    point: Int[Integers, " n"]
    side: Int[Integers, " n"]
    pixels: Float[Numbers, "n 2"]
    normals: Float[Numbers, "n 2"]
    slopes: Float[Numbers, "n k"]
    px_per_mm: Float[Numbers, " n"]
    right: Float[Numbers, "n 2"]
    down: Float[Numbers, "n 2"]

    def of(self, chosen: Bool[Flags, " n"]) -> RimLines:
        return RimLines(*(getattr(self, part.name)[chosen] for part in fields(self)))


@dataclass(frozen=True, eq=False)
class FoundEdges:
    """The edge found from each line point: its offset along the normal (pixels), and its strength."""

    offset_px: Float[Numbers, " n"]
    strength: Float[Numbers, " n"]


def fit_rim(picture: RimPicture, kind: BaseKind, start: BasePose) -> RimFit:
    """Fit a base to the photo's edges near a start."""
    fits = [_fit(picture, kind, pose) for pose in _starts(picture, kind, start)]
    return max(fits, key=lambda fit: fit.evidence)


def fit_again(picture: RimPicture, fit: RimFit) -> RimFit:
    """Repeat the fit from offset starts. Its error then includes the scatter of these fits.

    The edge of a shadow or body along the outline can hold a fit despite a small scatter of its points.
    """
    x, y = fit.pose.center_mm
    around = ((AGAIN_MM, 0.0), (-AGAIN_MM, 0.0), (0.0, AGAIN_MM), (0.0, -AGAIN_MM))
    beside = [_fit(picture, fit.kind, replace(fit.pose, center_mm=(x + dx, y + dy))) for dx, dy in around]
    fits = [fit, fit_rim(picture, fit.kind, fit.pose), *beside]
    best = max(fits, key=lambda one: one.evidence)
    weights = np.exp([STEEP * (one.evidence - best.evidence) for one in fits])
    poses = np.array([(*one.pose.center_mm, one.pose.turn_rad) for one in fits])
    mean = weights @ poses / weights.sum()
    variance = weights @ (poses - mean) ** 2 / weights.sum()
    return replace(
        best,
        pose=replace(best.pose, center_mm=(float(mean[0]), float(mean[1])), turn_rad=float(mean[2])),
        error_mm=math.hypot(best.error_mm, math.sqrt(variance[0] + variance[1])),
        turn_error_rad=math.hypot(best.turn_error_rad, math.sqrt(variance[2])),
    )


def quick_score(picture: RimPicture, kind: BaseKind, pose: BasePose) -> float:
    """Return the visible share of a base's lines at the best place nearby, without a fit, 0 to 1."""
    return float(_grid_scores(picture, kind, pose)[1].max())


def _starts(picture: RimPicture, kind: BaseKind, pose: BasePose) -> list[BasePose]:
    """Return the best places nearby, further apart than fits move, by the gradients on all lines."""
    shifts, scores = _grid_scores(picture, kind, pose)
    chosen: list[int] = []
    for index in np.argsort(-scores).tolist():
        if all(np.hypot(*(shifts[index] - shifts[other])) > 1.5 * GRID_MM for other in chosen):
            chosen.append(index)
        if len(chosen) == STARTS:
            break
    places = (np.array(pose.center_mm) + shifts[chosen]).tolist()
    return [replace(pose, center_mm=(x, y)) for x, y in places]


def _grid_scores(
    picture: RimPicture, kind: BaseKind, pose: BasePose
) -> tuple[Float[Numbers, "n 2"], Float[Numbers, " n"]]:
    """Return offsets of places nearby in millimetres, and the visible share of the base's lines there."""
    lines = rim_lines(picture.view, kind, pose)
    few = slice(None, None, 2)
    steps = np.arange(-REACH_MM, REACH_MM + 1e-9, GRID_MM)
    shifts = np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2)
    pixels = lines.pixels[few] + (shifts[:, :1, None] * lines.right[few] + shifts[:, 1:, None] * lines.down[few])
    step = lines.normals[few] * np.maximum(EDGE_WIDTH_MM * lines.px_per_mm[few], EDGE_WIDTH_PX)[:, None]
    slopes = (picture.colors(pixels + step) - picture.colors(pixels - step)) / 2
    slopes /= np.linalg.norm(step, axis=1)[:, None]
    strength = np.linalg.norm(slopes, axis=2)
    weights = LINE_WEIGHTS[lines.line[few]] * (strength / (strength + USUAL_EDGE)) ** 2
    return shifts, np.asarray(weights.mean(axis=1))


def _fit(picture: RimPicture, kind: BaseKind, pose: BasePose) -> RimFit:
    wider_mm = 0.0
    for window_mm in WINDOWS_MM:
        lines = rim_lines(picture.view, kind, pose, wider_mm)
        found = find_edges(picture, lines, window_mm)
        pose, wider_mm = _step(kind, pose, wider_mm, lines, found, window_mm)
    lines = rim_lines(picture.view, kind, pose, wider_mm)
    return _rate(kind, pose, lines, find_edges(picture, lines, WINDOWS_MM[-1]))


def rim_lines(view: CameraView, kind: BaseKind, pose: BasePose, wider_mm: float = 0.0) -> RimLines:
    """Return the lines of a base in the picture."""
    points, normals = turned(kind.outline_mm, pose.turn_rad), turned(kind.normals, pose.turn_rad)
    is_near = (normals * (view.camera_center_mm[:2] - points - pose.center_mm)).sum(axis=1) > 0
    rim_mm = RIM_MM + wider_mm
    inner = turned(kind.inset_mm(rim_mm), pose.turn_rad)
    all_points, far, near = np.arange(len(points)), np.flatnonzero(~is_near), np.flatnonzero(is_near)
    parts = [(FAR, points, far, BASE_HEIGHT_MM), (LOW, points, near, 0.0), (CREASE, points, near, BASE_HEIGHT_MM)]
    if kind.ring is not None:
        parts.append((INNER, inner, all_points, BASE_HEIGHT_MM))
    line = np.concatenate([np.full(len(chosen), name) for name, _, chosen, _ in parts])
    which = np.concatenate([chosen for _, _, chosen, _ in parts])
    offsets = np.concatenate([places[chosen] for _, places, chosen, _ in parts])
    outward = normals[which]
    heights = pose.elevation_mm + np.concatenate([np.full(len(part[2]), part[3]) for part in parts])
    places = offsets + pose.center_mm
    # Project all in one call, with derivatives by finite differences: a call costs more than its points.
    moved = (places + np.array([(0.0, 0.0), (1.0, 0.0), (0.0, 1.0)])[:, None]).reshape(-1, 2)
    pixels, right, down = np.split(view.image_from_table(moved, np.tile(heights, 3)), 3)
    right, down = right - pixels, down - pixels
    tangents = right * -outward[:, 1:] + down * outward[:, :1]
    across = np.column_stack([tangents[:, 1], -tangents[:, 0]])
    across /= np.maximum(np.linalg.norm(across, axis=1, keepdims=True), 1e-9)
    slopes = np.column_stack([(across * right).sum(axis=1), (across * down).sum(axis=1)])
    px_per_mm = (slopes * outward).sum(axis=1)
    turning = np.column_stack([-offsets[:, 1], offsets[:, 0]])
    turn = np.zeros(len(line)) if kind.is_round else (slopes * turning).sum(axis=1)
    widening = np.where(line == INNER, -px_per_mm, 0.0)
    turns = np.column_stack([slopes, turn, widening])
    return RimLines(line, which, which * 4 // len(points), pixels, across, turns, px_per_mm, right, down)


def find_edges(picture: RimPicture, lines: RimLines, window_mm: float) -> FoundEdges:
    """Find the strongest edge near each point.

    At a painted rim's outer and inner edge, the colour must step the right way.
    """
    reach_px = window_mm * lines.px_per_mm
    shares = np.linspace(-1.25, 1.25, SAMPLES)
    offsets = shares[None, :] * reach_px[:, None]
    profile = picture.colors(lines.pixels[:, None] + offsets[..., None] * lines.normals[:, None])
    step_px = offsets[:, 2] - offsets[:, 0]
    slopes = (profile[:, 2:] - profile[:, :-2]) / step_px[:, None, None]
    strength = np.linalg.norm(slopes, axis=2)
    if (lines.line == INNER).any():
        signed = (lines.line == INNER) | (lines.line == FAR)
        strength[signed] = np.maximum((slopes[signed] * _ways(picture, lines)[signed, None]).sum(axis=2), 0)
    inner = shares[1:-1]
    weighted = strength * np.exp(-0.5 * (inner / 0.6) ** 2)
    best = np.clip(weighted.argmax(axis=1), 1, len(inner) - 2)
    rows = np.arange(len(best))
    low, top, high = (strength[rows, best + k] for k in (-1, 0, 1))
    bend = np.minimum(low - 2 * top + high, -1e-6)
    shift = np.clip(0.5 * (low - high) / bend, -1, 1)
    offset = (inner[best] + shift * (shares[1] - shares[0])) * reach_px
    return FoundEdges(offset, top)


def _ways(picture: RimPicture, lines: RimLines) -> Float[Numbers, "n 3"]:
    """Return the Lab step outwards from the rim's colour, per point: at its outer edge, or inwards to the top."""
    inside = lines.line == INNER
    middle = np.where(inside, RIM_MM / 2, -RIM_MM / 2)
    beyond = np.where(inside, -OUTSIDE_MM, OUTSIDE_MM)
    rim, other = (
        picture.colors(lines.pixels + (off * lines.px_per_mm)[:, None] * lines.normals) for off in (middle, beyond)
    )
    way = other - np.median(rim, axis=0)
    way *= np.where(inside, -1.0, 1.0)[:, None]
    return np.asarray(way / np.maximum(np.linalg.norm(way, axis=1, keepdims=True), 1e-6))


def weigh_edges(lines: RimLines, found: FoundEdges, width_mm: float) -> Float[Numbers, " n"]:
    """Return the weight of each point. Strong edges near their line count most (Tukey's biweight)."""
    strong = found.strength / (found.strength + USUAL_EDGE)
    off = found.offset_px / (width_mm * lines.px_per_mm)
    return np.asarray(LINE_WEIGHTS[lines.line] * strong**2 * np.maximum(1 - off**2, 0) ** 2)


def _step(
    kind: BaseKind, pose: BasePose, wider_mm: float, lines: RimLines, found: FoundEdges, window_mm: float
) -> tuple[BasePose, float]:
    weights = weigh_edges(lines, found, 1.25 * window_mm)
    normal = (lines.slopes * weights[:, None]).T @ lines.slopes
    target = (lines.slopes * weights[:, None]).T @ found.offset_px
    # Unknowns without an edge stay fixed. A rim's width stays near the usual one.
    normal += np.diag([1e-3, 1e-3, 1e9 if kind.is_round else 1e-1, 1.0 / RIM_SPREAD_MM**2])
    target[3] -= wider_mm / RIM_SPREAD_MM**2
    step = np.linalg.solve(normal, target)
    dx, dy = np.clip(step[:2], -window_mm, window_mm).tolist()
    x, y = pose.center_mm
    turn = pose.turn_rad + float(np.clip(step[2], -0.1, 0.1))
    wider_mm = float(np.clip(wider_mm + step[3], -2 * RIM_SPREAD_MM, 2 * RIM_SPREAD_MM))
    return replace(pose, center_mm=(x + dx, y + dy), turn_rad=turn), wider_mm


def _rate(kind: BaseKind, pose: BasePose, lines: RimLines, found: FoundEdges) -> RimFit:
    weights = weigh_edges(lines, found, 1.0)
    near_px = np.maximum(0.4 * lines.px_per_mm, 0.5)
    on_edge = (np.abs(found.offset_px) < near_px) & (found.strength > USUAL_EDGE / 2)
    is_outline = (lines.line == FAR) | (lines.line == LOW)
    unknowns = [0, 1] if kind.is_round else [0, 1, 2]
    slopes = lines.slopes[:, unknowns] * np.sqrt(weights)[:, None]
    spread_px = max(float(np.sqrt((weights * found.offset_px**2).sum() / max(weights.sum(), 1e-6))), 0.15)
    # Neighbouring points sample the same pixels: four of them count as one.
    covariance = np.linalg.inv(slopes.T @ slopes + np.eye(len(unknowns)) * 1e-4) * 4 * spread_px**2
    error_mm = float(np.sqrt(np.linalg.eigvalsh(covariance[:2, :2])[-1]))
    floor_mm = float(np.hypot(FLOOR_MM, FLOOR_PX / lines.px_per_mm.mean()))
    middle = lines.pixels[is_outline].mean(axis=0)
    return RimFit(
        kind=kind,
        pose=pose,
        evidence=_evidence(kind, lines, weights),
        edge_share=float(on_edge[is_outline].mean()),
        error_mm=WIDER * float(np.hypot(error_mm, floor_mm)),
        turn_error_rad=0.0 if kind.is_round else float(np.sqrt(covariance[2, 2])),
        image_px=(float(middle[0]), float(middle[1])),
        image_reach_px=float(np.linalg.norm(lines.pixels[is_outline] - middle, axis=1).min()),
    )


def _evidence(kind: BaseKind, lines: RimLines, weights: Float[Numbers, " n"]) -> float:
    """Return the visible share of the lines.

    For a rectangle half of it is its worst side: a plank's edge is no base.
    """
    whole = float(weights.sum() / LINE_WEIGHTS[lines.line].sum())
    if kind.is_round:
        return whole
    sides = [lines.side == side for side in range(4)]
    return 0.5 * (whole + min(float(weights[side].sum() / LINE_WEIGHTS[lines.line[side]].sum()) for side in sides))
