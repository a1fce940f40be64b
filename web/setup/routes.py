"""Routes of the set-up, step by step. Every change answers with the whole set-up."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Literal

from flask import Response, jsonify, request
from msgspec import Meta, Struct

from assistant.app.setup.values import PaperName, SetUpStep
from assistant.app.setup.wizard import SetUpWizard
from assistant.errors import CannotDo, UnknownCamera
from assistant.translations.messages import said
from web.parts import parts
from web.people.session import current_speech, who_asks
from web.serving.roles import Right
from web.serving.routes import ARCHIVE, Answer, get, post, read_photo_body
from web.setup.view import setup_document

Name = Annotated[str, Meta(min_length=1, max_length=64)]


class NoDesk(CannotDo):
    """This table cannot be set up from the page."""

    http_status = 404


class NoPicture(CannotDo):
    """There is no picture yet."""

    http_status = 404


class StepChoice(Struct, forbid_unknown_fields=True):
    """The step to open or restart."""

    step: SetUpStep


class CameraChoice(Struct, forbid_unknown_fields=True):
    """The source of pictures: photos, virtual, or a live camera's name."""

    source: Annotated[str, Meta(min_length=1, max_length=500)]


class LookWish(Struct, forbid_unknown_fields=True):
    """Whether the person wants this picture."""

    is_wanted: bool = False


class SheetChoice(Struct, forbid_unknown_fields=True):
    """The printed sheets, and their ruler's measured length."""

    paper: PaperName
    measured_mm: float | None = None
    is_reprinted: bool = False


class GameChoice(Struct, forbid_unknown_fields=True):
    """The tile set and the roster by name, null for the sample game's. A table without a grid has ``step_mm``."""

    tiles: Name | None = None
    roster: Name | None = None
    step_mm: float | None = None


class SetUpName(Struct, forbid_unknown_fields=True):
    """The whole set-up's name."""

    name: Name


class Work(Struct, forbid_unknown_fields=True):
    """The part to compute or skip."""

    what: Literal["lens", "no_lens", "table", "no_table", "print_scale"]


@contextmanager
def _desk() -> Iterator[SetUpWizard]:
    desk = parts().desk
    if desk is None:
        raise NoDesk(said("This table cannot be set up from the page. Start it with “sightline setup”."))
    with desk.turn:
        yield desk


def _answer(desk: SetUpWizard) -> Response:
    return jsonify(setup_document(desk.state(), current_speech()))


@get("/wizard", Right.OWN, "The state of the set-up.")
def wizard() -> Answer:
    with _desk() as desk:
        return _answer(desk)


@post("/wizard/step", Right.OWN, StepChoice, "Open a step.")
def open_step(wanted: StepChoice) -> Answer:
    with _desk() as desk:
        desk.go_to(wanted.step)
        return _answer(desk)


@post("/wizard/again", Right.OWN, StepChoice, "Forget the pictures of a step.")
def again(wanted: StepChoice) -> Answer:
    with _desk() as desk:
        desk.start_over(wanted.step)
        return _answer(desk)


@post("/wizard/camera", Right.OWN, CameraChoice, "Choose where pictures come from.")
def choose_camera(wanted: CameraChoice) -> Answer:
    source = wanted.source
    with _desk() as desk:
        if _is_path(source) and source != desk.state().source:
            raise UnknownCamera(
                said(
                    "the page opens no files of this machine; "
                    "play a recording with “sightline run --camera replay:PATH”"
                )
            )
        desk.choose_camera(source)
        return _answer(desk)


def _is_path(source: str) -> bool:
    """Return whether the source names a file of this machine, which a browser may not open."""
    return source.partition(":")[0].lower() == "replay"


@post("/wizard/look", Right.OWN, LookWish, "Take the camera's newest picture and judge it.")
def look(wanted: LookWish) -> Answer:
    with _desk() as desk:
        desk.look(is_wanted=wanted.is_wanted)
        return _answer(desk)


@post(
    "/wizard/frames",
    Right.OWN,
    "image/jpeg",
    "Bring the newest picture of the page's own camera; the next look judges it.",
    status=202,
)
def own_picture() -> Answer:
    with _desk() as desk:
        desk.send(read_photo_body())
    return {"taken": True}


