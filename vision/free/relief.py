"""Proof of relief: does a painted rim belong to a base, or is it a ring printed flat on something?

An oblique view shows it in two ways. A base has a side between its upper edge and the table, on the near side alone. So
pixels unlike the ground, in any colour, continue there beyond the upper edge by the base's height. A printed ring ends
at its outer edge all round. And a figure on a base occludes the rim behind itself, but not a ring on the table. From
straight above, or with too few pixels, base and print look the same, and there is no proof.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from jaxtyping import Bool, Float, Float32

from calibration.arrays import Flags, Numbers, Singles
from calibration.color import LAB_WEIGHTS
from vision.evidence.bases import RIM_MM
from vision.free.bases import BaseKind, turned
from vision.free.rim_colors import ALIKE, GOES_ON
from vision.free.rims import (
    CREASE,
    FAR,
    INNER,
    LOW,
    RIM_SPREAD_MM,
    BasePose,
    RimFit,
    RimLines,
    RimPicture,
    find_edges,
    rim_lines,
    weigh_edges,
)

WINDOWS_MM = (1.2, 0.9, 0.7, 0.6, 0.6)
"""Search range for an edge beside a line of the top, step by step."""

SIZE_SPREAD_MM = 0.2
"""Spread of a top's size about the box's value."""

FACES = 0.75
"""Facing, relative to the largest, from which a point of the outline faces the camera or away from it."""

ASIDE = 0.5
"""Facing below which a point is to the left or right."""

GROUND_MM, SIDE_GAP_PX = (0.8, 1.6), 0.5
"""Samples of the ground, beyond the end of a base's side."""

BEFORE_PX, BEYOND_PX, SAMPLES = 1.5, 1.0, 40
"""Range, round a base's side, in which its end is searched."""

RING_SHARE = 0.35
"""Distance within which a colour is the ground's, as a share of the ring's distance, if that is enough to differ."""

SIDE_SHARE, SIDE_PX = 0.55, 0.65
"""Least extra length of the near side, as a share of the side and in pixels. None of 26 rings printed on cards, some
round others, on eight simulated tables (seeds 46000 to 46014) and a ray-traced one has it. Their largest were 0.47 and
0.57 pixels. Of 51 tables (seeds 54000 to 54050) one ring on a card had more than a third of its side."""

PROOF = 2.5
"""Least extra length, in standard deviations of the outline's ends from noise."""

SAME_PIXELS = 4
"""Neighbouring outline points that sample the same pixels."""

ENDS = 10.0
"""Least step, in weighted Lab units, at the end of a rim, for four of five visible points that do not face the camera.
A printed disc larger than a base has no step there."""

RIM_DEPTHS_MM = (0.45, 0.75, 1.05)
"""Depths of the search for a rim's colour on the top. The one closest to its usual colour counts."""

STEP_PX = 0.5
"""Step of the search for the rim of a print beside its place."""

OUTSIDE_MM = 1.6
HIDDEN_SHARE = 0.4
"""Least distance of an occluder from the rim's usual colour, as a share of the ground's. It is also unlike the rim."""

BEHIND, HIDDEN_LEAST, HIDDEN_MORE = 0.85, 0.3, 0.25
"""Facing of the rim behind a figure, the least occluded share there, and its least excess over the share before and
beside the middle. Of 304 painted bases surely chosen on those tables and eight other ray-traced ones, 201 showed their
side, and 244 at least one of the two. That was before a print could lie beside its place."""


def is_raised(picture: RimPicture, fit: RimFit) -> bool:
    """Return whether a painted rim is proven to be that of a base. False also if the picture does not show it."""
    kind, pose = _top(picture, fit)
    lines = rim_lines(picture.view, kind, pose)
    if not {CREASE, FAR} <= set(lines.line.tolist()):
        return False
    top = lines.of((lines.line == CREASE) | (lines.line == FAR))
    towards, across = _directions(picture, kind, pose, top)
    if not _ends_in_place(picture, top, towards):
        return False
    low, crease = (lines.of(lines.line == line) for line in (LOW, CREASE))
    side_px = float(((low.pixels - crease.pixels) * crease.normals).sum(axis=1).max())
    is_hidden = _is_hidden_behind(picture, top, side_px, towards)
    return is_hidden or _shows_its_side(picture, top, side_px, towards, across)


