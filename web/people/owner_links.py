"""Owner links that another command of the same user makes while the page runs.

Write access to the data folder means owning the table anyway. The file holds hashes, each until its end or a device
has joined by it.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable

import msgspec
from msgspec import Struct

from assistant.run_clock import now_s
from web.people.keeping import KeptFile

OWNER_LINK_S = 24 * 3600.0
"""Lifetime of an owner link: the host opens it when the evening begins."""

TOKEN_BYTES = 16


class _KeptLink(Struct):
    key: str
    ends_at_s: float


class OwnerLinks:
    """The links that nobody has opened yet.

    Args:
        kept: the file that the page and the other command share.
        now_s: the clock, seconds since 1970.
    """

    def __init__(self, kept: KeptFile | None = None, now_s: Callable[[], float] = now_s) -> None:
        self._kept = kept or KeptFile(None)
        self._now_s = now_s

    def add(self) -> str | None:
        """Return the token of a new link, or None if it could not be kept."""
        token = secrets.token_urlsafe(TOKEN_BYTES)
        link = _KeptLink(_key(token), self._now_s() + OWNER_LINK_S)
        return token if self._write([*self._open(), link]) else None

    def take(self, token: str) -> bool:
        """Return whether a link with this token waited; it works once."""
        links, key = self._open(), _key(token)
        others = [link for link in links if not secrets.compare_digest(link.key.encode(), key.encode())]
        return len(others) < len(links) and self._write(others)

    def _open(self) -> list[_KeptLink]:
        try:
            links = msgspec.convert(self._kept.read() or [], list[_KeptLink])
        except msgspec.ValidationError:  # a file of another program
            return []
        # A clock that was put back since must not make a link good for longer.
        return [link for link in links if 0 < link.ends_at_s - self._now_s() <= OWNER_LINK_S]

    def _write(self, links: list[_KeptLink]) -> bool:
        return self._kept.write([{"key": link.key, "ends_at_s": link.ends_at_s} for link in links])


def _key(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
