"""Dice, attacks, figures and decks of DOOM (2016) as a file of tables, and the odds by them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Annotated, ClassVar, Self

from msgspec import Meta, Struct

from assistant.documents import convert
from assistant.documents.odds import OddsQuery, odds_document
from assistant.documents.tables import Count, DicePool, Head, Named, OddsQuestion, OddsTables, Row, Told, named_rows
from assistant.games.doom2016.rules.attack import (
    Attack,
    DamageByColor,
    DefenceCard,
    DefenceDeck,
    Defender,
    damage_odds,
    frag_chance,
)
from assistant.table.fields import Name


class _CardWire(Struct, forbid_unknown_fields=True):
    count: Count = 1
    shields: Count = 0
    dodge: bool = False
    special: bool = False


class _SpecialWire(Struct, forbid_unknown_fields=True, frozen=True):
    shields: Count = 0
    dodge: bool = False


class _AttackWire(Row, kw_only=True):
    dice: DicePool
    ignores_cover: bool = False


class _FigureWire(Row, kw_only=True):
    health: Count
    stagger: Count = 0
    thick_skin: bool = False
    special: _SpecialWire = _SpecialWire()


class _DeckWire(Row, kw_only=True):
    cards: list[_CardWire]


_Faces = Annotated[list[Annotated[int, Meta(ge=0, le=3)]], Meta(min_length=1, max_length=100)]


class _Wire(Head, kw_only=True):
    dice: dict[Name, _Faces]
    attacks: tuple[_AttackWire, ...] = ()
    figures: tuple[_FigureWire, ...] = ()
    decks: tuple[_DeckWire, ...] = ()


@dataclass(frozen=True)
class Tables2016(OddsTables):
    """Dice, attacks, figures and decks of DOOM (2016)."""

    takes: ClassVar[frozenset[Told]] = frozenset({"deck"})
    attack_words: ClassVar[frozenset[str]] = frozenset({"stunned"})
    target_words: ClassVar[frozenset[str]] = frozenset({"stunned", "cover"})

    dice: DamageByColor
    attacks: Named[Attack]
    figures: Named[Defender]
    decks: Named[DefenceDeck]

    @classmethod
    def read(cls, raw: Mapping[str, object], document: str) -> Self:
        """Return the tables of a file of this game.

        Raises:
            DocumentError: the file breaks its format; the field at fault is named.
        """
        wire: _Wire = convert(raw, _Wire, document)
        return cls(
            is_sample=wire.sample,
            dice={color: tuple(faces) for color, faces in wire.dice.items()},
            attacks=named_rows("attack", "attacks", wire.attacks, _attack, document),
            figures=named_rows("figure", "figures", wire.figures, _figure, document),
            decks=named_rows("deck", "decks", wire.decks, _deck, document),
        )

    def odds(self, question: OddsQuestion) -> Mapping[str, object]:
        """Return the odds of an attack's damage.

        Raises:
            UnknownName: the tables hold no such row.
        """
        attack = replace(self.attacks[question.attack], is_stunned="stunned" in question.attack_is)
        target = replace(
            self.figures[question.target],
            is_stunned="stunned" in question.target_is,
            has_cover="cover" in question.target_is,
        )
        deck = self.decks[question.deck] if question.deck else None
        dealt = damage_odds(attack, self.dice, target, deck, question.options)
        measures = {"mean_damage": dealt.mean(int), "frag": frag_chance(dealt, target)}
        asked = OddsQuery("doom2016", question.attack, question.target, self.is_sample)
        return odds_document(asked, dealt, lambda damage: {"damage": damage}, measures)


def _attack(row: _AttackWire) -> Attack:
    return Attack(row.name, row.dice, ignores_cover=row.ignores_cover)


def _figure(row: _FigureWire) -> Defender:
    special = DefenceCard(row.special.shields, row.special.dodge)
    return Defender(row.name, row.health, stagger=row.stagger, has_thick_skin=row.thick_skin, special=special)


def _deck(row: _DeckWire) -> DefenceDeck:
    cards: dict[DefenceCard, int] = {}
    for wire in row.cards:
        card = DefenceCard(wire.shields, wire.dodge, wire.special)
        cards[card] = cards.get(card, 0) + wire.count
    return DefenceDeck(cards)
