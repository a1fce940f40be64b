"""Routes for the match: its state, possible commands, history, and the attack guide."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

import msgspec
from flask import request
from msgspec import Struct

from assistant.documents import board_document
from assistant.errors import CannotDo, NotYours
from assistant.match.actor import CAMERA
from assistant.match.audience import AttackQuery, audience_of
from assistant.match.game import GameState
from assistant.match.guide import Wish
from assistant.match.session import Session
from assistant.match.steps import See
from assistant.table.cell_names import CellNames
from assistant.table.fields import plain_text
from assistant.table.tracker import TrackerEntry, TrackerView
from assistant.translations.catalogue import speak_id
from assistant.translations.messages import said
from web.match.free_camera import list_seen_models, photo_of
from web.match.ground import ground_document, list_tokens
from web.match.other_table import find_other_table, require_own_table
from web.match.words import collect_marks, collect_names, name_spaces
from web.parts import parts
from web.people.belonging import (
    current_actor,
    own_figures,
    own_part,
    require_own_end,
    require_own_figures,
    require_own_moments,
    require_room_of_device,
    require_seen,
)
from web.people.seats import cover_when_done, require_free_side, seat_document
from web.people.session import current_role, current_speech
from web.serving.roles import Right, Role
from web.serving.routes import Answer, body_fields, get, post

BY_HAND = ("damage", "heal", "stun")
"""Commands that correct a figure by hand. The page has a button for each one known to the game."""

WRITTEN = ("text", "ending")
"""Command fields with words written by people."""


CLOCKS = ("pause", "resume", "limits")
"""Commands about the clocks."""


class NoMatch(CannotDo):
    """This table plays no match."""

    http_status = 404


class DiceOpened(CannotDo):
    """The file of the match with its dice has been opened."""

    http_status = 409
    sentence = said(
        "This match is over and its dice are opened, so nothing in it is taken back. Begin a new match to play on."
    )


class SeenTable(Struct, forbid_unknown_fields=True):
    """The shot with the match's board."""

    shot: Annotated[str, msgspec.Meta(max_length=200)]


@get("/match", Right.WATCH, "The match as this device may know it.")
def match() -> Answer:
    return _document(running_match())


@get(
    "/match/history",
    Right.WATCH,
    "Every step of the match, the undone ones too; `undo` or `redo` with `to` goes to one of them.",
)
def history() -> Answer:
    return {"history": running_match().history(current_speech().language)}


@get(
    "/match/history/<int:seq>",
    Right.WATCH,
    "Was a step of the match legal, by which rule, and what else would have been?",
)
def legality(seq: int) -> Answer:
    session = running_match()
    found = session.judge(seq, current_actor(), current_speech().language)
    asks = [name_spaces(ask, session.timeline.game) for ask in found["alternatives"]]
    return {"legality": {**found, "alternatives": asks}}


@post("/match/commands", Right.PLAY, None, "Give a command: an object with `type` and the fields of that type.")
def command() -> Answer:
    session, fields = running_match(), body_fields()
    require_own_figures(fields, _own(session), current_speech())
    require_own_moments(fields, session, _own(session), current_speech())
    _require_judge(fields)
    if current_role() is not Role.OWNER or _is_in_tournament():
        require_own_end(fields, current_actor(), current_speech())
    if current_role() is not Role.OWNER:
        require_free_side(session, fields)
    fields |= {name: plain_text(fields[name]) for name in WRITTEN if isinstance(fields.get(name), str)}
    _require_hidden_dice(session)
    require_room_of_device(session)
    receipt = session.command(fields, current_actor())
    cover_when_done(session)
    title = receipt.title.worded(current_speech().language)
    return {"seq": receipt.seq, "title": title, **_document(session)}


