"""The page's own files, in memory as ``FEATURE/NAME``. No outside path ever reaches the disk."""

from __future__ import annotations

import gzip
import hashlib
import posixpath
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import resources

_IMPORT = re.compile(r'from "(\.{1,2}/[\w./]+\.js)"')

_DOC_BLOCK = re.compile(rb"^[ \t]*/\*\*(?:(?!\*/).)*\*/[ \t]*\n", re.MULTILINE | re.DOTALL)

_STYLE_COMMENT = re.compile(rb"^[ \t]*/\*(?:(?!\*/).)*\*/[ \t]*\n", re.MULTILINE | re.DOTALL)

MIMETYPES = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".png": "image/png"}


@dataclass(frozen=True, slots=True)
class PageFile:
    """One file, plain and compressed. Its tag changes with its bytes."""

    mimetype: str
    plain: bytes
    gzipped: bytes
    etag: str


@lru_cache(maxsize=1)
def page_files() -> Mapping[str, PageFile]:
    """Return every script, style and picture of a feature, as ``FEATURE/NAME``.

    Third-party files are in the feature's ``library``.
    """
    folders = [folder for folder in resources.files("web").iterdir() if folder.is_dir()]
    return {
        f"{folder.name}/{item.name}": _file(mimetype, item.read_bytes())
        for folder in folders
        for place in (folder, folder / "library")
        if place.is_dir()
        for item in place.iterdir()
        if (mimetype := MIMETYPES.get(posixpath.splitext(item.name)[1]))
    }


@cache
def modules_of(entry: str) -> tuple[str, ...]:
    """Return all modules imported by a script, directly or not, sorted."""
    found: set[str] = set()
    waiting = [entry]
    while waiting:
        name = waiting.pop()
        paths = _IMPORT.findall(page_files()[name].plain.decode())
        asked = {posixpath.normpath(posixpath.join(posixpath.dirname(name), path)) for path in paths} - found - {entry}
        found |= asked
        waiting += sorted(asked)
    return tuple(sorted(name.removesuffix(".js") for name in found))


def _file(mimetype: str, data: bytes) -> PageFile:
    if mimetype == MIMETYPES[".js"]:  # type comments are a tenth of the first load, and browsers skip them
        data = _DOC_BLOCK.sub(b"", data)
    elif mimetype == MIMETYPES[".css"]:
        data = _STYLE_COMMENT.sub(b"", data)
    return PageFile(mimetype, data, gzip.compress(data, mtime=0), hashlib.sha256(data).hexdigest()[:16])
