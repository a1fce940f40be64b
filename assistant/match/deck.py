"""A deck of cards with its hand and its discard pile. It never loses a card."""

from __future__ import annotations

from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from assistant.match.chance import Chance
from assistant.match.game import require
from assistant.translations.messages import said


class Deck(Struct, frozen=True, kw_only=True):
    """Cards by their ids: the pile to draw from (next card first), the hand, and what was discarded."""

    pile: tuple[str, ...] = ()
    hand: tuple[str, ...] = ()
    discard: tuple[str, ...] = ()

    @property
    def cards(self) -> tuple[str, ...]:
        """All cards, wherever they are, sorted."""
        return tuple(sorted((*self.pile, *self.hand, *self.discard)))

    def taken(self, *cards: str) -> Deck:
        """Return the deck without these cards of the hand, which go elsewhere.

        Raises:
            IllegalStep: one of them is not in the hand.
        """
        hand = list(self.hand)
        for card in cards:
            require(card in hand, said("“{card}” is not in the hand; choose a card that is", card=card))
            hand.remove(card)
        return replace(self, hand=tuple(hand))

    def without(self, *cards: str) -> Deck:
        """Return the deck after discarding these cards of the hand.

        Raises:
            IllegalStep: one of them is not in the hand.
        """
        return self.taken(*cards).discarding(*cards)

    def discarding(self, *cards: str) -> Deck:
        """Return the deck with these cards from elsewhere on its discard pile."""
        return replace(self, discard=(*self.discard, *cards))

    def on_top(self, cards: tuple[str, ...]) -> Deck:
        """Return the deck with these cards on top of its pile."""
        return replace(self, pile=(*cards, *self.pile))

    def renewed(self, chance: Chance) -> Deck:
        """Return a deck with all its cards, including the hand, shuffled into a new pile."""
        return Deck(pile=chance.shuffled(self.cards))


class DrawResult(NamedTuple):
    """The result of a draw; ``last_card_count`` counts how often the pile ran out."""

    deck: Deck
    cards: tuple[str, ...]
    last_card_count: int


def draw_cards(deck: Deck, count: int, chance: Chance, *, eager: bool = False) -> DrawResult:
    """Draw up to ``count`` cards, which leave the deck.

    The discard pile is shuffled into a new pile when a card is needed and none is left (DOOM 2016, rules A5). With
    ``eager`` that happens right after the last card was drawn (DOOM 2004, rules B4).
    """
    pile, discard, cards, emptied = deck.pile, deck.discard, [], 0
    for _ in range(count):
        if not pile:
            pile, discard = chance.shuffled(discard), ()
        if not pile:
            break
        cards.append(pile[0])
        pile = pile[1:]
        if not pile:
            emptied += 1
            if eager:
                pile, discard = chance.shuffled(discard), ()
    return DrawResult(replace(deck, pile=pile, discard=discard), tuple(cards), emptied)


def draw_to_hand(deck: Deck, count: int, chance: Chance, *, eager: bool = False) -> DrawResult:
    """Draw up to ``count`` cards into the hand."""
    draw = draw_cards(deck, count, chance, eager=eager)
    return draw._replace(deck=replace(draw.deck, hand=(*draw.deck.hand, *draw.cards)))
