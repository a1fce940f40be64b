"""What cards and abilities do, as a mission says it: a closed vocabulary of effects, and when they may be used.

Seed 001 prints no card, but says what their texts do: more attacks and re-rolls (“дополнительных атак или переброс
кубиков”), less damage and more dice (“уменьшение урона или добавление кубиков атаки”), points of movement
(“Некоторые способности добавляют очки движения”). A mission composes each card of its box from these; what no effect
says is ``told``, and people carry it out.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from assistant.match.game import Count, Integer, Name, PositiveCount, Text

When = Literal["any", "activation", "attacking", "defending"]
"""In its figure's activation while no attack is open; while its figure's attack, or an attack against it, is open."""


class AddDice(Struct, frozen=True, kw_only=True, tag_field="effect", tag="dice"):
    """Dice that are rolled on top of the open attack's own."""

    dice: Mapping[str, PositiveCount]


class RerollDice(Struct, frozen=True, kw_only=True, tag_field="effect", tag="reroll"):
    """So many dice of the open attack may be rolled again; what they show then stands."""

    count: PositiveCount = 1


class IgnoreCover(Struct, frozen=True, kw_only=True, tag_field="effect", tag="ignore_cover"):
    """The defender has no second card for its cover."""


class StunDefender(Struct, frozen=True, kw_only=True, tag_field="effect", tag="stun"):
    """The defender is stunned if it takes damage and lives."""


class DamageArea(Struct, frozen=True, kw_only=True, tag_field="effect", tag="area_damage"):
    """Damage to everybody within so many cells of the defender of an attack, of the figure itself without one.

    The one in the middle is left out, and so is the side that it ``spares``.
    """

    damage: PositiveCount
    radius: PositiveCount = 1
    spares: Name | None = None


class ChangeDamage(Struct, frozen=True, kw_only=True, tag_field="effect", tag="damage"):
    """More damage icons in the open attack, or fewer."""

    amount: Integer


class GiveShields(Struct, frozen=True, kw_only=True, tag_field="effect", tag="shields"):
    """Shields for the defender."""

    count: PositiveCount


class GiveDodge(Struct, frozen=True, kw_only=True, tag_field="effect", tag="dodge"):
    """A dodge for the defender: the attack does no damage to it."""


class GainMovement(Struct, frozen=True, kw_only=True, tag_field="effect", tag="movement"):
    """Points of movement for the figure whose activation it is; they are lost at its end."""

    points: PositiveCount


class HealSelf(Struct, frozen=True, kw_only=True, tag_field="effect", tag="heal"):
    """Damage taken off the figure that uses it."""

    points: PositiveCount


class DrawCards(Struct, frozen=True, kw_only=True, tag_field="effect", tag="draw"):
    """Cards from the top of the own deck into the hand: a marine's actions, the invader's events."""

    count: PositiveCount = 1


class Told(Struct, frozen=True, kw_only=True, tag_field="effect", tag="told"):
    """What people carry out by hand, in their own words."""

    text: Text


AttackEffect = AddDice | RerollDice | IgnoreCover | StunDefender | DamageArea | ChangeDamage | GiveShields | GiveDodge
"""What changes an open attack."""


class AttackProfile(Struct, frozen=True, kw_only=True):
    """An attack field: how far (cells), how many dice of each colour, and what the attack always does besides."""

    range: PositiveCount = 1
    dice: Mapping[str, Count] = {}
    effects: tuple[AttackEffect, ...] = ()


class ExtraAttack(Struct, frozen=True, kw_only=True, tag_field="effect", tag="attack"):
    """One more attack for the figure whose activation it is."""

    attack: AttackProfile


Effect = (
    AddDice
    | RerollDice
    | IgnoreCover
    | StunDefender
    | DamageArea
    | ChangeDamage
    | GiveShields
    | GiveDodge
    | GainMovement
    | ExtraAttack
    | HealSelf
    | DrawCards
    | Told
)
"""Everything that a card or an ability may do."""

ATTACK_ONLY = (AddDice, RerollDice, IgnoreCover, StunDefender, ChangeDamage, GiveShields, GiveDodge)
"""Effects that need an open attack."""


class Ability(Struct, frozen=True, kw_only=True):
    """An ability of a marine's, class or squad card, or of a demon card: what it costs, when, and what it does.

    ``exhausts`` turns the class card until the marine's next activation; ``argent`` is paid from the demon card;
    ``action`` is the action that it takes, main or bonus, where it takes one.
    """

    name: Name
    effects: tuple[Effect, ...]
    when: When = "activation"
    exhausts: bool = False
    argent: Count = 0
    action: Literal["main", "bonus"] | None = None
