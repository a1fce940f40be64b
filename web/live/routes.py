"""The table that a camera watches: set right by hand, held as it is, asked about."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

from flask import Blueprint, jsonify
from flask.typing import ResponseReturnValue
from msgspec import Meta, Struct, field

from assistant.app.live.table_memory import TableCorrection
from assistant.errors import CannotDo
from assistant.translations.messages import said
from web.live.needs import live_page
from web.live.ports import LiveTable
from web.live.words import live_document
from web.people.session import current_person, current_speech
from web.scene.correction import Correction, Name
from web.serving.roles import Right
from web.serving.routes import API_ROOT, RouteFacts, body_as, route

blueprint = Blueprint("live", __name__, url_prefix=API_ROOT)


class LiveCorrection(Correction):
    """What is so on the table; with the answers to questions, and the notes on moves that were right."""

    answers: Annotated[dict[Name, Name], Meta(max_length=200)] = field(default_factory=dict)
    notes: Annotated[list[Name], Meta(max_length=200)] = field(default_factory=list)

    def of_table(self) -> TableCorrection:
        """The same for the table that a camera watches.

        Raises:
            BoardError: a door has no edges.
        """
        return replace(super().of_table(), answers=self.answers, notes=tuple(self.notes))


class Freeze(Struct, forbid_unknown_fields=True):
    """Whether the table is held as it is."""

    is_frozen: bool


class NotWatched(CannotDo):
    """There is no table that a camera watches."""


@route(blueprint, "GET", "/live", RouteFacts(Right.WATCH, "How the live table stands, and what is asked about it."))
def live() -> ResponseReturnValue:
    """The holding, the open questions and the moves that looked odd."""
    return jsonify(live_document(live_page().shown, current_speech()))


@route(
    blueprint,
    "POST",
    "/live/corrections",
    RouteFacts(Right.CORRECT, "Set the live table right; it holds until the camera sees a change.", LiveCorrection),
)
def correct_live() -> ResponseReturnValue:
    """What was said is believed; the picture that shows it comes over the stream."""
    said_of_it = body_as(LiveCorrection).of_table()
    _watched().set_right(said_of_it)
    live_page().note_by_hand(said_of_it, current_person())
    return live()


@route(
    blueprint,
    "POST",
    "/live/freeze",
    RouteFacts(Right.CORRECT, "Hold the live table as it is, or let the camera have its say again.", Freeze),
)
def freeze() -> ResponseReturnValue:
    """The camera goes on watching and changes nothing."""
    _watched().freeze(is_frozen=body_as(Freeze).is_frozen)
    return live()


def _watched() -> LiveTable:
    table = live_page().shown.watched
    if table is None:
        raise NotWatched(said("No camera watches this table. Start the program with a camera."))
    return table
