"""A device's side and figures, checked on every change of the match."""

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
"""Command fields with the deciding player's figure. Targets may be any figure."""


def actor_of(role: Role, device: Device | None, address: str = "") -> Actor:
    """Return the actor behind a device, under a name. A device without a side is shared and decides for every side.

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
    """Return the actor behind the current request."""
    return actor_of(current_role(), current_device(), request.remote_addr or "")


def own_figures(game: GameState) -> frozenset[str] | None:
    """Return the figures that the request's device decides for, or None for all.

    A shared tablet decides for the sides without a device of their own.
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
    """Return the sides of other devices, also from the last match, until they choose again."""
    others = (one for one in front_door().devices.all() if device is None or one.id != device.id)
    known = {piece.side for piece in game.pieces.values()}
    return frozenset(one.own_side for one in others if one.own_side in known)


def require_own_figures(command: Mapping[str, Any], own: frozenset[str] | None, speech: Speech) -> None:
    """Check that a command decides for the device's own figures.

    Raises: NotYours: it names another player's figure.
    """
    if own is None:
        return
    if command.get("type") == "see":  # it would move every figure
        raise NotYours(said("This board was set by hand. Let the host or a judge send it."))
    for field in DECIDED_FOR:
        name = command.get(field)
        if isinstance(name, str) and name not in own:
            figure = speak_id(name[:40], speech.language)
            raise NotYours(said("{figure} is not yours. Ask its player or a judge.", figure=figure))


def require_own_end(command: Mapping[str, Any], actor: Actor, speech: Speech) -> None:
    """Check that a player's own device ends the match only by its side's defeat.

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
    """Check that a device passes only on its own player's answers (`assistant.match.moments`).

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
    """Check that a match accepts another command of the request's device, if a player has it.

    Raises: MatchFull: it has written too much.
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
    """Check that a device corrects only its own figures on the watched table.

    Anybody may correct doors and empty places.

    Raises: NotYours: the correction would move, rename or remove another player's figure.
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
    """Return a board with only the device's own figures as seen, and the others as in the match.

    Raises: NotYours: the match has no table yet, so all figures would come from this picture.
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
    """Check that a device with its own figures submits no corrected board.

    Raises: NotYours: a corrected board could move everybody's figures.
    """
    if own is not None and shot.corrected is not None:
        raise NotYours(said("This board was set by hand. Let the host or a judge send it."))