@post(
    "/match/ways",
    Right.PLAY,
    None,
    "The next question of a command, with the answers that the rules allow: `type` and the fields chosen so far.",
)
def way() -> Answer:
    """Each answer is the complete value of its field. Without a question the command is complete."""
    session, fields = running_match(), body_fields()
    require_own_figures(fields, _own(session), current_speech())
    found = session.way(fields, current_actor(), current_speech().language)
    question = None if found["ask"] is None else name_spaces(found["ask"], session.timeline.game)
    return {"seq": session.seq, "way": {**found, "ask": question}}


@get("/match/deeds", Right.PLAY, "What this device may do now besides the prompts; `/match/ways` asks for the details.")
def deeds() -> Answer:
    session = running_match()
    return {"seq": session.seq, "deeds": session.actions(current_actor(), current_speech().language)}


@post("/match/table", Right.CORRECT, SeenTable, "Let the match take its table from a shot, with its corrections.")
def table(wanted: SeenTable) -> Answer:
    session, shot = running_match(), parts().shelf.get(wanted.shot)
    own, game = _own(session), session.timeline.game
    require_seen(shot, own)
    require_own_table(session, shot.board)
    is_live = shot.source == "live" and shot.corrected is None
    is_newest = shot is parts().shelf.latest_live()
    board = shot.board if own is None or (is_live and is_newest) else own_part(shot.board, game, own)
    seen, told = board_document(board), parts().watcher.told_by if is_live and is_newest else ()
    if See(document=seen).apply(game) != game:  # the same table again is no step of the match
        by = next(iter(told), CAMERA if is_live and is_newest else current_actor())
        if by != CAMERA:
            require_room_of_device(session)
        session.command({"type": "see", "document": seen}, by)
        parts().watcher.told_by = ()
    return _document(session)


@get("/match/seen", Right.PLAY, "What the camera saw of the acting figure, as commands: a move, a door.")
def seen() -> Answer:
    """On a table without a grid, ``moves`` lists every displaced figure with possible explanations."""
    session, shot, speech = running_match(), parts().shelf.latest_live(), current_speech()
    nothing: dict[str, Any] = {"seq": session.seq, "move": None, "door": None, "moves": []}
    if session.played_on != "camera":
        return nothing
    if not session.timeline.game.has_grid:
        return {**nothing, "moves": list_seen_models(session, parts().readers.free, current_actor(), speech)}
    if shot is None:
        return nothing
    language = speech.language
    move, door = (find(shot.board, current_actor(), language) for find in (session.seen_move, session.seen_door))
    if door is not None:
        names = CellNames.of(shot.board)
        door["place"] = names.between(door.pop("cells"))
    return {**nothing, "move": move, "door": door}


@get("/match/hands", Right.PLAY, "The hands of this device's side, each card with its possible plays.")
def hands() -> Answer:
    session = running_match()
    return {"seq": session.seq, "hands": session.hands(current_actor(), current_speech().language)}


class DrawnSpaces(Struct, forbid_unknown_fields=True):
    """The moving figure, and the spaces under a finger in order."""

    figure: Annotated[str, msgspec.Meta(max_length=200)]
    cells: Annotated[tuple[tuple[int, int], ...], msgspec.Meta(max_length=400)]


@post(
    "/match/drawn", Right.PLAY, DrawnSpaces, "Count a path that is drawn space by space; nothing happens in the match."
)
def drawn(way: DrawnSpaces) -> Answer:
    session = running_match()
    return {"seq": session.seq, "way": session.way_drawn(way.figure, way.cells, current_speech().language)}


@get("/match/story", Right.WATCH, "The cost of each round of the match, its losses and its turning points.")
def story() -> Answer:
    told, language = running_match().story(current_speech().language), current_speech().language
    names = {name: speak_id(name, language) for moment in told["moments"] for name in moment["figures"]}
    return {**told, "names": names}


