"""Routes for joining, inviting, leaving, and the choice of a language."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import segno
from flask import Response, jsonify, request
from msgspec import Meta, Struct

from assistant.errors import UnknownName
from assistant.match.session import Session
from assistant.table.fields import plain_line, whole
from assistant.translations.catalogue import language_tags, languages
from assistant.translations.messages import said
from web.people.devices import CODE_LIFETIME_S, Device, JoinRefused, TooManyTries
from web.people.door import COOKIE, front_door
from web.people.session import (
    COOKIE_LIFETIME_S,
    LANGUAGE_COOKIE,
    NotAllowed,
    browser_kind,
    current_device,
    current_role,
    current_token,
    give_cookie,
    note_security,
)
from web.serving.roles import Right, Role, may
from web.serving.routes import Answer, get, post


class JoinRequest(Struct, forbid_unknown_fields=True):
    """The six digits from the host's screen, or the token of its QR code."""

    code: Annotated[str, Meta(min_length=6, max_length=64)]
    name: Annotated[str, Meta(max_length=40)] = ""


class InvitationRequest(Struct, forbid_unknown_fields=True):
    """The role of the invited device. A player's device may belong to a side, or to some of its figures."""

    role: Literal["spectator", "player", "invader", "judge", "head_judge", "owner"]
    side: Annotated[str, Meta(max_length=200)] = ""
    figures: Annotated[tuple[Annotated[str, Meta(max_length=200)], ...], Meta(max_length=60)] = ()
    page: Literal["/", "/setup", "/setup/teach"] = "/"
    """The page behind the link."""


class Guests(Struct, forbid_unknown_fields=True):
    """Whether devices that have not joined may play."""

    may_play: bool


class LanguageChoice(Struct, forbid_unknown_fields=True):
    """The language of the page."""

    language: Annotated[str, Meta(pattern=whole("|".join(language_tags())))]


@get("/me", Right.PUBLIC, "The role of this device.")
def me() -> Answer:
    device = current_device()
    known = {} if device is None else {**_shown(device), "name": device.name}
    return {
        "id": None,
        "number": 0,
        "side": "",
        "figures": [],
        "name": "",
        **known,
        "role": current_role(),
        "languages": languages(),
    }


@post("/join", Right.PUBLIC, JoinRequest, "Join with a code or link.")
def join(wanted: JoinRequest) -> Answer:
    """The old session ends, so that nobody can prepare one for somebody else."""
    kind, address = browser_kind(request.user_agent.string), request.remote_addr or ""
    devices = front_door().devices
    try:
        name = plain_line(wanted.name).lstrip("# ")  # a number would name another device
        token, device = devices.join(wanted.code.strip(), current_token(), name, kind, address=address)
    except (JoinRefused, TooManyTries):
        note_security("a wrong code from %s", address)
        raise
    note_security("device %s joined as %s", device.id, device.role)
    front_door().seats_changed()
    response = jsonify({"role": device.role, "id": device.id})
    give_cookie(response, token)
    return response


@post("/leave", Right.PUBLIC, None, "Leave: this device is a guest again.")
def leave() -> Answer:
    front_door().devices.leave(current_token())
    front_door().seats_changed()
    response = jsonify({"role": front_door().devices.guest_role})
    response.delete_cookie(COOKIE, httponly=True, samesite="Strict", secure=request.is_secure)
    return response


@post("/invitations", Right.JUDGE, InvitationRequest, "A code and a QR code by which one device can join.", status=201)
def invite(wanted: InvitationRequest) -> Answer:
    """The owner invites everybody. A judge, as every visitor of the demo is one, invites the players of a side."""
    if not (may(current_role(), Right.OWN) or (wanted.role == "player" and (wanted.side or wanted.figures))):
        note_security("an invitation as %s was refused", wanted.role)
        raise NotAllowed(said("This device may not do that. Ask the host for a code."))
    door = front_door()
    side, figures = _belonging(wanted, door.match())
    invitation = door.devices.invite(
        Role(wanted.role), side=side, figures=figures, side_of=door.match_mark if side else ""
    )
    url = f"{door.invite_address or request.host_url.rstrip('/')}{wanted.page}#join={invitation.token}"
    drawn = segno.make(url, error="m").svg_data_uri(scale=5, border=2, dark="#000", light="#fff")
    body = {
        "role": invitation.role,
        "side": side,
        "figures": list(figures),
        "code": invitation.code,
        "url": url,
        "qr": drawn,
        "addresses": door.shown_addresses,
        "lifetime_s": CODE_LIFETIME_S,
        "only_qr": door.devices.are_codes_closed,
    }
    return body


def _belonging(wanted: InvitationRequest, session: Session | None) -> tuple[str, tuple[str, ...]]:
    """Return the invited device's side and figures.

    Raises:
        UnknownName: the match has no such side or figure, or the figure is of another side.
    """
    if not (wanted.side or wanted.figures):
        return "", ()
    if session is None or Role(wanted.role) is not Role.PLAYER:
        raise UnknownName(said("Only a player's device can belong to a side or to figures, and only during a match."))
    pieces = session.timeline.game.pieces
    sides = {pieces[name].side if name in pieces else "" for name in wanted.figures} or {wanted.side}
    known = {piece.side for piece in pieces.values()}
    if len(sides) != 1 or not sides <= known or wanted.side not in ("", *sides):
        raise UnknownName(said("Choose a side of the match, or figures of one side."))
    return sides.pop(), wanted.figures


@get("/devices", Right.OWN, "Every device at the table, the last seen first.")
def devices() -> Answer:
    own, now_s = current_device(), front_door().devices.now_s()
    listed, further = front_door().devices.listed()
    rows = [
        {
            **_shown(device),
            "role": device.role,
            "name": device.name,
            "kind": device.kind,
            "seen_at_s": round(device.seen_at_s, 1),
            "unseen_s": round(max(0.0, now_s - device.seen_at_s), 1),
            "is_this": own is not None and own.id == device.id,
            "is_camera": device.is_camera,
        }
        for device in listed
    ]
    return {
        "devices": rows,
        "further_guests": further,
        "guests_play": front_door().devices.guest_role is not Role.SPECTATOR,
    }


def _shown(device: Device) -> dict[str, Any]:
    """Return a device with its names, its side and its figures."""
    return {"id": device.id, "number": device.number, "side": device.side, "figures": list(device.figures)}


@post("/devices/<device_id>/end", Right.OWN, None, "End a device's session.")
def end_device(device_id: str) -> Answer:
    front_door().devices.end(device_id)
    note_security("device %s was ended", device_id)
    return {"ended": device_id}


@post("/devices/<device_id>/camera", Right.OWN, None, "Make a device the table's camera, and no other.")
def make_camera(device_id: str) -> Answer:
    front_door().devices.make_camera(device_id)
    note_security("device %s is the camera", device_id)
    return devices()


@post("/guests", Right.OWN, Guests, "Let devices that have not joined play, or only watch.")
def let_guests(wanted: Guests) -> Answer:
    front_door().devices.let_guests(may_play=wanted.may_play)
    note_security("guests may play: %s", wanted.may_play)
    return devices()


@post("/language", Right.PUBLIC, LanguageChoice, "Choose the language.")
def language(wanted: LanguageChoice) -> Answer:
    chosen = wanted.language
    response: Response = jsonify({"language": chosen})
    response.set_cookie(
        LANGUAGE_COOKIE, chosen, max_age=COOKIE_LIFETIME_S, httponly=True, samesite="Strict", secure=request.is_secure
    )
    return response
