"""``sightline.tables/1``: dice, cards and figures of a game as a TOML file that users fill in.

What stands in it besides its head is the game's own; each game reads its tables and tells odds by them. Unlike in
the JSON documents a field that is not known is refused, since here it is a slip of the pen that would otherwise go
unseen.
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
"""What a question about odds may tell besides who attacks whom."""


class Row(Struct, forbid_unknown_fields=True, kw_only=True):
    """One row of a table; games add what they know of it."""

    name: Name
    source: str = ""


class Head(Struct, forbid_unknown_fields=True, kw_only=True):
    """What every file of tables begins with; games add their tables."""

    format: str
    game: str
    sample: bool


class OddsQuestion(NamedTuple):
    """An attack by the rows of tables.

    Args:
        attack: the row of the attack or the attacker.
        target: the row of whom it is aimed at.
        attack_is: words that hold for the attack, as ``stunned``.
        target_is: words that hold for the target.
        options: the house's options, every one of the game.
        range_spaces: how far the target is, where the game's dice know that.
        deck: the row of the deck that the target draws from, where the game has such.
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
    """The tables of one game, as they were read; ``is_sample`` says that their numbers are made up."""

    takes: ClassVar[frozenset[Told]] = frozenset()
    attack_words: ClassVar[frozenset[str]]
    target_words: ClassVar[frozenset[str]]

    is_sample: bool

    @classmethod
    @abstractmethod
    def read(cls, raw: Mapping[str, object], document: str) -> Self:
        """The tables of a file that names this game.

        Raises:
            DocumentError: the file breaks its format; the field at fault is named.
        """

    @abstractmethod
    def odds(self, question: OddsQuestion) -> Mapping[str, object]:
        """The ``sightline.odds/1`` document that answers a question.

        Raises:
            UnknownName: the tables hold no such row.
            InputError: something is missing that the answer hangs on.
        """

    def check_words(self, question: OddsQuestion) -> None:
        """Makes sure that the game knows every word that is told about attack and target.

        Raises:
            UnknownName: it does not.
        """
        for words, allowed in ((question.attack_is, self.attack_words), (question.target_is, self.target_words)):
            strays = sorted(words - allowed)
            if strays:
                choices = ", ".join(sorted(allowed))
                raise UnknownName(
                    said(
                        "“{value}” is nothing that this game knows; choose from: {choices}",
                        value=strays[0],
                        choices=choices,
                    )
                )


_Made = TypeVar("_Made")
_AnyRow = TypeVar("_AnyRow", bound=Row)


def tables_head(data: bytes, document: str = "tables") -> tuple[str, Mapping[str, object]]:
    """The game that a ``sightline.tables/1`` file names, and all that stands in the file.

    Raises:
        DocumentError: the file is no TOML, of another format, or names no game.
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
    """The rows of one table by their names, and where their numbers come from, if they come from somewhere."""

    noun: str
    rows: Mapping[str, _Made]
    sources: Mapping[str, str] = field(default_factory=dict)

    def __getitem__(self, name: str) -> _Made:
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


def named_rows(
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
