"""A mission of DOOM 2016 as data: figures, cards with their effects, triggers, portals and goals.

The sources give the structure and few numbers (rules A7). The other numbers are in mission files. The shipped missions
are marked as samples. Seed 001 prints no card, but describes the effects of their texts: more attacks and re-rolls
(“дополнительных атак или переброс кубиков”), less damage and more dice (“уменьшение урона или добавление кубиков
атаки”), points of movement (“Некоторые способности добавляют очки движения”). A mission composes each card of its box
from a closed vocabulary of effects. People carry out everything else (``told``).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from assistant.match.game import Cells, Count, Integer, Name, PositiveCount, Text

When = Literal["any", "activation", "attacking", "defending"]
"""The moment of use: in the figure's activation without an open attack, or during an attack by it or against it."""


class AddDice(Struct, frozen=True, kw_only=True, tag_field="effect", tag="dice"):
    """More dice for the open attack."""

    dice: Mapping[str, PositiveCount]


class RerollDice(Struct, frozen=True, kw_only=True, tag_field="effect", tag="reroll"):
    """Permission to roll a number of dice of the open attack again, once."""

    count: PositiveCount = 1


class IgnoreCover(Struct, frozen=True, kw_only=True, tag_field="effect", tag="ignore_cover"):
    """Cover gives the defender no second card."""


class StunDefender(Struct, frozen=True, kw_only=True, tag_field="effect", tag="stun"):
    """A stun for a defender that takes damage and survives."""


class DamageArea(Struct, frozen=True, kw_only=True, tag_field="effect", tag="area_damage"):
    """Damage to all figures within ``radius`` cells of the defender, or without an attack of the figure itself.

    The figure in the middle, and the side that it ``spares``, take none.
    """

    damage: PositiveCount
    radius: PositiveCount = 1
    spares: Name | None = None


class ChangeDamage(Struct, frozen=True, kw_only=True, tag_field="effect", tag="damage"):
    """More or fewer damage icons in the open attack."""

    amount: Integer


class GiveShields(Struct, frozen=True, kw_only=True, tag_field="effect", tag="shields"):
    """Shields for the defender."""

    count: PositiveCount


class GiveDodge(Struct, frozen=True, kw_only=True, tag_field="effect", tag="dodge"):
    """A dodge for the defender: the attack does no damage to it."""


class GainMovement(Struct, frozen=True, kw_only=True, tag_field="effect", tag="movement"):
    """Points of movement. House options decide how long they last, and their use outside an own activation (A9)."""

    points: PositiveCount


class HealSelf(Struct, frozen=True, kw_only=True, tag_field="effect", tag="heal"):
    """Healing of the figure that uses the card or ability."""

    points: PositiveCount


class DrawCards(Struct, frozen=True, kw_only=True, tag_field="effect", tag="draw"):
    """Cards from the owner's deck into the hand: a marine's actions, the invader's events."""

    count: PositiveCount = 1


class Told(Struct, frozen=True, kw_only=True, tag_field="effect", tag="told"):
    """An effect in words, for people to carry out by hand."""

    text: Text


AttackEffect = AddDice | RerollDice | IgnoreCover | StunDefender | DamageArea | ChangeDamage | GiveShields | GiveDodge
"""Effects on an open attack."""


class AttackProfile(Struct, frozen=True, kw_only=True):
    """An attack: its range in cells, the number of dice of each colour, and its own effects."""

    range: PositiveCount = 1
    dice: Mapping[str, Count] = {}
    effects: tuple[AttackEffect, ...] = ()


class ExtraAttack(Struct, frozen=True, kw_only=True, tag_field="effect", tag="attack"):
    """One more attack for the acting figure."""

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
"""All possible effects of a card or an ability."""


class Ability(Struct, frozen=True, kw_only=True):
    """An ability of a marine, class, squad or demon card: its cost, moment and effects.

    ``exhausts`` exhausts the class card until the marine's next activation. The demon card pays ``argent``. ``action``
    is the kind of action that the ability uses up, if any.
    """

    name: Name
    effects: tuple[Effect, ...]
    when: When = "activation"
    exhausts: bool = False
    argent: Count = 0
    action: Literal["main", "bonus"] | None = None


Moment = Literal["door_opened", "area_entered", "status"]
"""In order: a marine opens a door, a marine enters an area by any path, the status phase of a round begins.

“В каждой миссии присутствует карта Угрозы, которая определяет какие использовать порталы для призыва демонов”; “карта
Задач … описывает условия победы” (seed 001). No source has the cards themselves, so a mission composes them.
"""


class SummonFrom(Struct, frozen=True, kw_only=True, tag_field="outcome", tag="summon"):
    """The invader summons at once from these portals, if they are still on the board."""

    portals: tuple[Name, ...]


class GainThreat(Struct, frozen=True, kw_only=True, tag_field="outcome", tag="threat"):
    """The invader gains threat tokens, which pay for summoning at the start of a status phase (“Натиск”)."""

    count: PositiveCount = 1


class WinMission(Struct, frozen=True, kw_only=True, tag_field="outcome", tag="win"):
    """The mission ends at once in favour of a side."""

    side: Name


