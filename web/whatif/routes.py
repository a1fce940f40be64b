"""What if: a figure stands elsewhere, a door is open; and maps of where something would hold."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from flask import Blueprint, jsonify
from flask.typing import ResponseReturnValue
from msgspec import Meta, Struct

from assistant.app.live.shots import Shot
from assistant.documents import reach_document
from assistant.table.lattice import Cell
from web.people.session import current_speech
from web.rulings.card import card_document
from web.rulings.rulebook import RuleBook, RulingRequest
from web.scene.correction import Coordinate, Correction, Name, correct_shot
from web.scene.drawing import ShotDrawing
from web.serving.roles import Right
from web.serving.routes import API_ROOT, RouteFacts, body_as, route
from web.whatif.needs import whatif_page

blueprint = Blueprint("whatif", __name__, url_prefix=API_ROOT)


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
    "/shots/<shot_id>/reaches",
    RouteFacts(Right.ASK, "Where may a figure end its move? Cells with their cost.", body=ReachQuestion),
)
def reach(shot_id: str) -> ResponseReturnValue:
    """The reach/1 document, and the outline of every cell that can be ended on."""
    page = whatif_page()
    question = body_as(ReachQuestion)
    shot = page.shelf.get(shot_id)
    answer = page.rules.reach(question.ruleset, shot.board, question.figure, question.points)
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
    page = whatif_page()
    asked = body_as(MapQuestion)
    shot = page.shelf.get(shot_id)
    return jsonify({"cells": _outlines(shot, _numbers(page.rules, shot, asked), as_plan=asked.as_plan)})


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
    page, speech = whatif_page(), current_speech()
    wanted = body_as(WhatIf)
    shot = page.shelf.get(shot_id)
    thought = correct_shot(shot, Correction(figures={**wanted.figures}, doors={**wanted.doors}), shot.id)
    language = speech.language
    asked = RulingRequest(wanted.ruleset, thought.table, wanted.attacker, wanted.defender)
    answer = page.rules.rule(asked, language, ShotDrawing(thought, as_plan=wanted.as_plan).ways())
    return jsonify(card_document(thought, answer, page.rules, speech, as_plan=wanted.as_plan))


def _outlines(shot: Shot, costs: Mapping[Cell, int | None], *, as_plan: bool) -> list[dict[str, Any]]:
    drawing = ShotDrawing(shot, as_plan=as_plan)
    return [{"cell": list(c), "cost": costs[c], "outline": drawing.cell_px(c)} for c in sorted(costs)]
