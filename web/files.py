"""The page's own files, in memory by their names: no path from outside ever reaches the disk."""

from __future__ import annotations

import gzip
import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources

_IMPORT = re.compile(r'from "\./([\w.]+\.js)"')

MIMETYPES = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".png": "image/png"}


@dataclass(frozen=True, slots=True)
class PageFile:
    """One file as it is sent, plain and compressed; the tag changes with the bytes."""

    mimetype: str
    plain: bytes
    gzipped: bytes
    etag: str


@lru_cache(maxsize=1)
def page_files() -> Mapping[str, PageFile]:
    """Every file of ``static`` by its name."""
    folder = resources.files("web") / "static"
    return {item.name: _file(item.name, item.read_bytes()) for item in folder.iterdir() if item.is_file()}


def modules_of(entry: str) -> tuple[str, ...]:
    """The modules that a script asks for, and those that they ask for, sorted; without the script itself."""
    found: set[str] = set()
    waiting = [entry]
    while waiting:
        asked = set(_IMPORT.findall(page_files()[waiting.pop()].plain.decode())) - found - {entry}
        found |= asked
        waiting += sorted(asked)
    return tuple(sorted(name.removesuffix(".js") for name in found))


def _file(name: str, data: bytes) -> PageFile:
    suffix = name[name.rindex(".") :]
    return PageFile(MIMETYPES[suffix], data, gzip.compress(data, mtime=0), hashlib.sha256(data).hexdigest()[:16])
