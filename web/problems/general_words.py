"""What is said of errors that have no words of their own: by their kind, for readers of other languages than English.

No button of the page leads to most of them; programs that use the API and files from elsewhere do. In English they
speak for themselves, and more exactly; only where a finger puts a figure are they worded in every language.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from http import HTTPStatus

from assistant.errors import (
    BoardError,
    CannotDo,
    DocumentError,
    IllegalStep,
    InputError,
    SightlineError,
    UnknownName,
)
from assistant.table.board import BoardStatus
from assistant.translations.messages import message
from assistant.translations.speech import Speech
from web.serving.routes import REQUEST

COMMAND = "command"
"""The document that a command of the match is called in errors."""

_BOARD: Mapping[BoardStatus, str] = {
    BoardStatus.FIGURES_OVERLAP: message("Another figure stands there. Choose a free space."),
    BoardStatus.FIGURE_OFF_BOARD: message("This place is beside the board. Choose a space of the board."),
    BoardStatus.FIGURE_NO_RECTANGLE: message("These spaces make no base. Choose spaces that form a rectangle."),
}

_KINDS: Mapping[type[SightlineError], str] = {
    BoardError: message("This board contradicts itself. Look at its figures and doors again."),
    UnknownName: message("Nothing here is called that. Reload the page and choose from what it shows."),
    IllegalStep: message("The rules of the match do not allow this now. Look at the table again."),
    InputError: message("This cannot be used as it is. Check it and try again."),
    CannotDo: message("This cannot be done right now. Look at the problems of the table, or try again in a moment."),
    SightlineError: message("Something went wrong. Reload the page and try again."),
}
"""By the nearest kind that is listed."""

_STATUS: Mapping[int, str] = {
    400: message("The table did not understand this request. Reload the page and try again."),
    404: message("There is nothing at this address. Go back to the table's page."),
    405: message("This address does not take that. Reload the page and try again."),
    408: message("The request took too long to arrive. Check the network and try again."),
    415: message("The table does not take files of this kind. Choose another one."),
}


def general_words(problem: SightlineError, speech: Speech) -> str:
    """The sentence for an error of that kind, with the place of the fault where one is known."""
    if isinstance(problem, DocumentError) and problem.document is not None:
        return _document(problem, speech)
    return board_words(problem, speech) or speech.text(
        next(_KINDS[kind] for kind in type(problem).__mro__ if kind in _KINDS)
    )


def board_words(problem: SightlineError, speech: Speech) -> str | None:
    """What is wrong with the places that a person gave figures; None for any other error."""
    flags = problem.flags if isinstance(problem, BoardError) and problem.document is None else None
    if not isinstance(flags, BoardStatus):
        return None
    return next((speech.text(text) for flag, text in _BOARD.items() if flag in flags), None)


def status_words(status: int, speech: Speech) -> str:
    """The sentence for an answer that no error of ours stands behind."""
    if status in _STATUS:
        return speech.text(_STATUS[status])
    if status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        return speech.text(
            "The program made a mistake. Repeat what you did; if it happens again, start the program anew."
        )
    return speech.text(_STATUS[HTTPStatus.BAD_REQUEST])


def _document(problem: DocumentError, speech: Speech) -> str:
    if problem.document in (REQUEST, COMMAND):
        if problem.field:
            return speech.text(
                "The table cannot use what was sent ({field}). Reload the page and try again.", field=problem.field
            )
        return speech.text("The table cannot use what was sent. Reload the page and try again.")
    if problem.field:
        return speech.text(
            "This file is damaged or not of the expected kind ({place}). Choose another copy of it.",
            place=_place(problem.field, speech),
        )
    return speech.text("This file is damaged or not of the expected kind. Choose another copy of it.")


def _place(field: str, speech: Speech) -> str:
    """Where in a document something is wrong: a line by its number, a field by its name."""
    line = re.fullmatch(r"line (\d+)(?:\.(.+))?", field)
    if line is None:
        return field
    place = speech.text("line {n}", n=line[1])
    return f"{place}, {line[2]}" if line[2] else place
