"""A person's correction of the watched table, as one recordable value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from assistant.table.statements import DoorEdges
from assistant.tracking.corrections import (
    allow_moves,
    answer_question,
    confirm,
    deny_door,
    deny_figure,
    place,
    put_door,
    rename,
    set_door,
    take_door,
)
from assistant.tracking.state import TrackedTable
from assistant.tracking.values import Cells


@dataclass(frozen=True)
class TableCorrection:
    """A person's statements about the table.

    Args:
        figures: the cells of figures, by name; None for a figure that is not on the board.
        doors: whether each door is open; None for a door that does not exist.
        names: the real names of figures.
        answers: the figure that answers each question.
        new_doors: the edges of standing doors that the board lacks.
        no_doors: edges without a door, which settles any doubt there.
        nobody: empty cells, which settles any doubt there.
        sure: figures and doors that the board has right.
        notes: moves that looked illegal but were legal.
    """

    figures: Mapping[str, Cells | None] = field(default_factory=dict)
    doors: Mapping[str, bool | None] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)
    answers: Mapping[str, str] = field(default_factory=dict)
    new_doors: tuple[DoorEdges, ...] = ()
    no_doors: tuple[DoorEdges, ...] = ()
    nobody: tuple[Cells, ...] = ()
    sure: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def changes_table(self) -> bool:
        """Whether it may change the table: its figures, their names, its doors."""
        doors = (self.doors, self.new_doors, self.no_doors)
        return any((self.figures, self.names, self.answers, self.nobody, *doors))

    def applied_to(self, table: TrackedTable) -> TrackedTable:
        """Apply the whole correction to a table.

        Raises:
            InputError: part of it is impossible; then none of it applies.
        """
        for question, figure in self.answers.items():
            table = answer_question(table, question, figure)
        for figure, really in self.names.items():
            table = rename(table, figure, really)
        for door, is_open in self.doors.items():
            table = take_door(table, door) if is_open is None else set_door(table, door, is_open=is_open)
        for edges in self.no_doors:
            table = deny_door(table, edges)
        for edges in self.new_doors:
            table = put_door(table, edges)
        for cells in self.nobody:
            table = deny_figure(table, cells)
        for figure, there in self.figures.items():
            table = place(table, figure, there)
        for name in self.sure:
            table = confirm(table, name)
        return allow_moves(table, self.notes)
