"""A table without a grid: hand in a picture, ask about two figures, measure, draw terrain."""

from __future__ import annotations

from typing import Annotated, Any

from flask import Blueprint, jsonify
from flask.typing import ResponseReturnValue
from msgspec import Meta, Struct

from assistant.app.care.reports import pack_free
from assistant.app.live.free_answers import kind_at
from assistant.app.live.free_fronts import fronts_of
from assistant.app.live.free_match import foretell_news, take_table
from assistant.app.live.free_shots import FreeShot
from assistant.app.live.free_words import plane_words_of
from assistant.documents import claim_document
from assistant.documents.call import FreeCorrection
from assistant.errors import CannotDo, UnknownName
from assistant.rules.claims import About, settle_claims
from assistant.rules.reasons import reword
from assistant.table.free_table import FAR_MM, TerrainKind
from assistant.translations.messages import said
from assistant.translations.names import speak_id
from web.free.card import distance_words, free_card, reason_document
from web.free.drawing import FreeDrawing
from web.free.needs import free_page
from web.free.ports import FreeTableDesk
from web.free.words import front_words, taken_document
from web.match.belonging import actor_of, own_figures, require_own_figures
from web.match.needs import match_page
from web.match.routes import running_match
from web.people.session import current_device, current_person, current_role, current_speech
from web.serving.roles import Right
from web.serving.routes import API_ROOT, RouteFacts, body_as, read_photo_body, route
from web.serving.sending import lasting_jpeg, send_report

blueprint = Blueprint("free", __name__, url_prefix=API_ROOT)

MOST_STROKE = 4000
"""Points of a finger's line; a slow finger makes a few hundred."""

_Name = Annotated[str, Meta(min_length=1, max_length=200)]
_Pixel = tuple[Annotated[float, Meta(ge=-1e5, le=1e5)], Annotated[float, Meta(ge=-1e5, le=1e5)]]


class NoFreeTable(CannotDo):
    """The program reads no table without a grid."""

    http_status = 409


class FreeQuestion(Struct, forbid_unknown_fields=True):
    """Who attacks whom."""

    attacker: _Name
    defender: _Name


class FreeClaims(Struct, forbid_unknown_fields=True):
    """What two people say otherwise about one attack."""

    attacker: _Name
    defender: _Name
    about: About


class Ruler(Struct, forbid_unknown_fields=True):
    """Two points of the picture, in its pixels."""

    start: _Pixel
    end: _Pixel


class Circle(Struct, forbid_unknown_fields=True):
    """So many steps from the edge of a figure's base."""

    figure: _Name
    steps: Annotated[float, Meta(gt=0, le=100)]


class DrawnTerrain(Struct, forbid_unknown_fields=True):
    """A line that a finger drew round the top of a piece of terrain, in the picture's pixels."""

    stroke: Annotated[list[_Pixel], Meta(min_length=3, max_length=MOST_STROKE)]
    kind: TerrainKind
    height_mm: Annotated[float, Meta(ge=0, le=FAR_MM)]


class TakenPicture(Struct, forbid_unknown_fields=True):
    """How a match takes its table: by what its game makes of the moves, or as everything stands."""

    as_it_stands: bool = False


class WhoStands(Struct, forbid_unknown_fields=True):
    """Whether somebody stands where the camera was not sure of it."""

    figure: _Name
    is_there: bool


class NamedTerrain(Struct, forbid_unknown_fields=True):
    """A piece of terrain by its name."""

    id: _Name


@route(blueprint, "GET", "/free", RouteFacts(Right.WATCH, "The newest picture of the table without a grid."))
def newest() -> ResponseReturnValue:
    """The scene of the newest picture; ``shot`` is null before the first."""
    shot = _desk().latest
    return jsonify({"shot": None} if shot is None else _scene(shot))


@route(
    blueprint,
    "POST",
    "/free/shots",
    RouteFacts(Right.SHOW, "Hand in a photo of the table without a grid.", takes="image/*", status=201),
)
def show_free() -> ResponseReturnValue:
    """Reads the photo in the body; names are kept from the picture before, and moves since then are measured."""
    return jsonify(_scene(_desk().read_upload(read_photo_body()))), 201


@route(
    blueprint,
    "GET",
    "/free/shots/<shot_id>/picture",
    RouteFacts(Right.WATCH, "The picture itself.", gives="image/jpeg"),
)
def free_picture(shot_id: str) -> ResponseReturnValue:
    """The JPEG; it never changes under its name."""
    return lasting_jpeg(_desk().shot(shot_id).picture.jpeg)


