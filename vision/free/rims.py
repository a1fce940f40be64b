"""A base fitted to the edges of its rim: where its outline crosses the photo's edges, to a fraction of a pixel.

From the side a base is a low cylinder. Beyond its middle the upper edge of it is its outline in the picture; on the
near side there are two edges, the lower one against the table and the upper one between top and side, and either may
be the stronger, as the light falls. A painted rim has an inner edge besides, all round. Each point of these lines is
looked for at its own height, through the lens: it finds an edge along its normal, and points that find none, or
another one, lose their say (Tukey's weights). What is hidden does not matter as long as an arc is in sight.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, fields, replace

import cv2
import numpy as np
from jaxtyping import Bool, Float, Float32, Int

from calibration.arrays import Flags, Integers, Numbers, Singles
from calibration.pose import CameraView
from vision.evidence.bases import BASE_HEIGHT_MM
from vision.free.bases import RIM_MM, BaseKind, turned

WINDOWS_MM = (2.2, 1.5, 1.0, 0.8, 0.8)
"""How far from a line an edge is looked for, step by step: as far as the search errs, then narrower than the lines are
apart, lest one be taken for the other."""

REACH_MM, GRID_MM, STARTS = 2.4, 0.6, 2
"""A fit is begun in the best places of a grid: lines that are taken for one another hold it fast where it begins."""

SAMPLES = 25
OUTSIDE_MM = 2.2
"""Where the ground beside a base is looked at, and its top within the rim."""

USUAL_EDGE = 6.0
"""An edge of so many Lab units over a pixel counts half of what the strongest does."""

RIM_SPREAD_MM = 0.4
"""How much the width of a painted rim differs from the usual one."""

FLOOR_PX, FLOOR_MM = 0.06, 0.12
"""What a fit of many points is still out by: in the picture (blur, shade along the rim) and on the table (the pose)."""

WIDER = 1.5
"""Fits err by so much more than their points' scatter says. On five simulated tables (seeds 100 to 104, 94 bases) the
95th of a hundred errors was 1.3 times, the 99th 1.5 times as large as for errors that are as said."""

AGAIN_MM = 1.0
STEEP = 80.0
"""A base is fitted again from so far to four sides; a fit with a hundredth more evidence counts twice as much. Of 88
bases on five ray-traced tables (73002 to 73018) 95 in 100 errors were within 2.8 of what is stated without, and within
2.2 with how far these fits lie apart; of 116 on four simulated ones within 3.5 and 2.1."""

FAR, LOW, CREASE, INNER = range(4)
"""The lines of a base: its upper edge beyond the middle, its lower edge, its upper edge on the near side, and where a
painted rim ends on the top."""

SAY = np.array([1.0, 1.0, 0.6, 0.8])
"""How much a point of each line counts."""


@dataclass(frozen=True)
class BasePose:
    """A base on the table: its middle, its turn (x towards y), and how high its underside is."""

    center_mm: tuple[float, float]
    turn_rad: float = 0.0
    elevation_mm: float = 0.0


@dataclass(frozen=True, eq=False)
class RimFit:
    """A base as the photo shows it.

    Args:
        kind: the base.
        pose: where it stands.
        evidence: how much of its lines the photo shows, by how strong they are, 0 to 1.
        edge_share: the share of its outline that lies on an edge of the photo.
        error_mm: the standard deviation of its middle along the worse direction.
        turn_error_rad: the same of its turn; 0 for a round one.
        image_px: where the middle of its outline is in the photo.
        image_reach_px: how far the outline reaches from there where it is nearest.
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
    """A photo as rims are fitted in it.

    Args:
        lab: the photo in Lab, (H, W, 3).
        view: where the camera was.
    """

    lab: Float32[Singles, "height width 3"]
    view: CameraView

    def colors(self, pixels: Float[Numbers, "*shape 2"]) -> Float32[Singles, "*shape 3"]:
        """The colours (..., 3) at pixels (..., 2)."""
        flat = np.ascontiguousarray(pixels.reshape(-1, 1, 2), dtype=np.float32)
        read = cv2.remap(self.lab, flat[..., 0], flat[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(read, dtype=np.float32).reshape(*pixels.shape[:-1], 3)


@dataclass(frozen=True, eq=False)
class RimLines:
    """The lines of a base in the picture: points, normals away from the base, and how these move with the unknowns.

    ``point`` tells which of the outline's points each is, ``side`` which quarter of them.
    The unknowns are x, y, the turn of a rectangle, and by how much a painted rim is wider than usual; ``right`` and
    ``down`` are where the points go, in pixels, with a millimetre along x and y.
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
        """Some of the points."""
        return RimLines(*(getattr(self, part.name)[chosen] for part in fields(self)))


@dataclass(frozen=True, eq=False)
class FoundEdges:
    """What each point of the lines found: how far off along its normal (pixels), and how strong."""

    offset_px: Float[Numbers, " n"]
    strength: Float[Numbers, " n"]


def fit_rim(picture: RimPicture, kind: BaseKind, start: BasePose) -> RimFit:
    """The base as it fits the photo's edges best, from near by."""
    fits = [_fitted(picture, kind, pose) for pose in _starts(picture, kind, start)]
    return max(fits, key=lambda fit: fit.evidence)


def fit_again(picture: RimPicture, fit: RimFit) -> RimFit:
    """A base that was fitted, from beside its place as well, and known as exactly as these fits agree.

    A fit is held fast by the edge of a shadow or of a body that runs as the outline does, whatever its own points say.
    """
    x, y = fit.pose.center_mm
    around = ((AGAIN_MM, 0.0), (-AGAIN_MM, 0.0), (0.0, AGAIN_MM), (0.0, -AGAIN_MM))
    beside = [_fitted(picture, fit.kind, replace(fit.pose, center_mm=(x + dx, y + dy))) for dx, dy in around]
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
    """What the lines of a base near by come to without a fit, 0 to 1."""
    return float(_grid_scores(picture, kind, pose)[1].max())


def _starts(picture: RimPicture, kind: BaseKind, pose: BasePose) -> list[BasePose]:
    """The best places near by, as far apart as fits find their way, by the slopes on all lines."""
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
    """Places near by, millimetres off (N, 2), and how much of the base's lines is seen there (N,)."""
    lines = rim_lines(picture.view, kind, pose)
    few = slice(None, None, 2)
    steps = np.arange(-REACH_MM, REACH_MM + 1e-9, GRID_MM)
    shifts = np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2)
    pixels = lines.pixels[few] + (shifts[:, :1, None] * lines.right[few] + shifts[:, 1:, None] * lines.down[few])
    step = lines.normals[few] * np.maximum(0.45 * lines.px_per_mm[few], 0.7)[:, None]
    slopes = (picture.colors(pixels + step) - picture.colors(pixels - step)) / 2
    slopes /= np.linalg.norm(step, axis=1)[:, None]
    strength = np.linalg.norm(slopes, axis=2)
    says = SAY[lines.line[few]] * (strength / (strength + USUAL_EDGE)) ** 2
    return shifts, np.asarray(says.mean(axis=1))


def _fitted(picture: RimPicture, kind: BaseKind, pose: BasePose) -> RimFit:
    wider_mm = 0.0
    for window_mm in WINDOWS_MM:
        lines = rim_lines(picture.view, kind, pose, wider_mm)
        found = find_edges(picture, lines, window_mm)
        pose, wider_mm = _moved(kind, pose, wider_mm, lines, found, window_mm)
    lines = rim_lines(picture.view, kind, pose, wider_mm)
    return _judged(kind, pose, lines, find_edges(picture, lines, WINDOWS_MM[-1]))


def rim_lines(view: CameraView, kind: BaseKind, pose: BasePose, wider_mm: float = 0.0) -> RimLines:
    """The lines of a base in the picture."""
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
    # All at once: a call costs more than its points.
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
    return RimLines(
        line,
        which,
        which * 4 // len(points),
        pixels,
        across,
        np.column_stack([slopes, turn, widening]),
        px_per_mm,
        right,
        down,
    )


def find_edges(picture: RimPicture, lines: RimLines, window_mm: float) -> FoundEdges:
    """The strongest edge near each point; a painted rim is left at its outer and inner edge, never entered."""
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
    """The way from the rim's colour to the one outside of it, or of the top within, along the outward normal."""
    inside = lines.line == INNER
    middle = np.where(inside, RIM_MM / 2, -RIM_MM / 2)
    beyond = np.where(inside, -OUTSIDE_MM, OUTSIDE_MM)
    rim, other = (
        picture.colors(lines.pixels + (off * lines.px_per_mm)[:, None] * lines.normals) for off in (middle, beyond)
    )
    way = other - np.median(rim, axis=0)
    way *= np.where(inside, -1.0, 1.0)[:, None]
    return np.asarray(way / np.maximum(np.linalg.norm(way, axis=1, keepdims=True), 1e-6))


def says_of(lines: RimLines, found: FoundEdges, width_mm: float) -> Float[Numbers, " n"]:
    """How much each point counts: strong edges near where they should be."""
    strong = found.strength / (found.strength + USUAL_EDGE)
    off = found.offset_px / (width_mm * lines.px_per_mm)
    return np.asarray(SAY[lines.line] * strong**2 * np.maximum(1 - off**2, 0) ** 2)


def _moved(
    kind: BaseKind, pose: BasePose, wider_mm: float, lines: RimLines, found: FoundEdges, window_mm: float
) -> tuple[BasePose, float]:
    says = says_of(lines, found, 1.25 * window_mm)
    normal = (lines.slopes * says[:, None]).T @ lines.slopes
    target = (lines.slopes * says[:, None]).T @ found.offset_px
    # What no edge tells stays as it is; a rim's width stays near the usual one.
    normal += np.diag([1e-3, 1e-3, 1e9 if kind.is_round else 1e-1, 1.0 / RIM_SPREAD_MM**2])
    target[3] -= wider_mm / RIM_SPREAD_MM**2
    step = np.linalg.solve(normal, target)
    dx, dy = np.clip(step[:2], -window_mm, window_mm).tolist()
    x, y = pose.center_mm
    turn = pose.turn_rad + float(np.clip(step[2], -0.1, 0.1))
    wider_mm = float(np.clip(wider_mm + step[3], -2 * RIM_SPREAD_MM, 2 * RIM_SPREAD_MM))
    return replace(pose, center_mm=(x + dx, y + dy), turn_rad=turn), wider_mm


def _judged(kind: BaseKind, pose: BasePose, lines: RimLines, found: FoundEdges) -> RimFit:
    says = says_of(lines, found, 1.0)
    near_px = np.maximum(0.4 * lines.px_per_mm, 0.5)
    on_edge = (np.abs(found.offset_px) < near_px) & (found.strength > USUAL_EDGE / 2)
    is_outline = (lines.line == FAR) | (lines.line == LOW)
    unknowns = [0, 1] if kind.is_round else [0, 1, 2]
    slopes = lines.slopes[:, unknowns] * np.sqrt(says)[:, None]
    spread_px = max(float(np.sqrt((says * found.offset_px**2).sum() / max(says.sum(), 1e-6))), 0.15)
    # Neighbouring points look at the same pixels: four of them count as one.
    covariance = np.linalg.inv(slopes.T @ slopes + np.eye(len(unknowns)) * 1e-4) * 4 * spread_px**2
    error_mm = float(np.sqrt(np.linalg.eigvalsh(covariance[:2, :2])[-1]))
    floor_mm = float(np.hypot(FLOOR_MM, FLOOR_PX / lines.px_per_mm.mean()))
    middle = lines.pixels[is_outline].mean(axis=0)
    return RimFit(
        kind=kind,
        pose=pose,
        evidence=_evidence(kind, lines, says),
        edge_share=float(on_edge[is_outline].mean()),
        error_mm=WIDER * float(np.hypot(error_mm, floor_mm)),
        turn_error_rad=0.0 if kind.is_round else float(np.sqrt(covariance[2, 2])),
        image_px=(float(middle[0]), float(middle[1])),
        image_reach_px=float(np.linalg.norm(lines.pixels[is_outline] - middle, axis=1).min()),
    )


def _evidence(kind: BaseKind, lines: RimLines, says: Float[Numbers, " n"]) -> float:
    """How much of the lines is seen; of a rectangle that of its worst side counts half: a plank's edge is no base."""
    whole = float(says.sum() / SAY[lines.line].sum())
    if kind.is_round:
        return whole
    sides = [lines.side == side for side in range(4)]
    return 0.5 * (whole + min(float(says[side].sum() / SAY[lines.line[side]].sum()) for side in sides))
