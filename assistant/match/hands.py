"""Hands of cards, each card with its possible uses at this moment."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from msgspec import Struct

from assistant.match.audience import Panel
from assistant.match.game import Prompt
from assistant.match.ways import WayFinder
from assistant.translations.messages import Said

CARD_FIELDS = ("card", "cards")
"""The fields of commands that hold cards of a hand, in every game."""


class CardUse(Struct, frozen=True, kw_only=True):
    """One use of a card: in words, and the command, which may need more answers."""

    text: Said
    command: dict[str, Any]


class HandCard(Struct, frozen=True, kw_only=True):
    """A card of the hand with its possible uses now."""

    id: str
    text: Said
    uses: tuple[CardUse, ...] = ()


class Hand(Struct, frozen=True, kw_only=True):
    """A hand: its owner, the counts of its deck, and its cards."""

    owner: str
    panel: Panel
    cards: tuple[HandCard, ...]


def list_hands(
    panels: Iterable[Panel], prompts: Iterable[Prompt], labels: Mapping[str, Said], finder: Callable[[], WayFinder]
) -> tuple[Hand, ...]:
    """The hands that a reader may see, each card with the uses that the rules allow.

    Args:
        panels: the panels of this reader.
        prompts: the prompts of this moment.
        labels: the names of commands that are not prompted, by type.
        finder: asks the match about one command.
    """
    words = {**labels, **{prompt.type: prompt.text for prompt in prompts}}
    fields = [
        (tag, field)
        for tag, command in finder().system.commands.items()
        for field in CARD_FIELDS
        if field in command.__struct_fields__ and tag in words and finder().asks_for_hand(tag, field)
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
