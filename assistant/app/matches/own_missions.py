"""Missions that people made, kept in the data folder as one importable file each."""

from __future__ import annotations

from pathlib import Path

from assistant.documents import to_json
from assistant.errors import UnknownName
from assistant.kept_files import map_errors, read_kept, write_kept
from assistant.match.missions import Mission, mission_document, mission_from_json
from assistant.translations.messages import said

_ENDING = ".json"


class OwnMissions:
    """The missions of one data folder.

    Args:
        folder: their folder, created with the first mission.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def names(self) -> tuple[str, ...]:
        """Return their names, sorted.

        Raises:
            StoreError: the folder cannot be read.
        """
        with map_errors("read"):
            files = self._folder.glob(f"*{_ENDING}") if self._folder.is_dir() else ()
            return tuple(sorted(file.name.removesuffix(_ENDING) for file in files))

    def load(self, name: str) -> Mission:
        """Return the mission of that name.

        Raises:
            UnknownName: there is none.
            DocumentError: its file was altered.
            StoreError: it cannot be read.
        """
        content = read_kept(self._folder / f"{name}{_ENDING}") if name in self.names() else None
        if content is None:
            raise UnknownName(
                said("there is no mission of your own called “{name}”; choose one that is listed", name=name)
            )
        return mission_from_json(content, name)

    def keep(self, name: str, mission: Mission) -> None:
        """Save a mission, replacing one of the same name.

        Raises:
            StoreError: it cannot be written.
        """
        write_kept(self._folder / f"{name}{_ENDING}", to_json(mission_document(mission)).encode())
