"""Table set-up for a mission: the drawing, and the faults that the camera finds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from assistant.app.live.free_names import renamed_after
from assistant.match.audience import audience_of
from assistant.match.game import GameState
from assistant.match.ground import free_table_of, table_of
from assistant.match.laying import LaidTable, LayingFault, compare_laying
from assistant.table.board import Board
from assistant.table.cell_names import CellNames
from assistant.table.free_sighting import FreeSighting
from assistant.table.free_table import FreeTable
from assistant.table.lattice import Cell
from assistant.table.roster import UNNAMED, kind_of
from assistant.translations.messages import Said, counted, message, said
from assistant.translations.speech import Speech
from web.match.ground import Shape, ground_document, list_tokens
from web.match.laying_marks import FreeMarks, LayingMarks
from web.match.routes import running_match
from web.parts import parts
from web.people.belonging import current_actor
from web.people.session import current_speech
from web.serving.roles import Right
from web.serving.routes import Answer, get

SENTENCES: Mapping[tuple[str, str], str] = {
    ("missing", "door"): message("A door is missing: {place}"),
    ("extra", "door"): message("A door that should not be there: {place}"),
    ("wrong", "lines"): message("Different lines than in the mission: {place}. The tile may be turned or upside down."),
    ("wrong", "turned"): message("The whole table is turned. Compare it with the picture of the mission."),
    ("missing", "figure"): message("Missing: {figure}, at {place}"),
    ("extra", "figure"): message("Not in this mission: {figure}, at {seen}"),
    ("wrong", "figure"): message("{figure} stands at {seen} and belongs at {place}"),
}
BESIDE_SENTENCES: Mapping[str, str] = {
    "extra": message("Not in this mission: {figure}, beside the board"),
    "wrong": message("{figure} stands beside the board and belongs at {place}"),
}
BESIDE = said("beside the board of the mission")
"""Places there have no names. The marks on the picture show them."""

POINT_SENTENCES: Mapping[str, str] = {
    "missing": message("Missing: {figure}"),
    "extra": message("Not in this mission: {figure}"),
    "wrong": message("{figure}: too far from its place, steps: {steps}"),
}
SOMEBODY = said("somebody")
"""The name of a misplaced figure hidden from the other side."""


@get(
    "/match/laying",
    Right.WATCH,
    "The table of the mission, and what the camera finds wrong with the table that was set up.",
)
def laying() -> Answer:
    """``laying`` is null if the mission has no table."""
    session, page, speech = running_match(), parts(), current_speech()
    if session.played_on != "camera":
        return {"seq": session.seq, "laying": None}
    wanted = session.wanted()
    shot, free = page.shelf.latest_live(), page.readers.free
    seen: Board | FreeTable | None = None
    if wanted.has_grid and shot is not None:
        seen = shot.board
    elif not wanted.has_grid and free is not None and free.latest is not None:
        seen = _named(wanted, free.latest.sighting)
    faults, placement = LaidTable(()) if seen is None else compare_laying(wanted, seen)
    marks: LayingMarks | FreeMarks | None = None
    if faults and isinstance(seen, FreeTable) and free is not None and free.latest is not None:
        marks = FreeMarks(free.latest, free_table_of(wanted) if wanted.ground else None, seen)
    elif faults and shot is not None and wanted.has_grid:
        marks = LayingMarks(shot, placement)
    ground = ground_document(wanted, speech.language)
    if ground is not None:
        ground["tokens"] = list_tokens(session.view(audience_of(current_actor(), speech.language)), speech)
    document = {
        "is_seen": seen is not None,
        "is_right": seen is not None and not faults,
        "ground": ground,
        "photo": None if marks is None else marks.picture(),
        "faults": [
            {**_told(fault, wanted, speech), "marks": None if marks is None else marks.marks(fault)} for fault in faults
        ],
    }
    return {"seq": session.seq, "laying": document if ground is not None or faults else None}


def _named(wanted: GameState, seen: FreeSighting) -> FreeTable:
    """Return the seen table with the match's names for its figures, the nearest of each kind."""
    return renamed_after(FreeSighting(free_table_of(wanted)), seen).table if wanted.ground else seen.table


def _told(fault: LayingFault, wanted: GameState, speech: Speech) -> Shape:
    return {
        "kind": fault.kind,
        "what": fault.what,
        "text": _sentence(fault, wanted).worded(speech.language),
        "cells": [list(cell) for cell in (fault.cells or fault.seen_at)],
        "edges": [[list(edge.start), list(edge.end)] for edge in fault.edges],
        "figure": fault.figure if fault.figure in wanted.pieces else None,
    }


def _sentence(fault: LayingFault, wanted: GameState) -> Said:
    board = table_of(wanted) if wanted.ground else None
    places = _Places(board if isinstance(board, Board) else None)
    values = {"place": places.worded(fault.cells), "seen": places.worded(fault.seen_at)}
    if fault.what == "tile":
        return _tile_sentence(fault, values["place"])
    if fault.figure is None:
        return Said(SENTENCES[fault.kind, fault.what], values)
    name = kind_of(fault.figure) if UNNAMED in fault.figure else fault.figure
    who = SOMEBODY if wanted.is_hidden_from(fault.figure, None) else name
    if values["seen"] is BESIDE:
        return Said(BESIDE_SENTENCES[fault.kind], {"figure": who, "place": values["place"]})
    if fault.cells or fault.seen_at:
        return Said(SENTENCES[fault.kind, "figure"], {**values, "figure": who})
    return Said(POINT_SENTENCES[fault.kind], {"figure": who, "steps": fault.steps or 0.0})


def _tile_sentence(fault: LayingFault, place: str | Said) -> Said:
    count = len(fault.cells)
    if fault.kind == "missing":
        return counted(
            "{n} space of the board is missing: {place}",
            "{n} spaces of the board are missing: {place}",
            count,
            place=place,
        )
    return counted(
        "{n} space that should not be there: {place}",
        "{n} spaces that should not be there: {place}",
        count,
        place=place,
    )


class _Places:
    """The names of spaces on a mission's board.

    Args:
        board: that board, or None without one.
    """

    def __init__(self, board: Board | None) -> None:
        self._names = CellNames(0, 0) if board is None else CellNames.of(board)
        self._columns = frozenset[int]() if board is None else _reach(column for column, _ in board.cells)
        self._rows = frozenset[int]() if board is None else _reach(row for _, row in board.cells)

    def worded(self, cells: tuple[Cell, ...]) -> str | Said:
        """Return the first and last of some spaces, or a note that they lie beside the board.

        There spaces have no names.
        """
        if self._columns and not all(column in self._columns and row in self._rows for column, row in cells):
            return BESIDE
        return self._names.between(cells) if cells else ""


def _reach(numbers: Iterable[int]) -> frozenset[int]:
    known = sorted(numbers)
    return frozenset(range(known[0], known[-1] + 1))
