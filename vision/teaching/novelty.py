"""Where a picture of the table shows what it shows nowhere else.

A tablecloth repeats itself: its checks, stripes and spots are as round, as straight and as coloured as a base, but
there are many of them. The one thing that was put between the markers is there once. So each place is described by the
colours round about it, whichever way they are turned, and compared with all places further away; what only few are
like is new (non-local self-similarity; Shechtman and Irani 2007).
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from jaxtyping import Float

from calibration.arrays import Mask, Numbers
from vision.teaching.base_outlines import BaseOutline
from vision.teaching.things import PX_PER_MM, GroundView, lab_of

_SHRINK = 2
"""Places are described at 1 pixel a millimetre."""

_RADII_MM = (3, 6, 10)
"""Discs whose colours describe a place, up to half a space's side."""

_STEP_MM = 4.0
_APART_MM = 50.0
"""Places nearer than that are the same thing, the largest bases left out: their middle differs from their rim."""

_ALIKE = 6
"""A place that more than so many others are like is the table's; a glass or a hand may lie there besides."""

_KNOWN_SHARE = 0.9
_AT_ONCE = 500

_NEW = 0.5

_AS_TABLE = 0.35
"""Novelty of what holds as much of a pattern's rarer parts as of a thing."""

_LEAST = 0.02

_LEAST_UNLIKE = 8.0
"""Difference (CIELAB over all that describes a place) that noise and gloss make on a plain table."""

_OF_TABLE = 95
"""Percentile of all places that is as unlike as the table ever is; a figure takes a hundredth of what is seen."""

_SPOTS = np.array([(x, y) for x in np.linspace(-0.9, 0.9, 7) for y in np.linspace(-0.9, 0.9, 7)])
"""Where it is looked in an outline, in halves of its sides."""


@dataclass(frozen=True, eq=False)
class Novelty:
    """How little each place of the ground is like any other.

    Args:
        share: for each pixel of the ground's frame how novel it is, 0 to 1; .5 where it is rather a thing.
    """

    share: Float[Numbers, "height width"]

    def of(self, outline: BaseOutline) -> float:
        """How far what lies within the outline is beyond what the table shows anywhere, 0 to 1."""
        height, width = self.share.shape
        columns, rows = np.rint(outline.points_px(_SPOTS)).astype(int).T
        there = (columns >= 0) & (columns < width) & (rows >= 0) & (rows < height)
        mean = float(self.share[rows[there], columns[there]].sum()) / len(there)
        return max(_LEAST, (mean - _AS_TABLE) / (1 - _AS_TABLE))

    def near(self, margin_mm: float) -> Mask:
        """Where something is that is new, and so far round about."""
        reach = 2 * round(margin_mm * PX_PER_MM) + 1
        return np.asarray(cv2.dilate((self.share >= _NEW).astype(np.uint8), np.ones((reach, reach), np.uint8)) > 0)


def novelty_on(ground: GroundView, middle_px: Float[Numbers, " 2"], reach_px: float) -> Novelty:
    """What is new on the ground, the more so the nearer to where it is to stand.

    Args:
        ground: the table from above.
        middle_px: where the figure is asked to stand, (2,), in the ground's frame.
        reach_px: distance from there at which something is .6 as likely.
    """
    small = tuple(side // _SHRINK for side in ground.frame.size_wh)
    described, known = _described(ground, small)
    step = round(_STEP_MM * PX_PER_MM / _SHRINK)
    rows, columns = (found * step for found in np.nonzero(known[::step, ::step] > _KNOWN_SHARE))
    share = np.zeros(known[::step, ::step].shape, np.float32)
    if len(rows) > _ALIKE:
        places = np.column_stack([columns, rows]) * float(_SHRINK)
        off = _unlike(described[rows, columns], places / PX_PER_MM)
        far = np.linalg.norm(places - middle_px, axis=1) / reach_px
        off2, table2 = off**2, max(float(np.percentile(off, _OF_TABLE)), _LEAST_UNLIKE) ** 2
        share[rows // step, columns // step] = off2 / (off2 + table2) * np.exp(-(far**2) / 2)
    return Novelty(np.asarray(cv2.resize(share, ground.frame.size_wh, interpolation=cv2.INTER_LINEAR)))


def _described(
    ground: GroundView, size_wh: tuple[int, ...]
) -> tuple[Float[Numbers, "height width features"], Float[Numbers, "height width"]]:
    """Mean and spread of the colours in discs round each place, and how much of the largest disc is known."""
    lab = cv2.resize(lab_of(ground.image).astype(np.float32), size_wh, interpolation=cv2.INTER_AREA)
    known = cv2.resize(ground.is_known.astype(np.float32), size_wh, interpolation=cv2.INTER_AREA)
    features = []
    share = known
    for radius_mm in _RADII_MM:
        side = 2 * round(radius_mm * PX_PER_MM / _SHRINK) + 1
        disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side)).astype(np.float32)
        disc /= disc.sum()
        share = cv2.filter2D(known, -1, disc, borderType=cv2.BORDER_CONSTANT)
        mean, square = (
            cv2.filter2D(one * known[..., None], -1, disc, borderType=cv2.BORDER_CONSTANT)
            / np.maximum(share, 1e-3)[..., None]
            for one in (lab, lab**2)
        )
        features += [mean, np.sqrt(np.maximum(square - mean**2, 0))]
    return np.concatenate(features, axis=2), np.asarray(share)


def _unlike(described: Float[Numbers, "n features"], places_mm: Float[Numbers, "n 2"]) -> Float[Numbers, " n"]:
    """The difference to the few most similar places further away, (N,); 0 where all are near."""
    off = np.zeros(len(described))
    squares = (described**2).sum(axis=1)
    for start in range(0, len(described), _AT_ONCE):
        some = slice(start, start + _AT_ONCE)
        distance2 = squares[some, None] + squares - 2 * described[some] @ described.T
        apart2 = ((places_mm[some, None] - places_mm) ** 2).sum(axis=2)
        distance2[apart2 < _APART_MM**2] = np.inf
        off[some] = np.partition(distance2, _ALIKE, axis=1)[:, _ALIKE]
    return np.sqrt(np.maximum(np.where(np.isfinite(off), off, 0.0), 0.0))
