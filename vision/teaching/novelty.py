"""Novelty: things that a picture of the table shows in only one place.

A tablecloth repeats itself: its checks, stripes and spots are as round, as straight and as coloured as a base, but
there are many of them. The one thing between the markers occurs once. So the colours round each place, whatever their
direction, describe it, and all places further away are compared with it. A place with few similar ones is new
(non-local self-similarity: Shechtman and Irani 2007).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
from jaxtyping import Bool, Float, Int

from calibration.arrays import Flags, Mask, Numbers
from vision.teaching.base_outlines import BaseOutline
from vision.teaching.things import PX_PER_MM, GroundView, lab_of

_SHRINK = 2
"""Reduction of the described picture, to 1 pixel per millimetre."""

_RADII_MM = (3, 6, 10)
"""Discs whose colours describe a place, up to half a space's side."""

_STEP_PX = 8
"""Spacing of described places, 4 mm."""

_APART_MM = 50.0
"""Least distance of compared places, since nearer ones belong to the same thing. The largest bases exceed it, but their
middle differs from their rim."""

_ALIKE = 6
"""Number of similar places from which one belongs to the table. A glass or a hand may lie there besides."""

_KNOWN_SHARE = 0.9
_AT_ONCE = 500

_COMPARED = 2000
"""Limit of places, evenly chosen, with which each place is compared."""

_NEW = 0.5

_AS_TABLE = 0.35
"""Mean novelty of an outline that contains as much of a pattern's rarer parts as of a thing."""

LEAST = 0.02
"""Floor of novelty, since the only base may have the table's colours."""

_LEAST_UNLIKE = 8.0
"""Difference (CIELAB over the whole description) caused by noise and gloss on a plain table."""

_OF_TABLE = 95
"""Percentile, over all places but the figure's, of the table's largest difference."""

_SPOTS = np.array([(x, y) for x in np.linspace(-0.9, 0.9, 7) for y in np.linspace(-0.9, 0.9, 7)])
"""Sampled places in an outline, in halves of its sides."""


@dataclass(frozen=True, eq=False)
class Novelty:
    """Dissimilarity of each place of the ground to any other, 0 to 1. From .5 it is more likely a thing."""

    share: Float[Numbers, "height width"]

    def of(self, outline: BaseOutline) -> float:
        """Return the excess of an outline's inside over anything on the table, .02 to 1."""
        height, width = self.share.shape
        columns, rows = np.rint(outline.points_px(_SPOTS)).astype(int).T
        there = (columns >= 0) & (columns < width) & (rows >= 0) & (rows < height)
        mean = float(self.share[rows[there], columns[there]].sum()) / len(there)
        return max(LEAST, (mean - _AS_TABLE) / (1 - _AS_TABLE))

    def holds(self, places_px: Float[Numbers, "n 2"]) -> Bool[Flags, " n"]:
        """Return the places that are more likely a thing."""
        height, width = self.share.shape
        columns, rows = np.rint(places_px).astype(int).T
        there = (columns >= 0) & (columns < width) & (rows >= 0) & (rows < height)
        share = self.share[np.clip(rows, 0, height - 1), np.clip(columns, 0, width - 1)]
        return np.asarray(there & (share >= _NEW))

    def near(self, margin_mm: float) -> Mask:
        """Return the pixels within a margin of anything new."""
        reach = 2 * round(margin_mm * PX_PER_MM) + 1
        return np.asarray(cv2.dilate((self.share >= _NEW).astype(np.uint8), np.ones((reach, reach), np.uint8)) > 0)

    def cut(self, left: int, top: int, size_wh: tuple[int, int]) -> Novelty:
        """Return a part that begins at that pixel."""
        return Novelty(self.share[top : top + size_wh[1], left : left + size_wh[0]])


