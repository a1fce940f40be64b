"""Routes for a watched table: correct it by hand, hold it, answer its questions."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any

from msgspec import Meta, Struct, field

from assistant.app.live.believed_table import BelievedTable
from assistant.app.live.table_correction import TableCorrection
from assistant.errors import CannotDo
from assistant.translations.messages import said
from web.live.words import live_document
from web.parts import parts
from web.people.belonging import current_actor, own_figures, require_own_correction
from web.people.session import current_person, current_speech
from web.scene.correction import Correction, Name
from web.serving.roles import Right
from web.serving.routes import Answer, get, post


class LiveCorrection(Correction):
    """The true state of the table, with the answers to questions and the confirmed odd moves."""

    answers: Annotated[dict[Name, Name], Meta(max_length=200)] = field(default_factory=dict)
    notes: Annotated[list[Name], Meta(max_length=200)] = field(default_factory=list)

    def of_table(self) -> TableCorrection:
        """Return the same for the watched table.

        Raises: BoardError: a door has no edges.
        """
        return replace(super().of_table(), answers=self.answers, notes=tuple(self.notes))


MOST_TOLD = 8
"""Number of people remembered as having corrected the table."""


class Freeze(Struct, forbid_unknown_fields=True):
    """Whether to hold the table."""

    is_frozen: bool


class NotWatched(CannotDo):
    """No camera watches a table."""

    http_status = 409


@get("/live", Right.WATCH, "How the live table stands, its open questions, and the moves that looked odd.")
def live() -> Answer:
    return _live()


def _live() -> dict[str, Any]:
    page = parts()
    match = page.match.session
    is_laid = match is not None and match.timeline.game.round == 0
    return live_document(page.shown, page.watcher.believed, current_speech(), is_laid=is_laid)


@post(
    "/live/corrections",
    Right.CORRECT,
    LiveCorrection,
    "Correct the live table; the correction holds until the camera sees a change.",
)
def correct_live(wanted: LiveCorrection) -> Answer:
    said_of_it, table, match = wanted.of_table(), _watched(), parts().match.session
    if match is not None:
        own = own_figures(match.timeline.game)
        require_own_correction(said_of_it, table.board, table.questions, own, current_speech())
    shown = parts().shelf.latest_live()
    before, after = table.correct(said_of_it)
    completes_report = parts().complete_reports(lambda reports: reports.correct_live(shown, before, after))
    if said_of_it.changes_table:
        watcher = parts().watcher
        watcher.told_by = (current_actor(), *watcher.told_by)[:MOST_TOLD]
    person = current_person()
    parts().note(lambda referee: referee.note_table(said_of_it, person))
    return {**_live(), "completes_report": completes_report}


@post("/live/freeze", Right.CORRECT, Freeze, "Hold the live table, or let the camera change it again.")
def freeze(wanted: Freeze) -> Answer:
    _watched().freeze(is_frozen=wanted.is_frozen)
    return live()


def _watched() -> BelievedTable:
    table = parts().watcher.believed
    if table is None:
        raise NotWatched(said("No camera watches this table. Start the program with a camera."))
    return table
