"""The set-up, step by step; every change answers with the whole set-up, so that the page shows what is."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Literal

from flask import Blueprint, Response, jsonify, request
from flask.typing import ResponseReturnValue
from msgspec import Meta, Struct

from assistant.app.setup.values import PaperName, SetUpStep
from assistant.errors import CannotDo, UnknownCamera
from assistant.translations.messages import said
from web.people.session import current_speech, who_asks
from web.serving.roles import Right
from web.serving.routes import API_ROOT, ARCHIVE, RouteFacts, body_as, read_photo_body, route
from web.setup.needs import setup_page
from web.setup.ports import SetUpDesk
from web.setup.view import setup_document

blueprint = Blueprint("setup", __name__, url_prefix=API_ROOT)

Name = Annotated[str, Meta(min_length=1, max_length=64)]


class NoDesk(CannotDo):
    """This table cannot be set up from here."""

    http_status = 404


class NoPicture(CannotDo):
    """There is no picture yet."""

    http_status = 404


class StepChoice(Struct, forbid_unknown_fields=True):
    """The step to open, or to begin again."""

    step: SetUpStep


class CameraChoice(Struct, forbid_unknown_fields=True):
    """Where pictures come from: photos, virtual, or a live camera by its name."""

    source: Annotated[str, Meta(min_length=1, max_length=500)]


class LookWish(Struct, forbid_unknown_fields=True):
    """Whether the person wants this very picture."""

    is_wanted: bool = False


class SheetChoice(Struct, forbid_unknown_fields=True):
    """What was printed, and how long its ruler came out."""

    paper: PaperName
    measured_mm: float | None = None
    is_reprinted: bool = False


class GameChoice(Struct, forbid_unknown_fields=True):
    """The tile set and the roster by name; null is the sample game's."""

    tiles: Name | None = None
    roster: Name | None = None


class SetUpName(Struct, forbid_unknown_fields=True):
    """What the whole set-up is called."""

    name: Name


class Work(Struct, forbid_unknown_fields=True):
    """What is to be worked out, or gone on without."""

    what: Literal["lens", "no_lens", "table"]


@contextmanager
def _desk() -> Iterator[SetUpDesk]:
    desk = setup_page().desk
    if desk is None:
        raise NoDesk(said("This table cannot be set up from the page. Start it with “sightline setup”."))
    with desk.turn:
        yield desk


def _answer(desk: SetUpDesk) -> Response:
    return jsonify(setup_document(desk.state(), current_speech()))


@route(blueprint, "GET", "/wizard", RouteFacts(Right.OWN, "How far the set-up is."))
def wizard() -> ResponseReturnValue:
    """Every step with its state, and what the newest picture showed."""
    with _desk() as desk:
        return _answer(desk)


@route(blueprint, "POST", "/wizard/step", RouteFacts(Right.OWN, "Open a step.", StepChoice))
def open_step() -> ResponseReturnValue:
    """The set-up with that step open."""
    with _desk() as desk:
        desk.go_to(body_as(StepChoice).step)
        return _answer(desk)


@route(blueprint, "POST", "/wizard/again", RouteFacts(Right.OWN, "Forget the pictures of a step.", StepChoice))
def again() -> ResponseReturnValue:
    """The lens or the table step from its beginning."""
    with _desk() as desk:
        desk.start_over(body_as(StepChoice).step)
        return _answer(desk)


@route(blueprint, "POST", "/wizard/camera", RouteFacts(Right.OWN, "Choose where pictures come from.", CameraChoice))
def choose_camera() -> ResponseReturnValue:
    """The set-up with that camera."""
    source = body_as(CameraChoice).source
    with _desk() as desk:
        if _is_path(source) and source != desk.state().source:
            raise UnknownCamera(
                said("the page takes no paths; play a recording with “sightline run --camera replay:PATH”")
            )
        desk.choose_camera(source)
        return _answer(desk)


def _is_path(source: str) -> bool:
    """Whether it names a file of this machine, which is nothing for a browser to ask about."""
    return source.partition(":")[0].lower() == "replay"


@route(
    blueprint, "POST", "/wizard/look", RouteFacts(Right.OWN, "Take the camera's newest picture and judge it.", LookWish)
)
def look() -> ResponseReturnValue:
    """The set-up after the picture; `look` says what it showed."""
    with _desk() as desk:
        desk.look(is_wanted=body_as(LookWish).is_wanted)
        return _answer(desk)


@route(
    blueprint,
    "POST",
    "/wizard/frames",
    RouteFacts(
        Right.OWN, "Bring the newest picture of the page's own camera, to be looked at.", takes="image/jpeg", status=202
    ),
)
def own_picture() -> ResponseReturnValue:
    """Takes the picture; the next look judges it."""
    with _desk() as desk:
        desk.send(read_photo_body())
    return jsonify({"taken": True}), 202


