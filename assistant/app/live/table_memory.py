"""What is believed of a watched table: looks come in, people correct it; one thread writes, every thread may read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from assistant.app.live.estimate import estimate_table
from assistant.errors import CannotDo
from assistant.table.board import Board
from assistant.table.observation import FrameObservation, LatticePose, Observation
from assistant.table.roster import Roster
from assistant.table.statements import DoorEdges, Statements
from assistant.tracking.association import ActiveFigure
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
from assistant.tracking.tracker import begin_tracking, update_tracking
from assistant.tracking.values import Cells, IdentityQuestion, IllegalMove
from assistant.translations.messages import said


class NothingSeen(CannotDo):
    """The camera has not shown the table yet."""

    sentence = said("the camera has not shown the table yet; wait for its first picture")


@dataclass(frozen=True)
class TableCorrection:
    """What a person says about the table.

    Args:
        figures: where figures stand, by name; None for one that is not on the board.
        doors: which standing doors are open; None for one that is not there.
        names: who figures really are.
        answers: the figure for each question that was asked.
        new_doors: the edges of doors that stand there, though the board has none.
        no_doors: edges on which no door stands, whatever was in doubt.
        nobody: cells on which nobody stands, whatever was in doubt.
        sure: figures and doors that are just as the board has them.
        notes: moves that looked odd and were right.
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


@dataclass
class TableMemory:
    """The followed table of one camera.

    Args:
        roster: the figures that there are.
    """

    roster: Roster
    _table: TrackedTable | None = None
    _board: Board | None = None
    _is_frozen: bool = False

    @property
    def is_frozen(self) -> bool:
        """Whether the table is held as it is, whatever the camera shows."""
        return self._is_frozen

    @property
    def is_unsettled(self) -> bool:
        """Whether something is hidden, or was seen and is not believed yet."""
        table = self._table
        if table is None:
            return True
        return bool(table.hidden or table.suspicions or table.newcomers or table.next_ground is not None)

    @property
    def is_board_unsettled(self) -> bool:
        """Whether another board is suspected: tiles laid, taken away, or not seen."""
        return self._table is not None and self._table.next_ground is not None

    @property
    def board(self) -> Board | None:
        """The table as it is believed to be; None before the first look."""
        return self._board

    @property
    def told(self) -> Statements:
        """What people said that holds whatever the camera shows."""
        return Statements() if self._table is None else self._table.statements

    @property
    def reference_grid(self) -> LatticePose | None:
        """The lattice whose cells the board names, as it lay at the first look; None before that."""
        return None if self._table is None else self._table.reference.grid

    @property
    def questions(self) -> tuple[IdentityQuestion, ...]:
        """What the people at the table are asked, the oldest first."""
        return () if self._table is None else self._table.questions

    @property
    def notes(self) -> tuple[IllegalMove, ...]:
        """Moves that the rules do not allow, the oldest first."""
        return () if self._table is None else self._table.notes

    def look(self, look: FrameObservation, turn: ActiveFigure, known: Mapping[str, Cells]) -> bool:
        """Takes one more look; whether the table is another one now. A frozen table takes none.

        Args:
            look: what the camera says.
            turn: whose turn it is.
            known: where the match has its figures, which names them at the first look.
        """
        if self._is_frozen:
            return False
        table = self._table
        after = begin_tracking(look, self.roster, known, turn) if table is None else update_tracking(table, look, turn)
        return self._keep(after)

    def believed(self) -> Observation:
        """The table as an observation.

        Raises:
            NothingSeen: there was no look yet.
        """
        return estimate_table(self._seen())

    def freeze(self, *, is_frozen: bool) -> None:
        """Holds the table as it is, or lets the camera have its say again."""
        self._is_frozen = is_frozen

    def correct(self, correction: TableCorrection) -> None:
        """Believes a person: all of it, or nothing where some of it cannot be.

        Raises:
            NothingSeen: there was no look yet.
            UnknownName: there is no such figure or door.
            QuestionGone: a question was settled in the meantime.
            BoardError: a figure cannot stand there.
        """
        self._keep(apply_correction(self._seen(), correction))

    def _keep(self, table: TrackedTable) -> bool:
        """Believes a table unless it contradicts itself; whether it is another board."""
        before, board = self._board, table.board()
        self._table, self._board = table, board
        return board != before

    def _seen(self) -> TrackedTable:
        if self._table is None:
            raise NothingSeen
        return self._table


def apply_correction(table: TrackedTable, told: TableCorrection) -> TrackedTable:
    """The table after a person has said all that.

    Raises:
        InputError: some of it cannot be.
    """
    for question, figure in told.answers.items():
        table = answer_question(table, question, figure)
    for figure, really in told.names.items():
        table = rename(table, figure, really)
    for door, is_open in told.doors.items():
        table = take_door(table, door) if is_open is None else set_door(table, door, is_open=is_open)
    for edges in told.no_doors:
        table = deny_door(table, edges)
    for edges in told.new_doors:
        table = put_door(table, edges)
    for cells in told.nobody:
        table = deny_figure(table, cells)
    for figure, there in told.figures.items():
        table = place(table, figure, there)
    for name in told.sure:
        table = confirm(table, name)
    table = allow_moves(table, told.notes)
    return table
