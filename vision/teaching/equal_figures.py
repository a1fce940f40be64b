"""Groups of probably equal things in a line-up, by their colours and the size of their bases."""

from __future__ import annotations

import math
from collections.abc import Sequence

import cv2
import numpy as np
from jaxtyping import Float

from calibration.arrays import BgrImage, Mask, Numbers
from calibration.color import lab_from_bgr

_BINS = (6, 12, 12)
_LOW, _HIGH = (0.0, -48.0, -48.0), (100.0, 48.0, 48.0)
"""Bins of CIELAB. Brightness depends on the light, so it has few."""

_SIZE_WEIGHT = 0.3
"""Weight of a base's log size relative to the difference of colours, 0 to 1."""

_EQUAL = 0.29
"""Largest mean difference within a group. On four rendered line-ups of ten kinds of four it makes 9 to 12 groups."""


def colors_of(image: BgrImage, mask: Mask) -> Float[Numbers, " bins"]:
    """Return the colours of a thing as a smooth histogram with sum 1."""
    lab = lab_from_bgr(image)[mask]
    counts, _ = np.histogramdd(lab, bins=_BINS, range=list(zip(_LOW, _HIGH, strict=True)))
    for axis in range(3):
        counts = np.moveaxis(_smooth(np.moveaxis(counts, axis, -1)), -1, axis)
    return np.asarray(counts.ravel() / max(counts.sum(), 1e-9))


def _smooth(counts: Float[Numbers, "..."]) -> Float[Numbers, "..."]:
    flat = np.ascontiguousarray(counts.reshape(-1, counts.shape[-1]), dtype=np.float32)
    blurred = cv2.sepFilter2D(flat, -1, np.array([0.25, 0.5, 0.25]), np.array([1.0]), borderType=cv2.BORDER_REPLICATE)
    return np.asarray(blurred.reshape(counts.shape))


def equal_groups(colors: Sequence[Float[Numbers, " bins"]], area_mm2: Sequence[float]) -> list[list[int]]:
    """Return groups of equal things by their indices, the largest first (average linkage)."""
    if not colors:
        return []
    roots = np.sqrt(np.stack(colors))
    unlike = np.sqrt(np.maximum(1 - roots @ roots.T, 0))
    sizes = np.log(np.array(area_mm2)) / 2
    unlike = unlike + _SIZE_WEIGHT * np.abs(sizes[:, None] - sizes)
    groups = [[i] for i in range(len(colors))]
    while len(groups) > 1:
        between = np.array(
            [[math.inf if a is b else float(unlike[np.ix_(a, b)].mean()) for b in groups] for a in groups]
        )
        first, second = np.unravel_index(int(between.argmin()), between.shape)
        if between[first, second] > _EQUAL:
            break
        joined = sorted(groups[first] + groups[second])
        groups = [one for i, one in enumerate(groups) if i not in (first, second)] + [joined]
    return sorted(groups, key=lambda one: (-len(one), one))
