"""Pictures: hand one in, get what is on it, set it right."""

from __future__ import annotations

import hashlib
import secrets

from flask import Blueprint, jsonify, request
from flask.typing import ResponseReturnValue

from assistant.app.care.reports import pack_shot
from assistant.app.live.shots import Shot
from assistant.documents import observation_document
from assistant.errors import CannotDo
from assistant.translations.messages import said
from web.people.session import current_person, who_asks
from web.scene.answer import scene_answer
from web.scene.correction import Correction, correct_shot
from web.serving.roles import Right
from web.serving.routes import API_ROOT, RouteFacts, body_as, read_photo_body, route
from web.serving.sending import lasting_jpeg, send_report
from web.table.needs import table_page

blueprint = Blueprint("table", __name__, url_prefix=API_ROOT)


class NoFrames(CannotDo):
    """Nobody waits for the pictures of a phone."""

    http_status = 409


@route(
    blueprint,
    "POST",
    "/shots",
    RouteFacts(Right.SHOW, "Hand in a photo of the table and get the scene on it.", takes="image/*", status=201),
)
def show_photo() -> ResponseReturnValue:
    """Reads the photo in the body; nothing of its name or meta data is kept."""
    page = table_page()
    photo = read_photo_body()
    with page.reading.turn_of(who_asks()):
        read = page.reader.read(photo)
    shot = Shot(f"photo-{secrets.token_urlsafe(12)}", "photo", read, page.reader.setup, page.now_s())
    page.shelf.put(shot)
    return scene_answer(shot), 201


@route(
    blueprint,
    "POST",
    "/shots/<shot_id>/sides",
    RouteFacts(
        Right.SHOW,
        "Hand in a photo of a shot's table from another side: both are read as one.",
        takes="image/*",
        status=201,
    ),
)
def show_side(shot_id: str) -> ResponseReturnValue:
    """A new shot: the same picture, with what both show; what the photo settled stands in ``settled``."""
    page = table_page()
    shot = page.shelf.get(shot_id)
    photo = read_photo_body()
    with page.reading.turn_of(who_asks()):
        read = page.reader.read_side(photo, shot.read, by_same_camera=shot.source == "photo")
    joint = Shot(f"photo-{secrets.token_urlsafe(12)}", "photo", read, shot.setup, page.now_s())
    page.shelf.put(joint)
    return scene_answer(joint), 201


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
    page = table_page()
    take = page.take_photo if request.args.get("photo") == "1" else page.take_frame
    if take is None:
        raise NoFrames(said("The table has a camera of its own. Start the program with --camera push to use a phone."))
    take(request.get_data(cache=False))
    return jsonify({"taken": True}), 202


@route(
    blueprint, "GET", "/shots/<shot_id>", RouteFacts(Right.WATCH, "The scene of a shot; ?as=plan draws it from above.")
)
def scene(shot_id: str) -> ResponseReturnValue:
    """Everything on the board, in picture pixels."""
    shot = table_page().shelf.get(shot_id)
    return scene_answer(shot, as_plan=request.args.get("as") == "plan")


@route(
    blueprint, "GET", "/shots/<shot_id>/observation", RouteFacts(Right.WATCH, "The observation/1 document of a shot.")
)
def observation(shot_id: str) -> ResponseReturnValue:
    """What the photo showed, as outside programs read it."""
    return jsonify(observation_document(table_page().shelf.get(shot_id).read.observation))


@route(
    blueprint,
    "GET",
    "/shots/<shot_id>/picture",
    RouteFacts(Right.WATCH, "The picture of a shot; ?size=small for lists.", gives="image/jpeg"),
)
def picture(shot_id: str) -> ResponseReturnValue:
    """The JPEG; it never changes under its name."""
    shown = table_page().shelf.get(shot_id).read.picture
    jpeg = (request.args.get("size") == "small" and shown.small_jpeg) or shown.jpeg
    response = lasting_jpeg(jpeg)
    response.set_etag(hashlib.sha256(jpeg).hexdigest()[:32])
    return response.make_conditional(request)


@route(
    blueprint,
    "GET",
    "/shots/<shot_id>/report",
    RouteFacts(
        Right.OWN,
        "The picture, what was read and what was set right, in one file for who mends the reading.",
        gives="application/zip",
    ),
)
def report(shot_id: str) -> ResponseReturnValue:
    """The sightline.report/1 of a shot; it is saved on the device that asks, and sent nowhere."""
    page = table_page()
    return send_report(pack_shot(page.shelf.get(shot_id), page.reader.game), shot_id)


@route(
    blueprint,
    "POST",
    "/shots/<shot_id>/corrections",
    RouteFacts(Right.CORRECT, "Set figures and doors right, or ask “what if”.", body=Correction, status=201),
)
def correct(shot_id: str) -> ResponseReturnValue:
    """A new shot with the corrected board; the old one stays as it was seen."""
    page, wanted = table_page(), body_as(Correction)
    changed = correct_shot(page.shelf.get(shot_id), wanted, f"photo-{secrets.token_urlsafe(12)}")
    page.shelf.put(changed)
    page.note_by_hand(wanted.of_table(), current_person())
    return scene_answer(changed), 201
