"""Actors: people, the shared tablet, the camera, and the side that each may decide for."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from assistant.errors import NotYours
from assistant.match.kept_order import WHO_DECIDES
from assistant.translations.messages import said

ActorRole = Literal["judge", "player", "table", "camera"]


class Actor(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A person, a shared tablet in the middle of the table, or the camera.

    A player decides for one side. The shared tablet goes from hand to hand, so it decides for every side. It shows
    public facts, and with a ``side`` also the secrets of that side, whose player holds it. The camera reports and
    decides nothing.
    """

    role: ActorRole
    side: str | None = None
    name: Annotated[str, Meta(max_length=200)] = ""

    @property
    def is_judge(self) -> bool:
        return self.role == "judge"

    def require_may_decide(self, side: str | None) -> None:
        """Require that this actor may decide for a side; None stands for a command that anyone at the table may give.

        Raises:
            NotYours: someone else decides that.
        """
        if self.role == "camera":
            raise NotYours.by(WHO_DECIDES, said("the camera reports what it sees and decides nothing"))
        if side is not None and self.role == "player" and self.side != side:
            text = said("the side “{side}” decides that; wait for them or ask a judge", side=side)
            raise NotYours.by(WHO_DECIDES, text)


JUDGE = Actor(role="judge")
TABLE = Actor(role="table")
CAMERA = Actor(role="camera")
PROGRAM = Actor(role="judge", name="Sightline")
"""The program itself, for events without a decision by people."""


def player(side: str, name: str = "") -> Actor:
    """Return a player of that side."""
    return Actor(role="player", side=side, name=name)
