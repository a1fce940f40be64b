"""The numbers of a game that its rules leave to cards and dice: data that users fill in.

``is_sample`` says that the numbers are made up; whoever shows an answer that rests on them says so.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from assistant.errors import UnknownName
from assistant.games.doom2004.rules import attack as attack2004
from assistant.games.doom2016.rules import attack as attack2016
from assistant.games.roads.rules.melee import Fighter
from assistant.translations.messages import Said, known, said

Row = TypeVar("Row")


@dataclass(frozen=True)
class Named(Generic[Row]):
    """The rows of one table by their names, and where their numbers come from, if they come from somewhere."""

    noun: str
    rows: Mapping[str, Row]
    sources: Mapping[str, str] = field(default_factory=dict)

    def __getitem__(self, name: str) -> Row:
        try:
            return self.rows[name]
        except KeyError:
            raise UnknownName(
                said(
                    "the tables hold no {noun} “{name}”; they hold: {known}",
                    noun=Said(self.noun),
                    name=name,
                    known=known(self.rows),
                )
            ) from None


@dataclass(frozen=True)
class Tables2016:
    """Dice, attacks, figures and decks of DOOM (2016)."""

    is_sample: bool
    dice: attack2016.Dice
    attacks: Named[attack2016.Attack]
    figures: Named[attack2016.Defender]
    decks: Named[attack2016.Deck]


@dataclass(frozen=True)
class Tables2004:
    """Dice, weapons and invaders of DOOM (2004)."""

    is_sample: bool
    dice: attack2004.Dice
    attacks: Named[attack2004.Attack]
    figures: Named[attack2004.Target]


@dataclass(frozen=True)
class TablesRoads:
    """The fighters of “Roads of the Apocalypse”."""

    is_sample: bool
    fighters: Named[Fighter]
