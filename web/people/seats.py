"""Each device's seat in the match: a side of its own, or a shared tablet with covered hands."""

from __future__ import annotations

from collections.abc import Container, Mapping
from typing import Annotated, Any

from msgspec import Meta, Struct

from assistant.errors import CannotDo, NotYours, UnknownName
from assistant.match.audience import JUDGE_VIEW
from assistant.match.game import Step
from assistant.match.session import Session
from assistant.translations.catalogue import speak_id
from assistant.translations.messages import said
from web.people.belonging import sides_elsewhere
from web.people.devices import Device
from web.people.door import front_door, mark_of
from web.people.session import current_device, current_role, current_speech, look_again
from web.serving.roles import Right, Role, may
from web.serving.routes import Answer, post


class Seat(Struct, forbid_unknown_fields=True):
    """The side of a device, or of the player who holds it. Empty for everybody."""

    side: Annotated[str, Meta(max_length=200)] = ""


@post("/seat", Right.PLAY, Seat, "Choose what this device plays: a side, or with an empty one everybody in turn.")
def choose_seat(wanted: Seat) -> Answer:
    session = _match()
    require_side(session, wanted.side)
    device = _device()
    if not _may_choose(session, device, wanted.side):
        raise NotYours(said("The host decides what this device plays. Ask for a new code."))
    _seat(device, session, wanted.side)
    front_door().seats_changed()
    return {"side": wanted.side}


@post("/hand", Right.PLAY, Seat, "Show the hand of the side that holds this tablet; an empty side covers it again.")
def hold(wanted: Seat) -> Answer:
    session = _match()
    if wanted.side and wanted.side not in _hands_here(session, _device()):
        side = speak_id(wanted.side, current_speech().language)
        raise NotYours(said("The hand of {side} is on another device.", side=side))
    _hold(_device(), wanted.side)
    return {"side": wanted.side}


def take_seat(session: Session, side: str) -> None:
    """Give the device that begins a match its side in it. Empty shares the device."""
    require_side(session, side)
    device = current_device()
    if device is not None and _may_sit(device):
        _seat(device, session, side)


def cover_hand() -> None:
    """Cover the hand on the request's device, if it shows one."""
    device = current_device()
    if device is not None and device.holder:
        _hold(device, "")


def cover_when_done(session: Session) -> None:
    """Cover the hand on the request's device once another side has something to do.

    A card that its side may still play in another's turn keeps no hand open, since the other side has the tablet.
    """
    device, game = current_device(), session.timeline.game
    due = {game.side_to_act(), game.side_awaited()} - {None}
    sides = due or session.sides_prompted()
    if device is not None and device.holder and device.holder not in sides:
        _hold(device, "")


def require_free_side(session: Session, command: Mapping[str, Any]) -> None:
    """Check that a shared tablet decides nothing for a side with its own device.

    Raises: NotYours: that side, or a judge, must decide.
    """
    device, game = current_device(), session.timeline.game
    if device is not None and _is_new(session, device):
        raise NotYours(said("Say first what this device plays."))
    if current_role() is not Role.PLAYER or (device is not None and device.own_side):
        return
    elsewhere = sides_elsewhere(game, device)
    if not elsewhere:
        return
    if command.get("type") == "undo" and _takes_back(session, command.get("to"), elsewhere):
        raise NotYours(said("that would take back what others did; ask them for an undo"))
    step = session.system.command({name: value for name, value in command.items() if name not in ("after", "id")})
    deciding = {step.side(game), *step.sides_besides(game)} - {None} if isinstance(step, Step) else set()
    losers = elsewhere - {command.get("winner")} if command.get("type") == "declare" else frozenset()
    others = sorted(losers) or sorted(elsewhere & deciding)
    if not others and isinstance(step, Step) and not deciding and elsewhere.issuperset(sides_of(session)):
        others = sorted(elsewhere)
    if others:
        side = speak_id(others[0], current_speech().language)
        raise NotYours(said("{side} has its own device. Do it there, or ask a judge or the host.", side=side))


def _takes_back(session: Session, goal: object, elsewhere: Container[str | None]) -> bool:
    """Return whether an undo to an entry reverts steps that these sides made on their own devices."""
    timeline = session.timeline
    to = goal if isinstance(goal, int) else timeline.last_by_hand() or 0
    later = (entry.actor for entry in timeline.entries() if entry.done and entry.seq > to)
    return any(actor.role == "player" and actor.side in elsewhere for actor in later)


