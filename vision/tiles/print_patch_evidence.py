"""What scraps say for a placed print that figures, shine and a faded print may have left little of: log odds.

Nobody tells how well the print comes out in this photo, nor how much of the tile is covered. So both are tried, and
what explains the scraps best counts; for a wrong print that is hardly ever better than that all of it is covered.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import product

import numpy as np
from jaxtyping import Float, Float32

from calibration.arrays import Numbers, Singles

_COVERED = (0.1, 0.3, 0.5, 0.7)
"""Shares of a tile that may be covered."""

_CLEARNESS = (0.95, 0.8, 0.62, 0.45)
"""Correlation of photo and print where the print has contrast, from a clear photo to a faded print under a shine."""

_CLEAR_CONTRAST = 8.0
"""Levels of contrast of a scrap of print with which the correlation is half of that."""

_SPREAD, _PLAIN_SPREAD = 0.14, 0.1
_OTHER, _OTHER_SPREAD, _OTHER_SHARE = (0.06, 0.3), (0.2, 0.3), (0.85, 0.15)
"""Correlation of scraps that show something else: mean, spread and share of two groups, the second where lines of
print or cloth happen to run alike. Counted on 320,000 of them on ray-traced tables."""

_OWN_PATTERN, _OWN_COLOR = 0.35, 0.15
"""So much of what a scrap says its neighbours do not say."""

_WEIGHT_CONTRAST, _MOST_WEIGHT = 30.0, 1.5
_CHANCE, _LEAST = 0.25, -0.15

_TINT, _LEAST_TINT, _ANY_TINT = 0.7, 0.06, 0.45
"""Spread of colour apart from brightness: that of a print by the usual error of the known prints, and of anything."""

_DARKER, _BRIGHTER, _ANY_BRIGHTNESS = 0.5, 0.25, 0.9
"""Spread of the logarithm of brightness of a print in shadow and in light, and of anything."""

_STIFFNESS = 4.0
"""Scraps that speak for prints that come out as they are, where the known tiles have few colours."""

_ROUNDS = 8


@dataclass(frozen=True, eq=False)
class PrintColors:
    """How prints come out in a photo: paper, ink, light and camera in one affine map of the logarithms of colour.

    Args:
        middle: where the map is taken about, (3,).
        matrix: the map, its last row the constant, (4, 3).
        error: the usual error of a scrap that shows its print.
    """

    middle: Float[Numbers, " 3"]
    matrix: Float[Numbers, "4 3"]
    error: float

    def seen(self, log_colors: Float[Numbers, "n 3"]) -> Float[Numbers, "n 3"]:
        """The colours of prints as the photo would show them, (N, 3)."""
        return np.asarray((log_colors - self.middle) @ self.matrix[:3] + self.matrix[3])


def print_colors(printed: Float[Numbers, "n 3"], seen: Float[Numbers, "n 3"]) -> PrintColors:
    """How known prints come out, by the logarithms of colour of their N scraps; what covers some falls out."""
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
    """What each scrap says for the print, quickly: to choose what is judged closely."""
    weight = np.minimum(contrast / _WEIGHT_CONTRAST, _MOST_WEIGHT)
    return np.asarray(weight * np.maximum(likeness - _CHANCE, _LEAST), dtype=np.float32)


def by_pattern(likeness: Float[Numbers, " n"], contrast: Float[Numbers, " n"]) -> float:
    """Log odds of a print by the correlation of its N scraps with the photo, 0 where they do not look like it."""
    if not len(likeness):
        return 0.0
    groups = zip(_OTHER, _OTHER_SPREAD, _OTHER_SHARE, strict=True)
    other = sum(share * _density(likeness, mean, spread) for mean, spread, share in groups)
    clear = contrast / (contrast + _CLEAR_CONTRAST)
    ratios = [_density(likeness, c * clear, _SPREAD + _PLAIN_SPREAD * (1 - clear)) / other for c in _CLEARNESS]
    return _OWN_PATTERN * max(0.0, _best(ratios))


def by_color(off: Float[Numbers, "n 3"], error: float) -> float:
    """Log odds of a print by how far its N scraps are off the colours it ought to have, (N, 3)."""
    if not len(off):
        return 0.0
    brightness = off.mean(axis=1)
    tint = ((off - brightness[:, None]) ** 2).sum(axis=1)
    spread = max(_TINT * error, _LEAST_TINT)
    # Two numbers tell a colour apart from brightness, so the densities go by the square of their spread.
    as_colored = (_ANY_TINT / spread) ** 2 * np.exp(-0.5 * tint * (spread**-2 - _ANY_TINT**-2))
    own = np.where(brightness < 0, _density(brightness, 0.0, _DARKER), _density(brightness, 0.0, _BRIGHTER))
    as_bright = _ANY_BRIGHTNESS * own / _density(brightness, 0.0, _ANY_BRIGHTNESS)
    return _OWN_COLOR * _best([as_colored * as_bright])


def _best(ratios: Iterable[Float[Numbers, " n"]]) -> float:
    """Log odds of all scraps by the share that is covered and the ratios of likelihood that explain them best."""
    return max(float(np.log((1 - share) * own + share).sum()) for own, share in product(ratios, _COVERED))


def _density(
    value: Float[Numbers, " n"], mean: Float[Numbers, " n"] | float, spread: Float[Numbers, " n"] | float
) -> Float[Numbers, " n"]:
    """The normal density but for a factor that falls out."""
    return np.asarray(np.exp(-0.5 * np.square((value - mean) / spread)) / spread)
