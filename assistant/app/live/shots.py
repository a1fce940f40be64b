"""A read picture and everything to draw over it: all that the page sees of camera and reader."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

from assistant.table.board import Board
from assistant.table.camera import Calibration, PointMm, TableMarkers
from assistant.table.doubt import DoubtfulBoard
from assistant.table.observation import Observation
from assistant.table.roster import Roster
from assistant.table.statements import Statements
from assistant.table.tiles import TileSet
from calibration.lens_model import PlacedCamera
from calibration.pose import CameraView

PointPx = tuple[float, float]
"""A point in the picture: x right, y down, pixel centres at integers."""

ShotSource = Literal["photo", "live"]


class PictureProjection(Protocol):
    """Projects table points into a camera's picture (``PageView``) or onto a plan that the page draws."""

    def image_from_table(self, points_mm: Sequence[PointMm], height_mm: float = 0.0) -> list[PointPx]:
        """Return the pixel of each table point ``(x, y)`` that is ``height_mm`` above the table."""


@dataclass(frozen=True)
class PageView:
    """The lens and pose of a picture, in plain tuples for the page."""

    view: CameraView

    @property
    def placed(self) -> PlacedCamera:
        return self.view.placed

    def image_from_table(self, points_mm: Sequence[PointMm], height_mm: float = 0.0) -> list[PointPx]:
        pixels: list[list[float]] = self.view.image_from_table(list(points_mm), height_mm).tolist()
        return [(x, y) for x, y in pixels]


@dataclass(frozen=True)
class Picture:
    """A JPEG for the page. Coordinates are in ``width_px`` x ``height_px``, whatever the JPEG's own size.

    ``small_jpeg`` is the same picture for long lists, or empty.
    """

    jpeg: bytes
    width_px: int
    height_px: int
    small_jpeg: bytes = b""


@dataclass(frozen=True)
class SetUp:
    """The documents of a reading, and their names."""

    name: str
    roster: Roster
    tiles: TileSet
    sources: Mapping[str, str]
    """The origins of ``table``, ``camera``, ``tiles`` and ``roster``, in words for the page."""
    is_simulated: bool = False


@dataclass(frozen=True)
class ReadPicture:
    """A picture with its reading, the projection for drawing over it, and what it was read with.

    ``calibration`` may differ from the set-up's documents: a watched camera's zoom changes, or a marker is pushed.
    ``sides`` are JPEGs of the same table from other sides that were read together with it. ``has_one_camera`` is
    whether the picture's own camera took them; otherwise their lens is estimated. ``as_read`` is the reading of a
    watched table in the same lattice, before tracking and people's corrections made it the believed table.
    """

    picture: Picture
    observation: Observation
    view: PageView
    calibration: Calibration
    sides: tuple[bytes, ...] = ()
    has_one_camera: bool = True
    as_read: Observation | None = None


@dataclass(frozen=True)
class Shot:
    """A named picture that the page can show."""

    id: str
    source: ShotSource
    read: ReadPicture
    setup: SetUp
    taken_at_s: float
    """Seconds since 1970, for display only, never for ordering."""
    corrected: Board | None = None
    """The board as a person corrected it, or as “what if”. None means the reading's board."""
    statements: Statements = field(default_factory=Statements)
    """People's statements about this picture, which settle the reader's doubts."""
    is_still: bool = True
    """Whether picture and board show the same moment, with nothing moving over the table."""

    @property
    def board(self) -> Board:
        """The board for rulings."""
        return self.read.observation.board if self.corrected is None else self.corrected

    @property
    def markers(self) -> TableMarkers | None:
        """The printed markers where and as large as the picture shows them, if known."""
        markers = self.read.calibration.markers
        return markers.scaled(self.read.observation.camera.marker_scale) if markers.markers else None

    @property
    def table(self) -> DoubtfulBoard:
        """The board with the camera's doubts, without those that a person settled."""
        observed = self.read.observation
        seen = observed.table
        if self.corrected is None:
            return seen
        table, stated = seen.corrected(self.corrected), self.statements.on(self.corrected)
        doubts, worlds = stated.settle_all(table.doubts, table.worlds)
        return DoubtfulBoard(table.board, doubts, table.ground_doubts, worlds)