def seat_document(session: Session) -> dict[str, Any]:
    """Return this device's seat in the match, and its possible seats."""
    device, role = current_device(), current_role()
    is_seated = device is not None and may(role, Right.PLAY) and _may_sit(device)
    side = device.own_side if device is not None and is_seated else ""
    is_new = device is not None and _is_new(session, device)
    return {
        "side": side,
        "holder": "" if device is None else device.holder,
        "is_asked": is_new or (bool(side) and device is not None and _is_of_another(session, device)),
        "is_new": is_new,
        "sides": [one for one in sides_of(session) if is_seated and device and _may_choose(session, device, one)],
        "may_be_shared": is_seated and device is not None and _may_choose(session, device, ""),
        "hands": _hands_here(session, device) if is_seated and device is not None else [],
        "elsewhere": [] if device is None else sorted(sides_elsewhere(session.timeline.game, device)),
    }


def sides_of(session: Session) -> list[str]:
    """Return the sides of the match, in the order of its figures."""
    return list(dict.fromkeys(piece.side for piece in session.timeline.game.pieces.values()))


def require_side(session: Session, side: str) -> None:
    """Check that the match has that side. Empty means all sides.

    Raises: UnknownName: it has not.
    """
    if side and side not in sides_of(session):
        raise UnknownName(said("Choose a side of the match, or figures of one side."))


def _match() -> Session:
    session = front_door().match()
    if session is None:
        raise CannotDo(said("No match is being played at this table. Start one first."))
    return session


def _device() -> Device:
    device = current_device()
    if device is None:
        raise NotYours(said("Open the page first; then this device can choose its side."))
    return device


def _seat(device: Device, session: Session, side: str) -> None:
    devices = front_door().devices
    if device.role is not Role.OWNER and device.own_side and _is_of_another(session, device):
        for other in devices.all():
            if other.id != device.id and side and other.own_side == side != device.own_side:
                devices.seat(other.id, device.own_side, other.side_of)  # it is asked for its own seat, too
    devices.seat(device.id, side, mark_of(session))
    look_again()


def _hold(device: Device, side: str) -> None:
    door = front_door()
    door.devices.hold(device.id, side, door.match_mark)
    look_again()


def _is_of_another(session: Session, device: Device) -> bool:
    """Return whether a device chose its side for another match."""
    is_of_other = bool(device.side_of) and device.side_of != mark_of(session)
    return is_of_other or device.own_side not in sides_of(session)


def _is_new(session: Session, device: Device) -> bool:
    """Return whether a device came without a code to a table with others, and has not chosen its seat yet.

    Until then it may do nothing for any side. A table's only device is the shared one and is not asked.
    """
    if device.has_joined or device.has_chosen or device.own_side or device.role is Role.SPECTATOR:
        return False
    others = [one for one in _others(session, device) if _may_sit(one)]
    is_alone = not any(one.has_joined or one.own_side or one.has_chosen for one in others)
    return not is_alone and session.timeline.game.winner is None and len(sides_of(session)) > 1


def _others(session: Session, device: Device) -> list[Device]:
    """Return the other devices, for a demo visitor those that play this match.

    A device that has left it holds no side.
    """
    others = [one for one in front_door().devices.all() if one.id != device.id]
    return [one for one in others if device.role is not Role.JUDGE or one.side_of == mark_of(session)]


def _may_sit(device: Device) -> bool:
    """Return whether a device may have a side.

    A judge has none. In the demo every guest is a judge, so there guests may.
    """
    is_guest = device.has_chosen or not device.has_joined
    return device.role in (Role.OWNER, Role.PLAYER, Role.INVADER) or (device.role is Role.JUDGE and is_guest)


def _may_choose(session: Session, device: Device, side: str) -> bool:
    """Return whether a device may take a side, or be shared with an empty one.

    The owner may. A device invited to a side keeps it until the next match, so that nobody looks at the other hand
    first. A side of another device stays there. Before the first step of a match, two devices that have not chosen
    their seats yet may swap.
    """
    if device.role is Role.OWNER:
        return True
    if not _may_sit(device):
        return False
    own = device.own_side
    is_bound = bool(own) and not device.has_chosen
    is_asked = bool(own) and _is_of_another(session, device)
    if is_bound and not (is_asked and side):
        return False
    holders = [one for one in _others(session, device) if one.own_side == side]
    is_new = is_asked and session.is_untouched
    may_change = is_new and all(_is_of_another(session, one) for one in holders)
    return side in ("", own) or not holders or may_change


def _hands_here(session: Session, device: Device) -> list[str]:
    """Return the sides with hidden hands for a shared tablet: those without a device of their own."""
    if device.own_side or device.role not in (Role.OWNER, Role.PLAYER) or _is_new(session, device):
        return []
    game = session.timeline.game
    owners = [panel.owner for panel in session.system.panels(game, JUDGE_VIEW) if panel.is_hand]
    sides = dict.fromkeys(game.pieces[one].side if one in game.pieces else one for one in owners)
    elsewhere = sides_elsewhere(session.timeline.game, device)
    return [side for side in sides if side not in elsewhere]
