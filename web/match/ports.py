"""What the list of matches needs from the other rooms."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from assistant.match.header import MatchLabel


class MatchArchive(Protocol):
    """The matches that are kept at this table."""

    def labels(self) -> Sequence[MatchLabel]:
        """What every match is called, the newest first."""

    def exported(self, match_id: str) -> bytes:
        """The match as a ``sightline.match/1`` document.

        Raises:
            UnknownName: there is none of that name.
        """

    def imported(self, data: bytes, match_id: str) -> MatchLabel:
        """Keeps a match under a name that is free, after everything in it was checked.

        Raises:
            DocumentError: it is no match, was changed, or holds what the program would not have written.
            StoreError: the name is taken, or it cannot be written.
        """