@route(
    blueprint,
    "GET",
    "/free/shots/<shot_id>/plan",
    RouteFacts(Right.WATCH, "The picture as the table is seen from straight above.", gives="image/jpeg"),
)
def free_plan(shot_id: str) -> ResponseReturnValue:
    """The JPEG; `/match/ground` tells which part of the table it shows.

    Raises:
        UnknownName: the picture is no longer kept, or was never drawn so.
    """
    plan = _desk().shot(shot_id).plan
    if plan is None:
        raise UnknownName(said("this picture is no longer kept; take a new one"))
    return lasting_jpeg(plan.picture.jpeg)


@route(
    blueprint,
    "GET",
    "/free/shots/<shot_id>/report",
    RouteFacts(
        Right.OWN,
        "The picture and what was read, in one file for who mends the reading.",
        gives="application/zip",
    ),
)
def free_report(shot_id: str) -> ResponseReturnValue:
    """The sightline.report/1 of a picture; it is saved on the device that asks, and sent nowhere."""
    desk = _desk()
    shot, (game, jpeg) = desk.shot(shot_id), desk.as_read(shot_id)
    return send_report(pack_free(jpeg, shot.sighting, game, is_live=shot.source == "live"), shot_id)


@route(
    blueprint,
    "POST",
    "/free/shots/<shot_id>/rulings",
    RouteFacts(Right.ASK, "May one figure shoot at another, and how far is it?", body=FreeQuestion),
)
def free_ruling(shot_id: str) -> ResponseReturnValue:
    """The card of one attack on this picture."""
    desk, question = _desk(), body_as(FreeQuestion)
    ruling = desk.rule(shot_id, question.attacker, question.defender)
    flips = desk.flips(shot_id, ruling)
    return jsonify(free_card(desk.shot(shot_id), ruling, flips, desk.rules, current_speech()))


@route(
    blueprint,
    "POST",
    "/free/shots/<shot_id>/claims",
    RouteFacts(Right.ASK, "Two claims about one attack: which holds, under which options each would.", body=FreeClaims),
)
def free_claims(shot_id: str) -> ResponseReturnValue:
    """The claim that it is so and the claim that it is not, in the reader's language."""
    desk, asked, language = _desk(), body_as(FreeClaims), current_speech().language
    table = desk.shot(shot_id).sighting.table
    found = settle_claims(desk.rules, table, asked.attacker, asked.defender, asked.about)
    return jsonify({"claims": [claim_document(claim, language) for claim in found]})


@route(
    blueprint,
    "GET",
    "/free/shots/<shot_id>/figures/<name>",
    RouteFacts(Right.WATCH, "What the table means for one figure: melee, terror, whom it finds, cover in reach."),
)
def free_about(shot_id: str, name: str) -> ResponseReturnValue:
    """Its reasons, each with its rule and source."""
    desk, speech = _desk(), current_speech()
    say = plane_words_of(desk.shot(shot_id).sighting.table, speech.language)
    told = reword(desk.about(shot_id, name), desk.rules.rules, speech.language, say)
    reasons = [reason_document(reason, desk.rules, speech) for reason in told]
    return jsonify({"figure": name, "name": speak_id(name, speech.language), "reasons": reasons})


@route(
    blueprint,
    "POST",
    "/free/shots/<shot_id>/measures",
    RouteFacts(Right.ASK, "How far is it between two points of the picture?", body=Ruler),
)
def free_measure(shot_id: str) -> ResponseReturnValue:
    """Steps and millimetres, with what they may be out by."""
    ruler = body_as(Ruler)
    found = _desk().measure(shot_id, ruler.start, ruler.end)
    text = distance_words(found.length_mm, found.steps, found.error_mm, current_speech())
    length_mm, error_mm = round(found.length_mm, 2), round(found.error_mm, 2)
    return jsonify({"mm": length_mm, "error_mm": error_mm, "steps": round(found.steps, 3), "text": text})


