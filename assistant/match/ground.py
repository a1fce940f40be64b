"""The table of a match: from the camera's documents to tables for the rules."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any

import msgspec
from msgspec.structs import replace

from assistant.documents import board_document, board_from_json, free_table_from_json
from assistant.errors import IllegalStep
from assistant.match.game import Cells, GameState, Piece, require
from assistant.table.board import Board, Door, Figure
from assistant.table.cell_names import CellNames
from assistant.table.free_table import FreeTable
from assistant.table.lattice import Cell
from assistant.translations.messages import Said, named, said

_NUMBERED_DOOR = re.compile(r"d(oor)?[^a-zA-Z]*")
"""The camera's own door names: numbers that mean nothing to people at the table."""

BOARD = "sightline.board/1"
FREE_TABLE = "sightline.free-table/1"

RULE_MARKS = frozenset({"leader", "camouflaged", "down", "fleeing", "fear", "terror"})
"""Marks of a figure that change distances and sight on a free table."""


def ground_of(document: dict[str, Any]) -> tuple[str, tuple[str, ...]]:
    """Return the stored text of a table document, and the names of its open doors.

    The text of a board omits its figures. A free table keeps them, since only it describes their bases and values.

    Raises:
        DocumentError: the document breaks its format.
        BoardError: the board contradicts itself.
    """
    data = msgspec.json.encode(document)
    if document.get("format") == FREE_TABLE:
        free_table_from_json(data, "free table")
        return data.decode(), ()
    board = board_from_json(data, "board")
    doors_open = tuple(door.id for door in board.doors if door.open)
    return msgspec.json.encode(board_document(_replace_parts(board, board.doors, ()))).decode(), doors_open


def find_pieces(game: GameState, document: dict[str, Any]) -> tuple[Piece, ...]:
    """Return the match's figures in the document, at their places there."""
    found = []
    for seen in document["figures"]:
        piece = game.pieces.get(seen["id"])
        if piece is None:
            continue
        cells = tuple(sorted((c, r) for c, r in seen.get("cells", ())))
        center = seen.get("center_mm")
        found.append(
            replace(
                piece,
                cells=cells,
                center_mm=None if center is None else (center[0], center[1]),
                elevation_mm=None,
                on_table=True,
            )
        )
    return tuple(found)


def move_aside(game: GameState, taken: frozenset[Cell]) -> tuple[Piece, ...]:
    """Remove the place of every figure whose cells are taken or missing on the new board: its place is unknown."""
    board = read_board(game.ground) if BOARD in game.ground else None
    passing = game.in_passing()
    return tuple(
        replace(piece, cells=())
        for piece in game.standing()
        if (taken & set(piece.cells) and piece.id not in passing)
        or (board is not None and not set(piece.cells) <= board.cells)
    )


def require_on_board(game: GameState, cells: Cells) -> None:
    """Require that the board, if known, has these cells.

    Raises:
        IllegalStep: it does not.
    """
    if BOARD not in game.ground:
        return
    stray = sorted(set(cells) - read_board(game.ground).cells)
    require(
        not stray,
        said("{cells} is not on the board; choose cells that are drawn", cells=str([list(cell) for cell in stray])),
    )


def table_of(game: GameState) -> Board | FreeTable:
    """Return the table of this moment, with the match's figures and doors.

    Raises:
        IllegalStep: the match has not seen the table.
    """
    return free_table_of(game) if FREE_TABLE in game.ground else board_of(game)


def board_of(game: GameState) -> Board:
    """Return the board of this moment, for a game played on cells.

    Raises:
        IllegalStep: the match has not seen the table.
    """
    _require_seen(game)
    bare = read_board(game.ground)
    figures = tuple(_list_figures(game))
    doors = tuple(Door(door.id, door.edges, door.id in game.doors_open) for door in bare.doors)
    return _replace_parts(bare, doors, figures)


def _list_figures(game: GameState) -> Iterator[Figure]:
    """Yield the figures of a board, with at most one figure per cell.

    A figure in the middle of its move owns the cells that it shares; the acting one comes before an interrupted one. A
    friend keeps its other cells, each as a separate figure, since together they form no rectangle.
    """
    standing, passing = [piece for piece in game.standing() if piece.cells], game.in_passing()
    if passing:
        acting = game.mover().figure
        standing.sort(key=lambda piece: (piece.id != acting, piece.id not in passing))
    taken: set[Cell] = set()
    for piece in standing:
        cells = tuple(sorted(piece.cells))
        left = tuple(cell for cell in cells if cell not in taken)
        taken.update(cells)
        if left == cells:
            yield Figure(piece.id, piece.kind, piece.side, cells)
            continue
        for n, cell in enumerate(left):
            yield Figure(piece.id if n == 0 else f"{piece.id}/{n}", piece.kind, piece.side, (cell,))


def list_changed_terrain(ground: str, document: Mapping[str, Any]) -> list[str]:
    """Return the terrain pieces that came, went or moved on a table without a grid."""
    if FREE_TABLE not in ground or document.get("format") != FREE_TABLE:
        return []
    before, now = (
        {piece["id"]: piece for piece in one.get("terrain", ())}
        for one in (msgspec.json.decode(ground), msgspec.json.decode(msgspec.json.encode(document)))
    )
    return sorted(name for name in {*before, *now} if before.get(name) != now.get(name))


