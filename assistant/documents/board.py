"""``sightline.board/1``: the table as the rules see it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any

from assistant.documents.reading import Wire, decode
from assistant.errors import BadValue
from assistant.table.board import Board, Door, EdgeKind, Figure
from assistant.table.fields import CellPair, Name
from assistant.table.lattice import Cell, Edge
from assistant.translations.messages import said

BOARD_FORMAT = "sightline.board/1"


class EdgeWire(Wire, rename={"start": "from", "end": "to"}):
    """An edge by its two ends, in either order."""

    start: CellPair
    end: CellPair

    @cached_property
    def made(self) -> Edge:
        try:
            return Edge.between(self.start, self.end)
        except ValueError:
            raise BadValue(said("an edge joins two neighbouring lattice points")) from None


class PrintedEdgeWire(EdgeWire):
    """An edge with what is printed on it."""

    kind: EdgeKind


class DoorWire(Wire):
    """A door on the edges that it closes."""

    id: Name
    edges: tuple[EdgeWire, ...]
    open: bool

    @cached_property
    def made(self) -> Door:
        return Door(self.id, tuple(edge.made for edge in self.edges), self.open)


class FigureWire(Wire):
    """A figure of a board, its cells in any order."""

    id: Name
    kind: Name
    side: Name
    cells: tuple[CellPair, ...]

    @cached_property
    def made(self) -> Figure:
        if not self.cells:
            raise BadValue(said("a figure on the board needs at least one cell"), field="cells")
        return Figure(self.id, self.kind, self.side, tuple(sorted(set(self.cells))))


class BoardWire(Wire):
    """A board. ``format`` is checked even if the board is nested in another document."""

    cell_mm: float
    cells: frozenset[CellPair]
    edges: tuple[PrintedEdgeWire, ...]
    doors: tuple[DoorWire, ...]
    figures: tuple[FigureWire, ...]
    difficult: frozenset[CellPair] = frozenset()
    blocking: frozenset[CellPair] = frozenset()
    format: str | None = None

    @cached_property
    def made(self) -> Board:
        return Board(
            cells=self.cells,
            edges=printed_edges(self.edges),
            doors=tuple(door.made for door in self.doors),
            figures=tuple(figure.made for figure in self.figures),
            difficult=self.difficult,
            blocking=self.blocking,
            cell_mm=self.cell_mm,
        )


def board_from_json(data: bytes, document: str = "board") -> Board:
    """Read the board of a ``sightline.board/1`` document.

    Raises:
        DocumentError: the document breaks its format; the field at fault is named.
        BoardError: its parts contradict each other.
    """
    return decode(data, BOARD_FORMAT, BoardWire, document).made


def printed_edges(wires: Iterable[PrintedEdgeWire]) -> dict[Edge, EdgeKind]:
    """Return the edges of the field ``edges`` by position.

    Raises:
        BadValue: the same edge has two kinds.
    """
    edges: dict[Edge, EdgeKind] = {}
    for i, wire in enumerate(wires):
        if edges.setdefault(wire.made, wire.kind) != wire.kind:
            text = said(
                "the same edge is {one} in one place and {another} here", one=edges[wire.made], another=wire.kind
            )
            raise BadValue(text, field=f"edges[{i}].kind")
    return edges


def board_document(board: Board) -> dict[str, Any]:
    """Return the ``sightline.board/1`` document of a board. Lists are sorted, so equal boards give equal documents."""
    return {
        "format": BOARD_FORMAT,
        "cell_mm": board.cell_mm,
        "cells": cells_document(board.cells),
        "difficult": cells_document(board.difficult),
        "blocking": cells_document(board.blocking),
        "edges": edges_document(board.edges),
        **pieces_document(board.figures, board.doors),
    }


def pieces_document(figures: Iterable[Figure], doors: Iterable[Door]) -> dict[str, Any]:
    """Return figures and doors as the documents write them, in the given order."""
    return {
        "doors": [
            {"id": door.id, "edges": [edge_document(edge) for edge in door.edges], "open": door.open} for door in doors
        ],
        "figures": [{"id": f.id, "kind": f.kind, "side": f.side, "cells": [list(c) for c in f.cells]} for f in figures],
    }


def edges_document(edges: Mapping[Edge, EdgeKind]) -> list[dict[str, Any]]:
    """Return printed edges as the documents write them, sorted."""
    return [{**edge_document(edge), "kind": edges[edge]} for edge in sorted(edges)]


def edge_document(edge: Edge) -> dict[str, Any]:
    """Return an edge as the documents write it."""
    return {"from": list(edge.start), "to": list(edge.end)}


def cells_document(cells: Iterable[Cell]) -> list[list[int]]:
    """Return cells as the documents write them, sorted."""
    return [list(cell) for cell in sorted(cells)]
