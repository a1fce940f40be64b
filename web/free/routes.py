"""Routes for a table without a grid: upload a picture, ask about two figures, measure, draw terrain."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta, Struct

from assistant.app.care.reports import report_of_free, report_of_free_upload
from assistant.app.live.free_answers import kind_at
from assistant.app.live.free_match import Bringer, foretell_news, take_table
from assistant.app.live.free_measures import fronts_of
from assistant.app.live.free_pictures import FreeTablePictures
from assistant.app.live.free_shots import FreeShot
from assistant.app.live.table_words import plane_words_of
from assistant.documents import claim_document
from assistant.documents.call import FreeCorrection
from assistant.documents.report import FreeReport, report_zip
from assistant.errors import CannotDo, UnknownName
from assistant.match.actor import CAMERA
from assistant.rules.claims import About, settle_claims
from assistant.rules.reasons import reword
from assistant.table.free_table import FAR_MM, TerrainKind
from assistant.translations.catalogue import speak_id
from assistant.translations.messages import said
from web.free.card import distance_words, free_card, front_words, reason_document, taken_document
from web.free.drawing import FreeDrawing
from web.match.routes import running_match
from web.parts import kept_reports, parts
from web.people.belonging import current_actor, own_figures, require_own_figures, require_room_of_device
from web.people.session import current_person, current_share, current_speech, who_asks
from web.serving.roles import Right
from web.serving.routes import Answer, get, post, read_photo_body
from web.serving.sending import lasting_jpeg, send_report

TERRAIN: tuple[FreeCorrection, ...] = ("terrain_drawn", "terrain_moved", "terrain_gone")
"""Corrections that change the terrain of the table."""

MOST_STROKE = 4000
"""Most points of a finger's line. A slow finger makes a few hundred."""

_Name = Annotated[str, Meta(min_length=1, max_length=200)]
_Pixel = tuple[Annotated[float, Meta(ge=-1e5, le=1e5)], Annotated[float, Meta(ge=-1e5, le=1e5)]]


class NoFreeTable(CannotDo):
    """The program has no reader for tables without a grid."""

    http_status = 409


class FreeQuestion(Struct, forbid_unknown_fields=True):
    """The two figures of an attack."""

    attacker: _Name
    defender: _Name


class FreeClaims(Struct, forbid_unknown_fields=True):
    """Two opposite claims about one attack."""

    attacker: _Name
    defender: _Name
    about: About


class Ruler(Struct, forbid_unknown_fields=True):
    """Two points in picture pixels."""

    start: _Pixel
    end: _Pixel


class Circle(Struct, forbid_unknown_fields=True):
    """A circle by its distance in steps from the edge of a figure's base."""

    figure: _Name
    steps: Annotated[float, Meta(gt=0, le=100)]


class DrawnTerrain(Struct, forbid_unknown_fields=True):
    """A hand-drawn line round the top of a piece of terrain, in picture pixels."""

    stroke: Annotated[list[_Pixel], Meta(min_length=3, max_length=MOST_STROKE)]
    kind: TerrainKind
    height_mm: Annotated[float, Meta(ge=0, le=FAR_MM)]


class TakenPicture(Struct, forbid_unknown_fields=True):
    """How a match takes its table: with each move played by the game, or unchecked."""

    as_it_stands: bool = False


class WhoStands(Struct, forbid_unknown_fields=True):
    """The answer to a doubt of the camera: whether the figure is there."""

    figure: _Name
    is_there: bool


class NamedTerrain(Struct, forbid_unknown_fields=True):
    """The name of a piece of terrain."""

    id: _Name


@get("/free", Right.WATCH, "The newest picture of the table without a grid; `shot` is null before the first.")
def newest() -> Answer:
    shot = _desk().latest
    return {"shot": None} if shot is None else _scene(shot)


@post(
    "/free/shots",
    Right.SHOW,
    "image/*",
    "Hand in a photo of the table without a grid; moves since the last picture are measured.",
    status=201,
)
def show_free() -> Answer:
    return _scene(_desk().read_upload(read_photo_body()))


@get("/free/shots/<shot_id>/picture", Right.WATCH, "The JPEG of a picture.", gives="image/jpeg")
def free_picture(shot_id: str) -> Answer:
    return lasting_jpeg(_desk().shot(shot_id).picture.jpeg)