@route(
    blueprint,
    "POST",
    "/free/shots/<shot_id>/circles",
    RouteFacts(
        Right.ASK,
        "The line of all places so many steps from a figure's base, and who of those within stands before it.",
        body=Circle,
    ),
)
def free_circle(shot_id: str) -> ResponseReturnValue:
    """The outline in the picture's pixels, the line that parts before from behind, and who is where."""
    wanted, shot, speech = body_as(Circle), _desk().shot(shot_id), current_speech()
    table = shot.sighting.table
    figure = table.figure(wanted.figure)
    reach_mm = wanted.steps * float(table.step_mm)
    drawing, fronts = FreeDrawing(shot, speech), fronts_of(shot.sighting, figure.id, reach_mm)
    shown = {"outline": drawing.around(figure, reach_mm), "front": drawing.front(figure, reach_mm)}
    return jsonify({**shown, "text": front_words(figure.id, fronts, speech)})


@route(
    blueprint,
    "POST",
    "/free/shots/<shot_id>/match",
    RouteFacts(
        Right.CORRECT,
        "Let the match take its table from a picture; what moved since is measured, and played as what the game takes "
        "it for.",
        body=TakenPicture,
    ),
)
def free_to_match(shot_id: str) -> ResponseReturnValue:
    """The match's figures where the picture shows them; ``moves`` tells each move and what came of it."""
    session, shot, speech = running_match(), _desk().shot(shot_id), current_speech()
    own = own_figures(session.timeline.game, current_role(), current_device())
    taken = take_table(
        session,
        shot.sighting,
        actor_of(current_role(), current_device()),
        lambda command: require_own_figures(command, own, speech),
        as_it_stands=body_as(TakenPicture).as_it_stands,
    )
    return jsonify({"seq": session.seq, **taken_document(taken, speech)})


@route(
    blueprint,
    "POST",
    "/free/shots/<shot_id>/answers",
    RouteFacts(
        Right.CORRECT, "Say whether somebody stands where the camera was not sure of it.", body=WhoStands, status=201
    ),
)
def say_who_stands(shot_id: str) -> ResponseReturnValue:
    """The newest picture, told with it, under a name of its own."""
    answer = body_as(WhoStands)
    shot = _desk().say_who_stands(shot_id, answer.figure, is_there=answer.is_there)
    kind: FreeCorrection = "base_there" if answer.is_there else "base_gone"
    free_page().note_free(kind, kind_at(answer.figure), current_person())
    return jsonify(_scene(shot)), 201


@route(
    blueprint,
    "POST",
    "/free/shots/<shot_id>/terrain",
    RouteFacts(Right.CORRECT, "Draw a piece of terrain on the picture.", body=DrawnTerrain, status=201),
)
def draw_free_terrain(shot_id: str) -> ResponseReturnValue:
    """The picture, read again with it; ``edge_share`` of its sides lie on an edge that the picture shows."""
    drawn = body_as(DrawnTerrain)
    shot, share = _desk().draw_terrain(shot_id, drawn.stroke, drawn.kind, drawn.height_mm)
    free_page().note_free("terrain_drawn", shot.sighting.table.terrain[-1].id, current_person())
    return jsonify({**_scene(shot), "edge_share": round(share, 2)}), 201


@route(
    blueprint,
    "POST",
    "/free/shots/<shot_id>/terrain/searches",
    RouteFacts(Right.CORRECT, "Find a piece of terrain again that was moved.", body=NamedTerrain, status=201),
)
def find_free_terrain(shot_id: str) -> ResponseReturnValue:
    """The picture, read again with the piece where it lies now."""
    wanted = body_as(NamedTerrain)
    shot = _desk().find_terrain(shot_id, wanted.id)
    free_page().note_free("terrain_moved", wanted.id, current_person())
    return jsonify(_scene(shot)), 201


@route(
    blueprint,
    "POST",
    "/free/shots/<shot_id>/terrain/removals",
    RouteFacts(Right.CORRECT, "Take a piece of terrain away.", body=NamedTerrain, status=201),
)
def remove_free_terrain(shot_id: str) -> ResponseReturnValue:
    """The picture, read again without it."""
    wanted = body_as(NamedTerrain)
    shot = _desk().remove_terrain(shot_id, wanted.id)
    free_page().note_free("terrain_gone", wanted.id, current_person())
    return jsonify(_scene(shot)), 201


def _scene(shot: FreeShot) -> dict[str, Any]:
    speech, session = current_speech(), match_page().match
    news = () if session is None else foretell_news(session, shot.sighting)
    return {**FreeDrawing(shot, speech).document(), "news": [sentence.worded(speech.language) for sentence in news]}


def _desk() -> FreeTableDesk:
    desk = free_page().free
    if desk is None:
        raise NoFreeTable(said("This table has tiles. Start the program with --free-table to read one without a grid."))
    return desk
