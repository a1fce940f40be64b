"""The disk of the matches: its free space and its writability."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

from assistant.errors import DiskFull

LEAST_FREE_MB = 200
"""Least free space in MB. A long evening with its rulings needs a few. The rest is for the system, which fails
first."""


def free_bytes_of(folder: Path) -> int:
    """Return the free bytes on the disk of a folder. Raises ``OSError`` for an unreadable folder."""
    return shutil.disk_usage(folder).free


def disk_problem(folder: Path, free_bytes: Callable[[Path], int] = free_bytes_of) -> DiskFull | None:
    """Return a disk's problem, which is nearly full or not writable, or None while all is well."""
    try:
        _try_to_write(folder)
        free_mb = free_bytes(folder) >> 20
    except OSError:
        return DiskFull()
    if free_mb < LEAST_FREE_MB:
        return DiskFull(free_mb)
    return None


def _try_to_write(folder: Path) -> None:
    probe = folder / "disk-probe"
    with probe.open("wb") as file:
        file.write(bytes(4096))
        file.flush()
        os.fsync(file.fileno())
    probe.unlink()
