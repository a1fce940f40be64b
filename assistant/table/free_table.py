"""A table without a grid: outlines of terrain and figures' bases, in exact millimetres."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import cos, hypot, radians, sin
from typing import Annotated, Literal

from msgspec import Meta

from assistant.errors import BadValue, UnknownName
from assistant.table.plane import ExactPoint, doubled_area, is_simple
from assistant.translations.messages import Said, known, said

TerrainKind = Literal["wall", "cover", "difficult", "gap"]

Mark = Literal["leader", "camouflaged", "down", "fleeing", "fear", "terror"]
"""A state of a figure that affects distances: a leader, camouflaged, knocked down, in flight, feared, a terror."""

MAX_OUTLINE_POINTS = 200
MAX_TERRAIN = 400
MAX_FIGURES = 400
"""Cap on pieces of terrain and on figures, far above any table that a person could set up."""

_FINE = 10_000
"""Resolution of a rotated base's corners, in parts of a millimetre."""

FAR_MM = 100_000
"""Cap on coordinates in mm: a hundred metres from the table's origin."""


Points = Annotated[int, Meta(ge=0, le=1000)]


@dataclass(frozen=True, slots=True)
class Stats:
    """A figure's characteristics, as printed on its sheet."""

    mobility: Points
    toughness: Points
    spirit: Points
    combat: Points


@dataclass(frozen=True)
class Terrain:
    """A piece of terrain: its outline from above, and its height above the table.

    A ``wall`` blocks sight up to its height, ``cover`` never blocks sight and gives cover, ``difficult`` is difficult
    ground, ``gap`` is a hole.
    """

    id: str
    kind: TerrainKind
    outline_mm: tuple[ExactPoint, ...]
    height_mm: Fraction


@dataclass(frozen=True)
class FreeFigure:
    """A figure on its base. ``base_mm`` is the diameter, ``height_mm`` counts from the underside of the base.

    ``base_size_mm`` is None for a round base. For a rectangular one it is both extents, the first along the facing, and
    ``base_mm`` is the shorter.
    """

    id: str
    side: str
    center_mm: ExactPoint
    base_mm: Fraction
    height_mm: Fraction
    elevation_mm: Fraction
    facing_deg: Fraction
    stats: Stats
    wounds: int = 0
    marks: frozenset[Mark] = frozenset()
    base_size_mm: tuple[Fraction, Fraction] | None = None

    @cached_property
    def core_mm(self) -> tuple[ExactPoint, ...]:
        """The core of the base: its centre, or a rectangle's corners. The base is all within ``radius_mm`` of it.

        Corners are rounded to a ten-thousandth of a millimetre and are exact from then on.
        """
        x, y = self.center_mm
        if self.base_size_mm is None:
            return (self.center_mm,)
        turn = radians(self.facing_deg)
        ahead, aside = ((_fine(cos(turn) * half), _fine(sin(turn) * half)) for half in map(_half, self.base_size_mm))
        return tuple(
            (x + a * ahead[0] - b * aside[1], y + a * ahead[1] + b * aside[0])
            for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))
        )

    @property
    def radius_mm(self) -> Fraction:
        """Half the diameter of a round base, or 0 for a rectangle, whose core is the whole base."""
        return self.base_mm / 2 if self.base_size_mm is None else Fraction(0)

    @property
    def reach_mm(self) -> float:
        """The distance in mm from the base's centre to its farthest point."""
        return float(self.base_mm) / 2 if self.base_size_mm is None else hypot(*map(_half, self.base_size_mm))

    @property
    def top_mm(self) -> Fraction:
        return self.elevation_mm + self.height_mm


