"""Readings of one photo or frame: places on the table, each with a calibrated confidence."""

from __future__ import annotations

import cmath
import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
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
    """The source of the light measurement, and the standard deviation of brightness as a share."""

    by: Literal["paper", "prints"]
    uncertainty: NotNegative


@dataclass(frozen=True, slots=True)
class CameraSighting:
    """How a photo's camera pose was determined.

    Args:
        reprojection_px: fit error of markers or prints.
        markers_seen: the ids of the markers found.
        tiles_seen: the tile sides whose prints gave the pose; empty if markers gave it.
        focal_uncertainty: standard deviation of the focal length as a share; 0 for a calibrated lens.
        light: the light measurement, if any.
        marker_scale: size of the printed markers relative to the table's file; 1 if they agree.
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
    """A recognised tile side: centre of its bounding box, rotation clockwise as seen from above.

    Ground truth, as of rendered pictures, has confidence 1, also for doors and figures.
    """

    id: Name
    center_mm: PointMm
    rotation_deg: Annotated[float, Meta(ge=0, lt=360)]
    confidence: Confidence = 1.0


@dataclass(frozen=True, slots=True)
class SeenDoor:
    """A standing door, by its foot line."""

    from_mm: PointMm
    to_mm: PointMm
    confidence: Confidence = 1.0


@dataclass(frozen=True, slots=True)
class SeenFigure:
    """A miniature, by the centre of its base. ``cells`` is empty beside the board."""

    id: Name | None
    kind: Name | None
    ring: HexColor | None
    center_mm: PointMm
    cells: tuple[CellPair, ...]
    confidence: Confidence = 1.0


@dataclass(frozen=True, slots=True)
class FallenFigure:
    """A miniature that lies across cells of the board and stands nowhere."""

    cells: tuple[CellPair, ...]
    confidence: Confidence = 1.0


@dataclass(frozen=True, slots=True)
class SettledDoubt:
    """A doubt that one of several photos settled.

    Args:
        cells: the two cells beside the possible door, or the cells of the possible figure.
        is_door: whether it was about a door.
        stands: the names of the pieces there by all photos, or empty.
    """

    cells: tuple[CellPair, ...]
    is_door: bool
    stands: tuple[Name, ...]


@dataclass(frozen=True, slots=True)
class SeenFrom:
    """One of several photos read together: its camera, and the doubts that it settled."""

    camera: CameraSighting
    settled: tuple[SettledDoubt, ...] = ()


@dataclass(frozen=True)
class Observation:
    """The reading of one photo, or of several photos of one table together.

    ``unknown_tiles`` are groups of cells beside the board that look printed but match no tile of the set. The
    ``ground_doubts`` are about these and about the board's own cells. With several photos, ``views`` lists them, and
    ``camera`` is the first one's. ``worlds`` are mutually independent doubts, with all pieces that belong together in
    each variant. ``doubts`` are the same for single pieces. The ``covered`` cells have something across them, or a
    deep shadow, though no figure stands there. ``fallen`` are the figures that lie on the board.

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
    covered: tuple[Cell, ...] = ()
    fallen: tuple[FallenFigure, ...] = ()

    def __post_init__(self) -> None:
        check_doubts(self.board, self.doubts)
        check_doubts(self.board, self.worlds, "worlds")

    @property
    def table(self) -> DoubtfulBoard:
        """The board with its doubts, for rulings."""
        return DoubtfulBoard(self.board, self.doubts, self.ground_doubts, self.worlds)


def in_frames_of(other: Observation, seen: Observation) -> Iterator[Observation]:
    """Yield a reading in the table's frame of another one, as each tile that both show places it.

    Without a marker in sight, each reading has a frame of its own. Readings by markers share theirs, and one without a
    common tile stays unchanged. The lattice keeps the names of its cells, so its angle may exceed a quarter turn.

    Args:
        other: the reading whose frame it is.
        seen: the reading to convert. Its camera stays unchanged.
    """
    places = {tile.id: tile for tile in other.tiles}
    shared = [(tile, places[tile.id]) for tile in seen.tiles if tile.id in places]
    if not shared or (seen.camera.markers_seen and other.camera.markers_seen):
        yield seen
        return
    for before, after in shared:
        yield _moved(seen, before, after)


def _moved(seen: Observation, before: SeenTile, after: SeenTile) -> Observation:
    """Return the reading with one tile, and all else with it, at another pose."""
    turn_deg = after.rotation_deg - before.rotation_deg
    turn = cmath.exp(1j * math.radians(turn_deg))

    def moved_mm(place_mm: PointMm) -> PointMm:
        place = complex(*after.center_mm) + turn * (complex(*place_mm) - complex(*before.center_mm))
        return place.real, place.imag

    grid = replace(seen.grid, origin_mm=moved_mm(seen.grid.origin_mm), angle_deg=seen.grid.angle_deg + turn_deg)
    return replace(
        seen,
        grid=grid,
        tiles=tuple(
            replace(tile, center_mm=moved_mm(tile.center_mm), rotation_deg=tile.rotation_deg + turn_deg)
            for tile in seen.tiles
        ),
        doors=tuple(replace(d, from_mm=moved_mm(d.from_mm), to_mm=moved_mm(d.to_mm)) for d in seen.doors),
        figures=tuple(replace(figure, center_mm=moved_mm(figure.center_mm)) for figure in seen.figures),
    )


@dataclass(frozen=True, eq=False)
class FrameObservation:
    """The reading of one frame of a live camera.

    Args:
        observation: the present table; hidden cells keep their last visible state.
        hidden: the cells, in the observation's lattice, that cannot be judged in this frame: under a hand or an arm, or
            still moving.
        reading: a number that increases when cells are judged again; two frames of one reading are a single piece of
            evidence.
        time_s: the time of the frame, on any monotonic clock.
        likeness: for each figure judged again, its likeness to its earlier picture, by its cells: 1 if nobody touched
            it, less if it moved, turned or took another's place.

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
    """Convert a lattice point to a table point. Half-integer points are the centres of cells."""
    turn_rad = math.radians(grid.angle_deg)
    cosine, sine = math.cos(turn_rad) * grid.cell_mm, math.sin(turn_rad) * grid.cell_mm
    x, y = point
    return (grid.origin_mm[0] + cosine * x - sine * y, grid.origin_mm[1] + sine * x + cosine * y)


def all_table_from_lattice(grid: LatticePose, points: Iterable[tuple[float, float]]) -> list[PointMm]:
    """Convert many lattice points to table points."""
    return [table_from_lattice(grid, point) for point in points]


def lattice_from_table(grid: LatticePose, place_mm: PointMm) -> tuple[float, float]:
    """Convert a table point to lattice coordinates. Cell ``(c, r)`` spans ``(c, r)`` to below ``(c+1, r+1)``."""
    turn_rad = math.radians(grid.angle_deg)
    x, y = ((place - origin) / grid.cell_mm for place, origin in zip(place_mm, grid.origin_mm, strict=True))
    cosine, sine = math.cos(turn_rad), math.sin(turn_rad)
    return x * cosine + y * sine, y * cosine - x * sine
