"""One shape for every error: ``{"error": {"status", "kind", "message", "document", "field"}}``.

The message is one plain sentence in the reader's language that ends with what to do.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

from flask import Flask, Response, jsonify, request
from werkzeug.exceptions import HTTPException, RequestEntityTooLarge

from assistant.errors import (
    CameraAlarm,
    CameraBusy,
    CameraError,
    CameraNotFound,
    DiskFull,
    NameTaken,
    NoStreamThere,
    NoTiles,
    PhotosDisagree,
    PhotoTooLarge,
    PhotoUnreadable,
    PicturesDamaged,
    PicturesStopped,
    PoseAmbiguous,
    RecordingBroken,
    RecordingEnded,
    RecordingFull,
    RecordingStopped,
    SamePlace,
    SightlineError,
    SizeMismatch,
    StoreError,
    StreamAway,
    StripError,
    TooFewMarkers,
    TooFewViews,
)
from assistant.tracking.corrections import QuestionGone
from assistant.translations.speech import Speech
from web.people.devices import JoinRefused, NoSuchDevice, TooManyTries
from web.problems.alarm_words import worded_alarm
from web.problems.general_words import board_words, general_words, status_words
from web.problems.setup_words import SETUP_PROBLEMS
from web.scene.shelf import ShotGone
from web.serving.events import TooManyStreams
from web.serving.routes import MAX_UPLOAD_BYTES

log = logging.getLogger(__name__)

Worded = Callable[[Any, Speech], str]


def _too_few_markers(problem: TooFewMarkers, speech: Speech) -> str:
    if problem.seen == 0:
        found = speech.text("None of the table's printed markers can be seen.")
    else:
        found = speech.count(
            "Only {n} printed marker can be seen.", "Only {n} printed markers can be seen.", problem.seen
        )
    advice = speech.text("Take the photo again with at least three markers whole, sharp and in the picture.")
    return f"{found} {advice}"


WORDED: dict[type[SightlineError], Worded] = {
    TooFewMarkers: _too_few_markers,
    SizeMismatch: lambda _, s: s.text(
        "This photo does not come from the table's camera. Send the whole picture, not cropped or turned, "
        "or choose the set-up of the camera that took it."
    ),
    PoseAmbiguous: lambda _, s: s.text(
        "The printed markers do not lie as the table's file says. "
        "Check that nobody moved them, then take the photo again."
    ),
    NoTiles: lambda _, s: s.text(
        "No tile of the tile set can be recognised. Move the camera closer or add light, then take the photo again."
    ),
    PhotoTooLarge: lambda _, s: s.text(
        "This photo has too many pixels. Send it in a smaller size, 50 megapixels at most."
    ),
    PhotoUnreadable: lambda _, s: s.text(
        "This file cannot be read as a photo. Choose a whole JPEG or PNG picture and try again."
    ),
    PicturesStopped: lambda _, s: s.text(
        "The camera sends no new pictures. It is being opened again by itself; check its cable and its power."
    ),
    PicturesDamaged: lambda _, s: s.text(
        "The camera's pictures arrive damaged. Check its cable, or use a shorter one."
    ),
    RecordingEnded: lambda _, s: s.text("The recording is over."),
    RecordingBroken: lambda _, s: s.text("A part of what is played back is damaged and cannot be shown."),
    CameraBusy: lambda _, s: s.text(
        "The camera cannot be opened. Another program may be using it: close that one. It is tried again by itself."
    ),
    StreamAway: lambda _, s: s.text(
        "The camera cannot be reached over the network. Check its app, its address and the network; "
        "it is tried again by itself."
    ),
    NoStreamThere: lambda _, s: s.text(
        "The camera's address sends no pictures. Check the address, and the name and password in it."
    ),
    CameraNotFound: lambda _, s: s.text("This camera is not there. Plug it in; it is looked for again by itself."),
    CameraAlarm: worded_alarm,
    CameraError: lambda _, s: s.text(
        "The camera does not deliver pictures. Check its cable; it is tried again by itself."
    ),
    StripError: lambda _, s: s.text(
        "The LED strip does not follow. Plug it in again; everything else goes on without it."
    ),
    DiskFull: lambda problem, s: (
        s.text("Nothing can be written to the disk. Free some space, or the next steps are not kept.")
        if problem.free_mb is None
        else s.text("Only {mb} MB are free on the disk. Free some space.", mb=problem.free_mb)
    ),
    RecordingFull: lambda p, s: s.text(
        "The recording has reached its {mb} MB and has ended. The table is watched all the same.", mb=p.limit_mb
    ),
    RecordingStopped: lambda _, s: s.text(
        "The recording has ended, since it cannot be written. Free some space on the disk; the table is watched all "
        "the same."
    ),
    NameTaken: lambda _, s: s.text("There is something of this name already. Choose another name."),
    StoreError: lambda _, s: s.text(
        "The last step could not be kept and has not happened. Look at the disk, then repeat it."
    ),
    JoinRefused: lambda _, s: s.text("This code is wrong, used up or too old. Ask the owner for a new one."),
    TooManyTries: lambda _, s: s.text("Too many wrong codes at this table. Wait ten minutes, or scan the QR code."),
    NoSuchDevice: lambda _, s: s.text("This device has already left."),
    TooManyStreams: lambda _, s: s.text("Too many screens are open at this table. Close one and try again."),
    QuestionGone: lambda _, s: s.text("This question has been settled in the meantime. Look at the table again."),
    ShotGone: lambda _, s: s.text("This picture is no longer kept. Take or choose a new one."),
    TooFewViews: lambda p, s: s.count(
        "Only {n} picture shows the lens board well enough. Take more, 10 to 15 in all, with the board tilted.",
        "Only {n} pictures show the lens board well enough. Take more, 10 to 15 in all, with the board tilted.",
        p.seen,
    ),
    SamePlace: lambda _, s: s.text("This photo is like one before. Carry the camera to another side of the table."),
    PhotosDisagree: lambda _, s: s.text(
        "The photos do not fit together. Lay the markers flat, do not move them between the photos, and let every "
        "photo show all of them."
    ),
    **SETUP_PROBLEMS,
}
"""Errors that people at a table meet, worded for them."""


def worded(problem: SightlineError, speech: Speech) -> str:
    """The sentence for a person: the words for its kind, or its own ones, or what is said of all such errors."""
    for kind in type(problem).__mro__:
        if kind in WORDED:
            return WORDED[kind](problem, speech)
    if problem.sentence is not None:
        return _as_sentence(problem.sentence.worded(speech.language))
    if speech.language != "en":
        return general_words(problem, speech)
    return board_words(problem, speech) or _as_sentence(str(problem))


def _as_sentence(words: str) -> str:
    text = " ".join(words.split())
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "!", "?")) else ".")


def error_body(status: int, kind: str, message: str, problem: SightlineError | None = None) -> dict[str, Any]:
    """The one error shape."""
    return {
        "error": {
            "status": status,
            "kind": kind,
            "message": message,
            "document": getattr(problem, "document", None),
            "field": getattr(problem, "field", None),
        }
    }


def register(app: Flask, current_speech: Callable[[], Speech]) -> None:
    """Answers every error of the application in the one shape."""

    @app.errorhandler(SightlineError)
    def ours(problem: SightlineError) -> Response:
        body = error_body(problem.http_status, type(problem).__name__, worded(problem, current_speech()), problem)
        response = jsonify(body)
        response.status_code = problem.http_status
        if problem.http_status in (429, 503):
            response.headers["Retry-After"] = "5"
        return response

    @app.errorhandler(RequestEntityTooLarge)
    def too_large(_: RequestEntityTooLarge) -> Response:
        speech, most_bytes = current_speech(), request.max_content_length or 0
        text = speech.text("This file is larger than 25 MB. Choose a smaller picture.")
        if most_bytes > MAX_UPLOAD_BYTES:
            text = speech.text(
                "This file is larger than {mb} MB. Look whether it is the right one.", mb=most_bytes >> 20
            )
        response = jsonify(error_body(413, "TooLarge", text))
        response.status_code = 413
        return response

    @app.errorhandler(HTTPException)
    def theirs(problem: HTTPException) -> Response:
        status = problem.code or 500
        response = jsonify(error_body(status, type(problem).__name__, status_words(status, current_speech())))
        response.status_code = status
        for name, value in problem.get_headers():
            if name in ("Allow", "Location", "Retry-After"):
                response.headers[name] = value
        return response