@get(
    "/free/shots/<shot_id>/plan",
    Right.WATCH,
    "The same picture seen from straight above; `/match/ground` says which part of the table it shows.",
    gives="image/jpeg",
)
def free_plan(shot_id: str) -> Answer:
    plan = _desk().shot(shot_id).plan
    if plan is None:
        raise UnknownName(said("this picture is no longer stored; take a new one"))
    return lasting_jpeg(plan.picture.jpeg)


@get(
    "/free/shots/<shot_id>/report",
    Right.OWN,
    "A wrong reading as one file: the picture and its reading, as sightline.report/1.",
    gives="application/zip",
)
def free_report(shot_id: str) -> Answer:
    kept, shot = parts().reports, _desk().shot(shot_id)
    report = None if kept is None else kept.free_report_of(shot.picture)
    return send_report(report_zip(report or _report_of(shot)), shot_id)


@post(
    "/free/shots/<shot_id>/reports",
    Right.CORRECT,
    None,
    "Keep a wrong reading in the table's data folder: the picture and its reading.",
    status=201,
)
def keep_free_report(shot_id: str) -> Answer:
    """An answer about a doubtful figure completes it, if that changes the table. A second tap adds nothing."""
    shot = _desk().shot(shot_id)
    kept_reports().report_free(shot.picture, _report_of(shot), current_share())
    return {"kept": True}


@post(
    "/free/refusals",
    Right.CORRECT,
    "image/*",
    "Keep a photo of the table without a grid that cannot be read, with the reason, in the table's data folder.",
    status=201,
)
def keep_refused_free() -> Answer:
    reports, desk, photo = kept_reports(), _desk(), read_photo_body()
    with parts().readers.turns.turn_of(who_asks()):
        report = report_of_free_upload(photo, desk.game)
    reports.keep(report, current_share())
    return {"kept": True}


def _report_of(shot: FreeShot) -> FreeReport:
    game, jpeg = _desk().as_read(shot.id)
    answered = shot.sighting.table
    right = None if answered.figures == shot.read.table.figures else answered
    return report_of_free(jpeg, shot.read, game, right=right, is_live=shot.source == "live")


@post("/free/shots/<shot_id>/rulings", Right.ASK, FreeQuestion, "May one figure shoot at another, and how far is it?")
def free_ruling(question: FreeQuestion, shot_id: str) -> Answer:
    desk = _desk()
    ruling = desk.rule(shot_id, question.attacker, question.defender, current_share())
    flips = desk.flips(shot_id, ruling)
    return free_card(desk.shot(shot_id), ruling, flips, desk.rules, current_speech())


@post(
    "/free/shots/<shot_id>/claims",
    Right.ASK,
    FreeClaims,
    "Two claims about one attack: which of them holds, and under which options each would.",
)
def free_claims(asked: FreeClaims, shot_id: str) -> Answer:
    desk, language = _desk(), current_speech().language
    table = desk.shot(shot_id).sighting.table
    found = settle_claims(desk.rules, table, asked.attacker, asked.defender, asked.about)
    return {"claims": [claim_document(claim, language) for claim in found]}


@get(
    "/free/shots/<shot_id>/figures/<name>",
    Right.WATCH,
    "Effects of the table on one figure: melee, terror, targets, cover in reach.",
)
def free_about(shot_id: str, name: str) -> Answer:
    desk, speech = _desk(), current_speech()
    say = plane_words_of(desk.rules, desk.shot(shot_id).sighting.table, speech.language)
    worded = reword(desk.about(shot_id, name), desk.rules.rules, speech.language, say)
    reasons = [reason_document(reason, desk.rules, speech) for reason in worded]
    return {"figure": name, "name": speak_id(name, speech.language), "reasons": reasons}


@post("/free/shots/<shot_id>/measures", Right.ASK, Ruler, "How far is it between two points of the picture?")
def free_measure(ruler: Ruler, shot_id: str) -> Answer:
    found = _desk().measure(shot_id, ruler.start, ruler.end)
    text = distance_words(found.length_mm, found.steps, found.error_mm, current_speech())
    length_mm, error_mm = round(found.length_mm, 2), round(found.error_mm, 2)
    return {"mm": length_mm, "error_mm": error_mm, "steps": round(found.steps, 3), "text": text}


