"""The addresses of a running page, noted in its data folder for other commands of the same user."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec

from assistant.errors import CannotDo
from assistant.kept_files import map_errors, read_kept, write_kept
from assistant.translations.messages import said

NAME = "running-page.json"


class RunningPage:
    """The note of a running page in a data folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._path = folder / NAME

    def write(self, addresses: Sequence[str]) -> None:
        """Write the note. Raises ``StoreError`` if it cannot."""
        write_kept(self._path, msgspec.json.encode(list(addresses)))

    def remove(self) -> None:
        """Remove the note. Raises ``StoreError`` if it cannot."""
        with map_errors("write"):
            self._path.unlink(missing_ok=True)

    @property
    def is_there(self) -> bool:
        """Whether a page is running, or crashed and left its note."""
        return bool(self._read())

    def _read(self) -> list[str]:
        try:
            return msgspec.json.decode(read_kept(self._path) or b"[]", type=list[str])
        except (msgspec.DecodeError, UnicodeDecodeError):  # another program's file of that name
            return []

    def addresses(self) -> tuple[str, ...]:
        """Return the page's addresses, the one for this machine first; raises ``CannotDo`` if no page is running."""
        found = self._read()
        if not found:
            text = said(
                "No Sightline is running with the data folder {folder}. Start one, or name its folder with --data.",
                folder=str(self._folder),
            )
            raise CannotDo(text)
        return tuple(found)