def _shows_its_side(
    picture: RimPicture, top: RimLines, side_px: float, towards: Float[Numbers, " n"], across: Float[Numbers, " n"]
) -> bool:
    ends_px = _ends_px(picture, top, side_px)
    faces, is_aside = FACES * float(towards.max()), np.abs(towards) < ASIDE
    if _goes_on_aside(picture, top, side_px, towards > faces, is_aside):
        return False
    parts = (towards > faces, towards < -faces, is_aside & (across > 0), is_aside & (across < 0))
    if not all(part.any() for part in parts):
        return False
    near, far, *beside = (_median(ends_px[part]) for part in parts)
    other = sorted((far, *beside), key=lambda part: part.value)[1]
    least_px = max(SIDE_PX, SIDE_SHARE * side_px)
    # A print fitted beside its place ends further out on one side, and equally less on the other.
    in_place_px = near.value + far.value - sum(part.value for part in beside)
    error_px = math.hypot(near.error, other.error)
    return near.value - other.value > max(least_px, PROOF * error_px) and in_place_px > least_px


class _Median(NamedTuple):
    """A median with its standard deviation."""

    value: float
    error: float


def _median(ends_px: Float[Numbers, " n"]) -> _Median:
    """Return the median of the ends at neighbouring points, and its error by their scatter."""
    value = float(np.median(ends_px))
    spread = 1.4826 * float(np.median(np.abs(ends_px - value)))
    return _Median(value, 1.2533 * spread / math.sqrt(max(1.0, len(ends_px) / SAME_PIXELS)))


def _ends_in_place(picture: RimPicture, top: RimLines, towards: Float[Numbers, " n"]) -> bool:
    """Return whether a visible rim ends where it was fitted, not continued by a base's side."""
    rim, outside = (
        picture.colors(top.pixels + (off_mm * top.px_per_mm)[:, None] * top.normals) * LAB_WEIGHTS
        for off_mm in (-RIM_MM / 2, OUTSIDE_MM)
    )
    is_seen = np.linalg.norm(rim - np.median(rim, axis=0), axis=1) <= ALIKE
    apart = np.linalg.norm(rim - outside, axis=1)[is_seen & (towards < ASIDE)]
    return bool(apart.size and np.percentile(apart, 20) >= ENDS)


def _goes_on_aside(
    picture: RimPicture, top: RimLines, side_px: float, faces: Bool[Flags, " n"], is_aside: Bool[Flags, " n"]
) -> bool:
    """Return whether the supposed side of a base also lies left and right of it, as on a card."""
    beside = picture.colors(top.pixels + side_px / 2 * top.normals) * LAB_WEIGHTS
    usual = np.median(beside[faces], axis=0)
    apart = np.linalg.norm(beside[is_aside] - usual, axis=1)
    return bool(apart.size and np.median(apart) < GOES_ON)


