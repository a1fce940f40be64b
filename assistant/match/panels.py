"""What lies beside the board, as a game tells it for one reader: scores, decks, hands, what somebody carries."""

from __future__ import annotations

from msgspec import Struct

from assistant.translations.messages import Said


class Fact(Struct, frozen=True, kw_only=True):
    """Something that is counted or named."""

    name: Said
    value: Said


class Panel(Struct, frozen=True, kw_only=True):
    """One group of what lies beside the board.

    Args:
        title: whose or what it is.
        facts: what is counted.
        cards: the cards that the reader may see, each in one line.
        standing: who is winning, in sentences: what each side has and what it still needs.
        ids: of a hand the cards' ids in the same order, by which commands name them.
        owner: whose hand it is: a figure or a side.
        is_hand: whether the cards are a hand that its own side alone sees.
    """

    title: Said
    facts: tuple[Fact, ...] = ()
    cards: tuple[Said, ...] = ()
    standing: tuple[Said, ...] = ()
    ids: tuple[str, ...] = ()
    owner: str = ""
    is_hand: bool = False
