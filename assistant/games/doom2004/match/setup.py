"""A scenario of DOOM 2004 as data, and the numbers common to all scenarios (rules B6).

The sources give the structure, the set-up numbers and few values of weapons and invaders (B7). The rest is in scenario
files. The shipped ones are marked as samples.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal, NamedTuple

from msgspec import Meta, Struct

from assistant.errors import BadValue
from assistant.match.game import Cells, Count, Integer, Name, PositiveCount, Text
from assistant.translations.messages import Said, counted, listed, named, said, verbatim

CellPair = tuple[Integer, Integer]

COLORS = ("red", "green", "blue")
"""“uno de los tres colores marinos (rojo, verde o azul)” (seed 002)."""

DICE = 6
"""“6 dados personalizados” (seed 002)."""

INVADER_FIGURES = 63
"""“66 miniaturas de plástico” (seed 002), three of them marines."""

CARDS = 84
"""“84 Cartas” (seed 002): the marines' and the invader's cards together."""

ORDER_TOKENS = 10
"""The order tokens in the box (“10 fichas de órdenes marinas”, seed 002)."""
START_HAND = 5
HAND_LIMIT = 8
BULLETS = "bullets"
"""The kind of ammunition that the rules call shells/bullets."""


class Kit(NamedTuple):
    """A marine's equipment at the start (B6)."""

    bullets: int
    wounds: int
    armor: int
    cards: int


KITS: Mapping[int, Kit] = {1: Kit(4, 10, 2, 3), 2: Kit(3, 9, 2, 3), 3: Kit(2, 8, 2, 2)}
"""The kit by the number of marines (rules B6, seed 002)."""


class FaceSetup(Struct, frozen=True, kw_only=True):
    """One face of a die: range, damage, whether it uses ammunition, or a miss."""

    range: Count = 0
    damage: Count = 0
    ammo: bool = False
    miss: bool = False

    @property
    def words(self) -> Said:
        """The face in words."""
        if self.miss:
            return said("miss")
        if self.ammo:
            return said("range {range}, damage {damage}, ammunition", range=self.range, damage=self.damage)
        return said("range {range}, damage {damage}", range=self.range, damage=self.damage)

    @property
    def text(self) -> str:
        """The face as people type it: ``range/damage``, with an ``a`` if it uses ammunition; ``x`` for a miss."""
        return "x" if self.miss else f"{self.range}/{self.damage}{'a' if self.ammo else ''}"


class Weapon(Struct, frozen=True, kw_only=True):
    """A weapon: its dice, its kind of ammunition (None for none), and whether it is melee.

    ``always`` marks the weapons of every marine (fist, pistol, grenades). ``blast`` is the radius in spaces, 0 for a
    weapon that hits one figure. ``blow_through`` lets an attack continue into an adjacent space. ``accuracy`` and
    ``deadly`` count the icons that add to range and damage.
    """

    dice: Mapping[str, PositiveCount]
    ammo: str | None = None
    melee: bool = False
    always: bool = False
    blast: Count = 0
    accuracy: Count = 0
    deadly: Count = 0
    blow_through: bool = False


class MarineSetup(Struct, frozen=True, kw_only=True):
    """A marine; the scenario lists them in the order of play. A ``medic`` may place the order to heal."""

    id: Name
    color: Name
    cells: Cells = ()
    weapons: tuple[Name, ...] = ()
    medic: bool = False


class InvaderSetup(Struct, frozen=True, kw_only=True):
    """A kind of invader on the reference sheet. ``figures`` lists all its figures in the box: colours by name.

    ``size`` is the unrotated base in spaces, columns by rows, or None if the scenario does not give it.
    """

    kind: Name
    movement: Count
    wounds: PositiveCount
    armor: PositiveCount
    dice: Mapping[str, PositiveCount]
    figures: Mapping[str, Name]
    size: tuple[PositiveCount, PositiveCount] | None = None
    melee: bool = False
    blast: Count = 0
    accuracy: Count = 0
    deadly: Count = 0
    cells: Mapping[str, Cells] = {}


