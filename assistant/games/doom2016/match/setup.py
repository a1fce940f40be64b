"""A mission of DOOM 2016 as data: figures, cards, portals and goals, all supplied and nothing built in.

The sources give the structure and few numbers (rules A7); what they do not give stands in mission
files, and those that come with the program call themselves samples.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from assistant.games.doom2016.match.effects import Ability, AttackProfile, Effect, When
from assistant.games.doom2016.match.triggers import Trigger
from assistant.match.game import Cells, Count, Integer, Name, PositiveCount

CellPair = tuple[Integer, Integer]
CardKind = Literal["main", "bonus", "reaction"]


class MarineLoadout(Struct, frozen=True, kw_only=True):
    """A marine: health and hand size (A7), the ids of the action cards, where the figure starts.

    ``main_actions`` is 1 unless the squad card of a lone marine gives more (A8). ``abilities`` are those of his marine
    card, his class card and his squad card; ``squad`` is the name of that last one, empty where he holds none.
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
    """A demon card; ``thick_skin`` is the shield beside the health, ``special_…`` its own defence.

    ``figures`` are the names of all figures of the kind in the box, ``cells`` where some of them start.
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
    """An action, event or glory kill card; an event card's ``special`` triggers the demon's own defence.

    ``effects`` happen when it is played, which is possible at the moment ``when`` of the figure that it helps. ``set``
    is the name printed on all cards of a set, ``number`` that of an action card within it (A7); without a name the
    card belongs to nothing that is checked.
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
    """One line of the invasion card: what a portal of that colour may bring."""

    portal: Name
    demons: Mapping[str, PositiveCount]
    argent: Count = 0


class Portal(Struct, frozen=True, kw_only=True):
    """A portal token; its colour is hidden until the invader turns it over."""

    id: Name
    color: Name
    cell: CellPair


class Teleporter(Struct, frozen=True, kw_only=True):
    """A teleporter token."""

    id: Name
    cell: CellPair
    active: bool = True


class PickupToken(Struct, frozen=True, kw_only=True):
    """A token that marines pick up; a weapon brings the ids of its action cards."""

    id: Name
    kind: Literal["health", "weapon", "objective"]
    cell: CellPair
    cards: tuple[Name, ...] = ()


class MissionGoals(Struct, frozen=True, kw_only=True):
    """What ends the mission.

    ``frags`` says how many frag tokens the invader needs, by the number of marines; ``tutorial`` is the
    marines' goal of the tutorial: open a door, then leave no demon on the board (A8); ``objectives`` is
    how many objective tokens they have to pick up, 0 for none.
    """

    frags: Mapping[str, PositiveCount]
    tutorial: bool = False
    objectives: Count = 0


class Setup2016(Struct, frozen=True, kw_only=True):
    """A mission with everything in it."""

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
    """The damage icons on the faces of each colour; the sources do not give them (A7)."""
    dice_in_box: Mapping[str, PositiveCount] = {}
    """How many dice of each colour there are; none where no attack need be held against it."""
    triggers: tuple[Trigger, ...] = ()
    """The threat and the objective card; with any of them, portals summon only when one says so."""
    threat_cost: Count = 0
    """Threat tokens that a summoning in the status phase costs; 0 where the threat card has none."""
    threat_tokens: Count = 16
    argent_tokens: Count = 18
    damage_tokens: tuple[Count, Count] = (35, 20)
    """How many tokens of 1 and of 3 damage the box holds (A0)."""
