"""Files in the data folder: written whole or not at all, and the system's errors told in our words."""

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
"""What ``zipfile`` raises on a damaged file; a spoiled directory makes it seek to before the beginning."""


OWN_EYES = 0o600
"""Read and written by the user who plays alone."""

_CANNOT = {
    "read": message("{place} cannot be read ({reason}); check the data folder and the space on the disk"),
    "write": message("{place} cannot be written ({reason}); check the data folder and the space on the disk"),
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
    """A stretch of file work whose errors are told in our words.

    Raises:
        StoreError: the system refuses; the file and its reason are named.
    """
    try:
        yield
    except OSError as problem:
        place = str(problem.filename) if problem.filename else said("the data folder")
        raise StoreError(said(_CANNOT[doing], place=place, reason=system_reason(problem))) from None


def read_kept(path: Path) -> bytes | None:
    """The bytes of a file; None if it is not there.

    Raises:
        StoreError: it is there and cannot be read.
    """
    with map_errors("read"):
        return path.read_bytes() if path.exists() else None


def write_kept(path: Path, content: bytes) -> None:
    """Writes a file so that whoever reads it finds the old content or the new one, never a part.

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
    """Writes a file that other users of the machine cannot read, and waits until the disk has it.

    A camera's address may hold its password. Errors are the system's own.
    """
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, OWN_EYES), "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def sync_folder(folder: Path) -> None:
    """Waits until the disk knows the folder's names; errors are the system's own."""
    if os.name == "nt":  # Windows has no handle for a folder to be synced.
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def write_file(path: Path, content: bytes) -> None:
    """Writes a file that the user named, outside of the data folder, and the folders above it.

    Raises:
        StoreError: it cannot be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    except OSError as problem:
        text = said("cannot be written ({reason}); choose another place", reason=system_reason(problem))
        raise StoreError(text, document=str(path)) from None
