"""Drafts of taught things, and a person's confirmations of them, as frozen values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from assistant.table.board import EdgeKind
from assistant.table.lattice import Cell, Edge
from assistant.table.roster import BaseShape


@dataclass(frozen=True)
class TileDraft:
    """A tile side that was read and awaits confirmation; its picture's upper left cell is (0, 0).

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
    """A base: its size in millimetres, and in columns and rows along the same two directions."""

    shape: BaseShape
    size_mm: tuple[float, float]
    size_cells: tuple[int, int]


@dataclass(frozen=True)
class FigureDraft:
    """A figure that was read: its base, the colour of its ring, and the rosters with a ring of that colour.

    ``known_rings`` holds for each roster the ring by the kind that the figure may be; "" stands for
    one that is not in it. ``agreeing`` of the ``photos`` show that base.
    """

    id: str
    base: FigureBase
    ring: str | None
    known_rings: Mapping[str, Mapping[str, str]]
    agreeing: int
    photos: int


@dataclass(frozen=True)
class DoorDraft:
    """A door that was read lying flat."""

    id: str
    width_cells: int
    width_mm: float
    height_mm: float


@dataclass(frozen=True)
class TaughtRoster:
    """A roster in the page's list: each figure's name, kind, side and ring, and the number of doors."""

    name: str
    figures: tuple[tuple[str, str, str, str | None], ...]
    doors: int


@dataclass(frozen=True)
class TaughtSet:
    """A tile set in the page's list."""

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
    """A figure as a person confirmed it; ``figure_id`` is empty for one more of its kind."""

    roster: str
    figure_id: str
    kind: str
    side: str
    height_mm: float
    ring: str | None
    base: FigureBase
