"""``sightline.tables/1``: dice, cards and figures of a game as a TOML file that users fill in.

Unlike in the JSON documents a field that is not known is refused, since here it is a slip of the pen
that would otherwise go unseen.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, Literal, TypeVar

from msgspec import Meta, Struct

from assistant.documents.match import converted
from assistant.documents.reading import Name, check_format
from assistant.errors import BadValue, InputError
from assistant.games.doom2004.rules import attack as attack2004
from assistant.games.doom2016.rules import attack as attack2016
from assistant.games.roads.rules.melee import Condition, Fighter
from assistant.rules.tables import Named, Tables2004, Tables2016, TablesRoads
from assistant.translations.messages import message, said

TABLES_FORMAT = "sightline.tables/1"

Tables = Tables2016 | Tables2004 | TablesRoads

_Count = Annotated[int, Meta(ge=0, le=1000)]
_DicePool = dict[Name, _Count]


class _Row(Struct, forbid_unknown_fields=True, kw_only=True):
    name: Name
    source: str = ""


class _CardWire(Struct, forbid_unknown_fields=True):
    count: _Count = 1
    shields: _Count = 0
    dodge: bool = False
    special: bool = False


class _SpecialWire(Struct, forbid_unknown_fields=True, frozen=True):
    shields: _Count = 0
    dodge: bool = False


class _Attack2016Wire(_Row, kw_only=True):
    dice: _DicePool
    ignores_cover: bool = False


class _Figure2016Wire(_Row, kw_only=True):
    health: _Count
    stagger: _Count = 0
    thick_skin: bool = False
    special: _SpecialWire = _SpecialWire()


class _DeckWire(_Row, kw_only=True):
    cards: list[_CardWire]


_Faces2016 = Annotated[list[Annotated[int, Meta(ge=0, le=3)]], Meta(min_length=1, max_length=100)]


class _Wire2016(Struct, forbid_unknown_fields=True, kw_only=True):
    format: str
    game: Literal["doom2016"]
    sample: bool
    dice: dict[Name, _Faces2016]
    attacks: list[_Attack2016Wire] = []
    figures: list[_Figure2016Wire] = []
    decks: list[_DeckWire] = []


class _FaceWire(Struct, forbid_unknown_fields=True):
    range: _Count = 0
    damage: _Count = 0
    ammo: bool = False
    miss: bool = False


class _Attack2004Wire(_Row, kw_only=True):
    dice: _DicePool
    accuracy: _Count = 0
    deadly: _Count = 0
    melee: bool = False
    ammo: _Count | None = None


class _Figure2004Wire(_Row, kw_only=True):
    armour: _Count
    wounds: _Count


class _Wire2004(Struct, forbid_unknown_fields=True, kw_only=True):
    format: str
    game: Literal["doom2004"]
    sample: bool
    dice: dict[Name, Annotated[list[_FaceWire], Meta(min_length=1, max_length=100)]]
    attacks: list[_Attack2004Wire] = []
    figures: list[_Figure2004Wire] = []


class _FighterWire(_Row, kw_only=True):
    mobility: _Count
    toughness: _Count
    combat: _Count
    wounds: _Count = 0
    dice: _Count = 1
    weapons: tuple[Name, ...] = ("fists",)
    conditions: frozenset[Condition] = frozenset()


class _WireRoads(Struct, forbid_unknown_fields=True, kw_only=True):
    format: str
    game: Literal["roads"]
    sample: bool
    fighters: list[_FighterWire] = []


_WIRES: Mapping[str, Any] = {"doom2016": _Wire2016, "doom2004": _Wire2004, "roads": _WireRoads}


def tables_from_toml(data: bytes, document: str = "tables") -> Tables:
    """The tables of a ``sightline.tables/1`` file; which kind of tables follows from the game that it names.

    Raises:
        DocumentError: the file breaks its format; the field at fault is named.
    """
    try:
        raw = tomllib.loads(data.decode())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as problem:
        raise BadValue(said("not valid TOML ({reason})", reason=str(problem)), document=document) from None
    check_format(raw, TABLES_FORMAT, document)
    game = raw.get("game")
    if not isinstance(game, str) or game not in _WIRES:
        raise BadValue(said("must be one of: {known}", known=", ".join(_WIRES)), document=document, field="game")
    wire = converted(raw, _WIRES[game], document)
    if isinstance(wire, _Wire2016):
        return _tables_2016(wire, document)
    if isinstance(wire, _Wire2004):
        return _tables_2004(wire, document)
    return TablesRoads(wire.sample, _named(message("fighter"), "fighters", wire.fighters, _fighter, document))


def _tables_2016(wire: _Wire2016, document: str) -> Tables2016:
    return Tables2016(
        is_sample=wire.sample,
        dice={color: tuple(faces) for color, faces in wire.dice.items()},
        attacks=_named(message("attack"), "attacks", wire.attacks, _attack_2016, document),
        figures=_named(message("figure"), "figures", wire.figures, _figure_2016, document),
        decks=_named(message("deck"), "decks", wire.decks, _deck, document),
    )


def _tables_2004(wire: _Wire2004, document: str) -> Tables2004:
    return Tables2004(
        is_sample=wire.sample,
        dice={
            color: tuple(attack2004.Face(f.range, f.damage, f.ammo, f.miss) for f in faces)
            for color, faces in wire.dice.items()
        },
        attacks=_named(message("attack"), "attacks", wire.attacks, _attack_2004, document),
        figures=_named(message("figure"), "figures", wire.figures, _figure_2004, document),
    )


def _attack_2016(row: _Attack2016Wire) -> attack2016.Attack:
    return attack2016.Attack(row.name, row.dice, ignores_cover=row.ignores_cover)


def _figure_2016(row: _Figure2016Wire) -> attack2016.Defender:
    special = attack2016.DefenceCard(row.special.shields, row.special.dodge)
    return attack2016.Defender(
        row.name, row.health, stagger=row.stagger, has_thick_skin=row.thick_skin, special=special
    )


def _deck(row: _DeckWire) -> attack2016.Deck:
    cards: dict[attack2016.DefenceCard, int] = {}
    for wire in row.cards:
        card = attack2016.DefenceCard(wire.shields, wire.dodge, wire.special)
        cards[card] = cards.get(card, 0) + wire.count
    return attack2016.Deck(cards)


def _attack_2004(row: _Attack2004Wire) -> attack2004.Attack:
    return attack2004.Attack(
        row.name, row.dice, accuracy=row.accuracy, deadly=row.deadly, is_melee=row.melee, ammo=row.ammo
    )


def _figure_2004(row: _Figure2004Wire) -> attack2004.Target:
    return attack2004.Target(row.name, row.armour, row.wounds)


def _fighter(row: _FighterWire) -> Fighter:
    return Fighter(
        row.name,
        row.mobility,
        row.toughness,
        row.combat,
        wounds=row.wounds,
        dice=row.dice,
        weapons=row.weapons,
        conditions=row.conditions,
    )


_Made = TypeVar("_Made")
_AnyRow = TypeVar("_AnyRow", bound=_Row)


def _named(
    noun: str, where: str, rows: Sequence[_AnyRow], make: Callable[[_AnyRow], _Made], document: str
) -> Named[_Made]:
    """The rows of one table by their names.

    Raises:
        BadValue: two rows have the same name, or a row contradicts itself; its field is named.
    """
    found: dict[str, _Made] = {}
    for i, row in enumerate(rows):
        if row.name in found:
            text = said("there are two rows named “{name}”", name=row.name)
            raise BadValue(text, document=document, field=f"{where}[{i}].name")
        try:
            found[row.name] = make(row)
        except InputError as problem:
            raise problem.in_document(document, f"{where}[{i}].") from None
    return Named(noun, found, {row.name: row.source for row in rows if row.source})
