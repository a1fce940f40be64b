"""Doubts for a person to settle by a tap, each with its spot on the picture and its answers.

An answer contains its correction in the form for ``/corrections``. If a figure needs a name, ``who`` holds that figure,
or its cells.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from assistant.app.live.shots import Shot
from assistant.rules.flips import DoubtChange, change_of
from assistant.table.board import Figure
from assistant.table.cell_names import CellNames
from assistant.table.doubt import Doubt, Variant
from assistant.table.lattice import Cell, edge_between
from assistant.translations.catalogue import speak_id, speak_word
from assistant.translations.messages import message
from assistant.translations.speech import Speech
from web.scene.drawing import ShotDrawing

DOUBT_WORDS: Mapping[str, str] = {
    "no-door": message("A door between {cells} was not seen clearly."),
    "door": message("There may be a door between {cells}."),
    "remove": message("{who} was not seen clearly."),
    "add": message("A figure may stand on {cells}."),
    "crowded": message("Something hides {cells}: two figures, a fallen one or a shadow. Say what stands there."),
    "fallen": message("A figure has fallen over on {cells}, or two share a space there. Stand them up."),
    "move": message("{who} may stand on {cells}."),
    "kind": message("{who} may be another figure: {kind}."),
    "several": message("{who}: not seen clearly."),
}
"""The words for a doubt, by its kind of change. On a crowded cell no base fits the hidden print."""


class Settling:
    """The doubts about one shot, for one reader."""

    def __init__(self, shot: Shot, drawing: ShotDrawing, speech: Speech) -> None:
        self._shot = shot
        self._speech = speech
        self._drawing = drawing
        self._names = CellNames.of(shot.board)
        self._covered = frozenset(shot.read.observation.covered)
        stood_on = {cell for figure in shot.board.figures for cell in figure.cells}
        fallen = [lying.cells for lying in shot.read.observation.fallen if stood_on.isdisjoint(lying.cells)]
        self._lain_across = {cell: cells for cells in fallen for cell in cells}

    def list_open(self) -> list[dict[str, Any]]:
        """Return every open doubt, the most doubtful first."""
        found = [doubt for doubt in self._shot.table.doubts if doubt.is_open]
        points, asked = [], set[Sequence[Cell]]()
        for doubt in sorted(found, key=lambda doubt: doubt.variants[0].chance):
            other = max(doubt.variants[1:], key=lambda variant: variant.chance)
            change = change_of(doubt, other)
            across = self._lain_across.get(change.cells[0]) if change.kind == "add" else None
            if across is None:
                points.append(self._open(doubt, other, change))
            elif across not in asked:
                # A fallen figure may be set up on each of its cells, but one question is enough.
                asked.add(across)
                points.append(self._fallen(across, change))
        return points

    def point(self, text: str, change: DoubtChange) -> dict[str, Any]:
        """Return a doubt in words with its place and answers."""
        return {"text": text, "spot": self._spot(change), "answers": self._answers(change)}

    def figure_point(self, text: str, figure: Figure) -> dict[str, Any]:
        """Return the same for an unclear figure."""
        answers = [self._as_drawn(figure.id), self._other(figure.id), self._nobody(figure.id)]
        return {"text": text, "spot": self._cells_px(figure.cells), "answers": answers}

    def _fallen(self, across: Sequence[Cell], change: DoubtChange) -> dict[str, Any]:
        cells = ", ".join(self._names.short(cell) for cell in across)
        nobody = self._answer(message("No figure stands here"), nobody=[[list(cell)] for cell in across])
        return {
            "text": self._speech.text(DOUBT_WORDS["fallen"], cells=cells),
            "spot": self._cells_px(across),
            "answers": [self._missing(change), nobody],
        }

    def _open(self, doubt: Doubt, other: Variant, change: DoubtChange) -> dict[str, Any]:
        kinds = {figure.id: figure.kind for figure in other.figures}
        is_crowded = change.kind == "add" and self._covered.issuperset(change.cells)
        words = DOUBT_WORDS["crowded" if is_crowded else change.kind]
        text = self._speech.text(
            words,
            who=", ".join(self._name(name) for name in change.subjects),
            cells=self._places(change),
            kind=speak_word(kinds.get(change.subjects[0], ""), self._speech.language) if change.subjects else "",
        )
        if is_crowded:
            return self.point(text, change)
        sure = self._speech.text("Sure: {percent}", percent=self._speech.percent(doubt.variants[0].chance))
        return self.point(f"{text} {sure}", change)

    def _places(self, change: DoubtChange) -> str:
        names = [self._names.short(cell) for cell in change.cells]
        return "/".join(names) if "door" in change.kind else ", ".join(names)

    def _name(self, piece: str) -> str:
        door = next((door for door in self._shot.board.doors if door.id == piece), None)
        if door is None:
            return speak_id(piece, self._speech.language)
        return "/".join(self._names.short(cell) for cell in door.edges[0].cells)

    def _spot(self, change: DoubtChange) -> list[Any]:
        if "door" in change.kind:
            return [self._drawing.edge_px(edge_between(*pair)) for pair in _pairs(change.cells)]
        if change.kind == "ground":  # a tile may also lie beside the board
            return [self._drawing.cell_px(cell) for cell in change.cells]
        figures = self._shot.board.figure_by_id
        own = [cell for name in change.subjects if name in figures for cell in figures[name].cells]
        return self._cells_px(change.cells or own)

    def _cells_px(self, cells: Sequence[Cell]) -> list[Any]:
        return [self._drawing.cell_px(cell) for cell in cells if cell in self._shot.board.cells]

    def _answers(self, change: DoubtChange) -> list[dict[str, Any]]:
        if "door" in change.kind:
            return self._door_answers(change)
        if change.kind == "ground":  # another photo decides which tile lies there, no tap can
            return []
        if change.kind == "add":
            return [self._missing(change), self._answer(message("No figure stands here"), nobody=[list(change.cells)])]
        if change.kind == "several":
            sure = [name for name in change.subjects if name in self._known]
            return [self._answer(message("Everything is as drawn"), sure=sure)] if sure else []
        (name,) = change.subjects
        if change.kind == "move":
            there = {name: [list(cell) for cell in change.cells]}
            moved = self._answer(message("It stands on {cells}"), figures=there, words={"cells": self._places(change)})
            return [self._as_drawn(name), moved, self._nobody(name)]
        return [self._as_drawn(name), self._other(name), self._nobody(name)]

    def _missing(self, change: DoubtChange) -> dict[str, Any]:
        return self._answer(message("A figure is missing here"), who={"cells": list(change.cells)})

    def _door_answers(self, change: DoubtChange) -> list[dict[str, Any]]:
        if change.kind == "no-door":
            gone: Mapping[str, None] = dict.fromkeys(change.subjects)
            none = self._answer(message("There is no door here"), doors=gone)
            return [self._answer(message("The door stands here"), sure=list(change.subjects)), none]
        edges = [[[list(end) for end in edge_between(*pair)] for pair in _pairs(change.cells)]]
        stands = self._answer(message("A door stands here"), new_doors=edges)
        return [stands, self._answer(message("There is no door here"), no_doors=edges)]

    @property
    def _known(self) -> set[str]:
        return {*self._shot.board.figure_by_id, *(door.id for door in self._shot.board.doors)}

    def _nobody(self, name: str) -> dict[str, Any]:
        return self._answer(message("No figure stands here"), figures={name: None})

    def _other(self, name: str) -> dict[str, Any]:
        return self._answer(message("It is another figure"), who={"figure": name})

    def _as_drawn(self, name: str) -> dict[str, Any]:
        return self._answer(message("{who} stands here"), sure=[name], words={"who": self._name(name)})

    def _answer(
        self,
        text: str,
        *,
        who: Mapping[str, Any] | None = None,
        words: Mapping[str, str] | None = None,
        **correction: Any,
    ) -> dict[str, Any]:
        return {"text": self._speech.text(text, **(words or {})), "correction": correction, "who": who}


def _pairs(cells: Sequence[Cell]) -> list[tuple[Cell, Cell]]:
    return list(zip(cells[::2], cells[1::2], strict=True))


def list_box(shot: Shot, speech: Speech) -> list[dict[str, Any]]:
    """Return every figure of the box, by sides, as candidates for a figure on the shot."""
    there = shot.board.figure_by_id
    return [
        {
            "id": figure.id,
            "name": speak_id(figure.id, speech.language),
            "side_name": speak_id(figure.side, speech.language),
            "size": list(figure.size),
            "is_there": figure.id in there,
        }
        for figure in shot.setup.roster.figures
    ]
