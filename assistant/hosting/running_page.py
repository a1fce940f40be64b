"""Where a running page answers, told in its data folder to the other commands of the same user."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec

from assistant.errors import CannotDo
from assistant.kept_files import map_errors, read_kept, write_kept
from assistant.translations.messages import said

NAME = "running-page.json"


class RunningPage:
    """The note in a data folder that a page answers for it.

    Args:
        folder: the data folder.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._path = folder / NAME

    def tell(self, addresses: Sequence[str]) -> None:
        """Writes the note.

        Raises:
            StoreError: it cannot be written.
        """
        write_kept(self._path, msgspec.json.encode(list(addresses)))

    def forget(self) -> None:
        """Takes the note away.

        Raises:
            StoreError: it cannot be removed.
        """
        with map_errors("write"):
            self._path.unlink(missing_ok=True)

    @property
    def is_told(self) -> bool:
        """Whether a page runs, or was ended so roughly that the note stayed."""
        return bool(self._read())

    def _read(self) -> list[str]:
        try:
            return msgspec.json.decode(read_kept(self._path) or b"[]", type=list[str])
        except (msgspec.DecodeError, UnicodeDecodeError):  # somebody else's file of that name
            return []

    def addresses(self) -> tuple[str, ...]:
        """The addresses of the page, the one to open on this machine first.

        Raises:
            CannotDo: no page runs with this data folder.
            StoreError: the note cannot be read.
        """
        found = self._read()
        if not found:
            text = said(
                "no Sightline runs with the data folder {folder}; start one, or name its folder with --data",
                folder=str(self._folder),
            )
            raise CannotDo(text)
        return tuple(found)
