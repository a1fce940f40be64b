"""What one photo showed: places on the table, each with a calibrated confidence."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Annotated

from msgspec import Meta

from assistant.table.board import Board
from assistant.table.camera import PointMm
from assistant.table.doubt import Doubt, GroundDoubt, check_doubts
from assistant.table.fields import CellPair, Confidence, HexColor, MarkerId, Name, NotNegative, Positive
from assistant.table.lattice import Cell


@dataclass(frozen=True, slots=True)
class CameraSighting:
    """How well the camera's place is known from the markers found in the photo."""

    reprojection_px: NotNegative
    markers_seen: tuple[MarkerId, ...]


@dataclass(frozen=True, slots=True)
class LatticePose:
    """The lattice on the table: point ``(i, j)`` is at ``origin_mm + cell_mm * R(angle_deg) * (i, j)``."""

    origin_mm: PointMm
    angle_deg: Annotated[float, Meta(ge=0, lt=90)]
    cell_mm: Positive


@dataclass(frozen=True, slots=True)
class SeenTile:
    """A recognised tile side: centre of its bounding box, turn clockwise as seen from above.

    The confidence of what is known, as of a rendered picture, is 1, here and of doors and figures.
    """

    id: Name
    center_mm: PointMm
    rotation_deg: Annotated[float, Meta(ge=0, lt=360)]
    confidence: Confidence = 1.0


@dataclass(frozen=True, slots=True)
class SeenDoor:
    """A standing door by its foot line."""

    from_mm: PointMm
    to_mm: PointMm
    confidence: Confidence = 1.0


@dataclass(frozen=True, slots=True)
class SeenFigure:
    """A miniature by the centre of its base; ``cells`` is empty when it is not on the board."""

    id: Name | None
    kind: Name | None
    ring: HexColor | None
    center_mm: PointMm
    cells: tuple[CellPair, ...]
    confidence: Confidence = 1.0


@dataclass(frozen=True, slots=True)
class SettledDoubt:
    """Something that would be open without one of several photos.

    Args:
        cells: the two cells between which a door might have stood, or those on which a figure might have.
        is_door: whether it was about a door.
        stands: what stands there by all photos, by the names on the board; empty where nothing does.
    """

    cells: tuple[CellPair, ...]
    is_door: bool
    stands: tuple[Name, ...]


@dataclass(frozen=True, slots=True)
class SeenFrom:
    """One of several photos of a table that were read together: its camera, and what it settled."""

    camera: CameraSighting
    settled: tuple[SettledDoubt, ...] = ()


@dataclass(frozen=True)
class Observation:
    """One photo, read, or several of one table read together.

    ``unknown_tiles`` are groups of cells beside the board that look printed and belong to no tile of the set;
    ``ground_doubts`` tell what else lies there or under the board's own cells. ``views`` are the photos where they were
    several; ``camera`` is that of the first.

    Raises:
        BadValue: a doubt is about another board.
    """

    camera: CameraSighting
    grid: LatticePose
    tiles: tuple[SeenTile, ...]
    doors: tuple[SeenDoor, ...]
    figures: tuple[SeenFigure, ...]
    board: Board
    doubts: tuple[Doubt, ...] = ()
    unknown_tiles: tuple[tuple[Cell, ...], ...] = ()
    ground_doubts: tuple[GroundDoubt, ...] = ()
    views: tuple[SeenFrom, ...] = ()

    def __post_init__(self) -> None:
        check_doubts(self.board, self.doubts)


@dataclass(frozen=True, eq=False)
class FrameObservation:
    """What one frame of a camera that watches the table says.

    Args:
        observation: the table as it is read now; what is hidden is reported as it was last seen there.
        hidden: the cells, in the observation's lattice, that cannot be judged in this frame: under a hand or an arm, or
            not still yet.
        reading: grows whenever cells were judged anew. Two looks of one reading are one witness, not two.
        time_s: when the frame was taken, on any clock that only goes forward.
        likeness: how much the figures that were judged anew look as they did before that, by their cells: 1 for one
            that nobody touched, less for one that stands or is turned otherwise, or has another one's place.

    Raises:
        ValueError: a number cannot be.
    """

    observation: Observation
    hidden: frozenset[Cell]
    reading: int
    time_s: float
    likeness: Mapping[tuple[Cell, ...], float] = field(default_factory=lambda: MappingProxyType({}))

    def __post_init__(self) -> None:
        if self.reading < 0 or not math.isfinite(self.time_s):
            raise ValueError(f"reading {self.reading} at {self.time_s} s cannot be")


def table_from_lattice(grid: LatticePose, point: tuple[float, float]) -> PointMm:
    """The table point of a lattice point; halves are the middles of cells."""
    turn_rad = math.radians(grid.angle_deg)
    cosine, sine = math.cos(turn_rad) * grid.cell_mm, math.sin(turn_rad) * grid.cell_mm
    x, y = point
    return (grid.origin_mm[0] + cosine * x - sine * y, grid.origin_mm[1] + sine * x + cosine * y)


def all_table_from_lattice(grid: LatticePose, points: Iterable[tuple[float, float]]) -> list[PointMm]:
    """The table point of each lattice point, in order."""
    return [table_from_lattice(grid, point) for point in points]


def lattice_from_table(grid: LatticePose, place_mm: PointMm) -> tuple[float, float]:
    """The lattice point of a place on the table; cell ``(c, r)`` has those from ``(c, r)`` to below ``(c+1, r+1)``."""
    turn_rad = math.radians(grid.angle_deg)
    x, y = ((place - origin) / grid.cell_mm for place, origin in zip(place_mm, grid.origin_mm, strict=True))
    cosine, sine = math.cos(turn_rad), math.sin(turn_rad)
    return x * cosine + y * sine, y * cosine - x * sine
