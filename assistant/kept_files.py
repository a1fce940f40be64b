"""Files in the data folder: written atomically, locked, and with operating-system errors mapped to ours."""

from __future__ import annotations

import errno
import io
import os
import secrets
import shutil
import struct
import sys
import threading
import time
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import IO, Literal

from assistant.errors import InputError, StoreError
from assistant.translations.foreign import system_reason
from assistant.translations.messages import Said, message, said

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


_HELD = frozenset({errno.EAGAIN, errno.EWOULDBLOCK, errno.EACCES, errno.EDEADLK})
"""Error numbers of a lock that another program holds, on any system."""

_WAIT_S, _STEP_S = 30.0, 0.02
"""Longest wait for another program that saves, and the pause between two tries. A tile set of 100 MB is saved in
seconds."""


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


class FileHeld(StoreError):
    """Another program holds the lock of a file."""


class ChangeLock:
    """Lock held while files are read, changed and written back, so that none of two programs loses the other's change.

    It excludes other programs and other threads. The thread that holds it may take it again.

    Args:
        path: the file to lock. It stays empty.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._turn = threading.RLock()
        self._depth = 0
        self._file: IO[bytes] | None = None

    def __enter__(self) -> None:
        self._turn.acquire()
        try:
            if self._file is None:
                self._file = self._wait()
            self._depth += 1
        finally:
            if self._depth == 0:  # another program goes on holding it
                self._turn.release()

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._depth -= 1
        if self._file is not None and self._depth == 0:
            self._file.close()
            self._file = None
        self._turn.release()

    def _wait(self) -> IO[bytes]:
        until_s = time.monotonic() + _WAIT_S
        held = said(
            "Another program has been saving in {folder} for a while. Wait until it is done and try again.",
            folder=str(self._path.parent),
        )
        with map_errors("write"):
            self._path.parent.mkdir(parents=True, exist_ok=True)
            while True:
                try:
                    return locked_file(self._path, held)
                except FileHeld:
                    if time.monotonic() > until_s:
                        raise
                time.sleep(_STEP_S)


def locked_file(path: Path, held: Said) -> IO[bytes]:
    """Return a file that this program locks until it is closed. Raises errors of opening it unmapped.

    Raises:
        FileHeld: another program holds it; ``held`` says so.
        StoreError: the disk has no file locks.
    """
    file = path.open("ab")
    try:
        _lock(file)
    except OSError as problem:
        file.close()
        if problem.errno in _HELD:
            raise FileHeld(held) from None
        text = said(
            "The data folder {folder} lies on a disk without file locks, as some network shares are. Choose a "
            "folder on a disk of this computer.",
            folder=str(path.parent),
        )
        raise StoreError(text) from None
    return file


if sys.platform == "win32":
    import msvcrt

    def _lock(file: IO[bytes]) -> None:
        file.seek(0)
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _lock(file: IO[bytes]) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
