"""What patches say for a placed print that figures, shine or fading leave little of, and for the bare table: log odds.

How clear the print is in this photo and how much of the tile is covered are both unknown. So all pairs are tried, and
the best explanation counts. For a wrong print that is hardly ever better than "all of it is covered".
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import product

import numpy as np
from jaxtyping import Bool, Float, Float32

from calibration.arrays import Flags, Numbers, Singles
from vision.learned import normal_density
from vision.tiles.print_patches import PER_SIDE, SeenPatches

_COVERED = (0.1, 0.3, 0.5, 0.7)
"""Tried shares of a tile that are covered."""

_CLEARNESS = (0.95, 0.8, 0.62, 0.45)
"""Tried correlations of photo and print where the print has contrast, from a clear photo to a faded print under
shine."""

_CLEAR_CONTRAST = 8.0
"""Levels of contrast in a patch of print that halve the correlation."""

_SPREAD, _PLAIN_SPREAD = 0.14, 0.1
_OTHER, _OTHER_SPREAD, _OTHER_SHARE = (0.06, 0.3), (0.2, 0.3), (0.85, 0.15)
"""Correlation of patches that show something else: mean, spread and share of two groups, the second where lines of
print or cloth happen to run alike. Counted on 320,000 of them on ray-traced tables."""

_OWN_PATTERN, _OWN_COLOR = 0.35, 0.15
"""Share of a patch's evidence that its neighbours do not repeat."""

_WEIGHT_CONTRAST, _MOST_WEIGHT = 30.0, 1.5
_CHANCE, _LEAST = 0.25, -0.15

_TINT, _LEAST_TINT, _ANY_TINT = 0.7, 0.06, 0.45
"""Spread of colour apart from brightness: of a print, by the usual error of the known prints, and of anything."""

_DARKER, _BRIGHTER, _ANY_BRIGHTNESS = 0.5, 0.25, 0.9
"""Spread of the logarithm of brightness of a print in shadow and in light, and of anything."""

_STIFFNESS = 4.0
"""Patches' worth of prior for unchanged colours, where the known tiles have few colours."""

_ROUNDS = 8

_LEAST_TABLE = 60
"""Fewest patches of bare table from which its look is learned."""

_LIGHT_ROUNDS, _FLAT = 8, 30.0
"""Rounds of the fit of the light on the table, and patches' worth of prior for an even light."""

_LEAST_SPREAD, _LEAST_TINT = 0.06, 0.025
"""Spread of the logarithms of brightness and of colour of the evenest table."""

_SHADED, _DARKEST = 0.3, 1.8
"""Share of the table in shadow, and the most that a shadow takes off the logarithm of brightness."""

_ANY_COLOR, _ANY_TABLE_BRIGHTNESS = 0.45, 1.17
"""Spreads of colour and brightness of anything else."""

_LITTERED = 0.15
"""Share of the table beside a board that looks different: cards and dice lie there, bodies lean out over it."""

_LEAST_LOG_ODDS = -4.0
"""Lower limit of one patch's log odds against anything else: print may be as brown as the table."""

_ROOT = math.sqrt(2 * math.pi)


@dataclass(frozen=True, eq=False)
class PrintColors:
    """The colours of prints in a photo: paper, ink, light and camera in one affine map of the logarithms of colour.

    Args:
        middle: the centre of the map.
        matrix: the map, its last row the constant.
        error: the usual error of a patch that shows its print.
    """

    middle: Float[Numbers, " 3"]
    matrix: Float[Numbers, "4 3"]
    error: float

    def seen(self, log_colors: Float[Numbers, "n 3"]) -> Float[Numbers, "n 3"]:
        """The colours of prints in the photo."""
        return np.asarray((log_colors - self.middle) @ self.matrix[:3] + self.matrix[3])


def print_colors(printed: Float[Numbers, "n 3"], seen: Float[Numbers, "n 3"]) -> PrintColors:
    """Fit the map to the colours of N known patches; covered ones drop out by reweighting."""
    middle = printed.mean(axis=0)
    sides = np.column_stack([printed - middle, np.ones(len(printed))])
    as_it_is = np.vstack([np.eye(3), np.zeros((1, 3))])
    stiff = np.diag([_STIFFNESS, _STIFFNESS, _STIFFNESS, 0.0])
    weights, error = np.ones(len(printed)), 0.0
    matrix: Numbers = as_it_is
    for _ in range(_ROUNDS):
        weighted = sides * weights[:, None]
        matrix = np.linalg.solve(sides.T @ weighted + stiff, weighted.T @ seen + stiff @ as_it_is)
        off = np.linalg.norm(seen - sides @ matrix, axis=1)
        error = float(np.median(off)) + 1e-6
        weights = np.asarray(1 / (1 + (off / error) ** 2))
    return PrintColors(middle, matrix, error)


def first_measure(
    likeness: Float32[Singles, "*places n"], contrast: Float32[Singles, " n"]
) -> Float32[Singles, "*places n"]:
    """The evidence of each patch for the print, by a quick measure that only selects."""
    weight = np.minimum(contrast / _WEIGHT_CONTRAST, _MOST_WEIGHT)
    return np.asarray(weight * np.maximum(likeness - _CHANCE, _LEAST), dtype=np.float32)


