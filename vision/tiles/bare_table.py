"""Where beside a board something else is seen than the bare table: print, or what stands on print.

Who sees wood all round a board, and something else on four cells beside it, knows that a tile lies there, even where a
crowd hides nearly all of its print.
"""

from __future__ import annotations

import numpy as np
from jaxtyping import Bool, Float

from calibration.arrays import Flags, Numbers
from vision.tiles.print_patches import PARTS, SeenScraps

_LEAST_SCRAPS = 60
"""So many scraps of bare table are needed to know how it looks."""

_ROUNDS, _FLAT = 8, 30.0
"""How often the light on the table is fitted, and how many scraps speak for it to be even."""

_LEAST_SPREAD, _LEAST_TINT = 0.06, 0.025
"""Spread of the logarithms of brightness and of colour of the evenest table."""

_SHADED, _DARKEST = 0.3, 1.8
"""How often the table lies in shadow, and by how much of the logarithm of brightness that darkens it at most."""

_ANY_TINT, _ANY_BRIGHTNESS = 0.45, 1.17
"""Spreads of colour and brightness of anything else."""

_COVERED = 0.15
"""Share of the table beside a board that looks otherwise: cards and dice lie there, bodies lean out over it."""

_LEAST = -4.0
"""Log odds against anything else that one scrap gives at most: print may be as brown as the table."""


def other_than_table(seen: SeenScraps, is_table: Bool[Flags, " m"]) -> Float[Numbers, "rows columns"]:
    """Log odds a scrap, in the mean of each cell, that it shows anything else than the bare table, (rows, columns).

    Nothing is said of what the photo does not show, nor where too little is known of the table.

    Args:
        seen: the scraps.
        is_table: which of them rather show the table, (M,).
    """
    columns, rows = seen.size_cells
    known = is_table & seen.in_view
    if known.sum() < _LEAST_SCRAPS:
        return np.zeros((rows, columns))
    colors = seen.log_colors.astype(float)
    brightness = colors.mean(axis=1)
    tint = colors - brightness[:, None]
    off, spread = _off_the_light(seen, brightness, known)
    aside = np.linalg.norm(tint - np.median(tint[known], axis=0), axis=1)
    # The median of how far two numbers lie off together is 1.18 of their spread.
    tint_spread = max(float(np.median(aside[known])) / 1.18, _LEAST_TINT)
    in_shadow = ((off < spread) & (off > -_DARKEST)) / _DARKEST
    as_bright = (1 - _SHADED) * _density(off, spread) + _SHADED * in_shadow
    table = np.exp(-0.5 * (aside / tint_spread) ** 2) / tint_spread**2 * as_bright
    as_any = _density(brightness - np.median(brightness), _ANY_BRIGHTNESS)
    anything = np.exp(-0.5 * (tint**2).sum(axis=1) / _ANY_TINT**2) / _ANY_TINT**2 * as_any + 1e-12
    log_odds = np.maximum(np.log(anything / ((1 - _COVERED) * table + _COVERED * anything)), _LEAST)
    log_odds[~seen.in_view] = 0
    return np.asarray(log_odds.reshape(rows, PARTS, columns, PARTS).mean(axis=(1, 3)))


def _off_the_light(
    seen: SeenScraps, brightness: Float[Numbers, " m"], known: Bool[Flags, " m"]
) -> tuple[Float[Numbers, " m"], float]:
    """How far each scrap is off the brightness of a table on which the light changes evenly, (M,), and its spread."""
    columns, rows = seen.size_cells
    row, column = (axis.ravel() / PARTS for axis in np.mgrid[0 : rows * PARTS, 0 : columns * PARTS])
    sides = np.column_stack([np.ones(len(row)), column - column[known].mean(), row - row[known].mean()])
    plane = np.array([float(np.median(brightness[known])), 0.0, 0.0])
    for _ in range(_ROUNDS):
        off = np.abs(brightness[known] - sides[known] @ plane)
        weighted = sides[known].T / (1 + (off / max(1.48 * float(np.median(off)), _LEAST_SPREAD)) ** 2)
        plane = np.linalg.solve(weighted @ sides[known] + np.diag([0.0, _FLAT, _FLAT]), weighted @ brightness[known])
    off = brightness - sides @ plane
    return off, max(1.48 * float(np.median(np.abs(off[known]))), _LEAST_SPREAD)


def _density(value: Float[Numbers, " n"], spread: float) -> Float[Numbers, " n"]:
    return np.asarray(np.exp(-0.5 * (value / spread) ** 2) / (spread * np.sqrt(2 * np.pi)))