@post("/wizard/photos", Right.OWN, "image/*", "Hand in a photo as a picture of the open step.")
def hand_in() -> Answer:
    photo = read_photo_body()
    with _desk() as desk:
        desk.hand_in(photo)
        return _answer(desk)


@post(
    "/wizard/photo",
    Right.OWN,
    None,
    "Take a picture with the set-up's live camera, to teach from; no step judges it.",
    gives="image/jpeg",
)
def take_photo() -> Answer:
    with _desk() as desk:
        return Response(desk.photo(), mimetype="image/jpeg")


@get("/wizard/picture", Right.OWN, "The picture that `look` is about.", gives="image/jpeg")
def wizard_picture() -> Answer:
    with _desk() as desk:
        shown = desk.preview()
    if shown is None:
        raise NoPicture(said("There is no picture yet. Take or choose one."))
    return Response(shown.jpeg, mimetype="image/jpeg")


@get("/wizard/sheets/<name>.pdf", Right.OWN, "A sheet to print, at true size.", gives="application/pdf")
def sheet(name: str) -> Answer:
    with _desk() as desk:
        pdf = desk.sheet(name, current_speech().text)
    response = Response(pdf, mimetype="application/pdf")
    response.headers["Content-Disposition"] = f'inline; filename="sightline-{name}.pdf"'
    return response


@post("/wizard/sheets", Right.OWN, SheetChoice, "Say which sheets were printed.")
def set_sheets(wanted: SheetChoice) -> Answer:
    with _desk() as desk:
        desk.set_sheets(wanted.paper, wanted.measured_mm, is_reprinted=wanted.is_reprinted)
        return _answer(desk)


@post(
    "/wizard/work",
    Right.OWN,
    Work,
    "Work out the lens or the table, or take over the size of the print; this takes some seconds.",
)
def work(wanted: Work) -> Answer:
    what = wanted.what
    with _desk() as desk:
        steps = {
            "lens": desk.solve_lens,
            "no_lens": desk.skip_lens,
            "table": desk.solve_table,
            "no_table": desk.skip_table,
            "print_scale": desk.take_print_scale,
        }
        steps[what]()
        return _answer(desk)


@post("/wizard/game", Right.OWN, GameChoice, "Choose the tile set and the roster, or a table without a grid.")
def choose_game(wanted: GameChoice) -> Answer:
    with _desk() as desk:
        desk.choose_game(wanted.tiles, wanted.roster, wanted.step_mm)
        return _answer(desk)


@post("/wizard/save", Right.OWN, SetUpName, "Keep the set-up under a name.")
def save(wanted: SetUpName) -> Answer:
    with _desk() as desk:
        desk.save(wanted.name.strip())
        return _answer(desk)


@post("/wizard/read", Right.OWN, None, "Read the table with what was set up.")
def first_read() -> Answer:
    with _desk() as desk, parts().readers.turns.turn_of(who_asks()):
        shot = desk.read()
        parts().shelf.put(shot)
        return {"shot": shot.id, **setup_document(desk.state(), current_speech())}


@post("/wizard/use", Right.OWN, SetUpName, "Play with a kept set-up.")
def use(wanted: SetUpName) -> Answer:
    with _desk() as desk:
        desk.use(wanted.name)
        return _answer(desk)


@get("/wizard/backup.zip", Right.OWN, "Everything that is kept, as one file.", gives="application/zip")
def backup() -> Answer:
    with _desk() as desk:
        data = desk.backup()
    response = Response(data, mimetype="application/zip")
    response.headers["Content-Disposition"] = 'attachment; filename="sightline-backup.zip"'
    return response


@post("/wizard/restore", Right.OWN, ARCHIVE, "Restore a backup; data outside it stays.")
def restore() -> Answer:
    with _desk() as desk:
        desk.restore(request.get_data(cache=False))
        return _answer(desk)


@post("/wizard/finish", Right.OWN, None, "Play with the new set-up.")
def finish() -> Answer:
    with _desk() as desk:
        desk.finish()
        return _answer(desk)
