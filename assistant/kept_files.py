"""Files in the data folder: written atomically, with operating-system errors mapped to ours."""

from __future__ import annotations

import io
import os
import secrets
import shutil
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
"""Errors that ``zipfile`` raises on a damaged file. A broken directory makes it seek before the start of the file."""

OWN_EYES = 0o600
"""File mode: readable and writable by the program's own user only."""

_CANNOT = {
    "read": message("{place} cannot be read ({reason}). Check the data folder and the space on the disk."),
    "write": message("{place} cannot be written ({reason}). Check the data folder and the space on the disk."),
}


@contextmanager
def opened_zip(data: bytes, refusal: InputError) -> Iterator[zipfile.ZipFile]:
    """Open a zip file from an untrusted source. Raises ``refusal`` if it is damaged or not a zip."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            yield archive
    except InputError:  # of the entries' contents
        raise
    except _ZIP_FAULTS:
        raise refusal from None


@contextmanager
def map_errors(doing: Literal["read", "write"]) -> Iterator[None]:
    """Map operating-system errors from file work to ``StoreError``.

    Raises:
        StoreError: the system refuses; the file and its reason are named.
    """
    try:
        yield
    except OSError as problem:
        place = str(problem.filename) if problem.filename else said("the data folder")
        raise StoreError(said(_CANNOT[doing], place=place, reason=system_reason(problem))) from None


def read_kept(path: Path) -> bytes | None:
    """Return a file's bytes, or None if there is no such file.

    Raises:
        StoreError: it cannot be read.
    """
    with map_errors("read"):
        return path.read_bytes() if path.exists() else None


def write_kept(path: Path, content: bytes) -> None:
    """Write a file atomically: a reader finds the old content or the new, never a mixture.

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
    """Write a file that only its user can read, and flush it to disk.

    Only its user, because a camera's address may hold its password. Raises operating-system errors unmapped.
    """
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, OWN_EYES), "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def sync_folder(folder: Path) -> None:
    """Flush a folder's entries to disk. Raises operating-system errors unmapped."""
    if os.name == "nt":  # Windows cannot open a folder to sync it
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def write_file(path: Path, content: bytes) -> None:
    """Write a file that the user named, outside the data folder, and create the folders above it.

    It is written atomically. A link, and a device such as ``/dev/stdout``, is written through.

    Raises:
        StoreError: it cannot be written; an earlier file is still there.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists() and not path.is_file():
            path.write_bytes(content)
        else:
            _replace_file(path.resolve(), content)
    except OSError as problem:
        text = said("This file cannot be written ({reason}). Choose another place.", reason=system_reason(problem))
        raise StoreError(text, document=str(path)) from None


def _replace_file(path: Path, content: bytes) -> None:
    """Write a file beside its place, then rename it. Raises operating-system errors unmapped."""
    is_there = path.exists()
    if is_there:
        path.open("ab").close()  # a write-protected file is refused, although its folder would let it be replaced
    scratch = path.with_name(f".new-{secrets.token_hex(6)}")
    try:
        with scratch.open("xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        if is_there:
            shutil.copymode(path, scratch)
        os.replace(scratch, path)
    finally:
        scratch.unlink(missing_ok=True)  # after a failure; a renamed one is no longer there
