"""Zips as names with contents, for tests that read and change them."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping


def entries(data: bytes) -> dict[str, bytes]:
    """Return the files of a zip by their names."""
    with zipfile.ZipFile(io.BytesIO(data)) as file:
        return {name: file.read(name) for name in file.namelist()}


def zipped(files: Mapping[str, bytes]) -> bytes:
    """Return a zip of these files."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as file:
        for name, content in files.items():
            file.writestr(name, content)
    return packed.getvalue()
