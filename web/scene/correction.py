"""What a person says about a board: this figure stands there, that one is gone, this door is open."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated

from msgspec import Meta, Struct

from assistant.errors import UnknownName
from assistant.table.board import Board, Figure
from assistant.table.lattice import LIMIT, Cell
from assistant.translations.messages import said

Name = Annotated[str, Meta(min_length=1, max_length=200)]

Coordinate = Annotated[int, Meta(gt=-LIMIT, lt=LIMIT)]


class Correction(Struct, forbid_unknown_fields=True):
    """Where figures really stand (null: nowhere) and which doors are open."""

    figures: Annotated[dict[Name, list[tuple[Coordinate, Coordinate]] | None], Meta(max_length=200)] = {}
    doors: Annotated[dict[Name, bool], Meta(max_length=200)] = {}


def correct_board(board: Board, places: Mapping[str, tuple[Cell, ...] | None], doors_open: Mapping[str, bool]) -> Board:
    """The board with those figures on those cells (None takes one off) and those doors open or closed.

    Raises:
        UnknownName: the board holds no such figure or door.
        BoardError: figures would overlap or stand beside the board.
    """
    for figure_id in places:
        board.figure(figure_id)
    known = {door.id for door in board.doors}
    for door_id in doors_open:
        if door_id not in known:
            raise UnknownName(
                said("there is no door “{door_id}” on the table; choose one that is drawn", door_id=door_id)
            )
    figures = tuple(_placed(figure, places) for figure in board.figures if places.get(figure.id, ()) is not None)
    doors = tuple(replace(door, open=doors_open.get(door.id, door.open)) for door in board.doors)
    return replace(board, figures=figures, doors=doors)


def _placed(figure: Figure, places: Mapping[str, tuple[Cell, ...] | None]) -> Figure:
    cells = places.get(figure.id)
    return figure if cells is None else replace(figure, cells=tuple(sorted(set(cells))))
