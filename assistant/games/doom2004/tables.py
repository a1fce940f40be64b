"""Dice, weapons and invaders of DOOM (2004) as a file of tables, and the odds by them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Annotated, ClassVar, Self

from msgspec import Meta, Struct

from assistant.documents import convert
from assistant.documents.odds import OddsQuery, odds_document
from assistant.documents.tables import Count, DicePool, Head, Named, OddsQuestion, OddsTables, Row, Told, named_rows
from assistant.errors import MissingField
from assistant.games.doom2004.rules.attack import (
    Face,
    FacesByColor,
    Target,
    WeaponProfile,
    attack_odds,
    hit_chance,
    kill_chance,
)
from assistant.table.fields import Name
from assistant.translations.messages import said


class _FaceWire(Struct, forbid_unknown_fields=True):
    range: Count = 0
    damage: Count = 0
    ammo: bool = False
    miss: bool = False


class _AttackWire(Row, kw_only=True):
    dice: DicePool
    accuracy: Count = 0
    deadly: Count = 0
    melee: bool = False
    ammo: Count | None = None


class _FigureWire(Row, kw_only=True):
    armour: Count
    wounds: Count


class _Wire(Head, kw_only=True):
    dice: dict[Name, Annotated[list[_FaceWire], Meta(min_length=1, max_length=100)]]
    attacks: tuple[_AttackWire, ...] = ()
    figures: tuple[_FigureWire, ...] = ()


@dataclass(frozen=True)
class Tables2004(OddsTables):
    """Dice, weapons and invaders of DOOM (2004)."""

    takes: ClassVar[frozenset[Told]] = frozenset({"range"})
    attack_words: ClassVar[frozenset[str]] = frozenset({"aimed"})
    target_words: ClassVar[frozenset[str]] = frozenset({"dodging"})

    dice: FacesByColor
    attacks: Named[WeaponProfile]
    figures: Named[Target]

    @classmethod
    def read(cls, raw: Mapping[str, object], document: str) -> Self:
        """Return the tables of a file of this game.

        Raises:
            DocumentError: the file breaks its format; the field at fault is named.
        """
        wire: _Wire = convert(raw, _Wire, document)
        return cls(
            is_sample=wire.sample,
            dice={
                color: tuple(Face(f.range, f.damage, f.ammo, f.miss) for f in faces)
                for color, faces in wire.dice.items()
            },
            attacks=named_rows("attack", "attacks", wire.attacks, _attack, document),
            figures=named_rows("figure", "figures", wire.figures, _figure, document),
        )

    def odds(self, question: OddsQuestion) -> Mapping[str, object]:
        """Return the odds of an attack's wounds.

        Raises:
            UnknownName: the tables hold no such row.
            MissingField: the question lacks the distance of the target.
        """
        if question.range_spaces is None:
            raise MissingField(said("say how far the target is: --range N"), field="range")
        attack = replace(self.attacks[question.attack], is_aimed="aimed" in question.attack_is)
        target = replace(self.figures[question.target], dodges="dodging" in question.target_is)
        found = attack_odds(attack, self.dice, question.range_spaces, target, question.options)
        measures = {
            "mean_wounds": found.mean(lambda outcome: outcome.wounds),
            "hit": hit_chance(found),
            "kill": kill_chance(found, target),
        }
        asked = OddsQuery("doom2004", question.attack, question.target, self.is_sample)
        return odds_document(asked, found, lambda outcome: outcome._asdict(), measures)


def _attack(row: _AttackWire) -> WeaponProfile:
    return WeaponProfile(
        row.name, row.dice, accuracy=row.accuracy, deadly=row.deadly, is_melee=row.melee, ammo=row.ammo
    )


def _figure(row: _FigureWire) -> Target:
    return Target(row.name, row.armour, row.wounds)
