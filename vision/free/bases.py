"""The outlines of a box's bases: circles or rectangles of known size and height."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from jaxtyping import Float

from assistant.table.roster import Roster, RosterFigure
from calibration.arrays import Numbers

POINTS = 64
"""Points of an outline. A side of a rectangle has a quarter of them."""


@dataclass(frozen=True)
class BaseKind:
    """A base as the camera can distinguish it: by shape, size and colour of its rim.

    Args:
        is_round: whether it is a circle, or a rectangle whose first side points to the model's front.
        size_mm: both extents, of a circle the diameter twice.
        ring: the colour of its rim as ``#rrggbb``, or None without paint.
        figures: the models with such a base.
    """

    is_round: bool
    size_mm: tuple[float, float]
    ring: str | None
    figures: tuple[RosterFigure, ...] = ()

    @cached_property
    def outline_mm(self) -> Float[Numbers, "n 2"]:
        """Points of the outline round the middle, unturned."""
        width, depth = self.size_mm
        if self.is_round:
            return width / 2 * self.normals
        along = (np.arange(POINTS // 4) + 0.5) / (POINTS // 4) - 0.5
        one = np.full(POINTS // 4, 0.5)
        sides = [(one, along), (along, one), (-one, along), (along, -one)]
        return np.concatenate([np.column_stack(side) for side in sides]) * (width, depth)

    def inset_mm(self, inset_mm: float) -> Float[Numbers, "n 2"]:
        """Return the same points on the outline that lies inside by that distance."""
        half = np.array(self.size_mm) / 2
        points: Numbers = self.outline_mm * ((half - inset_mm) / half)
        return points

    @cached_property
    def normals(self) -> Float[Numbers, "n 2"]:
        """The outward normals of the same points."""
        if self.is_round:
            angle = (np.arange(POINTS) + 0.5) * (2 * np.pi / POINTS)
            return np.column_stack([np.cos(angle), np.sin(angle)])
        sides = np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]])
        return np.repeat(sides, POINTS // 4, axis=0)

    @property
    def reach_mm(self) -> float:
        return self.size_mm[0] / 2 if self.is_round else float(np.hypot(*self.size_mm)) / 2


def base_kinds(roster: Roster) -> tuple[BaseKind, ...]:
    """Return the kinds of bases in a box, in its order."""
    kinds: dict[tuple[bool, tuple[float, float], str | None], list[RosterFigure]] = {}
    for figure in roster.figures:
        kinds.setdefault((figure.base_shape == "round", figure.base_size_mm, figure.ring), []).append(figure)
    return tuple(BaseKind(*key, tuple(figures)) for key, figures in kinds.items())


def turned(points: Float[Numbers, "n 2"], turn_rad: float) -> Float[Numbers, "n 2"]:
    """Rotate points about the origin, x towards y."""
    c, s = np.cos(turn_rad), np.sin(turn_rad)
    moved: Numbers = points @ np.array([[c, s], [-s, c]])
    return moved
