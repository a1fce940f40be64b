"""The match: whose turn it is, who is hurt, what may be done now, and what was done."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from flask import Blueprint, jsonify, request
from flask.typing import ResponseReturnValue
from msgspec import Struct

from assistant.documents import board_document
from assistant.errors import CannotDo
from assistant.match.actor import CAMERA, Actor
from assistant.match.audience import AttackQuery, audience_of
from assistant.match.game import GameState
from assistant.match.session import Session
from assistant.match.steps import See
from assistant.table.cell_names import CellNames
from assistant.table.tracker import TrackerEntry, TrackerView
from assistant.translations.messages import said
from web.match.belonging import actor_of, own_figures, require_own_figures, require_seen
from web.match.free_camera import list_seen_models, photo_of
from web.match.ground import ground_document, list_tokens
from web.match.needs import match_page
from web.match.other_table import find_other_table, require_own_table
from web.match.spaces import name_spaces
from web.match.words import collect_marks, collect_names
from web.people.session import current_device, current_role, current_speech
from web.serving.roles import Right
from web.serving.routes import API_ROOT, RouteFacts, body_as, body_fields, route

blueprint = Blueprint("match", __name__, url_prefix=API_ROOT)

BY_HAND = ("damage", "heal", "stun")
"""Commands that set a figure right by hand; the page has a button for each that the game knows."""


class NoMatch(CannotDo):
    """No match is being played at this table."""

    http_status = 404


class SeenTable(Struct, forbid_unknown_fields=True):
    """The shot whose board the match is to take."""

    shot: Annotated[str, msgspec.Meta(max_length=200)]


@route(blueprint, "GET", "/match", RouteFacts(Right.WATCH, "The match as this device may know it."))
def match() -> ResponseReturnValue:
    """The view of the device's audience; nothing hidden from it is in the answer."""
    return jsonify(_document(running_match()))


@route(
    blueprint, "GET", "/match/history", RouteFacts(Right.WATCH, "Every step of the match, with what was taken back.")
)
def history() -> ResponseReturnValue:
    """All entries, oldest first; the command `undo` or `redo` with `to` takes the match to one of them."""
    return jsonify({"history": running_match().history(current_speech().language)})


@route(
    blueprint,
    "GET",
    "/match/history/<int:seq>",
    RouteFacts(Right.WATCH, "Was a step of the match legal, by which rule, and what else would have been?"),
)
def legality(seq: int) -> ResponseReturnValue:
    """The judgement of the event of that number, as far as this device may know it."""
    session = running_match()
    found = session.judge(seq, _actor(), current_speech().language)
    asks = [name_spaces(ask, session.timeline.game) for ask in found["alternatives"]]
    return jsonify({"legality": {**found, "alternatives": asks}})


@route(
    blueprint,
    "POST",
    "/match/commands",
    RouteFacts(Right.PLAY, "Do something in the match: an object with `type` and the fields of that type."),
)
def command() -> ResponseReturnValue:
    """The receipt of the step, and the match after it."""
    session, fields = running_match(), body_fields()
    require_own_figures(fields, _own(session), current_speech())
    receipt = session.command(fields, _actor())
    title = receipt.title.worded(current_speech().language)
    return jsonify({"seq": receipt.seq, "title": title, **_document(session)})


@route(
    blueprint,
    "POST",
    "/match/ways",
    RouteFacts(
        Right.PLAY,
        "What is asked next of a command, and what the rules let the answer be: an object with `type` and the fields "
        "that are chosen.",
    ),
)
def way() -> ResponseReturnValue:
    """The question with its answers, each the whole value of its field; without one the command can be given."""
    session, fields = running_match(), body_fields()
    require_own_figures(fields, _own(session), current_speech())
    found = session.way(fields, _actor(), current_speech().language)
    question = None if found["ask"] is None else name_spaces(found["ask"], session.timeline.game)
    return jsonify({"seq": session.seq, "way": {**found, "ask": question}})


@route(
    blueprint,
    "GET",
    "/match/deeds",
    RouteFacts(Right.PLAY, "What this device may do now besides what is prompted."),
)
def deeds() -> ResponseReturnValue:
    """The commands with their words; `/match/ways` asks what each needs."""
    session = running_match()
    return jsonify({"seq": session.seq, "deeds": session.deeds(_actor(), current_speech().language)})


@route(
    blueprint,
    "POST",
    "/match/table",
    RouteFacts(Right.CORRECT, "Let the match take its table from a shot, as it was seen and corrected.", SeenTable),
)
def table() -> ResponseReturnValue:
    """The match after it has seen the table."""
    session, shot = running_match(), match_page().shelf.get(body_as(SeenTable).shot)
    require_seen(shot, _own(session))
    require_own_table(session, shot.board)
    seen, game = board_document(shot.board), session.timeline.game
    if See(document=seen).apply(game) != game:  # the same table again is no step of the match
        session.command({"type": "see", "document": seen}, CAMERA)
    return jsonify(_document(session))


