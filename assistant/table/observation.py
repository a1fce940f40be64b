"""What one photo showed: places on the table, each with a calibrated confidence."""

from __future__ import annotations

from dataclasses import dataclass
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