@route(
    blueprint,
    "POST",
    "/wizard/photos",
    RouteFacts(Right.OWN, "Hand in a photo as a picture of the open step.", takes="image/*"),
)
def hand_in() -> ResponseReturnValue:
    """The set-up after the photo."""
    photo = read_photo_body()
    with _desk() as desk:
        desk.hand_in(photo)
        return _answer(desk)


@route(
    blueprint,
    "POST",
    "/wizard/photo",
    RouteFacts(Right.OWN, "Take a picture with the set-up's live camera, to teach from.", gives="image/jpeg"),
)
def take_photo() -> ResponseReturnValue:
    """The camera's newest picture in its own size; no step judges it."""
    with _desk() as desk:
        return Response(desk.photo(), mimetype="image/jpeg")


@route(blueprint, "GET", "/wizard/picture", RouteFacts(Right.OWN, "The newest picture.", gives="image/jpeg"))
def wizard_picture() -> ResponseReturnValue:
    """The picture that `look` is about."""
    with _desk() as desk:
        shown = desk.preview()
    if shown is None:
        raise NoPicture(said("There is no picture yet. Take or choose one."))
    return Response(shown.jpeg, mimetype="image/jpeg")


@route(
    blueprint, "GET", "/wizard/sheets/<name>.pdf", RouteFacts(Right.OWN, "A sheet to print.", gives="application/pdf")
)
def sheet(name: str) -> ResponseReturnValue:
    """The PDF at true size, with the scale put right that the measured ruler asks for."""
    with _desk() as desk:
        pdf = desk.sheet(name, current_speech().text)
    response = Response(pdf, mimetype="application/pdf")
    response.headers["Content-Disposition"] = f'inline; filename="sightline-{name}.pdf"'
    return response


@route(blueprint, "POST", "/wizard/sheets", RouteFacts(Right.OWN, "Say what was printed.", SheetChoice))
def set_sheets() -> ResponseReturnValue:
    """The set-up with markers of that size."""
    wanted = body_as(SheetChoice)
    with _desk() as desk:
        desk.set_sheets(wanted.paper, wanted.measured_mm, is_reprinted=wanted.is_reprinted)
        return _answer(desk)


@route(blueprint, "POST", "/wizard/work", RouteFacts(Right.OWN, "Work out the lens or the table.", Work))
def work() -> ResponseReturnValue:
    """The set-up with the result; this takes some seconds."""
    what = body_as(Work).what
    with _desk() as desk:
        {"lens": desk.solve_lens, "no_lens": desk.skip_lens, "table": desk.solve_table}[what]()
        return _answer(desk)


@route(blueprint, "POST", "/wizard/game", RouteFacts(Right.OWN, "Choose the tile set and the roster.", GameChoice))
def choose_game() -> ResponseReturnValue:
    """The set-up with that game."""
    wanted = body_as(GameChoice)
    with _desk() as desk:
        desk.choose_game(wanted.tiles, wanted.roster)
        return _answer(desk)


@route(blueprint, "POST", "/wizard/save", RouteFacts(Right.OWN, "Keep the set-up under a name.", SetUpName))
def save() -> ResponseReturnValue:
    """The set-up with its name."""
    with _desk() as desk:
        desk.save(body_as(SetUpName).name.strip())
        return _answer(desk)


@route(blueprint, "POST", "/wizard/read", RouteFacts(Right.OWN, "Read the table with what was set up."))
def first_read() -> ResponseReturnValue:
    """The set-up, and the name of the shot that can be asked for like any other."""
    with _desk() as desk, setup_page().reading.turn_of(who_asks()):
        shot = desk.read()
        setup_page().shelf.put(shot)
        return jsonify({"shot": shot.id, **setup_document(desk.state(), current_speech())})


@route(blueprint, "POST", "/wizard/use", RouteFacts(Right.OWN, "Play with a set-up that is kept.", SetUpName))
def use() -> ResponseReturnValue:
    """The running page reads by that set-up from now on."""
    with _desk() as desk:
        desk.use(body_as(SetUpName).name)
        return _answer(desk)


@route(
    blueprint, "GET", "/wizard/backup.zip", RouteFacts(Right.OWN, "Everything that is kept.", gives="application/zip")
)
def backup() -> ResponseReturnValue:
    """All cameras, tables, tile sets, rosters and set-ups in one file."""
    with _desk() as desk:
        data = desk.backup()
    response = Response(data, mimetype="application/zip")
    response.headers["Content-Disposition"] = 'attachment; filename="sightline-backup.zip"'
    return response


@route(blueprint, "POST", "/wizard/restore", RouteFacts(Right.OWN, "Bring back a backup.", takes=ARCHIVE))
def restore() -> ResponseReturnValue:
    """The set-up with everything that the backup holds; what else is there stays."""
    with _desk() as desk:
        desk.restore(request.get_data(cache=False))
        return _answer(desk)


@route(blueprint, "POST", "/wizard/finish", RouteFacts(Right.OWN, "Play with what was set up."))
def finish() -> ResponseReturnValue:
    """The running page reads by the new set-up from now on."""
    with _desk() as desk:
        desk.finish()
        return _answer(desk)
