"""Pictures: hand one in, draw over it, ask who sees whom."""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import replace
from typing import Annotated

from flask import Response, jsonify, request
from flask.typing import ResponseReturnValue
from msgspec import Meta, Struct

from assistant.documents import observation_document, reach_document
from assistant.errors import PhotoUnreadable
from assistant.table.lattice import LIMIT, Cell
from web.api.blueprint import blueprint
from web.card import card_document
from web.correction import corrected_board
from web.ports import Shot
from web.roles import Right
from web.routes import RouteFacts, body_as, route
from web.scene import ShotDrawing
from web.session import current_speech
from web.state import page_state

_Name = Annotated[str, Meta(min_length=1, max_length=200)]
_Coordinate = Annotated[int, Meta(gt=-LIMIT, lt=LIMIT)]


class RulingQuestion(Struct, forbid_unknown_fields=True):
    """Who attacks whom, and by which rules."""

    attacker: _Name
    defender: _Name
    ruleset: str = ""
    as_plan: bool = False


class Correction(Struct, forbid_unknown_fields=True):
    """Where figures really stand (null: nowhere) and which doors are open."""

    figures: Annotated[dict[_Name, list[tuple[_Coordinate, _Coordinate]] | None], Meta(max_length=200)] = {}
    doors: Annotated[dict[_Name, bool], Meta(max_length=200)] = {}


class ReachQuestion(Struct, forbid_unknown_fields=True):
    """Which figure moves, with how many points, by which rules."""

    figure: _Name
    points: Annotated[int, Meta(ge=0, le=40)]
    ruleset: str = ""
    as_plan: bool = False


@route(
    blueprint,
    "POST",
    "/shots",
    RouteFacts(Right.SHOW, "Hand in a photo of the table and get the scene on it.", takes="image/*", status=201),
)
def show_photo() -> ResponseReturnValue:
    """Reads the photo in the body; nothing of its name or meta data is kept."""
    state = page_state()
    photo = request.get_data(cache=False)
    if not photo:
        raise PhotoUnreadable("no photo came with the request; choose one and try again")
    with state.reading:
        read = state.reader.read(photo)
    shot = Shot(f"photo-{secrets.token_urlsafe(12)}", "photo", read, state.reader.setup, state.now_s())
    state.shelf.put(shot)
    return jsonify(ShotDrawing(shot).document()), 201


@route(
    blueprint, "GET", "/shots/<shot_id>", RouteFacts(Right.WATCH, "The scene of a shot; ?as=plan draws it from above.")
)
def scene(shot_id: str) -> ResponseReturnValue:
    """Everything on the board, in picture pixels."""
    shot = page_state().shelf.get(shot_id)
    return jsonify(ShotDrawing(shot, as_plan=request.args.get("as") == "plan").document())


@route(
    blueprint, "GET", "/shots/<shot_id>/observation", RouteFacts(Right.WATCH, "The observation/1 document of a shot.")
)
def observation(shot_id: str) -> ResponseReturnValue:
    """What the photo showed, as outside programs read it."""
    return jsonify(observation_document(page_state().shelf.get(shot_id).read.observation))


@route(
    blueprint, "GET", "/shots/<shot_id>/picture", RouteFacts(Right.WATCH, "The picture of a shot.", gives="image/jpeg")
)
def picture(shot_id: str) -> ResponseReturnValue:
    """The JPEG; it never changes under its name."""
    jpeg = page_state().shelf.get(shot_id).read.picture.jpeg
    response = Response(jpeg, mimetype="image/jpeg")
    response.headers["Cache-Control"] = "private, max-age=3600, immutable"
    response.set_etag(hashlib.sha256(jpeg).hexdigest()[:32])
    return response.make_conditional(request)


@route(
    blueprint,
    "POST",
    "/shots/<shot_id>/rulings",
    RouteFacts(Right.ASK, "May one figure attack another? The answer with its lines and reasons.", body=RulingQuestion),
)
def ruling(shot_id: str) -> ResponseReturnValue:
    """The ruling card of one attack on this shot."""
    state, speech = page_state(), current_speech()
    question = body_as(RulingQuestion)
    shot = state.shelf.get(shot_id)
    language = speech.locale.language
    answer = state.rules.rule(question.ruleset, shot.board, question.attacker, question.defender, language)
    return jsonify(card_document(shot, answer, state.rules, speech, as_plan=question.as_plan))


@route(
    blueprint,
    "POST",
    "/shots/<shot_id>/corrections",
    RouteFacts(Right.CORRECT, "Set figures and doors right, or ask “what if”.", body=Correction, status=201),
)
def correct(shot_id: str) -> ResponseReturnValue:
    """A new shot with the corrected board; the old one stays as it was seen."""
    state = page_state()
    wanted = body_as(Correction)
    shot = state.shelf.get(shot_id)
    places = {name: None if cells is None else tuple(cells) for name, cells in wanted.figures.items()}
    board = corrected_board(shot.board, places, wanted.doors)
    changed = replace(shot, id=f"photo-{secrets.token_urlsafe(12)}", source="photo", corrected=board)
    state.shelf.put(changed)
    return jsonify(ShotDrawing(changed).document()), 201


@route(
    blueprint,
    "POST",
    "/shots/<shot_id>/reaches",
    RouteFacts(Right.ASK, "Where may a figure end its move? Cells with their cost.", body=ReachQuestion),
)
def reach(shot_id: str) -> ResponseReturnValue:
    """The reach/1 document, and the outline of every cell that can be ended on."""
    state = page_state()
    question = body_as(ReachQuestion)
    shot = state.shelf.get(shot_id)
    answer = state.rules.rule_set(question.ruleset).reach(shot.board, question.figure, question.points)
    drawing = ShotDrawing(shot, as_plan=question.as_plan)
    least: dict[Cell, int] = {}
    for end in answer.ends:
        for cell in end.cells:
            least[cell] = min(end.cost, least.get(cell, end.cost))
    cells = [{"cell": list(c), "cost": least[c], "outline": drawing.cell_px(c)} for c in sorted(least)]
    return jsonify({"reach": reach_document(answer), "cells": cells})
