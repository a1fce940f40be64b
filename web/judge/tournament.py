"""This table in its tournament: the round's clock, players, judges on the way, the submitted result."""

from __future__ import annotations

from typing import Any, Literal

import msgspec
from msgspec import Struct

from assistant.app.tournament.membership import Membership
from assistant.documents.hall import HandedResult
from assistant.errors import CannotDo
from assistant.translations.messages import said
from web.parts import parts
from web.people.door import front_door
from web.people.session import current_device
from web.serving.roles import Right, Role
from web.serving.routes import Answer, get, post


class NoTournament(CannotDo):
    """This table is in no tournament."""

    http_status = 404


class HandIn(Struct, forbid_unknown_fields=True):
    """The result of the game, as reported by one of its two players."""

    player: Literal["first", "second"]
    result: Literal["1-0", "0-1", "1/2-1/2"]


@get("/tournament", Right.WATCH, "The round of this table: clock, time back, players, result, judges on their way.")
def seat() -> Answer:
    referee = parts().referee
    if referee is None or referee.member is None:
        return {"event": ""}
    return _seat_view(referee.member)


@post("/tournament/result", Right.PLAY, HandIn, "Say how the game ended; it counts once both players say the same.")
def hand_in_result(wanted: HandIn) -> Answer:
    referee = parts().referee
    if referee is None or referee.member is None:
        raise NoTournament(said("This table is in no tournament. Start it with a join code."))
    device = current_device()
    own = "" if device is None else device.id
    referee.member.hand_in(wanted.player, wanted.result, own, is_shared=not _plays_elsewhere(own))
    parts().hub.publish("tournament", {})
    return _seat_view(referee.member)


def _plays_elsewhere(own: str) -> bool:
    """Return whether a player has another device. A host's device without a side belongs to nobody."""
    others = [one for one in front_door().devices.all() if one.id != own]
    return any(one.role in (Role.PLAYER, Role.INVADER) or (one.role is Role.OWNER and one.is_tied) for one in others)


def _seat_view(member: Membership) -> dict[str, Any]:
    now = member.desk_seat.seat
    handed: HandedResult | None = member.handing.of(now)
    return {
        "event": member.join.event,
        "table": member.join.name,
        "is_desk_there": member.link.is_desk_there,
        "round": now.round,
        "runs": now.runs,
        "left_s": round(member.desk_seat.left_s(), 1),
        "extension_s": now.extension_s,
        "first": now.first,
        "second": now.second,
        "result": now.result,
        "handed": None if handed is None else {"result": handed.result, "agreed": list(handed.agreed)},
        "on_way": [msgspec.to_builtins(one) for one in now.on_way],
    }
