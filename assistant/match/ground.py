"""The table of a match: from the documents of the camera to tables that the rules can be asked on."""

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
"""The camera's own names of doors: numbers that nobody finds on the table."""

BOARD = "sightline.board/1"
FREE_TABLE = "sightline.free-table/1"

RULE_MARKS = frozenset({"leader", "camouflaged", "down", "fleeing", "fear", "terror"})
"""The marks of a figure that change distances and sight on a free table."""


def ground_of(document: dict[str, Any]) -> tuple[str, tuple[str, ...]]:
    """The text that a game keeps of a table document, and the names of its open doors.

    A board loses its figures there. A free table keeps them, since only it describes their bases and values.

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
    """The figures of the match that the document shows, at their places there."""
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
    """The figures whose cells are taken or missing on the new board, without a place: nobody knows where they are."""
    board = read_board(game.ground) if BOARD in game.ground else None
    passing = game.in_passing()
    return tuple(
        replace(piece, cells=())
        for piece in game.standing()
        if (taken & set(piece.cells) and piece.id not in passing)
        or (board is not None and not set(piece.cells) <= board.cells)
    )


def require_on_board(game: GameState, cells: Cells) -> None:
    """Makes sure that the board, if known, has these cells.

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
    """The table of this moment, with the figures where the match has them and the doors as they stand.

    Raises:
        IllegalStep: the match has not seen the table.
    """
    return free_table_of(game) if FREE_TABLE in game.ground else board_of(game)


def board_of(game: GameState) -> Board:
    """The board of this moment, for a game that is played on cells.

    Raises:
        IllegalStep: the match has not seen the table.
    """
    _require_seen(game)
    bare = read_board(game.ground)
    figures = tuple(_list_figures(game))
    doors = tuple(Door(door.id, door.edges, door.id in game.doors_open) for door in bare.doors)
    return _replace_parts(bare, doors, figures)


def _list_figures(game: GameState) -> Iterator[Figure]:
    """The figures of a board, each cell under one of them.

    A figure in the middle of its move has the cells that it shares, the one that acts before one that is interrupted.
    A friend keeps the others, each as a figure of its own, since they are no rectangle.
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
    """The pieces of terrain that came, went or lie elsewhere on a table without a grid, against the one before it."""
    if FREE_TABLE not in ground or document.get("format") != FREE_TABLE:
        return []
    before, now = (
        {piece["id"]: piece for piece in one.get("terrain", ())}
        for one in (msgspec.json.decode(ground), msgspec.json.decode(msgspec.json.encode(document)))
    )
    return sorted(name for name in {*before, *now} if before.get(name) != now.get(name))


def free_table_of(game: GameState) -> FreeTable:
    """The free table of this moment, for a game that is played without cells.

    Raises:
        IllegalStep: the match has not seen the table.
    """
    _require_seen(game)
    return _free_table_with(game.ground, tuple(piece for piece in game.pieces.values() if piece.on_table))


@lru_cache(maxsize=8)
def _free_table_with(ground: str, pieces: tuple[Piece, ...]) -> FreeTable:
    """The table of a document with these pieces in their places; every prompt, way and ruling asks for the same one."""
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
    """The door of that name, as it stands.

    Raises:
        IllegalStep: the table has no such door.
    """
    for door in read_board(game.ground).doors if game.ground else ():
        if door.id == door_id:
            return Door(door.id, door.edges, door_id in game.doors_open)
    raise IllegalStep(said("there is no door “{door}” on this table; choose one that is drawn", door=door_id))


def door_in_words(game: GameState, door: Door) -> Said:
    """A door as people call it: by the spaces beside it, and by its name if the mission gives it one."""
    place = CellNames.of(board_of(game)).between({cell for edge in door.edges for cell in edge.cells})
    if _NUMBERED_DOOR.fullmatch(door.id):
        return said("the door {place}", place=place)
    return said("{door} ({place})", door=door.id, place=place)


def name_place(game: GameState, cells: Iterable[Cell]) -> str | None:
    """The first of some cells as people call it, like “D5”; None without cells, or on a table that nobody has seen."""
    first = min(cells, default=None)
    if first is None or BOARD not in game.ground:
        return None
    return CellNames.of(read_board(game.ground)).short(first)


def name_area(game: GameState, cells: Iterable[Cell]) -> str | None:
    """The first and the last of some cells, like “D5–E7”; None as `name_place`."""
    area = tuple(cells)
    return CellNames.of(read_board(game.ground)).between(area) if area and BOARD in game.ground else None


def word_move(game: GameState, figure: str, cells: Cells) -> Said:
    """A move as a line of the history, with from and to where the table is known; ``game`` is the one before it."""
    start, end = name_place(game, game.piece(figure).cells), name_place(game, cells)
    if start is None or end is None:
        return said("{figure} moves", figure=figure)
    return said("{figure} moved from {start} to {end}", figure=figure, start=start, end=end)


def word_thing(game: GameState, thing: str, cell: Cell) -> Said:
    """A thing that lies on a space, with that space where the table is known."""
    place = name_place(game, (cell,))
    return named([thing]) if place is None else said("{item} (space {place})", item=thing, place=place)


def list_closed_doors(game: GameState) -> tuple[Door, ...]:
    """The doors that nobody has opened; none where nobody has seen the table."""
    doors = read_board(game.ground).doors if BOARD in game.ground else ()
    return tuple(door for door in doors if door.id not in game.doors_open)


def find_door_places(game: GameState, door_id: str) -> tuple[tuple[Cell, ...], ...]:
    """The cells on both sides of a door, as the place of a goal; none where the table has no such door."""
    doors = read_board(game.ground).doors if BOARD in game.ground else ()
    return tuple(
        tuple(sorted({cell for edge in door.edges for cell in edge.cells})) for door in doors if door.id == door_id
    )


def find_difficult_cells(game: GameState) -> frozenset[Cell]:
    """The cells of difficult ground; none if no board is known."""
    return read_board(game.ground).difficult if game.ground else frozenset()


def _replace_parts(board: Board, doors: tuple[Door, ...], figures: tuple[Figure, ...]) -> Board:
    return Board(board.cells, board.edges, doors, figures, board.difficult, board.blocking, board.cell_mm)


@lru_cache(maxsize=8)
def read_board(ground: str) -> Board:
    """The board that a match keeps as text: without figures, its doors closed."""
    return board_from_json(ground.encode(), "board")


@lru_cache(maxsize=8)
def _read_free_table(document: bytes) -> FreeTable:
    """The free table of a document, cached since every prompt, way and ruling asks for the same one."""
    return free_table_from_json(document, "free table")
