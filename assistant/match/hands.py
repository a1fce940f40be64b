"""The own hand as cards that are played: what each card may be played as at this moment."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from msgspec import Struct

from assistant.match.game import Prompt
from assistant.match.panels import Panel
from assistant.match.ways import WayFinder
from assistant.translations.messages import Said

CARD_FIELDS = ("card", "cards")
"""Fields that hold a card of a hand, or several, in every game."""


class CardUse(Struct, frozen=True, kw_only=True):
    """One thing that a card may be played as: in words, and the command, which may ask for more."""

    text: Said
    command: dict[str, Any]


class HandCard(Struct, frozen=True, kw_only=True):
    """A card of the hand with all that it may be played as now."""

    id: str
    text: Said
    uses: tuple[CardUse, ...] = ()


class Hand(Struct, frozen=True, kw_only=True):
    """A hand: whose it is, what is counted of its deck, and its cards."""

    owner: str
    panel: Panel
    cards: tuple[HandCard, ...]


def list_hands(
    panels: Iterable[Panel], prompts: Iterable[Prompt], deeds: Mapping[str, Said], finder: Callable[[], WayFinder]
) -> tuple[Hand, ...]:
    """The hands that a reader may see, each card with what the rules let it be played as.

    Args:
        panels: what lies beside the board, for this reader.
        prompts: what may be done now.
        deeds: what commands are called that are not prompted, by their types.
        finder: asks the match about one command.
    """
    words = {**deeds, **{prompt.type: prompt.text for prompt in prompts}}
    fields = [
        (tag, field)
        for tag, command in finder().system.commands.items()
        for field in CARD_FIELDS
        if field in command.__struct_fields__ and tag in words
    ]
    hands = []
    for panel in panels:
        if panel.is_hand and panel.ids:
            cards = zip(panel.ids, panel.cards, strict=True)
            held = tuple(
                HandCard(id=one, text=text, uses=tuple(_uses(one, fields, words, finder))) for one, text in cards
            )
            hands.append(Hand(owner=panel.owner, panel=panel, cards=held))
    return tuple(hands)


def _uses(
    card: str, fields: Iterable[tuple[str, str]], words: Mapping[str, Said], finder: Callable[[], WayFinder]
) -> Iterator[CardUse]:
    for kind, field in fields:
        command = {"type": kind, field: card if field == "card" else [card]}
        if finder().complete(command) is not None:
            yield CardUse(text=words[kind], command=command)
