"""Routes for pictures: upload one, get its scene, correct it."""

from __future__ import annotations

import hashlib
import secrets

from flask import request

from assistant.app.care.reports import report_of_shot, report_of_side, report_of_upload
from assistant.app.live.shots import Shot
from assistant.documents import observation_document
from assistant.documents.report import report_zip
from assistant.errors import CannotDo, SightlineError
from assistant.translations.messages import said
from web.parts import kept_reports, parts
from web.people.door import front_door
from web.people.session import current_device, current_person, current_share, who_asks
from web.scene.answer import scene_answer
from web.scene.correction import Correction, correct_shot
from web.serving.roles import Right
from web.serving.routes import Answer, get, post, read_photo_body
from web.serving.sending import lasting_jpeg, send_report


class NoFrames(CannotDo):
    """Nothing uses a phone's pictures."""

    http_status = 409


class NotTheCamera(SightlineError):
    """Another device is the camera."""

    http_status = 403
    sentence = said(
        "This device is not the table's camera. The owner chooses it in the menu under “Devices”, or opens this page "
        "as the owner with the camera's phone."
    )


@post("/shots", Right.SHOW, "image/*", "Hand in a photo of the table and get the scene on it.", status=201)
def show_photo() -> Answer:
    """Nothing of the file's name or metadata is stored."""
    page = parts()
    photo = read_photo_body()
    with page.readers.turns.turn_of(who_asks()):
        read = page.readers.reader.read(photo)
    shot = Shot(f"photo-{secrets.token_urlsafe(12)}", "photo", read, page.readers.reader.setup, page.now_s())
    page.shelf.put(shot, current_share())
    return scene_answer(shot)


@post(
    "/shots/<shot_id>/sides",
    Right.SHOW,
    "image/*",
    "Hand in a photo of a shot's table from another side: both are read as one.",
    status=201,
)
def show_side(shot_id: str) -> Answer:
    """``settled`` lists the doubts that the photo settled."""
    page = parts()
    shot = page.shelf.get(shot_id)
    photo = read_photo_body()
    with page.readers.turns.turn_of(who_asks()):
        read = page.readers.reader.read_side(photo, shot.read, by_same_camera=shot.source == "photo")
    joint = Shot(f"photo-{secrets.token_urlsafe(12)}", "photo", read, shot.setup, page.now_s())
    page.shelf.put(joint, current_share())
    return scene_answer(joint)


@post(
    "/frames",
    Right.SHOW,
    "image/jpeg",
    "Hand in the next picture of a phone that is the table's camera; one with ?photo=1 holds until the next.",
    status=202,
)
def frame() -> Answer:
    page = parts()
    take = page.readers.take_photo if request.args.get("photo") == "1" else page.readers.take_frame
    if take is None:
        raise NoFrames(said("The table has a camera of its own. Start the program with --camera push to use a phone."))
    if not front_door().devices.may_send_frames(current_device()):
        raise NotTheCamera
    take(request.get_data(cache=False))
    return {"taken": True}


@get("/shots/<shot_id>", Right.WATCH, "The scene of a shot; ?as=plan draws it from above.")
def scene(shot_id: str) -> Answer:
    shot = parts().shelf.get(shot_id)
    return scene_answer(shot, as_plan=request.args.get("as") == "plan")


@get("/shots/<shot_id>/observation", Right.WATCH, "The observation/1 document of a shot.")
def observation(shot_id: str) -> Answer:
    return observation_document(parts().shelf.get(shot_id).read.observation)


@get("/shots/<shot_id>/picture", Right.WATCH, "The picture of a shot; ?size=small for lists.", gives="image/jpeg")
def picture(shot_id: str) -> Answer:
    shown = parts().shelf.get(shot_id).read.picture
    jpeg = (request.args.get("size") == "small" and shown.small_jpeg) or shown.jpeg
    response = lasting_jpeg(jpeg)
    response.set_etag(hashlib.sha256(jpeg).hexdigest()[:32])
    return response.make_conditional(request)


@get(
    "/shots/<shot_id>/report",
    Right.OWN,
    "A wrong reading as one file: the picture, its reading and the corrections, as sightline.report/1.",
    gives="application/zip",
)
def report(shot_id: str) -> Answer:
    page = parts()
    shot, game = page.shelf.get(shot_id), page.readers.reader.game
    report = report_of_shot(shot, game) if page.reports is None else page.reports.report_of(shot, game)
    return send_report(report_zip(report), shot_id)


@post(
    "/shots/<shot_id>/reports",
    Right.CORRECT,
    None,
    "Keep a wrong reading in the table's data folder: the picture, its reading and the corrections.",
    status=201,
)
def keep_report(shot_id: str) -> Answer:
    """``is_corrected`` is whether the report shows the true table already. The next correction completes it."""
    page = parts()
    is_corrected = kept_reports().report(page.shelf.get(shot_id), page.readers.reader.game, current_share())
    return {"kept": True, "is_corrected": is_corrected}


@post(
    "/refusals",
    Right.CORRECT,
    "image/*",
    "Keep a photo that cannot be read, with the reason, in the table's data folder.",
    status=201,
)
def keep_refused() -> Answer:
    """The photo is read once more, so that the report shows the answer to exactly the picture in it."""
    reports, page = kept_reports(), parts()
    photo = read_photo_body()
    with page.readers.turns.turn_of(who_asks()):
        report = report_of_upload(photo, page.readers.reader.game)
    reports.keep(report, current_share())
    return {"kept": True}


@post(
    "/shots/<shot_id>/sides/refusals",
    Right.CORRECT,
    "image/*",
    "Keep a photo from another side that cannot be read jointly with a shot, with the reason and the shot's picture.",
    status=201,
)
def keep_refused_side(shot_id: str) -> Answer:
    reports, page = kept_reports(), parts()
    shot = page.shelf.get(shot_id)
    photo = read_photo_body()
    with page.readers.turns.turn_of(who_asks()):
        report = report_of_side(photo, shot, page.readers.reader.game)
    reports.keep(report, current_share())
    return {"kept": True}


@post(
    "/shots/<shot_id>/corrections",
    Right.CORRECT,
    Correction,
    "Correct figures and doors; answers with a new shot.",
    status=201,
)
def correct(wanted: Correction, shot_id: str) -> Answer:
    page = parts()
    changed = correct_shot(page.shelf.get(shot_id), wanted, f"photo-{secrets.token_urlsafe(12)}")
    page.shelf.put(changed, current_share())
    correction, person = wanted.of_table(), current_person()
    page.note(lambda referee: referee.note_table(correction, person))
    completes_report = page.complete_reports(lambda reports: reports.correct(changed))
    return scene_answer(changed, completes_report=completes_report)