def free_table_of(game: GameState) -> FreeTable:
    """Return the free table of this moment, for a game played without cells.

    Raises:
        IllegalStep: the match has not seen the table.
    """
    _require_seen(game)
    return _free_table_with(game.ground, tuple(piece for piece in game.pieces.values() if piece.on_table))


@lru_cache(maxsize=8)
def _free_table_with(ground: str, pieces: tuple[Piece, ...]) -> FreeTable:
    """Return the table of a document with these pieces, cached because every prompt, way and ruling needs it."""
    document, standing = msgspec.json.decode(ground), {piece.id: piece for piece in pieces}
    figures = []
    for figure in document["figures"]:
        piece = standing.get(figure["id"])
        if piece is None:
            continue
        marks = sorted(RULE_MARKS.intersection((*piece.marks, *figure.get("marks", ()))))
        place = piece.center_mm or tuple(figure["center_mm"])
        height = {} if piece.elevation_mm is None else {"elevation_mm": piece.elevation_mm}
        figures.append({**figure, **height, "center_mm": place, "wounds": piece.harm, "marks": marks})
    return _read_free_table(msgspec.json.encode({**document, "figures": figures}))


def _require_seen(game: GameState) -> None:
    if not game.ground:
        raise IllegalStep(said("the match has not seen the table yet; take a photo or load a board first"))


def door_of(game: GameState, door_id: str) -> Door:
    """Return the door of that name in its present state.

    Raises:
        IllegalStep: the table has no such door.
    """
    for door in read_board(game.ground).doors if game.ground else ():
        if door.id == door_id:
            return Door(door.id, door.edges, door_id in game.doors_open)
    raise IllegalStep(said("there is no door “{door}” on this table; choose one that is drawn", door=door_id))


def door_in_words(game: GameState, door: Door) -> Said:
    """Return a door's name for people: the spaces beside it, and its own name if the mission gives one."""
    place = CellNames.of(board_of(game)).between({cell for edge in door.edges for cell in edge.cells})
    if _NUMBERED_DOOR.fullmatch(door.id):
        return said("the door {place}", place=place)
    return said("{door} ({place})", door=door.id, place=place)


def name_place(game: GameState, cells: Iterable[Cell]) -> str | None:
    """Return the first cell's name for people, like “D5”, or None without cells, or without a seen table."""
    first = min(cells, default=None)
    if first is None or BOARD not in game.ground:
        return None
    return CellNames.of(read_board(game.ground)).short(first)


def name_area(game: GameState, cells: Iterable[Cell]) -> str | None:
    """Return the first and the last cell's names, like “D5–E7”, or None as in `name_place`."""
    area = tuple(cells)
    return CellNames.of(read_board(game.ground)).between(area) if area and BOARD in game.ground else None


def word_move(game: GameState, figure: str, cells: Cells) -> Said:
    """Return a move as a history line, with start and end on a known table; ``game`` is the state before it."""
    start, end = name_place(game, game.piece(figure).cells), name_place(game, cells)
    if start is None or end is None:
        return said("{figure} moves", figure=figure)
    return said("{figure} moved from {start} to {end}", figure=figure, start=start, end=end)


def word_thing(game: GameState, thing: str, cell: Cell) -> Said:
    """Return a thing's name, with its space on a known table."""
    place = name_place(game, (cell,))
    return named([thing]) if place is None else said("{item} (space {place})", item=thing, place=place)


def list_closed_doors(game: GameState) -> tuple[Door, ...]:
    """Return the doors that nobody has opened, or none without a seen table."""
    doors = read_board(game.ground).doors if BOARD in game.ground else ()
    return tuple(door for door in doors if door.id not in game.doors_open)


def find_door_places(game: GameState, door_id: str) -> tuple[tuple[Cell, ...], ...]:
    """Return the cells on both sides of a door, as the place of a goal, or none without such a door."""
    doors = read_board(game.ground).doors if BOARD in game.ground else ()
    return tuple(
        tuple(sorted({cell for edge in door.edges for cell in edge.cells})) for door in doors if door.id == door_id
    )


def find_difficult_cells(game: GameState) -> frozenset[Cell]:
    """Return the cells of difficult ground, or none without a known board."""
    return read_board(game.ground).difficult if game.ground else frozenset()


def _replace_parts(board: Board, doors: tuple[Door, ...], figures: tuple[Figure, ...]) -> Board:
    return Board(board.cells, board.edges, doors, figures, board.difficult, board.blocking, board.cell_mm)


@lru_cache(maxsize=8)
def read_board(ground: str) -> Board:
    """Return the board in a match's stored text: without figures, its doors closed."""
    return board_from_json(ground.encode(), "board")


@lru_cache(maxsize=8)
def _read_free_table(document: bytes) -> FreeTable:
    """Return the free table of a document, cached because every prompt, way and ruling needs it."""
    return free_table_from_json(document, "free table")
