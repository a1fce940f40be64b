"""Profiles: named cameras, tables and games in the platform's data folder, with backup and restore.

A profile is one document of the contract (``sightline.camera/1``, ``sightline.table/1``, ``sightline.roster/1``,
``sightline.free-table/1``), the folder of a tile set, or a set-up that names one of each (``sightline.setup/1``). It is
written atomically. Earlier versions stay beside it, so a wrong calibration can be reverted.
"""

from __future__ import annotations

import io
import os
import re
import shutil
import tempfile
import zipfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import msgspec

from assistant.documents import (
    camera_from_json,
    free_table_from_json,
    roster_from_json,
    setup_from_json,
    table_from_json,
    tile_set_from_json,
)
from assistant.errors import BadName, BadValue, NoBackup, UnknownName
from assistant.kept_files import ChangeLock, map_errors, opened_zip, sync_folder, write_synced
from assistant.translations.messages import Said, known, said

ProfileKind = Literal["camera", "table", "roster", "tiles", "free-table", "setup"]

KINDS: Mapping[ProfileKind, Said] = {
    "camera": said("camera"),
    "table": said("table"),
    "roster": said("roster"),
    "tiles": said("tile set"),
    "free-table": said("table without a grid"),
    "setup": said("set-up"),
}

READERS: Mapping[ProfileKind, Callable[[bytes, str], Any]] = {
    "camera": camera_from_json,
    "table": table_from_json,
    "roster": roster_from_json,
    "tiles": tile_set_from_json,
    "free-table": free_table_from_json,
    "setup": setup_from_json,
}
"""The reader that checks each kind of document before it is saved. A tile set's document is ``tileset.json`` in its
folder."""

BACKUP_FORMAT = "sightline.backup/1"
MANIFEST = "backup.json"
MAX_BACKUP_BYTES = 512 << 20
"""Size cap in bytes. A large tile set has 100 MB. A larger file is meant to fill the disk."""

KEPT_VERSIONS = 5

MAX_BACKUP_FILES = 5_000
"""Cap on the number of files: the pictures of a hundred tile sets. Listing many more takes seconds."""

_MOST_PACKED = 50
"""Cap on the compression ratio. Documents shrink to a twentieth and pictures hardly at all. Zip bombs exceed this."""

_SMALL_BYTES = 8 << 20
"""Unpacked size in bytes below which the compression ratio is not checked."""

_NAME = re.compile(r"(?!(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$))\w(?:[\w .-]{0,62}[\w-])?", re.IGNORECASE)
"""Folder names valid on every system: Windows reserves device names and strips trailing spaces and dots."""


