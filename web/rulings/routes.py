"""Rulings: ask for one, see those that were asked for, learn what would change one."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, jsonify, request
from flask.typing import ResponseReturnValue
from msgspec import Struct

from assistant.documents import claim_document
from assistant.rules.claims import About
from web.live.words import list_live_doubts
from web.people.session import current_speech
from web.rulings.asked import AskedRuling
from web.rulings.card import card_document
from web.rulings.needs import rulings_page
from web.rulings.rulebook import RulingRequest
from web.rulings.settling import Settling, list_box
from web.scene.correction import Name
from web.scene.drawing import ShotDrawing
from web.serving.roles import Right
from web.serving.routes import API_ROOT, RouteFacts, body_as, route

blueprint = Blueprint("rulings", __name__, url_prefix=API_ROOT)


class RulingQuestion(Struct, forbid_unknown_fields=True):
    """Who attacks whom, and by which rules; ``is_follow_up`` if a page asks again on a newer picture."""

    attacker: Name
    defender: Name
    ruleset: str = ""
    as_plan: bool = False
    is_follow_up: bool = False


@route(
    blueprint,
    "POST",
    "/shots/<shot_id>/rulings",
    RouteFacts(Right.ASK, "May one figure attack another? The answer with its lines and reasons.", body=RulingQuestion),
)
def ruling(shot_id: str) -> ResponseReturnValue:
    """The ruling card of one attack on this shot."""
    page, speech = rulings_page(), current_speech()
    question = body_as(RulingQuestion)
    shot = page.shelf.get(shot_id)
    language = speech.locale.language
    asked = RulingRequest(question.ruleset, shot.table, question.attacker, question.defender)
    answer = page.rules.rule(asked, language, ShotDrawing(shot, as_plan=question.as_plan).ways())
    if shot.is_still:  # what was asked while something moves is asked again when the table is still
        page.asked.note(shot, answer, is_follow_up=question.is_follow_up)
    card = card_document(shot, answer, page.rules, speech, as_plan=question.as_plan)
    card["doubts"] += list_live_doubts(page.shown, shot, speech)
    return jsonify(card)


@route(blueprint, "GET", "/rulings", RouteFacts(Right.WATCH, "The rulings that were asked for, the newest first."))
def rulings() -> ResponseReturnValue:
    """The cards of the last rulings; each has its picture."""
    return jsonify({"rulings": [_asked_card(asked) for asked in reversed([*rulings_page().asked])]})


@route(blueprint, "GET", "/rulings/<ruling_id>", RouteFacts(Right.WATCH, "The card of a ruling that was asked for."))
def asked_ruling(ruling_id: str) -> ResponseReturnValue:
    """The card, in this reader's language, for a screen that only watches."""
    return jsonify(_asked_card(rulings_page().asked.get(ruling_id)))


def _asked_card(asked: AskedRuling) -> dict[str, Any]:
    page, speech = rulings_page(), current_speech()
    shot = page.shelf.get(asked.shot)
    language = speech.locale.language
    question = RulingRequest(asked.ruleset, shot.table, asked.attacker, asked.defender)
    answer = page.rules.rule(question, language, ShotDrawing(shot).ways())
    card = card_document(shot, answer, page.rules, speech)
    return {"id": asked.id, "asked_at_s": round(asked.asked_at_s, 1), **card}


@route(
    blueprint,
    "POST",
    "/shots/<shot_id>/changes",
    RouteFacts(Right.ASK, "What would have to be different for the answer to be another?", body=RulingQuestion),
)
def changes(shot_id: str) -> ResponseReturnValue:
    """The smallest single changes of the table that flip the ruling, in the reader's language."""
    page, speech = rulings_page(), current_speech()
    question = body_as(RulingQuestion)
    shot = page.shelf.get(shot_id)
    asked = RulingRequest(question.ruleset, shot.table, question.attacker, question.defender)
    ways = ShotDrawing(shot, as_plan=question.as_plan).ways()
    found = page.rules.changes(asked, speech.locale.language, ways)
    return jsonify({"changes": [{"rule": reason.rule, "text": reason.text} for reason in found]})


@route(
    blueprint,
    "GET",
    "/shots/<shot_id>/doubts",
    RouteFacts(Right.WATCH, "What the camera left open about a shot, each with the answers that settle it."),
)
def doubts(shot_id: str) -> ResponseReturnValue:
    """The doubts, the most doubtful first, and the figures of the box, for who is missing or another one."""
    speech, shot = current_speech(), rulings_page().shelf.get(shot_id)
    settling = Settling(shot, speech, as_plan=request.args.get("as") == "plan")
    return jsonify({"doubts": settling.list_open(), "box": list_box(shot, speech)})


class ClaimQuestion(Struct, forbid_unknown_fields=True):
    """Two people who say opposite things about one attack, and what about."""

    attacker: Name
    defender: Name
    about: About
    ruleset: str = ""


@route(
    blueprint,
    "POST",
    "/shots/<shot_id>/claims",
    RouteFacts(Right.ASK, "Two claims about one attack: which holds, under which options each would.", ClaimQuestion),
)
def claims(shot_id: str) -> ResponseReturnValue:
    """The claim that it is so and the claim that it is not, in the reader's language."""
    page, speech = rulings_page(), current_speech()
    question = body_as(ClaimQuestion)
    asked = RulingRequest(question.ruleset, page.shelf.get(shot_id).table, question.attacker, question.defender)
    found = page.rules.claims(asked, question.about)
    return jsonify({"claims": [claim_document(claim, speech.locale.language) for claim in found]})
