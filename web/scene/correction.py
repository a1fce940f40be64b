"""Corrections by people: a figure's place, its absence, an open door."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Annotated

from msgspec import Meta, Struct

from assistant.app.live.shots import Shot
from assistant.app.live.table_correction import TableCorrection
from assistant.errors import BoardError, UnknownName
from assistant.table.board import Board, Door, Figure
from assistant.table.lattice import LIMIT, Cell, Edge
from assistant.table.roster import Roster
from assistant.table.statements import DoorEdges, Statements, check_door, edges_of
from assistant.translations.messages import said

Name = Annotated[str, Meta(min_length=1, max_length=200)]

Coordinate = Annotated[int, Meta(gt=-LIMIT, lt=LIMIT)]

Place = tuple[Coordinate, Coordinate]

Places = Annotated[list[Place], Meta(max_length=64)]

DoorPlace = Annotated[list[tuple[Place, Place]], Meta(min_length=1, max_length=8)]
"""The edges of a door, each by its two ends."""


class Correction(Struct, forbid_unknown_fields=True):
    """True places of figures (null: gone), open doors (null: no door), true names, and certain items.

    ``new_doors`` are undrawn doors. ``no_doors`` and ``nobody`` are certainly empty places. ``sure`` names figures and
    doors that are correct as drawn.
    """

    figures: Annotated[dict[Name, Places | None], Meta(max_length=200)] = {}
    doors: Annotated[dict[Name, bool | None], Meta(max_length=200)] = {}
    names: Annotated[dict[Name, Name], Meta(max_length=200)] = {}
    new_doors: Annotated[list[DoorPlace], Meta(max_length=50)] = []
    no_doors: Annotated[list[DoorPlace], Meta(max_length=50)] = []
    nobody: Annotated[list[Places], Meta(max_length=200)] = []
    sure: Annotated[list[Name], Meta(max_length=200)] = []

    def of_table(self) -> TableCorrection:
        """Return the same for the watched table.

        Raises:
            BoardError: a door has no edges.
        """
        return TableCorrection(
            figures={name: None if cells is None else tuple(cells) for name, cells in self.figures.items()},
            doors=self.doors,
            names=self.names,
            new_doors=read_edges(self.new_doors),
            no_doors=read_edges(self.no_doors),
            nobody=tuple(map(tuple, self.nobody)),
            sure=tuple(self.sure),
        )


def read_edges(places: Iterable[Iterable[tuple[Place, Place]]]) -> tuple[DoorEdges, ...]:
    """Return doors by their edges, each sorted.

    Raises:
        BoardError: two ends are not neighbours.
    """
    try:
        return tuple(tuple(sorted(Edge.between(*ends) for ends in place)) for place in places)
    except ValueError:
        raise BoardError(said("A door stands between two spaces of the board. Choose such a place.")) from None


def correct_shot(shot: Shot, wanted: Correction, shot_id: str) -> Shot:
    """Return the same picture under another name, with the corrected board.

    Raises:
        UnknownName: the board has no such figure or door, or the box no such figure. BoardError: figures would overlap
            or stand beside the board, or no door can stand there.
    """
    board, statements = _renamed(shot.board, wanted.names, shot.setup.roster), shot.statements
    board, statements = _with_doors(board, statements, wanted)
    board, statements = _with_figures(board, statements, wanted, shot.setup.roster)
    for name in wanted.sure:
        statements = _confirmed(board, statements, name)
    return replace(shot, id=shot_id, source="photo", corrected=board, statements=statements)


def _renamed(board: Board, names: Mapping[str, str], roster: Roster) -> Board:
    """Return the board with figures under their true names. Two figures may swap names."""
    for name, really in names.items():
        figure = board.figure(name)
        other = board.figure_by_id.get(really) or _from_box(roster, really, figure.cells)
        swapped = {name: replace(other, cells=figure.cells), really: replace(figure, cells=other.cells)}
        board = replace(board, figures=tuple(swapped.get(each.id, each) for each in board.figures))
    return board


def _from_box(roster: Roster, name: str, cells: tuple[Cell, ...]) -> Figure:
    for figure in roster.figures:
        if figure.id == name:
            return Figure(figure.id, figure.kind, figure.side, cells)
    raise UnknownName(said("there is no figure “{typed}” on the table; choose one that is listed", typed=name))


def _with_doors(board: Board, statements: Statements, wanted: Correction) -> tuple[Board, Statements]:
    known = {door.id: door for door in board.doors}
    for door_id, is_open in wanted.doors.items():
        if door_id not in known:
            raise UnknownName(
                said("there is no door “{door_id}” on the table; choose one that is drawn", door_id=door_id)
            )
        if is_open is None:
            statements = statements.without_door(edges_of(known.pop(door_id)))
        else:
            known[door_id] = replace(known[door_id], open=is_open)
    board = replace(board, doors=tuple(known.values()))
    for edges in read_edges(wanted.no_doors):
        statements = statements.without_door(edges)
    for edges in read_edges(wanted.new_doors):
        check_door(board, edges)
        taken = {door.id for door in board.doors}
        name = next(f"door-{n}" for n in range(1, len(taken) + 2) if f"door-{n}" not in taken)
        board, statements = replace(board, doors=(*board.doors, Door(name, edges))), statements.with_door(edges)
    return board, statements


def _with_figures(board: Board, statements: Statements, wanted: Correction, roster: Roster) -> tuple[Board, Statements]:
    figures = dict(board.figure_by_id)
    for cells in wanted.nobody:
        statements = statements.with_nobody(tuple(cells))
        figures = {name: each for name, each in figures.items() if set(each.cells).isdisjoint(cells)}
    for name, place in wanted.figures.items():
        before = figures.pop(name, None) or _from_box(roster, name, ())
        if place is None:
            statements = statements.with_nobody(before.cells)
        else:
            there = tuple(sorted(set(place)))
            figures[name], statements = replace(before, cells=there), statements.with_figure(there)
    ordered = [figures[each.id] for each in board.figures if each.id in figures]
    new = [each for name, each in figures.items() if name not in board.figure_by_id]
    return replace(board, figures=(*ordered, *new)), statements


def _confirmed(board: Board, statements: Statements, name: str) -> Statements:
    door = next((door for door in board.doors if door.id == name), None)
    return statements.with_figure(board.figure(name).cells) if door is None else statements.with_door(edges_of(door))