class Profiles:
    """The profiles in a data folder. Saving the first one creates the folder.

    Attributes:
        changing: lock to hold while a profile is read, changed and saved, since another program may do the same.
    """

    def __init__(self, folder: Path) -> None:
        self._root = folder / "profiles"
        self.changing = ChangeLock(self._root / ".lock")

    def names(self, kind: ProfileKind) -> tuple[str, ...]:
        with map_errors("read"):
            if not (self._root / kind).is_dir():
                return ()
            return tuple(sorted(entry.name for entry in (self._root / kind).iterdir() if _is_name(entry.name)))

    def newest(self, kind: ProfileKind) -> str | None:
        """Return the name of the profile that was saved last, or None if there is none."""
        with map_errors("read"):
            kept = [(self.path(kind, name).stat().st_mtime_ns, name) for name in self.names(kind)]
        return max(kept)[1] if kept else None

    def path(self, kind: ProfileKind, name: str) -> Path:
        """Return the current file of a profile, or the folder of a tile set.

        Raises:
            UnknownName: there is none of that name.
        """
        folder = self._folder(kind, name)
        with map_errors("read"):
            versions = _list_versions(folder)
        if not versions:
            raise UnknownName(
                said(
                    "There is no {what} named “{name}”. There are: {known}.",
                    what=KINDS[kind],
                    name=name,
                    known=known(self.names(kind)),
                )
            )
        return versions[-1]

    def version(self, kind: ProfileKind, name: str) -> int:
        """Return how many versions were saved, 1 for a new profile.

        Raises:
            UnknownName: there is none of that name.
        """
        return int(self.path(kind, name).stem)

    def read(self, kind: ProfileKind, name: str) -> bytes:
        """Return the document of a profile.

        Raises:
            UnknownName: there is none of that name.
            StoreError: it cannot be read.
        """
        path = self.path(kind, name)
        with map_errors("read"):
            return (path / "tileset.json" if kind == "tiles" else path).read_bytes()

    def keep(self, kind: ProfileKind, name: str, document: bytes) -> Path:
        """Save a document as the newest version of a name, and return its file.

        Raises:
            DocumentError: the document breaks its format; nothing is changed.
            StoreError: it cannot be written; the version before still holds.
        """
        READERS[kind](document, name)
        return self._keep(kind, name, lambda path: write_synced(path, document), ".json")

    def keep_tiles(self, name: str, source: Path) -> Path:
        """Save a copy of a tile set's folder, as ``keep`` does. Only files that the set names are copied."""
        with map_errors("read"):
            document = (source / "tileset.json").read_bytes()
        images = {side.image for side in tile_set_from_json(document, name).sides}
        for image in sorted(images):
            if Path(image).name != image:
                raise BadValue(
                    said("the picture “{picture}” is outside of the tile set's folder", picture=image), document=name
                )

        def copy(folder: Path) -> None:
            folder.mkdir()
            for file in ("tileset.json", *sorted(images)):
                write_synced(folder / file, (source / file).read_bytes())

        return self._keep("tiles", name, copy, "")

    def take_back(self, kind: ProfileKind, name: str) -> Path:
        """Drop the newest version, make the one before current, and return it.

        Raises:
            UnknownName: there is no earlier version.
        """
        folder = self._folder(kind, name)
        with map_errors("write"), self.changing:
            versions = _list_versions(folder)
            if len(versions) < 2:
                raise UnknownName(
                    said("there is no earlier version of the {what} “{name}”", what=KINDS[kind], name=name)
                )
            _remove(versions[-1])
        return versions[-2]

    def backup(self) -> bytes:
        target = io.BytesIO()
        with map_errors("read"), zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr(MANIFEST, msgspec.json.encode({"format": BACKUP_FORMAT}))
            for kind in READERS:
                for name in self.names(kind):
                    path = self.path(kind, name)
                    files = sorted(path.iterdir()) if path.is_dir() else [path]
                    for file in files:
                        inside = f"{kind}/{name}/{file.name}" if path.is_dir() else f"{kind}/{name}.json"
                        archive.write(file, inside)
        return target.getvalue()

    def restore(self, data: bytes) -> tuple[tuple[ProfileKind, str], ...]:
        """Save every profile of a backup as the newest version of its name. Other profiles stay.

        The whole backup is checked before anything is written.

        Raises:
            NoBackup: the data are no backup of ours.
            DocumentError: a document in it breaks its format.
        """
        files = _collect_backup(data)
        found: list[tuple[ProfileKind, str]] = []
        with tempfile.TemporaryDirectory() as scratch:
            for kind in READERS:
                found += self._unpack(kind, files, Path(scratch))
            for kind, name in found:
                if kind == "tiles":
                    self.keep_tiles(name, Path(scratch) / name)
                else:
                    self.keep(kind, name, files[f"{kind}/{name}.json"])
        return tuple(found)

    def _unpack(self, kind: ProfileKind, files: Mapping[str, bytes], scratch: Path) -> list[tuple[ProfileKind, str]]:
        """Check and return a backup's profiles of one kind, with tile sets unpacked into the scratch folder."""
        names = sorted({_plain_name(path.split("/")[1], kind) for path in files if path.startswith(f"{kind}/")})
        for name in names:
            document = f"{kind}/{name}/tileset.json" if kind == "tiles" else f"{kind}/{name}.json"
            if document not in files:
                raise NoBackup(said("The backup lacks {document}. Make it again.", document=document))
            READERS[kind](files[document], document)
            if kind == "tiles":
                _check_pictures(name, files)
                self._lay_out(f"{kind}/{name}/", files, scratch / name)
        return [(kind, name) for name in names]

    def _lay_out(self, prefix: str, files: Mapping[str, bytes], folder: Path) -> None:
        with map_errors("write"):
            folder.mkdir()
            for path, content in files.items():
                if path.startswith(prefix):
                    (folder / path.removeprefix(prefix)).write_bytes(content)

    def _folder(self, kind: ProfileKind, name: str) -> Path:
        if not _is_name(name):
            raise BadName(
                said(
                    "“{name}” cannot be a name. Use up to 64 letters, digits, spaces, dots and dashes; begin and end "
                    "with a letter or digit.",
                    name=name,
                )
            )
        return self._root / kind / name

    def _keep(self, kind: ProfileKind, name: str, write: Callable[[Path], None], suffix: str) -> Path:
        """Write a version under a temporary name, rename it into place atomically, and remove the oldest versions."""
        folder = self._folder(kind, name)
        with map_errors("write"), self.changing:
            folder.mkdir(parents=True, exist_ok=True)
            versions = _list_versions(folder)
            number = 1 + (int(versions[-1].stem) if versions else 0)
            final = folder / f"{number:06d}{suffix}"
            scratch = Path(tempfile.mkdtemp(prefix=".new-", dir=folder))
            try:
                write(scratch / final.name)
                os.replace(scratch / final.name, final)
            finally:
                shutil.rmtree(scratch)
            sync_folder(folder)
            for old in versions[: -(KEPT_VERSIONS - 1)]:
                _remove(old)
        return final


