"""Who looks at a match, and what may be asked about an attack in it."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from assistant.match.actor import Actor
from assistant.match.game import Name


class Audience(Struct, frozen=True, kw_only=True):
    """Who looks, in which language: one side, the judge (every hand, no deck's order), or everybody (``side`` None)."""

    side: str | None = None
    is_judge: bool = False
    language: str = "en"

    def sees(self, side: str) -> bool:
        """Whether it may see what that side keeps to itself."""
        return self.is_judge or self.side == side


PUBLIC = Audience()
JUDGE_VIEW = Audience(is_judge=True)


class AttackQuery(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An attack that somebody thinks about: who, whom, and with what.

    ``profile`` counts the attacks of a DOOM 2016 activation from 0; ``weapon`` and ``aimed`` are for DOOM
    2004; ``range`` and ``cover`` are told where no table was seen.
    """

    attacker: Name
    defender: Name
    profile: Annotated[int, Meta(ge=0)] = 0
    weapon: str | None = None
    aimed: bool = False
    range: Annotated[int, Meta(ge=0)] | None = None
    cover: bool = False


def audience_of(actor: Actor, language: str = "en") -> Audience:
    """What an actor sees; the shared tablet and the camera see what everybody may."""
    return Audience(side=actor.side if actor.role == "player" else None, is_judge=actor.is_judge, language=language)
