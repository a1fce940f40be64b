"""Possible stands of a base, and the points of its rim."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from jaxtyping import Float

from assistant.table.lattice import Cell
from assistant.table.roster import Roster, RosterFigure
from calibration.arrays import Numbers

_DIE_MM = 18.0
"""Width of a large die. Bases are wider, and low creatures on them are no clutter."""

BASE_HEIGHT_MM = 3.0
"""Usual height of a miniature's base."""

RIM_MM = 1.5
"""Width of the coloured rim on the top of a base, as painted by brush."""

_RIM_PLAY_MM = 0.7
"""Range of the search beside the rim's middle, for blur and misfit."""

_POINT_EVERY_MM = 1.4


@dataclass(frozen=True)
class BaseFootprint:
    """A base on the lattice: its extent along columns and rows, and its cells."""

    is_round: bool
    size_mm: tuple[float, float]
    size_cells: tuple[int, int]

    def outline_mm(self, inset_mm: float) -> Float[Numbers, "n 2"]:
        """Return points of the outline from the centre, moved inwards. Their number does not depend on the inset."""
        width, height = self.size_mm
        if self.is_round:
            angle = np.linspace(0, 2 * np.pi, self.point_count, endpoint=False)
            return (width / 2 - inset_mm) * np.column_stack([np.cos(angle), np.sin(angle)])
        return self._unit_outline * (np.array([width, height]) / 2 - inset_mm)

    @cached_property
    def point_count(self) -> int:
        return len(self._unit_outline) if not self.is_round else round(np.pi * self.size_mm[0] / _POINT_EVERY_MM)

    @cached_property
    def _unit_outline(self) -> Float[Numbers, "n 2"]:
        """Points along the square from -1 to 1, spaced evenly on the rectangle."""
        along, down = (max(4, round(side / _POINT_EVERY_MM)) for side in self.size_mm)
        x, y = np.linspace(-0.95, 0.95, along), np.linspace(-0.95, 0.95, down)
        one = np.ones
        top, bottom = np.column_stack([x, -one(along)]), np.column_stack([x, one(along)])
        left, right = np.column_stack([-one(down), y]), np.column_stack([one(down), y])
        return np.concatenate([top, right, bottom, left])


@dataclass(frozen=True)
class Stand:
    """A base shape on a rectangle of cells."""

    shape: BaseFootprint
    corner: Cell

    @cached_property
    def cells(self) -> tuple[Cell, ...]:
        (column, row), (columns, rows) = self.corner, self.shape.size_cells
        return tuple((column + i, row + j) for i in range(columns) for j in range(rows))

    @property
    def middle(self) -> tuple[float, float]:
        """The middle of the cells in lattice coordinates."""
        return self.corner[0] + self.shape.size_cells[0] / 2, self.corner[1] + self.shape.size_cells[1] / 2


def shapes_of(figure: RosterFigure) -> tuple[BaseFootprint, ...]:
    """Return a figure's base in each turn that fits the lattice."""
    shape = BaseFootprint(figure.base_shape == "round", figure.base_size_mm, figure.size)
    if figure.size[0] == figure.size[1] and figure.base_size_mm[0] == figure.base_size_mm[1]:
        return (shape,)
    return shape, BaseFootprint(shape.is_round, figure.base_size_mm[::-1], figure.size[::-1])


def stands(shape: BaseFootprint, cells: frozenset[Cell]) -> Iterator[Stand]:
    """Yield every place on the board where all cells under the base exist."""
    for cell in sorted(cells):
        stand = Stand(shape, cell)
        if all(c in cells for c in stand.cells):
            yield stand


def share_with_rings(roster: Roster) -> float:
    """Return the share of a box's figures whose bases have a ring, or none if coins or dice stand for figures.

    Only rings distinguish figures from clutter. A figure flat as a coin or small as a die looks like clutter itself, so
    clutter may be that figure. The coloured edge of a coin, taught as its ring, is no base's rim.
    """
    if has_stand_ins(roster):
        return 0.0
    return sum(figure.ring is not None for figure in roster.figures) / max(1, len(roster.figures))


def has_stand_ins(roster: Roster) -> bool:
    """Return whether a figure of the box is flat as a coin or small as a die."""
    return any(_is_like_clutter(figure) for figure in roster.figures)


def has_upright_ones(roster: Roster) -> bool:
    """Return whether a figure of one cell can fall over. Coins and dice cannot."""
    return any(figure.size == (1, 1) and not _is_like_clutter(figure) for figure in roster.figures)


def _is_like_clutter(figure: RosterFigure) -> bool:
    is_flat, is_die = figure.height_mm <= figure.base_mm / 2, figure.height_mm <= figure.base_mm <= _DIE_MM
    return figure.size == (1, 1) and (is_flat or is_die)


def ring_kinds(roster: Roster) -> dict[tuple[BaseFootprint, str], list[RosterFigure]]:
    """Return the roster's figures by what the camera can distinguish: base and ring colour."""
    kinds: dict[tuple[BaseFootprint, str], list[RosterFigure]] = {}
    for figure in roster.figures:
        ring = ring_of(figure)
        if ring is not None:
            for shape in shapes_of(figure):
                kinds.setdefault((shape, ring), []).append(figure)
    return kinds


def ring_of(figure: RosterFigure) -> str | None:
    """Return the colour of a figure's rim: the roster's, else the one learned when its look was taught."""
    return figure.ring or (figure.look.rim if figure.look else None)


def rim_insets_mm() -> tuple[float, ...]:
    """Return the insets of the rim search."""
    return (RIM_MM / 2 + _RIM_PLAY_MM, RIM_MM / 2, RIM_MM / 2 - _RIM_PLAY_MM)
