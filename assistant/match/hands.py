"""Hands of cards, each card with its possible uses at this moment."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from typing import Any

from msgspec import Struct

from assistant.errors import DocumentError
from assistant.match.audience import Panel
from assistant.match.game import Moment, Prompt, Step
from assistant.match.ways import NOTHING_TO_CHOOSE, WayFinder
from assistant.translations.messages import Said

CARD_FIELDS = ("card", "cards")
"""Command fields that hold cards of a hand, in every game."""


class CardUse(Struct, frozen=True, kw_only=True):
    """One use of a card: in words, and the command, which may need more answers."""

    text: Said
    command: dict[str, Any]


class HandCard(Struct, frozen=True, kw_only=True):
    """A card of the hand with its possible uses now, or why it has none."""

    id: str
    text: Said
    uses: tuple[CardUse, ...] = ()
    why_not: Said | None = None


class Hand(Struct, frozen=True, kw_only=True):
    """A hand: its owner, the counts of its deck, and its cards."""

    owner: str
    panel: Panel
    cards: tuple[HandCard, ...]


class Reply(Struct, frozen=True, kw_only=True):
    """One answer that a side holds to its open moment: in words, and the command, which may need more answers.

    Args:
        text: the card, or the name of the command.
        owner: the hand with the card, or empty for an answer without a card.
        command: its type and known fields.
    """

    text: Said
    owner: str = ""
    command: dict[str, Any]


def find_hand_side(moment: Moment, finder: WayFinder) -> str | None:
    """Return the side whose hidden hand may hold an answer to a moment; None if there is none or the reader sees it."""
    for answer in moment.answers:
        finder.complete(answer)
    return finder.hidden_of


def list_replies(
    moment: Moment, panels: Iterable[Panel], prompted: Container[str], finder: Callable[[], WayFinder]
) -> Iterator[Reply]:
    """Yield the legal answers to an open moment, one for each card, for a reader of its side.

    Args:
        moment: the open moment.
        panels: the panels of this reader.
        prompted: the types of the commands with a prompt.
        finder: asks the match about one command.
    """
    hands = [panel for panel in panels if panel.is_hand]
    for answer in moment.answers:
        kind, known = answer["type"], dict(answer)
        fields = [field for field in _card_fields(kind, finder()) if finder().asks_for_hand(kind, field)]
        for field in fields:
            for hand in hands:
                for one, text in dict(zip(hand.ids, hand.cards, strict=True)).items():
                    command = {**known, field: one if field == "card" else [one]}
                    if _is_of_use(command, finder()):
                        yield Reply(text=text, owner=hand.owner, command=command)
        label = finder().system.labels.get(kind)
        if not fields and kind not in prompted and label is not None and finder().complete(known) is not None:
            yield Reply(text=label, command=known)


def _card_fields(kind: str, finder: WayFinder) -> list[str]:
    return [field for field in CARD_FIELDS if field in finder.system.commands[kind].__struct_fields__]


def list_hands(
    panels: Iterable[Panel], prompts: Iterable[Prompt], labels: Mapping[str, Said], finder: Callable[[], WayFinder]
) -> tuple[Hand, ...]:
    """Return the hands that a reader may see, each card with its legal uses.

    Args:
        panels: the panels of this reader.
        prompts: the prompts of this moment.
        labels: the names of commands without a prompt, by type.
        finder: asks the match about one command.
    """
    prompted = {prompt.type: prompt.text for prompt in prompts}
    words = {**labels, **prompted}
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
            held = []
            for one, text in cards:
                uses = tuple(_uses(one, panel.owner, fields, words, finder))
                why = None if uses else _explain(one, panel.owner, fields, prompted, finder)
                held.append(HandCard(id=one, text=text, uses=uses, why_not=why))
            hands.append(Hand(owner=panel.owner, panel=panel, cards=tuple(held)))
    return tuple(hands)


def _explain(
    card: str, owner: str, fields: Iterable[tuple[str, str]], prompted: Container[str], finder: Callable[[], WayFinder]
) -> Said | None:
    """Return the objection of the rules to playing a card now: by what is asked for now, else by any other use.

    Only a step that plays this very card has a reason for it. None if no step does, or if it is about somebody else.
    """
    for kind, field in sorted(fields, key=lambda one: one[0] not in prompted):
        command = _name_card(kind, field, card, owner, finder())
        if field != "card" or not finder().offers(command, field):
            continue
        way = finder().find(command)
        if way.refusal is not None and not _is_about_another(way.refusal, owner, finder()):
            return way.refusal
    return None


def _is_about_another(refusal: Said, owner: str, finder: WayFinder) -> bool:
    """Return whether a refusal is no reason for a card: about another figure or side, or a choice with no answer."""
    pieces = finder.game.pieces
    own = {owner, pieces[owner].side} if owner in pieces else {owner}
    others = {*pieces, *(piece.side for piece in pieces.values())} - own
    named = {value for value in refusal.values.values() if isinstance(value, str)}
    return refusal == NOTHING_TO_CHOOSE or not named.isdisjoint(others)


def _name_card(kind: str, field: str, card: str, owner: str, finder: WayFinder) -> dict[str, Any]:
    """Return a command of that type with a card. It also names the figure, since two hands may hold one id."""
    command = {"type": kind, field: card if field == "card" else [card]}
    if owner in finder.game.pieces and "figure" in finder.system.commands[kind].__struct_fields__:
        command["figure"] = owner
    return command


def _uses(
    card: str, owner: str, fields: Iterable[tuple[str, str]], words: Mapping[str, Said], finder: Callable[[], WayFinder]
) -> Iterator[CardUse]:
    for kind, field in fields:
        command = _name_card(kind, field, card, owner, finder())
        if _is_of_use(command, finder()):
            yield CardUse(text=_word_use(kind, finder()) or words[kind], command=command)


def _word_use(kind: str, finder: WayFinder) -> Said | None:
    step = finder.system.commands[kind]
    return step.word_on_card(finder.game) if issubclass(step, Step) else None


def _is_of_use(command: Mapping[str, Any], finder: WayFinder) -> bool:
    """Return whether the rules allow a command and it would change something."""
    whole = finder.complete(command)
    if whole is None:
        return False
    try:
        step = finder.system.command(whole)
    except DocumentError:  # incomplete because the trials were used up, so it counts as allowed
        return True
    return not (isinstance(step, Step) and step.is_idle(finder.game))
