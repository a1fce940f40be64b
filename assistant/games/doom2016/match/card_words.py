"""Cards, attacks and effects in words, each in one line."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from assistant.games.doom2016.match.setup import (
    AddDice,
    AttackProfile,
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
from assistant.games.doom2016.match.state import Match2016
from assistant.translations.messages import Said, counted, dice_in_words, listed, named, said, verbatim


def describe_card(game: Match2016, card_id: str) -> Said:
    """A card with what it gives, in one line."""
    card = game.card(card_id)
    parts: list[Said] = []
    if card.movement:
        parts.append(counted("{n} point of movement", "{n} points of movement", card.movement))
    if card.attack is not None:
        parts.append(describe_attack(card.attack))
    if card.kind == "reaction":
        parts.append(said("reaction"))
    if card.shields:
        parts.append(counted("{n} shield", "{n} shields", card.shields))
    if card.dodge:
        parts.append(said("dodge"))
    name = named([card.name])
    return said("{card_name}: {parts}", card_name=name, parts=listed(parts)) if parts else name


def describe_attack(attack: AttackProfile) -> Said:
    """An attack by its range and its dice."""
    return said("range {range}, dice {dice}", range=attack.range, dice=dice_in_words(attack.dice))


def word_effects(effects: tuple[Effect, ...], language: str) -> list[str]:
    """Each effect as a sentence in that language."""
    return [word_effect(effect).worded(language) for effect in effects]


def word_effect(effect: Effect) -> Said:
    """What an effect does, in words."""
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
