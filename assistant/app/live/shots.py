"""A read picture, with everything that is drawn over it; the page sees nothing else of camera and reader."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

from assistant.table.board import Board
from assistant.table.camera import PointMm, TableMarkers
from assistant.table.doubt import DoubtfulBoard
from assistant.table.observation import Observation
from assistant.table.roster import Roster
from assistant.table.statements import Statements
from assistant.table.tiles import TileSet
from calibration.lens_model import PlacedCamera
from calibration.pose import CameraView

PointPx = tuple[float, float]
"""A place in the picture: x right, y down, pixel centres at integers."""

ShotSource = Literal["photo", "live"]


class PictureProjection(Protocol):
    """Where points of the table appear: in a camera's picture (``PageView``) or on a plan that the page draws."""

    def image_from_table(self, points_mm: Sequence[PointMm], height_mm: float = 0.0) -> list[PointPx]:
        """Return the pixel of each table point ``(x, y)`` that is ``height_mm`` above the table."""


@dataclass(frozen=True)
class PageView:
    """The lens of a picture and where it stood, in the page's plain tuples."""

    view: CameraView

    @property
    def placed(self) -> PlacedCamera:
        return self.view.placed

    def image_from_table(self, points_mm: Sequence[PointMm], height_mm: float = 0.0) -> list[PointPx]:
        pixels: list[list[float]] = self.view.image_from_table(list(points_mm), height_mm).tolist()
        return [(x, y) for x, y in pixels]


@dataclass(frozen=True)
class Picture:
    """A JPEG for the page; coordinates count in ``width_px`` x ``height_px``, whatever the JPEG's own size.

    ``small_jpeg`` is the same picture for lists of many; it is empty where nobody made one.
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
    markers: TableMarkers | None = None
    """The printed markers, where they are known."""


@dataclass(frozen=True)
class ReadPicture:
    """A picture with its reading, and the projection for drawing over it.

    ``sides`` are JPEGs of the same table from other sides that were read together with it.
    """

    picture: Picture
    observation: Observation
    view: PageView
    sides: tuple[bytes, ...] = ()


@dataclass(frozen=True)
class Shot:
    """A named picture that the page can show."""

    id: str
    source: ShotSource
    read: ReadPicture
    setup: SetUp
    taken_at_s: float
    """Seconds since 1970, for people; nothing is ordered by it."""
    corrected: Board | None = None
    """The board as a person set it right, or as “what if”; None leaves what was seen."""
    statements: Statements = field(default_factory=Statements)
    """People's statements about this picture, which settle doubts of the reader."""
    is_still: bool = True
    """Whether picture and board are of one moment, with nothing moving over the table."""

    @property
    def board(self) -> Board:
        """The board for rulings."""
        return self.read.observation.board if self.corrected is None else self.corrected

    @property
    def table(self) -> DoubtfulBoard:
        """The board with the doubts that the camera left, without the ones that a person settled."""
        observed = self.read.observation
        seen = observed.table
        if self.corrected is None:
            return seen
        table, stated = seen.corrected(self.corrected), self.statements.on(self.corrected)
        left = tuple(doubt for doubt in map(stated.settle, table.doubts) if doubt is not None)
        return DoubtfulBoard(table.board, left, table.ground_doubts)
