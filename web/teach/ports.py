"""What the teaching page needs from the other rooms, as values and a Protocol of its own.

``assistant.app.teaching.desk`` brings them; the page draws them and takes corrections.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from assistant.table.board import EdgeKind
from assistant.table.lattice import Cell, Edge
from assistant.table.roster import BaseShape


@dataclass(frozen=True)
class TileDraft:
    """A tile side that was read and is not confirmed yet; its picture's upper left cell is (0, 0).

    Args:
        id: what the draft is asked for by.
        size_cells: columns and rows of its picture, which may show more than the tile.
        cells: its cells.
        edges: the kind of every edge of every cell, None where nothing is printed, with how sure that is (0 to 1).
        difficult: every cell with whether it is difficult ground, and how sure that is.
        around: the edges beside it, as far as anything is known of them, should the tile go on there.
        photos: how many photos were read together.
    """

    id: str
    size_cells: tuple[int, int]
    cells: tuple[Cell, ...]
    edges: Mapping[Edge, tuple[EdgeKind | None, float]]
    difficult: Mapping[Cell, tuple[bool, float]]
    around: Mapping[Edge, tuple[EdgeKind | None, float]]
    photos: int


@dataclass(frozen=True)
class FigureBase:
    """A base: its extent in millimetres, and columns and rows that it takes, along the same two directions."""

    shape: BaseShape
    size_mm: tuple[float, float]
    size_cells: tuple[int, int]


@dataclass(frozen=True)
class FigureDraft:
    """A figure that was seen: its base, the colour of its ring, and which rosters hold a ring of that colour."""

    id: str
    base: FigureBase
    ring: str | None
    known_rings: Mapping[str, str]


@dataclass(frozen=True)
class DoorDraft:
    """A door that was seen lying flat."""

    id: str
    width_cells: int
    width_mm: float
    height_mm: float


@dataclass(frozen=True)
class TaughtRoster:
    """A roster as the page lists it: each figure's name, kind, side and ring, and how many doors there are."""

    name: str
    figures: tuple[tuple[str, str, str, str | None], ...]
    doors: int


@dataclass(frozen=True)
class TaughtSet:
    """A tile set as the page lists it."""

    name: str
    sides: tuple[str, ...]


@dataclass(frozen=True)
class ConfirmedTile:
    """A tile side as a person says that it is."""

    set_name: str
    side_id: str
    cells: frozenset[Cell]
    edges: Mapping[Edge, EdgeKind]
    difficult: frozenset[Cell]


@dataclass(frozen=True)
class ConfirmedFigure:
    """A figure as a person says that it is; ``figure_id`` is empty for one more of its kind."""

    roster: str
    figure_id: str
    kind: str
    side: str
    height_mm: float
    ring: str | None
    base: FigureBase


class TeachingDesk(Protocol):
    """Reads photos of tiles, figures and doors, and keeps what was confirmed."""

    def sets(self) -> Sequence[TaughtSet]:
        """The tile sets that are there."""

    def rosters(self) -> Sequence[TaughtRoster]:
        """The rosters that are there."""

    def read_tile(self, photo: bytes, together_with: str | None) -> TileDraft:
        """The tile in a photo, read together with those of a draft before."""

    def read_figure(self, photo: bytes, base_shape: BaseShape | None) -> FigureDraft:
        """The figure in a photo; the shape of its base is told from the photo unless it is said."""

    def read_door(self, photo: bytes) -> DoorDraft:
        """The door in a photo."""

    def picture(self, draft_id: str) -> bytes:
        """What a draft looks like, squared, as PNG."""

    def keep_tile(self, draft_id: str, tile: ConfirmedTile) -> TaughtSet:
        """Puts a confirmed tile side into its set."""

    def keep_figure(self, draft_id: str, figure: ConfirmedFigure) -> TaughtRoster:
        """Puts a confirmed figure into its roster."""

    def keep_door(self, draft_id: str, roster: str, count: int, thickness_mm: float) -> TaughtRoster:
        """Puts the doors into a roster."""

    def exported(self, set_name: str) -> bytes:
        """A tile set as a zip."""

    def imported(self, data: bytes) -> TaughtSet:
        """Keeps the tile set in a zip."""
