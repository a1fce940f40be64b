"""Files in the data folder: written whole or not at all, with the system's errors mapped to ours."""

from __future__ import annotations

import io
import os
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

from assistant.errors import InputError, StoreError
from assistant.translations.foreign import system_reason
from assistant.translations.messages import message, said

_ZIP_FAULTS = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    NotImplementedError,
    RuntimeError,
    EOFError,
    ValueError,
)
"""Errors of ``zipfile`` on a damaged file; a broken directory makes it seek to before the beginning."""

OWN_EYES = 0o600
"""File mode for the user of the program alone."""

_CANNOT = {
    "read": message("{place} cannot be read ({reason}). Check the data folder and the space on the disk."),
    "write": message("{place} cannot be written ({reason}). Check the data folder and the space on the disk."),
}


@contextmanager
def opened_zip(data: bytes, refusal: InputError) -> Iterator[zipfile.ZipFile]:
    """A zip file that a stranger made; ``refusal`` is raised where it is damaged or none at all."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            yield archive
    except InputError:  # of what its entries hold
        raise
    except _ZIP_FAULTS:
        raise refusal from None


@contextmanager
def map_errors(doing: Literal["read", "write"]) -> Iterator[None]:
    """Map the system's errors of some file work.

    Raises:
        StoreError: the system refuses; the file and its reason are named.
    """
    try:
        yield
    except OSError as problem:
        place = str(problem.filename) if problem.filename else said("the data folder")
        raise StoreError(said(_CANNOT[doing], place=place, reason=system_reason(problem))) from None


def read_kept(path: Path) -> bytes | None:
    """Return the bytes of a file, or None if there is none.

    Raises:
        StoreError: it cannot be read.
    """
    with map_errors("read"):
        return path.read_bytes() if path.exists() else None


def write_kept(path: Path, content: bytes) -> None:
    """Write a file atomically: a reader finds the old content or the new one, never a part.

    Raises:
        StoreError: it cannot be written; the old content is still there.
    """
    with map_errors("write"):
        path.parent.mkdir(parents=True, exist_ok=True)
        scratch = path.with_name(f".{path.name}.new")
        write_synced(scratch, content)
        os.replace(scratch, path)
        sync_folder(path.parent)


def write_synced(path: Path, content: bytes) -> None:
    """Write a file for the user alone, since a camera's address may hold its password, and wait for the disk.

    Errors are the system's own.
    """
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, OWN_EYES), "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def sync_folder(folder: Path) -> None:
    """Wait until the disk has the folder's entries; errors are the system's own."""
    if os.name == "nt":  # Windows has no handle for a folder to be synced.
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def write_file(path: Path, content: bytes) -> None:
    """Write a file outside of the data folder that the user named, with the folders above it.

    Raises:
        StoreError: it cannot be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    except OSError as problem:
        text = said("This file cannot be written ({reason}). Choose another place.", reason=system_reason(problem))
        raise StoreError(text, document=str(path)) from None
