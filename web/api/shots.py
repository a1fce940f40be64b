"""Pictures: hand one in, draw over it, ask who sees whom."""

from __future__ import annotations

import hashlib
import secrets
from typing import Annotated, Any

from flask import Response, jsonify, request
from flask.typing import ResponseReturnValue
from msgspec import Meta, Struct

from assistant.documents import observation_document
from assistant.errors import CannotDo
from assistant.translations.messages import said
from web.api.blueprint import blueprint
from web.card import card_document
from web.live_words import live_doubts
from web.ports import Shot
from web.roles import Right
from web.routes import RouteFacts, body_as, photo_in_body, route
from web.rulebook import Asked
from web.scene import ShotDrawing
from web.session import current_speech
from web.shelf import ShotGone
from web.state import AskedRuling, page_state

Name = Annotated[str, Meta(min_length=1, max_length=200)]


class NoFrames(CannotDo):
    """Nobody waits for the pictures of a phone."""

    http_status = 409


class RulingQuestion(Struct, forbid_unknown_fields=True):
    """Who attacks whom, and by which rules; ``is_follow_up`` if a page asks again on a newer picture."""

    attacker: Name
    defender: Name
    ruleset: str = ""
    as_plan: bool = False
    is_follow_up: bool = False


def scene_answer(shot: Shot, *, as_plan: bool = False) -> Response:
    """The scene of a shot, with what was seen in one sentence."""
    speech = current_speech()
    scene = ShotDrawing(shot, as_plan=as_plan, language=speech.language).document()
    seen = (
        speech.count("{n} figure", "{n} figures", len(scene["figures"])),
        speech.count("{n} door", "{n} doors", len(scene["doors"])),
        speech.count("{n} tile", "{n} tiles", len(scene["tiles"])),
    )
    scene["summary"] = speech.text("On the board: {things}.", things=", ".join(seen))
    return jsonify(scene)


@route(
    blueprint,
    "POST",
    "/shots",
    RouteFacts(Right.SHOW, "Hand in a photo of the table and get the scene on it.", takes="image/*", status=201),
)
def show_photo() -> ResponseReturnValue:
    """Reads the photo in the body; nothing of its name or meta data is kept."""
    state = page_state()
    photo = photo_in_body()
    with state.reading:
        read = state.reader.read(photo)
    shot = Shot(f"photo-{secrets.token_urlsafe(12)}", "photo", read, state.reader.setup, state.now_s())
    state.shelf.put(shot)
    return scene_answer(shot), 201


@route(
    blueprint,
    "POST",
    "/frames",
    RouteFacts(
        Right.SHOW, "Hand in the next picture of a phone that is the table's camera.", takes="image/jpeg", status=202
    ),
)
def frame() -> ResponseReturnValue:
    """Takes the picture; what is seen in it comes by the stream. With ``?photo=1`` it holds until the next."""
    state = page_state()
    take = state.take_photo if request.args.get("photo") == "1" else state.take_frame
    if take is None:
        raise NoFrames(said("The table has a camera of its own. Start the program with --camera push to use a phone."))
    take(request.get_data(cache=False))
    return jsonify({"taken": True}), 202


@route(
    blueprint, "GET", "/shots/<shot_id>", RouteFacts(Right.WATCH, "The scene of a shot; ?as=plan draws it from above.")
)
def scene(shot_id: str) -> ResponseReturnValue:
    """Everything on the board, in picture pixels."""
    shot = page_state().shelf.get(shot_id)
    return scene_answer(shot, as_plan=request.args.get("as") == "plan")


@route(
    blueprint, "GET", "/shots/<shot_id>/observation", RouteFacts(Right.WATCH, "The observation/1 document of a shot.")
)
def observation(shot_id: str) -> ResponseReturnValue:
    """What the photo showed, as outside programs read it."""
    return jsonify(observation_document(page_state().shelf.get(shot_id).read.observation))


@route(
    blueprint,
    "GET",
    "/shots/<shot_id>/picture",
    RouteFacts(Right.WATCH, "The picture of a shot; ?size=small for lists.", gives="image/jpeg"),
)
def picture(shot_id: str) -> ResponseReturnValue:
    """The JPEG; it never changes under its name."""
    shown = page_state().shelf.get(shot_id).read.picture
    jpeg = (request.args.get("size") == "small" and shown.small_jpeg) or shown.jpeg
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
    language = speech.language
    asked = Asked(question.ruleset, shot.table, question.attacker, question.defender)
    answer = state.rules.rule(asked, language, ShotDrawing(shot, as_plan=question.as_plan).ways())
    state.note_ruling(shot, answer, is_follow_up=question.is_follow_up)
    card = card_document(shot, answer, state.rules, speech, as_plan=question.as_plan)
    card["doubts"] += live_doubts(state, shot, speech)
    return jsonify(card)


@route(blueprint, "GET", "/rulings", RouteFacts(Right.WATCH, "The rulings that were asked for, the newest first."))
def rulings() -> ResponseReturnValue:
    """The cards of the last rulings; each has its picture."""
    return jsonify({"rulings": [_asked_card(asked) for asked in reversed(page_state().asked)]})


@route(blueprint, "GET", "/rulings/<ruling_id>", RouteFacts(Right.WATCH, "The card of a ruling that was asked for."))
def asked_ruling(ruling_id: str) -> ResponseReturnValue:
    """The card, in this reader's language, for a screen that only watches."""
    asked = next((a for a in page_state().asked if a.id == ruling_id), None)
    if asked is None:
        raise ShotGone("this ruling is no longer kept")
    return jsonify(_asked_card(asked))


def _asked_card(asked: AskedRuling) -> dict[str, Any]:
    state, speech = page_state(), current_speech()
    shot = state.shelf.get(asked.shot)
    language = speech.language
    question = Asked(asked.ruleset, shot.table, asked.attacker, asked.defender)
    answer = state.rules.rule(question, language, ShotDrawing(shot).ways())
    card = card_document(shot, answer, state.rules, speech)
    return {"id": asked.id, "asked_at_s": round(asked.asked_at_s, 1), **card}


@route(
    blueprint,
    "POST",
    "/shots/<shot_id>/changes",
    RouteFacts(Right.ASK, "What would have to be different for the answer to be another?", body=RulingQuestion),
)
def changes(shot_id: str) -> ResponseReturnValue:
    """The smallest single changes of the table that flip the ruling, in the reader's language."""
    state, speech = page_state(), current_speech()
    question = body_as(RulingQuestion)
    shot = state.shelf.get(shot_id)
    asked = Asked(question.ruleset, shot.table, question.attacker, question.defender)
    ways = ShotDrawing(shot, as_plan=question.as_plan).ways()
    found = state.rules.changes(asked, speech.language, ways)
    return jsonify({"changes": [{"rule": reason.rule, "text": reason.text} for reason in found]})