def _is_hidden_behind(picture: RimPicture, top: RimLines, side_px: float, towards: Float[Numbers, " n"]) -> bool:
    """Return whether something on the top occludes the rim behind it, and only there.

    A print lies lower than a top. Its fit sits where it looks most like a top, up to a side's height away. So a rim
    whose colour appears within that distance of its place is displaced, not occluded.
    """
    depths_px = np.array(RIM_DEPTHS_MM) * top.px_per_mm[:, None]
    slack_px = np.linspace(-side_px, side_px, 1 + 2 * math.ceil(side_px / STEP_PX))
    into_px = depths_px[:, :, None] + slack_px
    rim = picture.colors(top.pixels[:, None, None] - into_px[..., None] * top.normals[:, None, None])
    outside = picture.colors(top.pixels + (OUTSIDE_MM * top.px_per_mm)[:, None] * top.normals)
    in_place = rim[:, :, len(slack_px) // 2]
    usual = np.median(in_place[:, 1], axis=0)[None, None]
    contrast = float(_distance(np.median(outside, axis=0)[None, None], usual)[0, 0])
    least = max(ALIKE, HIDDEN_SHARE * contrast)
    is_away = _distance(in_place, usual).min(axis=1) > least
    is_hidden = _distance(rim.reshape(len(rim), -1, 3), usual).min(axis=1) > least
    behind, before = is_hidden[towards < -BEHIND], is_away[towards > -ASIDE]
    if not behind.size:
        return False
    return bool(behind.mean() > max(HIDDEN_LEAST, before.mean() + HIDDEN_MORE))


def _top(picture: RimPicture, fit: RimFit) -> tuple[BaseKind, BasePose]:
    """Return the top of a base by its inner edge and by the outer edge beyond the middle, which no side resembles."""
    kind, pose, wider_mm, larger_mm = fit.kind, fit.pose, 0.0, 0.0
    stiff = np.array([1e-3, 1e-3, 1e9 if kind.is_round else 1e-1, 1 / RIM_SPREAD_MM**2, 1 / SIZE_SPREAD_MM**2])
    for window_mm in WINDOWS_MM:
        lines = rim_lines(picture.view, _grow(kind, larger_mm), pose, wider_mm)
        lines = lines.of((lines.line == FAR) | (lines.line == INNER))
        found = find_edges(picture, lines, window_mm)
        weights = weigh_edges(lines, found, window_mm)[:, None]
        slopes = np.column_stack([lines.slopes, lines.px_per_mm])
        target = (slopes * weights).T @ found.offset_px - stiff * (0.0, 0.0, 0.0, wider_mm, larger_mm)
        step = np.linalg.solve((slopes * weights).T @ slopes + np.diag(stiff), target)
        (dx, dy), (x, y) = np.clip(step[:2], -window_mm, window_mm).tolist(), pose.center_mm
        turn_rad = pose.turn_rad + float(np.clip(step[2], -0.1, 0.1))
        pose = replace(pose, center_mm=(x + dx, y + dy), turn_rad=turn_rad)
        wider_mm = float(np.clip(wider_mm + step[3], -2 * RIM_SPREAD_MM, 2 * RIM_SPREAD_MM))
        larger_mm = float(np.clip(larger_mm + step[4], -2 * SIZE_SPREAD_MM, 2 * SIZE_SPREAD_MM))
    return _grow(kind, larger_mm), pose


def _grow(kind: BaseKind, larger_mm: float) -> BaseKind:
    """Return the kind with a larger radius, or sides further out."""
    length, width = kind.size_mm
    return replace(kind, size_mm=(length + 2 * larger_mm, width + 2 * larger_mm))


def _ends_px(picture: RimPicture, top: RimLines, side_px: float) -> Float[Numbers, " n"]:
    """Return the distance in pixels from the upper edge outwards to the ground."""

    def colors(off_px: Float[Numbers, "*n m"]) -> Float32[Singles, "n m 3"]:
        return picture.colors(top.pixels[:, None] + off_px[..., None] * top.normals[:, None])

    beyond_px = side_px + SIDE_GAP_PX + top.px_per_mm[:, None] * GROUND_MM
    ground = colors(beyond_px).mean(axis=1, keepdims=True)
    ring = colors(-top.px_per_mm[:, None] * RIM_MM / 2)
    off_px = np.linspace(-BEFORE_PX, side_px + BEYOND_PX, SAMPLES)
    apart = _distance(colors(np.broadcast_to(off_px, (len(top.point), SAMPLES))), ground)
    least = max(GOES_ON, RING_SHARE * float(np.median(_distance(ring, ground))))
    is_other = apart >= least
    last = np.where(is_other.any(axis=1), SAMPLES - 1 - is_other[:, ::-1].argmax(axis=1), 0)
    return np.asarray(off_px[last])


def _distance(colors: Float32[Singles, "n m 3"], ground: Float32[Singles, "#n #m 3"]) -> Float32[Singles, "n m"]:
    return np.asarray(np.linalg.norm((colors - ground) * LAB_WEIGHTS, axis=2))


def _directions(
    picture: RimPicture, kind: BaseKind, pose: BasePose, top: RimLines
) -> tuple[Float[Numbers, " n"], Float[Numbers, " n"]]:
    """Return how much each outline point faces the camera, seen from above, and to one side, -1 to 1."""
    way = picture.view.camera_center_mm[:2] - np.array(pose.center_mm)
    way = way / max(float(np.hypot(*way)), 1e-9)
    normals = turned(kind.normals, pose.turn_rad)[top.point]
    return normals @ way, normals @ np.array([-way[1], way[0]])
