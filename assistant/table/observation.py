"""Readings of one photo or frame: places on the table, each with a calibrated confidence."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Annotated, Literal

from msgspec import Meta

from assistant.table.board import Board
from assistant.table.camera import PointMm
from assistant.table.doubt import Doubt, DoubtfulBoard, GroundDoubt, check_doubts
from assistant.table.fields import CellPair, Confidence, HexColor, MarkerId, Name, NotNegative, Positive
from assistant.table.lattice import Cell


@dataclass(frozen=True, slots=True)
class LightSighting:
    """What the light was measured on, and the standard deviation of its brightness as a share."""

    by: Literal["paper", "prints"]
    uncertainty: NotNegative


@dataclass(frozen=True, slots=True)
class CameraSighting:
    """How the camera's pose was found in a photo.

    Args:
        reprojection_px: misfit of markers or prints.
        markers_seen: the markers found.
        tiles_seen: the tile sides whose prints gave the pose; empty where markers gave it.
        focal_uncertainty: standard deviation of the focal length as a share; 0 for a calibrated lens.
        light: how the light was measured, where it was.
        marker_scale: size of the printed markers as a share of what the table's file says; 1 where it agrees.
    """

    reprojection_px: NotNegative
    markers_seen: tuple[MarkerId, ...]
    tiles_seen: tuple[Name, ...] = ()
    focal_uncertainty: NotNegative = 0.0
    light: LightSighting | None = None
    marker_scale: Positive = 1.0


@dataclass(frozen=True, slots=True)
class LatticePose:
    """The pose of the lattice: point ``(i, j)`` is at ``origin_mm + cell_mm * R(angle_deg) * (i, j)``."""

    origin_mm: PointMm
    angle_deg: Annotated[float, Meta(ge=0, lt=90)]
    cell_mm: Positive


@dataclass(frozen=True, slots=True)
class SeenTile:
    """A recognised tile side: centre of its bounding box, turn clockwise as seen from above.

    Known truths, as of rendered pictures, have the confidence 1, also those of doors and figures.
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
    """A miniature by the centre of its base; ``cells`` is empty beside the board."""

    id: Name | None
    kind: Name | None
    ring: HexColor | None
    center_mm: PointMm
    cells: tuple[CellPair, ...]
    confidence: Confidence = 1.0


@dataclass(frozen=True, slots=True)
class SettledDoubt:
    """A doubt that one of several photos settled.

    Args:
        cells: the two cells beside the possible door, or those of the possible figure.
        is_door: whether it was about a door.
        stands: the names on the board of the pieces there by all photos; empty for none.
    """

    cells: tuple[CellPair, ...]
    is_door: bool
    stands: tuple[Name, ...]


@dataclass(frozen=True, slots=True)
class SeenFrom:
    """One of several photos that were read together: its camera, and the doubts that it settled."""

    camera: CameraSighting
    settled: tuple[SettledDoubt, ...] = ()


@dataclass(frozen=True)
class Observation:
    """The reading of one photo, or of several of one table together.

    ``unknown_tiles`` are groups of cells beside the board that look printed and belong to no tile of the set. The
    ``ground_doubts`` are about these and about the board's own cells. ``views`` are several photos; ``camera`` is that
    of the first. ``worlds`` are the doubts that do not depend on each other, with all pieces that belong together in
    each variant; ``doubts`` are the same for single pieces.

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
    worlds: tuple[Doubt, ...] = ()

    def __post_init__(self) -> None:
        check_doubts(self.board, self.doubts)
        check_doubts(self.board, self.worlds, "worlds")

    @property
    def table(self) -> DoubtfulBoard:
        """The board with its doubts, for rulings."""
        return DoubtfulBoard(self.board, self.doubts, self.ground_doubts, self.worlds)


@dataclass(frozen=True, eq=False)
class FrameObservation:
    """The reading of one frame of a live camera.

    Args:
        observation: the table now; hidden cells hold what was last seen there.
        hidden: the cells, in the observation's lattice, that cannot be judged in this frame: under a hand or an arm, or
            not still yet.
        reading: a number that grows when cells are judged anew. Two frames of one reading are one piece of evidence.
        time_s: the time of the frame, on any clock that only goes forward.
        likeness: the likeness of each figure that was judged anew to itself before, by its cells: 1 if nobody touched
            it, less if it moved, turned or took another one's place.

    Raises:
        ValueError: a number is out of range.
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
    """Return the table point of a lattice point; halves are the middles of cells."""
    turn_rad = math.radians(grid.angle_deg)
    cosine, sine = math.cos(turn_rad) * grid.cell_mm, math.sin(turn_rad) * grid.cell_mm
    x, y = point
    return (grid.origin_mm[0] + cosine * x - sine * y, grid.origin_mm[1] + sine * x + cosine * y)


def all_table_from_lattice(grid: LatticePose, points: Iterable[tuple[float, float]]) -> list[PointMm]:
    """``table_from_lattice`` of many points."""
    return [table_from_lattice(grid, point) for point in points]


def lattice_from_table(grid: LatticePose, place_mm: PointMm) -> tuple[float, float]:
    """The lattice point of a place on the table; cell ``(c, r)`` has those from ``(c, r)`` to below ``(c+1, r+1)``."""
    turn_rad = math.radians(grid.angle_deg)
    x, y = ((place - origin) / grid.cell_mm for place, origin in zip(place_mm, grid.origin_mm, strict=True))
    cosine, sine = math.cos(turn_rad), math.sin(turn_rad)
    return x * cosine + y * sine, y * cosine - x * sine
