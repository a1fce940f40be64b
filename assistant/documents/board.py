"""``sightline.board/1``: the table as the rules see it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from msgspec import Struct

from assistant.documents.reading import CellPair, Name, decode
from assistant.errors import BadValue, InputError
from assistant.table.board import Board, Door, EdgeKind, Figure
from assistant.table.lattice import Cell, Edge
from assistant.translations.messages import said

BOARD_FORMAT = "sightline.board/1"


class EdgeWire(Struct, rename={"start": "from", "end": "to"}):
    """An edge as the documents write it."""

    start: CellPair
    end: CellPair


class PrintedEdgeWire(EdgeWire):
    """An edge with what is printed on it."""

    kind: EdgeKind


class DoorWire(Struct):
    """A door as the documents write it."""

    id: Name
    edges: list[EdgeWire]
    open: bool


class FigureWire(Struct):
    """A figure of a board as the documents write it."""

    id: Name
    kind: Name
    side: Name
    cells: list[CellPair]


class BoardWire(Struct):
    """The fields of a board document; ``format`` is looked at where a board stands inside another document."""

    cell_mm: float
    cells: list[CellPair]
    edges: list[PrintedEdgeWire]
    doors: list[DoorWire]
    figures: list[FigureWire]
    difficult: list[CellPair] = []
    blocking: list[CellPair] = []
    format: str | None = None


def board_from_json(data: bytes, document: str = "board") -> Board:
    """The board of a ``sightline.board/1`` document.

    Raises:
        DocumentError: the document breaks its format; the field at fault is named.
        BoardError: its parts contradict each other.
    """
    return board_from_wire(decode(data, BOARD_FORMAT, BoardWire, document), document)


def board_from_wire(wire: BoardWire, document: str, within: str = "") -> Board:
    """The board of fields that were read; ``within`` is put before every field that is named, as ``board.``.

    Raises:
        DocumentError: an edge is none, or one edge has two kinds.
        BoardError: the parts contradict each other.
    """
    doors, figures = doors_from_wires(wire.doors, document, within), figures_from_wires(wire.figures, document, within)
    edges = printed_edges(wire.edges, f"{within}edges", document)
    try:
        return Board(
            cells=frozenset(wire.cells),
            edges=edges,
            doors=doors,
            figures=figures,
            difficult=frozenset(wire.difficult),
            blocking=frozenset(wire.blocking),
            cell_mm=wire.cell_mm,
        )
    except InputError as problem:
        raise problem.in_document(document, within) from None


def doors_from_wires(wires: Iterable[DoorWire], document: str, within: str) -> tuple[Door, ...]:
    """The doors of fields that were read; ``within`` is put before every field that is named.

    Raises:
        BadValue: an edge joins no neighbours.
    """
    return tuple(
        Door(
            id=door.id,
            edges=tuple(_edge(edge, f"{within}doors[{i}].edges[{j}]", document) for j, edge in enumerate(door.edges)),
            open=door.open,
        )
        for i, door in enumerate(wires)
    )


def figures_from_wires(wires: Iterable[FigureWire], document: str, within: str) -> tuple[Figure, ...]:
    """The figures of fields that were read; ``within`` is put before every field that is named.

    Raises:
        BadValue: one stands on no cell.
    """
    return tuple(_figure(figure, f"{within}figures[{i}]", document) for i, figure in enumerate(wires))


def printed_edges(wires: Iterable[PrintedEdgeWire], where: str, document: str) -> dict[Edge, EdgeKind]:
    """The edges by their places.

    Raises:
        BadValue: an edge joins no neighbours, or the same edge has two kinds.
    """
    edges: dict[Edge, EdgeKind] = {}
    for i, wire in enumerate(wires):
        edge = _edge(wire, f"{where}[{i}]", document)
        if edges.setdefault(edge, wire.kind) != wire.kind:
            text = said("the same edge is {one} in one place and {another} here", one=edges[edge], another=wire.kind)
            raise BadValue(text, document=document, field=f"{where}[{i}].kind")
    return edges


def board_document(board: Board) -> dict[str, Any]:
    """The ``sightline.board/1`` document of a board; lists are sorted, so equal boards give equal documents."""
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
    """Figures and doors as the documents write them, in the order given."""
    return {
        "doors": [
            {"id": door.id, "edges": [edge_document(edge) for edge in door.edges], "open": door.open} for door in doors
        ],
        "figures": [{"id": f.id, "kind": f.kind, "side": f.side, "cells": [list(c) for c in f.cells]} for f in figures],
    }


def edges_document(edges: Mapping[Edge, EdgeKind]) -> list[dict[str, Any]]:
    """Printed edges as the documents write them, sorted."""
    return [{**edge_document(edge), "kind": edges[edge]} for edge in sorted(edges)]


def edge_document(edge: Edge) -> dict[str, Any]:
    """An edge as the documents write it."""
    return {"from": list(edge.start), "to": list(edge.end)}


def _edge(wire: EdgeWire, where: str, document: str) -> Edge:
    try:
        return Edge.between(wire.start, wire.end)
    except ValueError:
        raise BadValue(said("an edge joins two neighbouring lattice points"), document=document, field=where) from None


def _figure(wire: FigureWire, where: str, document: str) -> Figure:
    if not wire.cells:
        raise BadValue(said("a figure on the board needs at least one cell"), document=document, field=f"{where}.cells")
    return Figure(wire.id, wire.kind, wire.side, tuple(sorted(set(wire.cells))))


def cells_document(cells: Iterable[Cell]) -> list[list[int]]:
    """Cells as the documents write them, sorted."""
    return [list(cell) for cell in sorted(cells)]
