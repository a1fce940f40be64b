"""Routes for hypothetical figures and doors, for maps, and for the figures that see a space."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from assistant.app.live.shots import Shot
from assistant.documents import reach_document
from assistant.errors import UnknownName
from assistant.rules.capabilities import FindsReach
from assistant.rules.ruleset import CellRules
from assistant.rules.ruling import SightLine
from assistant.rules.whatif import (
    Observer,
    SpaceMeasure,
    count_dangers,
    count_ranges,
    find_observers,
    find_seen_cells,
    measure_spaces,
)
from assistant.rules.whatif import sight_map as map_sight
from assistant.table.board import Board
from assistant.table.cell_names import CellNames
from assistant.table.lattice import Cell
from assistant.translations.catalogue import speak_id
from assistant.translations.messages import said
from assistant.translations.speech import Speech
from web.parts import parts
from web.people.session import current_speech
from web.rulings.card import BLOCKER_WORDS, card_document, rule_on
from web.rulings.line_stop import find_stop
from web.rulings.rulebook import cell_rules
from web.scene.correction import Coordinate, Correction, Name, correct_shot
from web.scene.drawing import ShotDrawing
from web.serving.roles import Right
from web.serving.routes import Answer, post


class WhatIf(Struct, forbid_unknown_fields=True):
    """A hypothetical attack: the two figures, and the hypothetical places of figures."""

    attacker: Name
    defender: Name
    figures: Annotated[dict[Name, list[tuple[Coordinate, Coordinate]]], Meta(max_length=200)] = {}
    doors: Annotated[dict[Name, bool], Meta(max_length=200)] = {}
    ruleset: str = ""
    as_plan: bool = False


class ReachQuestion(Struct, forbid_unknown_fields=True):
    """The moving figure, its points, and the rules."""

    figure: Name
    points: Annotated[int, Meta(ge=0, le=40)]
    ruleset: str = ""
    as_plan: bool = False


class MapQuestion(Struct, forbid_unknown_fields=True):
    """A question about every space of the board.

    ``seen``: the spaces that the figure sees now. The others ask for its standing places: to see the target, to see it
    unseen by its other enemies, to see it without cover, to be seen by no enemy. ``range`` and ``danger`` give every
    space a number: its range from the figure, and the number of enemies that would see the figure there.
    """

    figure: Name
    question: Literal["seen", "sees", "sees_unseen", "no_cover", "safe", "range", "danger"]
    target: Name | None = None
    ruleset: str = ""
    as_plan: bool = False


@post("/shots/<shot_id>/reaches", Right.ASK, ReachQuestion, "Where may a figure end its move? Spaces with their cost.")
def reach(question: ReachQuestion, shot_id: str) -> Answer:
    shot, rules = parts().shelf.get(shot_id), cell_rules(question.ruleset)
    if not isinstance(rules, FindsReach):
        raise UnknownName(said("“{name}” counts no moves on spaces; measure on the table instead", name=rules.name))
    answer = rules.reach(shot.board, question.figure, question.points)
    least: dict[Cell, int] = {}
    for end in answer.ends:
        for cell in end.cells:
            least[cell] = min(end.cost, least.get(cell, end.cost))
    return {"reach": reach_document(answer), "cells": _outlines(shot, least, as_plan=question.as_plan)}


@post(
    "/shots/<shot_id>/maps",
    Right.ASK,
    MapQuestion,
    "On which spaces does something hold: seen, safe, a shot without cover?",
)
def sight_map(asked: MapQuestion, shot_id: str) -> Answer:
    shot, rules = parts().shelf.get(shot_id), cell_rules(asked.ruleset)
    return {"cells": _outlines(shot, _numbers(rules, shot.board, asked), as_plan=asked.as_plan)}


def _numbers(rules: CellRules, board: Board, asked: MapQuestion) -> Mapping[Cell, int | None]:
    """Return the cells of the answer, with a number for numeric questions."""
    if asked.question == "range":
        return count_ranges(rules, board, board.figure(asked.figure))
    if asked.question == "danger":
        return count_dangers(rules, board, board.figure(asked.figure))
    if asked.question == "seen":
        return dict.fromkeys(find_seen_cells(rules, board, board.figure(asked.figure)))
    return dict.fromkeys(map_sight(rules, board, asked.question, asked.figure, asked.target).holds)


@post(
    "/shots/<shot_id>/what-if",
    Right.ASK,
    WhatIf,
    "The answer if figures stood elsewhere; nothing is saved and no page changes.",
)
def what_if(wanted: WhatIf, shot_id: str) -> Answer:
    shot, rules = parts().shelf.get(shot_id), cell_rules(wanted.ruleset)
    thought = correct_shot(shot, Correction(figures={**wanted.figures}, doors={**wanted.doors}), shot.id)
    speech, as_plan = current_speech(), wanted.as_plan
    return card_document(rule_on(thought, rules, wanted.attacker, wanted.defender, speech, as_plan=as_plan))


def _outlines(shot: Shot, costs: Mapping[Cell, int | None], *, as_plan: bool) -> list[dict[str, Any]]:
    drawing = ShotDrawing(shot, as_plan=as_plan)
    return [{"cell": list(c), "cost": costs[c], "outline": drawing.cell_px(c)} for c in sorted(costs)]


class SpaceQuestion(Struct, forbid_unknown_fields=True):
    """A space and the rules."""

    cell: tuple[Coordinate, Coordinate]
    ruleset: str = ""
    as_plan: bool = False


@post(
    "/shots/<shot_id>/watchers", Right.ASK, SpaceQuestion, "Which figures see a space, or the figure that stands there?"
)
def who_sees(asked: SpaceQuestion, shot_id: str) -> Answer:
    shot, speech = parts().shelf.get(shot_id), current_speech()
    found = find_observers(cell_rules(asked.ruleset), shot.board, asked.cell)
    drawing = ShotDrawing(shot, as_plan=asked.as_plan)
    return {
        "cell": list(asked.cell),
        "outline": drawing.cell_px(asked.cell),
        "sentence": _sentence(shot, asked.cell, found, speech),
        "watchers": [_watcher(watcher, shot, drawing, speech) for watcher in found],
    }


def _watcher(watcher: Observer, shot: Shot, drawing: ShotDrawing, speech: Speech) -> dict[str, Any]:
    figure = shot.board.figure(watcher.figure)
    return {
        "id": figure.id,
        "name": speak_id(figure.id, speech.language),
        "from": drawing.place_px(watcher.line.start),
        "to": drawing.place_px(watcher.line.end),
    }


class RulerQuestion(Struct, forbid_unknown_fields=True):
    """The spaces to measure between, and the rules."""

    start: tuple[Coordinate, Coordinate]
    end: tuple[Coordinate, Coordinate]
    ruleset: str = ""
    as_plan: bool = False


@post(
    "/shots/<shot_id>/measures",
    Right.ASK,
    RulerQuestion,
    "The range, the line of sight and the cheapest way between two spaces.",
)
def measure(asked: RulerQuestion, shot_id: str) -> Answer:
    shot, speech = parts().shelf.get(shot_id), current_speech()
    rules = cell_rules(asked.ruleset)
    found = measure_spaces(rules, shot.board, asked.start, asked.end)
    drawing = ShotDrawing(shot, as_plan=asked.as_plan)
    return {
        "places": [CellNames.of(shot.board).short(cell) for cell in (asked.start, asked.end)],
        "range": found.range,
        "cost": found.cost,
        "sentences": list(_measure(found, speech, counts_ways=isinstance(rules, FindsReach))),
        "is_free": found.line_of_sight,
        "line": _line_px(found.line, shot, drawing),
        "outlines": [drawing.cell_px(cell) for cell in (asked.start, asked.end)],
    }


def _line_px(line: SightLine | None, shot: Shot, drawing: ShotDrawing) -> list[Any]:
    """Return the line up to its stop, empty if the rules draw none."""
    if line is None:
        return []
    return [drawing.place_px(line.start), drawing.place_px(find_stop(line, shot.board) or line.end)]


def _measure(found: SpaceMeasure, speech: Speech, *, counts_ways: bool) -> Iterator[str]:
    yield (
        speech.text("No range: walls and doors close every way.")
        if found.range is None
        else speech.text("Range {range}.", range=found.range)
    )
    if not found.line_of_sight:
        blocker = None if found.line is None else found.line.blocked_by
        yield (
            speech.text("Line of sight blocked.")
            if blocker is None
            else speech.text("Line of sight blocked by {what}.", what=speech.text(BLOCKER_WORDS[blocker.kind]))
        )
    elif found.cover:
        yield speech.text("Line of sight free, with cover.")
    else:
        yield speech.text("Line of sight free.")
    if counts_ways and found.cost is None:
        yield speech.text("No way leads there.")
    elif found.cost is not None:
        yield speech.count("Cheapest way: {n} point.", "Cheapest way: {n} points.", found.cost)


def _sentence(shot: Shot, cell: Cell, found: tuple[Observer, ...], speech: Speech) -> str:
    place = CellNames.of(shot.board).short(cell)
    there = shot.board.figure_at.get(cell)
    if there is not None:
        place = f"{place} ({speak_id(there.id, speech.language)})"
    if not found:
        return speech.text("{place}: seen by nobody.", place=place)
    names = ", ".join(speak_id(watcher.figure, speech.language) for watcher in found)
    return speech.count("{place}: seen by {names}.", "{place}: seen by {names}.", len(found), place=place, names=names)
