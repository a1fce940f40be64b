"""One shape for every error: ``{"error": {"status", "kind", "message", "document", "field"}}``.

A step forbidden by a rule of the game also has ``rule``: its id and its source. The message is the error's own sentence
in the reader's language. The HTTP status of a kind is listed here, or at the class for the page's own errors.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Any, Protocol, runtime_checkable

from flask import Flask, Response, jsonify, request
from werkzeug.exceptions import HTTPException, RequestEntityTooLarge

from assistant.errors import (
    CalibrationError,
    CannotDo,
    IllegalStep,
    InputError,
    NameTaken,
    NoCameraChosen,
    NotYours,
    PhotoError,
    SightlineError,
)
from assistant.match.ways import NOT_WHOLE
from assistant.tracking.corrections import QuestionGone
from assistant.translations.messages import Said, message, said
from assistant.translations.speech import Speech
from web.people.session import current_speech, guard
from web.serving.routes import COMMAND, MAX_UPLOAD_BYTES, REQUEST, TRY_AGAIN_S
from web.serving.security import add_headers

log = logging.getLogger(__name__)

STATUS: Mapping[type[SightlineError], int] = {
    NotYours: 403,
    QuestionGone: 404,
    IllegalStep: 409,
    InputError: 400,
    PhotoError: 422,
    NoCameraChosen: 409,
    CalibrationError: 409,
    NameTaken: 409,
    CannotDo: 503,
    SightlineError: 500,
}
"""HTTP status by the nearest listed base class."""

_STATUS_WORDS: Mapping[int, str] = {
    400: message("The program did not understand this request. Reload the page and try again."),
    404: message("There is nothing at this address. Go back to the table's page."),
    405: message("This address does not accept that. Reload the page and try again."),
    408: message("The request took too long to arrive. Check the network and try again."),
    415: message("The table does not take files of this kind. Choose another one."),
}


@runtime_checkable
class _OfThePage(Protocol):
    """An error of the page itself, with its own HTTP status."""

    http_status: int


def status_of(problem: SightlineError) -> int:
    """Return the HTTP status of an error."""
    if isinstance(problem, _OfThePage):
        return problem.http_status
    return next(STATUS[kind] for kind in type(problem).__mro__ if kind in STATUS)


def word_error(problem: SightlineError, speech: Speech) -> str:
    """Return the sentence of an error for a person, with the document and field at fault if known."""
    if problem.document in (REQUEST, COMMAND):
        return _sent_wrong(problem).worded(speech.language)
    if problem.document is not None:
        text = problem.worded(speech.language)
    else:  # a field without a document is the page's own, and the page marks it
        text = problem.sentence.worded(speech.language)
        text = text[:1].upper() + text[1:]
    text = " ".join(text.split())
    return text if text.endswith((".", "!", "?")) else f"{text}."


def _sent_wrong(problem: SightlineError) -> Said:
    """Return the error's format for programs only, since a person cannot fix a request written by the page."""
    if problem.document == COMMAND:
        return NOT_WHOLE
    return said("The table cannot use what was sent. Reload the page and try again.")


def status_words(status: int, speech: Speech) -> str:
    """Return the sentence for a status without an error class of ours."""
    if status in _STATUS_WORDS:
        return speech.text(_STATUS_WORDS[status])
    if status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        return speech.text("The program made a mistake. Try again; if that does not help, restart the program.")
    return speech.text(_STATUS_WORDS[HTTPStatus.BAD_REQUEST])


def error_body(status: int, kind: str, message: str, problem: SightlineError | None = None) -> dict[str, Any]:
    """Return the one error shape."""
    return {
        "error": {
            "status": status,
            "kind": kind,
            "message": message,
            "document": None if problem is None or problem.document is None else str(problem.document),
            "field": None if problem is None else problem.field,
        }
    }


def _with_rule(body: dict[str, Any], problem: SightlineError, speech: Speech) -> dict[str, Any]:
    """Return the error with the rule that forbids the step, if any, and its source."""
    rule = problem.rule if isinstance(problem, IllegalStep) else None
    if rule is not None:
        body["error"]["rule"] = {"id": rule.id, "source": speech.text(rule.source)}
    return body


def register(app: Flask, speech_of_request: Callable[[], Speech]) -> None:
    """Answer every error of the application in the one shape."""

    @app.errorhandler(SightlineError)
    def ours(problem: SightlineError) -> Response:
        status = status_of(problem)
        speech = speech_of_request()
        body = error_body(status, type(problem).__name__, word_error(problem, speech), problem)
        response = jsonify(_with_rule(body, problem, speech))
        response.status_code = status
        if status in (HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE):
            response.headers["Retry-After"] = str(TRY_AGAIN_S)
        return response

    @app.errorhandler(RequestEntityTooLarge)
    def too_large(_: RequestEntityTooLarge) -> Response:
        speech, most_bytes = speech_of_request(), request.max_content_length or 0
        text = speech.text("This file is larger than 25 MB. Choose a smaller picture.")
        if most_bytes > MAX_UPLOAD_BYTES:
            text = speech.text(
                "This file is larger than {mb} MB. Check whether it is the right one.", mb=most_bytes >> 20
            )
        response = jsonify(error_body(413, "TooLarge", text))
        response.status_code = 413
        return response

    @app.errorhandler(HTTPException)
    def theirs(problem: HTTPException) -> Response:
        status = problem.code or 500
        response = jsonify(error_body(status, type(problem).__name__, status_words(status, speech_of_request())))
        response.status_code = status
        for name, value in problem.get_headers():
            if name in ("Allow", "Location", "Retry-After"):
                response.headers[name] = value
        return response


def new_application() -> Flask:
    """Return an application without routes, with templates from its features' folders."""
    app = Flask("web.app", static_folder=None, template_folder=".")
    app.config["MAX_CONTENT_LENGTH"] = MAX_UPLOAD_BYTES
    app.json.sort_keys = False  # type: ignore[attr-defined]  # the provider is Flask's default one, which has it
    guard(app)
    add_headers(app)
    register(app, current_speech)
    return app
