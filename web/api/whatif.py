"""What if: a figure stands elsewhere, a door is open; and maps of where something would hold."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, Any, Literal

from flask import jsonify
from flask.typing import ResponseReturnValue
from msgspec import Meta, Struct

from assistant.documents import reach_document
from assistant.table.lattice import LIMIT, Cell
from web.api.blueprint import blueprint
from web.api.shots import Name, scene_answer
from web.card import card_document
from web.correction import corrected_board
from web.ports import Shot
from web.roles import Right
from web.routes import RouteFacts, body_as, route
from web.rulebook import Asked, RuleBook
from web.scene import ShotDrawing
from web.session import current_speech
from web.state import page_state

Coordinate = Annotated[int, Meta(gt=-LIMIT, lt=LIMIT)]


class Correction(Struct, forbid_unknown_fields=True):
    """Where figures really stand (null: nowhere) and which doors are open."""

    figures: Annotated[dict[Name, list[tuple[Coordinate, Coordinate]] | None], Meta(max_length=200)] = {}
    doors: Annotated[dict[Name, bool], Meta(max_length=200)] = {}


class WhatIf(Struct, forbid_unknown_fields=True):
    """A ruling to be thought about: who, whom, and where figures would stand."""

    attacker: Name
    defender: Name
    figures: Annotated[dict[Name, list[tuple[Coordinate, Coordinate]]], Meta(max_length=200)] = {}
    doors: Annotated[dict[Name, bool], Meta(max_length=200)] = {}
    ruleset: str = ""
    as_plan: bool = False


class ReachQuestion(Struct, forbid_unknown_fields=True):
    """Which figure moves, with how many points, by which rules."""

    figure: Name
    points: Annotated[int, Meta(ge=0, le=40)]
    ruleset: str = ""
    as_plan: bool = False


class MapQuestion(Struct, forbid_unknown_fields=True):
    """A question about every space of the board.

    ``seen``: what the figure sees from where it stands. The others ask where it would have to stand: to see the
    target, to see it unseen by its other enemies, to see it without cover, to be seen by no enemy. ``range`` and
    ``danger`` give every space a number: its range from the figure, and how many enemies would see the figure there.
    """

    figure: Name
    question: Literal["seen", "sees", "sees_unseen", "no_cover", "safe", "range", "danger"]
    target: Name | None = None
    ruleset: str = ""
    as_plan: bool = False


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
    return scene_answer(changed), 201


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
    least: dict[Cell, int] = {}
    for end in answer.ends:
        for cell in end.cells:
            least[cell] = min(end.cost, least.get(cell, end.cost))
    cells = _outlines(shot, least, as_plan=question.as_plan)
    return jsonify({"reach": reach_document(answer), "cells": cells})


@route(
    blueprint,
    "POST",
    "/shots/<shot_id>/maps",
    RouteFacts(Right.ASK, "On which spaces does something hold: seen, safe, a shot without cover?", body=MapQuestion),
)
def sight_map(shot_id: str) -> ResponseReturnValue:
    """The outline of every space on which the answer is yes."""
    state = page_state()
    asked = body_as(MapQuestion)
    shot = state.shelf.get(shot_id)
    return jsonify({"cells": _outlines(shot, _numbers(state.rules, shot, asked), as_plan=asked.as_plan)})


def _numbers(rules: RuleBook, shot: Shot, asked: MapQuestion) -> Mapping[Cell, int | None]:
    """The cells of the answer, with a number where the question is about numbers."""
    if asked.question == "range":
        return rules.ranges(asked.ruleset, shot.board, asked.figure)
    if asked.question == "danger":
        return rules.danger(asked.ruleset, shot.board, asked.figure)
    if asked.question == "seen":
        return dict.fromkeys(rules.seen(asked.ruleset, shot.board, asked.figure))
    return dict.fromkeys(rules.places(asked.ruleset, shot.board, asked.question, asked.figure, asked.target))


@route(
    blueprint,
    "POST",
    "/shots/<shot_id>/what-if",
    RouteFacts(Right.ASK, "The answer if figures stood elsewhere; nothing is kept and nobody is told.", body=WhatIf),
)
def what_if(shot_id: str) -> ResponseReturnValue:
    """The ruling card on a board that only this question knows."""
    state, speech = page_state(), current_speech()
    wanted = body_as(WhatIf)
    shot = state.shelf.get(shot_id)
    places = {name: tuple(cells) for name, cells in wanted.figures.items()}
    thought = replace(shot, corrected=corrected_board(shot.board, places, wanted.doors))
    language = speech.language
    asked = Asked(wanted.ruleset, thought.table, wanted.attacker, wanted.defender)
    answer = state.rules.rule(asked, language, ShotDrawing(thought, as_plan=wanted.as_plan).ways())
    return jsonify(card_document(thought, answer, state.rules, speech, as_plan=wanted.as_plan))


def _outlines(shot: Shot, costs: Mapping[Cell, int | None], *, as_plan: bool) -> list[dict[str, Any]]:
    drawing = ShotDrawing(shot, as_plan=as_plan)
    return [{"cell": list(c), "cost": costs[c], "outline": drawing.cell_px(c)} for c in sorted(costs)]