def by_pattern(likeness: Float[Numbers, " n"], contrast: Float[Numbers, " n"]) -> float:
    """Log odds of a print by the correlation of its patches with the photo; 0 where they do not look like it."""
    if not len(likeness):
        return 0.0
    groups = zip(_OTHER, _OTHER_SPREAD, _OTHER_SHARE, strict=True)
    other = sum(share * normal_density(likeness, mean, spread) for mean, spread, share in groups)
    clear = contrast / (contrast + _CLEAR_CONTRAST)
    ratios = [normal_density(likeness, c * clear, _SPREAD + _PLAIN_SPREAD * (1 - clear)) / other for c in _CLEARNESS]
    return _OWN_PATTERN * max(0.0, _best(ratios))


def by_color(off: Float[Numbers, "n 3"], error: float) -> float:
    """Log odds of a print by how far its patches are off the colours of the print in this photo."""
    if not len(off):
        return 0.0
    brightness = off.mean(axis=1)
    tint = ((off - brightness[:, None]) ** 2).sum(axis=1)
    spread = max(_TINT * error, _LEAST_TINT)
    # Colour apart from brightness has two dimensions, so the densities go by the square of their spread.
    as_colored = (_ANY_TINT / spread) ** 2 * np.exp(-0.5 * tint * (spread**-2 - _ANY_TINT**-2))
    own = normal_density(brightness, 0.0, np.where(brightness < 0, _DARKER, _BRIGHTER))
    as_bright = _ANY_BRIGHTNESS * own / normal_density(brightness, 0.0, _ANY_BRIGHTNESS)
    return _OWN_COLOR * _best([as_colored * as_bright])


def _best(ratios: Iterable[Float[Numbers, " n"]]) -> float:
    """Log odds of all patches by the covered share and the likelihood ratios that explain them best."""
    return max(float(np.log((1 - share) * own + share).sum()) for own, share in product(ratios, _COVERED))


def other_than_table(seen: SeenPatches, is_table: Bool[Flags, " m"]) -> Float[Numbers, "rows columns"]:
    """The mean log odds a patch, for each cell, that it shows anything else than the bare table.

    They are 0 where the photo shows nothing, and everywhere if too little is known of the table. ``is_table`` marks the
    patches that rather show the table.
    """
    columns, rows = seen.size_cells
    known = is_table & seen.in_view
    if known.sum() < _LEAST_TABLE:
        return np.zeros((rows, columns))
    colors = seen.log_colors.astype(float)
    brightness = colors.mean(axis=1)
    tint = colors - brightness[:, None]
    off, spread = _off_the_light(seen, brightness, known)
    aside = np.linalg.norm(tint - np.median(tint[known], axis=0), axis=1)
    # The median of how far two numbers lie off together is 1.18 of their spread.
    tint_spread = max(float(np.median(aside[known])) / 1.18, _LEAST_TINT)
    in_shadow = ((off < spread) & (off > -_DARKEST)) / _DARKEST
    as_bright = (1 - _SHADED) * normal_density(off, 0.0, spread) / _ROOT + _SHADED * in_shadow
    table = np.exp(-0.5 * (aside / tint_spread) ** 2) / tint_spread**2 * as_bright
    as_any = normal_density(brightness - np.median(brightness), 0.0, _ANY_TABLE_BRIGHTNESS) / _ROOT
    anything = np.exp(-0.5 * (tint**2).sum(axis=1) / _ANY_COLOR**2) / _ANY_COLOR**2 * as_any + 1e-12
    log_odds = np.maximum(np.log(anything / ((1 - _LITTERED) * table + _LITTERED * anything)), _LEAST_LOG_ODDS)
    log_odds[~seen.in_view] = 0
    return np.asarray(log_odds.reshape(rows, PER_SIDE, columns, PER_SIDE).mean(axis=(1, 3)))


def _off_the_light(
    seen: SeenPatches, brightness: Float[Numbers, " m"], known: Bool[Flags, " m"]
) -> tuple[Float[Numbers, " m"], float]:
    """How far each patch is off the brightness of a table in evenly changing light, and the spread of that."""
    columns, rows = seen.size_cells
    row, column = (axis.ravel() / PER_SIDE for axis in np.mgrid[0 : rows * PER_SIDE, 0 : columns * PER_SIDE])
    sides = np.column_stack([np.ones(len(row)), column - column[known].mean(), row - row[known].mean()])
    plane = np.array([float(np.median(brightness[known])), 0.0, 0.0])
    for _ in range(_LIGHT_ROUNDS):
        off = np.abs(brightness[known] - sides[known] @ plane)
        weighted = sides[known].T / (1 + (off / max(1.48 * float(np.median(off)), _LEAST_SPREAD)) ** 2)
        plane = np.linalg.solve(weighted @ sides[known] + np.diag([0.0, _FLAT, _FLAT]), weighted @ brightness[known])
    off = brightness - sides @ plane
    return off, max(1.48 * float(np.median(np.abs(off[known]))), _LEAST_SPREAD)
