"""Routes for rulings: ask, list the last ones, find the changes that would flip one."""

from __future__ import annotations

from typing import Any

from flask import request
from msgspec import Struct

from assistant.documents import claim_document
from assistant.rules.claims import About, settle_claims
from web.live.words import list_live_doubts
from web.parts import parts
from web.people.session import current_share, current_speech
from web.rulings.asked import AskedRuling
from web.rulings.card import card_document, rule_on
from web.rulings.rulebook import AttackOnCells, cell_rules, list_rules
from web.rulings.settling import Settling, list_box
from web.scene.correction import Name
from web.scene.drawing import ShotDrawing
from web.serving.roles import Right
from web.serving.routes import Answer, get, post


class RulingQuestion(Struct, forbid_unknown_fields=True):
    """An attack and its rules. ``is_follow_up`` marks a repeated question on a newer picture."""

    attacker: Name
    defender: Name
    ruleset: str = ""
    as_plan: bool = False
    is_follow_up: bool = False


@post(
    "/shots/<shot_id>/rulings",
    Right.ASK,
    RulingQuestion,
    "May one figure attack another? The answer with its lines and reasons.",
)
def ruling(question: RulingQuestion, shot_id: str) -> Answer:
    page, speech = parts(), current_speech()
    shot, rules = page.shelf.get(shot_id), cell_rules(question.ruleset)
    context = rule_on(shot, rules, question.attacker, question.defender, speech, as_plan=question.as_plan)
    if shot.is_still:  # a page asks again once the table is still
        page.asked.note(shot, context.ruling, current_share(), is_follow_up=question.is_follow_up)
    return card_document(context) | {"doubts": list_live_doubts(page.shown, shot, speech)}


@get("/rules/<ruleset>", Right.WATCH, "The rules of a game that rulings cite, each in a sentence, with its source.")
def rules_of(ruleset: str) -> Answer:
    speech = current_speech()
    return {
        "rules": [
            {"id": rule.id, "text": speech.text(rule.summary), "source": speech.text(rule.source)}
            for rule in list_rules(ruleset)
        ]
    }


@get("/rulings", Right.WATCH, "The last rulings of this match, the newest first.")
def rulings() -> Answer:
    return {"rulings": [_asked_card(asked) for asked in reversed(parts().asked_in_match())]}


@get("/rulings/<ruling_id>", Right.WATCH, "The card of a kept ruling, in the reader's language.")
def asked_ruling(ruling_id: str) -> Answer:
    return _asked_card(parts().asked.get(ruling_id))


def _asked_card(asked: AskedRuling) -> dict[str, Any]:
    shot, rules = parts().shelf.get(asked.shot), cell_rules(asked.ruleset)
    card = card_document(rule_on(shot, rules, asked.attacker, asked.defender, current_speech()))
    return {"id": asked.id, "asked_at_s": round(asked.asked_at_s, 1), **card}


@post(
    "/shots/<shot_id>/changes",
    Right.ASK,
    RulingQuestion,
    "The smallest single changes of the table that flip the answer.",
)
def changes(question: RulingQuestion, shot_id: str) -> Answer:
    shot = parts().shelf.get(shot_id)
    attack = AttackOnCells(cell_rules(question.ruleset), shot.table, question.attacker, question.defender)
    ways = ShotDrawing(shot, as_plan=question.as_plan).ways()
    found = attack.changes(current_speech().language, ways)
    return {"changes": [{"rule": reason.rule, "text": reason.text} for reason in found]}


@get(
    "/shots/<shot_id>/doubts",
    Right.WATCH,
    "What the camera left open about a shot, each with the answers that settle it.",
)
def doubts(shot_id: str) -> Answer:
    """``box`` lists the figures of the box, to replace a missing or wrong one."""
    speech, shot = current_speech(), parts().shelf.get(shot_id)
    drawing = ShotDrawing(shot, as_plan=request.args.get("as") == "plan")
    return {"doubts": Settling(shot, drawing, speech).list_open(), "box": list_box(shot, speech)}


class ClaimQuestion(Struct, forbid_unknown_fields=True):
    """Two opposite claims about one attack, and their subject."""

    attacker: Name
    defender: Name
    about: About
    ruleset: str = ""


@post(
    "/shots/<shot_id>/claims",
    Right.ASK,
    ClaimQuestion,
    "Two claims about one attack: which of them holds, and under which options each would.",
)
def claims(question: ClaimQuestion, shot_id: str) -> Answer:
    board = parts().shelf.get(shot_id).board
    found = settle_claims(cell_rules(question.ruleset), board, question.attacker, question.defender, question.about)
    return {"claims": [claim_document(claim, current_speech().language) for claim in found]}