@get(
    "/match/ground",
    Right.WATCH,
    "The table of the match from above, with its figures; ?at= just after that entry. Null before it has a table.",
)
def ground() -> Answer:
    session, at, language = running_match(), request.args.get("at", type=int), current_speech().language
    drawn = ground_document(session.timeline.game if at is None else session.game_after(at), language)
    if drawn is not None:
        drawn["photo"] = (
            photo_of(session.timeline.game, parts().readers.free)
            if at is None and session.played_on == "camera"
            else None
        )
        audience = audience_of(current_actor(), language)
        lying = session.view(audience) if at is None else session.table_after(at, audience)
        drawn["tokens"] = list_tokens(lying, current_speech())
    return {"seq": session.seq, "ground": drawn}


@post(
    "/match/advice",
    Right.ASK,
    AttackQuery,
    "An attack before its roll: sight, range and cover from the table, and the odds.",
)
def advice(question: AttackQuery) -> Answer:
    session = running_match()
    return session.advise(msgspec.to_builtins(question))


def running_match() -> Session:
    """Return the match at this table.

    Raises: NoMatch: there is none.
    """
    session = parts().match.session
    if session is None:
        raise NoMatch(said("No match is being played at this table. Start one first."))
    return session


def _is_in_tournament() -> bool:
    referee = parts().referee
    return referee is not None and referee.member is not None


def _sets_clocks() -> bool:
    """Return whether this request's device may stop the clocks and set limits. In a tournament, players may not."""
    is_players = current_role() in (Role.PLAYER, Role.INVADER) or current_actor().role == "player"
    return not (is_players and _is_in_tournament())


def _require_judge(command: Mapping[str, Any]) -> None:
    """Check that in a tournament no player stops the clocks or sets their limits.

    Raises:
        NotYours: the sender may be a player.
    """
    if command.get("type") in CLOCKS and not _sets_clocks():
        raise NotYours(said("In a tournament a judge stops the clocks and sets their limits. Call one."))


def _require_hidden_dice(session: Session) -> None:
    """Check that nobody has seen the match's dice.

    Raises:
        DiceOpened: somebody has, after the match's end.
    """
    archive = parts().archive
    if archive is not None and session.timeline.game.winner is not None and archive.is_opened(session.seed):
        raise DiceOpened


def _own(session: Session) -> frozenset[str] | None:
    return own_figures(session.timeline.game)


def _document(session: Session) -> dict[str, Any]:
    speech = current_speech()
    here = parts()
    awaits_table = session.played_on == "camera" and (here.watcher.has_live or here.readers.free is not None)
    actor = current_actor()
    view = session.view(audience_of(actor, speech.language), awaits_table=awaits_table)
    order, own = _order(session.tracker(), session.timeline.game), _own(session)
    other = find_other_table(session, here)
    return {
        "other_table": None if other is None else other.worded(speech.language),
        "mine": None if own is None or actor.role != "player" else {"side": actor.side, "figures": sorted(own)},
        "sets_clocks": _sets_clocks(),
        "played_on": session.played_on,
        "seat": seat_document(session),
        "by_hand": [name for name in BY_HAND if name in session.system.commands],
        "order": order,
        "view": view,
        "names": collect_names(view, order, speech),
        "tokens": list_tokens(view, speech),
        "marks": collect_marks(view, speech),
    }


def _order(tracker: TrackerView, game: GameState) -> list[dict[str, Any]]:
    """Return the order of turns. If a side moves all its figures, each is active while it has something to do."""

    def is_active(place: int, entry: TrackerEntry) -> bool:
        if not game.moves_by_side:
            return place == tracker.active
        return game.piece(entry.name).side == game.side_to_act() and not entry.is_idle

    return [
        {**msgspec.to_builtins(entry), "is_active": is_active(place, entry)}
        for place, entry in enumerate(tracker.order)
    ]


@post(
    "/match/attack",
    Right.ASK,
    Wish,
    "The attack guide: facts, odds and dice of a planned attack, or every step of the open one.",
)
def attack(wish: Wish) -> Answer:
    """Each offer in it is a command for `/match/commands`."""
    session = running_match()
    audience = audience_of(current_actor(), current_speech().language)
    return {"seq": session.seq, "guide": session.guide(msgspec.to_builtins(wish), audience)}
