"""Drafts of taught things, and people's confirmations of them, as frozen values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from assistant.table.board import EdgeKind
from assistant.table.lattice import Cell, Edge
from assistant.table.roster import BaseShape


@dataclass(frozen=True)
class TileDraft:
    """An unconfirmed reading of a tile side. Its picture's upper left cell is (0, 0).

    Args:
        id: its id in requests.
        size_cells: columns and rows of its picture, which may exceed the tile.
        cells: its cells.
        edges: the kind of every cell's every edge, None if nothing is printed, with its confidence (0 to 1).
        difficult: whether each cell is difficult ground, with its confidence.
        around: the known edges beside it, in case the tile extends there.
        photos: the number of photos read together.
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
    """A base: its size in millimetres, and in columns and rows along the same two axes."""

    shape: BaseShape
    size_mm: tuple[float, float]
    size_cells: tuple[int, int]


@dataclass(frozen=True)
class FigureDraft:
    """An unconfirmed reading of a figure: its base, its ring colour, and rosters with a ring of that colour.

    ``known_rings`` maps each roster to its rings by possible kind. "" stands for a kind outside the roster.
    The ``photos`` show it from that many different ``sides``.
    """

    id: str
    base: FigureBase
    ring: str | None
    known_rings: Mapping[str, Mapping[str, str]]
    sides: int
    photos: int


@dataclass(frozen=True)
class DoorDraft:
    """An unconfirmed reading of a door that lies flat."""

    id: str
    width_cells: int
    width_mm: float
    height_mm: float


@dataclass(frozen=True)
class TaughtRoster:
    """An entry in the page's list of rosters: each figure's name, kind, side and ring, and the number of doors."""

    name: str
    figures: tuple[tuple[str, str, str, str | None], ...]
    doors: int


@dataclass(frozen=True)
class TaughtSet:
    """An entry in the page's list of tile sets."""

    name: str
    sides: tuple[str, ...]


@dataclass(frozen=True)
class ConfirmedTile:
    """A tile side as a person confirmed it."""

    set_name: str
    side_id: str
    cells: frozenset[Cell]
    edges: Mapping[Edge, EdgeKind]
    difficult: frozenset[Cell]


@dataclass(frozen=True)
class ConfirmedFigure:
    """A figure as a person confirmed it. ``figure_id`` is empty for another figure of its kind."""

    roster: str
    figure_id: str
    kind: str
    side: str
    height_mm: float
    ring: str | None
    base: FigureBase
