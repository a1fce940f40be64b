"""The side and the figures of a device: checked on every change of the match."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from flask import request

from assistant.app.live.shots import Shot
from assistant.app.live.table_correction import TableCorrection
from assistant.app.matches.match_bounds import require_room
from assistant.errors import NotYours
from assistant.match.actor import Actor, player
from assistant.match.game import INVADER, GameState
from assistant.match.ground import board_of
from assistant.match.session import Session
from assistant.table.board import Board
from assistant.tracking.values import IdentityQuestion
from assistant.translations.catalogue import speak_id
from assistant.translations.messages import said
from assistant.translations.speech import Speech
from web.people.devices import Device
from web.people.door import front_door
from web.people.session import current_device, current_role, current_share
from web.serving.roles import Role

DECIDED_FOR = ("figure", "attacker", "demon")
"""Fields of commands with the figure that a player decides for; targets may be any figure."""


def actor_of(role: Role, device: Device | None, address: str = "") -> Actor:
    """The actor behind a device, under a name; one without a side is handed round and decides for every side.

    ``address`` names a program without a device.
    """
    name = address if device is None else device.called
    side = "" if device is None else device.own_side or (INVADER if role is Role.INVADER else "")
    if side and role is not Role.SPECTATOR:
        return player(side, name)
    if role in (Role.JUDGE, Role.HEAD_JUDGE):
        return Actor(role="judge", name=name)
    holder = "" if device is None or role is Role.SPECTATOR else device.holder
    return Actor(role="table", side=holder or None, name=name)


def current_actor() -> Actor:
    """The actor behind the current request."""
    return actor_of(current_role(), current_device(), request.remote_addr or "")


def own_figures(game: GameState) -> frozenset[str] | None:
    """The figures that the device behind the request decides for; None for all.

    A tablet that is handed round decides for the sides without a device of their own.
    """
    role, device = current_role(), current_device()
    if device is not None and device.own_side and device.figures:
        return frozenset(device.figures)
    actor = actor_of(role, device)
    elsewhere = sides_elsewhere(game, device) if role is Role.PLAYER else frozenset()
    if actor.role == "player":
        return frozenset(piece.id for piece in game.pieces.values() if piece.side == actor.side)
    if actor.role == "table" and elsewhere:
        return frozenset(piece.id for piece in game.pieces.values() if piece.side not in elsewhere)
    return None


def sides_elsewhere(game: GameState, device: Device | None) -> frozenset[str]:
    """The sides that other devices have for their own, since the last match, too, until they say what they are now."""
    others = (one for one in front_door().devices.all() if device is None or one.id != device.id)
    known = {piece.side for piece in game.pieces.values()}
    return frozenset(one.own_side for one in others if one.own_side in known)


def require_own_figures(command: Mapping[str, Any], own: frozenset[str] | None, speech: Speech) -> None:
    """Checks that a command decides for the device's own figures.

    Raises:
        NotYours: it names another player's figure.
    """
    if own is None:
        return
    if command.get("type") == "see":  # it would put every figure somewhere
        raise NotYours(said("This board was set by hand. Let the host or a judge send it."))
    for field in DECIDED_FOR:
        name = command.get(field)
        if isinstance(name, str) and name not in own:
            figure = speak_id(name[:40], speech.language)
            raise NotYours(said("{figure} is not yours. Ask its player or a judge.", figure=figure))


def require_own_end(command: Mapping[str, Any], actor: Actor, speech: Speech) -> None:
    """Checks that a player's own device ends the match only by its side's defeat.

    Raises:
        NotYours: it declares that its side has won, or nobody.
    """
    if command.get("type") == "declare" and actor.role == "player" and not command.get("winner"):
        raise NotYours(said("The host or a judge ends a match that nobody has won."))
    if (
        command.get("type") == "declare"
        and actor.role == "player"
        and actor.side
        and command.get("winner") == actor.side
    ):
        side = speak_id(actor.side, speech.language)
        raise NotYours(said("Let the other side say that {side} win, or a judge or the host.", side=side))


def require_own_moments(
    command: Mapping[str, Any], session: Session, own: frozenset[str] | None, speech: Speech
) -> None:
    """Checks that a device lets only answers be that are its own player's (`assistant.match.moments`).

    Raises:
        NotYours: another player of its side is asked.
    """
    passed = command.get("asked")
    if own is None or not isinstance(passed, list):
        return
    for moment in session.moments():
        if moment.id in passed and moment.figure is not None and moment.figure not in own:
            figure = speak_id(moment.figure, speech.language)
            raise NotYours(said("{figure} is not yours. Ask its player or a judge.", figure=figure))


def require_room_of_device(session: Session) -> None:
    """Checks that a match takes one more command of the device behind the request, if a player has it.

    Raises:
        MatchFull: it has written too much.
    """
    if current_role() not in (Role.OWNER, Role.JUDGE, Role.HEAD_JUDGE):
        require_room(session, current_actor(), is_guest=current_share().is_guest)


def require_own_correction(
    said_of_it: TableCorrection,
    board: Board | None,
    questions: Iterable[IdentityQuestion],
    own: frozenset[str] | None,
    speech: Speech,
) -> None:
    """Checks that a device corrects the watched table for its own figures alone; doors and empty places are anybody's.

    Raises:
        NotYours: the correction would move, rename or remove another player's figure.
    """
    if own is None:
        return
    asked_of = {question.id: question.figure for question in questions}
    named = {*said_of_it.figures, *said_of_it.names, *said_of_it.names.values(), *said_of_it.answers.values()}
    named |= {asked_of.get(question, "") for question in said_of_it.answers} - {""}
    emptied = {cell for cells in said_of_it.nobody for cell in cells}
    standing = () if board is None else board.figures
    named |= {figure.id for figure in standing if emptied.intersection(figure.cells)}
    others = sorted(named - own)
    if others:
        figure = speak_id(others[0][:40], speech.language)
        raise NotYours(said("{figure} is not yours. Ask its player or a judge.", figure=figure))


def own_part(seen: Board, game: GameState, own: frozenset[str]) -> Board:
    """A board of which only the device's own figures count; the others stand where the match has them.

    Raises:
        NotYours: the match has no table yet, so all figures would come from this picture.
    """
    if not game.ground:
        raise NotYours(said("This match has no table yet. Let the camera, the host or a judge send it."))
    known = board_of(game)
    mine = [figure for figure in seen.figures if figure.id in own]
    others = [figure for figure in known.figures if figure.id not in own]
    for other in others:
        if any(set(figure.cells) & set(other.cells) for figure in mine):
            raise NotYours(said("“{other}” stands there; choose free cells", other=other.id))
    return replace(known, figures=(*others, *mine))


def require_seen(shot: Shot, own: frozenset[str] | None) -> None:
    """Checks that a device with figures of its own hands in no board that somebody corrected.

    Raises:
        NotYours: a corrected board could move everybody's figures.
    """
    if own is not None and shot.corrected is not None:
        raise NotYours(said("This board was set by hand. Let the host or a judge send it."))
