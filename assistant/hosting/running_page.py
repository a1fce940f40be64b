"""The addresses of a running page, recorded in its data folder for other commands of the same user."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec

from assistant.errors import CannotDo
from assistant.kept_files import map_errors, read_kept, write_kept
from assistant.translations.messages import said

NAME = "running-page.json"


class RunningPage:
    """The record of a running page in a data folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._path = folder / NAME

    def write(self, addresses: Sequence[str]) -> None:
        """Write the record. Raises ``StoreError`` on failure."""
        write_kept(self._path, msgspec.json.encode(list(addresses)))

    def remove(self) -> None:
        """Remove the record. Raises ``StoreError`` on failure."""
        with map_errors("write"):
            self._path.unlink(missing_ok=True)

    @property
    def is_there(self) -> bool:
        """Whether a page is running, or crashed and left its record."""
        return bool(self._read())

    def _read(self) -> list[str]:
        try:
            return msgspec.json.decode(read_kept(self._path) or b"[]", type=list[str])
        except (msgspec.DecodeError, UnicodeDecodeError):  # another program's file of that name
            return []

    def addresses(self) -> tuple[str, ...]:
        """Return the page's addresses, this machine's first. Raises ``CannotDo`` if no page is running."""
        found = self._read()
        if not found:
            text = said(
                "No Sightline is running with the data folder {folder}. Start one, or name its folder with --data.",
                folder=str(self._folder),
            )
            raise CannotDo(text)
        return tuple(found)
