"""One-line wordings of cards, attacks and effects."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from assistant.games.doom2016.match.setup import (
    Ability,
    AddDice,
    AttackProfile,
    Card,
    ChangeDamage,
    DamageArea,
    DrawCards,
    Effect,
    ExtraAttack,
    GainMovement,
    GiveDodge,
    GiveShields,
    HealSelf,
    IgnoreCover,
    RerollDice,
    StunDefender,
    Told,
)
from assistant.games.doom2016.match.state import Match2016, ShownCard
from assistant.translations.messages import Said, counted, dice_in_words, listed, named, said, said_in, verbatim


def describe_card(game: Match2016, card_id: str) -> Said:
    """Return a card with its effects when played, and its icons in defence, in one line."""
    card = game.card(card_id)
    name, played, shown = named([card.name]), list_gains(card), list_icons(card)
    if card.kind == "reaction":
        effects = listed((said_in("card", "reaction"), *shown, *played))
        return said("{card_name}: {parts}", card_name=name, parts=effects)
    if card_id in game.setup.events and not played:
        played = [_NO_TEXT]
    if not played and not shown:
        return name
    if not shown:
        return said("{card_name}: {parts}", card_name=name, parts=listed(played))
    if not played:
        return said("{card_name}: from the deck {icons}", card_name=name, icons=listed(shown))
    return said(
        "{card_name}: {parts}; from the deck: {icons}", card_name=name, parts=listed(played), icons=listed(shown)
    )


_NO_TEXT = said("no effect when played")


def list_gains(card: Card) -> list[Said]:
    """List a card's effects when played: movement, an attack, other effects."""
    parts: list[Said] = []
    if card.movement:
        parts.append(counted("{n} point of movement", "{n} points of movement", card.movement))
    if card.attack is not None:
        parts.append(describe_attack(card.attack))
    parts += map(word_effect, card.effects)
    when = _WHEN.get(card.when)
    return [said("{when} {effects}", when=when, effects=listed(parts))] if when is not None and parts else parts


_WHEN: Mapping[str, Said] = {"attacking": said("when attacking:"), "defending": said("when attacked:")}


def list_icons(card: Card | ShownCard) -> list[Said]:
    """List a card's icons when revealed in defence."""
    parts = [counted("{n} shield", "{n} shields", card.shields)] if card.shields else []
    parts += [said("dodge")] if card.dodge else []
    return [*parts, said("the demon's own defence")] if card.special else parts


def describe_attack(attack: AttackProfile) -> Said:
    """Return an attack by its range, its dice and its own effects."""
    plain = said("range {range}, dice {dice}", range=attack.range, dice=dice_in_words(attack.dice))
    return listed((plain, *map(word_effect, attack.effects)))


def word_play(card: Card) -> Said:
    """Return the effect of playing a card, for the history line."""
    parts = [*list_gains(card), *(list_icons(card) if card.kind == "reaction" else ())]
    return listed(parts) if parts else _NO_TEXT


def word_ability(ability: Ability) -> Said:
    """Return an ability's effects and cost."""
    parts = [word_effect(effect) for effect in ability.effects]
    if ability.exhausts:
        parts.append(said("uses the class card up"))
    if ability.argent:
        parts.append(said("costs {count} argent", count=ability.argent))
    return listed(parts)


def word_effects(effects: tuple[Effect, ...], language: str) -> list[str]:
    """Return each effect as a sentence in that language."""
    return [word_effect(effect).worded(language) for effect in effects]


def word_effect(effect: Effect) -> Said:
    """Return an effect in words."""
    return _WORDS[type(effect)](effect)


_WORDS: Mapping[type, Callable[[Any], Said]] = {
    AddDice: lambda effect: said("adds dice: {dice}", dice=dice_in_words(effect.dice)),
    RerollDice: lambda effect: counted("rolls {n} die again", "rolls up to {n} dice again", effect.count),
    IgnoreCover: lambda effect: said("ignores cover"),
    StunDefender: lambda effect: said("stuns on a hit"),
    DamageArea: lambda effect: said(
        "{damage} damage to all within {radius}", damage=effect.damage, radius=effect.radius
    ),
    ChangeDamage: lambda effect: said("{change} damage", change=f"{effect.amount:+d}"),
    GiveShields: lambda effect: counted("{n} shield", "{n} shields", effect.count),
    GiveDodge: lambda effect: said("dodges"),
    GainMovement: lambda effect: counted("{n} point of movement", "{n} points of movement", effect.points),
    ExtraAttack: lambda effect: said(
        "one more attack: range {range}, dice {dice}",
        range=effect.attack.range,
        dice=dice_in_words(effect.attack.dice),
    ),
    HealSelf: lambda effect: said("heals {points} damage", points=effect.points),
    DrawCards: lambda effect: counted("draws {n} card", "draws {n} cards", effect.count),
    Told: lambda effect: verbatim(effect.text),
}