Outcome = SummonFrom | GainThreat | WinMission


class Trigger(Struct, frozen=True, kw_only=True):
    """One sentence of a threat or objective card.

    ``door`` names the door, None for any; ``area`` the cells of an area; ``round`` the round of the status phase, None
    for every one. With ``once`` it happens only once.
    """

    name: Name
    card: Literal["threat", "objective"]
    on: Moment
    outcomes: tuple[Outcome, ...]
    door: Name | None = None
    area: Cells = ()
    round: PositiveCount | None = None
    once: bool = True


CellPair = tuple[Integer, Integer]


CardKind = Literal["main", "bonus", "reaction"]


class MarineLoadout(Struct, frozen=True, kw_only=True):
    """A marine: health and hand size (A7), the ids of his action cards, his starting cells.

    ``main_actions`` is 1 unless a lone marine's squad card gives more (A8). ``abilities`` come from his marine, class
    and squad cards. ``squad`` is the name of the squad card, empty without one.
    """

    id: Name
    health: PositiveCount = 10
    hand: PositiveCount = 3
    main_actions: PositiveCount = 1
    deck: tuple[Name, ...] = ()
    cells: Cells = ()
    abilities: tuple[Ability, ...] = ()
    squad: str = ""


class DemonSetup(Struct, frozen=True, kw_only=True):
    """A demon card. ``thick_skin`` is the shield beside the health, ``special_…`` its own defence.

    ``figures`` names all figures of the kind in the box, ``cells`` the starting cells of some of them.
    """

    kind: Name
    health: PositiveCount
    stagger: Count
    speed: Count
    attack: AttackProfile
    figures: tuple[Name, ...]
    thick_skin: bool = False
    special_shields: Count = 0
    special_dodge: bool = False
    face_up: bool = False
    cells: Mapping[str, Cells] = {}
    abilities: tuple[Ability, ...] = ()


class Card(Struct, frozen=True, kw_only=True):
    """An action, event or glory kill card. An event card's ``special`` triggers the demon's own defence.

    ``effects`` happen when it is played, which is possible at the moment ``when`` of the figure that it helps. ``set``
    is the name printed on all cards of a set, ``number`` the number of an action card in it (A7). Deck checks skip a
    card without a set.
    """

    name: Name
    kind: CardKind = "bonus"
    movement: Count = 0
    attack: AttackProfile | None = None
    shields: Count = 0
    dodge: bool = False
    special: bool = False
    effects: tuple[Effect, ...] = ()
    when: When = "any"
    set: str = ""
    number: Count = 0


class InvasionGroup(Struct, frozen=True, kw_only=True):
    """One line of the invasion card: a group for a portal of that colour."""

    portal: Name
    demons: Mapping[str, PositiveCount]
    argent: Count = 0


class Portal(Struct, frozen=True, kw_only=True):
    """A portal token. Its colour is secret until the invader turns it over."""

    id: Name
    color: Name
    cell: CellPair


class Teleporter(Struct, frozen=True, kw_only=True):
    """A teleporter token."""

    id: Name
    cell: CellPair
    active: bool = True


class PickupToken(Struct, frozen=True, kw_only=True):
    """A token for marines to pick up. A weapon holds the ids of its action cards."""

    id: Name
    kind: Literal["health", "weapon", "objective"]
    cell: CellPair
    cards: tuple[Name, ...] = ()


class MissionGoals(Struct, frozen=True, kw_only=True):
    """The goals of the mission.

    ``frags`` is the number of frag tokens that the invader needs, by the number of marines. ``tutorial`` is the
    marines' goal of the tutorial: open a door, then leave no demon on the board (A8). ``objectives`` is the number of
    objective tokens to pick up, 0 for none.
    """

    frags: Mapping[str, PositiveCount]
    tutorial: bool = False
    objectives: Count = 0


class Setup2016(Struct, frozen=True, kw_only=True):
    """A complete mission."""

    mission: Name
    marines: tuple[MarineLoadout, ...]
    demons: tuple[DemonSetup, ...]
    goals: MissionGoals
    cards: Mapping[str, Card] = {}
    events: tuple[Name, ...] = ()
    glory: tuple[Name, ...] = ()
    marine_kind: Name = "marine"
    invasion: tuple[InvasionGroup, ...] = ()
    portals: tuple[Portal, ...] = ()
    teleporters: tuple[Teleporter, ...] = ()
    items: tuple[PickupToken, ...] = ()
    dice: Mapping[str, tuple[Count, ...]] = {}
    """The damage icons on the faces of each colour. No source gives them (A7)."""
    dice_in_box: Mapping[str, PositiveCount] = {}
    """The number of dice of each colour; empty to leave attacks unchecked."""
    triggers: tuple[Trigger, ...] = ()
    """The threat and objective cards. If there are any, portals summon only when a card says so."""
    threat_cost: Count = 0
    """Cost of a summoning in the status phase, in threat tokens, or 0 without such a card."""
    threat_tokens: Count = 16
    argent_tokens: Count = 18
    damage_tokens: tuple[Count, Count] = (35, 20)
    """Tokens of 1 and of 3 damage in the box (A0)."""
