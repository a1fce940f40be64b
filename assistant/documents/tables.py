"""``sightline.tables/1``: dice, cards and figures of a game as a TOML file that users fill in.

Each game declares its tables below a common head and computes odds from them. Unknown fields are refused, unlike in the
JSON documents, because in a hand-written file they are typing errors.
"""

from __future__ import annotations

import tomllib
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, ClassVar, Generic, Literal, NamedTuple, Self, TypeVar

from msgspec import Meta, Struct

from assistant.documents.reading import check_format
from assistant.errors import BadValue, InputError, UnknownName
from assistant.table.fields import Name
from assistant.translations.messages import Said, known, said

TABLES_FORMAT = "sightline.tables/1"

Count = Annotated[int, Meta(ge=0, le=1000)]
DicePool = dict[Name, Count]

Told = Literal["range", "deck"]
"""Optional facts in a question about odds."""


class Row(Struct, forbid_unknown_fields=True, kw_only=True):
    """A row of a table. Games add fields."""

    name: Name
    source: str = ""


class Head(Struct, forbid_unknown_fields=True, kw_only=True):
    """The head of every file of tables. Games add their tables."""

    format: str
    game: str
    sample: bool


class OddsQuestion(NamedTuple):
    """An attack by the rows of tables.

    Args:
        attack: the row of the attack or the attacker.
        target: the row of the target.
        attack_is: states of the attack, such as ``stunned``.
        target_is: states of the target.
        options: every house option of the game.
        range_spaces: the range, if the game's dice depend on it.
        deck: the row of the target's deck, if the game has decks.
    """

    attack: str
    target: str
    attack_is: frozenset[str]
    target_is: frozenset[str]
    options: Mapping[str, str]
    range_spaces: int | None = None
    deck: str | None = None


@dataclass(frozen=True)
class OddsTables(ABC):
    """The tables of one game. ``is_sample`` marks made-up numbers."""

    takes: ClassVar[frozenset[Told]] = frozenset()
    attack_words: ClassVar[frozenset[str]]
    target_words: ClassVar[frozenset[str]]

    is_sample: bool

    @classmethod
    @abstractmethod
    def read(cls, raw: Mapping[str, object], document: str) -> Self:
        """Read the tables of a file that names this game.

        Raises:
            DocumentError: the file breaks its format; the field at fault is named.
        """

    @abstractmethod
    def odds(self, question: OddsQuestion) -> Mapping[str, object]:
        """Return the ``sightline.odds/1`` document that answers a question.

        Raises:
            UnknownName: the tables hold no such row.
            InputError: the question lacks a required fact.
        """

    def check_words(self, question: OddsQuestion) -> None:
        """Check that the game knows every state of attack and target.

        Raises:
            UnknownName: it does not know one.
        """
        for words, allowed in ((question.attack_is, self.attack_words), (question.target_is, self.target_words)):
            strays = sorted(words - allowed)
            if strays:
                choices = ", ".join(sorted(allowed))
                raise UnknownName(
                    said(
                        "This game does not know “{value}”. Choose from: {choices}.",
                        value=strays[0],
                        choices=choices,
                    )
                )


_Made = TypeVar("_Made")
_AnyRow = TypeVar("_AnyRow", bound=Row)


def tables_head(data: bytes, document: str = "tables") -> tuple[str, Mapping[str, object]]:
    """Read the game's id in a ``sightline.tables/1`` file, and its raw content.

    Raises:
        DocumentError: the file is not TOML, has another format, or names no game.
    """
    try:
        raw = tomllib.loads(data.decode())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as problem:
        raise BadValue(said("not valid TOML ({reason})", reason=str(problem)), document=document) from None
    check_format(raw, TABLES_FORMAT, document)
    game = raw.get("game")
    if not isinstance(game, str):
        raise BadValue(said("must name a game"), document=document, field="game")
    return game, raw


@dataclass(frozen=True)
class Named(Generic[_Made]):
    """The rows of one table by name, with the sources of their numbers."""

    noun: str
    rows: Mapping[str, _Made]
    sources: Mapping[str, str] = field(default_factory=dict)

    def __getitem__(self, name: str) -> _Made:
        try:
            return self.rows[name]
        except KeyError:
            raise UnknownName(
                said(
                    "The tables hold no {noun} “{name}”. They hold: {known}.",
                    noun=Said(self.noun),
                    name=name,
                    known=known(self.rows),
                )
            ) from None


def named_rows(
    noun: str, where: str, rows: Sequence[_AnyRow], make: Callable[[_AnyRow], _Made], document: str
) -> Named[_Made]:
    """Return the rows of one table by name.

    Raises:
        BadValue: two rows have the same name, or a row contradicts itself; the field is named.
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
