"""The numbers of a game that its rules leave to cards and dice: data that users fill in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from assistant.errors import UnknownName
from assistant.translations.messages import Said, known, said

RowT = TypeVar("RowT")


@dataclass(frozen=True)
class Named(Generic[RowT]):
    """The rows of one table by their names, and where their numbers come from, if they come from somewhere."""

    noun: str
    rows: Mapping[str, RowT]
    sources: Mapping[str, str] = field(default_factory=dict)

    def __getitem__(self, name: str) -> RowT:
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
