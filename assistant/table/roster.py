"""The figures and doors that may be on the table, with their sizes in millimetres."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from msgspec import Meta

from assistant.table.fields import Positive

BaseShape = Literal["round", "rectangle"]

POINT_BYTES = 5
"""Bytes of a point of a view: where it is across and up, then its blue, green and red."""


@dataclass(frozen=True, slots=True)
class LookView:
    """A figure as one photo showed it: points of it with their colours.

    Args:
        tilt_deg: how far from straight above it was seen, 0 to 90.
        points: ``POINT_BYTES`` bytes a point; ``vision.evidence.figure_views`` says what they are.
    """

    tilt_deg: float
    points: bytes


@dataclass(frozen=True, slots=True)
class FigureLook:
    """What was taught of a figure's appearance.

    Args:
        views: how it looks from some sides.
        rim: the colour of its base's rim as ``#rrggbb``; None where it does not stand out.
        picture_png: a small picture for people; empty where there is none.
    """

    views: tuple[LookView, ...] = ()
    rim: str | None = None
    picture_png: bytes = b""


@dataclass(frozen=True, slots=True)
class RosterFigure:
    """A figure of the box.

    ``size`` is columns x rows of the footprint unrotated; ``base_size_mm`` is the base's extent along
    the same two directions (twice the diameter's value for a round one); ``height_mm`` counts from the
    underside of the base; ``ring`` is the colour of the base's rim as ``#rrggbb`` or None; ``look`` is
    what was taught of its appearance, if anything was; ``mark`` is the colour of the mark on the rim that
    tells where it looks, or None.
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
    """The standing doors of the box: how many there are and how large each is."""

    count: Annotated[int, Meta(ge=0, le=10_000)]
    width_cells: Annotated[int, Meta(ge=1, le=10)]
    height_mm: Positive
    thickness_mm: Positive


@dataclass(frozen=True)
class Roster:
    """Everything that may stand on the table."""

    figures: tuple[RosterFigure, ...]
    doors: DoorSpec


UNNAMED = "~"
"""Stands in the names of figures of which the camera knows the kind alone: ``digger~2`` is one of the diggers."""


def kind_of(name: str) -> str:
    """What a figure is, by its name: ``digger~2`` and ``digger-2`` are diggers."""
    head, sign, number = name.rpartition(UNNAMED if UNNAMED in name else "-")
    return head if sign and number.isdecimal() else name
