"""Decks of whole sets, as they are built before a match: ten actions for each marine, eighteen events for the invader.

Seed 001: a marine joins one copy of each numbered card of two different weapon sets to the four of the UAC marine
(“Создание колоды карт действий”); the invader mixes three sets of six (“Формирование собственных колод Событий и
Действий”). A mission whose cards name no sets builds its decks as it likes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from assistant.errors import BadValue
from assistant.games.doom2016.match.setup import Card, Setup2016
from assistant.match.game import SET_UP
from assistant.translations.messages import said

ACTION_SETS, EVENT_SETS = [3, 3, 4], [6, 6, 6]
"""How many cards the sets of a deck have: two weapons and the UAC marine; three sets of events."""


def require_whole_sets(setup: Setup2016) -> None:
    """Makes sure that every deck whose cards name their sets is made of the sets that the rules ask for.

    Raises:
        BadValue: a deck holds a part of a set, another number of sets, or a numbered card twice.
    """
    for number, marine in enumerate(setup.marines):
        cards = _cards(setup, marine.deck)
        if _names_sets(cards) and not (_sizes(cards) == ACTION_SETS and _counts_through(cards)):
            text = said(
                "the deck of {marine} must hold the four cards of one set and the three of two others, "
                "each number once; it holds: {held}",
                marine=marine.id,
                held=_held(cards),
            )
            raise BadValue(text, document=SET_UP, field=f"marines[{number}].deck")
    events = _cards(setup, setup.events)
    if _names_sets(events) and _sizes(events) != EVENT_SETS:
        text = said("the events must be three sets of six cards; they are: {held}", held=_held(events))
        raise BadValue(text, document=SET_UP, field="events")


def _cards(setup: Setup2016, names: Sequence[str]) -> list[Card]:
    return [setup.cards[name] for name in names if name in setup.cards]


def _names_sets(cards: Sequence[Card]) -> bool:
    return any(card.set for card in cards)


def _sizes(cards: Sequence[Card]) -> list[int]:
    return sorted(Counter(card.set for card in cards).values())


def _counts_through(cards: Sequence[Card]) -> bool:
    """Whether the numbers in each set are 1, 2, 3 and so on, each once."""
    numbers = sorted((card.set, card.number) for card in cards)
    counts = Counter(card.set for card in cards)
    return numbers == [(name, n) for name in sorted(counts) for n in range(1, counts[name] + 1)]


def _held(cards: Sequence[Card]) -> str:
    """The sets, each with how many of its cards there are: “rifle 3, shotgun 2”."""
    return ", ".join(f"{name or '–'} {count}" for name, count in sorted(Counter(card.set for card in cards).items()))
