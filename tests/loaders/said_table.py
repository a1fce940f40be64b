"""A watched table for tests of the page: it believes every person and keeps what they said."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from assistant.app.live.believed_table import BelievedTable
from assistant.errors import UnknownName
from assistant.translations.messages import said


class SaidTable(BelievedTable):
    """Stands under the camera of a page.

    Args:
        page: the page.
        roster: its figures.
        questions, notes: what people are asked.
    """

    def __init__(self, page: Any, roster: Any, questions: tuple[Any, ...] = (), notes: tuple[Any, ...] = ()) -> None:
        self.picture = page.shown
        self.setup: Any = SimpleNamespace(roster=roster)
        self.is_frozen = False
        self.said: list[Any] = []
        self.before_and_after: tuple[Any, Any] = (None, None)
        self._questions, self._notes = questions, notes
        self._fallen: dict[str, Any] = {}
        self.picture.ask(questions, notes)
        page.watcher.table, page.watcher.has_live = self, True

    @property
    def questions(self) -> tuple[Any, ...]:
        return self._questions

    @questions.setter
    def questions(self, questions: tuple[Any, ...]) -> None:
        self._questions = questions
        self.picture.ask(questions, self._notes)

    @property
    def notes(self) -> tuple[Any, ...]:
        return self._notes

    @notes.setter
    def notes(self, notes: tuple[Any, ...]) -> None:
        self._notes = notes
        self.picture.ask(self._questions, notes)

    @property
    def fallen(self) -> dict[str, Any]:
        return self._fallen

    @fallen.setter
    def fallen(self, fallen: dict[str, Any]) -> None:
        self._fallen = fallen
        self.picture.ask(self._questions, self._notes, fallen)

    def freeze(self, *, is_frozen: bool) -> None:
        self.is_frozen = is_frozen

    def correct(self, correction: Any) -> tuple[Any, Any]:
        if "nobody" in correction.figures:
            raise UnknownName(said("there is no figure “nobody”; choose one that is listed"))
        self.said.append(correction)
        self.questions = tuple(one for one in self.questions if one.id not in correction.answers)
        self.notes = tuple(one for one in self.notes if one.id not in correction.notes)
        self.fallen = {name: cells for name, cells in self.fallen.items() if name not in correction.figures}
        return self.before_and_after
