"""What one photo showed: places on the table, each with a calibrated confidence."""

from __future__ import annotations

from dataclasses import dataclass

from assistant.table.board import Board
from assistant.table.camera import PointMm
from assistant.table.doubt import Doubt, GroundDoubt, check_doubts
from assistant.table.lattice import Cell


@dataclass(frozen=True, slots=True)
class CameraSighting:
    """How well the camera's place is known from the markers found in the photo."""

    reprojection_px: float
    markers_seen: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class LatticePose:
    """The lattice on the table: point ``(i, j)`` is at ``origin_mm + cell_mm * R(angle_deg) * (i, j)``."""

    origin_mm: PointMm
    angle_deg: float
    cell_mm: float


@dataclass(frozen=True, slots=True)
class SeenTile:
    """A recognised tile side: centre of its bounding box, turn clockwise as seen from above."""

    id: str
    center_mm: PointMm
    rotation_deg: float
    confidence: float


@dataclass(frozen=True, slots=True)
class SeenDoor:
    """A standing door by its foot line."""

    from_mm: PointMm
    to_mm: PointMm
    confidence: float


@dataclass(frozen=True, slots=True)
class SeenFigure:
    """A miniature by the centre of its base; ``cells`` is empty when it is not on the board."""

    id: str | None
    kind: str | None
    ring: str | None
    center_mm: PointMm
    cells: tuple[Cell, ...]
    confidence: float


@dataclass(frozen=True, slots=True)
class SettledDoubt:
    """Something that would be open without one of several photos.

    Args:
        cells: the two cells between which a door might have stood, or those on which a figure might have.
        is_door: whether it was about a door.
        stands: what stands there by all photos, by the names on the board; empty where nothing does.
    """

    cells: tuple[Cell, ...]
    is_door: bool
    stands: tuple[str, ...]


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