def novelty_on(ground: GroundView, middle_px: Float[Numbers, " 2"], reach_px: float) -> Novelty:
    """Return the novelty of the ground, reduced with the distance from the requested place of the figure.

    ``middle_px`` is that place, ``reach_px`` the distance at which a thing is .6 as likely.
    """
    described, places_px = _describe(ground)
    width, height = ground.frame.size_wh
    share = np.zeros((-(-height // _STEP_PX), -(-width // _STEP_PX)), np.float32)
    if len(places_px):
        far = np.linalg.norm(places_px - middle_px, axis=1) / reach_px
        likely = np.exp(-(far**2) / 2)
        new = _rate(_unlike(described, places_px / PX_PER_MM), likely, places_px / PX_PER_MM) * likely
        share[places_px[:, 1] // _STEP_PX, places_px[:, 0] // _STEP_PX] = new
    whole = cv2.resize(share, None, fx=_STEP_PX, fy=_STEP_PX, interpolation=cv2.INTER_LINEAR)
    return Novelty(np.asarray(whole[:height, :width]))


def _describe(ground: GroundView) -> tuple[Float[Numbers, "n features"], Int[Numbers, "n 2"]]:
    """Return the colours' mean and spread in discs round each known place, and its pixel in the ground's frame."""
    size_wh = tuple(side // _SHRINK for side in ground.frame.size_wh)
    lab = cv2.resize(lab_of(ground.image).astype(np.float32), size_wh, interpolation=cv2.INTER_AREA)
    known = cv2.resize(ground.is_known.astype(np.float32), size_wh, interpolation=cv2.INTER_AREA)
    step = _STEP_PX // _SHRINK
    at = np.s_[step // 2 :: step, step // 2 :: step]
    features = []
    share = known[at]
    for radius_mm in _RADII_MM:
        side = 2 * round(radius_mm * PX_PER_MM / _SHRINK) + 1
        disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side)).astype(np.float32)
        disc /= disc.sum()
        share = cv2.filter2D(known, -1, disc, borderType=cv2.BORDER_CONSTANT)[at]
        mean, square = (
            cv2.filter2D(one * known[..., None], -1, disc, borderType=cv2.BORDER_CONSTANT)[at]
            / np.maximum(share, 1e-3)[..., None]
            for one in (lab, lab**2)
        )
        features += [mean, np.sqrt(np.maximum(square - mean**2, 0))]
    rows, columns = np.nonzero(share > _KNOWN_SHARE)
    places = np.column_stack([columns, rows]) * _STEP_PX + _STEP_PX // 2
    return np.concatenate(features, axis=2)[rows, columns], places


def _unlike(described: Float[Numbers, "n features"], places_mm: Float[Numbers, "n 2"]) -> Float[Numbers, " n"]:
    """Return the difference from the few most similar distant places, infinite with hardly any."""
    every = math.ceil(len(described) / _COMPARED)
    others, others_mm = described[::every], places_mm[::every]
    alike = max(1, round(_ALIKE / every))
    off2 = np.full(len(described), np.inf)
    if len(others) > alike:
        for start in range(0, len(described), _AT_ONCE):
            some = described[start : start + _AT_ONCE]
            distance2 = (some**2).sum(axis=1)[:, None] + (others**2).sum(axis=1) - 2 * some @ others.T
            apart2 = ((places_mm[start : start + _AT_ONCE, None] - others_mm) ** 2).sum(axis=2)
            distance2[apart2 < _APART_MM**2] = np.inf
            off2[start : start + _AT_ONCE] = np.partition(distance2, alike, axis=1)[:, alike]
    return np.asarray(np.sqrt(np.maximum(off2, 0.0)))


def _rate(
    unlike: Float[Numbers, " n"], likely: Float[Numbers, " n"], places_mm: Float[Numbers, "n 2"]
) -> Float[Numbers, " n"]:
    """Return the novelty, 0 to 1, for differences from all other places. It is 1 without a comparison.

    The surroundings of the newest place do not count as table.
    """
    best_mm = places_mm[int(np.argmax(np.minimum(unlike, 1e6) * likely))]
    table = unlike[np.isfinite(unlike) & (np.linalg.norm(places_mm - best_mm, axis=1) > _APART_MM)]
    as_table = max(float(np.percentile(table, _OF_TABLE)) if len(table) else 0.0, _LEAST_UNLIKE)
    return np.asarray(1 / (1 + (as_table / np.maximum(unlike, 1e-6)) ** 2))