def _is_name(name: str) -> bool:
    return _NAME.fullmatch(name) is not None


def _list_versions(folder: Path) -> list[Path]:
    """Return the versions of a profile, the newest last."""
    if not folder.is_dir():
        return []
    return sorted(entry for entry in folder.iterdir() if entry.stem.isdecimal())


def _remove(path: Path) -> None:
    """Remove a version, unless another program has removed it meanwhile."""
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def _plain_name(entry: str, kind: ProfileKind) -> str:
    name = entry if kind == "tiles" else entry.removesuffix(".json")
    if not _is_name(name):
        raise NoBackup(
            said(
                "The backup holds a {what} named “{name}”, which cannot be a name. Sightline did not make this backup.",
                what=KINDS[kind],
                name=name,
            )
        )
    return name


def _check_pictures(name: str, files: Mapping[str, bytes]) -> None:
    tile_set = tile_set_from_json(files[f"tiles/{name}/tileset.json"], name)
    for image in sorted({side.image for side in tile_set.sides}):
        if f"tiles/{name}/{image}" not in files:
            raise NoBackup(
                said(
                    "The backup lacks the picture “{picture}” of the tile set “{name}”. Make it again.",
                    picture=image,
                    name=name,
                )
            )


def _collect_backup(data: bytes) -> dict[str, bytes]:
    """Return the files of a backup by their paths.

    Raises:
        NoBackup: it is not a zip file, is too large or damaged, or has another format.
    """
    damaged = said("This is not a backup, or it is damaged. Choose a file made by “sightline backup” or the page.")
    with opened_zip(data, NoBackup(damaged)) as archive:
        entries = [entry for entry in archive.infolist() if not entry.is_dir()]
        _check_backup_entries(entries, len(data))
        files = {entry.filename: archive.read(entry) for entry in entries}
    manifest = _decode(files.get(MANIFEST, b"{}"))
    if manifest.get("format") != BACKUP_FORMAT:
        raise NoBackup(
            said(
                "This zip file does not say “{format}”. Choose a file made by “sightline backup” or the page.",
                format=BACKUP_FORMAT,
            )
        )
    return files


def _check_backup_entries(entries: Sequence[zipfile.ZipInfo], packed_bytes: int) -> None:
    """Reject zip bombs and unexpected files from the zip's directory alone, before anything is unpacked.

    Raises:
        NoBackup: too many files, too large, compressed too far, or an unexpected file.
    """
    unpacked_bytes = sum(entry.file_size for entry in entries)
    most_bytes = min(MAX_BACKUP_BYTES, max(_SMALL_BYTES, _MOST_PACKED * packed_bytes))
    if len(entries) > MAX_BACKUP_FILES or unpacked_bytes > most_bytes:
        raise NoBackup(said("The backup is far too large. Check that it is the right file."))
    for path in (entry.filename for entry in entries):
        kind, *rest = path.split("/")
        is_flat = kind in READERS and len(rest) == (2 if kind == "tiles" else 1)
        if path != MANIFEST and (not is_flat or not all(_is_name(part) for part in rest)):
            raise NoBackup(
                said(
                    "The backup holds “{path}”, which does not belong there. Sightline did not make this backup.",
                    path=str(path),
                )
            )


def _decode(data: bytes) -> dict[str, Any]:
    try:
        raw = msgspec.json.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return {}
    return raw if isinstance(raw, dict) else {}
