"""Readers of a match, and the values they send or see: attacks in question, panels beside the board."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from assistant.match.actor import Actor
from assistant.match.game import Name
from assistant.table.lattice import Cell
from assistant.translations.messages import Said


class Audience(Struct, frozen=True, kw_only=True):
    """A reader and its language: one side, the judge (every hand, no deck's order), or everybody (``side`` None).

    A shared tablet reads for the side whose player holds it, and decides for all sides.
    """

    side: str | None = None
    is_judge: bool = False
    is_shared: bool = False
    language: str = "en"

    @property
    def decides_for(self) -> str | None:
        """The only side that this reader decides for, or None for all."""
        return None if self.is_judge or self.is_shared else self.side

    def sees(self, side: str) -> bool:
        """Return whether it may see the secrets of that side."""
        return self.is_judge or self.side == side


PUBLIC = Audience()
JUDGE_VIEW = Audience(is_judge=True)


class AttackQuery(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An attack in question: attacker, defender and means.

    ``profile`` counts the attacks of a DOOM 2016 activation from 0; ``weapon`` and ``aimed`` are for DOOM 2004. People
    enter ``range`` and ``cover`` only if the match has seen no table.
    """

    attacker: Name
    defender: Name
    profile: Annotated[int, Meta(ge=0)] = 0
    weapon: str | None = None
    aimed: bool = False
    range: Annotated[int, Meta(ge=0)] | None = None
    cover: bool = False


class Fact(Struct, frozen=True, kw_only=True):
    """A name with its count or value."""

    name: Said
    value: Said


class Goal(Struct, frozen=True, kw_only=True):
    """How a side wins: a sentence, and the places on the table.

    Args:
        side: whose goal it is.
        text: what the side has to do, and the remaining amount.
        places: each a space, or the spaces on both sides of a door, to be marked on the table.
    """

    side: Name
    text: Said
    places: tuple[tuple[Cell, ...], ...] = ()


class Awaited(Struct, frozen=True, kw_only=True):
    """The side that must answer before the match goes on, and its task."""

    side: Name
    text: Said


class Panel(Struct, frozen=True, kw_only=True):
    """A group of facts and cards beside the board.

    Args:
        title: the owner or the subject.
        facts: counts and names.
        cards: the cards that the reader may see, one line each.
        standing: sentences that compare the sides; a side's remaining needs are in its `Goal`.
        ids: the ids of a hand's cards in the same order, for commands.
        owner: the figure or side that owns the hand.
        is_hand: whether the cards are a hand that only its own side sees.
    """

    title: Said
    facts: tuple[Fact, ...] = ()
    cards: tuple[Said, ...] = ()
    standing: tuple[Said, ...] = ()
    ids: tuple[str, ...] = ()
    owner: str = ""
    is_hand: bool = False


def audience_of(actor: Actor, language: str = "en") -> Audience:
    """Return the audience of an actor. The camera and an idle shared tablet see only public facts."""
    is_shared = actor.role == "table"
    side = actor.side if is_shared or actor.role == "player" else None
    return Audience(side=side, is_judge=actor.is_judge, is_shared=is_shared, language=language)
