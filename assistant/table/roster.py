"""The figures and doors that may be on the table, with their sizes in millimetres."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from msgspec import Meta

from assistant.table.fields import Positive

BaseShape = Literal["round", "rectangle"]

POINT_BYTES = 5
"""Bytes of one point of a view: its position across and up, then its blue, green and red."""

VIEW_POINTS = 3000
"""Most points of one view. A hundred suffice for the colours of a body, its form needs most of some 3,200."""


@dataclass(frozen=True, slots=True)
class LookView:
    """A figure in one photo: some of its points, with their colours.

    Args:
        tilt_deg: the angle of the view from straight above, 0 to 90.
        points: ``POINT_BYTES`` bytes per point, in the layout of ``vision.evidence.figure_views``.
    """

    tilt_deg: float
    points: bytes


@dataclass(frozen=True, slots=True)
class FigureLook:
    """The taught appearance of a figure.

    Args:
        views: the figure from several sides.
        rim: the colour of its base's rim as ``#rrggbb``; None if it is inconspicuous.
        picture_png: a small picture for people, or empty.
    """

    views: tuple[LookView, ...] = ()
    rim: str | None = None
    picture_png: bytes = b""


@dataclass(frozen=True, slots=True)
class RosterFigure:
    """A figure of the box.

    Args:
        size: columns x rows of the footprint, not rotated.
        base_mm: the diameter of the base, or its shorter side.
        height_mm: counted from the underside of the base.
        ring: the painted colour of the base's rim as ``#rrggbb``, or None.
        base_size_mm: the base's extent along columns and rows; twice the diameter for a round one.
        look: its taught appearance, or None.
        mark: the colour of the mark on the rim that shows its facing, or None.
    """

    id: str
    kind: str
    side: str
    size: tuple[int, int]
    base_mm: float
    height_mm: float
    ring: str | None = None
    base_shape: BaseShape = "round"
    base_size_mm: tuple[float, float] = (0.0, 0.0)
    look: FigureLook | None = None
    mark: str | None = None

    def __post_init__(self) -> None:
        if self.base_size_mm == (0.0, 0.0):
            object.__setattr__(self, "base_size_mm", (self.base_mm, self.base_mm))


@dataclass(frozen=True, slots=True)
class DoorSpec:
    """The standing doors of the box, all of one size."""

    count: Annotated[int, Meta(ge=0, le=10_000)]
    width_cells: Annotated[int, Meta(ge=1, le=10)]
    height_mm: Positive
    thickness_mm: Positive


@dataclass(frozen=True)
class Roster:
    """The figures and doors of the box: everything that may be on the table."""

    figures: tuple[RosterFigure, ...]
    doors: DoorSpec

    @property
    def all_have_rings(self) -> bool:
        """Whether every figure's base has a ring. A box without figures has none."""
        return bool(self.figures) and all(figure.ring is not None for figure in self.figures)


UNNAMED = "~"
"""Separates kind and number in the name of a figure of which only the kind is known: ``digger~2`` is one of the
diggers."""


def kind_of(name: str) -> str:
    """Return the kind in a figure's name: ``digger`` for ``digger~2`` and ``digger-2``."""
    head, sign, number = name.rpartition(UNNAMED if UNNAMED in name else "-")
    return head if sign and number.isdecimal() else name