@dataclass(frozen=True)
class FreeTable:
    """A free table that is consistent by construction.

    Raises:
        BadValue: a part is impossible or repeated; the field is named.
    """

    step_mm: Fraction
    size_mm: tuple[Fraction, Fraction]
    terrain: tuple[Terrain, ...] = ()
    figures: tuple[FreeFigure, ...] = ()

    def __post_init__(self) -> None:
        for field, text in _problems(self):
            raise BadValue(text, field=field)

    @cached_property
    def figure_by_id(self) -> Mapping[str, FreeFigure]:
        return {figure.id: figure for figure in self.figures}

    def figure(self, figure_id: str) -> FreeFigure:
        """Return the figure of that name.

        Raises:
            UnknownName: the table holds no such figure.
        """
        if figure_id not in self.figure_by_id:
            text = said(
                "There is no figure “{figure_id}” on the table. It holds: {known}.",
                figure_id=figure_id,
                known=known(self.figure_by_id),
            )
            raise UnknownName(text)
        return self.figure_by_id[figure_id]


def _problems(table: FreeTable) -> Iterator[tuple[str, Said]]:
    if table.step_mm <= 0:
        yield "step_mm", said("a step must be longer than 0 mm")
    if min(table.size_mm) <= 0:
        yield "size_mm", said("both sides of the table must be longer than 0 mm")
    if len(table.terrain) > MAX_TERRAIN:
        yield (
            "terrain",
            said(
                "{count} pieces are more than a table holds. The limit is {most}.",
                count=len(table.terrain),
                most=MAX_TERRAIN,
            ),
        )
    elif len(table.figures) > MAX_FIGURES:
        yield (
            "figures",
            said(
                "{count} figures are more than a table holds. The limit is {most}.",
                count=len(table.figures),
                most=MAX_FIGURES,
            ),
        )
    else:
        yield from _problems_of_terrain(table)
        yield from _problems_of_figures(table)


def _problems_of_terrain(table: FreeTable) -> Iterator[tuple[str, Said]]:
    names: set[str] = set()
    for i, piece in enumerate(table.terrain):
        where, outline = f"terrain[{i}]", piece.outline_mm
        if piece.id in names:
            yield f"{where}.id", said("there are two pieces of terrain named “{id}”", id=piece.id)
        names.add(piece.id)
        if piece.height_mm < 0:
            yield f"{where}.height_mm", said("the height of “{id}” is below the table", id=piece.id)
        if not 3 <= len(outline) <= MAX_OUTLINE_POINTS:
            text = said(
                "The outline of “{id}” has {count} points. It needs 3 to {most}.",
                id=piece.id,
                count=len(outline),
                most=MAX_OUTLINE_POINTS,
            )
            yield f"{where}.outline_mm", text
        elif not all(_is_near(point) for point in outline):
            yield f"{where}.outline_mm", _too_far(piece.id)
        elif not is_simple(outline) or doubled_area(outline) == 0:
            text = said(
                "The outline of “{id}” crosses or touches itself. Give its corners in order, each once.", id=piece.id
            )
            yield f"{where}.outline_mm", text


def _problems_of_figures(table: FreeTable) -> Iterator[tuple[str, Said]]:
    names: set[str] = set()
    for i, figure in enumerate(table.figures):
        where = f"figures[{i}]"
        if figure.id in names:
            yield f"{where}.id", said("there are two figures named “{id}”", id=figure.id)
        names.add(figure.id)
        if not _is_near(figure.center_mm):
            yield f"{where}.center_mm", _too_far(figure.id)
        if min((figure.base_mm, *(figure.base_size_mm or ()))) <= 0:
            yield f"{where}.base_mm", said("the base of “{id}” must be above 0 mm", id=figure.id)
        if figure.height_mm <= 0:
            yield f"{where}.height_mm", said("the height of “{id}” must be above 0 mm", id=figure.id)
        if figure.wounds < 0:
            yield f"{where}.wounds", said("The wounds of “{id}” cannot be below 0.", id=figure.id)


def _half(extent_mm: Fraction) -> float:
    return float(extent_mm) / 2


def _fine(value_mm: float) -> Fraction:
    return Fraction(round(value_mm * _FINE), _FINE)


def _is_near(point_mm: ExactPoint) -> bool:
    return all(abs(value) <= FAR_MM for value in point_mm)


def _too_far(name: str) -> Said:
    return said("“{name}” is too far out. Places must stay within ±{far_mm} mm.", name=name, far_mm=f"{FAR_MM:,}")