@post(
    "/free/shots/<shot_id>/circles",
    Right.ASK,
    Circle,
    "All places within so many steps of a figure's base, and which figures there stand in front of it.",
)
def free_circle(wanted: Circle, shot_id: str) -> Answer:
    shot, speech = _desk().shot(shot_id), current_speech()
    table = shot.sighting.table
    figure = table.figure(wanted.figure)
    reach_mm = wanted.steps * float(table.step_mm)
    drawing, fronts = FreeDrawing(shot, speech), fronts_of(shot.sighting, figure.id, reach_mm)
    shown = {"outline": drawing.around(figure, reach_mm), "front": drawing.front(figure, reach_mm)}
    return {**shown, "text": front_words(figure.id, fronts, speech)}


@post(
    "/free/shots/<shot_id>/match",
    Right.CORRECT,
    TakenPicture,
    "Let the match take its table from a picture; each move since then is played as the game reads it.",
)
def free_to_match(wanted: TakenPicture, shot_id: str) -> Answer:
    session, shot, speech = running_match(), _desk().shot(shot_id), current_speech()
    own = own_figures(session.timeline.game)
    require_room_of_device(session)
    actor, is_cameras = current_actor(), shot.source == "live" and shot is _desk().latest
    by = Bringer(
        actor,
        lambda command: require_own_figures(command, own, speech),
        only=own if wanted.as_it_stands or not is_cameras else None,
        teller=CAMERA if is_cameras and not wanted.as_it_stands else actor,
        terrain_by=dict(parts().watcher.terrain_by),
    )
    taken = take_table(session, shot.sighting, by, as_it_stands=wanted.as_it_stands)
    parts().watcher.terrain_by.clear()
    return {"seq": session.seq, **taken_document(taken, speech)}


@post(
    "/free/shots/<shot_id>/answers",
    Right.CORRECT,
    WhoStands,
    "Say whether a figure stands where the camera was not sure.",
    status=201,
)
def say_who_stands(answer: WhoStands, shot_id: str) -> Answer:
    match = parts().match.session
    if match is not None:
        own = own_figures(match.timeline.game)
        require_own_figures({"figure": answer.figure}, own, current_speech())
    shot = _desk().say_who_stands(shot_id, answer.figure, is_there=answer.is_there)
    kind: FreeCorrection = "base_there" if answer.is_there else "base_gone"
    _note(kind, kind_at(answer.figure))
    completes_report = parts().complete_reports(lambda kept: kept.correct_free(shot))
    return {**_scene(shot), "completes_report": completes_report}


@post(
    "/free/shots/<shot_id>/terrain", Right.CORRECT, DrawnTerrain, "Draw a piece of terrain on the picture.", status=201
)
def draw_free_terrain(drawn: DrawnTerrain, shot_id: str) -> Answer:
    """``edge_share`` is the share of its sides on edges of the picture."""
    shot, share = _desk().draw_terrain(shot_id, drawn.stroke, drawn.kind, drawn.height_mm)
    _note("terrain_drawn", shot.sighting.table.terrain[-1].id)
    return {**_scene(shot), "edge_share": round(share, 2)}


@post(
    "/free/shots/<shot_id>/terrain/searches",
    Right.CORRECT,
    NamedTerrain,
    "Find a piece of terrain again after somebody moved it.",
    status=201,
)
def find_free_terrain(wanted: NamedTerrain, shot_id: str) -> Answer:
    shot = _desk().find_terrain(shot_id, wanted.id)
    _note("terrain_moved", wanted.id)
    return _scene(shot)


@post(
    "/free/shots/<shot_id>/terrain/removals", Right.CORRECT, NamedTerrain, "Take a piece of terrain away.", status=201
)
def remove_free_terrain(wanted: NamedTerrain, shot_id: str) -> Answer:
    shot = _desk().remove_terrain(shot_id, wanted.id)
    _note("terrain_gone", wanted.id)
    return _scene(shot)


def _note(kind: FreeCorrection, subject: str) -> None:
    """Note a correction by hand for a later call of a judge."""
    person = current_person()
    if kind in TERRAIN:
        parts().watcher.terrain_by[subject] = current_actor()
    parts().note(lambda referee: referee.note_free(kind, subject, person))


def _scene(shot: FreeShot) -> dict[str, Any]:
    speech, session = current_speech(), parts().match.session
    news = () if session is None else foretell_news(session, shot.sighting)
    return {**FreeDrawing(shot, speech).document(), "news": [sentence.worded(speech.language) for sentence in news]}


def _desk() -> FreeTablePictures:
    desk = parts().readers.free
    if desk is None:
        raise NoFreeTable(said("This table has tiles. Start the program with --free-table to read one without a grid."))
    return desk
