"""The side and the figures of a device: checked on every change of the match."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from assistant.app.live.shots import Shot
from assistant.app.live.table_correction import TableCorrection
from assistant.errors import NotYours
from assistant.match.actor import JUDGE, TABLE, Actor, player
from assistant.match.game import INVADER, GameState
from assistant.match.ground import board_of
from assistant.match.session import Session
from assistant.table.board import Board
from assistant.tracking.values import IdentityQuestion
from assistant.translations.catalogue import speak_id
from assistant.translations.messages import said
from assistant.translations.speech import Speech
from web.people.devices import Device
from web.serving.roles import Role

DECIDED_FOR = ("figure", "attacker", "demon")
"""Fields of commands with the figure that a player decides for; targets may be any figure."""


def actor_of(role: Role, device: Device | None = None) -> Actor:
    """The actor behind a device; one without a side is handed round and decides for every side."""
    if role in (Role.JUDGE, Role.HEAD_JUDGE):
        return JUDGE if device is None else Actor(role="judge", name=device.name)
    side = "" if device is None else device.side
    if role is Role.INVADER:
        return player(side or INVADER)
    if role is Role.SPECTATOR or device is None:
        return TABLE
    if side:
        return player(side, device.name)
    return Actor(role="table", side=device.holder) if device.holder else TABLE


def own_figures(game: GameState, role: Role, device: Device | None) -> frozenset[str] | None:
    """The figures that a device decides for; None for all."""
    actor = actor_of(role, device)
    if actor.role != "player":
        return None
    if device is not None and device.side and device.figures:
        return frozenset(device.figures)
    return frozenset(piece.id for piece in game.pieces.values() if piece.side == actor.side)


def require_own_figures(command: Mapping[str, Any], own: frozenset[str] | None, speech: Speech) -> None:
    """Checks that a command decides for the device's own figures.

    Raises:
        NotYours: it names another player's figure.
    """
    if own is None:
        return
    if command.get("type") == "see":  # it would put every figure somewhere
        raise NotYours(said("This board was set by hand. Let the shared tablet or a judge send it."))
    for field in DECIDED_FOR:
        name = command.get(field)
        if isinstance(name, str) and name not in own:
            figure = speak_id(name[:40], speech.language)
            raise NotYours(said("{figure} is not yours. Ask its player or a judge.", figure=figure))


def require_own_end(command: Mapping[str, Any], actor: Actor, speech: Speech) -> None:
    """Checks that a player's own device ends the match only by its side's defeat.

    Raises:
        NotYours: it declares that its side has won.
    """
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
        raise NotYours(said("This match has no table yet. Let the camera, the shared tablet or a judge send it."))
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
        raise NotYours(said("This board was set by hand. Let the shared tablet or a judge send it."))
