"""The printed tiles, each side in a lattice of its own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from assistant.errors import UnknownName
from assistant.table.board import EdgeKind
from assistant.table.lattice import Cell, Edge
from assistant.translations.messages import said


@dataclass(frozen=True)
class TileSide:
    """One printed side of a tile. ``image`` is a file name inside the tile set's folder."""

    id: str
    image: str
    cells: frozenset[Cell]
    edges: Mapping[Edge, EdgeKind] = field(default_factory=dict)
    difficult: frozenset[Cell] = frozenset()

    @cached_property
    def bounds(self) -> tuple[int, int, int, int]:
        """Smallest column and row, and columns and rows of the bounding box of the cells."""
        columns = [c for c, _ in self.cells]
        rows = [r for _, r in self.cells]
        left, top = min(columns), min(rows)
        return left, top, max(columns) - left + 1, max(rows) - top + 1


@dataclass(frozen=True)
class TileSet:
    """All tile sides of a game, with the scale of their pictures.

    ``in_white_light`` means that the pictures are print files or were white-balanced by a sheet of paper. Otherwise
    they keep the light of their photos.
    """

    name: str
    cell_mm: float
    pixels_per_cell: int
    thickness_mm: float
    sides: tuple[TileSide, ...]
    in_white_light: bool = True

    @cached_property
    def side_by_id(self) -> Mapping[str, TileSide]:
        return {side.id: side for side in self.sides}

    def side(self, side_id: str) -> TileSide:
        """Return the tile side of that name.

        Raises:
            UnknownName: the set holds no such side.
        """
        try:
            return self.side_by_id[side_id]
        except KeyError:
            raise UnknownName(
                said("there is no tile “{side_id}” in the tile set “{name}”", side_id=side_id, name=self.name)
            ) from None
