"""What tells the printed lines apart, in numbers that do not depend on where along an edge the dashes begin.

Every row of a patch runs along the edge. Of what is measured in it (how red, how blue, how bright, how sharp a step to
the next row) the values are put in order: a solid line is red in all of them, a dashed one in two of three, and a
splatter of blood in some, without the regular change that the last number tells.
"""

from __future__ import annotations

import numpy as np

from vision.images import FloatImage, Numbers
from vision.teaching.edge_patches import ACROSS_PX, ALONG_PX, CELL_PX

NEAR_PX = 12
"""Rows on either side of the edge that are looked at one by one: walls and outlines lie within six millimetres."""

_END_PX = 3
"""At the ends of an edge others cross it."""

_RANKS = (1, 5, 10, 15, 19)
"""Which of the 21 values of a row are kept, from the smallest to the largest."""

_GROUP_PX = 4
_DARKEST = 8.0
"""A patch without any light is not made brighter than this makes it."""

_GREY = 0.15
"""Added to the sum of the colours, so that noise in the dark is not taken for colour."""


def edge_features(patches: Numbers) -> FloatImage:
    """The features of patches (N, ``ACROSS_PX``, ``ALONG_PX``, 3) of bytes, (N, ``feature_count()``)."""
    seen = _even(patches)
    start = (ALONG_PX - CELL_PX) // 2 + _END_PX
    along = seen[:, :, start : ALONG_PX - start]
    pairs = along.reshape(len(seen), ACROSS_PX, -1, 2, 3).mean(axis=3)
    middle = ACROSS_PX // 2
    near = pairs[:, middle - NEAR_PX - 1 : middle + NEAR_PX + 1]
    measured = _measured(near)
    ordered = np.sort(measured, axis=2)[:, :, list(_RANKS)]
    changes = np.abs(np.diff(measured, axis=2)).mean(axis=2)
    far = np.concatenate([_grouped(pairs[:, : middle - NEAR_PX]), _grouped(pairs[:, middle + NEAR_PX :])], axis=1)
    parts = (ordered, changes, far)
    return np.concatenate([part.reshape(len(seen), -1) for part in parts], axis=1).astype(np.float32)


def _even(patches: Numbers) -> FloatImage:
    """Patches set by their own bright parts, so that neither exposure nor a lamp at one side matters."""
    light = patches.mean(axis=3, dtype=np.float32).reshape(len(patches), -1)
    bright = np.maximum(np.percentile(light[:, ::7], 90, axis=1), _DARKEST).astype(np.float32)
    even: FloatImage = np.minimum(patches.astype(np.float32) / bright[:, None, None, None], 1.5)
    return even


def _measured(colors: FloatImage) -> FloatImage:
    """How red, blue and bright each place is, and how much brighter than the row above, (N, rows, places, 4)."""
    blue, green, red = (colors[..., channel] for channel in range(3))
    total = blue + green + red
    redness = (red - np.maximum(green, blue)) / (total + _GREY)
    blueness = (blue - np.maximum(green, red)) / (total + _GREY)
    step = np.diff(total, axis=1, prepend=total[:, :1])
    return np.stack([redness, blueness, total / 3, step / 3], axis=-1)


def _grouped(rows: FloatImage) -> FloatImage:
    """Mean colour and spread of brightness of every four rows, (N, groups, 4)."""
    count = rows.shape[1] // _GROUP_PX
    groups = rows[:, : count * _GROUP_PX].reshape(len(rows), count, -1, 3)
    spread = groups.mean(axis=3).std(axis=2)[..., None]
    return np.concatenate([groups.mean(axis=2), spread], axis=2)