class HealInvader(Struct, frozen=True, kw_only=True, tag_field="effect", tag="heal"):
    """Heals one invader (“Remove 1 wound from an invader of your choice”, seed 004)."""

    wounds: PositiveCount = 1


class ActivateInvaders(Struct, frozen=True, kw_only=True, tag_field="effect", tag="activate"):
    """Activates up to ``count`` invaders at once (“activar inmediatamente hasta 2 invasores”, seed 002)."""

    count: PositiveCount = 1


class DodgeByEvent(Struct, frozen=True, kw_only=True, tag_field="effect", tag="dodge"):
    """Lets an invader under attack dodge (“the invader dodge card”, seed 004)."""


class EventInWords(Struct, frozen=True, kw_only=True, tag_field="effect", tag="told"):
    """An effect in words, for people to carry out by hand."""

    text: Text


EventEffect = HealInvader | ActivateInvaders | DodgeByEvent | EventInWords
"""The effects of event cards."""

Window = Literal["any", "turn_start", "marine_turn", "marine_attack", "token_taken"]
"""The possible moments for an event card: see `invader_steps.require_window`."""


class InvaderCard(Struct, frozen=True, kw_only=True):
    """A card of the invader: an event, or a spawn with one or two groups to choose from.

    ``scatter`` is the diagram at its foot: the spaces right and down that the arrow covers while the card's compass
    points up, in one of the eight directions, or None for the miss icon.
    """

    name: Name
    spawns: tuple[Mapping[str, PositiveCount], ...] = ()
    scatter: Annotated[tuple[Integer, Integer], Meta(extra={"form": "numbers"})] | None = None
    when: Window = "any"
    effects: tuple[EventEffect, ...] = ()

    @property
    def is_spawn(self) -> bool:
        return bool(self.spawns)

    @property
    def text(self) -> Said:
        """The card with its groups of invaders or its effects, in one line."""
        return said("{card_name}: {parts}", card_name=named([self.name]), parts=self.effect_text)

    @property
    def effect_text(self) -> Said:
        """The card's effect in words."""
        groups = [word_group(group) for group in self.spawns]
        if len(groups) > 1:
            return said("{first_group}, or {second_group}", first_group=groups[0], second_group=listed(groups[1:]))
        if groups:
            return groups[0]
        effects = listed(map(_word_effect, self.effects)) if self.effects else said("no effect when played")
        when = _WINDOWS.get(self.when)
        return effects if when is None else said("{when} {effects}", when=when, effects=effects)

    @property
    def arrow(self) -> tuple[CellPair, int] | None:
        """Direction and spaces of the diagram, or None for the miss icon or none of the eight directions."""
        if self.scatter is None:
            return None
        far = max(map(abs, self.scatter))
        if any(abs(part) not in (0, far) for part in self.scatter) or not far:
            return None
        return (self.scatter[0] // far, self.scatter[1] // far), far


class BoardToken(Struct, frozen=True, kw_only=True):
    """A token on the board: a key, a weapon, or ``count`` of ammunition, armour or medikits."""

    id: Name
    kind: Literal["key", "weapon", "ammo", "armor", "medikit"]
    cell: CellPair
    what: str = ""
    count: PositiveCount = 1


class TeleporterSpace(Struct, frozen=True, kw_only=True):
    """A space with a teleporter."""

    id: Name
    cell: CellPair


class AreaInvader(Struct, frozen=True, kw_only=True):
    """An invader in a later area: its kind and its spaces."""

    kind: Name
    cells: Cells


class AreaSetup(Struct, frozen=True, kw_only=True):
    """A later area of the scenario, with its invaders and tokens.

    Opening ``door`` reveals it. Without a door, the invader decides when.
    """

    id: Name
    door: Name | None = None
    invaders: tuple[AreaInvader, ...] = ()
    items: tuple[BoardToken, ...] = ()
    damaging: Cells = ()


class ScenarioGoals(Struct, frozen=True, kw_only=True):
    """The invader's target of frags, and the security door for the marines' escape."""

    frags: PositiveCount = 6
    escape_door: str | None = None


class Setup2004(Struct, frozen=True, kw_only=True):
    """A whole scenario. ``locks`` names the key of each security door."""

    scenario: Name
    marines: tuple[MarineSetup, ...]
    invaders: tuple[InvaderSetup, ...]
    weapons: Mapping[str, Weapon]
    goals: ScenarioGoals = ScenarioGoals()
    cards: Mapping[str, InvaderCard] = {}
    marine_cards: tuple[Name, ...] = ()
    items: tuple[BoardToken, ...] = ()
    locks: Mapping[str, Name] = {}
    teleporters: tuple[TeleporterSpace, ...] = ()
    areas: tuple[AreaSetup, ...] = ()
    """The later areas; everything else belongs to the start area."""
    damaging: Cells = ()
    """The spaces with damaging obstacles (B3), which a board document lacks."""
    compass: Annotated[int, Meta(ge=0, le=3)] = 0
    """The compass token's quarter turns clockwise from pointing up the lattice (towards row 0)."""
    dice: Mapping[str, tuple[FaceSetup, ...]] = {}
    """The six faces by colour. The sources do not give them (B7)."""

    def name_key(self, key: str) -> str:
        """Return the name of the token that is this key; without such a token, the key's colour."""
        tokens = (*self.items, *(item for area in self.areas for item in area.items))
        return next((token.id for token in tokens if token.kind == "key" and token.what == key), key)


_WINDOWS: Mapping[Window, Said] = {
    "turn_start": said("before the first invader acts:"),
    "marine_turn": said("before a marine's turn:"),
    "marine_attack": said("against a marine's attack:"),
    "token_taken": said("after a marine takes a token:"),
}


def _word_effect(effect: EventEffect) -> Said:
    if isinstance(effect, HealInvader):
        return counted("heals {n} wound of an invader", "heals {n} wounds of an invader", effect.wounds)
    if isinstance(effect, ActivateInvaders):
        return counted("{n} invader acts at once", "up to {n} invaders act at once", effect.count)
    return said("an attacked invader dodges") if isinstance(effect, DodgeByEvent) else verbatim(effect.text)


def word_group(group: Mapping[str, int]) -> Said:
    """Return a group of invaders in words, by their kinds."""
    return listed(said("{count} × {kind}", count=count, kind=kind) for kind, count in group.items())


def check_setup(setup: Setup2004, document: str) -> None:
    """Require that one box suffices for a new scenario: its colours of marines, its dice, figures and cards.

    Raises:
        BadValue: two marines share a colour, a colour is not one of the three, an attack rolls too many dice, or
            the box has too few figures or cards.
    """
    figures = sum(len(invader.figures) for invader in setup.invaders)
    for field, count, most in (
        ("invaders", figures, INVADER_FIGURES),
        ("cards", len(setup.cards) + len(setup.marine_cards), CARDS),
    ):
        if count > most:
            text = said("the box holds {most} of these and the mission uses {count}; use fewer", most=most, count=count)
            raise BadValue(text, document=document, field=f"setup.{field}")
    taken: set[str] = set()
    for place, marine in enumerate(setup.marines[: len(COLORS)]):
        if marine.color not in COLORS or marine.color in taken:
            text = said("marines are red, green or blue, each another; choose another colour")
            raise BadValue(text, document=document, field=f"setup.marines[{place}].color")
        taken.add(marine.color)
    attacks = {f"setup.weapons.{name}": weapon.dice for name, weapon in setup.weapons.items()}
    attacks |= {f"setup.invaders[{place}]": invader.dice for place, invader in enumerate(setup.invaders)}
    for field, dice in attacks.items():
        if sum(dice.values()) > DICE:
            raise BadValue(said("the box has six dice; roll fewer"), document=document, field=f"{field}.dice")