@route(
    blueprint,
    "GET",
    "/match/seen",
    RouteFacts(Right.PLAY, "What the camera has seen of whoever acts, as commands to be given: a move, a door."),
)
def seen() -> ResponseReturnValue:
    """Who moved by how many points, and which door was opened or closed, each with its command; null for neither.

    On a table without a grid ``moves`` lists who stands elsewhere, each with what that may have been.
    """
    session, shot, speech = running_match(), match_page().shelf.latest_live(), current_speech()
    nothing: dict[str, Any] = {"seq": session.seq, "move": None, "door": None, "moves": []}
    if not session.timeline.game.has_grid:
        return jsonify({**nothing, "moves": list_seen_models(session, match_page().free, _actor(), speech)})
    if shot is None:
        return jsonify(nothing)
    language = speech.language
    move, door = (find(shot.board, _actor(), language) for find in (session.seen_move, session.seen_door))
    if door is not None:
        names = CellNames.of(shot.board)
        door["place"] = names.between(door.pop("cells"))
    return jsonify({**nothing, "move": move, "door": door})


@route(
    blueprint,
    "GET",
    "/match/hands",
    RouteFacts(Right.PLAY, "The hands of this device's side, each card with what it may be played as now."),
)
def hands() -> ResponseReturnValue:
    """Whose hands they are, what is counted of their decks, and the cards with commands that `/match/ways` takes."""
    session = running_match()
    return jsonify({"seq": session.seq, "hands": session.hands(_actor(), current_speech().language)})


class DrawnSpaces(Struct, forbid_unknown_fields=True):
    """Who goes, and the spaces that a finger passed, in their order."""

    figure: Annotated[str, msgspec.Meta(max_length=200)]
    cells: Annotated[tuple[tuple[int, int], ...], msgspec.Meta(max_length=400)]


@route(
    blueprint,
    "POST",
    "/match/drawn",
    RouteFacts(Right.PLAY, "Count a way that is drawn space by space; nothing happens in the match.", DrawnSpaces),
)
def drawn() -> ResponseReturnValue:
    """The places of the way, its cost, the points there are, and why it goes no further where it does not."""
    session, way = running_match(), body_as(DrawnSpaces)
    return jsonify({"seq": session.seq, "way": session.way_drawn(way.figure, way.cells, current_speech().language)})


@route(
    blueprint,
    "GET",
    "/match/story",
    RouteFacts(Right.WATCH, "What each round of the match cost, who fell by whose hand, and what turned it."),
)
def story() -> ResponseReturnValue:
    """The rounds, the losses of the sides and the turning points, oldest first."""
    return jsonify(running_match().story(current_speech().language))


@route(
    blueprint,
    "GET",
    "/match/ground",
    RouteFacts(Right.WATCH, "The table of the match drawn from above, with its figures; ?at= just after that entry."),
)
def ground() -> ResponseReturnValue:
    """The drawing, or null while the match has seen no table."""
    session, at, language = running_match(), request.args.get("at", type=int), current_speech().language
    drawn = ground_document(session.timeline.game if at is None else session.game_after(at), language)
    if drawn is not None:
        drawn["photo"] = photo_of(session.timeline.game, match_page().free) if at is None else None
        # what lies on the table beside the figures is known of this moment alone
        view = session.view(audience_of(_actor(), language))
        drawn["tokens"] = list_tokens(view, drawn, language) if at is None else []
    return jsonify({"seq": session.seq, "ground": drawn})


@route(
    blueprint,
    "POST",
    "/match/advice",
    RouteFacts(
        Right.ASK, "An attack before its roll: sight, range and cover from the table, and the odds.", AttackQuery
    ),
)
def advice() -> ResponseReturnValue:
    """The attack that somebody thinks about; nothing happens in the match."""
    session, question = running_match(), body_as(AttackQuery)
    return jsonify(session.advise(msgspec.to_builtins(question)))


def running_match() -> Session:
    """The match that is played at this table.

    Raises:
        NoMatch: none is.
    """
    session = match_page().match
    if session is None:
        raise NoMatch(said("No match is being played at this table. Start one first."))
    return session


def _actor() -> Actor:
    return actor_of(current_role(), current_device())


def _own(session: Session) -> frozenset[str] | None:
    return own_figures(session.timeline.game, current_role(), current_device())


def _document(session: Session) -> dict[str, Any]:
    speech = current_speech()
    view = session.view(audience_of(_actor(), speech.language))
    order, own = _order(session.tracker(), session.timeline.game), _own(session)
    other = find_other_table(session, match_page())
    return {
        "other_table": None if other is None else other.worded(speech.language),
        "mine": None if own is None else {"side": _actor().side, "figures": sorted(own)},
        "by_hand": [name for name in BY_HAND if name in session.system.commands],
        "order": order,
        "view": view,
        "names": collect_names(view, order, speech),
        "marks": collect_marks(view, speech),
    }


def _order(tracker: TrackerView, game: GameState) -> list[dict[str, Any]]:
    """The order of turns; where a side moves all of its own, every one of them is active until it has acted."""

    def is_active(place: int, entry: TrackerEntry) -> bool:
        if not game.moves_by_side:
            return place == tracker.active
        return game.piece(entry.name).side == game.side_to_act() and not entry.has_acted

    return [
        {**msgspec.to_builtins(entry), "is_active": is_active(place, entry)}
        for place, entry in enumerate(tracker.order)
    ]
